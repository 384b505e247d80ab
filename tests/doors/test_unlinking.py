"""A chat gets an account of its own again; on both databases."""

import pytest

from tests.doors.households import GROUP, followers, insert_door, open_group, owned, rows, send
from tests.rows import NOON, add_account, add_feed
from wireroom import doors
from wireroom.errors import UserError
from wireroom.store.engine import Database
from wireroom.store.schema import destinations


async def _places(database: Database, address: str) -> list[int]:
    found = await rows(database, destinations.c.id, where=destinations.c.address == address)
    return [each for (each,) in found]


class TestUnlinking:
    """A chat gets its own account again."""

    async def test_what_goes_to_the_chat_leaves_with_it(self, database: Database) -> None:
        """The person still follows the feeds; the messages are the chat's."""
        ada = await database.write(add_account)
        await doors.link(database, GROUP, await doors.new_code(database, ada, now=NOON), now=NOON)
        await database.write(lambda each: each.execute(insert_door(ada, "password", "ada")))
        feed = await database.write(add_feed)
        await database.write(send, ada, feed, "-42")
        await database.write(send, ada, feed, "7")
        places = await _places(database, "-42")

        group = await doors.unlink(database, GROUP, name="Harbour", places=places, now=NOON)

        assert group == await doors.account_of(database, GROUP)
        assert {(group, feed, "-42"), (ada, feed, "7")} == set(await owned(database))
        assert [(feed, 2)] == await followers(database)

    async def test_a_feed_behind_a_password_stays_with_who_has_it(
        self, database: Database
    ) -> None:
        """The group gets nothing of it any more, and does not follow it."""
        ada = await database.write(add_account)
        await doors.link(database, GROUP, await doors.new_code(database, ada, now=NOON), now=NOON)
        await database.write(lambda each: each.execute(insert_door(ada, "password", "ada")))
        feed = await database.write(lambda each: add_feed(each, owner_account_id=ada))
        await database.write(send, ada, feed, "-42")
        await database.write(send, ada, feed, "7")
        places = await _places(database, "-42")

        await doors.unlink(database, GROUP, name="Harbour", places=places, now=NOON)

        assert {(ada, feed, "7")} == set(await owned(database))
        assert [(feed, 1)] == await followers(database)

    async def test_a_chat_that_is_not_linked(self, database: Database) -> None:
        """There is nothing to undo, and it is said."""
        await open_group(database)

        with pytest.raises(UserError, match="not linked"):
            await doors.unlink(database, GROUP, name="A", places=[], now=NOON)
