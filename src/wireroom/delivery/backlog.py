"""What a route holds back or gathers: silent hours, digests, a day's measure, bursts.

Nothing here loses an entry: it is sent later, in one message with others, or passed over with the
reason in the ledger and, where that is wanted, a line that says how many there were.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace
from datetime import datetime, timedelta
from typing import Final

import structlog
from sqlalchemy import Connection

from wireroom.delivery.compose import Choice, digest, digest_of_folder, more_line
from wireroom.delivery.effects import Effect
from wireroom.delivery.message import Message
from wireroom.delivery.picking import judge, pick_once, story_of
from wireroom.delivery.sending import pass_over, send
from wireroom.delivery.stories import Story
from wireroom.delivery.turn import Along, Delivering, EndTurn, LeaveRoute, Letter, Turn
from wireroom.delivery.wishes import MOST_IN_A_DIGEST, Wishes, next_time, quiet_until
from wireroom.store import claims, entries, routes
from wireroom.store.entries import Entry
from wireroom.store.routes import Note, Route, Waiting
from wireroom.store.sent import DIGEST

log = structlog.get_logger(__name__)

DAY: Final = timedelta(days=1)
#: How often a digest of so many entries is looked at, whether there are as many.
COUNT_AGAIN: Final = timedelta(minutes=5)
#: Entries of a backlog that are looked at together, and at most.
_PAGE: Final = 50
_MOST_LOOKED_AT: Final = 5000


async def prepare(
    turn: Turn, waiting: Waiting, beside: Sequence[Waiting], tools: Delivering
) -> Waiting | LeaveRoute | EndTurn:
    """The entries of a route that go out one by one now, after what comes before them is done.

    `beside` is all that waits for the destination: a digest may hold what is in the same folder.
    """
    route = waiting.route
    if not waiting.entries:  # all past the cursor were trimmed
        await pass_over(turn, route, {route.last_seq: "no longer kept"}, tools)
        return LeaveRoute()
    wanted = turn.wishes(route)
    if route.parcels_sent:  # the rest of a message first
        gathers = bool(wanted.digest or wanted.digest_every)
        return await _send_digest(turn, waiting, beside, tools) if gathers else waiting
    until = _held_until(route, wanted, tools.now())
    if until is not None:
        await _hold_back(turn, route, until, tools)
        return LeaveRoute()
    if wanted.digest or wanted.digest_every:
        return await _send_digest(turn, waiting, beside, tools)
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


@dataclass(slots=True)
class _Gathered:
    """Entries of one route for a digest: what is said of them, noted, and done besides."""

    route: Route
    notes: dict[int, Note] = field(default_factory=dict)
    messages: list[Message] = field(default_factory=list)
    effects: list[Effect] = field(default_factory=list)
    stories: list[Story] = field(default_factory=list)


async def _send_digest(
    turn: Turn, waiting: Waiting, beside: Sequence[Waiting], tools: Delivering
) -> LeaveRoute | EndTurn:
    """The next entries in one message; the rest of them in the next round."""
    route, wanted = waiting.route, turn.wishes(waiting.route)
    most = wanted.digest_every or MOST_IN_A_DIGEST
    standing = await tools.database.read(_standing, turn, tools)
    if (route.id, route.cursor) not in standing:
        return LeaveRoute()  # another one's digest took it along
    own = await _gather(turn, waiting, most, tools)
    others: list[_Gathered] = []
    for each in _of_the_folder(turn, route, wanted, beside, tools.now()):
        if (each.route.id, each.route.cursor) not in standing:
            continue
        room = MOST_IN_A_DIGEST - len(own.messages) - sum(len(one.messages) for one in others)
        if room > 0:
            others.append(await _gather(turn, each, room, tools))
    if not own.messages:  # what is in the folder besides is sent as its own turn comes
        passed = {seq: note.detail for seq, note in own.notes.items()}
        _leave_out(turn, others, keep=0)
        await pass_over(turn, route, passed, tools, tuple(own.effects))
        return LeaveRoute()
    message = _fitting(turn, own, others, wanted)
    along = tuple(Along(one.route, one.notes, tuple(one.effects)) for one in others)
    letter = Letter(message, own.notes, effects=tuple(own.effects), along=along)
    progress = await send(turn, route, letter, tools)
    if isinstance(progress, EndTurn):
        return progress
    for one in (own, *others):
        if wanted.digest and max(one.notes) < one.route.last_seq:
            # More of the same digest: due at once, not at the next time of day.
            rest = replace(one.route, cursor=max(one.notes))
            await _hold_back(turn, rest, tools.now(), tools)
    return LeaveRoute()


def _fitting(turn: Turn, own: _Gathered, others: list[_Gathered], wanted: Wishes) -> Message:
    """The digest of a route with as many of the others as fit into one parcel; they are cut to it.

    Only a route's own entries may go out in several parcels: which of them are out is kept with
    the route, so a restart in between goes on with the same lines.
    """
    for kept in range(len(others), 0, -1):
        messages = [*own.messages, *(each for one in others[:kept] for each in one.messages)]
        whole = digest_of_folder(own.route, messages, wanted.language)
        if len(turn.channel.render(whole, turn.address, wanted.settings)) == 1:
            _leave_out(turn, others, keep=kept)
            return whole
    _leave_out(turn, others, keep=0)
    return digest(own.route, own.messages, wanted.language)


def _leave_out(turn: Turn, others: list[_Gathered], *, keep: int) -> None:
    """What is not in this digest was not told yet."""
    for one in others[keep:]:
        for story in one.stories:
            turn.told.remove(story)
    del others[keep:]


def _standing(
    connection: Connection, turn: Turn, tools: Delivering
) -> set[tuple[int, int | None]]:
    return routes.standing(connection, turn.destination.id, now=tools.now())


def _of_the_folder(
    turn: Turn, route: Route, wanted: Wishes, beside: Sequence[Waiting], now: datetime
) -> Iterator[Waiting]:
    """What else is due for this digest: of other feeds that lie in the same folder."""
    if not (wanted.digest_by_folder and wanted.digest and route.folder_id):
        return
    if route.parcels_sent:  # the rest of a message that held this feed alone
        return
    for each in beside:
        other = each.route
        if other.id == route.id or other.folder_id != route.folder_id or not each.entries:
            continue
        wished = turn.wishes(other)
        gathers = wished.digest_by_folder and wished.digest == wanted.digest
        is_due = other.not_before is not None and quiet_until(wished, now) is None
        if gathers and is_due and not other.parcels_sent:
            yield each


async def _gather(turn: Turn, waiting: Waiting, most: int, tools: Delivering) -> _Gathered:
    route = waiting.route

    def look(connection: Connection) -> list[Entry]:
        found = entries.after(connection, route.feed_id, route.cursor, most)
        # Some of it went out before a restart: what came since waits for the next.
        last = routes.under_way(connection, route) if route.parcels_sent else None
        return found if last is None else [each for each in found if each.seq <= last]

    gathered = _Gathered(route)
    for entry in await tools.database.read(look) or waiting.entries[:most]:
        picked = await pick_once(turn, route, entry, tools)
        choice = picked.choice
        if picked.message is not None:
            gathered.messages.append(picked.message)
            gathered.stories.append(story_of(route, entry))
            turn.told.append(gathered.stories[-1])
        gathered.effects.extend(picked.effects)
        why = f"{DIGEST}; {choice.why}".rstrip("; ") if choice.is_sent else choice.why
        gathered.notes[entry.seq] = Note("sent" if choice.is_sent else "skipped", why)
    return gathered


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
    if wanted.more_line:
        notes = {seq: Note("skipped", why) for seq, why in passed.items()}
        line = more_line(route, len(surplus), wanted.language)
        progress = await send(turn, route, Letter(line, notes), tools)
        if isinstance(progress, EndTurn):
            return progress
    else:
        await pass_over(turn, route, passed, tools)
    log.info("surplus passed over", route=route.id, passed=len(surplus), of=len(sent))
    return LeaveRoute()


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
