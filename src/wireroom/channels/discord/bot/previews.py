"""The newest entry as it will really be posted: shown, or sent to prove a place."""

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any, Final

from sqlalchemy import Connection

from wireroom.channels.discord.bot.desk import Desk
from wireroom.delivery.channel import Address, Answer, Parcel, Sent
from wireroom.delivery.compose import compose
from wireroom.delivery.message import Message
from wireroom.delivery.replacements import Replacement
from wireroom.guilds import GuildFeed
from wireroom.routing.asking import newest_entries, wishes_of
from wireroom.store import house, routes
from wireroom.store.routes import Destination

_NOWHERE: Final = Address("0", "")


@dataclass(frozen=True, slots=True)
class Sample:
    """A feed's newest entry, as its route wants it."""

    message: Message
    settings: Mapping[str, Any]
    destination: Destination


async def newest(
    desk: Desk,
    feed: GuildFeed,
    changed: Mapping[str, Any] | None = None,
    *,
    of_feed: int | None = None,
) -> Sample | None:
    """The newest entry of a feed, `changed` settings counting for this once; None: has none.

    `of_feed` shows another feed's as if it came this way.
    """
    return await desk.database.read(_newest, feed, changed or {}, of_feed)


def _newest(
    connection: Connection, feed: GuildFeed, changed: Mapping[str, Any], of_feed: int | None
) -> Sample | None:
    route = routes.find(connection, feed.id)
    destination = routes.destination(connection, feed.destination_id)
    if route is None or destination is None:
        return None
    route = replace(route, feed_id=of_feed or route.feed_id)
    found = newest_entries(connection, route, 1)
    if not found:
        return None
    removed = [Replacement(each.value, each.is_regex) for each in house.removals(connection)]
    wanted = wishes_of(connection, route, changed)
    return Sample(compose(found[-1], route, wanted, removed), wanted.settings, destination)


def parcels(desk: Desk, sample: Sample) -> tuple[Parcel, ...]:
    """What would go out, by the same code as what does."""
    return desk.sender.render(sample.message, _NOWHERE, sample.settings)


async def send(desk: Desk, sample: Sample) -> Answer:
    """Post it now, outside of its order; the first answer that is not Sent, or the last."""
    there = sample.destination
    address = Address(there.address, desk.vault.open(there.secret) if there.secret else "")
    answer: Answer = Sent()
    for parcel in parcels(desk, sample):
        answer = await desk.sender.send(address, parcel)
        if not isinstance(answer, Sent):
            break
    return answer
