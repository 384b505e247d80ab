"""Trials: what would be posted of a feed's newest entries, made as delivery makes it.

Template, replacements, filters, rules, digests and the text of linked pages count as in earnest.
Nothing is sent from here, and nothing is written down.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import datetime
from typing import Any, Final

from sqlalchemy import Connection

from wireroom.delivery.compose import Choice, choose, compose, digest
from wireroom.delivery.message import Message
from wireroom.delivery.replacements import Replacement
from wireroom.delivery.turn import Delivering
from wireroom.delivery.wishes import MOST_IN_A_DIGEST
from wireroom.errors import NotFound
from wireroom.feeds.model import Item, ParsedFeed
from wireroom.feeds.traits import sort_key
from wireroom.routing.asking import newest_entries, wishes_of
from wireroom.routing.steering import found
from wireroom.routing.wishes import Place
from wireroom.store import articles, house, places, routes
from wireroom.store.entries import Entry
from wireroom.store.places import Kind
from wireroom.store.routes import Route, Waiting
from wireroom.store.text import storable

#: Entries that are tried.
MOST_TRIED: Final = 20


@dataclass(frozen=True, slots=True)
class Tried:
    """An entry, and whether it would be sent."""

    title: str
    choice: Choice


@dataclass(frozen=True, slots=True)
class Trial:
    """What became of the newest entries, the newest last."""

    tried: tuple[Tried, ...]
    #: The newest that would be sent, or else the newest, as it would be posted: in a digest with
    #: others where the place has digests. None where there is no entry at all.
    message: Message | None = None
    #: How a channel is to render it.
    settings: Mapping[str, Any] = field(default_factory=dict)

    @property
    def passing(self) -> int:
        return sum(each.choice.is_sent for each in self.tried)


async def try_route(
    tools: Delivering,
    account_id: int,
    route_id: int,
    *,
    changed: Mapping[str, Any] | None = None,
) -> Trial:
    """The newest entries of a route, `changed` settings counting for this once.

    Raises NotFound for one that is not this account's.
    """

    def look(connection: Connection) -> Trial:
        found(connection, account_id, route_id)
        route = routes.find_any(connection, route_id)
        return Trial(()) if route is None else trial_of(connection, route, tools, changed)

    return await tools.database.read(look)


def trial_of(
    connection: Connection,
    route: Route,
    tools: Delivering,
    changed: Mapping[str, Any] | None = None,
    at: Kind = "route",
) -> Trial:
    """The newest entries of a route, with settings `at` one of the places that count for it
    `changed` for this once."""
    newest = newest_entries(connection, route, MOST_TRIED)
    shown = articles.put_in(connection, [Waiting(route, tuple(newest))], now=tools.now())
    tried = shown[0].entries if shown else newest
    return _trial(connection, route, tried, tools, changed, at)


async def try_feed(
    tools: Delivering,
    account_id: int,
    url: str,
    parsed: ParsedFeed,
    items: Sequence[Item],
    *,
    channel: str,
    place: Place | None = None,
    route_id: int | None = None,
    changed: Mapping[str, Any] | None = None,
) -> Trial:
    """The newest of a feed's `items`, oldest first, in a channel, at a destination's `place`.

    `changed` are settings of the route for this once. Where the feed is followed there already,
    `route_id` says as what. Raises NotFound for what is not this account's.
    """

    def look(connection: Connection) -> Trial:
        route = None
        if route_id is not None:
            found(connection, account_id, route_id)
            route = routes.find_any(connection, route_id)
        route = route or _route(connection, account_id, url, parsed, channel, place)
        fresh = [
            _entry(item, route.feed_id, seq, tools.now())
            for seq, item in enumerate(items[-MOST_TRIED:], 1)
        ]
        return _trial(
            connection, replace(route, asked_through=0, passed={}), fresh, tools, changed
        )

    return await tools.database.read(look)


def _trial(
    connection: Connection,
    route: Route,
    tried: Sequence[Entry],
    tools: Delivering,
    changed: Mapping[str, Any] | None = None,
    at: Kind = "route",
) -> Trial:
    wanted = wishes_of(connection, route, changed, at)
    choices = [choose(entry, route, wanted) for entry in tried]
    if not choices:
        return Trial((), settings=wanted.settings)
    table = [Replacement(each.value, each.is_regex) for each in house.removals(connection)]
    composed = [
        (compose(entry, route, wanted, table, choice.ruling, tools.pages), choice)
        for entry, choice in zip(tried, choices, strict=True)
        if choice.is_sent
    ] or [(compose(tried[-1], route, wanted, table, choices[-1].ruling, tools.pages), choices[-1])]
    message, choice = composed[-1]
    if wanted.digest or wanted.digest_every:
        most = wanted.digest_every or MOST_IN_A_DIGEST
        message = digest(route, [each for each, _ in composed[-most:]], wanted.language)
    return Trial(
        tuple(Tried(entry.title, each) for entry, each in zip(tried, choices, strict=True)),
        message,
        {**wanted.settings, "silent": True} if choice.ruling.muted else wanted.settings,
    )


# -- a feed that nobody follows there -------------------------------------------------------------


def _route(
    connection: Connection,
    account_id: int,
    url: str,
    parsed: ParsedFeed,
    channel: str,
    place: Place | None,
) -> Route:
    """The route that a subscription would make."""
    of_place = _settings(connection, account_id, place) if place else {}
    of_account = _settings(connection, account_id, Place("account", account_id))
    return Route(
        id=0,
        feed_id=0,
        cursor=0,
        asked_through=0,
        last_seq=0,
        settings={},
        attempts=0,
        failing_since=None,
        parcels_sent=0,
        not_before=None,
        feed_title=parsed.title,
        feed_url=url,
        site_url=parsed.site_url,
        icon_url=parsed.icon_url,
        language=parsed.language,
        channel=channel,
        account_id=account_id,
        wider=({}, of_place, of_account),
    )


def _settings(connection: Connection, account_id: int, place: Place) -> Mapping[str, Any]:
    settings = places.settings_at(connection, account_id, place)
    if settings is None:
        raise NotFound(f"There is no such {place.kind}.", code=f"unknown_{place.kind}")
    return settings


def _entry(item: Item, feed_id: int, seq: int, now: datetime) -> Entry:
    """The entry that an item would be stored as."""
    return Entry(
        feed_id=feed_id,
        seq=seq,
        public_id="",
        sort_at=sort_key(item, now),
        published=item.published or item.updated,
        first_seen=now,
        title=storable(item.title, 1024),
        author=storable(item.author, 256),
        link=storable(item.link, 2048),
        summary=item.summary,
        content=item.content,
        image_url=storable(item.image_url, 2048),
        enclosures=item.enclosures,
        categories=item.categories,
        revision=0,
        is_news=True,
        not_news_why="",
    )
