"""How many entries each feed has, by date: why unread counts cost the same however much is unread.

What is unread is what is dated after a watermark, and each subscription has its own. So a feed's
entries are tallied in spans of time of two widths, by whoever writes entries, in the same
transaction: never for each subscriber. After any moment there are a few wide spans, at most 63
narrow ones, and the entries of a part of one narrow span, which are counted themselves
(`docs/notes/unread-counts.md`).
"""

from collections import Counter
from collections.abc import Callable, Collection, Iterable
from datetime import datetime
from typing import Any

from sqlalchemy import (
    BigInteger,
    ColumnElement,
    Connection,
    Select,
    and_,
    delete,
    func,
    insert,
    literal_column,
    select,
    type_coerce,
)

from wireroom.store import bulk
from wireroom.store.schema import entries, tallies

#: A span is 2^width milliseconds: 18.6 hours, and 49.7 days.
NARROW, WIDE = 26, 32

_ADD = "ON CONFLICT (feed_id, width, span) DO UPDATE SET number = tallies.number + excluded.number"


def add(connection: Connection, dates: Iterable[tuple[int, datetime]]) -> None:
    """Entries came: the feed and the date (`sort_at`) of each."""
    _change(connection, dates, 1)


def take_off(connection: Connection, dates: Collection[tuple[int, datetime]]) -> None:
    """Entries went: the feed and the date (`sort_at`) of each."""
    _change(connection, dates, -1)
    of_feeds = tallies.c.feed_id.in_({feed_id for feed_id, _ in dates})
    connection.execute(delete(tallies).where(of_feeds, tallies.c.number == 0))


def _change(connection: Connection, dates: Iterable[tuple[int, datetime]], sign: int) -> None:
    changes = Counter[tuple[int, int, int]]()
    for feed_id, sort_at in dates:
        moment = bulk.milliseconds(sort_at)
        assert moment is not None
        changes[feed_id, NARROW, moment >> NARROW] += sign
        changes[feed_id, WIDE, moment >> WIDE] += sign
    rows = [(*span, number) for span, number in changes.items()]
    bulk.insert_tuples(connection, tallies, ("feed_id", "width", "span", "number"), rows, _ADD)


def recount(connection: Connection) -> None:
    """Tally everything anew, for whoever wrote entries past `add`."""
    connection.execute(delete(tallies))
    for width in (NARROW, WIDE):
        span = _shifted(entries.c.sort_at, width)
        counted = select(entries.c.feed_id, literal_column(str(width)), span, func.count())
        connection.execute(
            insert(tallies).from_select(
                ["feed_id", "width", "span", "number"], counted.group_by(entries.c.feed_id, span)
            )
        )


def after(feed_id: ColumnElement[int], moment: ColumnElement[datetime]) -> ColumnElement[int]:
    """How many entries of a feed are dated after a moment, both of the row that it is asked of."""
    narrow, wide = _shifted(moment, NARROW), _shifted(moment, WIDE)
    entry = entries.alias("counted")
    dated = type_coerce(entry.c.sort_at, BigInteger)
    rest = (
        select(func.count())
        .select_from(entry)
        .where(entry.c.feed_id == feed_id, entry.c.sort_at > moment)
        .where(dated < (narrow + 1).op("<<")(literal_column(str(NARROW))))
    )
    next_wide = (wide + 1).op("<<")(literal_column(str(WIDE - NARROW)))
    return (
        _sum(feed_id, WIDE, lambda span: span > wide)
        + _sum(feed_id, NARROW, lambda span: and_(span > narrow, span < next_wide))
        + _of_row(feed_id, rest)
    )


def _sum(
    feed_id: ColumnElement[int],
    width: int,
    which: Callable[[ColumnElement[int]], ColumnElement[bool]],
) -> ColumnElement[int]:
    tally = tallies.alias("wide" if width == WIDE else "narrow")
    total = select(func.coalesce(func.sum(tally.c.number), 0)).where(
        tally.c.feed_id == feed_id, tally.c.width == width, which(tally.c.span)
    )
    return _of_row(feed_id, total)


def _of_row(feed_id: ColumnElement[int], counted: Select[Any]) -> ColumnElement[int]:
    table = feed_id.table
    return counted.correlate(table).scalar_subquery()


def _shifted(moment: ColumnElement[datetime], width: int) -> ColumnElement[int]:
    # Written out, since PostgreSQL shifts by integers and parameters are eight bytes long.
    return type_coerce(moment, BigInteger).op(">>")(literal_column(str(width)))
