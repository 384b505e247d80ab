"""The places that hold settings for messages: a route, a subscription, a destination, an account.

Each is looked for within the account that asks. Routes that a change concerns are looked at anew.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import Any, Literal

from sqlalchemy import ColumnElement, Connection, select, true, update

from wireroom.store import house, ruled
from wireroom.store import routes as outbox
from wireroom.store.schema import accounts, destinations, routes, subscriptions

Kind = Literal["route", "subscription", "destination", "account", "everyone"]


@dataclass(frozen=True, slots=True)
class Place:
    """Whose settings; `id` is 0 for everyone's, which are the operator's."""

    kind: Kind
    id: int = 0


def settings_at(
    connection: Connection, account_id: int, place: Place, *, to_change: bool = False
) -> dict[str, Any] | None:
    """The settings that stand at this place; None when the account has no such thing."""
    if place.kind == "everyone":
        return dict(house.settings(connection))
    table = _TABLES[place.kind]
    column = accounts.c.preferences if table is accounts else table.c.settings
    query = select(column).where(table.c.id == place.id, _belongs_to(account_id, place))
    row = connection.execute(query.with_for_update() if to_change else query).first()
    if row is None:
        return None
    found = dict(row[0] or {})
    return dict(found.get(_PART) or {}) if table is accounts else found


def change_settings(
    connection: Connection, place: Place, settings: Mapping[str, Any], *, now: datetime
) -> None:
    """Write the settings of a place that `settings_at` has found; what they held back goes on."""
    match place.kind:
        case "everyone":
            house.set_settings(connection, settings, now=now)
        case "account":
            kept = select(accounts.c.preferences).where(accounts.c.id == place.id)
            preferences = dict(connection.execute(kept).scalar_one() or {})
            connection.execute(
                update(accounts)
                .where(accounts.c.id == place.id)
                .values(preferences={**preferences, _PART: dict(settings)})
            )
        case _:
            table = _TABLES[place.kind]
            connection.execute(
                update(table).where(table.c.id == place.id).values(settings=dict(settings))
            )
    _look_anew(connection, _concerned(place), now=now)
    if place.kind in ("subscription", "account", "everyone"):
        ruled.settle(connection, _followed(place))


def routes_at(connection: Connection, account_id: int, place: Place) -> list[int]:
    """The routes that settings of this place count for, in the order of their numbers."""
    query = select(routes.c.id).where(_concerned(place)).order_by(routes.c.id)
    if place.kind != "everyone":
        query = query.where(_owned_by(account_id))
    return list(connection.execute(query).scalars())


#: Where an account's preferences keep what it wants of messages.
_PART = "delivery"

_TABLES = {
    "route": routes,
    "subscription": subscriptions,
    "destination": destinations,
    "account": accounts,
}


def _belongs_to(account_id: int, place: Place) -> ColumnElement[bool]:
    match place.kind:
        case "route":
            return _owned_by(account_id)
        case "account":
            return accounts.c.id == account_id
    return _TABLES[place.kind].c.account_id == account_id


def _owned_by(account_id: int) -> ColumnElement[bool]:
    owned = select(subscriptions.c.id).where(subscriptions.c.account_id == account_id)
    return routes.c.subscription_id.in_(owned)


def _concerned(place: Place) -> ColumnElement[bool]:
    match place.kind:
        case "route":
            return routes.c.id == place.id
        case "subscription":
            return routes.c.subscription_id == place.id
        case "destination":
            return routes.c.destination_id == place.id
        case "account":
            return _owned_by(place.id)
    return routes.c.id.is_not(None)


def _followed(place: Place) -> ColumnElement[bool]:
    """The subscriptions that settings of this place count for."""
    match place.kind:
        case "subscription":
            return subscriptions.c.id == place.id
        case "account":
            return subscriptions.c.account_id == place.id
    return true()


def _look_anew(connection: Connection, concerned: ColumnElement[bool], *, now: datetime) -> None:
    """Routes that were held back by what was wished before are asked again."""
    held = update(routes).where(concerned, routes.c.not_before.is_not(None))
    woken = connection.execute(held.values(not_before=None).returning(routes.c.destination_id))
    for destination_id in sorted(set(woken.scalars())):
        outbox.wake(connection, destination_id, now=now)
