"""Folders, subscriptions and the health of feeds, on SQLite and PostgreSQL."""

from typing import Any

import pytest
from sqlalchemy import Connection, delete

from tests.rows import NOON, add_account, add_entry, add_feed, add_fetch, add_folder, at, follow
from tests.store.stepping import Work, count_statements, let_in, work_of
from wireroom import following, reading, tagging
from wireroom.errors import NotFound, UserError
from wireroom.reading import EVERYTHING, Scope, StateChange
from wireroom.store import accounts, devices, read_states
from wireroom.store.engine import Database
from wireroom.store.schema import push_devices


@pytest.fixture
def ada(database: Database) -> int:
    with database.writing() as connection:
        return add_account(connection)


async def test_removing_a_folder_keeps_what_it_holds(database: Database, ada: int) -> None:
    """Subscriptions and inner folders move to the parent (API-25)."""
    outer = await following.add_folder(database, ada, "Outer")
    middle = await following.add_folder(database, ada, "Middle", parent_id=outer.id)
    inner = await following.add_folder(database, ada, "Inner", parent_id=middle.id)
    with database.writing() as connection:
        subscription = follow(connection, ada, add_feed(connection), folder_id=middle.id)
    removed = await following.remove_folder(database, ada, middle.id)
    shelf = await following.shelf(database, ada)

    assert (1, 1, outer.id) == removed
    assert outer.id == shelf.subscription(subscription).folder_id
    assert outer.id == shelf.folder(inner.id).parent_id
    assert {outer.id, inner.id} == shelf.inside(outer.id)


async def test_folders_cannot_lie_in_themselves(database: Database, ada: int) -> None:
    """Neither directly nor over other folders (API-24)."""
    outer = await following.add_folder(database, ada, "Outer")
    inner = await following.add_folder(database, ada, "Inner", parent_id=outer.id)
    for parent in (outer.id, inner.id):
        with pytest.raises(UserError) as refused:
            await following.move_folder(database, ada, outer.id, parent)
        assert "cyclic_folder" == refused.value.code


@pytest.mark.postgresql
async def test_two_moves_at_once_make_no_circle(postgresql_database: Database) -> None:
    """Wherever the second one comes in, one of them is refused (API-24)."""
    database = postgresql_database
    with database.writing() as connection:
        ada = add_account(connection)
        one, other = (add_folder(connection, ada, name) for name in ("One", "Other"))
    there = await work_of(following.move_folder, ada, one, other)
    back = await work_of(following.move_folder, ada, other, one)
    for number in range(1, 1 + count_statements(database, there)):
        with pytest.raises(UserError) as refused:
            let_in(database, there, number, back)
        shelf = await following.shelf(database, ada)
        await following.move_folder(database, ada, one, None)
        await following.move_folder(database, ada, other, None)

        assert "cyclic_folder" == refused.value.code
        assert 1 == sum(folder.parent_id is None for folder in shelf.folders)


@pytest.mark.postgresql
async def test_two_calls_at_once_are_like_one_after_the_other(
    postgresql_database: Database,
) -> None:
    """Tags, marks and devices of one account: nobody is refused, and nothing waits in a ring."""
    database = postgresql_database
    with database.writing() as connection:
        ada, bob = add_account(connection), add_account(connection, "bob")
        feed = add_feed(connection)
        subscription = follow(connection, ada, feed)
        one, other = (add_entry(connection, feed, at(-n)) for n in (1, 2))
        token = {who: _token(connection, who) for who in (ada, bob)}
    tags = await work_of(tagging.set_tags, ada, subscription, ["sea", "wind"])

    def mark(first: int, second: int) -> Work:
        changes = [
            StateChange(feed, first, is_read=True), StateChange(feed, second, is_favorite=True)
        ]  # fmt: skip
        return lambda connection: read_states.set_states(connection, ada, changes, NOON)

    def register(who: int) -> Work:
        return lambda connection: devices.add(
            connection, who, token[who], endpoint=b"sealed", digest=b"\1" * 32, now=NOON
        )

    found = []
    for first, second in (
        (tags, tags),
        (mark(one, other), mark(other, one)),
        (register(ada), register(ada)),
        (register(ada), register(bob)),
    ):
        for number in range(1, 1 + count_statements(database, first)):
            found.append(let_in(database, first, number, second))
            with database.writing() as connection:
                connection.execute(delete(push_devices))

    assert {(None, None), (2, 2), (True, True), (True, False), (False, True)} == set(found)


def _token(connection: Connection, account_id: int) -> int:
    accounts.add_token(
        connection, account_id, "api", bytes([account_id] * 32), name="Phone", scopes="",
        now=NOON, expires_at=None,
    )  # fmt: skip
    return accounts.list_tokens(connection, account_id, "api")[0].id


@pytest.mark.parametrize("name", ["", "  ", "x" * 257, "a\nb", "\x00", "\u200b"])
async def test_impossible_names(database: Database, ada: int, name: str) -> None:
    """Empty, too long, or with control characters (API-23)."""
    with pytest.raises(UserError) as refused:
        await following.add_folder(database, ada, name)

    assert "invalid_name" == refused.value.code


async def test_titles_are_cut_and_can_be_given_back(database: Database, ada: int) -> None:
    """Cut at 256 characters; empty shows the feed's own title again (API-21)."""
    with database.writing() as connection:
        subscription = follow(connection, ada, add_feed(connection, "Own title"))
    await following.rename_subscription(database, ada, subscription, "y" * 300)
    renamed, _ = await following.feed_page(database, ada, subscription)
    await following.rename_subscription(database, ada, subscription, "")
    back, _ = await following.feed_page(database, ada, subscription)

    assert "y" * 256 == renamed.title
    assert "Own title" == back.title


async def test_others_get_the_answer_of_nothing(database: Database, ada: int) -> None:
    """Every use case with another account's ids raises as for unknown ones (promise 10)."""
    folder = await following.add_folder(database, ada, "Mine")
    with database.writing() as connection:
        bob = add_account(connection, "bob", "member")
        feed_id = add_feed(connection)
        mine = follow(connection, ada, feed_id)
        his = follow(connection, bob, add_feed(connection, "His"))
        add_entry(connection, feed_id, NOON)
    calls: list[Any] = [
        following.feed_page(database, bob, mine),
        following.rename_subscription(database, bob, mine, "x"),
        following.move_subscription(database, bob, mine, None),
        following.move_subscription(database, bob, his, folder.id),
        following.rename_folder(database, bob, folder.id, "x"),
        following.move_folder(database, bob, folder.id, None),
        following.remove_folder(database, bob, folder.id),
        following.add_folder(database, bob, "x", parent_id=folder.id),
        reading.entry_in_full(database, bob, feed_id, 1),
        reading.list_entries(database, bob, Scope(subscription_id=mine)),
        reading.list_entries(database, bob, Scope(folder_id=folder.id)),
        reading.mark_read_until(database, bob, Scope(subscription_id=mine), None, NOON),
    ]

    for call in calls:
        with pytest.raises(NotFound):
            await call


@pytest.mark.parametrize(
    ("values", "health"),
    [
        ({}, "well"),
        ({"failure_count": 2}, "well"),
        ({"failure_count": 3}, "ailing"),
        ({"failure_count": 19}, "ailing"),
        ({"failure_count": 20}, "failing"),
        ({"last_status": 410}, "failing"),
        ({"disabled_at": NOON}, "failing"),
    ],
)
async def test_health(database: Database, ada: int, values: dict[str, Any], health: str) -> None:
    """Three failures in a row show, twenty or a feed that is gone show more (FAIL-31)."""
    with database.writing() as connection:
        subscription = follow(connection, ada, add_feed(connection, **values))
        add_fetch(connection, 1, at(-1))
    followed, fetches = await following.feed_page(database, ada, subscription)

    assert health == followed.health
    assert [at(-1)] == [fetch.at for fetch in fetches]


async def test_limits_are_clamped(database: Database, ada: int) -> None:
    """A page has 1 to 100 entries and says where the next begins (API-29, API-30)."""
    with database.writing() as connection:
        feed_id = add_feed(connection)
        follow(connection, ada, feed_id)
        for minute in range(3):
            add_entry(connection, feed_id, at(minute))
    one = await reading.list_entries(database, ada, limit=0)
    all_of_them = await reading.list_entries(database, ada, limit=10_000)

    assert 1 == len(one.entries)
    assert one.entries[-1].place == one.next
    assert (3, None) == (len(all_of_them.entries), all_of_them.next)


async def test_marks_are_clamped(database: Database, ada: int) -> None:
    """A mark ahead of now becomes now; a naive one is UTC; none at all is now (API-39)."""
    ahead = await reading.mark_read_until(database, ada, EVERYTHING, at(60), NOON)
    naive = await reading.mark_read_until(
        database, ada, EVERYTHING, at(-60).replace(tzinfo=None), NOON
    )
    none = await reading.mark_read_until(database, ada, EVERYTHING, None, NOON)

    assert [NOON, at(-60), NOON] == [ahead[1], naive[1], none[1]]


async def test_too_many_states_at_once(database: Database, ada: int) -> None:
    """A hundred entries are accepted, one more is refused before anything is written (API-34)."""
    changes = [StateChange(1, seq, True) for seq in range(101)]
    with pytest.raises(UserError) as refused:
        await reading.set_states(database, ada, changes, NOON)

    assert "too_many_items" == refused.value.code
    assert 0 == await reading.set_states(database, ada, changes[:100], NOON)
