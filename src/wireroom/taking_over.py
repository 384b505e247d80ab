"""Feeds of another system are followed here, and nothing that it had sent is sent again (IDN-21).

What had been announced is written together with the feed, before anybody asks for it: its first
reading then tells what came since.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from types import MappingProxyType

from sqlalchemy import Connection

from wireroom.errors import UserError
from wireroom.feeds import urls
from wireroom.histories import Past
from wireroom.store import feeds, routes, subscriptions
from wireroom.store.engine import Database
from wireroom.store.text import storable
from wireroom.subscribing import Target


@dataclass(frozen=True, slots=True)
class TakenOver:
    """What came of one feed: whether it was followed before, and how many routes it has now.

    `remembers` is False where the feed had been read here already: then what is new is known
    better, and the other system's memory is not needed.
    """

    url: str
    existing: bool = False
    routes: int = 0
    remembers: bool = True
    #: In one sentence why it cannot be followed, or "".
    refusal: str = ""


async def take_over(
    database: Database,
    account_id: int,
    pasts: Sequence[Past],
    targets: Mapping[str, Target],
    now: datetime,
    *,
    refused: Mapping[str, str] = MappingProxyType({}),
) -> list[TakenOver]:
    """Follow these feeds and send their news where they went; one transaction a feed.

    Every place that `pasts` name is in `targets`, or in `refused` with the reason: a feed that
    went there is refused too, since afterwards nobody would know that news of it are missing. A
    second time changes nothing.
    """
    return [
        TakenOver(past.url, refusal=no)
        if (no := next((refused[place] for place in past.to if place in refused), ""))
        else await database.write(_take_over, account_id, past, targets, now)
        for past in pasts
    ]


def _take_over(
    connection: Connection,
    account_id: int,
    past: Past,
    targets: Mapping[str, Target],
    now: datetime,
) -> TakenOver:
    try:
        url = urls.checked(past.url)
    except UserError as error:
        return TakenOver(past.url, refusal=str(error))
    feed_id = feeds.make(
        connection,
        url=url,
        canonical_key=urls.canonical(url),
        lane=urls.lane(url),
        adapter=storable(past.adapter, 64),
        title=past.title,
        now=now,
    )
    feeds.revive(connection, feed_id, now=now)
    feed = feeds.to_poll(connection, feed_id)
    remembers = feed is not None and feed.never_read
    if remembers and past.marker:
        feeds.mark_announced(connection, feed_id, past.marker)
    if remembers:
        feeds.keep_announced(connection, feed_id, past.keys, now=now)
    made = subscriptions.add(
        connection, account_id=account_id, feed_id=feed_id, folder_id=None, now=now
    )
    for place in past.to:
        _route(connection, account_id, made.subscription_id, targets[place], now)
    return TakenOver(url, made.existing, len(past.to), remembers)


def _route(
    connection: Connection, account_id: int, subscription_id: int, target: Target, now: datetime
) -> None:
    destination_id = routes.add_destination(
        connection,
        account_id=account_id,
        channel=target.channel,
        address=target.address,
        secret=target.secret,
        title=target.title,
        now=now,
    )
    routes.add_route(
        connection,
        subscription_id=subscription_id,
        destination_id=destination_id,
        initial_items=0,
        settings=target.settings,
        now=now,
    )
