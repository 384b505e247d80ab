"""Notices find their readers: what happened becomes an errand for each place that is to hear it.

One transaction takes a notice off the list and gives it to its places, so that each of them is
told exactly once, whatever becomes of the others (FAIL-25).
"""

import asyncio
from collections.abc import Callable
from datetime import datetime

import structlog
from sqlalchemy import Connection

from wireroom.delivery import notices as decide
from wireroom.errors import StoreError
from wireroom.store import doors, errands, notices, routes
from wireroom.store.bell import Bell
from wireroom.store.engine import Database
from wireroom.store.errands import NewErrand
from wireroom.store.notices import Place, Untold

log = structlog.get_logger(__name__)

#: How late a notice may be.
TICK_SECONDS = 5.0


async def address_forever(database: Database, bell: Bell, now: Callable[[], datetime]) -> None:
    """Give out what happened, until cancelled."""
    while True:
        try:
            told = await database.write(lambda connection: address(connection, now=now()))
        except StoreError as error:
            log.warning("notices wait", error=str(error))
            told = 0
        if told:
            bell.ring()
        else:
            await asyncio.sleep(TICK_SECONDS)


def address(connection: Connection, *, now: datetime) -> int:
    """Give the oldest notices to their places; how many notices that were."""
    some = notices.untold(connection)
    for each in some:
        places = (
            _of_feed(connection, each, now) if each.feed_id else _of_place(connection, each, now)
        )
        facts = _facts(connection, each)
        errands.add(
            connection, [NewErrand(place, "notice", facts) for place in sorted(places)], now=now
        )
    notices.forget(connection, [each.id for each in some])
    return len(some)


def _facts(connection: Connection, what: Untold) -> dict[str, object]:
    words = notices.feed_words(connection, what.feed_id) if what.feed_id else {}
    return {"kind": what.kind, **words, **what.facts}


def _of_feed(connection: Connection, what: Untold, now: datetime) -> set[int]:
    assert what.feed_id is not None
    places: set[int] = set()
    asked: set[tuple[str, int]] = set()  # whom we looked for already
    for place in notices.following(connection, what.feed_id):
        wished = decide.policy(place, what.kind)
        if wished == "here" or (wished == "private" and decide.is_private(place)):
            if not place.is_suspended:
                places.add(place.id)
        elif wished == "private" and ("account", place.account_id) not in asked:
            asked.add(("account", place.account_id))
            places |= _private(connection, place.account_id, now)
        elif wished == "operator" and ("operators", 0) not in asked:
            asked.add(("operators", 0))
            places |= _operators(connection, now)
    return places


def _of_place(connection: Connection, what: Untold, now: datetime) -> set[int]:
    """Of a destination that takes nothing any more its owner is told elsewhere."""
    assert what.destination_id is not None
    there = routes.destination(connection, what.destination_id)
    if there is None:
        return set()
    of_account = notices.of_account(connection, there.account_id)
    wished = next((decide.policy(each) for each in of_account if each.id == there.id), "off")
    if wished == "off":
        return set()
    told = _operators(connection, now) if wished == "operator" else set()
    return (told or _private(connection, there.account_id, now)) - {there.id}


def _operators(connection: Connection, now: datetime) -> set[int]:
    found: set[int] = set()
    for account_id in notices.operators(connection):
        found |= _private(connection, account_id, now)
    return found


def _private(connection: Connection, account_id: int, now: datetime) -> set[int]:
    """A place that only this person reads; the chat with the bot becomes one if need be."""
    found: Place | None = decide.private_of(notices.of_account(connection, account_id))
    if found is not None:
        return {found.id}
    chat = _chat_with_the_bot(connection, account_id)
    known = {each.address for each in notices.of_account(connection, account_id)}
    if chat is None or chat in known:  # known, but suspended
        return set()
    made = routes.add_destination(
        connection,
        account_id=account_id,
        channel="telegram",
        address=chat,
        secret=None,
        title="",
        now=now,
    )
    return {made}


def _chat_with_the_bot(connection: Connection, account_id: int) -> str | None:
    subjects = (
        door.subject
        for door in doors.list_doors(connection, account_id)
        if door.kind == "telegram"
    )
    return next((each for each in subjects if each.isdecimal()), None)
