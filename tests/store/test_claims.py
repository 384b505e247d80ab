"""Leases: one worker at a time, none for ever, and no work forgotten on release."""

from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from datetime import timedelta

import pytest
from sqlalchemy import Connection, insert, select, update

from tests.rows import NOON, add_account, add_feed, at, follow
from wireroom.errors import LeaseLost
from wireroom.store import claims, turns
from wireroom.store import feeds as store_feeds
from wireroom.store.claims import LaneLease
from wireroom.store.engine import Database, connect
from wireroom.store.schema import destinations, feeds, lanes, routes

LEASE_MINUTES = claims.LEASE / timedelta(minutes=1)


@pytest.fixture
def connection(database: Database) -> Iterator[Connection]:
    """A transaction on each engine, rolled back at the end."""
    with database.writing() as connection:
        yield connection


def due_lane(connection: Connection, title: str, minutes: float) -> int:
    """A feed on a host of its own that was due at that minute."""
    feed_id = add_feed(connection, title, next_poll_at=at(minutes))
    claims.wake_lane(connection, lane_of(title), at=at(minutes))
    return feed_id


def lane_of(title: str) -> str:
    return f"{title.casefold()}.example"


def claim(connection: Connection, minutes: float = 0, limit: int = 10) -> list[LaneLease]:
    return claims.claim_lanes(connection, owner="me", now=at(minutes), limit=limit)


def ready_at(connection: Connection, title: str) -> object:
    return connection.execute(
        select(lanes.c.ready_at).where(lanes.c.key == lane_of(title))
    ).scalar()


def test_the_longest_overdue_lanes_come_first(connection: Connection) -> None:
    """With room for two, the two that wait longest are taken (SCH-34)."""
    for title, minutes in (("Late", -1), ("Later", -5), ("Latest", -9), ("Future", 5)):
        due_lane(connection, title, minutes)

    taken = {lease.lane for lease in claim(connection, limit=2)}
    assert {"latest.example", "later.example"} == taken


def test_a_leased_lane_is_not_taken_again_until_the_lease_runs_out(
    connection: Connection,
) -> None:
    """A claim moves the lane to the end of the lease, so that a second one finds nothing; after
    that, the lane is there again for anybody (SCH-35)."""
    due_lane(connection, "Harbour", -1)
    first = claim(connection)

    assert 1 == len(first)
    assert NOON + claims.LEASE == ready_at(connection, "Harbour")
    assert [] == claim(connection, 1)
    again = claim(connection, LEASE_MINUTES + 0.1)
    assert first[0].token + 1 == again[0].token


def test_whoever_lost_the_lease_cannot_commit(connection: Connection) -> None:
    """The fence: the first worker comes back late and is told so; the second goes on."""
    due_lane(connection, "Harbour", -1)
    late = claim(connection)
    current = claim(connection, LEASE_MINUTES + 0.1)

    claims.hold_lanes(connection, current, now=at(LEASE_MINUTES + 0.2))
    with pytest.raises(LeaseLost):
        claims.hold_lanes(connection, late, now=at(LEASE_MINUTES + 0.2))


def test_holding_prolongs_the_lease(connection: Connection) -> None:
    """A worker that commits in time keeps a lane with many feeds for as long as it needs."""
    due_lane(connection, "Harbour", -1)
    leases = claim(connection)
    claims.hold_lanes(connection, leases, now=at(LEASE_MINUTES - 0.1))

    assert [] == claim(connection, LEASE_MINUTES + 0.1)


def test_release_looks_at_the_earliest_feed(connection: Connection) -> None:
    """A released lane is ready when the first of its feeds is due."""
    feed_id = due_lane(connection, "Harbour", -1)
    (lease,) = claim(connection)
    connection.execute(update(feeds).where(feeds.c.id == feed_id).values(next_poll_at=at(30)))
    add_feed(connection, "Two", host="harbour.example", next_poll_at=at(20), url="https://x/2")
    claims.release_lane(connection, lease, now=NOON)

    assert at(20) == ready_at(connection, "Harbour")


def test_what_became_due_during_a_lease_is_not_forgotten(connection: Connection) -> None:
    """Somebody subscribes while the lane is leased: whoever releases it looks again at once."""
    due_lane(connection, "Harbour", -1)
    (lease,) = claim(connection)
    claims.wake_lane(connection, lease.lane, at=at(1))

    assert NOON + claims.LEASE == ready_at(connection, "Harbour")
    claims.release_lane(connection, lease, now=at(1))
    assert at(1) == ready_at(connection, "Harbour")


def test_a_late_release_changes_nothing(connection: Connection) -> None:
    """Whoever lost the lease cannot give it back for its new owner."""
    due_lane(connection, "Harbour", -1)
    (late,) = claim(connection)
    claim(connection, LEASE_MINUTES + 0.1)
    claims.release_lane(connection, late, now=at(LEASE_MINUTES + 0.2))

    assert [] == claim(connection, LEASE_MINUTES + 0.3)


def test_a_pause_outlasts_what_is_due(connection: Connection) -> None:
    """A host that asked for silence is not ready before it ends, and no wish shortens another."""
    due_lane(connection, "Harbour", -1)
    (lease,) = claim(connection)
    claims.pause_lane(connection, lease.lane, until=at(60))
    claims.pause_lane(connection, lease.lane, until=at(10))
    claims.release_lane(connection, lease, now=NOON)
    claims.wake_lane(connection, lease.lane, at=at(1))

    assert at(60) == ready_at(connection, "Harbour")


def test_a_lane_by_name_is_made_and_goes_when_it_stays_empty(connection: Connection) -> None:
    """A probe of an unknown host leaves nothing behind."""
    lease = claims.claim_lane(connection, "new.example", owner="me", now=NOON)
    assert lease is not None
    assert claims.claim_lane(connection, "new.example", owner="you", now=NOON) is None
    claims.release_lane(connection, lease, now=NOON)

    assert [] == connection.execute(select(lanes.c.key)).all()


def test_two_claims_at_once_never_share_a_lane(database: Database) -> None:
    """Many workers, many lanes: each lane is leased by exactly one of them."""
    with database.writing() as connection:
        for number in range(40):
            due_lane(connection, f"Host{number}", -1)
    others = [connect(database.url.render_as_string(hide_password=False)) for _ in range(4)]

    def take(other: Database) -> list[str]:
        taken = []
        for _ in range(5):
            with other.writing() as connection:
                taken += [lease.lane for lease in claim(connection, limit=3)]
        return taken

    with ThreadPoolExecutor(4) as threads:
        taken = [lane for lanes_taken in threads.map(take, others) for lane in lanes_taken]
    for other in others:
        other.close()

    assert len(taken) == len(set(taken))
    assert 40 == len(taken)


# -- destinations
# ----------------------------------------------------------------------------------


def destination_with_route(connection: Connection, channel: str = "telegram") -> tuple[int, int]:
    """A destination and the feed that a route brings to it."""
    account_id = add_account(connection)
    feed_id = add_feed(connection)
    subscription_id = follow(connection, account_id, feed_id)
    destination_id = connection.execute(
        insert(destinations)
        .values(account_id=account_id, channel=channel, address="4711", created_at=NOON)
        .returning(destinations.c.id)
    ).scalar_one()
    connection.execute(
        insert(routes).values(
            subscription_id=subscription_id,
            feed_id=feed_id,
            destination_id=destination_id,
            cursor=0,
            created_at=NOON,
        )
    )
    return destination_id, feed_id


def claim_destinations(connection: Connection, minutes: float = 0) -> list[int]:
    leases = claims.claim_destinations(
        connection, owner="me", channels=["telegram"], now=at(minutes), limit=10
    )
    return [lease.destination_id for lease in leases]


def test_news_make_a_destination_ready(connection: Connection) -> None:
    """Nothing waits before the news, the destination is ready after it, and only for its
    channel.
    """
    destination_id, feed_id = destination_with_route(connection)
    assert [] == claim_destinations(connection)
    claims.wake_destinations(connection, [feed_id], now=NOON)

    assert [destination_id] == claim_destinations(connection)
    assert [] == claim_destinations(connection)


def test_news_during_a_turn_lead_to_another_turn(connection: Connection) -> None:
    """Entries that came after the last look are not left lying when the turn ends."""
    destination_id, feed_id = destination_with_route(connection)
    claims.wake_destinations(connection, [feed_id], now=NOON)
    (lease,) = claims.claim_destinations(
        connection, owner="me", channels=["telegram"], now=NOON, limit=1
    )
    claims.wake_destinations(connection, [feed_id], now=at(1))
    claims.release_destination(connection, lease, now=at(1), retry_at=None)

    assert [destination_id] == claim_destinations(connection, 1)


def test_news_do_not_cut_a_wait_short(connection: Connection) -> None:
    """A destination that asked for patience keeps it whatever comes meanwhile."""
    destination_id, feed_id = destination_with_route(connection)
    claims.wake_destinations(connection, [feed_id], now=NOON)
    (lease,) = claims.claim_destinations(
        connection, owner="me", channels=["telegram"], now=NOON, limit=1
    )
    claims.release_destination(connection, lease, now=NOON, retry_at=at(10))
    claims.wake_destinations(connection, [feed_id], now=at(1))

    assert [] == claim_destinations(connection, 9)
    assert [destination_id] == claim_destinations(connection, 10)


def test_a_suspended_destination_stays_asleep(connection: Connection) -> None:
    """News do not wake what was suspended; somebody has to."""
    destination_id, feed_id = destination_with_route(connection)
    connection.execute(
        update(destinations)
        .where(destinations.c.id == destination_id)
        .values(suspended_at=NOON, ready_at=None)
    )
    claims.wake_destinations(connection, [feed_id], now=NOON)

    assert [] == claim_destinations(connection, 60)


@pytest.mark.parametrize(
    ("minutes", "is_asked"),
    [pytest.param(1.9, True, id="a minute left"), pytest.param(2.1, False, id="less")],
)
def test_no_request_begins_at_the_end_of_a_lease(
    connection: Connection, minutes: float, *, is_asked: bool
) -> None:
    """A process that was stopped meanwhile would still ask when somebody else takes over."""
    due_lane(connection, "Harbour", -1)
    (lease,) = claim(connection)
    now = at(minutes)

    assert is_asked == (store_feeds.next_due(connection, lease, now=now) is not None)
    assert is_asked == bool(turns.next_due(connection, [lease], now=now))
