"""What a change would do at a place that several routes count, before it is made (C28)."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Final

from sqlalchemy import Connection

from wireroom.delivery.replacements import Replacement, check, removed
from wireroom.feeds import plaintext
from wireroom.feeds.model import SafeHtml
from wireroom.routing import asking
from wireroom.routing.asking import Would, rendered
from wireroom.routing.wishes import Place, operators_only, own_routes, standing_at
from wireroom.store import entries, house, steering, subscriptions
from wireroom.store.engine import Database
from wireroom.store.entries import Entry
from wireroom.store.steering import RouteState

#: Routes of a place that are looked at, or feeds; entries of each of them.
MOST_LOOKED_AT: Final = 20
NEWEST: Final = 50
#: Characters before and behind what would be taken out that are shown.
_AROUND: Final = 60


@dataclass(frozen=True, slots=True)
class RouteTrial:
    """One of the routes that a place counts for, and what would become of its newest entries."""

    route: RouteState
    would: tuple[Would, ...]

    @property
    def sent(self) -> int:
        return sum(each.is_sent for each in self.would)


async def try_at(
    database: Database, account_id: int, place: Place, changed: Mapping[str, Any]
) -> list[RouteTrial]:
    """What would be sent if wishes at the place were `changed`; None takes one back.

    What is wished for everyone is tried on the operator's own routes. Raises NotFound, NotAllowed,
    and UserError for a wish that cannot be.
    """
    asking.check(changed)

    def look(connection: Connection) -> list[RouteTrial]:
        standing_at(connection, account_id, place)
        states = {each.id: each for each in steering.list_states(connection, account_id)}
        return [
            RouteTrial(
                states[route_id],
                tuple(asking.judged(connection, route_id, NEWEST, changed, place.kind)),
            )
            for route_id in own_routes(connection, account_id, place)[:MOST_LOOKED_AT]
        ]

    return await database.read(look)


async def show_at(database: Database, account_id: int, place: Place, source: str) -> SafeHtml:
    """The newest entry of the place's first route that has one in a template; "" if none has.

    Raises UserError when the template cannot be used.
    """
    asking.check({"template": source})

    def look(connection: Connection) -> SafeHtml:
        standing_at(connection, account_id, place)
        for route_id in own_routes(connection, account_id, place)[:MOST_LOOKED_AT]:
            if shown := rendered(connection, route_id, source):
                return shown
        return SafeHtml("")

    return await database.read(look)


# -- what is taken out of texts -------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class TakenOut:
    """An entry out of which something would be taken: the line before, and after."""

    title: str
    before: str
    after: str


async def try_replacement(
    database: Database, account_id: int, value: str, *, is_regex: bool = False
) -> tuple[list[TakenOut], int]:
    """What it would take out of the newest entries of the operator's feeds, and of how many.

    Raises UserError (`invalid_replacement`) and NotAllowed.
    """
    one = Replacement(value, is_regex)
    check(one)

    def look(connection: Connection) -> tuple[list[TakenOut], int]:
        operators_only(connection, account_id)
        table = [Replacement(each.value, each.is_regex) for each in house.removals(connection)]
        found: list[TakenOut] = []
        looked_at = 0
        for feed_id in sorted(subscriptions.feeds_of(connection, account_id))[:MOST_LOOKED_AT]:
            start = steering.cursor_before(connection, feed_id, newest=NEWEST)
            for entry in entries.after(connection, feed_id, start, NEWEST):
                looked_at += 1
                found += _taken_out(entry, table, one)
        return found, looked_at

    return await database.read(look)


def _taken_out(entry: Entry, table: list[Replacement], one: Replacement) -> list[TakenOut]:
    """The first line of an entry that it changes; at most one."""
    text = plaintext.text(entry.content or entry.summary or SafeHtml(""))
    for line in (entry.title, *text.splitlines()):
        before = removed(line, table)
        after = removed(before, [one])
        if after != before:
            return [TakenOut(entry.title, *_around(before, after))]
    return []


def _around(before: str, after: str) -> tuple[str, str]:
    """Both lines, cut to where they begin to differ."""
    same = next(
        (at for at, (one, other) in enumerate(zip(before, after, strict=False)) if one != other),
        min(len(before), len(after)),
    )
    start = max(0, same - _AROUND)
    head = "…" if start else ""
    end = len(before) - len(after) + same + _AROUND
    return head + before[start:end].strip(), head + after[start : same + _AROUND].strip()
