"""RSS items as entries: what the adapters for RSS 2.0 feeds have in common."""

import time
from collections.abc import Mapping
from typing import Any

from wireroom.feeds import dates
from wireroom.feeds.adapters.contract import Entry
from wireroom.feeds.adapters.parsed import Record


def entry_from_parsed(parsed: Record) -> Entry:
    """An entry out of the parser's: id is the guid, else the link; the date is the parser's."""
    link = parsed.get("link")
    return Entry(
        id=parsed.get("id") or link,
        link=link,
        title=parsed.get("title"),
        published=parsed.get("published"),
        published_parsed=parsed.get("published_parsed"),
        summary=parsed.get("summary"),
    )


def entry_from_dict(item: Mapping[str, Any]) -> Entry:
    """An entry out of an RSS item as plain data; the description is passed on untouched.

    The guid may be an object with its text under `value` or `#text`, or plain text; without one
    the link stands in. A date that cannot be read is None.
    """
    link = _text(item.get("link"))
    published = _text(item.get("pubDate"))
    return Entry(
        id=_text(item.get("guid")) or link,
        link=link,
        title=_text(item.get("title")),
        published=published,
        published_parsed=_moment(published),
        summary=_text(item.get("description")),
    )


def items(document: Mapping[str, Any]) -> list[Mapping[str, Any]]:
    """The items of `{"channel": {"items": [...]}}`."""
    return list(document["channel"]["items"])


def _text(value: Any) -> str | None:
    if isinstance(value, Mapping):
        value = value.get("value") or value.get("#text")
    return str(value) if value is not None else None


def _moment(text: str | None) -> time.struct_time | None:
    when = dates.read(text) if text else None
    return when.utctimetuple() if when else None
