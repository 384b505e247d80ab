"""Pages of lists while everything changes: no gap, no repeat, in all scopes, orders and filters.

What matched from the first page to the last is listed, once and in order; nothing is listed that
never matched (API-32).
"""

import itertools
import threading
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any, get_args

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from sqlalchemy import Connection, delete, select

from tests.rows import NOON, add_account, add_entry, add_feed, add_folder, at, follow
from tests.servers.engines import in_memory
from wireroom.store import labels, marking, read_states, reading, schema
from wireroom.store import tags as tags_store
from wireroom.store.engine import Database
from wireroom.store.read_states import StateChange
from wireroom.store.reading import EVER, EVERYTHING, Order, Place, Scope, Show

Key = tuple[int, int]
SCOPES = ("everything", "subscription", "folder", "inner folder", "tag")
LABEL = "work"


@dataclass
class Reader:
    """An account with three feeds: one at the top, one in a folder, one in a folder within it."""

    account_id: int
    feeds: list[int]
    scopes: dict[str, Scope]
    #: The feeds that each scope is about.
    inside: dict[str, set[int]]
    label_id: int


_names = itertools.count()


def furnish(connection: Connection) -> Reader:
    number = next(_names)
    account_id = add_account(connection, f"reader {number}", "member")
    outer = add_folder(connection, account_id, "Outer")
    inner = add_folder(connection, account_id, "Inner", parent_id=outer)
    feeds = [add_feed(connection, f"Feed {number} {n}") for n in range(3)]
    made = [
        follow(connection, account_id, feed, folder_id=folder)
        for feed, folder in zip(feeds, (None, outer, inner), strict=True)
    ]
    for which in (0, 2):
        tags_store.put(connection, made[which], ["daily"])
    one, two, three = feeds
    scopes = (EVERYTHING, Scope(made[1]), Scope(None, outer), Scope(None, inner),
              Scope(tag="daily"))  # fmt: skip
    inside = ({one, two, three}, {two}, {two, three}, {three}, {one, three})
    return Reader(
        account_id,
        feeds,
        dict(zip(SCOPES, scopes, strict=True)),
        dict(zip(SCOPES, inside, strict=True)),
        labels.add(connection, account_id, LABEL, now=NOON),
    )


@dataclass(frozen=True)
class View:
    """A list that somebody pages through."""

    scope: str
    show: Show
    order: Order
    labelled: bool

    def page(self, connection: Connection, reader: Reader, after: Place | None, limit: int) -> Any:
        return reading.list_entries(
            connection, reader.account_id, reader.scopes[self.scope],
            show=self.show, order=self.order, after=after, limit=limit,
            label=LABEL if self.labelled else None,
        )  # fmt: skip

    def matching(self, connection: Connection, reader: Reader) -> set[Key]:
        """What belongs on the list now, by the rules of the contract and one entry at a time."""
        states = {
            (row.feed_id, row.seq): row
            for row in connection.execute(
                select(schema.entry_states).where(
                    schema.entry_states.c.account_id == reader.account_id
                )
            )
        }
        marks = dict(
            connection.execute(
                select(
                    schema.subscriptions.c.feed_id, schema.subscriptions.c.read_watermark
                ).where(schema.subscriptions.c.account_id == reader.account_id)
            ).all()
        )
        carried = set(
            connection.execute(
                select(schema.entry_tags.c.feed_id, schema.entry_tags.c.seq).where(
                    schema.entry_tags.c.tag_id == reader.label_id
                )
            ).all()
        )
        found = set()
        dated = select(schema.entries.c.feed_id, schema.entries.c.seq, schema.entries.c.sort_at)
        for feed_id, seq, sort_at in connection.execute(
            dated.where(schema.entries.c.feed_id.in_(reader.inside[self.scope] & set(marks)))
        ):
            said = states.get((feed_id, seq))
            passed = sort_at <= (marks[feed_id] or EVER)
            is_read = passed if said is None or said.is_read is None else said.is_read
            is_favorite = said is not None and said.is_favorite
            if {"all": True, "unread": not is_read, "favorite": is_favorite}[self.show] and (
                not self.labelled or (feed_id, seq) in carried
            ):
                found.add((feed_id, seq))
        return found


VIEWS = [
    View(scope, show, order, labelled)
    for scope in SCOPES
    for show in get_args(Show)
    for order in get_args(Order)
    for labelled in (False, True)
]

# -- what happens meanwhile -----------------------------------------------------------------------

Event = tuple[str, int, int]
_EVENTS = st.tuples(
    st.sampled_from(["arrive", "read", "unread", "star", "unstar", "label", "unlabel", "delete",
                     "mark all", "unfollow"]),
    st.integers(0, 2),
    st.integers(0, 9),
)  # fmt: skip


def happen(connection: Connection, reader: Reader, event: Event) -> None:
    """An event: what, in which feed, and the minute or the number that it is about."""
    what, which, number = event
    feed_id, account_id = reader.feeds[which], reader.account_id
    match what:
        case "arrive":
            add_entry(connection, feed_id, at(number))
        case "read" | "unread":
            said = StateChange(feed_id, number, is_read=what == "read")
            read_states.set_states(connection, account_id, [said], NOON)
        case "star" | "unstar":
            said = StateChange(feed_id, number, is_favorite=what == "star")
            read_states.set_states(connection, account_id, [said], NOON)
        case "label":
            places = labels.there(connection, [(feed_id, number)])
            labels.put(connection, [reader.label_id], places)
        case "unlabel":
            places = labels.there(connection, [(feed_id, number)])
            labels.take_off(connection, [reader.label_id], places)
        case "delete":
            entries = schema.entries
            connection.execute(
                delete(entries).where(entries.c.feed_id == feed_id, entries.c.seq == number)
            )
        case "mark all":
            scope = reader.scopes[SCOPES[number % len(SCOPES)]]
            if reading.scope_exists(connection, account_id, scope):
                marking.raise_watermarks(connection, account_id, scope, at(number), NOON)
        case "unfollow" if number == 0:
            connection.execute(
                delete(schema.subscriptions).where(
                    schema.subscriptions.c.account_id == account_id,
                    schema.subscriptions.c.feed_id == feed_id,
                )
            )


def in_order(found: list[Any], order: Order) -> bool:
    places = [each.place for each in found]
    return places == sorted(set(places), reverse=order == "newest")


@pytest.fixture(scope="module")
def small() -> Iterator[Database]:
    made = in_memory()
    yield made
    made.close()


@settings(max_examples=150, deadline=None, suppress_health_check=list(HealthCheck))
@given(
    view=st.sampled_from(VIEWS),
    limit=st.integers(1, 4),
    before=st.lists(_EVENTS, min_size=4, max_size=30),
    between=st.lists(st.lists(_EVENTS, max_size=4), max_size=12),
)
def test_pages_hold_while_everything_changes(
    small: Database, view: View, limit: int, before: list[Event], between: list[list[Event]]
) -> None:
    """Whatever comes, goes and is said between two pages."""
    meanwhile = iter(between)
    with small.writing() as connection:
        reader = furnish(connection)
        for event in before:
            happen(connection, reader, event)
        always = ever = view.matching(connection, reader)
        found: list[Any] = []
        while page := view.page(connection, reader, found[-1].place if found else None, limit):
            found += page
            for event in next(meanwhile, []):
                happen(connection, reader, event)
            now = view.matching(connection, reader)
            always, ever = always & now, ever | now

    listed = {(each.feed_id, each.seq) for each in found}
    assert in_order(found, view.order)
    assert always <= listed <= ever


# -- beside a writer of its own -------------------------------------------------------------------

_FIXED = 12  # entries of each feed that the writer leaves alone


def test_pages_hold_beside_a_writer(database: Database) -> None:
    """Another connection ingests, marks and deletes; each view is walked while it does."""
    with database.writing() as connection:
        reader = furnish(connection)
        for feed_id in reader.feeds:
            for number in range(1, _FIXED + 1):
                add_entry(connection, feed_id, at(number % 5))
                said = StateChange(feed_id, number, bool(number % 2), number % 3 == 0)
                read_states.set_states(connection, reader.account_id, [said], NOON)
            fixed = [(feed_id, number) for number in range(1, _FIXED + 1, 2)]
            labels.put(connection, [reader.label_id], labels.there(connection, fixed))
    with database.reading() as connection:
        expected = {view: view.matching(connection, reader) for view in VIEWS}
    stop = threading.Event()

    def write() -> None:
        for round_ in itertools.count():
            if stop.is_set():
                return
            with database.writing() as connection:
                for feed_id in reader.feeds:
                    seq = add_entry(connection, feed_id, at(round_ % 5))
                    flags = {"is_read": round_ % 2 == 0, "is_favorite": round_ % 3 == 0}
                    for number in (seq, max(_FIXED + 1, seq - 1)):
                        said = StateChange(feed_id, number, **flags)
                        read_states.set_states(connection, reader.account_id, [said], NOON)
                    labels.put(
                        connection, [reader.label_id], labels.there(connection, [(feed_id, seq)])
                    )
                    loose = schema.entries.c.seq.between(_FIXED + 1, seq - 3)
                    here = schema.entries.c.feed_id == feed_id
                    connection.execute(delete(schema.entries).where(here, loose))

    writer = threading.Thread(target=write)
    writer.start()
    try:
        for view in VIEWS:
            found: list[Any] = []
            while True:
                with database.reading() as connection:
                    after = found[-1].place if found else None
                    page = view.page(connection, reader, after, 5)
                found += page
                if len(page) < 5 or len(found) > 500:
                    break
            fixed_found = {(e.feed_id, e.seq) for e in found if e.seq <= _FIXED}

            assert in_order(found, view.order), view
            assert expected[view] == fixed_found, view
    finally:
        stop.set()
        writer.join(60)
