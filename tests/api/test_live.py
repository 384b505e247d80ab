"""Streams of events: what is told, once while connected, and without a gap after a break."""

import asyncio
import contextlib
import json
from collections.abc import AsyncIterator
from typing import Any

import pytest

from tests.api.apps import Phone, Station, keys
from tests.rows import add_entry, add_feed, at, follow
from wireroom import watching
from wireroom.api.native.keys import event_mark
from wireroom.api.native.live import told
from wireroom.store import accounts as store

Told = list[tuple[str, Any]]


@pytest.fixture(autouse=True)
def at_once(monkeypatch: pytest.MonkeyPatch) -> None:
    """Rings are not gathered here."""
    monkeypatch.setattr(watching, "GATHER_SECONDS", 0.0)


class Stream:
    """One connection; `hear` rings the bell and gives what is told up to the id."""

    def __init__(self, station: Station, account_id: int, since: str = "") -> None:
        self.station, self.id = station, since
        self.events: AsyncIterator[Any] = told(station.tools, account_id, event_mark(since))

    async def hear(self) -> Told:
        found: Told = []
        self.station.bell.ring()
        async with asyncio.timeout(20):
            async for message in self.events:
                if message.event == "heard":
                    self.id = message.id
                    return found
                found.append((message.event, json.loads(message.data)))
        raise AssertionError("the stream ended")

    async def close(self) -> None:
        await self.events.aclose()  # type: ignore[attr-defined]


@pytest.fixture
def feed_id(station: Station, ada: Phone) -> int:
    with station.database.writing() as connection:
        feed_id = add_feed(connection)
        follow(connection, ada.account_id, feed_id)
        add_entry(connection, feed_id, at(-60), "Old", first_seen_at=at(-60))
    return feed_id


def _arrive(station: Station, feed_id: int, title: str) -> None:
    with station.database.writing() as connection:
        add_entry(connection, feed_id, at(-5), title, first_seen_at=station.clock)


def _titles(events: Told) -> list[str]:
    return [data["title"] for name, data in events if name == "item"]


async def test_a_stream_tells_each_thing_once(station: Station, ada: Phone, feed_id: int) -> None:
    """Items, states, watermarks and the shelf, as they happen; nothing of before."""
    stream = Stream(station, ada.account_id)
    first = await stream.hear()
    _arrive(station, feed_id, "Fresh")
    arrived = await stream.hear()
    item = ada.pages()[0]
    ada.post("/rss_set_item_state", items=[keys(item, is_favorite=True)])
    said = await stream.hear()
    quiet = await stream.hear()
    ada.post("/rss_mark_all_read")
    marked = await stream.hear()
    with station.database.writing() as connection:
        follow(connection, ada.account_id, add_feed(connection, "Another"))
    followed = await stream.hear()
    await stream.close()

    assert [] == first
    assert ["Fresh"] == _titles(arrived)
    assert [("state", item["sort_key"], True)] == [
        (name, data["sort_key"], data["is_favorite"]) for name, data in said
    ]
    assert [] == quiet
    assert ["watermark"] == [name for name, _ in marked]
    assert ["subscriptions"] == [name for name, _ in followed]


async def test_a_broken_stream_goes_on(station: Station, ada: Phone, feed_id: int) -> None:
    """Whatever happened in between is told; what is long past is not."""
    stream = Stream(station, ada.account_id)
    await stream.hear()
    await stream.close()
    station.later(30)
    _arrive(station, feed_id, "Meanwhile")
    item = next(each for each in ada.pages() if each["title"] == "Old")
    ada.post("/rss_set_item_state", items=[keys(item, is_read=True)])
    station.later(600)
    resumed = Stream(station, ada.account_id, stream.id)
    events = await resumed.hear()
    await resumed.close()

    assert ["Meanwhile"] == _titles(events)
    assert [item["sort_key"]] == [data["sort_key"] for name, data in events if name == "state"]


async def test_a_shelf_that_changed_during_a_break(
    station: Station, ada: Phone, feed_id: int
) -> None:
    """A watermark that rose and a feed that was followed are told by `subscriptions`, once."""
    told = []
    stream = Stream(station, ada.account_id)
    for change in ("nothing", "marked", "followed"):
        await stream.hear()
        await stream.close()
        if change == "marked":
            ada.post("/rss_mark_all_read")
        if change == "followed":
            with station.database.writing() as connection:
                follow(connection, ada.account_id, add_feed(connection, "Another"))
        stream = Stream(station, ada.account_id, stream.id)
        told.append([name for name, _ in await stream.hear()])
    await stream.close()

    assert [[], ["subscriptions"], ["subscriptions"]] == told


async def test_an_id_of_the_future_is_now(station: Station, ada: Phone, feed_id: int) -> None:
    """Whoever made one up is not left without news until then."""
    stream = Stream(station, ada.account_id, "e.99999999999999.00000000")
    await stream.hear()
    _arrive(station, feed_id, "Fresh")
    arrived = await stream.hear()
    await stream.close()

    assert ["Fresh"] == _titles(arrived)


async def test_marks_are_told_when_they_are_made(
    station: Station, ada: Phone, feed_id: int
) -> None:
    """Not only when something else happens."""
    item = ada.pages()[0]
    heard = [station.bell.rings]
    for path, fields in (
        ("/rss_set_item_state", {"items": [keys(item, is_read=True)]}),
        ("/rss_mark_all_read", {}),
    ):
        ada.post(path, **fields)
        heard.append(station.bell.rings)

    assert sorted(set(heard)) == heard


async def test_a_flood_is_not_told_one_by_one(station: Station, ada: Phone, feed_id: int) -> None:
    """The client is told to sync."""
    stream = Stream(station, ada.account_id)
    await stream.hear()
    with station.database.writing() as connection:
        for number in range(watching.MOST_AT_ONCE + 1):
            add_entry(connection, feed_id, at(-5), f"Item {number}")
    events = await stream.hear()
    await stream.close()

    assert ["resync"] == [name for name, _ in events]


async def test_streams_hear_nothing_of_others(
    station: Station, ada: Phone, bob: Phone, feed_id: int
) -> None:
    """Somebody who does not follow the feed is told nothing of it."""
    stream = Stream(station, bob.account_id)
    await stream.hear()
    _arrive(station, feed_id, "Fresh")
    ada.post("/rss_set_item_state", items=[keys(ada.pages()[0], is_read=True)])
    events = await stream.hear()
    await stream.close()

    assert [] == events


async def test_streams_are_counted_and_end_with_the_program(station: Station, ada: Phone) -> None:
    """Sixteen for an account, and none of them outlives the server."""
    listeners = station.tools.listeners
    looks = [watching.looks(station.bell, listeners, ada.account_id) for _ in range(16)]
    for look in looks:
        await anext(look)
    enough = listeners.are_enough(ada.account_id)
    listeners.closing.set()
    station.bell.ring()
    for look in looks:
        with contextlib.suppress(StopAsyncIteration):
            await anext(look)

    assert (True, {}) == (enough, listeners.open)


async def test_a_stream_ends_with_its_token(station: Station, ada: Phone, feed_id: int) -> None:
    """Whoever had a token that is revoked hears nothing of what comes after."""
    with station.database.reading() as connection:
        (token,) = store.list_tokens(connection, ada.account_id, "api")
    events = told(station.tools, ada.account_id, None, token_id=token.id)
    async with asyncio.timeout(20):
        began = [message.event async for message in _first(events, 1)]
        with station.database.writing() as connection:
            store.remove_token(connection, ada.account_id, token.id)
        _arrive(station, feed_id, "Secret")
        station.bell.ring()
        after = [message async for message in events]

    assert (["heard"], []) == (began, after)


async def _first(events: AsyncIterator[Any], number: int) -> AsyncIterator[Any]:
    for _ in range(number):
        yield await anext(events)


@pytest.mark.parametrize(
    "id_given",
    ["", "nonsense", "e.", "e.x", "e.-5", "e.1", "e.999999999999999.0123abcd", "e.1.0123ABCD"],
)
def test_ids_that_are_none_begin_now(id_given: str) -> None:
    """A client that sends somebody else's id loses nothing that it had."""
    assert None is event_mark(id_given)
