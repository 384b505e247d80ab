"""What is not yours is answered like what does not exist: generated over all routes."""

import json
from collections.abc import Iterator
from typing import Any

import msgspec
import pytest
from litestar.routes import HTTPRoute

from tests.api.apps import Phone, Station, keys
from tests.rows import NOON, add_entry, add_feed, add_folder, at, follow
from wireroom.api.native import app, contract
from wireroom.api.native.door import Tools
from wireroom.store import leaving
from wireroom.store.engine import Database

#: Fields that hold ids, as nobody was given them.
_UNKNOWN = {
    "subscription_id": "999999",
    "folder_id": "999999",
    "parent_folder_id": "999999",
    "feed_id": "999999",
    "search_id": "999999",
    "label_id": "999999",
    "sort_key": "2026-11-30T12:00:00.000Z#0000000f423f000000000001",
}
#: What the other fields that have to be there hold.
_NEUTRAL: dict[str, Any] = {
    "name": "Mine", "url": "https://nowhere.example/feed", "tags": ["sea"], "opml": "<opml/>",
    "query": "ferry", "app": {}, "q": "ferry", "custom_title": "x", "display_order": 1,
    "rules": ["title:ferry -> drop"], "endpoint": "https://push.example/bob",
}  # fmt: skip


def _fields(handler: Any) -> dict[str, bool]:
    """Parameters or body fields of an endpoint, and whether they have to be there."""
    parameters = handler.parsed_fn_signature.parameters
    if "data" in parameters:
        kind = parameters["data"].annotation
        return {each.name: each.required for each in msgspec.structs.fields(kind)}
    return {name: False for name in parameters if name != "request"}


def _cases() -> Iterator[Any]:
    """Every endpoint that takes an id, with each of its ids alone and with all of them."""
    tools = Tools(None, None, None, None, lambda: NOON)  # type: ignore[arg-type]
    for route in app.build(tools).routes:
        if not isinstance(route, HTTPRoute):
            continue
        for handler in route.route_handlers:
            fields = _fields(handler)
            ids = [name for name in fields if name in _UNKNOWN]
            if "items" in fields:
                ids = ["feed_id", "sort_key"]
            method = next(iter(handler.http_methods - {"HEAD", "OPTIONS"}), "")
            choices = [[each] for each in ids] if len(ids) > 1 and "items" not in fields else []
            for chosen in [*choices, ids] if ids and method else []:
                yield pytest.param(
                    method, route.path, fields, chosen, id=f"{route.path}-{'-'.join(chosen)}"
                )


@pytest.fixture
def adas(station: Station, ada: Phone) -> dict[str, str]:
    """One of each thing, all of them Ada's."""
    with station.database.writing() as connection:
        feed_id = add_feed(connection)
        folder = add_folder(connection, ada.account_id, "News")
        subscription = follow(connection, ada.account_id, feed_id, folder_id=folder)
        add_entry(connection, feed_id, at(-5))
    (item,) = ada.pages()
    ada.put("/rss_set_tags", subscription_id=str(subscription), tags=["sea"])
    search = ada.post("/rss_save_search", name="Ferries", query="ferry")["search"]
    ada.post("/rss_label_items", items=[keys(item)], add=["urgent"])
    (label,) = ada.get("/rss_list_labels")["labels"]
    return {
        "subscription_id": str(subscription),
        "folder_id": str(folder),
        "parent_folder_id": str(folder),
        "feed_id": item["feed_id"],
        "search_id": search["search_id"],
        "label_id": label["label_id"],
        "sort_key": item["sort_key"],
    }


def _belongings(database: Database, account_id: int) -> list[Any]:
    with database.reading() as connection:
        return [*leaving.belongings(connection, account_id), *leaving.said(connection, account_id)]


def _answer(
    phone: Phone, method: str, path: str, fields: dict[str, bool], ids: dict[str, str]
) -> tuple[int, str]:
    values: dict[str, Any] = {name: _NEUTRAL[name] for name in fields if name in _NEUTRAL}
    needed = [name for name, must in fields.items() if must and name in _UNKNOWN]
    values |= {name: _UNKNOWN[name] for name in needed}
    values |= {name: value for name, value in ids.items() if name in fields}
    if "items" in fields:
        values["items"] = [{**_UNKNOWN_ITEM, **ids, "is_read": True}]
    options: dict[str, Any] = (
        {"params": values} if method == "GET" else {"content": json.dumps(values)}
    )
    answer = phone.send(method, path, **options)
    text = answer.text
    for value in ids.values():
        text = text.replace(value, "ID")
    return answer.status_code, text


_UNKNOWN_ITEM = {name: _UNKNOWN[name] for name in ("feed_id", "sort_key")}


@pytest.mark.parametrize(("method", "path", "fields", "chosen"), list(_cases()))
def test_what_is_not_yours_is_not_there(
    station: Station,
    ada: Phone,
    bob: Phone,
    adas: dict[str, str],
    method: str,
    path: str,
    fields: dict[str, bool],
    chosen: list[str],
) -> None:
    """Bob gets the same answer for Ada's ids as for made-up ones, and changes nothing of hers."""
    before = _belongings(station.database, ada.account_id)
    hers = _answer(bob, method, path, fields, {name: adas[name] for name in chosen})
    nobodys = _answer(bob, method, path, fields, {name: _UNKNOWN[name] for name in chosen})

    assert nobodys == hers
    assert before == _belongings(station.database, ada.account_id)


def test_the_generated_cases_reach_every_kind_of_id() -> None:
    """A field that is renamed must not slip out of the test above."""
    structs = [each for each in vars(contract).values() if isinstance(each, type)]
    names = {
        field.name
        for each in structs
        if issubclass(each, msgspec.Struct)
        for field in msgspec.structs.fields(each)
        if field.name.endswith("_id")
    }

    assert names - {"item_id"} <= set(_UNKNOWN)
    assert 15 <= len(list(_cases()))
