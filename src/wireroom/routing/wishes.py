"""What people want of their messages, at every place where it can be said.

From most special to widest: a route, its subscription, its destination, the account, and everyone
(the operator's). `delivery.wishes` says how the places count together.
"""

from collections.abc import Collection, Mapping
from datetime import datetime
from typing import Any, Final, NoReturn

from sqlalchemy import Connection

from wireroom.delivery import rules, wishlist
from wireroom.errors import NotAllowed, NotFound
from wireroom.routing.asking import rendered
from wireroom.store import accounts, places, routes
from wireroom.store.engine import Database
from wireroom.store.places import Place

__all__ = ["EVERYONE", "Place", "get_wishes", "set_wish"]

EVERYONE: Final = Place("everyone")


async def get_wishes(database: Database, account_id: int, place: Place) -> Mapping[str, Any]:
    """The settings that stand at one place, by name. Raises NotFound, or NotAllowed (everyone)."""

    def look(connection: Connection) -> Mapping[str, Any]:
        return standing_at(connection, account_id, place)

    return await database.read(look)


async def set_wish(
    database: Database,
    account_id: int,
    place: Place,
    name: str,
    value: Any,
    *,
    now: datetime,
    within: Collection[int] | None = None,
) -> None:
    """Set one setting at a place; None takes it back. Raises UserError for what cannot be.

    A filter must be readable, a template must render the newest entry of each of the place's
    routes; `samples.set_template` sends it as well before it counts. Rules lead to the account's
    destinations; to those `within` alone where whoever asks has a say in a part of the account
    only, besides those to which the place's rules lead already.
    """
    if value is not None:
        wishlist.check(name, value)

    def work(connection: Connection) -> None:
        settings = standing_at(connection, account_id, place, to_change=True)
        stands = settings.pop(name, None)
        if value is not None:
            settings[name] = value
        if name == "template" and value is not None and place.kind != "everyone":
            for route_id in places.routes_at(connection, account_id, place)[:_MOST_RENDERED]:
                rendered(connection, route_id, value)
        if name == "rules" and value is not None:
            known = None if within is None else {*within, *rules.led_to(str(stands or ""))}
            _check_destinations(connection, account_id, place, value, known)
        places.change_settings(connection, place, settings, now=now)

    await database.write(work)


#: Routes whose newest entry must render in a template before it is set for all of them.
_MOST_RENDERED: Final = 20


def _check_destinations(
    connection: Connection,
    account_id: int,
    place: Place,
    value: str,
    known: Collection[int] | None,
) -> None:
    """A rule leads to a destination of the same account, so none for everyone leads anywhere."""
    for number in sorted(rules.led_to(value)):
        there = routes.destination(connection, number)
        is_ours = there is not None and there.account_id == account_id
        if place == EVERYONE or not is_ours or (known is not None and number not in known):
            raise NotFound(f"There is no destination {number}.", code="unknown_destination")


def standing_at(
    connection: Connection, account_id: int, place: Place, *, to_change: bool = False
) -> dict[str, Any]:
    """The settings at a place. Raises NotFound, or NotAllowed (everyone)."""
    if place.kind == "everyone":
        operators_only(connection, account_id)
    settings = places.settings_at(connection, account_id, place, to_change=to_change)
    return _unknown(place) if settings is None else settings


def own_routes(connection: Connection, account_id: int, place: Place) -> list[int]:
    """The account's routes that the place's wishes count for; for everyone, all of them."""
    own = Place("account", account_id) if place == EVERYONE else place
    return places.routes_at(connection, account_id, own)


def _unknown(place: Place) -> NoReturn:
    raise NotFound(f"There is no such {place.kind}.", code=f"unknown_{place.kind}")


def operators_only(connection: Connection, account_id: int) -> None:
    """Raises NotAllowed for everybody else."""
    account = accounts.find_account(connection, account_id)
    if account is None or account.role != "operator":
        raise NotAllowed("Only who runs this Wireroom can do that.", code="operator_only")
