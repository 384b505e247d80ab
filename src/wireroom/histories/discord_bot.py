"""The SQLite database of the Discord bot, as it is."""

import sqlite3
from collections.abc import Iterator
from contextlib import closing
from datetime import timedelta
from pathlib import Path

from wireroom.feeds import legacy
from wireroom.histories.past import History, Past, There

#: No feed of the bot waits longer; beyond it a number is a mistake.
_LONGEST = timedelta(days=365)


def read(path: Path) -> History:
    """Feeds of one address and type, of whatever guilds, are asked as often as the fastest."""
    pasts = list(_pasts(path))
    fastest: dict[tuple[str, str], timedelta] = {}
    for past in pasts:
        if past.interval is not None:
            feed = past.url, past.adapter
            fastest[feed] = min(past.interval, fastest.get(feed, past.interval))
    for past in pasts:
        past.interval = fastest.get((past.url, past.adapter))
    return History(tuple(pasts))


def _pasts(path: Path) -> Iterator[Past]:
    with closing(sqlite3.connect(f"{path.resolve().as_uri()}?mode=ro", uri=True)) as database:
        database.row_factory = sqlite3.Row
        for row in database.execute("SELECT * FROM feeds ORDER BY id"):
            seen = database.execute(
                "SELECT entry_key FROM seen_entries WHERE feed_id = ?", (row["id"],)
            )
            webhook, name = _text(row["webhook_url"]), _text(row["name"])
            yield Past(
                _text(row["url"]),
                title=name,
                is_named=bool(name),
                adapter=_text(_added(row, "feed_type")) or "generic",
                to={f"discord:{webhook}": There()} if webhook else {},
                interval=_interval(_added(row, "interval_seconds")),
                keys={key for (mark,) in seen for key in legacy.keys_of_df(_text(mark))},
            )


def _added(row: sqlite3.Row, column: str) -> object:
    """Of a column that older versions do not have."""
    return row[column] if column in row.keys() else None  # noqa: SIM118 - of a sqlite3.Row


def _interval(seconds: object) -> timedelta | None:
    if not isinstance(seconds, int) or not 0 < seconds <= _LONGEST.total_seconds():
        return None
    return timedelta(seconds=seconds)


def _text(value: object) -> str:
    """SQLite keeps values of any type in a column of any type; "" is nothing."""
    if isinstance(value, bytes):
        return value.decode(errors="replace")
    return "" if value is None else str(value)
