"""Destinations, routes and their cursors: what waits for whom, and what became of it.

The outbox is not a table: it is every entry past a route's cursor. A cursor moves in one statement
that names the place it moves from, so a worker that was overtaken moves nothing.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from typing import Any, Literal

from sqlalchemy import (
    ColumnElement,
    Connection,
    Row,
    Select,
    and_,
    case,
    delete,
    func,
    insert,
    literal,
    or_,
    select,
    true,
    update,
)
from sqlalchemy.exc import IntegrityError

from wireroom.errors import LeaseLost
from wireroom.store import articles, claims, errands
from wireroom.store.claims import DestinationLease
from wireroom.store.entries import Entry, after
from wireroom.store.schema import (
    Instant,
    accounts,
    deliveries,
    destinations,
    feeds,
    folders,
    routes,
    subscriptions,
)

#: How many routes and how many entries of each one look into a destination's outbox takes in.
ROUTES_AT_ONCE = 20
ENTRIES_AT_ONCE = 10
#: The outcome of deliveries that stand for "dealt with before two feeds became one".
MERGED = "merged"


@dataclass(frozen=True, slots=True)
class Destination:
    """Where messages go; `secret` is still sealed."""

    id: int
    account_id: int
    channel: str
    address: str
    secret: bytes | None
    title: str
    settings: Mapping[str, Any]
    suspended_reason: str
    suspended_at: datetime | None


@dataclass(frozen=True, slots=True)
class Route:
    """A route that is behind its feed, with what composing a message needs to know."""

    id: int
    feed_id: int
    cursor: int
    asked_through: int
    last_seq: int
    settings: Mapping[str, Any]
    attempts: int
    failing_since: datetime | None
    parcels_sent: int
    not_before: datetime | None
    feed_title: str
    feed_url: str
    site_url: str
    icon_url: str
    language: str
    destination_id: int = 0
    channel: str = ""
    account_id: int = 0
    folder_id: int | None = None
    folder: str = ""
    #: What the subscription, the destination and the account want, most special first; the
    #: route's own `settings` come before them.
    wider: tuple[Mapping[str, Any], ...] = ()
    #: Entries past the cursor that were dealt with before two feeds became one.
    passed: frozenset[int] = frozenset()


@dataclass(frozen=True, slots=True)
class Waiting:
    """The next entries of one route, in seq order; none when all past the cursor were trimmed."""

    route: Route
    entries: tuple[Entry, ...]


# -- making them ----------------------------------------------------------------------------------


def add_destination(
    connection: Connection,
    *,
    account_id: int,
    channel: str,
    address: str,
    secret: bytes | None,
    title: str,
    now: datetime,
) -> int:
    """Find or make the account's destination; a secret given again replaces the old one."""
    same = (
        destinations.c.account_id == account_id,
        destinations.c.channel == channel,
        destinations.c.address == address,
    )
    known = connection.execute(select(destinations.c.id).where(*same)).scalar()
    if known is None:
        try:
            with connection.begin_nested():
                return int(
                    connection.execute(
                        insert(destinations)
                        .values(
                            account_id=account_id,
                            channel=channel,
                            address=address,
                            secret=secret,
                            title=title,
                            created_at=now,
                        )
                        .returning(destinations.c.id)
                    ).scalar_one()
                )
        except IntegrityError:
            known = connection.execute(select(destinations.c.id).where(*same)).scalar_one()
    if secret is not None:
        connection.execute(
            update(destinations).where(destinations.c.id == known).values(secret=secret)
        )
    return int(known)


def add_route(
    connection: Connection,
    *,
    subscription_id: int,
    destination_id: int,
    initial_items: int,
    now: datetime,
    settings: Mapping[str, Any] | None = None,
) -> int:
    """Find or make the route; a new one starts with the newest `initial_items` ahead of it.

    When the feed was never read, its first reading sets the cursor (promise 8).
    """
    feed = connection.execute(
        select(feeds.c.id, feeds.c.last_seq, feeds.c.last_success_at)
        .join(subscriptions, subscriptions.c.feed_id == feeds.c.id)
        .where(subscriptions.c.id == subscription_id)
        # Its first reading, and a second call, come before or after us, never between.
        .with_for_update(of=feeds, key_share=True)
    ).one()
    known = connection.execute(
        select(routes.c.id).where(
            routes.c.subscription_id == subscription_id,
            routes.c.destination_id == destination_id,
        )
    ).scalar()
    if known is not None:
        return int(known)
    was_read = feed.last_success_at is not None
    made = connection.execute(
        insert(routes)
        .values(
            subscription_id=subscription_id,
            feed_id=feed.id,
            destination_id=destination_id,
            initial_items=initial_items,
            cursor=max(0, feed.last_seq - initial_items) if was_read else None,
            asked_through=feed.last_seq,
            settings=dict(settings or {}),
            created_at=now,
        )
        .returning(routes.c.id)
    ).scalar_one()
    if was_read and initial_items:
        claims.wake_destinations(connection, [feed.id], now=now)
    return int(made)


def start_waiting_routes(
    connection: Connection, feed_ids: Sequence[int], *, news: Mapping[int, int]
) -> None:
    """These feeds were read for the first time: place the cursors that waited for it.

    `news` are the numbers of the first news, of feeds that had some even then: what an import
    showed to be new must be ahead of the cursor.
    """
    for feed_id, seq in news.items():
        if feed_id in feed_ids:
            _start_before(connection, feed_id, seq)
    last_seq = select(feeds.c.last_seq).where(feeds.c.id == routes.c.feed_id).scalar_subquery()
    behind = last_seq - routes.c.initial_items
    connection.execute(
        update(routes)
        .where(routes.c.feed_id.in_(feed_ids), routes.c.cursor.is_(None))
        .values(cursor=case((behind > 0, behind), else_=0), asked_through=last_seq)
    )


def _start_before(connection: Connection, feed_id: int, seq: int) -> None:
    """Everything from `seq` on is ahead of the cursors; what is no news is asked for as ever."""
    last_seq = select(feeds.c.last_seq).where(feeds.c.id == feed_id).scalar_subquery()
    behind = last_seq - routes.c.initial_items
    connection.execute(
        update(routes)
        .where(routes.c.feed_id == feed_id, routes.c.cursor.is_(None))
        .where(behind >= seq)
        .values(
            cursor=seq - 1,
            asked_through=case((routes.c.initial_items > 0, last_seq), else_=0),
        )
    )


# -- the outbox -----------------------------------------------------------------------------------


def destination(connection: Connection, destination_id: int) -> Destination | None:
    """A destination by its id, or None when it is gone."""
    row = connection.execute(
        select(
            destinations.c.id,
            destinations.c.account_id,
            destinations.c.channel,
            destinations.c.address,
            destinations.c.secret,
            destinations.c.title,
            destinations.c.settings,
            destinations.c.suspended_reason,
            destinations.c.suspended_at,
        ).where(destinations.c.id == destination_id)
    ).first()
    return None if row is None else Destination(*row)


_ROUTE = (
    routes.c.id,
    routes.c.feed_id,
    routes.c.cursor,
    routes.c.asked_through,
    feeds.c.last_seq,
    routes.c.settings,
    routes.c.attempts,
    routes.c.failing_since,
    routes.c.parcels_sent,
    routes.c.not_before,
    func.coalesce(func.nullif(subscriptions.c.custom_title, ""), feeds.c.title),
    feeds.c.url,
    feeds.c.site_url,
    feeds.c.icon_url,
    feeds.c.language,
    destinations.c.id.label("destination"),
    destinations.c.channel,
    subscriptions.c.account_id,
    subscriptions.c.folder_id,
    func.coalesce(folders.c.name, ""),
)
_WIDER = (subscriptions.c.settings, destinations.c.settings, accounts.c.preferences)


def _routes() -> Select[Any]:
    return (
        select(*_ROUTE, *_WIDER)
        .select_from(routes)
        .join(feeds, feeds.c.id == routes.c.feed_id)
        .join(subscriptions, subscriptions.c.id == routes.c.subscription_id)
        .join(destinations, destinations.c.id == routes.c.destination_id)
        .join(accounts, accounts.c.id == subscriptions.c.account_id)
        .outerjoin(folders, folders.c.id == subscriptions.c.folder_id)
    )


def _route(row: Row[Any]) -> Route:
    values = tuple(row)
    subscription, destination_, preferences = values[len(_ROUTE) :]
    wider = (subscription, destination_, preferences.get("delivery") or {})
    return replace(Route(*values[: len(_ROUTE)]), wider=wider)


def find(connection: Connection, route_id: int) -> Route | None:
    """A route as delivering sees it, behind its feed or not; None when its feed was never read."""
    row = connection.execute(
        _routes().where(routes.c.id == route_id, routes.c.cursor.is_not(None))
    ).first()
    return None if row is None else _route(row)


def find_any(connection: Connection, route_id: int) -> Route | None:
    """A route as `find` gives it, also before its feed's first reading (cursor 0 then)."""
    row = connection.execute(_routes().where(routes.c.id == route_id)).first()
    if row is None:
        return None
    found = _route(row)
    return found if row.cursor is not None else replace(found, cursor=0)


def outbox(connection: Connection, destination_id: int, *, now: datetime) -> list[Waiting]:
    """What waits for this destination: the next entries of some of its routes."""
    behind = connection.execute(
        _routes()
        .where(*_is_behind(destination_id))
        .where(or_(routes.c.paused_until.is_(None), routes.c.paused_until <= now))
        .where(or_(routes.c.not_before.is_(None), routes.c.not_before <= now))
        .order_by(feeds.c.last_success_at, routes.c.id)
        .limit(ROUTES_AT_ONCE)
    ).all()
    passed = _passed_over(connection, {row.id: row.cursor for row in behind})
    found = [replace(_route(row), passed=passed.get(row.id, frozenset())) for row in behind]
    waiting = [
        Waiting(route, tuple(after(connection, route.feed_id, route.cursor, ENTRIES_AT_ONCE)))
        for route in found
    ]
    return articles.put_in(connection, waiting, now=now)


def _passed_over(
    connection: Connection, route_cursors: Mapping[int, int]
) -> dict[int, frozenset[int]]:
    """For each of these routes, the entries past its cursor that it dealt with in another feed."""
    found: dict[int, set[int]] = {}
    if not route_cursors:
        return {}
    rows = connection.execute(
        select(deliveries.c.route_id, deliveries.c.seq).where(
            deliveries.c.route_id.in_(list(route_cursors)), deliveries.c.outcome == MERGED
        )
    )
    for route_id, seq in rows:
        if seq > route_cursors[route_id]:
            found.setdefault(route_id, set()).add(seq)
    return {route_id: frozenset(seqs) for route_id, seqs in found.items()}


def _is_behind(destination_id: int) -> tuple[ColumnElement[bool], ...]:
    return (routes.c.destination_id == destination_id, feeds.c.last_seq > routes.c.cursor)


def next_at(connection: Connection, destination_id: int, *, now: datetime) -> datetime | None:
    """When the first of this destination's routes may send what it holds back; None: nothing."""
    errand_at = errands.next_at(connection, destination_id, now=now)
    held = connection.execute(
        select(
            routes.c.id,
            routes.c.feed_id,
            routes.c.cursor,
            routes.c.paused_until,
            routes.c.not_before,
        )
        .join(feeds, feeds.c.id == routes.c.feed_id)
        .where(*_is_behind(destination_id))
    ).all()
    places = {row.id: (row.feed_id, row.cursor) for row in held}
    awaited = articles.held_until(connection, places, now=now)
    moments = [
        max(at or now for at in (row.paused_until, row.not_before, awaited.get(row.id)))
        for row in held
    ]
    return min([*moments, *([errand_at] if errand_at else [])], default=None)


def standing(
    connection: Connection, destination_id: int, *, now: datetime
) -> set[tuple[int, int | None]]:
    """The destination's routes that are not paused, each with its cursor."""
    rows = connection.execute(
        select(routes.c.id, routes.c.cursor)
        .where(routes.c.destination_id == destination_id)
        .where(or_(routes.c.paused_until.is_(None), routes.c.paused_until <= now))
    )
    return {(row.id, row.cursor) for row in rows}


def may_send(
    connection: Connection, lease: DestinationLease, route: Route, *, now: datetime
) -> Literal["yes", "late", "moved", "stop"]:
    """Whether the next message of a turn may still go out.

    "late": yes, but the lease must be prolonged first; "moved": the route ended, was paused or
    replayed meanwhile; "stop": the destination was suspended. Raises LeaseLost when somebody else
    sends there now.
    """
    row = connection.execute(
        select(
            destinations.c.lease_owner,
            destinations.c.lease_token,
            destinations.c.ready_at,
            destinations.c.suspended_at,
            routes.c.cursor,
            routes.c.paused_until,
        )
        .select_from(destinations)
        .outerjoin(
            routes, and_(routes.c.destination_id == destinations.c.id, routes.c.id == route.id)
        )
        .where(destinations.c.id == lease.destination_id)
    ).first()
    if row is None or (row.lease_owner, row.lease_token) != (lease.owner, lease.token):
        raise LeaseLost("The lease on a destination ran out and somebody else sends there now.")
    if row.suspended_at is not None:
        return "stop"
    if row.cursor != route.cursor or (row.paused_until and row.paused_until > now):
        return "moved"
    runs_out = row.ready_at is None or row.ready_at - now < claims.LEASE / 2
    return "late" if runs_out else "yes"


@dataclass(frozen=True, slots=True)
class Note:
    """What became of an entry on a route: "sent" or "skipped", and why."""

    outcome: Literal["sent", "skipped", "sending"]
    detail: str = ""


def advance(
    connection: Connection,
    route: Route,
    *,
    notes: Mapping[int, Note],
    now: datetime,
    message_ids: Sequence[str] = (),
    revision: int = 0,
) -> bool:
    """Move the cursor from where we saw it past all entries of `notes`, and keep the notes.

    False when it stands elsewhere by now: somebody replayed or skipped meanwhile.
    """
    to_seq = max(notes)
    moved = connection.execute(
        update(routes)
        .where(*_stands(route))
        .values(cursor=to_seq, attempts=0, parcels_sent=0, failing_since=None, not_before=None)
    )
    if moved.rowcount != 1:
        return False
    earlier = _parcels_of(connection, route.id, to_seq) if route.parcels_sent else []
    ids = ",".join([*earlier, *message_ids])
    _note(connection, route.id, notes, message_ids=ids, revision=revision, now=now)
    return True


def _stands(route: Route) -> tuple[ColumnElement[bool], ...]:
    """The route is where we saw it; a merge of feeds counts as elsewhere, too."""
    return (
        routes.c.id == route.id,
        routes.c.feed_id == route.feed_id,
        routes.c.cursor == route.cursor,
    )


def _parcels_of(connection: Connection, route_id: int, seq: int) -> list[str]:
    """Messages in which a part of an entry that is being sent went out already."""
    ids = connection.execute(
        select(deliveries.c.message_ids).where(
            deliveries.c.route_id == route_id,
            deliveries.c.seq == seq,
            deliveries.c.outcome == "sending",
        )
    ).scalar()
    return ids.split(",") if ids else []


def _note(
    connection: Connection,
    route_id: int,
    notes: Mapping[int, Note],
    *,
    message_ids: str,
    revision: int,
    now: datetime,
) -> None:
    """A replay writes over the first time."""
    seqs = list(notes)
    for start in range(0, len(seqs), _NOTES_AT_ONCE):
        some = seqs[start : start + _NOTES_AT_ONCE]
        connection.execute(
            delete(deliveries).where(deliveries.c.route_id == route_id, deliveries.c.seq.in_(some))
        )
    rows = [
        {
            "route_id": route_id,
            "seq": seq,
            "outcome": note.outcome,
            # What a platform said may hold a NUL, which PostgreSQL refuses.
            "message_ids": "" if note.outcome == "skipped" else _fit(message_ids, 512),
            "detail": _fit(note.detail, 500),
            "revision": revision,
            "at": now,
        }
        for seq, note in notes.items()
    ]
    connection.execute(insert(deliveries), rows)


_NOTES_AT_ONCE = 1000


def _fit(text: str, most: int) -> str:
    return text.replace("\0", "")[:most]


def under_way(connection: Connection, route: Route) -> int | None:
    """The number that a message of several parcels leads to, of which some went out already."""
    return connection.execute(
        select(func.max(deliveries.c.seq)).where(
            deliveries.c.route_id == route.id,
            deliveries.c.outcome == "sending",
            deliveries.c.seq > route.cursor,
        )
    ).scalar()


def note_parcel(
    connection: Connection,
    route: Route,
    seq: int,
    *,
    sent: int,
    message_id: str,
    now: datetime,
) -> bool:
    """The first `sent` parcels of the entry `seq` after the cursor were accepted; more follow.

    False when the route stands elsewhere by now.
    """
    moved = connection.execute(update(routes).where(*_stands(route)).values(parcels_sent=sent))
    if moved.rowcount != 1:
        return False
    earlier = _parcels_of(connection, route.id, seq) if sent > 1 else []
    ids = ",".join([*earlier, message_id] if message_id else earlier)
    notes = {seq: Note("sending")}
    _note(connection, route.id, notes, message_ids=ids, revision=0, now=now)
    return True


def note_failure(
    connection: Connection, route: Route, *, now: datetime, not_before: datetime | None = None
) -> None:
    """One more try of the entry after the cursor came to nothing.

    With `not_before` the route alone rests until then, and others of its destination go on.
    """
    connection.execute(
        update(routes)
        .where(*_stands(route))
        .values(
            attempts=routes.c.attempts + 1,
            failing_since=func.coalesce(routes.c.failing_since, literal(now, Instant)),
            not_before=not_before,
        )
    )


def sent_since(connection: Connection, route_id: int, *, since: datetime) -> list[datetime]:
    """When entries were sent on this route since then, oldest first."""
    return list(
        connection.execute(
            select(deliveries.c.at)
            .where(deliveries.c.route_id == route_id)
            .where(deliveries.c.outcome == "sent", deliveries.c.at > since)
            .order_by(deliveries.c.at)
        ).scalars()
    )


def hold_back(connection: Connection, route: Route, *, until: datetime) -> None:
    """Nothing goes out on this route before then: quiet hours, a digest, a day's measure."""
    connection.execute(update(routes).where(*_stands(route)).values(not_before=until))


def suspend(connection: Connection, destination_id: int, *, reason: str, now: datetime) -> None:
    """Stop sending there until somebody resumes; cursors stay, so nothing is lost.

    Whoever sends there now keeps the lease, writes the message under way down, and stops.
    """
    connection.execute(
        update(destinations)
        .where(destinations.c.id == destination_id)
        .where(destinations.c.suspended_at.is_(None))
        .values(
            suspended_at=now,
            suspended_reason=_fit(reason, 256),
            ready_at=case(
                (destinations.c.lease_owner.is_(None), None), else_=destinations.c.ready_at
            ),
        )
    )


def resume(connection: Connection, destination_id: int, *, now: datetime) -> None:
    """Send there again, beginning with what waited."""
    connection.execute(
        update(routes)
        .where(routes.c.destination_id == destination_id)
        .values(attempts=0, failing_since=None)
    )
    wake(connection, destination_id, now=now, suspended_at=None, suspended_reason="")


def wake(connection: Connection, destination_id: int, *, now: datetime, **values: Any) -> None:
    """There is something to send now: look at once, or after the turn that is under way."""
    is_leased = and_(destinations.c.lease_owner.is_not(None), destinations.c.ready_at > now)
    connection.execute(
        update(destinations)
        .where(destinations.c.id == destination_id)
        .values(
            woken=true(),
            ready_at=case((is_leased, destinations.c.ready_at), else_=literal(now, Instant)),
            retry_at=None,
            **values,
        )
    )


def change_address(
    connection: Connection, destination_id: int, address: str, *, now: datetime
) -> None:
    """The platform moved the destination (Telegram: a group became a supergroup).

    When the account has the new address already, both become one; the lease ends then.
    """
    try:
        with connection.begin_nested():
            connection.execute(
                update(destinations)
                .where(destinations.c.id == destination_id)
                .values(address=address)
            )
    except IntegrityError:
        # The account has the new address already: its routes move there.
        _merge_destinations(connection, destination_id, address, now=now)


def _merge_destinations(
    connection: Connection, destination_id: int, address: str, *, now: datetime
) -> None:
    old = connection.execute(
        select(destinations.c.account_id, destinations.c.channel).where(
            destinations.c.id == destination_id
        )
    ).one()
    survivor = connection.execute(
        select(destinations.c.id).where(
            destinations.c.account_id == old.account_id,
            destinations.c.channel == old.channel,
            destinations.c.address == address,
        )
    ).scalar_one()
    taken = select(routes.c.subscription_id).where(routes.c.destination_id == survivor)
    connection.execute(
        update(routes)
        .where(routes.c.destination_id == destination_id)
        .where(routes.c.subscription_id.not_in(taken))
        .values(destination_id=survivor)
    )
    errands.move(connection, destination_id, survivor)
    connection.execute(delete(destinations).where(destinations.c.id == destination_id))
    wake(connection, survivor, now=now)
