"""What is not yours is answered like what does not exist: generated over all pages with ids."""

import re
from collections.abc import Iterator
from datetime import timedelta
from typing import Any

import pytest
from litestar.routes import HTTPRoute
from litestar.testing import TestClient
from sqlalchemy import Connection, insert

from tests.rows import NOON, add_account, add_entry, add_feed, add_folder, follow
from tests.web.conftest import Browser, browser_of
from tests.web.rooms import Outside
from wireroom.store import (
    accounts,
    invitations,
    labels,
    leaving,
    routes,
    saved_searches,
)
from wireroom.store.schema import factors

#: A number that nobody was given.
_UNKNOWN = 7_000_000
_TITLE = "A private title"
_LABEL = "A private label"
#: What forms hold besides ids.
_FIELDS = {
    "name": "filter", "value": "ferry", "title": "x", "is_read": "1", "is_favorite": "1",
    "newest": "1", "days": "1", "current": "x", "scheme": "basic", "username": "x",
    "password": "x", "sure": "1",
}  # fmt: skip
#: Ids that stand in queries and forms: how, where, and the fields with them.
_ELSEWHERE: list[tuple[str, str, dict[str, str]]] = [
    ("GET", "/?entry={feed_id}.{seq}", {}),
    ("GET", "/search?q=private", {}),
    ("POST", "/folders", {"name": "x", "parent_id": "{folder_id}"}),
    ("POST", "/follow", {"url": "https://new.example/", "folder_id": "{folder_id}"}),
    ("POST", "/settings/routes",
     {"kind": "telegram", "to": "1", "subscription": "{subscription_id}"}),
    ("POST", "/mark-read", {"seen": "{feed_id}.{seq}", "show": "all"}),
    ("POST", "/mark-read", {"seen": "{feed_id}.{seq}", "show": "all", "label": "{label_id}"}),
    ("POST", "/news", {"seen": "{feed_id}.0", "show": "all"}),
]  # fmt: skip


def _pages() -> Iterator[Any]:
    """(method, path) of every page with a number in its address, and the others from above."""
    app = Outside(None).app()  # type: ignore[arg-type]
    # A handler of several addresses keeps them in a set: every process has its own order.
    for route in sorted(app.routes, key=lambda each: each.path):
        names = [each.name for each in getattr(route, "path_parameters", {}).values()]
        if not isinstance(route, HTTPRoute) or not names or "file_path" in names:
            continue
        path = route.path_format
        for method in sorted(route.methods - {"HEAD", "OPTIONS"}):
            yield pytest.param(method, path, _FIELDS, id=f"{method}-{path}")
    for method, path, fields in _ELSEWHERE:
        yield pytest.param(method, path, fields, id=f"{method}-{path}-{'-'.join(fields)}")


@pytest.fixture
def adas(outside: Outside, ada: Browser) -> dict[str, int]:
    """One of each thing that has an id, all of them Ada's."""
    with outside.database.writing() as connection:
        return _belongings(connection, ada.account_id)


def _belongings(connection: Connection, account_id: int) -> dict[str, int]:
    folder = add_folder(connection, account_id, "Private")
    feed_id = add_feed(connection, "Private feed")
    subscription = follow(connection, account_id, feed_id, folder_id=folder)
    seq = add_entry(connection, feed_id, NOON, _TITLE)
    destination = routes.add_destination(
        connection,
        account_id=account_id,
        channel="discord",
        address="1",
        secret=None,
        title="Private place",
        now=NOON,
    )
    return {
        "folder_id": folder,
        "feed_id": feed_id,
        "subscription_id": subscription,
        "seq": seq,
        "destination_id": destination,
        "replacement_id": _UNKNOWN,  # whoever runs the installation has all there are
        "route_id": routes.add_route(
            connection,
            subscription_id=subscription,
            destination_id=destination,
            initial_items=1,
            now=NOON,
        ),
        "search_id": saved_searches.save(connection, account_id, "Private", "x", now=NOON).id,
        "label_id": labels.add(connection, account_id, _LABEL, now=NOON),
        "token_id": _token(connection, account_id),
        "invitation_id": _invitation(connection, account_id),
        "factor_id": _factor(connection, account_id),
    }


def _token(connection: Connection, account_id: int) -> int:
    return accounts.add_token(
        connection, account_id, "api", b"a", name="", scopes="", now=NOON, expires_at=None
    )


def _invitation(connection: Connection, account_id: int) -> int:
    invitations.add(
        connection, account_id, b"i", name="Carol", now=NOON, expires_at=NOON + timedelta(days=1)
    )
    (made,) = invitations.list_of(connection, account_id, NOON)
    return made.id


def _factor(connection: Connection, account_id: int) -> int:
    row = insert(factors).values(account_id=account_id, kind="totp", secret=b"s", created_at=NOON)
    return int(connection.execute(row.returning(factors.c.id)).scalar_one())


@pytest.fixture
def eve(outside: Outside, ada: Browser) -> Iterator[Browser]:
    """Somebody who runs the installation too: that opens nobody's things, either."""
    with outside.database.writing() as connection:
        account_id = add_account(connection, "eve", "operator")
    with TestClient(outside.app()) as client:
        yield browser_of(client, outside.database, account_id)


def _hers(outside: Outside, account_id: int) -> list[Any]:
    with outside.database.reading() as connection:
        return [*leaving.belongings(connection, account_id), *leaving.said(connection, account_id)]


def _answer(
    browser: Browser, method: str, path: str, fields: dict[str, str], ids: dict[str, int]
) -> tuple[int, str, str]:
    where = path.format(**ids)
    filled = {name: value.format(**ids) for name, value in fields.items()}
    answer = browser.get(where) if method == "GET" else browser.post(where, **filled)
    # Addresses and fields say again what was asked for.
    text = re.sub(r"\b\d+\b", "N", answer.text)
    return answer.status_code, re.sub(r"\d+", "N", answer.headers.get("location", "")), text


@pytest.mark.parametrize(("method", "path", "fields"), list(_pages()))
def test_what_is_not_yours_is_not_there(
    outside: Outside,
    ada: Browser,
    eve: Browser,
    adas: dict[str, int],
    method: str,
    path: str,
    fields: dict[str, str],
) -> None:
    """Ada's numbers are answered like unknown ones, and nothing of hers is shown or changed."""
    before = _hers(outside, ada.account_id)
    hers = _answer(eve, method, path, fields, adas)
    nobodys = _answer(eve, method, path, fields, dict.fromkeys(adas, _UNKNOWN))

    assert nobodys == hers
    assert hers[0] < 500
    assert _TITLE not in hers[2]
    assert _LABEL not in hers[2]
    assert before == _hers(outside, ada.account_id)
    assert {eve.account_id} >= {each[1] for each in outside.asked}


def test_whose_they_are_finds_them(ada: Browser, adas: dict[str, int]) -> None:
    """The numbers above are good ones: their owner gets another answer than for unknown ones."""
    unknown = dict.fromkeys(adas, _UNKNOWN)
    for method, path, fields in (each.values for each in _pages()):
        if method == "GET" and "{" in path and "/why/" not in path:
            mine = _answer(ada, method, path, fields, adas)
            assert mine != _answer(ada, method, path, fields, unknown), path


def test_the_generated_pages_name_only_known_ids(adas: dict[str, int]) -> None:
    """A page with an id of another kind has to be thought of here."""
    cases = [each.values for each in _pages()]
    named = {name for _, path, _ in cases for name in re.findall(r"{(\w+)}", path)}

    assert named <= set(adas)
    assert 30 <= len(cases)
