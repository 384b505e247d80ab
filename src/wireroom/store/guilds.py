"""Feeds of Discord servers: routes to the webhooks that somebody brought or the bot made there.

A server sees what goes to its own webhooks and nothing else, even where its account is a person's
with more in it (DCC-05).
"""

from dataclasses import dataclass
from datetime import datetime
from typing import Any

from sqlalchemy import ColumnElement, Connection, Row, Select, func, select, update

from wireroom.store import rereading
from wireroom.store.dialects import insert_or
from wireroom.store.feeds import count_followers
from wireroom.store.schema import (
    destinations,
    discord_webhooks,
    feeds,
    routes,
    subscriptions,
)


@dataclass(frozen=True, slots=True)
class Webhook:
    """What we know of a webhook besides its address; ids are Discord's."""

    guild_id: str
    #: The channel that it posts into; a thread of it in `thread_id`, "" for none.
    channel_id: str
    thread_id: str
    #: Who hears of its end.
    added_by: str
    #: The bot made it, and may take it away again.
    is_ours: bool


@dataclass(frozen=True, slots=True)
class GuildFeed:
    """A route of a server: what it follows and where it goes. `id` is the number people type."""

    id: int
    subscription_id: int
    feed_id: int
    destination_id: int
    custom_title: str
    feed_title: str
    url: str
    site_url: str
    icon_url: str
    feed_type: str
    interval_seconds: int | None
    last_attempt_at: datetime | None
    next_poll_at: datetime | None
    failure_count: int
    last_error: str
    disabled_at: datetime | None
    disabled_reason: str
    last_seq: int
    cursor: int | None
    settings: dict[str, Any]
    paused_until: datetime | None
    attempts: int
    suspended_at: datetime | None
    suspended_reason: str
    channel_id: str
    thread_id: str
    added_by: str

    @property
    def title(self) -> str:
        return self.custom_title or self.feed_title or self.url

    @property
    def posts_in(self) -> str:
        """The channel or thread where its messages appear."""
        return self.thread_id or self.channel_id

    @property
    def waiting(self) -> int:
        """Most entries that wait to be sent."""
        return 0 if self.cursor is None else max(0, self.last_seq - self.cursor)


@dataclass(frozen=True, slots=True)
class NamedFeed:
    """As much of a `GuildFeed` as tells it apart: servers may have thousands."""

    id: int
    feed_id: int
    custom_title: str
    feed_title: str
    url: str
    feed_type: str

    @property
    def title(self) -> str:
        return self.custom_title or self.feed_title or self.url


def note_webhook(connection: Connection, destination_id: int, webhook: Webhook) -> None:
    """Remember whose a destination is; who brings it again is told of its end from then on."""
    values = {
        "guild_id": webhook.guild_id,
        "channel_id": webhook.channel_id,
        "thread_id": webhook.thread_id,
        "added_by": webhook.added_by,
        "is_ours": webhook.is_ours,
        "told_at": None,
    }
    adding = insert_or(connection, discord_webhooks).values(
        destination_id=destination_id, **values
    )
    changes = {name: value for name, value in values.items() if name != "is_ours"}
    connection.execute(
        adding.on_conflict_do_update(index_elements=["destination_id"], set_=changes)
    )


def list_feeds(
    connection: Connection,
    account_id: int,
    guild_id: str,
    *,
    offset: int = 0,
    limit: int | None = None,
) -> list[GuildFeed]:
    """The feeds of a server by number: all, or a page of them."""
    wanted = _feeds(account_id, guild_id).order_by(routes.c.id).offset(offset).limit(limit)
    return [_feed(row) for row in connection.execute(wanted)]


def count_feeds(connection: Connection, account_id: int, guild_id: str) -> int:
    """How many feeds a server has."""
    counted = _from_routes(select(func.count(routes.c.id))).where(*_of_guild(account_id, guild_id))
    return int(connection.execute(counted).scalar_one())


def name_feeds(connection: Connection, account_id: int, guild_id: str) -> list[NamedFeed]:
    """All feeds of a server by number, but only what they are called."""
    named = select(
        routes.c.id,
        routes.c.feed_id,
        subscriptions.c.custom_title,
        feeds.c.title,
        feeds.c.url,
        feeds.c.adapter,
    )
    rows = connection.execute(
        _from_routes(named).where(*_of_guild(account_id, guild_id)).order_by(routes.c.id)
    )
    return [NamedFeed(*row) for row in rows]


def number_of(
    connection: Connection,
    account_id: int,
    guild_id: str,
    subscription_id: int,
    destination_id: int | None,
) -> int | None:
    """The first number of a followed feed in a server, in one of its places or in any."""
    there = () if destination_id is None else (routes.c.destination_id == destination_id,)
    wanted = _from_routes(select(routes.c.id)).where(
        *_of_guild(account_id, guild_id), routes.c.subscription_id == subscription_id, *there
    )
    return connection.execute(wanted.order_by(routes.c.id).limit(1)).scalar()


def find_feed(
    connection: Connection, account_id: int, guild_id: str, route_id: int
) -> GuildFeed | None:
    """A feed by its number, if it is this server's."""
    row = connection.execute(_feeds(account_id, guild_id).where(routes.c.id == route_id)).first()
    return None if row is None else _feed(row)


def _feeds(account_id: int, guild_id: str) -> Select[Any]:
    return _from_routes(
        select(
            routes.c.id,
            routes.c.subscription_id,
            routes.c.feed_id,
            routes.c.destination_id,
            subscriptions.c.custom_title,
            feeds.c.title,
            feeds.c.url,
            feeds.c.site_url,
            feeds.c.icon_url,
            feeds.c.adapter,
            subscriptions.c.wanted_interval_seconds,
            feeds.c.last_attempt_at,
            feeds.c.next_poll_at,
            feeds.c.failure_count,
            feeds.c.last_error,
            feeds.c.disabled_at,
            feeds.c.disabled_reason,
            feeds.c.last_seq,
            routes.c.cursor,
            routes.c.settings,
            routes.c.paused_until,
            routes.c.attempts,
            destinations.c.suspended_at,
            destinations.c.suspended_reason,
            discord_webhooks.c.channel_id,
            discord_webhooks.c.thread_id,
            discord_webhooks.c.added_by,
        )
    ).where(*_of_guild(account_id, guild_id))


def _from_routes(wanted: Select[Any]) -> Select[Any]:
    return (
        wanted.select_from(routes)
        .join(subscriptions, subscriptions.c.id == routes.c.subscription_id)
        .join(feeds, feeds.c.id == routes.c.feed_id)
        .join(destinations, destinations.c.id == routes.c.destination_id)
        .join(discord_webhooks, discord_webhooks.c.destination_id == destinations.c.id)
    )


def _of_guild(account_id: int, guild_id: str) -> tuple[ColumnElement[bool], ...]:
    return discord_webhooks.c.guild_id == guild_id, destinations.c.account_id == account_id


def _feed(row: Row[Any]) -> GuildFeed:
    return GuildFeed(*tuple(row))


def webhook_of(connection: Connection, destination_id: int) -> Webhook | None:
    """What we know of a destination, if it came by the bot."""
    row = connection.execute(
        select(
            discord_webhooks.c.guild_id,
            discord_webhooks.c.channel_id,
            discord_webhooks.c.thread_id,
            discord_webhooks.c.added_by,
            discord_webhooks.c.is_ours,
        ).where(discord_webhooks.c.destination_id == destination_id)
    ).first()
    return None if row is None else Webhook(*row)


def own_webhook(
    connection: Connection, account_id: int, guild_id: str, channel_id: str
) -> tuple[str, bytes] | None:
    """Id and sealed token of a webhook that the bot made in this channel and that still stands."""
    row = connection.execute(
        select(destinations.c.address, destinations.c.secret)
        .join(discord_webhooks, discord_webhooks.c.destination_id == destinations.c.id)
        .where(
            *_of_guild(account_id, guild_id),
            discord_webhooks.c.channel_id == channel_id,
            discord_webhooks.c.is_ours,
            destinations.c.suspended_at.is_(None),
            destinations.c.secret.is_not(None),
        )
        .order_by(destinations.c.id)
    ).first()
    return None if row is None else (str(row.address).partition("?")[0], row.secret)


def own_place(
    connection: Connection, account_id: int, guild_id: str, channel_id: str
) -> int | None:
    """The destination of the webhook that the bot made in a channel."""
    return connection.execute(
        select(destinations.c.id)
        .join(discord_webhooks, discord_webhooks.c.destination_id == destinations.c.id)
        .where(*_of_guild(account_id, guild_id))
        .where(discord_webhooks.c.channel_id == channel_id, discord_webhooks.c.is_ours)
        .order_by(destinations.c.id)
    ).scalar()


def places_of(connection: Connection, account_id: int, guild_id: str) -> list[int]:
    """The destinations of a server."""
    return list(
        connection.execute(
            select(destinations.c.id)
            .join(discord_webhooks, discord_webhooks.c.destination_id == destinations.c.id)
            .where(*_of_guild(account_id, guild_id))
            .order_by(destinations.c.id)
        ).scalars()
    )


def routes_of(connection: Connection, subscription_id: int) -> list[int]:
    """All routes of a subscription, wherever they go."""
    return list(
        connection.execute(
            select(routes.c.id).where(routes.c.subscription_id == subscription_id)
        ).scalars()
    )


def remove_route(connection: Connection, route_id: int) -> None:
    """Nothing goes this way any more; a destination to which nothing else goes is forgotten."""
    gone = connection.execute(
        routes.delete().where(routes.c.id == route_id).returning(routes.c.destination_id)
    ).scalar()
    if gone is not None:
        forget_if_unused(connection, gone)


def forget_if_unused(connection: Connection, destination_id: int) -> None:
    """A webhook is a secret: it is kept no longer than something goes to it."""
    used = select(routes.c.id).where(routes.c.destination_id == destination_id).exists()
    connection.execute(destinations.delete().where(destinations.c.id == destination_id, ~used))


def move_route(
    connection: Connection,
    route_id: int,
    *,
    subscription_id: int,
    destination_id: int,
    now: datetime,
) -> None:
    """Let a route follow another subscription or go elsewhere; it keeps its number and wishes.

    What waits goes on waiting, and in another reading of its feed what came meanwhile as well; of
    a feed with which the old one has nothing in common, everything counts as dealt with.
    """
    feed_id = connection.execute(
        select(subscriptions.c.feed_id).where(subscriptions.c.id == subscription_id)
    ).scalar_one()
    values: dict[str, Any] = {
        "subscription_id": subscription_id,
        "destination_id": destination_id,
        "attempts": 0,
        "failing_since": None,
        "parcels_sent": 0,
        "not_before": None,
    }
    before = connection.execute(
        select(routes.c.feed_id, routes.c.destination_id).where(routes.c.id == route_id)
    ).one()
    if before.feed_id != feed_id:
        rereading.carry_over(connection, route_id, feed_id, now=now)
    connection.execute(update(routes).where(routes.c.id == route_id).values(**values))
    forget_if_unused(connection, before.destination_id)
    count_followers(connection, feed_id)


def is_public(connection: Connection, feed_id: int) -> bool:
    """Whether anybody may follow a feed; one with a password is its owner's alone."""
    owner = select(feeds.c.owner_account_id).where(feeds.c.id == feed_id)
    return connection.execute(owner).scalar() == 0
