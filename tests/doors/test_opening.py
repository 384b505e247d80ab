"""Chats have accounts, and keep them when a chat changes its id; on both databases."""

from tests.doors.households import GROUP, insert_door, open_group, owned, send
from tests.rows import NOON, add_account, add_feed
from wireroom import doors
from wireroom.store import accounts as account_rows
from wireroom.store.doors import Door
from wireroom.store.engine import Database


class TestOpening:
    """A chat that is met for the first time gets an account."""

    async def test_one_chat_has_one_account(self, database: Database) -> None:
        """The same chat comes back to the same account; another one gets another."""
        first = await open_group(database)
        again = await doors.open_door(database, GROUP, name="B", now=NOON)
        other = await doors.open_door(database, Door("discord", "-42"), name="C", now=NOON)

        assert first == again != other

    async def test_the_operators_chat_is_the_operators(self, database: Database) -> None:
        """What the operator does in a chat is done as on the command line."""
        operator = await database.write(account_rows.operator_account, NOON)
        opened = await doors.open_door(
            database, Door("telegram", "7"), name="Ada", now=NOON, is_operators=True
        )

        assert operator == opened


class TestRenaming:
    """A group that becomes a supergroup has another id from one moment to the next (TGD-14)."""

    async def test_an_id_that_is_new(self, database: Database) -> None:
        """The account stays."""
        group = await open_group(database)

        await doors.rename(database, GROUP, "-10042", now=NOON)

        assert group == await doors.account_of(database, Door("telegram", "-10042"))
        assert None is await doors.account_of(database, GROUP)

    async def test_an_id_that_was_met_already(self, database: Database) -> None:
        """Both accounts become one, behind the new id alone."""
        group = await open_group(database)
        new = await doors.open_door(database, Door("telegram", "-10042"), name="B", now=NOON)
        feed = await database.write(add_feed)
        await database.write(send, group, feed, "-10042")

        await doors.rename(database, GROUP, "-10042", now=NOON)

        assert [Door("telegram", "-10042")] == await doors.list_doors(database, new)
        assert [(new, feed, "-10042")] == await owned(database)

    async def test_two_people_stay_two(self, database: Database) -> None:
        """Where both ids are linked, with different people, neither gets into the other's."""
        new = Door("telegram", "-10042")
        ann, bob = [await database.write(add_account, name) for name in ("ann", "bob")]
        for account_id, door in ((ann, GROUP), (bob, new)):
            await database.write(
                lambda connection, account_id=account_id, door=door: [
                    connection.execute(insert_door(account_id, *each))
                    for each in (("password", f"login {account_id}"), (door.kind, door.subject))
                ]
            )

        await doors.rename(database, GROUP, "-10042", now=NOON)

        assert bob == await doors.account_of(database, new)
        assert ann == await doors.account_of(database, Door("password", f"login {ann}"))
        assert None is await doors.account_of(database, GROUP)
