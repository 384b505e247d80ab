"""How far rules have come goes along with accounts that become one; on both databases."""

from sqlalchemy import Connection, update

from tests.delivery.scripted import WireRoom, turn
from tests.doors.households import GROUP, insert_door, open_group, rows, send
from tests.rows import NOON, add_account, add_entry, add_feed, at, follow
from wireroom import doors
from wireroom.store import places, read_states
from wireroom.store.engine import Database
from wireroom.store.places import Place
from wireroom.store.read_states import StateChange
from wireroom.store.schema import destinations, entry_states, routes
from wireroom.store.schema import subscriptions as subscriptions_table

RULE = "rust -> read"
MARKED = (entry_states.c.account_id, entry_states.c.seq, entry_states.c.is_read)
RULED = (subscriptions_table.c.account_id, subscriptions_table.c.ruled_through)


def unread(connection: Connection, account_id: int) -> None:
    states = [StateChange(1, 1, is_read=False)]
    read_states.set_states(connection, account_id, states, NOON)


class TestRules:
    """How far rules have come goes along with what is followed."""

    async def test_rules_are_carried_out_before_their_account_ends(
        self, database: Database
    ) -> None:
        """The chat's rules end with its account: what is before them is marked first, also where
        no process does it."""
        ada, group = await database.write(add_account), await open_group(database)

        def fill(connection: Connection) -> int:
            feed = add_feed(connection)
            add_entry(connection, feed, at(-5), "rust")
            return follow(connection, group, feed, settings={"rules": RULE}, ruled_through=0)

        await database.write(fill)
        code = await doors.new_code(database, ada, now=NOON)

        assert ada == await doors.link(database, GROUP, code, now=NOON)
        assert [(ada, 1)] == await rows(database, *RULED)
        assert [(ada, 1, True)] == await rows(database, *MARKED)

    async def test_what_was_marked_is_not_marked_again(self, database: Database) -> None:
        """The chat's rules are those of its place from then on, but for what they have marked."""
        room = WireRoom(database)
        group = await open_group(database)

        def fill(connection: Connection) -> None:
            send(connection, group, add_feed(connection), "-42")
            connection.execute(update(routes).values(cursor=0))
            wanted = {"rules": RULE}
            places.change_settings(connection, Place("account", group), wanted, now=NOON)

        await database.write(fill)
        room.publish(1, ["rust"])
        code = await doors.new_code(database, room.account_id, now=NOON)
        await doors.link(database, GROUP, code, now=NOON)
        await database.write(unread, room.account_id)
        room.publish(1, ["rust"])
        await turn(room)

        assert ["rust", "rust"] == room.channel.titles
        assert [(1, False), (2, True)] == await rows(database, *MARKED[1:])

    async def test_what_comes_into_an_account_with_rules_is_ruled(
        self, database: Database
    ) -> None:
        """From the next entry on; and what comes out of one without rules is not."""
        ada, group = await database.write(add_account), await open_group(database)

        def fill(connection: Connection) -> None:
            feed = add_feed(connection)
            add_entry(connection, feed, at(-5))
            send(connection, group, feed, "-42")
            wanted = {"rules": RULE}
            places.change_settings(connection, Place("account", ada), wanted, now=NOON)
            connection.execute(insert_door(ada, "password", "ada"))

        await database.write(fill)
        code = await doors.new_code(database, ada, now=NOON)
        await doors.link(database, GROUP, code, now=NOON)
        assert [(ada, 1)] == await rows(database, *RULED)

        there = [each for (each,) in await rows(database, destinations.c.id)]
        alone = await doors.unlink(database, GROUP, name="Harbour", places=there, now=NOON)
        assert {(ada, 1), (alone, None)} == set(await rows(database, *RULED))

    async def test_both_go_on_where_rules_were(self, database: Database) -> None:
        """A chat that leaves takes a subscription's rules along, and what is before them."""
        ada, group = await database.write(add_account), await open_group(database)

        def fill(connection: Connection) -> None:
            connection.execute(insert_door(ada, "password", "ada"))
            send(connection, group, add_feed(connection), "-42")

        await database.write(fill)
        code = await doors.new_code(database, ada, now=NOON)
        await doors.link(database, GROUP, code, now=NOON)

        def rule(connection: Connection) -> None:
            wanted = {"rules": RULE}
            places.change_settings(connection, Place("subscription", 1), wanted, now=NOON)
            add_entry(connection, 1, at(-5))

        await database.write(rule)
        there = [each for (each,) in await rows(database, destinations.c.id)]
        alone = await doors.unlink(database, GROUP, name="Harbour", places=there, now=NOON)
        assert {(ada, 0), (alone, 0)} == set(await rows(database, *RULED))
