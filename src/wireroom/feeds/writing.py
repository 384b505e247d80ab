"""Feeds of our own: entries as Atom (RFC 4287) and as JSON Feed 1.1 (pure).

What goes in is sanitised already; what comes out is escaped once, and holds no character that XML
has no place for.
"""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Any, Final
from xml.sax.saxutils import escape, quoteattr

import orjson

from wireroom.feeds.model import Enclosure

#: Characters that no XML 1.0 document may hold.
_NO_XML = re.compile("[\x00-\x08\x0b\x0c\x0e-\x1f\ufffe\uffff\ud800-\udfff]")
ATOM_TYPE: Final = "application/atom+xml"
JSON_TYPE: Final = "application/feed+json"


@dataclass(frozen=True, slots=True)
class Written:
    """One entry of a feed of ours; `id` never changes, `html` is absolute and safe."""

    id: str
    title: str
    link: str
    author: str
    published: datetime
    updated: datetime
    html: str
    source: str
    categories: tuple[str, ...] = ()
    enclosures: tuple[Enclosure, ...] = ()


@dataclass(frozen=True, slots=True)
class Channel:
    """The feed itself: `id` never changes, `url` is where it is, `updated` its newest change."""

    id: str
    title: str
    url: str
    updated: datetime


def atom(channel: Channel, entries: Sequence[Written]) -> bytes:
    """An Atom document."""
    parts = [
        '<?xml version="1.0" encoding="utf-8"?>\n<feed xmlns="http://www.w3.org/2005/Atom">',
        f"<id>{_text(channel.id)}</id>",
        f"<title>{_text(channel.title)}</title>",
        f"<updated>{_moment(channel.updated)}</updated>",
        f'<link rel="self" href={_attribute(channel.url)}/>',
        "<generator>Wireroom</generator>",
        *(_atom_entry(each) for each in entries),
        "</feed>\n",
    ]
    return "\n".join(parts).encode()


def _atom_entry(entry: Written) -> str:
    parts = [
        "<entry>",
        f"<id>{_text(entry.id)}</id>",
        f"<title>{_text(entry.title or entry.source or 'Untitled')}</title>",
        f"<published>{_moment(entry.published)}</published>",
        f"<updated>{_moment(entry.updated)}</updated>",
        f"<author><name>{_text(entry.author or entry.source or 'unknown')}</name></author>",
    ]
    if entry.link:
        parts.append(f'<link rel="alternate" href={_attribute(entry.link)}/>')
    parts += [f"<category term={_attribute(each)}/>" for each in entry.categories]
    parts += [_atom_enclosure(each) for each in entry.enclosures]
    parts += [f'<content type="html">{_text(entry.html)}</content>', "</entry>"]
    return "\n".join(parts)


def _atom_enclosure(enclosure: Enclosure) -> str:
    kind = f" type={_attribute(enclosure.media_type)}" if enclosure.media_type else ""
    size = f' length="{enclosure.length_bytes}"' if enclosure.length_bytes else ""
    return f'<link rel="enclosure" href={_attribute(enclosure.url)}{kind}{size}/>'


def json_feed(channel: Channel, entries: Sequence[Written]) -> bytes:
    """A JSON Feed document."""
    return orjson.dumps(
        {
            "version": "https://jsonfeed.org/version/1.1",
            "title": channel.title,
            "feed_url": channel.url,
            "items": [_json_item(each) for each in entries],
        }
    )


def _json_item(entry: Written) -> Mapping[str, Any]:
    item = {
        "id": entry.id,
        "url": entry.link,
        "title": entry.title,
        "content_html": entry.html,
        "date_published": _moment(entry.published),
        "date_modified": _moment(entry.updated),
        "authors": [{"name": entry.author or entry.source}],
        "tags": list(entry.categories),
        "attachments": [_json_attachment(each) for each in entry.enclosures],
    }
    return {name: _clean(value) for name, value in item.items() if value or name == "content_html"}


def _json_attachment(enclosure: Enclosure) -> Mapping[str, Any]:
    found = {
        "url": enclosure.url,
        "mime_type": enclosure.media_type or "application/octet-stream",
        "size_in_bytes": enclosure.length_bytes,
        "duration_in_seconds": enclosure.duration_seconds,
    }
    return {name: value for name, value in found.items() if value}


def _clean(value: Any) -> Any:
    return _NO_XML.sub("", value) if isinstance(value, str) else value


def _text(value: str) -> str:
    return escape(_NO_XML.sub("", value))


def _attribute(value: str) -> str:
    return quoteattr(_NO_XML.sub("", value))


def _moment(at: datetime) -> str:
    return at.astimezone(UTC).isoformat(timespec="seconds").replace("+00:00", "Z")
