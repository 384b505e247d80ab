"""Who is let in by the API, how often, and from which pages."""

from datetime import timedelta
from typing import Any

import pytest
from httpx import Response
from litestar.testing import TestClient

from tests.accounts.issuer import World
from tests.api.apps import Phone, Station, keys
from tests.rows import NOON, add_entry, add_feed, at, follow
from wireroom import accounts
from wireroom.api.native.door import Rates
from wireroom.throttle import Rate

_LIST = "/rss_list_subscriptions"


def _bearer(secret: str) -> dict[str, str]:
    return {"authorization": f"Bearer {secret}"}


def test_a_token_that_marks_changes_nothing_else(station: Station, ada: Phone) -> None:
    """It reads, says what is read, and is refused everything else."""
    with station.database.writing() as connection:
        feed_id = add_feed(connection)
        follow(connection, ada.account_id, feed_id)
        add_entry(connection, feed_id, at(-1))
    reader = Phone(
        ada.client, ada.account_id, station.token(ada.account_id, accounts.READ_AND_MARK)
    )
    (item,) = reader.pages()

    assert {"updated": 1} == reader.post("/rss_set_item_state", items=[keys(item, is_read=True)])
    assert 1 == reader.post("/rss_mark_all_read")["subscriptions"]
    assert (403, "not_allowed") == reader.refused("POST", "/rss_new_folder", name="News")
    assert (403, "not_allowed") == reader.refused("PUT", "/set_preferences", app={})


_NO_TOKEN = "Send a token of yours: Authorization: Bearer wr_…"
_NO_SUCH_TOKEN = "The token is not known, has expired or was revoked; send another one."


@pytest.mark.parametrize(
    ("authorization", "sentence", "asked"),
    [
        pytest.param("", _NO_TOKEN, 'Bearer realm="wireroom"', id="none"),
        pytest.param("Bearer ", _NO_TOKEN, 'Bearer realm="wireroom"', id="empty"),
        pytest.param("Basic wr_no", _NO_TOKEN, 'Bearer realm="wireroom"', id="another scheme"),
        pytest.param(
            "bearer wr_no", _NO_SUCH_TOKEN, 'Bearer realm="wireroom", error="invalid_token"',
            id="unknown",
        ),
    ],
)  # fmt: skip
def test_a_wrong_token_is_told_from_none(
    station: Station, authorization: str, sentence: str, asked: str
) -> None:
    """For people in the sentence, for programs in the challenge (RFC 6750 §3.1)."""
    with TestClient(station.app()) as client:
        answer = client.get(_LIST, headers={"authorization": authorization})

    assert (401, {"Error": sentence, "code": "not_authenticated"}) == (
        answer.status_code, answer.json(),
    )  # fmt: skip
    assert asked == answer.headers["www-authenticate"]


# -- the issuer's tokens --------------------------------------------------------------------------


def _listed(station: Station, world: World | None, token: str) -> Response:
    app = station.app(sign_on=world.sign_on() if world else None)
    with TestClient(app) as client:
        return client.get(_LIST, headers=_bearer(token))


def test_the_issuers_tokens_are_taken(station: Station) -> None:
    """Where one is set; the account is made at the first call."""
    world = World()

    assert 200 == _listed(station, world, world.token()).status_code
    assert 401 == _listed(station, None, world.token()).status_code


def test_tokens_that_are_not_the_issuers(station: Station) -> None:
    """Wrong, late or another's: refused like one of ours that is none."""
    world = World()
    over = world.token(exp=int((NOON - timedelta(hours=1)).timestamp()))

    for token in (over, World().token(), "a.b.c"):
        answer = _listed(station, world, token)
        assert (401, _NO_SUCH_TOKEN) == (answer.status_code, answer.json()["Error"])


def test_an_issuer_that_does_not_answer(station: Station) -> None:
    """503 with a code, since the token may be good."""
    world = World(about={})
    answer = _listed(station, world, world.token())

    assert (503, "unavailable") == (answer.status_code, answer.json()["code"])


# -- how often ------------------------------------------------------------------------------------


def _rates(token: int, address: int) -> Rates:
    return Rates(Rate(token), Rate(address))


@pytest.mark.parametrize("rates", [_rates(3, 100), _rates(100, 3)], ids=["token", "address"])
def test_calls_are_counted(station: Station, ada: Phone, rates: Rates) -> None:
    """By token and by address; then 429 says how long to wait."""
    with TestClient(station.app(rates=rates)) as client:
        answers = [client.get(_LIST, headers=_bearer(ada.token)) for _ in range(4)]
        station.later(20)
        later = client.get(_LIST, headers=_bearer(ada.token))

    assert [200, 200, 200, 429, 200] == [each.status_code for each in [*answers, later]]
    assert ("rate_limited", "20") == (answers[3].json()["code"], answers[3].headers["retry-after"])


def test_wrong_tokens_are_counted_by_address(station: Station) -> None:
    """Nobody tries tokens without end; a made-up header hides nobody."""
    with TestClient(station.app(rates=_rates(100, 3))) as client:
        statuses = [
            client.get(
                _LIST, headers={**_bearer("wr_no"), "x-forwarded-for": f"192.0.2.{number}"}
            ).status_code
            for number in range(4)
        ]

    assert [401, 401, 401, 429] == statuses


# -- from which pages -----------------------------------------------------------------------------

_APP = "https://app.example"


def _preflight(client: TestClient[Any], origin: str) -> Response:
    return client.options(
        "/rss_set_item_state",
        headers={
            "origin": origin,
            "access-control-request-method": "POST",
            "access-control-request-headers": "authorization, content-type",
        },
    )


def test_web_apps_that_are_named_may_call(station: Station, ada: Phone) -> None:
    """Before the call and in its answer; cookies are never allowed along."""
    with TestClient(station.app(cors_origins=(_APP,))) as client:
        before = _preflight(client, _APP)
        answer = client.get(_LIST, headers={**_bearer(ada.token), "origin": _APP})
        refused = client.get(_LIST, headers={"origin": _APP})

    assert before.is_success
    assert "authorization" in before.headers["access-control-allow-headers"].lower()
    assert {_APP} == {
        each.headers["access-control-allow-origin"] for each in (before, answer, refused)
    }
    assert "access-control-allow-credentials" not in answer.headers


@pytest.mark.parametrize("origins", [(), (_APP,)], ids=["none_named", "another_named"])
def test_other_pages_may_not(station: Station, ada: Phone, origins: tuple[str, ...]) -> None:
    """Browsers are told nothing that would let them read an answer."""
    evil = "https://evil.example"
    with TestClient(station.app(cors_origins=origins)) as client:
        before = _preflight(client, evil)
        answer = client.get(_LIST, headers={**_bearer(ada.token), "origin": evil})

    assert not before.is_success
    assert "access-control-allow-origin" not in answer.headers
