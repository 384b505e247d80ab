"""Lists, counts and read states, on SQLite and PostgreSQL."""

from collections.abc import Iterator
from datetime import datetime
from itertools import pairwise

import pytest
from sqlalchemy import Connection, text

from tests.rows import NOON, add_account, add_entry, add_feed, add_folder, at, follow
from wireroom.store import reading
from wireroom.store.engine import Database
from wireroom.store.marking import Marked, mark_seen, raise_watermarks
from wireroom.store.read_states import StateChange, set_states
from wireroom.store.reading import EVERYTHING, Entry, Order, Scope, Show, list_entries


@pytest.fixture
def connection(database: Database) -> Iterator[Connection]:
    with database.writing() as connection:
        yield connection


@pytest.fixture
def ada(connection: Connection) -> int:
    return add_account(connection)


def titles(listed: list[Entry]) -> list[str]:
    return [entry.title for entry in listed]


def all_pages(
    connection: Connection,
    account_id: int,
    *,
    limit: int,
    show: Show = "all",
    order: Order = "newest",
    scope: Scope = EVERYTHING,
) -> list[list[Entry]]:
    """Every page until an empty one."""
    pages: list[list[Entry]] = []
    after = None
    while page := list_entries(
        connection, account_id, scope, show=show, order=order, after=after, limit=limit
    ):
        pages.append(page)
        after = page[-1].place
    return pages


def places(pages: list[list[Entry]]) -> list[tuple[datetime, int, int]]:
    return [(e.sort_at, e.feed_id, e.seq) for page in pages for e in page]


class TestLists:
    def test_merges_feeds_newest_first(self, connection: Connection, ada: int) -> None:
        """Entries of several feeds come in one order, by date."""
        one, two = add_feed(connection, "One"), add_feed(connection, "Two")
        for feed_id, minute, title in [(one, -30, "c"), (two, -20, "b"), (one, -10, "a")]:
            add_entry(connection, feed_id, at(minute), title)
        follow(connection, ada, one)
        follow(connection, ada, two)

        assert ["a", "b", "c"] == titles(list_entries(connection, ada))

    def test_oldest_first_is_the_reverse(self, connection: Connection, ada: int) -> None:
        """Both orders hold the same entries."""
        self._mixed_feeds(connection, ada)
        newest = places(all_pages(connection, ada, limit=7))
        oldest = places(all_pages(connection, ada, limit=7, order="oldest"))

        assert newest == oldest[::-1]
        assert len(newest) > 50

    @pytest.mark.parametrize("limit", [1, 2, 3, 7, 20, 50])
    @pytest.mark.parametrize("order", ["newest", "oldest"])
    def test_pages_neither_repeat_nor_skip(
        self, connection: Connection, ada: int, limit: int, order: Order
    ) -> None:
        """Whatever the page size, all pages together are the whole list in strict order."""
        expected = self._mixed_feeds(connection, ada)
        actual = places(all_pages(connection, ada, limit=limit, order=order))

        assert sorted(expected, reverse=order == "newest") == actual

    def test_fifty_entries_of_one_date(self, connection: Connection, ada: int) -> None:
        """Fifty entries of one date come in pages of twenty without loss or repetition (B16)."""
        feed_id = add_feed(connection)
        follow(connection, ada, feed_id)
        for _ in range(50):
            add_entry(connection, feed_id, NOON)
        pages = all_pages(connection, ada, limit=20)

        assert [20, 20, 10] == [len(page) for page in pages]
        assert 50 == len({entry.seq for page in pages for entry in page})

    def test_entries_that_arrive_meanwhile_change_nothing_behind_the_cursor(
        self, connection: Connection, ada: int
    ) -> None:
        """New entries between two pages neither push out nor repeat the older ones (API-32)."""
        feed_id = add_feed(connection)
        follow(connection, ada, feed_id)
        for minute in range(10):
            add_entry(connection, feed_id, at(minute), f"old {minute}")
        first = list_entries(connection, ada, limit=5)
        for minute in range(5):
            add_entry(connection, feed_id, at(100 + minute), "new")
        second = list_entries(connection, ada, after=first[-1].place, limit=5)

        assert [f"old {minute}" for minute in (4, 3, 2, 1, 0)] == titles(second)

    def test_one_loud_feed_hides_no_quiet_one(self, connection: Connection, ada: int) -> None:
        """More feeds than a page has lines: the page still holds the newest of all."""
        expected = []
        loud = add_feed(connection, "Loud")
        follow(connection, ada, loud)
        for minute in range(60):
            add_entry(connection, loud, at(minute), f"loud {minute}")
        for number in range(30):
            quiet = add_feed(connection, f"Quiet {number}")
            follow(connection, ada, quiet)
            add_entry(connection, quiet, at(number * 2 + 0.5), f"quiet {number}")
            add_entry(connection, quiet, at(-1000 - number), f"ancient {number}")
        everything = places(all_pages(connection, ada, limit=100))
        expected = everything[:10]

        assert sorted(everything, reverse=True) == everything
        assert expected == places([list_entries(connection, ada, limit=10)])

    def test_unread_filter_reaches_past_long_read_stretches(
        self, connection: Connection, ada: int
    ) -> None:
        """An unread entry behind hundreds of read ones is found (API-31)."""
        feed_id = add_feed(connection)
        follow(connection, ada, feed_id)
        oldest = add_entry(connection, feed_id, at(-999), "forgotten")
        read = [add_entry(connection, feed_id, at(-minute)) for minute in range(300)]
        set_states(connection, ada, [StateChange(feed_id, seq, True) for seq in read], NOON)

        assert [oldest] == [
            entry.seq for entry in list_entries(connection, ada, show="unread", limit=5)
        ]

    @pytest.mark.parametrize("limit", [1, 3, 50])
    def test_unread_pages_hold_marked_and_kept_entries_alike(
        self, connection: Connection, ada: int, limit: int
    ) -> None:
        """Above the watermark without a word, and below it with one: both are unread."""
        feed_id = add_feed(connection)
        follow(connection, ada, feed_id, read_watermark=at(0))
        kept = add_entry(connection, feed_id, at(-5), "kept")
        add_entry(connection, feed_id, at(-4), "read by date")
        add_entry(connection, feed_id, at(1), "new")
        opened = add_entry(connection, feed_id, at(2), "opened")
        add_entry(connection, feed_id, at(3), "newer")
        changes = [StateChange(feed_id, kept, False), StateChange(feed_id, opened, True)]
        set_states(connection, ada, changes, NOON)
        pages = all_pages(connection, ada, show="unread", limit=limit)

        assert ["newer", "new", "kept"] == titles([entry for page in pages for entry in page])

    def test_favorites(self, connection: Connection, ada: int) -> None:
        """Only what was made a favourite, read or not."""
        feed_id = add_feed(connection)
        follow(connection, ada, feed_id)
        seqs = [add_entry(connection, feed_id, at(minute)) for minute in range(6)]
        changes = [StateChange(feed_id, seq, None, True) for seq in seqs[::2]]
        set_states(connection, ada, [*changes, StateChange(feed_id, seqs[0], True)], NOON)
        pages = all_pages(connection, ada, show="favorite", limit=2)

        assert [seqs[4], seqs[2], seqs[0]] == [entry.seq for page in pages for entry in page]

    def test_a_folder_includes_the_folders_inside(self, connection: Connection, ada: int) -> None:
        """Scope is the folder with all that lies in it, and nothing beside it (API-26)."""
        outer = add_folder(connection, ada, "outer")
        inner = add_folder(connection, ada, "inner", parent_id=outer)
        beside = add_folder(connection, ada, "beside")
        for name, folder in [("a", outer), ("b", inner), ("c", beside), ("d", None)]:
            feed_id = add_feed(connection, name)
            follow(connection, ada, feed_id, folder_id=folder)
            add_entry(connection, feed_id, NOON, name)

        assert ["b", "a"] == titles(list_entries(connection, ada, Scope(folder_id=outer)))
        assert ["b"] == titles(list_entries(connection, ada, Scope(folder_id=inner)))

    def test_other_accounts_see_nothing(self, connection: Connection, ada: int) -> None:
        """A scope that belongs to someone else is as empty as one that does not exist."""
        bob = add_account(connection, "bob", "member")
        feed_id = add_feed(connection)
        subscription = follow(connection, ada, feed_id)
        seq = add_entry(connection, feed_id, NOON)
        mine, unknown = Scope(subscription), Scope(subscription + 1)

        assert [] == list_entries(connection, bob, mine)
        assert [] == list_entries(connection, bob)
        assert (False, False) == (
            reading.scope_exists(connection, bob, mine),
            reading.scope_exists(connection, bob, unknown),
        )
        assert None is reading.find_entry(connection, bob, feed_id, seq)
        assert 0 == set_states(connection, bob, [StateChange(feed_id, seq, True)], NOON)

    def test_large_bodies_are_put_back(self, connection: Connection, ada: int) -> None:
        """A body kept apart is there in lists (its beginning) and in full (API-49)."""
        feed_id = add_feed(connection)
        follow(connection, ada, feed_id)
        seq = add_entry(connection, feed_id, NOON, large_body="<p>long</p>" * 1000)
        entry = list_entries(connection, ada)[0]
        found = reading.find_entry(connection, ada, feed_id, seq)

        assert found is not None
        assert "<p>long</p>" * 1000 == found[1].fullest
        assert entry.teaser == ("<p>long</p>" * 1000)[: reading.TEASER_CHARS]

    def _mixed_feeds(
        self, connection: Connection, account_id: int
    ) -> list[tuple[datetime, int, int]]:
        """Feeds of very different pace, with many equal dates within and across them."""
        made = []
        for number, (count, step) in enumerate([(25, 0), (20, 3), (9, 10), (5, 0.5), (1, 0)]):
            feed_id = add_feed(connection, f"Feed {number}")
            follow(connection, account_id, feed_id)
            for index in range(count):
                when = at(int(index * step))
                made.append((when, feed_id, add_entry(connection, feed_id, when)))
        return made


class TestReadState:
    @pytest.mark.parametrize(
        ("watermark", "said", "is_read"),
        [
            pytest.param(None, None, False, id="untouched"),
            pytest.param(0, None, True, id="at_the_watermark"),
            pytest.param(1, None, True, id="below_the_watermark"),
            pytest.param(-1, None, False, id="above_the_watermark"),
            pytest.param(1, False, False, id="kept_unread_below_the_watermark"),
            pytest.param(-1, True, True, id="read_above_the_watermark"),
            pytest.param(None, True, True, id="read_without_watermark"),
        ],
    )
    def test_explicit_beats_watermark(
        self,
        connection: Connection,
        ada: int,
        watermark: int | None,
        said: bool | None,
        is_read: bool,
    ) -> None:
        """A row wins in both directions, else the watermark decides, else unread (API-36, 37)."""
        feed_id = add_feed(connection)
        mark = None if watermark is None else at(watermark)
        follow(connection, ada, feed_id, read_watermark=mark)
        seq = add_entry(connection, feed_id, NOON)
        set_states(connection, ada, [StateChange(feed_id, seq, said)], NOON)
        entry = list_entries(connection, ada)[0]
        unread = list_entries(connection, ada, show="unread")

        assert (is_read, said is not None) == (entry.is_read, entry.is_read_explicit)
        assert (0 if is_read else 1) == len(unread)
        assert ({} if is_read else {feed_id: 1}) == reading.unread_counts(connection, ada)

    def test_favorite_leaves_reading_alone(self, connection: Connection, ada: int) -> None:
        """A favourite is neither read nor explicitly unread by that."""
        feed_id = add_feed(connection)
        follow(connection, ada, feed_id)
        seq = add_entry(connection, feed_id, NOON)
        set_states(connection, ada, [StateChange(feed_id, seq, None, True)], NOON)
        entry = list_entries(connection, ada)[0]

        assert (False, False, True) == (entry.is_read, entry.is_read_explicit, entry.is_favorite)

    def test_saying_nothing_writes_nothing(self, connection: Connection, ada: int) -> None:
        """A change without flags and one about an unknown entry are not counted (API-35)."""
        feed_id = add_feed(connection)
        follow(connection, ada, feed_id)
        seq = add_entry(connection, feed_id, NOON)
        changes = [StateChange(feed_id, seq), StateChange(feed_id, seq + 1, True)]

        assert 0 == set_states(connection, ada, changes, NOON)

    def test_counts_are_by_feed(self, connection: Connection, ada: int) -> None:
        """Each feed has its own number; one without unread entries has none."""
        loud, quiet = add_feed(connection, "Loud"), add_feed(connection, "Quiet")
        follow(connection, ada, loud, read_watermark=at(-5))
        follow(connection, ada, quiet, read_watermark=at(5))
        for minute in range(-10, 0):
            add_entry(connection, loud, at(minute))
            add_entry(connection, quiet, at(minute))

        assert {loud: 4} == reading.unread_counts(connection, ada)


class TestMarkAllRead:
    def test_watermark_flips_only_what_it_passes(self, connection: Connection, ada: int) -> None:
        """Explicitly unread entries up to the mark become read; later ones stay (API-40)."""
        feed_id = add_feed(connection)
        follow(connection, ada, feed_id)
        before, after = (
            add_entry(connection, feed_id, at(-1)),
            add_entry(connection, feed_id, at(1)),
        )
        kept = [StateChange(feed_id, before, False), StateChange(feed_id, after, False)]
        set_states(connection, ada, kept, NOON)
        marked = raise_watermarks(connection, ada, EVERYTHING, NOON, NOON)

        assert Marked(subscriptions=1, flipped=1) == marked
        assert [after] == [e.seq for e in list_entries(connection, ada, show="unread")]

    def test_watermark_never_moves_backwards(self, connection: Connection, ada: int) -> None:
        """A replayed older mark changes nothing (API-39)."""
        feed_id = add_feed(connection)
        follow(connection, ada, feed_id, read_watermark=at(10))
        add_entry(connection, feed_id, at(5))
        raise_watermarks(connection, ada, EVERYTHING, at(0), at(20))

        assert {} == reading.unread_counts(connection, ada)

    def test_scope_bounds_the_mark(self, connection: Connection, ada: int) -> None:
        """Marking one subscription leaves the others alone, and other accounts too."""
        bob = add_account(connection, "bob", "member")
        one, two = add_feed(connection, "One"), add_feed(connection, "Two")
        first = follow(connection, ada, one)
        follow(connection, ada, two)
        follow(connection, bob, one)
        add_entry(connection, one, at(-1))
        add_entry(connection, two, at(-1))
        raise_watermarks(connection, ada, Scope(first), NOON, NOON)

        assert {two: 1} == reading.unread_counts(connection, ada)
        assert {one: 1} == reading.unread_counts(connection, bob)

    def test_arrivals_between_list_and_mark_stay_unread(
        self, connection: Connection, ada: int
    ) -> None:
        """What came after the list was drawn stays unread, even with an older date (B48)."""
        feed_id = add_feed(connection)
        follow(connection, ada, feed_id)
        add_entry(connection, feed_id, at(-60), "shown")
        last = add_entry(connection, feed_id, at(-10), "shown too")
        add_entry(connection, feed_id, at(1), "new")
        add_entry(connection, feed_id, at(-30), "new with an old date")
        mark_seen(connection, ada, {feed_id: last}, "all", at(3))

        assert ["new", "new with an old date"] == titles(
            list_entries(connection, ada, show="unread")
        )

    def test_what_a_feed_delivers_late_is_unread_when_it_comes(
        self, connection: Connection, ada: int
    ) -> None:
        """Published before the mark but polled after it: still news to the reader."""
        feed_id = add_feed(connection)
        follow(connection, ada, feed_id)
        last = add_entry(connection, feed_id, at(-60), "shown")
        mark_seen(connection, ada, {feed_id: last}, "all", NOON)
        add_entry(connection, feed_id, at(-20), "polled late", first_seen_at=at(10))

        assert ["polled late"] == titles(list_entries(connection, ada, show="unread"))

    def test_seen_entries_kept_unread_are_read_then(
        self, connection: Connection, ada: int
    ) -> None:
        """The mark covers what was kept unread by hand and shown."""
        feed_id = add_feed(connection)
        follow(connection, ada, feed_id, read_watermark=at(-1))
        seq = add_entry(connection, feed_id, at(-60))
        last = add_entry(connection, feed_id, at(-1))
        set_states(connection, ada, [StateChange(feed_id, seq, False)], NOON)

        assert Marked(1, 1) == mark_seen(connection, ada, {feed_id: last}, "unread", NOON)
        assert {} == reading.unread_counts(connection, ada)

    def test_marking_a_feed_of_others_does_nothing(self, connection: Connection, ada: int) -> None:
        """Numbers of feeds that the account does not follow are passed over."""
        bob = add_account(connection, "bob", "member")
        feed_id = add_feed(connection)
        follow(connection, ada, feed_id)
        last = add_entry(connection, feed_id, NOON)

        assert Marked(0, 0) == mark_seen(connection, bob, {feed_id: last}, "all", NOON)
        assert {feed_id: 1} == reading.unread_counts(connection, ada)

    def test_a_list_of_favorites_marks_only_favorites(
        self, connection: Connection, ada: int
    ) -> None:
        """The mark is never wider than the list it was given on (B48)."""
        feed_id = add_feed(connection)
        follow(connection, ada, feed_id)
        loved, other = (
            add_entry(connection, feed_id, at(-2)),
            add_entry(connection, feed_id, at(-1)),
        )
        set_states(connection, ada, [StateChange(feed_id, loved, None, True)], NOON)
        mark_seen(connection, ada, {feed_id: other}, "favorite", NOON)

        assert [other] == [e.seq for e in list_entries(connection, ada, show="unread")]


class TestNews:
    def test_arrivals_are_by_when_we_met_them(self, connection: Connection, ada: int) -> None:
        """An entry with an old date that came just now is news; one from before is not."""
        feed_id = add_feed(connection)
        follow(connection, ada, feed_id)
        last = add_entry(connection, feed_id, at(-5), "before")
        add_entry(connection, feed_id, at(-500), "late")
        arrived = reading.arrived_since(connection, ada, {feed_id: last}, 10)

        assert ["late"] == titles(arrived)

    def test_pulse_changes_with_news(self, connection: Connection, ada: int) -> None:
        """It stays while nothing happens and changes when something arrives or is marked."""
        feed_id = add_feed(connection)
        follow(connection, ada, feed_id)
        quiet = reading.pulse(connection, ada)
        still = reading.pulse(connection, ada)
        add_entry(connection, feed_id, NOON)
        arrived = reading.pulse(connection, ada)
        raise_watermarks(connection, ada, EVERYTHING, NOON, NOON)
        marked = reading.pulse(connection, ada)

        assert quiet == still
        assert 3 == len({quiet, arrived, marked})


@pytest.mark.parametrize("show", ["all", "unread"])
def test_lists_of_many_entries_go_through_indexes(database: Database, show: Show) -> None:
    """No statement of a list or count reads the entries table from end to end."""
    with database.writing() as connection:
        ada = add_account(connection)
        for number in range(5):
            feed_id = add_feed(connection, f"Feed {number}")
            follow(connection, ada, feed_id)
            for minute in range(40):
                add_entry(connection, feed_id, at(minute))
        connection.execute(text("ANALYZE"))
        if connection.dialect.name == "postgresql":
            # With so few rows it would rightly prefer to scan; ask what it can do without.
            connection.execute(text("SET LOCAL enable_seqscan = off"))
        plans = explained(connection, ada, show)

    scans = (
        "SCAN entries",
        "SCAN walked",
        "SCAN counted",
        "SCAN kept_entry",
        "Seq Scan on entries",
    )
    assert [] == [line for line in plans if any(scan in line for scan in scans)]
    assert any("ix_entries_feed_id_sort_at" in line for line in plans)


def explained(connection: Connection, account_id: int, show: Show) -> list[str]:
    """The plans of all statements that a list and the counts run."""
    from sqlalchemy import event

    statements = []

    def note(_: object, __: object, statement: str, parameters: object, *___: object) -> None:
        statements.append((statement, parameters))

    event.listen(connection, "before_cursor_execute", note)
    page = list_entries(connection, account_id, show=show, limit=10)
    list_entries(connection, account_id, show=show, after=page[-1].place, limit=10)
    reading.unread_counts(connection, account_id)
    event.remove(connection, "before_cursor_execute", note)
    prefix = "EXPLAIN QUERY PLAN " if connection.dialect.name == "sqlite" else "EXPLAIN "
    return [
        str(row)
        for statement, parameters in statements
        for row in connection.exec_driver_sql(prefix + statement, parameters)  # type: ignore[arg-type]
    ]


def test_every_entry_pair_is_in_strict_order(database: Database) -> None:
    """Two entries never share a place, so that a cursor always means one point."""
    with database.writing() as connection:
        ada = add_account(connection)
        for number in range(3):
            feed_id = add_feed(connection, f"Feed {number}")
            follow(connection, ada, feed_id)
            for _ in range(4):
                add_entry(connection, feed_id, NOON)
        listed = list_entries(connection, ada)

    assert all(left.place > right.place for left, right in pairwise(listed))
