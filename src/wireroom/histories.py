"""What other systems knew: their feeds, where news of each went, and what had been announced.

Two shapes of files are read. The SQLite database of a Discord bot ("rss.sqlite3") is taken as it
is. Of the Telegram bots, whose databases are servers, it is a table with a header, separated by
commas or tabs: `url` and `chat_id`, and beside them `last_entry` (rss-bot) or `content_hash`
(El Monitorro, one row an item), and `thread_id` and `title` if there are any.
"""

import csv
import sqlite3
from collections.abc import Iterable, Iterator, Mapping
from contextlib import closing
from dataclasses import dataclass, field
from pathlib import Path

from wireroom.errors import UserError
from wireroom.feeds import legacy
from wireroom.feeds.traits import ItemKey

_SQLITE = b"SQLite format 3\0"
#: How database clients write that there is nothing.
_NOTHING = frozenset({"NULL", "\\N"})


@dataclass(slots=True)
class Past:
    """One feed of another system."""

    url: str
    title: str = ""
    adapter: str = "generic"
    #: Where its news went, as people type it (`targets`).
    to: list[str] = field(default_factory=list)
    #: rss-bot's: everything up to this item was announced.
    marker: str = ""
    #: What else stands for items that were announced.
    keys: set[ItemKey] = field(default_factory=set)


def read(path: Path) -> list[Past]:
    """What a file holds. Raises UserError."""
    try:
        with path.open("rb") as file:
            is_database = file.read(len(_SQLITE)) == _SQLITE
        return list(_discord_bot(path)) if is_database else _table(path)
    except OSError as error:
        raise UserError(f"{path} cannot be read: {error.strerror or error}.") from error
    except (sqlite3.Error, csv.Error, UnicodeDecodeError) as error:
        raise UserError(f"{path} cannot be understood: {error}.") from error
    except IndexError as error:  # of a sqlite3.Row
        raise UserError(f"{path} is no database of the Discord bot: it lacks columns.") from error


def _discord_bot(path: Path) -> Iterator[Past]:
    with closing(sqlite3.connect(f"{path.resolve().as_uri()}?mode=ro", uri=True)) as database:
        database.row_factory = sqlite3.Row
        for row in database.execute("SELECT * FROM feeds ORDER BY id"):
            seen = database.execute(
                "SELECT entry_key FROM seen_entries WHERE feed_id = ?", (row["id"],)
            )
            webhook = _text(row["webhook_url"])
            yield Past(
                _text(row["url"]),
                title=_text(row["name"]),
                # Its older versions had no types.
                adapter=_text(row["feed_type"] if "feed_type" in row.keys() else "") or "generic",  # noqa: SIM118 - of a sqlite3.Row
                to=[f"discord:{webhook}"] if webhook else [],
                keys={key for (mark,) in seen for key in legacy.keys_of_df(_text(mark))},
            )


def _text(value: object) -> str:
    """SQLite keeps values of any type in a column of any type; "" is nothing."""
    if isinstance(value, bytes):
        return value.decode(errors="replace")
    return "" if value is None else str(value)


def _table(path: Path) -> list[Past]:
    with path.open(encoding="utf-8-sig", newline="") as file:
        separator = "\t" if "\t" in file.readline() else ","
        file.seek(0)
        rows = csv.DictReader(file, delimiter=separator)
        named = frozenset(rows.fieldnames or ())
        if not {"url", "chat_id"} <= named or named.isdisjoint({"last_entry", "content_hash"}):
            raise UserError(
                f"{path} is neither the database of a Discord bot nor a table with the columns "
                "url, chat_id, and last_entry or content_hash."
            )
        return _telegram_bot(rows)


def _telegram_bot(rows: Iterable[Mapping[str, str | None]]) -> list[Past]:
    found: dict[str, Past] = {}
    for row in rows:
        # What stands behind the last named column comes as a list, under no name.
        told = {
            name: "" if value in _NOTHING else value
            for name, value in row.items()
            if name and value
        }
        url, chat = told.get("url", ""), told.get("chat_id", "")
        if not url:
            continue
        past = found.setdefault(url, Past(url, told.get("title", "")))
        to = f"telegram:{chat}" + (f"/{topic}" if (topic := told.get("thread_id")) else "")
        if chat and to not in past.to:
            past.to.append(to)
        past.marker = past.marker or told.get("last_entry", "")
        if mark := told.get("content_hash"):
            past.keys.update(legacy.keys_of_em(mark))
    return list(found.values())
