"""Feeds of Discord servers in the store, on both engines."""

from dataclasses import replace
from datetime import timedelta

from sqlalchemy import Connection, select, update

from tests.rows import NOON, add_account, add_entry, add_feed, at, follow
from wireroom.store import ends, guilds, posted, routes
from wireroom.store.engine import Database
from wireroom.store.guilds import Webhook
from wireroom.store.schema import destinations, feeds
from wireroom.store.schema import routes as routes_table

HOOK = Webhook("10", "20", "", "30", is_ours=True)


def connect(
    connection: Connection, account: int, feed: int, *, address: str = "1", hook: Webhook = HOOK
) -> int:
    """A route of a server's account to a webhook; gives its number."""
    subscription = guilds_subscription(connection, account, feed)
    place = routes.add_destination(
        connection,
        account_id=account,
        channel="discord",
        address=address,
        secret=b"sealed",
        title="",
        now=NOON,
    )
    guilds.note_webhook(connection, place, hook)
    return routes.add_route(
        connection,
        subscription_id=subscription,
        destination_id=place,
        initial_items=0,
        now=NOON,
    )


def guilds_subscription(connection: Connection, account: int, feed: int) -> int:
    from wireroom.store import subscriptions

    found = subscriptions.find(connection, account_id=account, feed_id=feed)
    return found or follow(connection, account, feed)


def places(connection: Connection) -> list[int]:
    return list(connection.execute(select(destinations.c.id)).scalars())


def test_a_server_sees_what_goes_to_its_webhooks(database: Database) -> None:
    """Neither another account's nor another server's of the same account."""
    with database.writing() as connection:
        ours, theirs = add_account(connection, "a"), add_account(connection, "b")
        feed = add_feed(connection)
        number = connect(connection, ours, feed)
        elsewhere = connect(connection, ours, feed, address="2", hook=replace(HOOK, guild_id="11"))
        connect(connection, theirs, feed)

        assert [number] == [each.id for each in guilds.list_feeds(connection, ours, "10")]
        assert [elsewhere] == [each.id for each in guilds.list_feeds(connection, ours, "11")]
        assert guilds.find_feed(connection, ours, "10", elsewhere) is None
        assert guilds.find_feed(connection, theirs, "10", number) is None


def test_a_webhook_is_kept_as_long_as_something_goes_to_it(database: Database) -> None:
    """It is a secret."""
    with database.writing() as connection:
        account = add_account(connection)
        first = connect(connection, account, add_feed(connection))
        second = connect(connection, account, add_feed(connection, "Other"))
        guilds.remove_route(connection, first)
        kept = places(connection)
        guilds.remove_route(connection, second)

        assert (1, 0) == (len(kept), len(places(connection)))


def test_another_feed_counts_as_dealt_with(database: Database) -> None:
    """The number goes on with the other's next entry; nothing of it is sent twice."""
    with database.writing() as connection:
        account = add_account(connection)
        feed, other = add_feed(connection), add_feed(connection, "Other")
        number = connect(connection, account, feed)
        add_entry(connection, other, at(1))
        connection.execute(update(feeds).values(last_success_at=NOON))
        before = guilds.find_feed(connection, account, "10", number)
        assert before is not None
        guilds.move_route(
            connection,
            number,
            subscription_id=follow(connection, account, other),
            destination_id=before.destination_id,
            now=NOON,
        )
        after = guilds.find_feed(connection, account, "10", number)

        assert after is not None
        assert (other, 1, 0) == (after.feed_id, after.cursor, after.waiting)


def test_the_same_feed_elsewhere_goes_on(database: Database) -> None:
    """What waits goes on waiting, for the new place."""
    with database.writing() as connection:
        account, feed = add_account(connection), add_feed(connection)
        number = connect(connection, account, feed)
        add_entry(connection, feed, at(1))
        connection.execute(update(routes_table).values(cursor=0))
        there = routes.add_destination(
            connection,
            account_id=account,
            channel="discord",
            address="2",
            secret=b"sealed",
            title="",
            now=NOON,
        )
        guilds.note_webhook(connection, there, HOOK)
        before = guilds.find_feed(connection, account, "10", number)
        assert before is not None
        guilds.move_route(
            connection,
            number,
            subscription_id=before.subscription_id,
            destination_id=there,
            now=NOON,
        )
        after = guilds.find_feed(connection, account, "10", number)

        assert after is not None
        assert (there, 1) == (after.destination_id, after.waiting)
        assert [there] == places(connection)


def test_messages_lead_to_entries(database: Database) -> None:
    """Whichever of an entry's messages it is, and no number that only looks like one."""
    with database.writing() as connection:
        account, feed = add_account(connection), add_feed(connection)
        number = connect(connection, account, feed)
        add_entry(connection, feed, at(1), "Harbour")
        connection.execute(update(routes_table).values(cursor=0))
        route = routes.find(connection, number)
        assert route is not None
        sent = routes.Note("sent")
        routes.advance(
            connection, route, notes={1: sent}, now=NOON, message_ids=["100", "200", "300"]
        )
        found = [
            posted.find_posted(connection, account, "10", message)
            for message in ("100", "200", "300", "00", "10", "%")
        ]

        assert ["Harbour"] * 3 == [each.title for each in found[:3] if each]
        assert [None] * 3 == found[3:]
        assert posted.find_posted(connection, account, "11", "100") is None


def test_an_end_is_taken_up_once(database: Database) -> None:
    """By whoever comes first; a later end of the same webhook is another one."""
    with database.writing() as connection:
        account = add_account(connection)
        connect(connection, account, add_feed(connection))
        (place,) = places(connection)
        routes.suspend(connection, place, reason="gone", now=NOON)
        (ended,) = ends.list_untold(connection)
        taken = ends.note_told(connection, [place], now=NOON)
        again = ends.note_told(connection, [place], now=NOON)
        untold = ends.list_untold(connection)
        later = NOON + timedelta(hours=1)
        routes.resume(connection, place, now=later)
        routes.suspend(connection, place, reason="gone again", now=later)

        assert ("30", "gone", ("Harbour News",)) == (
            ended.added_by,
            ended.reason,
            ended.feed_titles,
        )
        assert ([place], [], []) == (taken, again, untold)
        assert ["gone again"] == [each.reason for each in ends.list_untold(connection)]


def test_our_own_webhook_is_found_again(database: Database) -> None:
    """Not one that somebody brought, and none that has ended."""
    with database.writing() as connection:
        account = add_account(connection)
        feed = add_feed(connection)
        connect(connection, account, feed, address="7?thread_id=8")
        connect(connection, account, feed, address="9", hook=replace(HOOK, channel_id="21"))
        brought = replace(HOOK, channel_id="22", is_ours=False)
        connect(connection, account, feed, address="11", hook=brought)

        assert ("7", b"sealed") == guilds.own_webhook(connection, account, "10", "20")
        assert guilds.own_webhook(connection, account, "10", "22") is None
        for place in places(connection):
            routes.suspend(connection, place, reason="gone", now=NOON)
        assert guilds.own_webhook(connection, account, "10", "20") is None
