"""The tallies of each feed's entries are right, whoever wrote entries and whatever their dates."""

from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from sqlalchemy import Connection, create_engine, delete, func, select

from tests.rows import NOON, add_account, add_entry, add_feed, follow
from tests.store.polled import item, make_feed, read
from wireroom.store import feeds, ingest, marking, moves, read_states, reading, tallying, trimming
from wireroom.store.engine import Database
from wireroom.store.moves import Move
from wireroom.store.read_states import StateChange
from wireroom.store.retention import Keep
from wireroom.store.schema import entries, entry_states, metadata, subscriptions, tallies
from wireroom.store.scopes import Scope

_EPOCH = datetime(1970, 1, 1, tzinfo=UTC)

Tallies = dict[tuple[int, int, int], int]

#: Edges of spans, moments beside them, and dates of any kind.
_MOMENTS = st.one_of(
    st.builds(
        lambda span, off: span * 2**26 + off,
        st.integers(-200, 30_000),
        st.sampled_from([-1, 0, 1, 2**25]),
    ),
    st.integers(-(10**12), int(NOON.timestamp() * 1000)),
).map(lambda moment: _EPOCH + timedelta(milliseconds=moment))


@dataclass(frozen=True)
class Undone:
    """An empty database in memory; what happens within is undone."""

    connection: Connection

    def __enter__(self) -> Connection:
        self.connection.begin()
        return self.connection

    def __exit__(self, *_: object) -> None:
        self.connection.rollback()


@pytest.fixture(scope="module")
def undone() -> Iterator[Undone]:
    """One for all examples of a property."""
    engine = create_engine("sqlite://")
    with engine.connect() as connection:
        metadata.create_all(connection)
        connection.commit()
        yield Undone(connection)
    engine.dispose()


def written(connection: Connection) -> Tallies:
    """What stands in the table."""
    rows = connection.execute(select(tallies))
    return {(feed, width, span): number for feed, width, span, number in rows}


def counted(connection: Connection) -> Tallies:
    """What should stand there, from the entries themselves."""
    found: Tallies = {}
    for feed_id, sort_at in connection.execute(select(entries.c.feed_id, entries.c.sort_at)):
        moment = (sort_at - _EPOCH) // timedelta(milliseconds=1)
        for width in (tallying.NARROW, tallying.WIDE):
            key = (feed_id, width, moment // 2**width)
            found[key] = found.get(key, 0) + 1
    return found


def unread_slowly(connection: Connection, account_id: int) -> dict[int, int]:
    """Unread entries by feed, each entry looked at by itself."""
    said = {
        (row.feed_id, row.seq): row.is_read
        for row in connection.execute(
            select(entry_states).where(entry_states.c.account_id == account_id)
        )
    }
    found = Counter[int]()
    for feed_id, seq, sort_at, floor in connection.execute(
        select(entries.c.feed_id, entries.c.seq, entries.c.sort_at, subscriptions.c.read_watermark)
        .join(subscriptions, subscriptions.c.feed_id == entries.c.feed_id)
        .where(subscriptions.c.account_id == account_id)
    ):
        passed = floor is not None and sort_at <= floor
        is_read = said.get((feed_id, seq))
        found[feed_id] += not (passed if is_read is None else is_read)
    return {feed_id: number for feed_id, number in found.items() if number}


# -- reading them ---------------------------------------------------------------------------------


@given(dates=st.lists(_MOMENTS, max_size=40), floor=st.one_of(_MOMENTS, st.none()))
def test_what_is_dated_after_a_watermark_is_counted(
    undone: Undone, dates: list[datetime], floor: datetime | None
) -> None:
    """Wherever it lies within a span, before 1970 too, and where it is an entry's own date."""
    with undone as connection:
        ada, feed_id = add_account(connection), add_feed(connection)
        follow(connection, ada, feed_id, read_watermark=floor)
        for date in dates:
            add_entry(connection, feed_id, date)
        counts = reading.unread_counts(connection, ada)

    expected = sum(floor is None or date > floor for date in dates)
    assert ({feed_id: expected} if expected else {}) == counts


_SAID = st.tuples(
    st.integers(1, 2), st.integers(1, 12), st.sampled_from([True, False, None]), st.booleans()
)
_STEPS = st.lists(
    st.one_of(
        st.tuples(st.just("comes"), st.integers(1, 2), _MOMENTS),
        st.tuples(st.just("say"), st.lists(_SAID, min_size=1, max_size=4)),
        st.tuples(st.just("raise"), _MOMENTS),
        st.tuples(
            st.just("seen"),
            st.dictionaries(st.integers(1, 2), st.integers(0, 12), min_size=1),
            st.sampled_from(["all", "favorite"]),
        ),
        st.tuples(st.just("trim"), st.integers(1, 2), st.integers(1, 6)),
    ),
    max_size=25,
)


@given(steps=_STEPS)
def test_counts_are_those_of_looking_at_every_entry(undone: Undone, steps: list[Any]) -> None:
    """After any course of arrivals, marks, watermarks and trimming, for each of two readers."""
    with undone as connection:
        readers = [add_account(connection, name) for name in ("ada", "bob")]
        feed_ids = {n: add_feed(connection, f"Feed {n}") for n in (1, 2)}
        for reader in readers:
            for feed_id in feed_ids.values():
                follow(connection, reader, feed_id)
        for number, step in enumerate(steps):
            take(connection, readers[number % 2], feed_ids, step)
            for reader in readers:
                slowly = unread_slowly(connection, reader)
                assert slowly == reading.unread_counts(connection, reader)
        assert counted(connection) == written(connection)


def take(connection: Connection, reader: int, feed_ids: dict[int, int], step: Any) -> None:
    match step:
        case ("comes", feed, date):
            add_entry(connection, feed_ids[feed], date)
        case ("say", said):
            changes = [
                StateChange(feed_ids[f], seq, is_read, fav) for f, seq, is_read, fav in said
            ]
            read_states.set_states(connection, reader, changes, NOON)
        case ("raise", until):
            marking.raise_watermarks(connection, reader, Scope(), until, NOON)
        case ("seen", numbers, show):
            seen = {feed_ids[feed]: number for feed, number in numbers.items()}
            marking.mark_seen(connection, reader, seen, show, NOON)
        case ("trim", feed, kept):
            keep = Keep(items=kept, trim_what_is_read=True)
            trimming.trim(connection, feed_ids[feed], keep, NOON)


# -- whoever writes entries -----------------------------------------------------------------------


def test_polls_tally_what_they_bring(database: Database) -> None:
    """New items of two feeds in one commit, of one date and of many; an edit changes nothing."""
    with database.writing() as connection:
        one, two = make_feed(connection, "one"), make_feed(connection, "two")
        dated = [item(str(n), published=NOON - timedelta(days=n * 9)) for n in range(12)]
        ingest.commit(
            connection,
            [read(connection, one, *dated), read(connection, two, item("a"), item("b"))],
            NOON,
        )
        later = NOON + timedelta(hours=1)
        edited = item("0", "edited", published=dated[0].published)
        ingest.commit(connection, [read(connection, one, edited, now=later)], later)

        assert 14 == connection.scalar(select(func.count()).select_from(entries))
        assert counted(connection) == written(connection)


def test_two_feeds_that_become_one_have_one_tally(database: Database) -> None:
    """What comes along is tallied with the feed that stays, and the other's tallies go."""
    with database.writing() as connection:
        ada = add_account(connection)
        gone = add_feed(connection, "Old", last_success_at=NOON)
        kept = add_feed(connection, "New", last_success_at=NOON, url="https://new.example/f")
        follow(connection, ada, gone)
        for feed_id, names in ((gone, "abc"), (kept, "cd")):
            for name in names:
                add_entry(connection, feed_id, NOON - timedelta(days=ord(name)), name)
        feed = feeds.to_poll(connection, gone)
        assert feed is not None
        move = Move("https://new.example/f", "https://new.example/f", "new.example")

        assert moves.carry_out(connection, feed, move, now=NOON)
        assert {kept} == {feed_id for feed_id, _, _ in written(connection)}
        assert counted(connection) == written(connection)


def test_a_feed_takes_its_tallies_with_it(database: Database) -> None:
    """A feed that nobody follows leaves nothing."""
    with database.writing() as connection:
        feed_id = add_feed(connection)
        add_entry(connection, feed_id, NOON)

        assert feeds.purge_if_unfollowed(connection, feed_id, now=NOON)
        assert {} == written(connection)


def test_everything_is_tallied_anew(database: Database) -> None:
    """As the migration does for the entries of an older installation."""
    with database.writing() as connection:
        for number in range(3):
            feed_id = add_feed(connection, f"Feed {number}")
            for days in range(5):
                add_entry(connection, feed_id, NOON - timedelta(days=days * 40))
        connection.execute(delete(tallies))
        tallying.recount(connection)

        assert counted(connection) == written(connection)
