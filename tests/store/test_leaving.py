"""A deleted account leaves nothing behind: asked of every table that there is."""

from typing import Any

from sqlalchemy import Connection, Table, insert, select, update

from tests.rows import NOON
from tests.store.filled import fill_every_table
from wireroom import leaving
from wireroom.store import schema
from wireroom.store.engine import Database
from wireroom.store.transfer import TABLES

#: The account that goes. Each table has a row of its own, one of 1's and one of 3's.
_GONE = 2
#: Rows that belong to nobody, each with why it stays.
_NOBODYS = {
    "lanes": "a host, which others may ask too",
    "site_icons": "a site's, which others see too",
    "facts": "what the house knows",
    "replacements": "the operator's",
    "hub_farewells": "what a hub is still to be told; it goes when that is done",
    "telegram_updates": "numbers, against answering twice; they go after two days",
    "unindexed": "an entry's number, until the index has looked",
}


def _rows(connection: Connection) -> dict[str, set[Any]]:
    return {table.name: _of(connection, table) for table in TABLES}


def _of(connection: Connection, table: Table) -> set[Any]:
    return {tuple(row) for row in connection.execute(select(*table.primary_key.columns))}


def _fill(connection: Connection) -> None:
    fill_every_table(connection)
    connection.execute(update(schema.accounts).values(role="member"))
    doors = schema.identities
    for number in (1, 2, 3):
        mine = update(doors).where(doors.c.account_id == number)
        connection.execute(mine.values(kind="telegram", subject=str(number)))


async def test_no_table_holds_anything_of_a_deleted_account(database: Database) -> None:
    """All that hangs on it goes, with feeds that nobody else follows; nobody else loses a row."""
    await database.write(_fill)
    before = await database.read(_rows)
    await leaving.erase(database, _GONE, NOON)
    after = await database.read(_rows)

    lost = {name: len(before[name] - after[name]) for name in before}
    assert {name: 0 if name in _NOBODYS else 1 for name in before} == lost
    assert {} == {name: rows for name in after if (rows := after[name] - before[name])}


async def test_questions_to_somebody_go_with_them(database: Database) -> None:
    """Also those in groups that stay, and a chat that was led from a deleted one leads itself."""
    memos, known = schema.telegram_memos, schema.telegram_chats

    def ask(connection: Connection) -> None:
        _fill(connection)
        memo = {"chat_id": 1, "user_id": _GONE, "kind": "x", "payload": {}, "made_at": NOON}
        connection.execute(insert(memos), memo)
        connection.execute(update(known).where(known.c.id == 1).values(managing=_GONE))

    await database.write(ask)
    await leaving.erase(database, _GONE, NOON)
    asked = await database.read(lambda each: set(each.scalars(select(memos.c.user_id))))
    led = await database.read(lambda each: list(each.scalars(select(known.c.managing))))

    assert {1, 3} == asked
    assert _GONE not in led
