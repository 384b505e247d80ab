"""A destination and a route as delivering needs them, read from their rows."""

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from datetime import datetime
from typing import Any

from sqlalchemy import Connection, Row, Select, func, select

from wireroom.store.entries import Entry
from wireroom.store.schema import accounts, destinations, feeds, folders, routes, subscriptions

#: The outcome of deliveries that stand for what two feeds becoming one has passed over.
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
    #: Entries past the cursor that are not sent since two feeds became one, and why.
    passed: Mapping[int, str] = field(default_factory=dict)
    #: What its own rules would mark up to here was marked when they were those of a wider place.
    marked_through: int = 0


@dataclass(frozen=True, slots=True)
class Waiting:
    """The next entries of one route, in seq order; none when all past the cursor were trimmed."""

    route: Route
    entries: tuple[Entry, ...]


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
_BESIDE = (
    routes.c.marked_through,
    subscriptions.c.settings,
    destinations.c.settings,
    accounts.c.preferences,
)


def selected() -> Select[Any]:
    """Routes with all columns that `from_row` reads."""
    return (
        select(*_ROUTE, *_BESIDE)
        .select_from(routes)
        .join(feeds, feeds.c.id == routes.c.feed_id)
        .join(subscriptions, subscriptions.c.id == routes.c.subscription_id)
        .join(destinations, destinations.c.id == routes.c.destination_id)
        .join(accounts, accounts.c.id == subscriptions.c.account_id)
        .outerjoin(folders, folders.c.id == subscriptions.c.folder_id)
    )


def from_row(row: Row[Any]) -> Route:
    """The route of a row of `selected`."""
    values = tuple(row)
    marked_through, subscription, destination_, preferences = values[len(_ROUTE) :]
    wider = (subscription, destination_, preferences.get("delivery") or {})
    return replace(Route(*values[: len(_ROUTE)]), wider=wider, marked_through=marked_through)


def find(connection: Connection, route_id: int) -> Route | None:
    """A route as delivering sees it, behind its feed or not; None when its feed was never read."""
    row = connection.execute(
        selected().where(routes.c.id == route_id, routes.c.cursor.is_not(None))
    ).first()
    return None if row is None else from_row(row)


def find_any(connection: Connection, route_id: int) -> Route | None:
    """A route as `find` gives it, also before its feed's first reading (cursor 0 then)."""
    row = connection.execute(selected().where(routes.c.id == route_id)).first()
    if row is None:
        return None
    found = from_row(row)
    return found if row.cursor is not None else replace(found, cursor=0)
