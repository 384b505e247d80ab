"""What was learnt from polling becomes rows: many finished feeds, one transaction (group commit).

Promise 4 lives here: validators, next poll and entries of a feed are committed together, under a
lease that is checked in the same transaction. The statements are bulk statements, because one
statement for each feed would cost as much as the fetch itself.
"""

from collections.abc import Iterable, Sequence
from dataclasses import replace
from datetime import datetime, timedelta

from sqlalchemy import Connection, select

from wireroom.store import (
    articles,
    bell,
    claims,
    entry_rows,
    feed_rows,
    indexing,
    moves,
    notices,
    routes,
    sent,
    turns,
)
from wireroom.store.claims import LaneLease
from wireroom.store.feed_to_poll import FeedToPoll
from wireroom.store.finished import Committed, Finished, Reading, Silence
from wireroom.store.prepared import Prepared
from wireroom.store.schema import feeds
from wireroom.values import value

__all__ = ["Committed", "Finished", "Reading", "Silence", "commit"]


#: How long after it was sent a message still follows its entry.
EDITS_WITHIN = timedelta(hours=48)


def commit(
    connection: Connection,
    finished: Sequence[Finished],
    now: datetime,
    rest: timedelta | None = None,
) -> Committed:
    """Store what these polls found out. Raises LeaseLost when one of the leases ran out.

    With `rest`, lanes on which nothing is due any more are given back with it (`release_lane`),
    and of the others it is said which feed comes next.
    The caller commits; on any exception it tries feed by feed, so that one bad row harms nobody
    else. A feed that was forgotten meanwhile, or read by somebody else, is passed over.
    """
    # Feeds first and lanes second, as all transactions lock them: none waits for another in a
    # ring.
    standing = _still_there(connection, finished)
    leases = _distinct_leases(finished)
    claims.hold_lanes(connection, leases, now=now)
    quiet, others = _told_apart(standing)
    learnt = _write_learnt(connection, others, now) if others else _Learnt()
    feed_rows.write_quiet(connection, quiet)
    given_back, following = frozenset[str](), dict[str, FeedToPoll]()
    if rest is not None:
        given_back = turns.give_back(connection, leases, now=now, rest=rest)
        kept = [lease for lease in leases if lease.lane not in given_back]
        following = turns.look(connection, kept, now=now) if kept else {}
    return Committed(
        news_feed_ids=learnt.news_feed_ids,
        new_count=learnt.new_count,
        changed_count=learnt.changed_count,
        passed_over=_passed_over(finished, standing),
        given_back=given_back,
        next=following,
    )


@value
class _Learnt:
    """What was written, as `Committed` tells it."""

    news_feed_ids: frozenset[int] = frozenset()
    new_count: int = 0
    changed_count: int = 0


def _told_apart(standing: Sequence[Finished]) -> tuple[list[Finished], list[Finished]]:
    """Those of which only the schedule is written, and the others."""
    quiet: list[Finished] = []
    others: list[Finished] = []
    for each in standing:
        (quiet if each.is_quiet else others).append(each)
    return quiet, others


def _write_learnt(connection: Connection, there: Sequence[Finished], now: datetime) -> _Learnt:
    """Write all that the polls of these feeds found out."""
    _write_silences(connection, there)
    standing = _write_moves(connection, there, now)
    _write_notices(connection, there)
    feed_rows.write_schedule(connection, standing)
    feed_rows.write_validators(connection, standing)
    feed_rows.write_announcements(connection, standing)
    read = [(each, each.reading) for each in standing if each.reading is not None]
    tops = _tops(connection, there)
    numbered = entry_rows.number(read, tops)
    feed_rows.write_readings(connection, read, tops)
    entry_rows.write_entries(connection, numbered)
    entry_rows.write_changed(connection, read)
    sent.want_edits(connection, _changed(read), since=now - EDITS_WITHIN, now=now)
    entry_rows.write_seen_again(connection, read)
    entry_rows.write_keys(connection, numbered, read)
    articles.want(
        connection,
        [(one.feed_id, one.seq, one.entry.item.link) for one in numbered],
        now=now,
    )
    indexing.note(connection, entry_rows.places(numbered, read))
    news = frozenset(one.feed_id for one in numbered)
    if news:
        bell.announce(connection)
        claims.wake_destinations(connection, sorted(news), now=now)
    first_read = [each.feed.id for each in standing if each.succeeded and each.feed.never_read]
    if first_read:
        routes.start_waiting_routes(connection, first_read, news=_first_news(numbered))
    feed_rows.write_fetches(connection, standing)
    feed_rows.score_hubs(connection, read)
    return _Learnt(news, len(numbered), sum(len(reading.changes.changed) for _, reading in read))


def _passed_over(finished: Sequence[Finished], standing: Sequence[Finished]) -> frozenset[int]:
    if len(standing) == len(finished):
        return frozenset()
    return frozenset(each.feed.id for each in finished) - {each.feed.id for each in standing}


def _first_news(numbered: Iterable[entry_rows.Numbered]) -> dict[int, int]:
    """The number of the earliest news of each feed."""
    return {one.feed_id: one.seq for one in reversed([*numbered]) if one.entry.is_news}


def _changed(read: Sequence[tuple[Finished, Reading]]) -> set[tuple[int, int]]:
    """Entries that their publishers edited, as (feed, seq)."""
    return {
        (each.feed.id, edited.seq) for each, reading in read for edited in reading.changes.changed
    }


def _distinct_leases(finished: Iterable[Finished]) -> list[LaneLease]:
    # In the order of their names, so that two batches never wait for each other.
    return sorted({each.lease for each in finished}, key=lambda lease: lease.lane)


def _still_there(connection: Connection, finished: Sequence[Finished]) -> list[Finished]:
    """Those whose feed is as it was when the work began; no other can change before we commit.

    The lease is the fence between workers. The number of the last entry is a second one, for
    readings under another lane's lease: of a hub's push, or of an address that leads to the feed.
    """
    there = _last_numbers(connection, finished)
    return [each for each in finished if there.get(each.feed.id) == each.feed.last_seq]


def _last_numbers(connection: Connection, finished: Sequence[Finished]) -> dict[int, int]:
    return dict(_STANDING.rows(connection, [each.feed.id for each in finished]))


_STANDING = Prepared(
    lambda ids: (
        select(feeds.c.id, feeds.c.last_seq)
        .where(feeds.c.id.in_(ids))
        .order_by(feeds.c.id)
        .with_for_update(key_share=True)
    )
)


def _tops(connection: Connection, there: Sequence[Finished]) -> dict[int, int]:
    """The last number of each feed; asked again where one that moved here brought entries along.

    The rows are locked since `_still_there`, which made sure of them.
    """
    if any(each.move is not None for each in there):
        return _last_numbers(connection, there)
    return {each.feed.id: each.feed.last_seq for each in there}


def _write_silences(connection: Connection, finished: Sequence[Finished]) -> None:
    for each in finished:
        if each.silence is not None:
            claims.pause_lane(connection, each.silence.lane, until=each.silence.until)
    well = {
        each.lease.lane
        for each in finished
        if each.lease.throttles and each.succeeded and each.silence is None
    }
    if well:
        claims.forget_throttles(connection, sorted(well))


def _write_moves(
    connection: Connection, finished: Sequence[Finished], now: datetime
) -> list[Finished]:
    """Move who moved; without the feeds that became one with another, which is due now."""
    return [
        each
        for each in finished
        if each.move is None or not moves.carry_out(connection, each.feed, each.move, now=now)
    ]


def _write_notices(connection: Connection, finished: Sequence[Finished]) -> None:
    """What happened to feeds; of a move only where it was carried out, under the survivor's id."""
    happened = []
    for each in finished:
        now_at = None if each.move is None else moves.survivor(connection, each.feed, each.move)
        became_one = now_at not in (None, each.feed.id)
        for what in each.notices:
            if what.kind == "moved":
                if now_at is not None:
                    told = replace(what, kind="merged") if became_one else what
                    happened.append((now_at, told, each.at))
            elif not became_one:
                happened.append((each.feed.id, what, each.at))
    notices.of_feeds(connection, happened)
