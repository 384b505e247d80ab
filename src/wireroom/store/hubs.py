"""Subscriptions at hubs (WebSub): which feeds have one, in which state, until when."""

from dataclasses import dataclass
from datetime import datetime

from sqlalchemy import Connection, delete, insert, or_, select, update

from wireroom.store.schema import feeds, hub_leases

#: States: asked (the hub has yet to call back), active, denied, failed.
ASKED, ACTIVE, DENIED, FAILED = "asked", "active", "denied", "failed"


@dataclass(frozen=True, slots=True)
class HubLease:
    """A feed's subscription at a hub; `secret` is sealed."""

    feed_id: int
    hub_url: str
    topic_url: str
    callback: str
    secret: bytes
    state: str
    expires_at: datetime | None
    failures: int
    forged: int


@dataclass(frozen=True, slots=True)
class Wanted:
    """A feed that has a hub at which we are not subscribed yet, or not under this topic."""

    feed_id: int
    hub_url: str
    topic_url: str


@dataclass(frozen=True, slots=True)
class Hub:
    """How it stands between us and a feed's hub, for people."""

    url: str
    state: str
    expires_at: datetime | None
    pushed_at: datetime | None
    detail: str


def standing(connection: Connection, feed_id: int) -> Hub | None:
    """None for a feed without a hub, or where no hub can reach us."""
    row = connection.execute(
        select(
            hub_leases.c.hub_url,
            hub_leases.c.state,
            hub_leases.c.expires_at,
            hub_leases.c.pushed_at,
            hub_leases.c.detail,
        ).where(hub_leases.c.feed_id == feed_id)
    ).first()
    return None if row is None else Hub(*row)


_LEASE = (
    hub_leases.c.feed_id,
    hub_leases.c.hub_url,
    hub_leases.c.topic_url,
    hub_leases.c.callback,
    hub_leases.c.secret,
    hub_leases.c.state,
    hub_leases.c.expires_at,
    hub_leases.c.failures,
    hub_leases.c.forged,
)


def wanted(connection: Connection, *, limit: int) -> list[Wanted]:
    """Feeds whose hub or topic is new to us."""
    rows = connection.execute(
        select(feeds.c.id, feeds.c.hub_url, feeds.c.self_url)
        .outerjoin(hub_leases, hub_leases.c.feed_id == feeds.c.id)
        .where(feeds.c.hub_url != "", feeds.c.disabled_at.is_(None))
        # What is somebody's own is not told to a hub.
        .where(feeds.c.owner_account_id == 0)
        .where(
            or_(
                hub_leases.c.feed_id.is_(None),
                hub_leases.c.hub_url != feeds.c.hub_url,
                hub_leases.c.topic_url != feeds.c.self_url,
            )
        )
        .order_by(feeds.c.id)
        .limit(limit)
    )
    return [Wanted(*row) for row in rows]


def due(connection: Connection, *, now: datetime, limit: int) -> list[HubLease]:
    """Subscriptions that are to be asked for again or renewed, longest due first."""
    rows = connection.execute(
        select(*_LEASE)
        .join(feeds, feeds.c.id == hub_leases.c.feed_id)
        .where(hub_leases.c.act_at <= now, feeds.c.disabled_at.is_(None))
        .order_by(hub_leases.c.act_at)
        .limit(limit)
    )
    return [HubLease(*row) for row in rows]


def begin(
    connection: Connection, want: Wanted, *, callback: str, secret: bytes, act_at: datetime
) -> HubLease:
    """A row for a new subscription, in place of an older one: written before the hub is asked,
    because its question may come before its answer."""
    connection.execute(delete(hub_leases).where(hub_leases.c.feed_id == want.feed_id))
    connection.execute(
        insert(hub_leases).values(
            feed_id=want.feed_id,
            hub_url=want.hub_url,
            topic_url=want.topic_url,
            callback=callback,
            secret=secret,
            state=ASKED,
            act_at=act_at,
        )
    )
    return HubLease(
        want.feed_id, want.hub_url, want.topic_url, callback, secret, ASKED, None, 0, 0
    )


def by_callback(connection: Connection, callback: str) -> HubLease | None:
    """The subscription that this callback was made for."""
    row = connection.execute(select(*_LEASE).where(hub_leases.c.callback == callback)).first()
    return None if row is None else HubLease(*row)


def granted(
    connection: Connection, lease: HubLease, *, expires_at: datetime, act_at: datetime
) -> None:
    """The hub asked whether we mean it, and we do."""
    connection.execute(
        update(hub_leases)
        .where(hub_leases.c.callback == lease.callback)
        .values(state=ACTIVE, expires_at=expires_at, act_at=act_at, failures=0, detail="")
    )


def asking(connection: Connection, lease: HubLease, *, act_at: datetime) -> None:
    """We are about to ask again; an active subscription stays so meanwhile (§5.1)."""
    connection.execute(
        update(hub_leases).where(hub_leases.c.callback == lease.callback).values(act_at=act_at)
    )


def refused(
    connection: Connection, lease: HubLease, *, state: str, detail: str, act_at: datetime
) -> None:
    """The hub said no or did not answer. A lease that runs still runs on, unless it was denied."""
    keeps = lease.state == ACTIVE and state != DENIED
    connection.execute(
        update(hub_leases)
        .where(hub_leases.c.callback == lease.callback)
        .values(
            state=ACTIVE if keeps else state,
            failures=hub_leases.c.failures + 1,
            act_at=act_at,
            detail=detail[:256],
        )
    )


def count_forged(connection: Connection, lease: HubLease) -> None:
    """A push without our signature."""
    connection.execute(
        update(hub_leases)
        .where(hub_leases.c.callback == lease.callback)
        .values(forged=hub_leases.c.forged + 1)
    )


def forget(connection: Connection, lease: HubLease) -> None:
    """End it on our side: a new callback and a new secret are made at the next look."""
    connection.execute(delete(hub_leases).where(hub_leases.c.callback == lease.callback))
