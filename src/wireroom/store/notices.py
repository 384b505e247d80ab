"""What happened to feeds and destinations, until it was decided whom it is told.

Written in the transaction of what happened, so that nothing happens untold (C10, C11).
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from typing import Any, Final

from sqlalchemy import Connection, delete, insert, select

from wireroom.store import house
from wireroom.store.schema import (
    accounts,
    destinations,
    feeds,
    notices,
    routes,
    subscriptions,
)

#: How many are decided about in one transaction.
AT_ONCE: Final = 20


@dataclass(frozen=True, slots=True)
class Happened:
    """A kind (`failing`, `recovered`, `moved`, …) and what there is to say, fit for JSON."""

    kind: str
    facts: Mapping[str, Any]


@dataclass(frozen=True, slots=True)
class Untold:
    """Something that happened to a feed, or to a destination."""

    id: int
    feed_id: int | None
    destination_id: int | None
    kind: str
    facts: Mapping[str, Any]
    at: datetime


@dataclass(frozen=True, slots=True)
class Place:
    """A destination that something may be told in; `layers` are those of its wishes."""

    id: int
    account_id: int
    channel: str
    address: str
    is_suspended: bool
    layers: tuple[Mapping[str, Any], ...]


def of_feeds(connection: Connection, happened: Sequence[tuple[int, Happened, datetime]]) -> None:
    """Keep what happened to these feeds, by id."""
    rows = [
        {"feed_id": feed_id, "kind": what.kind, "facts": dict(what.facts), "at": at}
        for feed_id, what, at in happened
    ]
    if rows:
        connection.execute(insert(notices), rows)


def of_destination(
    connection: Connection, destination_id: int, what: Happened, *, now: datetime
) -> None:
    """Keep what happened to a destination."""
    connection.execute(
        insert(notices).values(
            destination_id=destination_id, kind=what.kind, facts=dict(what.facts), at=now
        )
    )


def untold(connection: Connection) -> list[Untold]:
    """The oldest that nobody else decides about at this moment."""
    rows = connection.execute(
        select(
            notices.c.id,
            notices.c.feed_id,
            notices.c.destination_id,
            notices.c.kind,
            notices.c.facts,
            notices.c.at,
        )
        .order_by(notices.c.id)
        .limit(AT_ONCE)
        .with_for_update(skip_locked=True)
    )
    return [Untold(*row) for row in rows]


def forget(connection: Connection, ids: Sequence[int]) -> None:
    """It was decided whom these are told."""
    connection.execute(delete(notices).where(notices.c.id.in_(ids)))


def feed_words(connection: Connection, feed_id: int) -> Mapping[str, str]:
    """How a feed is called, and where it lives."""
    row = connection.execute(
        select(feeds.c.title, feeds.c.url, feeds.c.site_url, feeds.c.icon_url).where(
            feeds.c.id == feed_id
        )
    ).one()
    return {"feed": row.title, "url": row.url, "site": row.site_url, "icon": row.icon_url}


_PLACE = (
    destinations.c.id,
    destinations.c.account_id,
    destinations.c.channel,
    destinations.c.address,
    destinations.c.suspended_at,
)


def following(connection: Connection, feed_id: int) -> list[Place]:
    """Where the feed's news go, each place once, with what is wished there."""
    rows = connection.execute(
        select(
            *_PLACE,
            routes.c.settings,
            subscriptions.c.settings,
            destinations.c.settings,
            accounts.c.preferences,
        )
        .select_from(routes)
        .join(subscriptions, subscriptions.c.id == routes.c.subscription_id)
        .join(destinations, destinations.c.id == routes.c.destination_id)
        .join(accounts, accounts.c.id == destinations.c.account_id)
        .where(routes.c.feed_id == feed_id)
        .order_by(destinations.c.id, routes.c.id)
    )
    found: dict[int, Place] = {}
    for row in rows:
        *place, route, subscription, own, preferences = tuple(row)
        layers = (route, subscription, own, (preferences or {}).get("delivery") or {})
        found.setdefault(place[0], _place(place, layers))
    return _with_house(connection, found.values())


def of_account(connection: Connection, account_id: int) -> list[Place]:
    """All places of an account, oldest first."""
    rows = connection.execute(
        select(*_PLACE, destinations.c.settings, accounts.c.preferences)
        .join(accounts, accounts.c.id == destinations.c.account_id)
        .where(destinations.c.account_id == account_id)
        .order_by(destinations.c.id)
    )
    found = [
        _place(place, (own, (preferences or {}).get("delivery") or {}))
        for *place, own, preferences in map(tuple, rows)
    ]
    return _with_house(connection, found)


def _place(values: Sequence[Any], layers: tuple[Mapping[str, Any], ...]) -> Place:
    id_, account_id, channel, address, suspended_at = values
    return Place(id_, account_id, channel, address, suspended_at is not None, layers)


def _with_house(connection: Connection, found: Iterable[Place]) -> list[Place]:
    """With the operator's and the profile's wishes below their own."""
    house_of: dict[str, tuple[Mapping[str, Any], ...]] = {}
    placed = []
    for each in found:
        if each.channel not in house_of:
            house_of[each.channel] = house.layers(connection, each.channel)
        placed.append(replace(each, layers=(*each.layers, *house_of[each.channel])))
    return placed


def operators(connection: Connection) -> list[int]:
    """The accounts of whoever runs this installation."""
    return list(
        connection.execute(
            select(accounts.c.id).where(accounts.c.role == "operator").order_by(accounts.c.id)
        ).scalars()
    )
