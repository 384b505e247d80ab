"""Tables of the Telegram bots, as the clients of their databases write them.

Feeds: `url` and `chat_id`, and beside them `last_entry` (rss-bot) or `content_hash` (El Monitorro;
one row an item, or all of a feed with blanks between). If there are any: `title`, `thread_id`,
`chat_title`, and of El Monitorro `template`, `filter_words`, `chat_template`, `chat_filter_words`,
`utc_offset_minutes`, `preview_enabled`, `content_fields`. What rss-bot takes out of all texts:
`value` and `is_regex`.
"""

import csv
import re
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any, Literal

from wireroom.errors import UserError
from wireroom.feeds import legacy
from wireroom.histories.past import History, Past, There

#: How database clients write that there is nothing.
_NOTHING = frozenset({"NULL", "\\N"})
#: Characters of one value: the marks of a feed with all that it ever had.
_MOST_CHARACTERS = 64 * 1024 * 1024
_TRUE = frozenset({"t", "true", "1", "\x01"})
#: How MySQL's client writes what would break its rows.
_ESCAPED = re.compile(r"\\([ntr0\\])")
_MEANT = {"n": "\n", "t": "\t", "r": "\r", "0": "\0", "\\": "\\"}
#: One element of a PostgreSQL array, in quotes or without.
_ELEMENT = re.compile(r'"((?:[^"\\]|\\.)*)"|([^",{}]+)')

Row = Mapping[str, str]


def read(path: Path) -> History:
    """Raises UserError for a table of something else."""
    csv.field_size_limit(_MOST_CHARACTERS)
    with path.open(encoding="utf-8-sig", newline="") as file:
        header = file.readline()
        separator = "\t" if "\t" in header else ","
        is_plain = separator == "\t" and '"' not in header
        file.seek(0)
        quoting: Literal[0, 3] = csv.QUOTE_NONE if is_plain else csv.QUOTE_MINIMAL
        rows = csv.DictReader(file, delimiter=separator, quoting=quoting)
        named = frozenset(rows.fieldnames or ())
        told = (_told(row, is_escaped=is_plain) for row in rows)
        if {"value", "is_regex"} <= named:
            removals = (
                (row["value"], row.get("is_regex") in _TRUE) for row in told if "value" in row
            )
            return History(removals=tuple(removals))
        if {"url", "chat_id"} <= named and named & {"last_entry", "content_hash"}:
            return History(tuple(_feeds(told)))
    raise UserError(
        f"{path} is neither the database of a Discord bot nor a table with the columns "
        "url, chat_id, and last_entry or content_hash."
    )


def _told(row: Mapping[str, Any], *, is_escaped: bool) -> dict[str, str]:
    """What a row says, without what is empty."""
    return {
        name: _ESCAPED.sub(lambda found: _MEANT[found[1]], value) if is_escaped else value
        for name, value in row.items()
        # What stands behind the last named column comes as a list, under no name.
        if name and value and value not in _NOTHING
    }


def _feeds(rows: Iterable[Row]) -> Iterable[Past]:
    found: dict[str, Past] = {}
    for row in rows:
        url, chat = row.get("url", ""), row.get("chat_id", "")
        if not url:
            continue
        past = found.setdefault(url, Past(url, row.get("title", "")))
        to = f"telegram:{chat}" + (f"/{topic}" if (topic := row.get("thread_id")) else "")
        if chat and to not in past.to:
            past.to[to] = _there(row)
        past.marker = past.marker or row.get("last_entry", "")
        past.fields = past.fields or _elements(row.get("content_fields", ""))
        for mark in row.get("content_hash", "").split():
            past.keys.update(legacy.keys_of_em(mark))
    return found.values()


def _there(row: Row) -> There:
    of_feed, of_place = _look(row, "template", "filter_words"), _place(row)
    if "filter" in of_place:  # El Monitorro: the chat's replaces that of a feed
        of_feed = {name: wish for name, wish in of_feed.items() if not name.startswith("filter")}
    return There(of_feed, of_place, row.get("chat_title", ""))


def _place(row: Row) -> dict[str, Any]:
    wishes = _look(row, "chat_template", "chat_filter_words")
    if preview := row.get("preview_enabled"):
        wishes["preview"] = preview in _TRUE
    if (minutes := row.get("utc_offset_minutes", "")).removeprefix("-").isdecimal():
        wishes["utc_offset_minutes"] = int(minutes)
    return wishes


def _look(row: Row, template: str, filter_words: str) -> dict[str, Any]:
    wishes: dict[str, Any] = {}
    if layout := row.get(template):
        wishes["template"] = layout
    if words := _elements(row.get(filter_words, "")):
        # It looked for words in messages as they are shown.
        wishes |= {"filter": ", ".join(map(_quoted, words)), "filter_on": "message"}
    return wishes


def _quoted(word: str) -> str:
    """A word, or with ! in front what must not be there, that means nothing else in a filter."""
    plain = word.removeprefix("!")
    escaped = plain.strip().replace("\\", "\\\\").replace('"', '\\"')
    return f'{"!" * (plain != word)}"{escaped}"'


def _elements(array: str) -> tuple[str, ...]:
    """The texts in a PostgreSQL array, such as {rust,"open source"}."""
    found = (
        re.sub(r"\\(.)", r"\1", quoted) if quoted else "" if bare.strip() == "NULL" else bare
        for quoted, bare in _ELEMENT.findall(array)
    )
    return tuple(each.strip() for each in found if each.strip(" !"))
