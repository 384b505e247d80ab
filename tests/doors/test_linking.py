"""Accounts become one with others when both sides say so; on both databases."""

from datetime import timedelta

import pytest
from sqlalchemy import Connection, insert, select, update

from tests.doors.households import GROUP, followers, insert_door, open_group, owned, rows, send
from tests.rows import NOON, add_account, add_entry, add_feed, at, follow
from wireroom import doors, publishing
from wireroom.errors import Conflict, UserError
from wireroom.store import saved_searches, tagging
from wireroom.store import tags as subscription_tags
from wireroom.store.doors import Door
from wireroom.store.engine import Database
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
