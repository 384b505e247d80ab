"""Feeds that move and feeds that become one: nothing twice, nothing lost, nobody flooded."""

from collections.abc import Iterator
from typing import Any

import pytest
from sqlalchemy import Connection, insert, select, update

from tests.rows import NOON, add_account, add_entry, add_feed, add_folder, at, follow
from wireroom.feeds.traits import item_key
from wireroom.store import claims, feeds, moves, places, routes, tagging, tags
from wireroom.store import entries as entry_rows
from wireroom.store.engine import Database
from wireroom.store.moves import Move
from wireroom.store.places import Place
from wireroom.store.schema import (
    articles,
    deliveries,
    destinations,
    entries,
    entry_keys,
    entry_states,
    entry_tags,
    lanes,
    subscriptions,
)
from wireroom.store.schema import feeds as feeds_table
from wireroom.store.schema import routes as routes_table

NEW = "https://new.example/feed.xml"


@pytest.fixture
def connection(database: Database) -> Iterator[Connection]:
    """A transaction on each engine, rolled back at the end."""
    with database.writing() as connection:
        yield connection


def a_feed(connection: Connection, title: str, **values: Any) -> int:
    return add_feed(connection, title, last_success_at=at(-60), **values)


def stories(connection: Connection, feed_id: int, *names: str, **values: Any) -> None:
    """Entries of a feed, known under two names each."""
    for name in names:
        seq = add_entry(connection, feed_id, at(-50), name, public_id=name, **values)
        for kind in ("guid", "title"):
            connection.execute(
                insert(entry_keys).values(feed_id=feed_id, key=item_key(kind, name), seq=seq)
            )


def a_route(
    connection: Connection, account: int, subscription: int, cursor: int | None, **values: Any
) -> int:
    """A route to a new destination of the account, or to the one given."""
    destination = values.pop("destination_id", None)
    if destination is None:
        number = len(connection.execute(select(destinations.c.id)).all())
        destination = connection.execute(
            insert(destinations)
            .values(account_id=account, channel="telegram", address=str(number), created_at=NOON)
            .returning(destinations.c.id)
        ).scalar_one()
    feed_id = connection.execute(
        select(subscriptions.c.feed_id).where(subscriptions.c.id == subscription)
    ).scalar_one()
    return int(
        connection.execute(
            insert(routes_table)
            .values(
                subscription_id=subscription,
                feed_id=feed_id,
                destination_id=destination,
                cursor=cursor,
                created_at=NOON,
                **values,
            )
            .returning(routes_table.c.id)
        ).scalar_one()
    )


def sends(connection: Connection, route_id: int) -> list[str]:
    """Titles of what a route has yet to send, in order, exactly as delivery decides it."""
    destination = connection.execute(
        select(routes_table.c.destination_id).where(routes_table.c.id == route_id)
    ).scalar_one()
    waiting = routes.outbox(connection, destination, now=NOON)
    return [
        entry.title
        for each in waiting
        if each.route.id == route_id
        for entry in each.entries
        if entry.seq not in each.route.passed
        and (entry.is_news or entry.seq <= each.route.asked_through)
    ]


def move(connection: Connection, feed_id: int, url: str = NEW) -> bool:
    feed = feeds.to_poll(connection, feed_id)
    assert feed is not None
    lane = url.split("/")[2]
    return moves.carry_out(connection, feed, Move(url, url, lane), now=NOON)


def test_a_free_address_is_taken(connection: Connection) -> None:
    """URL, key and lane change together, and the new lane knows when the feed is due."""
    feed_id = a_feed(connection, "Old", next_poll_at=at(5))

    assert not move(connection, feed_id)
    moved = feeds.to_poll(connection, feed_id)
    assert moved is not None
    assert (NEW, NEW, "new.example") == (moved.url, moved.canonical_key, moved.lane)
    ready = select(lanes.c.ready_at).where(lanes.c.key == "new.example")
    assert connection.execute(ready).scalar() == NOON


@pytest.mark.parametrize(
    ("url", "key", "private"),
    [
        pytest.param("https://x.example/" + "y" * 3000, "", False, id="no key"),
        pytest.param(NEW, NEW, True, id="credentials elsewhere"),
    ],
)
def test_impossible_moves_are_noted(
    connection: Connection, url: str, key: str, private: bool
) -> None:
    """The feed stays where it is, and people can see where it was sent (HTTP-32)."""
    account = add_account(connection)
    feed_id = a_feed(connection, "Old", owner_account_id=account if private else 0)
    feed = feeds.to_poll(connection, feed_id)
    assert feed is not None

    assert not moves.carry_out(connection, feed, Move(url, key, "new.example"), now=NOON)
    row = connection.execute(select(feeds_table).where(feeds_table.c.id == feed_id)).one()
    assert (feed.url, url[:2048]) == (row.url, row.redirect_conflict_url)


def test_two_feeds_become_one(connection: Connection) -> None:
    """The old row is gone; its follower follows the other one, with all that was set, and that one
    is due now (HTTP-29, HTTP-30)."""
    account = add_account(connection)
    folder = add_folder(connection, account, "Sea")
    gone, kept = a_feed(connection, "Old"), a_feed(connection, "New", url=NEW, host="new.example")
    subscription = follow(
        connection,
        account,
        gone,
        folder_id=folder,
        custom_title="Mine",
        read_watermark=at(-55),
        settings={"muted": True},
    )

    assert move(connection, gone)
    assert feeds.to_poll(connection, gone) is None
    row = connection.execute(select(subscriptions).where(subscriptions.c.id == subscription)).one()
    assert (kept, folder, "Mine", at(-55), {"muted": True}) == (
        row.feed_id,
        row.folder_id,
        row.custom_title,
        row.read_watermark,
        row.settings,
    )
    survivor = feeds.to_poll(connection, kept)
    assert survivor is not None
    assert 1 == survivor.subscriber_count
    due = select(feeds_table.c.next_poll_at).where(feeds_table.c.id == kept)
    assert connection.execute(due).scalar() == NOON


@pytest.mark.parametrize(
    ("theirs", "ours", "sent", "expected"),
    [
        pytest.param("abcd", "abcd", 2, "cd", id="same feed"),
        pytest.param("abcd", "dcba", 2, "dc", id="other order"),
        pytest.param("abcd", "cdxyz", 2, "cdxyz", id="what it waits for is older here"),
        pytest.param("abcd", "cab", 2, "cd", id="what is sent stands after what is not"),
        pytest.param("abc", "xyz", 3, "", id="nothing in common, all sent"),
        pytest.param("abc", "xyz", 1, "bc", id="nothing in common, some waiting"),
        pytest.param("abc", "abcx", 3, "x", id="the other feed is ahead"),
        pytest.param("abc", "xabc", 3, "", id="the other feed knows older ones"),
        pytest.param("", "abc", 0, "", id="nothing was ever read of it"),
    ],
)
def test_a_route_sends_what_it_has_not_sent(
    connection: Connection, theirs: str, ours: str, sent: int, expected: str
) -> None:
    """Numbers differ between the feeds; what a route has dealt with is told by names."""
    account = add_account(connection)
    gone, kept = a_feed(connection, "Old"), a_feed(connection, "New", url=NEW, host="new.example")
    stories(connection, gone, *theirs)
    stories(connection, kept, *ours)
    route = a_route(connection, account, follow(connection, account, gone), sent)
    other = add_account(connection, "bob")
    neighbour = a_route(connection, other, follow(connection, other, kept), len(ours))

    assert move(connection, gone)
    assert list(expected) == sends(connection, route)
    assert [] == sends(connection, neighbour)


def test_a_feed_far_ahead_sends_a_few(connection: Connection) -> None:
    """Of what only the other feed has, the newest ten are news to those who come (promise 8); of
    each of the others the ledger says why it is not sent."""
    account = add_account(connection)
    gone, kept = a_feed(connection, "Old"), a_feed(connection, "New", url=NEW, host="new.example")
    stories(connection, gone, "a")
    stories(connection, kept, "a", *(f"x{n}" for n in range(30)))
    route = a_route(connection, account, follow(connection, account, gone), 1)

    assert move(connection, gone)
    assert [f"x{n}" for n in range(20, 30)] == sends(connection, route)
    noted = connection.execute(
        select(deliveries.c.seq, deliveries.c.detail).where(deliveries.c.route_id == route)
    ).all()
    assert list(range(2, 22)) == [row.seq for row in noted]
    why = "passed over: two feeds became one, and only the newest 10 of 30 that the other had met"
    assert {f"{why} are sent"} == {row.detail for row in noted}


@pytest.mark.parametrize(
    ("place", "wish"),
    [
        pytest.param("route", {"burst": 3}, id="a burst of the route"),
        pytest.param("account", {"digest": "08:00"}, id="digests of the account"),
    ],
)
def test_a_backlog_policy_gets_it_all(
    connection: Connection, place: Any, wish: dict[str, Any]
) -> None:
    """A route that says what becomes of a backlog is given all of it, and delivery decides."""
    account = add_account(connection)
    gone, kept = a_feed(connection, "Old"), a_feed(connection, "New", url=NEW, host="new.example")
    stories(connection, gone, "a")
    stories(connection, kept, "a", *(f"x{n}" for n in range(30)))
    route = a_route(connection, account, follow(connection, account, gone), 1)
    whose = {"route": route, "account": account}[place]
    places.change_settings(connection, Place(place, whose), wish, now=NOON)

    assert move(connection, gone)
    assert [f"x{n}" for n in range(10)] == sends(connection, route)
    assert [] == connection.scalars(select(deliveries.c.seq)).all()


def test_who_followed_both_follows_once(connection: Connection) -> None:
    """Two subscriptions and two routes to one place become one; it sends what either had not
    (HTTP-29)."""
    account = add_account(connection)
    gone, kept = a_feed(connection, "Old"), a_feed(connection, "New", url=NEW, host="new.example")
    stories(connection, gone, "a", "b", "only there")
    stories(connection, kept, "a", "b", "c")
    first = follow(connection, account, kept)
    second = follow(connection, account, gone, custom_title="Mine")
    route = a_route(connection, account, first, 2)
    destination = connection.execute(select(destinations.c.id)).scalar_one()
    twin = a_route(connection, account, second, 2, destination_id=destination)

    assert move(connection, gone)
    left = connection.execute(
        select(subscriptions.c.id, subscriptions.c.feed_id, subscriptions.c.custom_title)
    ).all()
    assert [(first, kept, "Mine")] == [tuple(row) for row in left]
    assert ["c", "only there"] == sends(connection, route)
    gone_route = select(routes_table.c.id).where(routes_table.c.id == twin)
    assert connection.execute(gone_route).first() is None


def test_what_readers_marked_goes_along(connection: Connection) -> None:
    """States find the same entry under its new number; favourites that only the old feed had come
    along, read to those who never followed it."""
    ada, bob = add_account(connection), add_account(connection, "bob")
    gone, kept = a_feed(connection, "Old"), a_feed(connection, "New", url=NEW, host="new.example")
    stories(connection, gone, "a", "only there")
    stories(connection, kept, "x", "a")
    follow(connection, ada, gone)
    follow(connection, bob, kept)
    for seq in (1, 2):
        connection.execute(
            insert(entry_states).values(
                account_id=ada, feed_id=gone, seq=seq, is_favorite=True, updated_at=NOON
            )
        )

    assert move(connection, gone)
    said = connection.execute(
        select(
            entry_states.c.account_id,
            entries.c.title,
            entry_states.c.is_favorite,
            entry_states.c.is_read,
        )
        .join(
            entries,
            (entries.c.feed_id == entry_states.c.feed_id) & (entries.c.seq == entry_states.c.seq),
        )
        .order_by(entry_states.c.account_id, entry_states.c.seq)
    ).all()
    assert [
        (ada, "a", True, None),
        (ada, "only there", True, None),
        (bob, "only there", False, True),
    ] == [tuple(row) for row in said]


def test_words_and_articles_go_along(connection: Connection) -> None:
    """Tags on subscriptions and entries, fetched articles and the wish for them are kept."""
    ada = add_account(connection)
    old, new = a_feed(connection, "Old"), a_feed(connection, "New", url=NEW, canonical_key=NEW)
    stories(connection, old, "both", "storm")
    stories(connection, new, "both", "calm")
    theirs = follow(connection, ada, old, full_content=True)
    ours = follow(connection, ada, new)
    tags.put(connection, theirs, ["ships", "sea"])
    tags.put(connection, ours, ["sea"])
    for seq in (1, 2):
        tagging.put(connection, ada, ["kept"], old, seq, now=NOON)
    connection.execute(
        insert(articles).values(
            feed_id=old, seq=2, lane="x.example", give_up_at=NOON, content="<p>All of it</p>"
        )
    )

    assert move(connection, old)

    tagged = select(entries.c.title).join(
        entry_tags,
        (entry_tags.c.feed_id == entries.c.feed_id) & (entry_tags.c.seq == entries.c.seq),
    )
    assert {"both", "storm"} == set(connection.scalars(tagged))
    assert {ours: ["sea", "ships"]} == tags.by_subscription(connection, ada)
    assert [True] == connection.scalars(select(subscriptions.c.full_content)).all()
    assert [(new, 3, "<p>All of it</p>")] == [
        tuple(row)
        for row in connection.execute(
            select(articles.c.feed_id, articles.c.seq, articles.c.content)
        )
    ]


def test_names_go_along(connection: Connection) -> None:
    """What the old feed had seen does not come back as new in the other one."""
    add_account(connection)
    gone, kept = a_feed(connection, "Old"), a_feed(connection, "New", url=NEW, host="new.example")
    stories(connection, gone, "a")
    tombstone = item_key("guid", "removed long ago")
    connection.execute(insert(entry_keys).values(feed_id=gone, key=tombstone, seq=None))

    assert move(connection, gone)
    names = select(entry_keys.c.key).where(entry_keys.c.feed_id == kept)
    assert {tombstone, item_key("guid", "a")} <= {
        bytes(key) for key in connection.execute(names).scalars()
    }


def test_a_dead_feed_is_revived_by_those_who_come(connection: Connection) -> None:
    """Nobody is merged into silence (HTTP-31)."""
    gone = a_feed(connection, "Old")
    kept = a_feed(
        connection, "New", url=NEW, host="new.example", disabled_at=at(-9), next_poll_at=None
    )

    assert move(connection, gone)
    row = connection.execute(select(feeds_table).where(feeds_table.c.id == kept)).one()
    assert (None, NOON) == (row.disabled_at, row.next_poll_at)


def test_an_address_that_was_never_read_gives_way(connection: Connection) -> None:
    """Of a feed that was only just added, the followers come to the feed that moved there."""
    ada, bob = add_account(connection), add_account(connection, "bob")
    gone = a_feed(connection, "Old")
    fresh = add_feed(connection, "New", url=NEW, host="new.example")
    stories(connection, gone, "a", "b")
    route = a_route(connection, ada, follow(connection, ada, gone), 1)
    follow(connection, bob, fresh)
    newcomer = a_route(
        connection,
        bob,
        connection.execute(
            select(subscriptions.c.id).where(subscriptions.c.account_id == bob)
        ).scalar_one(),
        None,
        initial_items=1,
    )

    assert not move(connection, gone)
    moved = feeds.to_poll(connection, gone)
    assert moved is not None
    assert (NEW, 2) == (moved.url, moved.subscriber_count)
    assert feeds.to_poll(connection, fresh) is None
    assert (["b"], ["b"]) == (sends(connection, route), sends(connection, newcomer))


def test_feeds_wait_while_a_message_is_under_way(connection: Connection) -> None:
    """A worker that holds a message must find its route again; the merge comes later."""
    account = add_account(connection)
    gone = a_feed(connection, "Old")
    a_feed(connection, "New", url=NEW, host="new.example")
    stories(connection, gone, "a")
    route = a_route(connection, account, follow(connection, account, gone), 0)
    connection.execute(update(destinations).values(lease_owner="sender", ready_at=at(3)))

    assert not move(connection, gone)
    assert ["a"] == sends(connection, route)
    connection.execute(update(destinations).values(lease_owner=None, ready_at=None))
    assert move(connection, gone)


def test_same_titles_are_not_the_same_story(connection: Connection) -> None:
    """One name in common is chance: "Today's menu" of both feeds stays two entries."""
    account = add_account(connection)
    gone, kept = a_feed(connection, "Old"), a_feed(connection, "New", url=NEW, host="new.example")
    for feed_id, guid in ((gone, "g1"), (kept, "g2")):
        seq = add_entry(
            connection, feed_id, at(-50), "Menu", public_id=guid, content_hash=guid.encode() * 8
        )
        for key in (item_key("title", "Menu"), item_key("guid", guid)):
            connection.execute(insert(entry_keys).values(feed_id=feed_id, key=key, seq=seq))
    route = a_route(connection, account, follow(connection, account, gone), 0)

    assert move(connection, gone)
    assert ["Menu"] == sends(connection, route)
    assert 2 == len(connection.execute(select(entries.c.seq)).all())


def test_another_adapter_is_another_feed(connection: Connection) -> None:
    """Identity is URL and adapter: a feed with another adapter moves beside it (C18)."""
    gone = a_feed(connection, "Old", adapter="f5")
    a_feed(connection, "New", url=NEW, host="new.example")

    assert not move(connection, gone)
    moved = feeds.to_poll(connection, gone)
    assert moved is not None
    assert (NEW, "f5") == (moved.url, moved.adapter)


def test_the_pause_of_a_lane_outlives_its_feeds(connection: Connection) -> None:
    """A host that asked for silence is remembered although no feed is on it."""
    claims.pause_lane(connection, "far.example", until=at(5))
    claims.remove_empty_lane(connection, "far.example", now=at(1))

    assert at(5) == claims.paused_until(connection, "far.example")


# -- rules ----------------------------------------------------------------------------------------


def ruled_through(connection: Connection, subscription: int) -> int | None:
    return connection.scalar(
        select(subscriptions.c.ruled_through).where(subscriptions.c.id == subscription)
    )


@pytest.mark.parametrize(
    ("theirs", "ours", "expected"),
    [
        pytest.param("abc", "bcxy", "xy", id="what only the other met"),
        pytest.param("abc", "abc", "", id="nothing new"),
        pytest.param("abc", "xyz", "", id="nothing in common"),
        pytest.param("", "xyz", "", id="never read"),
    ],
)
def test_rules_go_on_where_feeds_become_one(
    connection: Connection, theirs: str, ours: str, expected: str
) -> None:
    """What rules were asked about is not asked again; what a route would send is still to come."""
    account = add_account(connection)
    gone, kept = a_feed(connection, "Old"), a_feed(connection, "New", url=NEW, host="new.example")
    stories(connection, gone, *theirs)
    stories(connection, kept, *ours)
    subscription = follow(connection, account, gone, ruled_through=len(theirs))

    assert move(connection, gone)
    through = ruled_through(connection, subscription)
    assert through is not None
    ahead = entry_rows.after(connection, kept, through, 100)
    assert expected == "".join(each.title for each in ahead if each.is_news)


def test_feeds_do_not_become_one_before_their_rules(connection: Connection) -> None:
    """What comes along is no news there, so the rules of those who follow have to be through."""
    account = add_account(connection)
    gone, kept = a_feed(connection, "Old"), a_feed(connection, "New", url=NEW, host="new.example")
    stories(connection, gone, *"abc")
    stories(connection, kept, *"abc")
    subscription = follow(connection, account, gone, ruled_through=1)

    assert not move(connection, gone)
    assert feeds.to_poll(connection, gone) is not None
    connection.execute(
        update(subscriptions).where(subscriptions.c.id == subscription).values(ruled_through=3)
    )
    assert move(connection, gone)


@pytest.mark.parametrize(
    ("theirs", "ours", "expected"),
    [
        pytest.param(3, 1, 1, id="both"),
        pytest.param(None, 1, 1, id="the kept one's"),
        pytest.param(3, None, 3, id="the other's"),
        pytest.param(None, None, None, id="none"),
    ],
)
def test_rules_of_who_followed_both(
    connection: Connection, theirs: int | None, ours: int | None, expected: int | None
) -> None:
    """One cursor is left, and it never jumps over what is before the kept one's."""
    account = add_account(connection)
    gone, kept = a_feed(connection, "Old"), a_feed(connection, "New", url=NEW, host="new.example")
    stories(connection, gone, *"abc")
    stories(connection, kept, *"abc")
    follow(connection, account, gone, ruled_through=theirs)
    subscription = follow(connection, account, kept, ruled_through=ours)

    assert move(connection, gone)
    assert expected == ruled_through(connection, subscription)
