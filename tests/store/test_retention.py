"""What is thrown away, and above all what is not."""

from datetime import timedelta

import pytest
from sqlalchemy import Connection, func, insert, select, update

from tests.rows import NOON, add_account, add_entry, add_feed, add_fetch, at, follow
from tests.store.polled import item, make_feed, read, titles
from wireroom.store import accounts, claims, errands, ingest, notices, retention, routes
from wireroom.store.engine import Database
from wireroom.store.errands import NewErrand
from wireroom.store.notices import Happened
from wireroom.store.retention import Keep, Swept
from wireroom.store.schema import (
    deliveries,
    entries,
    entry_keys,
    entry_states,
    feeds,
    fetches,
    identities,
    lanes,
)

DAY = timedelta(days=1)


def chat_account(connection: Connection, name: str = "chat") -> int:
    """An account that comes in by a Telegram chat only."""
    account_id = add_account(connection, name, "member")
    door = {"kind": "telegram", "subject": name, "created_at": NOON}
    connection.execute(insert(identities).values(account_id=account_id, **door))
    return account_id


def feed_of_a_chat(connection: Connection, count: int = 6) -> tuple[int, int]:
    """A feed with entries that only a chat follows; gives account and feed."""
    account_id, feed_id = chat_account(connection), add_feed(connection)
    follow(connection, account_id, feed_id)
    for number in range(count):
        add_entry(connection, feed_id, at(number))
    return account_id, feed_id


async def seqs(database: Database) -> list[int]:
    rows = select(entries.c.seq).order_by(entries.c.feed_id, entries.c.seq)
    return await database.read(lambda c: list(c.scalars(rows)))


async def how_many(database: Database, table: object) -> int | None:
    return await database.read(lambda c: c.scalar(select(func.count()).select_from(table)))  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("keep", "expected"),
    [
        (Keep(), [1, 2, 3, 4, 5, 6]),
        (Keep(items=2), [5, 6]),
        (Keep(items=9), [1, 2, 3, 4, 5, 6]),
        (Keep(items_age=timedelta(minutes=60 - 3)), [4, 5, 6]),
        (Keep(items=5, items_age=timedelta(minutes=60 - 3)), [4, 5, 6]),
    ],
    ids=["no bound", "by count", "fewer than the bound", "by age", "by both"],
)
async def test_items_of_a_feed_without_readers_are_bounded(
    database: Database, keep: Keep, expected: list[int]
) -> None:
    """The newest stay; without a bound, all do (STO-08)."""
    await database.write(feed_of_a_chat)
    swept = await retention.sweep(database, keep, at(60))

    assert expected == await seqs(database)
    assert 6 - len(expected) == swept.items


async def test_what_somebody_reads_is_never_trimmed_unless_said(database: Database) -> None:
    """One reader beside many chats keeps all items (C37, STO-13)."""

    def add_reader(connection: Connection) -> None:
        _, feed_id = feed_of_a_chat(connection)
        follow(connection, add_account(connection), feed_id)

    await database.write(add_reader)
    await retention.sweep(database, Keep(items=1), at(60))
    assert [1, 2, 3, 4, 5, 6] == await seqs(database)
    await retention.sweep(database, Keep(items=1, trim_what_is_read=True), at(60))

    assert [6] == await seqs(database)


async def test_a_chat_whose_owner_also_logs_in_counts_as_a_reader(database: Database) -> None:
    """Linked doors make one account, and it may read."""

    def link(connection: Connection) -> None:
        account_id, _ = feed_of_a_chat(connection)
        door = {"kind": "password", "subject": "ada", "created_at": NOON}
        connection.execute(insert(identities).values(account_id=account_id, **door))

    await database.write(link)
    await retention.sweep(database, Keep(items=1), at(60))

    assert 6 == len(await seqs(database))


async def test_favourites_stay(database: Database) -> None:
    """Somebody wanted to keep it, so it is kept."""

    def mark(connection: Connection) -> None:
        account_id, feed_id = feed_of_a_chat(connection)
        said = {"account_id": account_id, "feed_id": feed_id, "updated_at": NOON}
        connection.execute(insert(entry_states).values(seq=2, is_favorite=True, **said))
        connection.execute(insert(entry_states).values(seq=3, is_read=True, **said))

    await database.write(mark)
    await retention.sweep(database, Keep(items=1), at(60))

    assert [2, 6] == await seqs(database)
    assert 1 == await how_many(database, entry_states)


async def test_what_a_route_has_yet_to_send_stays(database: Database) -> None:
    """A destination that is down for weeks still gets everything (promise 1)."""

    def add_route(connection: Connection) -> None:
        account_id, _feed_id = feed_of_a_chat(connection)
        connection.execute(update(feeds).values(last_success_at=NOON))
        destination_id = routes.add_destination(
            connection,
            account_id=account_id,
            channel="telegram",
            address="4711",
            secret=None,
            title="",
            now=NOON,
        )
        routes.add_route(
            connection,
            subscription_id=1,
            destination_id=destination_id,
            initial_items=3,
            now=NOON,
        )

    await database.write(add_route)
    await retention.sweep(database, Keep(items=1, items_age=timedelta(0)), at(60))

    assert [4, 5, 6] == await seqs(database)


async def test_what_the_feed_still_lists_stays(database: Database) -> None:
    """Trimming it would bring it back at the next poll (STO-09)."""

    def poll(connection: Connection) -> None:
        feed_id = make_feed(connection)
        follow(connection, chat_account(connection), feed_id)
        for minute, names in enumerate(("ab", "cdb")):
            items = [item(name) for name in names]
            finished = read(connection, feed_id, *items, now=at(minute))
            ingest.commit(connection, [finished], at(minute))

    await database.write(poll)
    await retention.sweep(database, Keep(items=1), at(60))

    assert ["Title of b", "Title of d", "Title of c"] == await database.read(titles, 1)


async def test_a_trimmed_item_that_comes_back_is_known(database: Database) -> None:
    """Its names outlive it, for two years; only then may it be new (B10)."""

    def poll(connection: Connection, names: str, minute: float) -> int:
        finished = read(connection, 1, *(item(name) for name in names), now=at(minute))
        return ingest.commit(connection, [finished], at(minute)).new_count

    def begin(connection: Connection) -> None:
        follow(connection, chat_account(connection), make_feed(connection))

    await database.write(begin)
    await database.write(poll, "ab", 0)
    await database.write(poll, "c", 1)
    await retention.sweep(database, Keep(items=1), at(60))
    assert ["Title of c"] == await database.read(titles, 1)
    assert 0 == await database.write(poll, "abc", 90)
    await retention.sweep(database, Keep(items=1), NOON + 729 * DAY)
    standing = select(func.count()).where(entry_keys.c.gone_at.is_not(None))
    assert 0 < (await database.read(lambda c: c.scalar(standing)) or 0)
    swept = await retention.sweep(database, Keep(items=1), NOON + 731 * DAY)

    assert swept.tombstones > 0
    assert 0 == await database.read(lambda c: c.scalar(standing))


async def test_outcomes_are_bounded_by_count(database: Database) -> None:
    """Each feed keeps its newest, however seldom it is asked."""

    def note(connection: Connection) -> None:
        for title in ("One", "Two"):
            feed_id = add_feed(connection, title)
            follow(connection, 1 if title == "Two" else add_account(connection), feed_id)
            for minute in range(4):
                add_fetch(connection, feed_id, at(minute))

    await database.write(note)
    swept = await retention.sweep(database, Keep(fetches=3), NOON + 999 * DAY)

    assert 2 == swept.fetches
    assert at(1) == await database.read(lambda c: c.scalar(select(func.min(fetches.c.at))))


async def test_notes_of_deliveries_are_bounded_by_age(database: Database) -> None:
    """Old ones go, young ones stay, and none that says what is under way past a cursor."""

    def note(connection: Connection) -> None:
        account_id, _feed_id = feed_of_a_chat(connection)
        connection.execute(update(feeds).values(last_success_at=NOON))
        destination_id = routes.add_destination(
            connection,
            account_id=account_id,
            channel="telegram",
            address="4711",
            secret=None,
            title="",
            now=NOON,
        )
        route_id = routes.add_route(
            connection, subscription_id=1, destination_id=destination_id, initial_items=2, now=NOON
        )
        for seq, when in ((1, at(0)), (2, at(0) + 80 * DAY), (5, at(0))):
            connection.execute(
                insert(deliveries).values(route_id=route_id, seq=seq, outcome="sent", at=when)
            )

    await database.write(note)
    swept = await retention.sweep(database, Keep(), NOON + 91 * DAY)

    assert 1 == swept.deliveries
    left = select(deliveries.c.seq).order_by(deliveries.c.seq)
    assert [2, 5] == await database.read(lambda c: list(c.scalars(left)))


async def test_what_lost_its_owner_goes(database: Database) -> None:
    """Feeds that nobody follows (STO-10), lanes without feeds, marks without entries, tokens past
    their time.
    """

    def leave_about(connection: Connection) -> None:
        account_id, feed_id = feed_of_a_chat(connection)
        add_feed(connection, "Nobody's")
        add_feed(connection, "Just made", created_at=NOON + DAY)
        for name in ("empty.example", "silent.example"):
            claims.make_lane(connection, name)
        claims.pause_lane(connection, "silent.example", until=NOON + 9 * DAY)
        claims.claim_lane(connection, "crashed.example", owner="dead", now=NOON)
        connection.execute(
            insert(entry_states).values(
                account_id=account_id, feed_id=feed_id, seq=99, is_read=True, updated_at=NOON
            )
        )
        for number, expires_at in enumerate((NOON, NOON + 9 * DAY, None)):
            accounts.add_token(
                connection,
                account_id,
                "session",
                bytes([number]),
                name="",
                scopes="",
                now=NOON,
                expires_at=expires_at,
            )

    await database.write(leave_about)
    swept = await retention.sweep(database, Keep(), NOON + DAY)

    assert Swept(feeds=1, lanes=2, orphans=1, tokens=1) == swept
    keys = select(lanes.c.key).order_by(lanes.c.key)
    assert ["harbour-news.example", "just-made.example", "silent.example"] == await database.read(
        lambda c: list(c.scalars(keys))
    )
    assert Swept() == await retention.sweep(database, Keep(), NOON + DAY)


async def test_states_without_an_entry_go(
    database: Database, monkeypatch: pytest.MonkeyPatch
) -> None:
    """However many accounts said how much, in steps over the table's own key."""
    monkeypatch.setattr(retention, "ROWS_AT_ONCE", 2)

    def make(connection: Connection) -> None:
        feed_id = add_feed(connection)
        for name in ("ada", "bob", "eve"):
            account_id = add_account(connection, name, "member")
            follow(connection, account_id, feed_id)
            rows = [
                {"account_id": account_id, "feed_id": feed_id, "seq": seq, "updated_at": NOON}
                for seq in (1, 2)
            ]
            connection.execute(insert(entry_states), rows)
        add_entry(connection, feed_id, NOON)

    await database.write(make)
    swept = await retention.sweep(database, Keep(), NOON)

    assert 3 == swept.orphans
    assert 3 == await how_many(database, entry_states)


async def test_what_another_account_said_keeps_nothing(database: Database) -> None:
    """A favourite counts for those who follow the feed; after them it is nobody's."""

    def make(connection: Connection) -> int:
        account_id, feed_id = feed_of_a_chat(connection, 3)
        state = {"feed_id": feed_id, "seq": 1, "is_favorite": True, "updated_at": NOON}
        stranger = add_account(connection, "stranger", "member")
        connection.execute(insert(entry_states).values(account_id=stranger, **state))
        connection.execute(
            insert(entry_states).values(account_id=account_id, **state | {"seq": 2})
        )
        return feed_id

    await database.write(make)
    await retention.sweep(database, Keep(items=1), at(60))

    assert [2, 3] == await seqs(database)


async def test_old_notices_go_and_forwarded_entries_stay(database: Database) -> None:
    """Nobody wants to hear after a week that a feed failed; an entry on its way is never lost."""
    with database.writing() as connection:
        account_id, feed_id = feed_of_a_chat(connection, 1)
        there = routes.add_destination(
            connection,
            account_id=account_id,
            channel="telegram",
            address="77",
            secret=None,
            title="",
            now=NOON,
        )
        notices.of_feeds(connection, [(feed_id, Happened("failing", {}), NOON)])
        new = [NewErrand(there, "notice", {}), NewErrand(there, "forward", {})]
        errands.add(connection, new, now=NOON)
    early = await retention.sweep(database, Keep(), NOON + 6 * DAY)
    late = await retention.sweep(database, Keep(), NOON + 8 * DAY)

    assert (0, 2) == (early.notices, late.notices)
    with database.reading() as connection:
        left = errands.due(connection, there, now=NOON)
        assert ["forward"] == [each.kind for each in left]
