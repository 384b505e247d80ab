"""Chats have accounts, and become one with others when both sides say so; on both databases."""

from datetime import timedelta
from typing import Any

import pytest
from sqlalchemy import Connection, insert, select, update

from tests.delivery.scripted import WireRoom
from tests.delivery.test_deliver import turn
from tests.rows import NOON, add_account, add_entry, add_feed, at, follow
from wireroom import doors, publishing
from wireroom.errors import Conflict, UserError
from wireroom.store import accounts as account_rows
from wireroom.store import places, read_states, saved_searches, tagging
from wireroom.store import routes as route_rows
from wireroom.store import subscriptions as subscription_rows
from wireroom.store import tags as subscription_tags
from wireroom.store.doors import Door
from wireroom.store.engine import Database
from wireroom.store.places import Place
from wireroom.store.read_states import StateChange
from wireroom.store.schema import (
    accounts,
    destinations,
    entry_states,
    entry_tags,
    feeds,
    routes,
    tags,
)
from wireroom.store.schema import subscriptions as subscriptions_table

GROUP = Door("telegram", "-42")


async def open_group(database: Database) -> int:
    return await doors.open_door(database, GROUP, name="Harbour watch", now=NOON)


def send(connection: Connection, account_id: int, feed_id: int, address: str) -> int:
    """Let an account follow a feed into a Telegram chat; gives the route."""
    subscription = subscription_rows.add(
        connection, account_id=account_id, feed_id=feed_id, now=NOON
    ).subscription_id
    destination = route_rows.add_destination(
        connection,
        account_id=account_id,
        channel="telegram",
        address=address,
        secret=None,
        title=address,
        now=NOON,
    )
    return route_rows.add_route(
        connection,
        subscription_id=subscription,
        destination_id=destination,
        initial_items=0,
        now=NOON,
    )


async def owned(database: Database) -> list[tuple[Any, ...]]:
    """Whose feeds go where: account, feed, address."""
    rows = (
        select(subscriptions_table.c.account_id, routes.c.feed_id, destinations.c.address)
        .join(subscriptions_table, subscriptions_table.c.id == routes.c.subscription_id)
        .join(destinations, destinations.c.id == routes.c.destination_id)
        .where(destinations.c.account_id == subscriptions_table.c.account_id)
        .order_by(routes.c.feed_id, destinations.c.address)
    )
    return await database.read(lambda each: [tuple(row) for row in each.execute(rows)])


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


class TestLinking:
    """A code that was seen in one place and typed in the other joins them."""

    async def test_everything_comes_along(self, database: Database) -> None:
        """Feeds, places and what was said about entries belong to the person's account then."""
        ada = await database.write(add_account)
        group = await open_group(database)

        def fill(connection: Connection) -> tuple[int, int]:
            own, shared = add_feed(connection, "Own"), add_feed(connection, "Shared")
            send(connection, group, own, "-42")
            send(connection, group, shared, "-42")
            follow(connection, ada, shared, custom_title="Mine")
            seq = add_entry(connection, own, at(-5))
            connection.execute(
                insert(entry_states).values(
                    account_id=group, feed_id=own, seq=seq, is_favorite=True, updated_at=NOON
                )
            )
            return own, shared

        own, shared = await database.write(fill)
        code = await doors.new_code(database, ada, now=NOON)

        linked = await doors.link(database, GROUP, code.lower(), now=NOON)

        assert ada == linked == await doors.account_of(database, GROUP)
        assert [(ada, own, "-42"), (ada, shared, "-42")] == await owned(database)
        assert [(own, 1), (shared, 1)] == await followers(database)
        assert [(ada, own)] == await rows(
            database, entry_states.c.account_id, entry_states.c.feed_id
        )
        assert [(ada,)] == await rows(database, accounts.c.id)

    async def test_a_private_feed_that_both_had_is_one(self, database: Database) -> None:
        """It is asked with the person's password, and what the chat kept of it comes along."""
        ada = await database.write(add_account)
        group = await open_group(database)

        def fill(connection: Connection) -> tuple[int, int, int]:
            url = "https://club.example/members.xml"
            theirs = add_feed(connection, "Club", url=url, owner_account_id=group)
            own = add_feed(connection, "Club", url=url, owner_account_id=ada)
            other = add_feed(connection, "Choir", owner_account_id=group)
            for feed_id in (theirs, other):
                send(connection, group, feed_id, "-42")
            follow(connection, ada, own)
            add_entry(connection, own, at(-9), "Both have it")
            seq = add_entry(connection, theirs, at(-5), "Only the chat has it")
            connection.execute(
                insert(entry_states).values(
                    account_id=group, feed_id=theirs, seq=seq, is_favorite=True, updated_at=NOON
                )
            )
            return theirs, own, other

        _, own, other = await database.write(fill)
        code = await doors.new_code(database, ada, now=NOON)
        await doors.link(database, GROUP, code, now=NOON)

        assert {(own, ada, 1), (other, ada, 1)} == set(
            await rows(database, feeds.c.id, feeds.c.owner_account_id, feeds.c.subscriber_count)
        )
        assert {(ada, own, "-42"), (ada, other, "-42")} == set(await owned(database))
        assert [(ada, own, 2, True)] == await rows(
            database,
            entry_states.c.account_id,
            entry_states.c.feed_id,
            entry_states.c.seq,
            entry_states.c.is_favorite,
        )

    async def test_a_place_that_both_had_is_served_once(self, database: Database) -> None:
        """Nobody gets an entry twice for having linked two accounts."""
        ada = await database.write(add_account)
        group = await open_group(database)

        def fill(connection: Connection) -> int:
            feed = add_feed(connection)
            send(connection, ada, feed, "-42")
            send(connection, group, feed, "-42")
            return feed

        feed = await database.write(fill)
        code = await doors.new_code(database, ada, now=NOON)
        await doors.link(database, GROUP, code, now=NOON)

        assert [(ada, feed, "-42")] == await owned(database)

    async def test_wishes_of_a_chat_stay_with_its_places(self, database: Database) -> None:
        """The chat's own settings do not become the person's."""
        ada = await database.write(add_account)
        group = await open_group(database)

        def fill(connection: Connection) -> None:
            send(connection, group, add_feed(connection), "-42")
            connection.execute(
                update(accounts)
                .where(accounts.c.id == group)
                .values(preferences={"delivery": {"silent": True}})
            )

        await database.write(fill)
        code = await doors.new_code(database, ada, now=NOON)
        await doors.link(database, GROUP, code, now=NOON)

        assert [({"silent": True},)] == await rows(database, destinations.c.settings)
        assert [({},)] == await rows(database, accounts.c.preferences)

    async def test_words_come_along(self, database: Database) -> None:
        """Tags and searches of the chat are the person's; what both called alike is one."""
        ada = await database.write(add_account)
        group = await open_group(database)

        def fill(connection: Connection) -> None:
            feed = add_feed(connection)
            send(connection, group, feed, "-42")
            follow(connection, ada, feed)
            chats, adas = connection.scalars(
                select(subscriptions_table.c.id).order_by(subscriptions_table.c.account_id.desc())
            )
            seqs = [add_entry(connection, feed, at(-each)) for each in (5, 4)]
            for account, names, words, seq in (
                (group, ("storm", "ships"), ("sea", "wind"), seqs[0]),
                (ada, ("ships",), ("sea",), seqs[1]),
            ):
                tagging.put(connection, account, names, feed, seq, now=NOON)
                subscription_tags.put(connection, chats if account == group else adas, words)
                saved_searches.save(connection, account, names[0], "is:unread", now=NOON)

        await database.write(fill)
        code = await doors.new_code(database, ada, now=NOON)
        await doors.link(database, GROUP, code, now=NOON)

        on_entries = select(tags.c.account_id, tags.c.name, entry_tags.c.seq).join(
            entry_tags, entry_tags.c.tag_id == tags.c.id
        )
        found = await database.read(lambda each: {tuple(row) for row in each.execute(on_entries)})
        assert {(ada, "storm", 1), (ada, "ships", 1), (ada, "ships", 2)} == found
        words = await database.read(subscription_tags.by_subscription, ada)
        assert [["sea", "wind"]] == list(words.values())
        kept = await database.read(saved_searches.every, ada)
        assert ["ships", "storm"] == [each.name for each in kept]

    async def test_published_feeds_stay_open(self, database: Database) -> None:
        """Whoever reads a feed of ours by its address goes on reading it."""
        ada = await database.write(add_account)
        group = await open_group(database)

        def fill(connection: Connection) -> int:
            feed = add_feed(connection)
            add_entry(connection, feed, at(-5), title="Storm")
            send(connection, group, feed, "-42")
            follow(connection, ada, feed)
            return connection.scalars(
                select(subscriptions_table.c.id).where(subscriptions_table.c.account_id == group)
            ).one()

        part = f"feed:{await database.write(fill)}"
        _, secret = await publishing.publish(database, group, part, title="Harbour", now=NOON)
        code = await doors.new_code(database, ada, now=NOON)
        await doors.link(database, GROUP, code, now=NOON)

        found = await publishing.published(database, secret, now=NOON)
        assert found is not None
        assert ["Storm"] == [each.title for each in found.entries]

    async def test_wishes_of_a_subscription_stay_with_its_routes(self, database: Database) -> None:
        """What the chat filters stays filtered where the person follows the feed, too."""
        ada = await database.write(add_account)
        group = await open_group(database)

        def fill(connection: Connection) -> None:
            feed = add_feed(connection)
            send(connection, group, feed, "-42")
            connection.execute(update(subscriptions_table).values(settings={"filter": "storm"}))
            follow(connection, ada, feed)

        await database.write(fill)
        code = await doors.new_code(database, ada, now=NOON)
        await doors.link(database, GROUP, code, now=NOON)

        assert [({"filter": "storm"},)] == await rows(database, routes.c.settings)
        assert [({},)] == await rows(database, subscriptions_table.c.settings)

    async def test_the_other_way_round(self, database: Database) -> None:
        """A code from the chat, typed into the web reader, does the same."""
        ada = await database.write(add_account)
        group = await open_group(database)
        code = await doors.new_code(database, group, now=NOON)

        await doors.link_into(database, ada, code, now=NOON)

        assert ada == await doors.account_of(database, GROUP)

    @pytest.mark.parametrize("after", [0, 16], ids=["wrong", "too_old"])
    async def test_codes_that_are_no_good(self, database: Database, after: int) -> None:
        """A code that is not ours or older than a quarter of an hour links nothing."""
        ada = await database.write(add_account)
        code = await doors.new_code(database, ada, now=NOON)
        typed = code if after else "AAAAA-AAAAA"

        with pytest.raises(UserError, match="wrong, was used already, or is too old"):
            await doors.link(database, GROUP, typed, now=NOON + timedelta(minutes=after))
        assert None is await doors.account_of(database, GROUP)

    async def test_a_code_is_good_once(self, database: Database) -> None:
        """Whoever looks over a shoulder comes too late."""
        ada = await database.write(add_account)
        code = await doors.new_code(database, ada, now=NOON)
        await doors.link(database, GROUP, code, now=NOON)

        with pytest.raises(UserError, match="used already"):
            await doors.link(database, Door("telegram", "666"), code, now=NOON)

    @pytest.mark.parametrize("kind", ["password", "oidc", "proxy"])
    async def test_a_person_is_never_taken_over(self, database: Database, kind: str) -> None:
        """A code of an account that people log in to does not hand that account to another."""
        ada = await database.write(add_account)
        eve = await database.write(add_account, "eve")
        await database.write(
            lambda connection: connection.execute(
                insert_door(ada, kind, "ada"),
            )
        )
        code = await doors.new_code(database, ada, now=NOON)

        with pytest.raises(Conflict, match="people log in to"):
            await doors.link_into(database, eve, code, now=NOON)

    async def test_a_linked_chat_is_not_linked_again(self, database: Database) -> None:
        """What belongs to one person does not slip to another with the chat."""
        ada, eve = await database.write(add_account), await database.write(add_account, "eve")
        await database.write(lambda each: each.execute(insert_door(ada, "password", "ada")))
        await doors.link(database, GROUP, await doors.new_code(database, ada, now=NOON), now=NOON)

        with pytest.raises(Conflict, match="linked with another account"):
            code = await doors.new_code(database, eve, now=NOON)
            await doors.link(database, GROUP, code, now=NOON)

    async def test_a_linked_chat_opens_no_account(self, database: Database) -> None:
        """Whoever leads a group gets no code for the account of the person it is linked with."""
        group = await open_group(database)
        own = await doors.new_code_here(database, GROUP, group, now=NOON)
        ada = await database.write(add_account)
        await database.write(lambda each: each.execute(insert_door(ada, "password", "ada")))
        await doors.link_into(database, ada, own, now=NOON)

        with pytest.raises(Conflict, match="somebody's account"):
            await doors.new_code_here(database, GROUP, ada, now=NOON)

    async def test_not_while_a_message_is_on_its_way(self, database: Database) -> None:
        """A worker that sends for the chat finds its route again."""
        ada = await database.write(add_account)
        group = await open_group(database)
        await database.write(lambda each: send(each, group, add_feed(each), "-42"))
        await database.write(
            lambda each: each.execute(update(destinations).values(lease_owner="somebody"))
        )
        code = await doors.new_code(database, ada, now=NOON)

        with pytest.raises(Conflict, match="on its way"):
            await doors.link(database, GROUP, code, now=NOON)
        assert group == await doors.account_of(database, GROUP)

    async def test_the_operators_chat_is_not_given_away(self, database: Database) -> None:
        """Who runs Wireroom stays who they are, and nobody is asked to set it up again."""
        grace = await database.write(add_account, "grace", "member")
        door = Door("telegram", "7")
        await doors.open_door(database, door, name="Ada", now=NOON, is_operators=True)
        code = await doors.new_code(database, grace, now=NOON)

        with pytest.raises(Conflict, match="whoever runs Wireroom"):
            await doors.link(database, door, code, now=NOON)


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
        places = [
            each
            for (each,) in await rows(
                database, destinations.c.id, where=destinations.c.address == "-42"
            )
        ]

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
        places = [
            each
            for (each,) in await rows(
                database, destinations.c.id, where=destinations.c.address == "-42"
            )
        ]

        await doors.unlink(database, GROUP, name="Harbour", places=places, now=NOON)

        assert {(ada, feed, "7")} == set(await owned(database))
        assert [(feed, 1)] == await followers(database)

    async def test_a_chat_that_is_not_linked(self, database: Database) -> None:
        """There is nothing to undo, and it is said."""
        await open_group(database)

        with pytest.raises(UserError, match="not linked"):
            await doors.unlink(database, GROUP, name="A", places=[], now=NOON)


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


def insert_door(account_id: int, kind: str, subject: str) -> Any:
    from wireroom.store.schema import identities

    return insert(identities).values(
        account_id=account_id, kind=kind, subject=subject, created_at=NOON
    )


async def followers(database: Database) -> list[tuple[Any, ...]]:
    return await rows(database, feeds.c.id, feeds.c.subscriber_count)


async def rows(database: Database, *columns: Any, where: Any = True) -> list[tuple[Any, ...]]:
    wanted = select(*columns).where(where)
    found = await database.read(lambda each: [tuple(row) for row in each.execute(wanted)])
    return sorted(found, key=repr)


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


RULE = "rust -> read"
MARKED = (entry_states.c.account_id, entry_states.c.seq, entry_states.c.is_read)
RULED = (subscriptions_table.c.account_id, subscriptions_table.c.ruled_through)


def unread(connection: Connection, account_id: int) -> None:
    states = [StateChange(1, 1, is_read=False)]
    read_states.set_states(connection, account_id, states, NOON)
