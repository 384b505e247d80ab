"""Use cases of Discord servers: what goes to their webhooks, and how it got there.

A server has an account of its own, or shares a person's by a link; either way it is shown and
changes only what goes to its own webhooks (DCC-05).
"""

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import Any, Final

from sqlalchemy import Connection

from wireroom import doors, subscribing
from wireroom.errors import Conflict, NotFound
from wireroom.polling.tools import Polling
from wireroom.store import (
    ends,
    feeds,
    guilds,
    places,
    read_states,
    reading,
    rereading,
    routes,
    subscriptions,
)
from wireroom.store import posted as posted_store
from wireroom.store.doors import list_doors as store_doors
from wireroom.store.ends import Ended
from wireroom.store.engine import Database
from wireroom.store.guilds import GuildFeed, NamedFeed, Webhook
from wireroom.store.places import Place
from wireroom.store.posted import Posted
from wireroom.store.read_states import StateChange
from wireroom.subscribing import Target

__all__ = ["Ended", "Guild", "GuildFeed", "Message", "NamedFeed", "Posted", "Webhook"]

#: Most feeds of one server.
MOST_FEEDS: Final = 1000


@dataclass(frozen=True, slots=True)
class Guild:
    """A server and its account."""

    id: str
    account_id: int


async def list_feeds(database: Database, guild: Guild) -> list[GuildFeed]:
    """What a server follows, by number."""
    return await database.read(guilds.list_feeds, guild.account_id, guild.id)


async def name_feeds(database: Database, guild: Guild) -> list[NamedFeed]:
    """What the feeds of a server are called, by number."""
    return await database.read(guilds.name_feeds, guild.account_id, guild.id)


async def page_of_feeds(
    database: Database, guild: Guild, page: int, size: int
) -> tuple[int, int, list[GuildFeed]]:
    """The nearest page to `page` that there is, counted from 0; how many there are; its feeds."""

    def look(connection: Connection) -> tuple[int, int, list[GuildFeed]]:
        count = guilds.count_feeds(connection, guild.account_id, guild.id)
        pages = max(1, -(-count // size))
        nearest = min(max(0, page), pages - 1)
        shown = guilds.list_feeds(
            connection, guild.account_id, guild.id, offset=nearest * size, limit=size
        )
        return nearest, pages, shown

    return await database.read(look)


async def find_feed(database: Database, guild: Guild, number: int) -> GuildFeed:
    """Raises NotFound, also for another server's."""
    found = await database.read(guilds.find_feed, guild.account_id, guild.id, number)
    if found is None:
        raise unknown_feed()
    return found


def unknown_feed() -> NotFound:
    return NotFound(
        "There is no such feed in this server; /rss list shows them.", code="unknown_feed"
    )


async def connect(
    tools: Polling,
    guild: Guild,
    subscription_id: int,
    target: Target,
    webhook: Webhook,
    *,
    once_here: bool = False,
) -> int:
    """Let a subscription of the server's account go to a webhook; gives the feed's number.

    Raises NotFound for a subscription that is not there; Conflict for a full server, another
    server's webhook, and for a feed that goes there already, or, where it is to be here only
    once, anywhere in the server (DCC-10): of two who add it at the same time one hears that.
    """

    def write(connection: Connection) -> int:
        belongs = subscriptions.belongs(
            connection, account_id=guild.account_id, subscription_id=subscription_id
        )
        if not belongs:
            raise unknown_feed()
        if len(guilds.places_of(connection, guild.account_id, guild.id)) >= MOST_FEEDS:
            raise Conflict(f"A server has at most {MOST_FEEDS} webhooks.", code="too_many_feeds")
        place = _place(connection, guild, target, webhook, tools)
        taken = guilds.number_of(
            connection, guild.account_id, guild.id, subscription_id, None if once_here else place
        )
        if taken is not None:
            raise Conflict(f"That feed goes there already, as #{taken}.", code="same_place")
        return routes.add_route(
            connection,
            subscription_id=subscription_id,
            destination_id=place,
            initial_items=target.initial_items,
            settings=target.settings,
            now=tools.now(),
        )

    return await tools.database.write(write)


def _place(
    connection: Connection, guild: Guild, target: Target, webhook: Webhook, tools: Polling
) -> int:
    place = routes.add_destination(
        connection,
        account_id=guild.account_id,
        channel=target.channel,
        address=target.address,
        secret=target.secret,
        title=target.title,
        now=tools.now(),
    )
    known = guilds.webhook_of(connection, place)
    if known is not None and known.guild_id != guild.id:
        # The account is a person's who has both; the other server would lose its feeds.
        raise Conflict("Another server posts by this webhook already.", code="webhook_elsewhere")
    guilds.note_webhook(connection, place, webhook)
    return place


async def keep_place(tools: Polling, guild: Guild, target: Target, webhook: Webhook) -> int:
    """Remember a webhook to which nothing goes yet; gives its destination."""
    return await tools.database.write(
        lambda connection: _place(connection, guild, target, webhook, tools)
    )


async def place(database: Database, guild: Guild, destination_id: int) -> tuple[Target, Webhook]:
    """A webhook of this server, for another feed that is to go there. Raises NotFound."""

    def read(connection: Connection) -> tuple[Target, Webhook]:
        found = routes.destination(connection, destination_id)
        webhook = guilds.webhook_of(connection, destination_id)
        mine = guilds.places_of(connection, guild.account_id, guild.id)
        if found is None or webhook is None or destination_id not in mine:
            raise unknown_feed()
        return Target(found.channel, found.address, found.secret, found.title), webhook

    return await database.read(read)


async def disconnect(tools: Polling, guild: Guild, feed: GuildFeed) -> None:
    """Send nothing of a feed here any more; it is forgotten with its last place.

    Where the account is a person's, that person goes on following it.
    """

    def write(connection: Connection) -> bool:
        guilds.remove_route(connection, feed.id)
        is_shared = len(store_doors(connection, guild.account_id)) > 1
        return not is_shared and not guilds.routes_of(connection, feed.subscription_id)

    if await tools.database.write(write):
        await subscribing.unsubscribe(tools, guild.account_id, feed.subscription_id)


async def redirect(
    tools: Polling, guild: Guild, feed: GuildFeed, target: Target, webhook: Webhook
) -> None:
    """Send a feed to another webhook from now on, what waits as well. Raises Conflict."""

    def write(connection: Connection) -> None:
        place = _place(connection, guild, target, webhook, tools)
        _check_free(connection, guild, feed, place)
        guilds.move_route(
            connection,
            feed.id,
            subscription_id=feed.subscription_id,
            destination_id=place,
            now=tools.now(),
        )
        routes.resume(connection, place, now=tools.now())
        routes.wake(connection, place, now=tools.now())

    await tools.database.write(write)


def _check_free(connection: Connection, guild: Guild, feed: GuildFeed, place: int) -> None:
    for other in guilds.list_feeds(connection, guild.account_id, guild.id):
        is_there = other.destination_id == place and other.subscription_id == feed.subscription_id
        if is_there and other.id != feed.id:
            raise Conflict(f"That feed goes there already, as #{other.id}.", code="same_place")


async def follow_instead(
    tools: Polling, guild: Guild, feed: GuildFeed, subscription_id: int
) -> None:
    """Let a feed's number stand for another subscription; the old one ends with its last place.

    What had not been sent goes on waiting, as far as the other feed has it.
    """

    def write(connection: Connection) -> None:
        guilds.move_route(
            connection,
            feed.id,
            subscription_id=subscription_id,
            destination_id=feed.destination_id,
            now=tools.now(),
        )
        routes.wake(connection, feed.destination_id, now=tools.now())

    await tools.database.write(write)
    left = await tools.database.read(guilds.routes_of, feed.subscription_id)
    if not left and not await _is_shared(tools.database, guild):
        await subscribing.unsubscribe(tools, guild.account_id, feed.subscription_id)


async def cursor_in(database: Database, feed: GuildFeed, feed_id: int) -> int:
    """The last entry of another feed that counts as dealt with when this one becomes it."""
    return await database.read(rereading.cursor_in, feed.id, feed_id)


async def _is_shared(database: Database, guild: Guild) -> bool:
    return len(await doors.list_doors(database, guild.account_id)) > 1


async def own_webhook(
    database: Database, guild: Guild, channel_id: str
) -> tuple[str, bytes] | None:
    """Id and sealed token of the webhook that the bot made in a channel, if it made one."""
    return await database.read(guilds.own_webhook, guild.account_id, guild.id, channel_id)


async def place_in(database: Database, guild: Guild, channel_id: str) -> int | None:
    """The destination that the bot made in a channel, whose settings count there."""
    return await database.read(guilds.own_place, guild.account_id, guild.id, channel_id)


async def list_places(database: Database, guild: Guild) -> list[int]:
    """The destinations of a server."""
    return await database.read(guilds.places_of, guild.account_id, guild.id)


async def set_settings(
    tools: Polling, guild: Guild, number: int, settings: Mapping[str, Any]
) -> None:
    """All wishes of a feed at once, such as those of another one. Raises NotFound."""

    def write(connection: Connection) -> None:
        if guilds.find_feed(connection, guild.account_id, guild.id, number) is None:
            raise unknown_feed()
        places.change_settings(connection, Place("route", number), settings, now=tools.now())

    await tools.database.write(write)


async def read_in_full(tools: Polling, guild: Guild) -> int:
    """Let the server's feeds be read in full once (SCH-42); gives how many that concerns."""

    def write(connection: Connection) -> int:
        listed = guilds.list_feeds(connection, guild.account_id, guild.id)
        ids = {each.feed_id for each in listed}
        return feeds.forget_validators(connection, ids, now=tools.now()) if ids else 0

    return await tools.database.write(write)


# -- messages -------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Message:
    """A message that somebody points at."""

    id: str
    at: datetime
    #: Which webhook posted it, "" for none, and what it links to.
    webhook_id: str = ""
    links: frozenset[str] = frozenset()


async def posted(database: Database, guild: Guild, message: Message) -> Posted:
    """The entry that a message shows, of a mere test by what it links to.

    Raises NotFound for others' messages and very old ones.
    """

    def look(connection: Connection) -> Posted | None:
        account, server = guild.account_id, guild.id
        noted = posted_store.find_posted(connection, account, server, message.id)
        if noted is not None or not message.webhook_id or not message.links:
            return noted
        return posted_store.find_linked(
            connection,
            account,
            server,
            message.links,
            webhook_id=message.webhook_id,
            at=message.at,
        )

    found = await database.read(look)
    if found is None:
        raise NotFound(
            "This message is no news of ours, a mere test, or too old.", code="unknown_message"
        )
    return found


async def save(tools: Polling, guild: Guild, person_account: int, entry: Posted) -> bool:
    """Star an entry for a person, who follows its feed from then on.

    False when they followed it already. Raises NotFound for an entry that is gone, or a feed that
    belongs to somebody alone.
    """

    def write(connection: Connection) -> bool:
        feed = guilds.find_feed(connection, guild.account_id, guild.id, entry.route_id)
        if feed is None or not guilds.is_public(connection, entry.feed_id):
            raise unknown_feed()
        made = subscriptions.add(
            connection, account_id=person_account, feed_id=entry.feed_id, now=tools.now()
        )
        feeds.revive(connection, entry.feed_id, now=tools.now())
        if reading.find_entry(connection, person_account, entry.feed_id, entry.seq) is None:
            raise NotFound("That entry is not kept any more.", code="unknown_item")
        change = StateChange(entry.feed_id, entry.seq, is_favorite=True)
        read_states.set_states(connection, person_account, [change], tools.now())
        return not made.existing

    return await tools.database.write(write)


# -- ends -----------------------------------------------------------------------------------------


async def take_ends(tools: Polling) -> list[Ended]:
    """Webhooks that ended and of which nobody was told; whoever gets them tells."""

    def write(connection: Connection) -> list[Ended]:
        ended = ends.list_untold(connection)
        ids = [each.destination_id for each in ended]
        mine = ends.note_told(connection, ids, now=tools.now()) if ids else []
        return [each for each in ended if each.destination_id in mine]

    if not await tools.database.read(ends.list_untold):
        return []
    return await tools.database.write(write)
