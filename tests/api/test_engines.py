"""The same calls on SQLite and on PostgreSQL, every endpoint once."""

from collections.abc import Iterator
from typing import Any

import msgspec
from litestar import Litestar
from litestar.routes import HTTPRoute
from litestar.testing import TestClient

from tests.api.apps import Phone, Station, keys
from tests.api.copies import Copy
from tests.rows import add_account, add_entry, at
from wireroom.store.engine import Database

URL = "https://harbour.example/feed.xml"


def test_a_walk_through_all_endpoints(database: Database) -> None:
    """Follow, arrange, read, mark, sync, export, import, unfollow."""
    station = Station(database)
    station.outside.serves(URL)
    with database.writing() as connection:
        account_id = add_account(connection)
    with TestClient(station.app(), raise_server_exceptions=False) as client:
        ada = Phone(client, account_id, station.token(account_id))
        folder = ada.post("/rss_new_folder", name="News")["folder"]["folder_id"]
        made = ada.post("/rss_subscribe", url=URL, folder_id=folder)["subscription"]
        which = made["subscription_id"]
        with database.writing() as connection:
            add_entry(connection, int(made["feed_id"]), at(-1), large_body="<p>Long</p>")
        copy = Copy(ada, which)
        newest, oldest = ada.pages(limit=1)
        ada.post("/rss_set_item_state", items=[keys(newest, is_read=False, is_favorite=True)])
        marked = ada.post("/rss_mark_all_read", folder_id=folder)
        ada.put("/rss_update_subscription", subscription_id=which, default_filter="all")
        ada.put("/rss_update_folder", folder_id=folder, ordering_mode="oldest_first")
        ada.put("/set_preferences", app={"filter:feeds:all": "all"})
        copy.pull_everything(limit=1)
        single = ada.get("/rss_get_item", feed_id=newest["feed_id"], sort_key=newest["sort_key"])
        exported = ada.get("/rss_opml_export")
        listed = ada.get("/rss_list_subscriptions")
        ada.post("/rss_delete_folder", folder_id=folder)
        ended = ada.post("/rss_unsubscribe", subscription_id=which)
        imported = ada.post("/rss_opml_import", opml=exported["opml"])

        assert {"subscriptions": 1, "flipped": 1} == {
            name: marked[name] for name in ("subscriptions", "flipped")
        }
        assert {
            newest["sort_key"]: (True, True),
            oldest["sort_key"]: (True, False),
        } == copy.shown()
        assert "<p>Long</p>" == single["item"]["content_html"]
        assert ("all", "oldest_first") == (
            listed["subscriptions"][0]["default_filter"],
            listed["folders"][0]["ordering_mode"],
        )
        assert {"filter:feeds:all": "all"} == ada.get("/get_preferences")["app"]
        assert ended["feed_purged"] is True
        assert (1, 1) == (imported["created"], imported["folders_created"])


def _fields(handler: Any) -> dict[str, Any]:
    """Parameters or body fields of an endpoint, by the name on the wire, with U+0000 in each."""
    parameters = handler.parsed_fn_signature.parameters
    if "data" not in parameters:
        return dict.fromkeys(
            [{"show": "filter", "wanted": "query"}.get(each, each) for each in parameters], "a\0b"
        )
    texts = {}
    for each in msgspec.structs.fields(parameters["data"].annotation):
        is_list = str(each.type).startswith(("list", "typing.Annotated[list"))
        texts[each.name] = ["a\0b"] if is_list else "a\0b"
    return texts


def _null_calls(app: Litestar) -> Iterator[tuple[str, str, dict[str, Any]]]:
    """Every endpoint, with one field after another as long as it is alone and with all of them."""
    for route in app.routes:
        if not isinstance(route, HTTPRoute) or not route.path.startswith(("/rss_", "/set_")):
            continue
        if route.path == "/rss_events":  # it takes nothing and does not end
            continue
        for handler in route.route_handlers:
            method = next(iter(handler.http_methods - {"HEAD", "OPTIONS"}), "")
            fields = _fields(handler) if method else {}
            for name in fields:
                yield method, route.path, {name: fields[name]}
            yield method, route.path, fields


def test_null_characters_are_nobodys_fault_but_the_callers(database: Database) -> None:
    """PostgreSQL keeps no U+0000: what holds one is refused before, or found nowhere."""
    station = Station(database)
    with database.writing() as connection:
        account_id = add_account(connection)
    app = station.app()
    with TestClient(app, raise_server_exceptions=False) as client:
        ada = Phone(client, account_id, station.token(account_id))
        faults = [
            (method, path, fields)
            for method, path, fields in _null_calls(app)
            if method
            and ada.send(
                method, path, **({"params": fields} if method == "GET" else {"json": fields})
            ).status_code
            >= 500
        ]

    assert [] == faults
