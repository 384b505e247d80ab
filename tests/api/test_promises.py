"""What the contract promises of all its answers, read off the document and off the answers."""

import json
from collections.abc import Iterator
from typing import Any
from uuid import UUID

import pytest
from litestar.testing import TestClient

from tests.api.apps import Phone, Station, keys
from tests.api.test_contract import _DOCUMENT, ENDPOINTS
from tests.rows import add_entry, add_feed, add_folder, at, follow
from wireroom import labelling
from wireroom.api.native.app import BODY_MAX_BYTES
from wireroom.api.native.door import Rates
from wireroom.throttle import Rate

_SCHEMAS: dict[str, Any] = _DOCUMENT["components"]["schemas"]
#: Without the stream of events, which does not end by itself.
_READS = [path for method, path in ENDPOINTS if method == "GET" and path != "/rss_events"]
_WRITES = [(method, path) for method, path in ENDPOINTS if method != "GET"]


def _operation(method: str, path: str) -> dict[str, Any]:
    found: dict[str, Any] = _DOCUMENT["paths"][path][method.lower()]
    return found


def _reached(schema: Any) -> Iterator[str]:
    """The names of all schemas below one."""
    waiting, met = [schema], set()
    while waiting:
        part = waiting.pop()
        if isinstance(part, dict):
            name = str(part.get("$ref", "")).rpartition("/")[2]
            if name and name not in met:
                met.add(name)
                yield name
                waiting.append(_SCHEMAS[name])
            waiting += part.values()
        elif isinstance(part, list):
            waiting += part


@pytest.mark.parametrize(("method", "path"), ENDPOINTS)
def test_endpoints_are_flat(method: str, path: str) -> None:
    """One word after the slash; reads take a query, writes a JSON object; tokens let in (API-01).

    That it has to be a valid one, and that others' ids are unknown, is tried endpoint by endpoint
    in test_contract.
    """
    said = _operation(method, path)
    # A browser says by a header which event it heard last (HTML, server-sent events).
    named = [each for each in said.get("parameters", []) if each["name"] != "Last-Event-ID"]
    places = {each["in"] for each in named}

    assert 1 == path.count("/")
    assert "{" not in path
    assert [{"token": []}] == said.get("security", _DOCUMENT["security"])
    if method == "GET":
        assert places <= {"query"}
        assert "requestBody" not in said
    else:
        assert set() == places
        assert ["application/json"] == list(said["requestBody"]["content"])


@pytest.fixture
def shelf(station: Station, ada: Phone) -> list[str]:
    """Two feeds of Ada's, one in a folder, with items; the ids of the subscriptions."""
    with station.database.writing() as connection:
        folder = add_folder(connection, ada.account_id, "Adas folder")
        feeds = [add_feed(connection, title) for title in ("Adas harbour", "Adas bay")]
        made = [
            follow(connection, ada.account_id, feed, folder_id=within, data_store_uuid=uuid)
            for feed, within, uuid in (
                (feeds[0], folder, "0b9c1c4e-6f55-4d2c-8a37-0c7e4d1b2a01"),
                (feeds[1], None, "0b9c1c4e-6f55-4d2c-8a37-0c7e4d1b2a02"),
            )
        ]
        for feed in feeds:
            for minute in (5, 1600, 3000, 4500):  # over four days
                add_entry(connection, feed, at(-minute), "Adas item")
    return [str(each) for each in made]


def test_callers_see_their_own_rows(shelf: list[str], ada: Phone, bob: Phone) -> None:
    """What Ada has is in no answer to Bob, whatever is read without an id (API-01)."""
    ada.post("/rss_label_items", items=[keys(ada.pages()[0])], add=["Adas label"])
    ada.post("/rss_save_search", name="Adas search", query="item")
    ada.put("/set_preferences", app={"Adas": "preference"})
    without_ids = [p for p in _READS if p not in ("/rss_fetch_history", "/rss_get_item")]
    hers = [ada.send("GET", path, params={"query": "item"}).text for path in without_ids]
    his = [bob.send("GET", path, params={"query": "item"}).text for path in without_ids]

    assert 6 <= sum("Adas" in text for text in hers)
    assert [] == [text for text in his if "Adas" in text]


@pytest.mark.parametrize(("method", "path"), ENDPOINTS)
def test_listed_fields_are_always_there(method: str, path: str) -> None:
    """Nothing in an answer is optional, so clients need no second way of reading it (API-03)."""
    for status, answer in _operation(method, path)["responses"].items():
        for name in _reached(answer):
            schema = _SCHEMAS[name]
            assert set(schema.get("properties", {})) == set(schema.get("required", [])), (
                status,
                name,
            )
            assert schema.get("additionalProperties") is not False, name


def test_unknown_fields_are_tolerated(shelf: list[str], ada: Phone) -> None:
    """In a query, in a body and within it: an app of tomorrow speaks with us (API-03)."""
    plain = ada.get("/rss_list_items", limit=2)
    item = {**keys(plain["items"][0], is_read=True), "mood": {"x": [1]}}

    assert plain == ada.get("/rss_list_items", limit=2, mood="blue")
    assert {"updated": 1} == ada.post("/rss_set_item_state", items=[item], mood=None)
    for method, path in _WRITES:
        bare = ada.send(method, path, content=b"{}")
        more = ada.send(method, path, content=json.dumps({"of_tomorrow": [{"x": 1}]}))
        assert bare.status_code == more.status_code, path


@pytest.mark.parametrize("mode", ["newest_day_oldest_within", "oldest_day_newest_within"])
def test_the_server_never_groups_by_day(shelf: list[str], ada: Phone, mode: str) -> None:
    """It keeps the wish and lists strictly by sort_key; days are the client's (API-43)."""
    ada.put("/rss_update_subscription", subscription_id=shelf[0], ordering_mode=mode)
    ada.put("/set_preferences", app={"order:feeds:all": mode})
    for scope in ({"subscription_id": shelf[0]}, {}):
        for order in ("newest", "oldest"):
            found = [item["sort_key"] for item in ada.pages(order=order, limit=3, **scope)]

            assert sorted(found, reverse=order == "newest") == found
            assert 4 <= len(found)
    assert (400, "invalid_order") == ada.refused("GET", "/rss_list_items", order=mode)


def test_counts_are_served_only_where_they_are_asked_for(shelf: list[str], ada: Phone) -> None:
    """No object of the contract has unread counts (API-44); our extra endpoint is its own."""
    named = {
        path: [
            field
            for answer in _operation("GET", path)["responses"].values()
            for name in _reached(answer)
            for field in _SCHEMAS[name].get("properties", {})
            if "unread" in field
        ]
        for path in _READS
    }

    assert {"/rss_unread_counts"} == {path for path, fields in named.items() if fields}
    assert "unread_count" not in ada.send("GET", "/rss_list_subscriptions").text


def test_data_store_uuids_are_stable(station: Station, shelf: list[str], ada: Phone) -> None:
    """One for each subscription, whatever is done with it; a new one for a new one (API-46)."""
    station.outside.serves("https://harbour.example/feed")
    made = ada.post("/rss_subscribe", url="https://harbour.example/feed")["subscription"]
    which = made["subscription_id"]

    def uuids() -> dict[str, str]:
        listed = ada.get("/rss_list_subscriptions")["subscriptions"]
        return {each["subscription_id"]: each["data_store_uuid"] for each in listed}

    before = uuids()
    folder = ada.post("/rss_new_folder", name="f")["folder"]["folder_id"]
    again = ada.post("/rss_subscribe", url="https://harbour.example/feed")["subscription"]
    changed = ada.put(
        "/rss_update_subscription",
        subscription_id=which, folder_id=folder, custom_title="x", full_content=True,
    )["subscription"]  # fmt: skip
    ada.post("/rss_mark_all_read")
    after = uuids()
    ada.post("/rss_unsubscribe", subscription_id=which)
    anew = ada.post("/rss_subscribe", url="https://harbour.example/feed")["subscription"]

    assert 3 == len(set(before.values())) == len([UUID(each) for each in before.values()])
    assert before == after
    assert {before[which]} == {each["data_store_uuid"] for each in (made, again, changed)}
    assert anew["data_store_uuid"] not in before.values()


# -- how much, and for which pages ----------------------------------------------------------------


@pytest.mark.parametrize(("method", "path"), _WRITES)
def test_bodies_are_bounded(ada: Phone, method: str, path: str) -> None:
    """Declared or sent piece by piece: what is larger than 5 MB is refused, and says so."""
    piece = b" " * 500_000
    pieces = (piece for _ in range(BODY_MAX_BYTES // len(piece) + 1))
    declared = ada.send(method, path, content=piece * 11)
    streamed = ada.send(method, path, content=pieces)

    assert [(413, "too_large")] * 2 == [
        (each.status_code, each.json()["code"]) for each in (declared, streamed)
    ]


@pytest.mark.parametrize(
    ("headers", "body", "status"),
    [
        ({"authorization": "Bearer wr_no"}, b"{}", 401),
        ({}, b"{", 400),
        ({}, b'{"label_id": "99"}', 404),
        ({}, b" " * (BODY_MAX_BYTES + 1), 413),
    ],
    ids=["nobody", "malformed", "unknown", "too_large"],
)
def test_named_web_apps_read_what_went_wrong(
    station: Station, ada: Phone, headers: dict[str, str], body: bytes, status: int
) -> None:
    """A refusal without the headers for its page would reach no program of it."""
    origin = {"origin": "https://app.example"}
    with TestClient(station.app(cors_origins=("https://app.example",))) as client:
        phone = Phone(client, ada.account_id, ada.token)
        answer = phone.send(
            "POST", "/rss_delete_label", content=body, headers={**origin, **headers}
        )

    assert status == answer.status_code
    assert "https://app.example" == answer.headers["access-control-allow-origin"]
    assert "access-control-allow-credentials" not in answer.headers


def test_named_web_apps_read_how_long_to_wait_and_our_faults(
    station: Station, ada: Phone, monkeypatch: pytest.MonkeyPatch
) -> None:
    """429 with Retry-After, which browsers hide unless it is exposed, and 500."""
    headers = {"origin": "https://app.example", "authorization": f"Bearer {ada.token}"}
    app = station.app(cors_origins=("https://app.example",), rates=Rates(Rate(1), Rate(100)))

    async def broken(*_: object) -> None:
        raise RuntimeError

    monkeypatch.setattr(labelling, "every", broken)
    with TestClient(app, raise_server_exceptions=False) as client:
        fault = client.get("/rss_list_labels", headers=headers)
        often = client.get("/rss_list_labels", headers=headers)

    assert [500, 429] == [fault.status_code, often.status_code]
    assert "60" == often.headers["retry-after"]
    for answer in (fault, often):
        assert "https://app.example" == answer.headers["access-control-allow-origin"]
        assert "Retry-After" in answer.headers["access-control-expose-headers"]
