"""Use cases of chats: what goes to one, and what happens to a chat as a whole.

Whoever calls has made sure that the person may speak for the chat.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import Final

from sqlalchemy import Connection, func, select

from wireroom.errors import NotFound
from wireroom.store import accounts, chat_routes, chats, doors, feeds, routes, subscriptions
from wireroom.store.chat_routes import ChatRoute
from wireroom.store.engine import Database
from wireroom.store.schema import destinations
from wireroom.store.schema import feeds as feeds_table

#: Doors of people; an account that has none of them is known by its chats alone.
_CHAT_DOORS: Final = frozenset({"telegram", "discord"})


async def end_route(
    database: Database, account_id: int, route: ChatRoute, *, now: datetime
) -> bool:
    """Send a feed to a chat no more; whether it is not followed at all any more.

    Somebody who reads elsewhere too keeps the feed there: only the way into the chat ends.
    """

    def work(connection: Connection) -> bool:
        chat_routes.remove_route(connection, route.id)
        if chat_routes.routes_left(connection, route.subscription_id):
            return False
        if _reads_elsewhere(connection, account_id):
            return False
        feed_id = subscriptions.remove(
            connection, account_id=account_id, subscription_id=route.subscription_id
        )
        if feed_id is not None:
            feeds.purge_if_unfollowed(connection, feed_id, now=now)
        return feed_id is not None

    return await database.write(work)


def _reads_elsewhere(connection: Connection, account_id: int) -> bool:
    account = accounts.find_account(connection, account_id)
    if account is not None and account.role == "operator":
        return True
    return any(each.kind not in _CHAT_DOORS for each in doors.list_doors(connection, account_id))


# -- the chat itself ------------------------------------------------------------------------------


async def move(database: Database, channel: str, old: int, new: int, *, now: datetime) -> None:
    """A chat has another id: everything that goes to it, or a topic of it, goes to the new one.

    Calling it again changes nothing; Telegram tells of a move up to three times.
    """

    def work(connection: Connection) -> None:
        for destination_id, address in _destinations(connection, channel, str(old)):
            moved = str(new) + address.removeprefix(str(old))
            routes.change_address(connection, destination_id, moved, now=now)
        chats.rename_chat(connection, old, new)

    await database.write(work)


async def leave(
    database: Database, channel: str, chat_id: int, *, reason: str, now: datetime
) -> None:
    """The chat does not take messages from us any more: nothing is sent, nothing is forgotten."""

    def work(connection: Connection) -> None:
        for destination_id, _ in _destinations(connection, channel, str(chat_id)):
            routes.suspend(connection, destination_id, reason=reason, now=now)
        chats.set_left(connection, chat_id, now)

    await database.write(work)


async def return_to(database: Database, channel: str, chat_id: int, *, now: datetime) -> int:
    """The chat takes messages from us again: what waited goes out. Gives how many places woke."""

    def work(connection: Connection) -> int:
        resting = [
            destination_id
            for destination_id, _ in _destinations(connection, channel, str(chat_id))
            if (found := routes.destination(connection, destination_id)) is not None
            and found.suspended_at is not None
        ]
        for destination_id in resting:
            routes.resume(connection, destination_id, now=now)
        chats.set_left(connection, chat_id, None)
        return len(resting)

    return await database.write(work)


def _destinations(connection: Connection, channel: str, chat: str) -> list[tuple[int, str]]:
    rows = connection.execute(
        select(destinations.c.id, destinations.c.address)
        .where(*chat_routes.in_chat(channel, chat))
        .order_by(destinations.c.id)
    )
    return [(row.id, row.address) for row in rows]


async def resume_place(
    database: Database, account_id: int, route: ChatRoute, *, now: datetime
) -> None:
    """The place of a route takes messages again. Raises NotFound for somebody else's."""

    def work(connection: Connection) -> None:
        found = routes.destination(connection, route.destination_id)
        if found is None or found.account_id != account_id:
            raise NotFound("There is no such destination.", code="unknown_destination")
        routes.resume(connection, route.destination_id, now=now)

    await database.write(work)


# -- for the operator -----------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Numbers:
    """How much there is."""

    feeds: int
    failing: int
    chats: Mapping[str, int]


async def numbers(database: Database) -> Numbers:
    """Feeds, those that fail, and chats by kind (TGC-28)."""

    def look(connection: Connection) -> Numbers:
        row = connection.execute(
            select(
                func.count(),
                func.count().filter(feeds_table.c.failure_count > 0),
            ).select_from(feeds_table)
        ).one()
        return Numbers(row[0], row[1], chats.count_by_kind(connection))

    return await database.read(look)
