"""What a route holds back or gathers: silent hours, digests, a day's measure, bursts.

Nothing here loses an entry: it is sent later, in one message with others, or passed over with the
reason in the ledger and, where that is wanted, a line that says how many there were.
"""

from collections.abc import Iterator
from dataclasses import replace
from datetime import datetime, timedelta
from typing import Final

from sqlalchemy import Connection

from wireroom.delivery.compose import Choice, digest, more_line
from wireroom.delivery.effects import Effect
from wireroom.delivery.picking import judge, pick_once, story_of
from wireroom.delivery.sending import pass_over, send
from wireroom.delivery.turn import Delivering, EndTurn, LeaveRoute, Letter, Turn
from wireroom.delivery.wishes import MOST_IN_A_DIGEST, Wishes, next_time, quiet_until
from wireroom.store import claims, entries, routes
from wireroom.store.entries import Entry
from wireroom.store.routes import Note, Route, Waiting
from wireroom.store.sent import DIGEST

DAY: Final = timedelta(days=1)
#: How often a digest of so many entries is looked at, whether there are as many.
COUNT_AGAIN: Final = timedelta(minutes=5)
#: Entries of a backlog that are looked at together, and at most.
_PAGE: Final = 50
_MOST_LOOKED_AT: Final = 5000


async def prepare(
    turn: Turn, waiting: Waiting, tools: Delivering
) -> Waiting | LeaveRoute | EndTurn:
    """The entries of a route that go out one by one now, after what comes before them is done."""
    route = waiting.route
    if not waiting.entries:  # all past the cursor were trimmed
        await pass_over(turn, route, {route.last_seq: "no longer kept"}, tools)
        return LeaveRoute()
    if route.parcels_sent:
        return waiting  # the rest of a message first
    wanted = turn.wishes(route)
    until = _held_until(route, wanted, tools.now())
    if until is not None:
        await _hold_back(turn, route, until, tools)
        return LeaveRoute()
    if wanted.digest or wanted.digest_every:
        return await _send_digest(turn, route, waiting.entries, tools)
    if wanted.burst is not None and route.last_seq - route.cursor > wanted.burst:
        return await _only_newest(turn, route, wanted.burst, wanted, tools)
    return waiting


def _held_until(route: Route, wanted: Wishes, now: datetime) -> datetime | None:
    """When the route may send, if that is later than now."""
    if (silent := quiet_until(wanted, now)) is not None:
        return silent
    if wanted.digest_every and route.last_seq - route.cursor < wanted.digest_every:
        return now + COUNT_AGAIN
    if wanted.digest and route.not_before is None:  # first of its digest: the others join it
        return next_time(wanted.digest, wanted.zone, now)
    return None


async def _hold_back(turn: Turn, route: Route, until: datetime, tools: Delivering) -> None:
    def work(connection: Connection) -> None:
        claims.hold_destination(connection, turn.lease, now=tools.now())
        routes.hold_back(connection, route, until=until)

    await tools.database.write(work)


async def is_day_full(turn: Turn, route: Route, tools: Delivering) -> bool:
    """Whether the route has sent its day's measure; it is held back until there is room then."""
    most = turn.wishes(route).per_day
    if most is None or route.parcels_sent:
        return False
    since = tools.now() - DAY
    sent = await tools.database.read(
        lambda connection: routes.sent_since(connection, route.id, since=since)
    )
    if len(sent) < most:
        return False
    await _hold_back(turn, route, sent[-most] + DAY, tools)
    return True


# -- a digest -------------------------------------------------------------------------------------


async def _send_digest(
    turn: Turn, route: Route, first: tuple[Entry, ...], tools: Delivering
) -> LeaveRoute | EndTurn:
    """The next entries in one message; the rest of them in the next round."""
    wanted = turn.wishes(route)
    most = wanted.digest_every or MOST_IN_A_DIGEST
    found = await tools.database.read(
        lambda connection: entries.after(connection, route.feed_id, route.cursor, most)
    )
    notes: dict[int, Note] = {}
    messages = []
    effects: list[Effect] = []
    for entry in found or first:
        picked = await pick_once(turn, route, entry, tools)
        choice = picked.choice
        if picked.message is not None:
            messages.append(picked.message)
            turn.told.append(story_of(route, entry))
        effects.extend(picked.effects)
        why = f"{DIGEST}; {choice.why}".rstrip("; ") if choice.is_sent else choice.why
        notes[entry.seq] = Note("sent" if choice.is_sent else "skipped", why)
    if not messages:
        passed = {seq: note.detail for seq, note in notes.items()}
        await pass_over(turn, route, passed, tools, tuple(effects))
        return LeaveRoute()
    letter = Letter(digest(route, messages), notes, effects=tuple(effects))
    progress = await send(turn, route, letter, tools)
    if not isinstance(progress, EndTurn) and wanted.digest and max(notes) < route.last_seq:
        # More of the same digest: due at once, not at the next time of day.
        rest = replace(route, cursor=max(notes))
        await _hold_back(turn, rest, tools.now(), tools)
    return progress if isinstance(progress, EndTurn) else LeaveRoute()


# -- a burst --------------------------------------------------------------------------------------


async def _only_newest(
    turn: Turn, route: Route, most: int, wanted: Wishes, tools: Delivering
) -> Waiting | LeaveRoute | EndTurn:
    """Pass over all but the newest `most` of those that would be sent (C22, TGD-06, DCD-09)."""

    def look(connection: Connection) -> dict[int, Choice]:
        return dict(_judged(connection, turn, route))

    choices = await tools.database.read(look)
    sent = [seq for seq, choice in choices.items() if choice.is_sent]
    surplus = sent[:-most]
    if not surplus:
        return await _again(route, tools)
    reason = f"passed over: only the newest {most} of {len(sent)} that waited are sent"
    passed = {
        seq: reason if choice.is_sent else choice.why
        for seq, choice in choices.items()
        if seq <= surplus[-1]
    }
    if not wanted.more_line:
        await pass_over(turn, route, passed, tools)
        return LeaveRoute()
    notes = {seq: Note("skipped", why) for seq, why in passed.items()}
    progress = await send(turn, route, Letter(more_line(route, len(surplus)), notes), tools)
    return progress if isinstance(progress, EndTurn) else LeaveRoute()


def _judged(connection: Connection, turn: Turn, route: Route) -> Iterator[tuple[int, Choice]]:
    """What would become of each entry past the cursor, page by page: bodies may be large."""
    seq = route.cursor
    for _ in range(0, _MOST_LOOKED_AT, _PAGE):
        page = entries.after(connection, route.feed_id, seq, _PAGE)
        for entry in page:
            yield entry.seq, judge(turn, route, entry)
        if len(page) < _PAGE:
            return
        seq = page[-1].seq


async def _again(route: Route, tools: Delivering) -> Waiting:
    """The first entries of a route that turned out to have no surplus."""
    found = await tools.database.read(
        lambda connection: entries.after(
            connection, route.feed_id, route.cursor, routes.ENTRIES_AT_ONCE
        )
    )
    return Waiting(route, tuple(found))
