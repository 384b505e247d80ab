"""What goes to a chat: its routes, whichever of its topics they end in."""

from dataclasses import dataclass
from datetime import datetime
from typing import Any

from sqlalchemy import ColumnElement, Connection, Row, Select, delete, func, or_, select, update

from wireroom.store import routes as outbox
from wireroom.store.schema import (
    destinations,
    feeds,
    routes,
    subscriptions,
)


@dataclass(frozen=True, slots=True)
class ChatRoute:
    """A route into a chat, with what people want to know of its feed."""

    id: int
    subscription_id: int
    feed_id: int
    destination_id: int
    #: "chat" or "chat/topic".
    address: str
    title: str
    url: str
    uuid: str
    cursor: int | None
    last_seq: int
    paused_until: datetime | None
    suspended_at: datetime | None
    suspended_reason: str
    disabled_at: datetime | None
    disabled_reason: str
    failure_count: int
    last_error: str
    last_success_at: datetime | None
    next_poll_at: datetime | None
    next_poll_reason: str

    @property
    def topic(self) -> int | None:
        topic = self.address.partition("/")[2]
        return int(topic) if topic.isdigit() else None

    @property
    def waiting(self) -> int:
        return 0 if self.cursor is None else self.last_seq - self.cursor


def _query() -> Select[Any]:
    title = func.coalesce(
        func.nullif(subscriptions.c.custom_title, ""), func.nullif(feeds.c.title, ""), feeds.c.url
    )
    return (
        select(
            routes.c.id,
            routes.c.subscription_id,
            routes.c.feed_id,
            routes.c.destination_id,
            destinations.c.address,
            title.label("title"),
            feeds.c.url,
            subscriptions.c.data_store_uuid,
            routes.c.cursor,
            feeds.c.last_seq,
            routes.c.paused_until,
            destinations.c.suspended_at,
            destinations.c.suspended_reason,
            feeds.c.disabled_at,
            feeds.c.disabled_reason,
            feeds.c.failure_count,
            feeds.c.last_error,
            feeds.c.last_success_at,
            feeds.c.next_poll_at,
            feeds.c.next_poll_reason,
        )
        .select_from(routes)
        .join(subscriptions, subscriptions.c.id == routes.c.subscription_id)
        .join(feeds, feeds.c.id == routes.c.feed_id)
        .join(destinations, destinations.c.id == routes.c.destination_id)
        .order_by(func.lower(title), routes.c.id)
    )


def _route(row: Row[Any]) -> ChatRoute:
    return ChatRoute(*tuple(row))


def of_chat(account_id: int, channel: str, chat: str) -> tuple[ColumnElement[bool], ...]:
    """The account is asked as well: who is linked elsewhere sees only what is theirs."""
    return destinations.c.account_id == account_id, *in_chat(channel, chat)


def in_chat(channel: str, chat: str) -> tuple[ColumnElement[bool], ...]:
    """A chat's destinations: itself and its topics."""
    inside = or_(destinations.c.address == chat, destinations.c.address.like(f"{chat}/%"))
    return destinations.c.channel == channel, inside


def list_routes(
    connection: Connection, account_id: int, channel: str, chat: str
) -> list[ChatRoute]:
    """All that goes to a chat, by title."""
    rows = connection.execute(_query().where(*of_chat(account_id, channel, chat)))
    return [_route(row) for row in rows]


def count(connection: Connection, account_id: int, channel: str, chat: str) -> int:
    """How many routes lead to a chat."""
    return connection.execute(
        select(func.count())
        .select_from(routes)
        .join(destinations, destinations.c.id == routes.c.destination_id)
        .where(*of_chat(account_id, channel, chat))
    ).scalar_one()


def find_route(
    connection: Connection, account_id: int, channel: str, chat: str, route_id: int
) -> ChatRoute | None:
    """One route of a chat, or None."""
    row = connection.execute(
        _query().where(*of_chat(account_id, channel, chat), routes.c.id == route_id)
    ).first()
    return None if row is None else _route(row)


def destinations_of(
    connection: Connection, account_id: int, channel: str, chat: str
) -> list[tuple[int, str]]:
    """The chat's destinations: id and address, the chat itself before its topics."""
    rows = connection.execute(
        select(destinations.c.id, destinations.c.address)
        .where(*of_chat(account_id, channel, chat))
        .order_by(func.length(destinations.c.address), destinations.c.address)
    )
    return [(row.id, row.address) for row in rows]


def retitle(connection: Connection, account_id: int, channel: str, chat: str, title: str) -> None:
    """The chat is called otherwise by now (TGC-39)."""
    connection.execute(
        update(destinations)
        .where(*of_chat(account_id, channel, chat), destinations.c.title != title[:256])
        .values(title=title[:256])
    )


def remove_route(connection: Connection, route_id: int) -> None:
    connection.execute(delete(routes).where(routes.c.id == route_id))


def move_route(
    connection: Connection,
    route: ChatRoute,
    *,
    account_id: int,
    channel: str,
    address: str,
    title: str,
    now: datetime,
) -> None:
    """Let a route end somewhere else; where the feed comes there already, that route goes on."""
    place = outbox.add_destination(
        connection,
        account_id=account_id,
        channel=channel,
        address=address,
        secret=None,
        title=title,
        now=now,
    )
    twin = connection.execute(
        select(routes.c.id).where(
            routes.c.subscription_id == route.subscription_id, routes.c.destination_id == place
        )
    ).scalar()
    if twin is not None and twin != route.id:
        remove_route(connection, route.id)
        return
    connection.execute(update(routes).where(routes.c.id == route.id).values(destination_id=place))
    outbox.wake(connection, place, now=now)


def routes_left(connection: Connection, subscription_id: int) -> int:
    """How many places a subscription goes to."""
    return connection.execute(
        select(func.count()).where(routes.c.subscription_id == subscription_id)
    ).scalar_one()


# -- for the operator -----------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Reader:
    """A place that gets a feed."""

    address: str
    title: str


@dataclass(frozen=True, slots=True)
class ReadFeed:
    """A feed with all places that get it; `disabled_reason` is "" while it is asked."""

    id: int
    title: str
    url: str
    disabled_reason: str
    readers: list[Reader]


def list_all(connection: Connection, channel: str) -> list[ReadFeed]:
    """Every feed that goes to a channel's chats."""
    rows = connection.execute(
        select(
            feeds.c.id,
            feeds.c.title,
            feeds.c.url,
            feeds.c.disabled_reason,
            destinations.c.address,
            destinations.c.title.label("place"),
        )
        .select_from(routes)
        .join(feeds, feeds.c.id == routes.c.feed_id)
        .join(destinations, destinations.c.id == routes.c.destination_id)
        .where(destinations.c.channel == channel)
        .order_by(feeds.c.id, destinations.c.address)
    )
    found: dict[int, ReadFeed] = {}
    for row in rows:
        made = ReadFeed(row.id, row.title, row.url, row.disabled_reason, [])
        found.setdefault(row.id, made).readers.append(Reader(row.address, row.place))
    return list(found.values())
