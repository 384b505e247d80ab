"""JSON Feed 1.0 and 1.1 (jsonfeed.org).

Items stay raw JSON until their digest was looked at, so that a re-poll decodes only what is new.
Wrong types spoil one field, never the item (B35).
"""

import re
from collections.abc import Collection, Iterator
from datetime import datetime
from typing import Any

import msgspec

from wireroom.feeds import dates, lenient_json, media, people, plaintext, sanitize
from wireroom.feeds.elements import as_line, as_url, digester
from wireroom.feeds.lenient_json import Document
from wireroom.feeds.limits import (
    MAX_CONTENT,
    MAX_DESCRIPTION,
    MAX_FEED_TITLE,
    MAX_GUID,
    MAX_LIST,
    MAX_NAME,
    MAX_SUMMARY,
    MAX_TITLE,
)
from wireroom.feeds.model import Digest, Enclosure, Item, ParsedFeed, Person, SafeHtml, Warning  # noqa: A004

#: The specification wants the whole address; the bare number is accepted where items are.
_VERSION = re.compile(r"(https?://(?:www\.)?jsonfeed\.org/version/)?(\d[\d.]{0,7})/?")
_ENTRIES = msgspec.json.Decoder(list[msgspec.Raw])
_MEMBERS = msgspec.json.Decoder(dict[str, msgspec.Raw])


def read(
    body: bytes, *, url: str, content_type: str, met: Collection[Digest], max_items: int
) -> ParsedFeed | None:
    """The feed in `body`; None when the JSON is something else."""
    warnings: list[Warning] = []
    document = lenient_json.read(body, content_type, warnings)
    version = _VERSION.fullmatch(_string(document.version).strip()) if document else None
    if document is None or version is None or not (version[1] or _raw_items(document)):
        return None
    authors = _people(url, document.authors, document.author)
    language = _line(document.language, MAX_NAME)
    items, passed_over = [], []
    digest_of = digester(url, language, authors)
    for number, raw in enumerate(_raw_items(document)):
        if number == max_items:
            warnings.append(Warning(f"only the first {number} items were read"))
            break
        digest = digest_of(bytes(raw))
        if digest in met:
            passed_over.append(digest)
        elif isinstance(entry := lenient_json.item(raw), dict):
            items.append(_item(entry, digest, url, language, authors))
        else:
            warnings.append(Warning(f"item {number + 1} is no JSON object and was left out"))
    return ParsedFeed(
        format="json",
        version=version[2],
        title=_line(document.title, MAX_FEED_TITLE),
        description=_line(document.description, MAX_DESCRIPTION),
        site_url=_url(url, document.home_page_url),
        self_url=_url(url, document.feed_url),
        hub_urls=tuple(_hubs(url, document.hubs)),
        icon_url=_url(url, document.icon) or _url(url, document.favicon),
        language=language,
        authors=authors,
        expired=document.expired is True,
        items=tuple(items),
        met=tuple(passed_over),
        encoding_source="json",
        warnings=tuple(warnings),
    )


def _raw_items(document: Document) -> list[msgspec.Raw]:
    try:
        return _ENTRIES.decode(document.items)
    except msgspec.DecodeError:
        return _items_in_object(document.items)


def _items_in_object(raw: msgspec.Raw) -> list[msgspec.Raw]:
    """The items in an object in place of a list: by their keys, or itself the only one."""
    try:
        members = list(_MEMBERS.decode(raw).values())
    except msgspec.DecodeError:
        return []
    are_items = all(bytes(member).startswith(b"{") for member in members)
    return members if are_items else [raw]


def _item(
    entry: dict[str, Any],
    digest: Digest,
    base: str,
    language: str,
    feed_authors: tuple[Person, ...],
) -> Item:
    link = (
        _url(base, entry.get("url"))
        or _url(base, entry.get("external_url"))
        or _address_in(entry.get("id"))
    )
    content = _content(entry, link or base)
    summary = _plain_paragraphs(_string(entry.get("summary"))[:MAX_SUMMARY], link or base)
    enclosures = tuple(_attachments(base, entry.get("attachments")))
    return Item(
        digest=digest,
        guid=_guid(entry.get("id")),
        link=link,
        title=_line(entry.get("title"), MAX_TITLE),
        summary=None if summary == content else summary,
        content=content,
        published=_date(entry.get("date_published")),
        updated=_date(entry.get("date_modified")),
        authors=_people(base, entry.get("authors"), entry.get("author")) or feed_authors,
        categories=tuple(_tags(entry.get("tags"))),
        enclosures=enclosures,
        image_url=_url(base, entry.get("image"))
        or _url(base, entry.get("banner_image"))
        or next((e.url for e in enclosures if e.kind == "image"), "")
        or media.picture_in(content or ""),
        language=_line(entry.get("language"), MAX_NAME) or language,
        extra=_extra(base, entry, link),
    )


def _guid(value: object) -> str | None:
    identifier = _string(value)
    return identifier if identifier.strip() and len(identifier) <= MAX_GUID else None


def _address_in(identifier: object) -> str:
    """An identifier that is an address, as the specification would have them all."""
    text = _string(identifier).strip()
    return as_url("", text) if text[:8].lower().startswith(("http://", "https://")) else ""


def _content(entry: dict[str, Any], base: str) -> SafeHtml | None:
    html = _string(entry.get("content_html"))
    if html.strip() and (safe := sanitize.html(html[:MAX_CONTENT], base_url=base)):
        return safe
    return _plain_paragraphs(_string(entry.get("content_text"))[:MAX_CONTENT], base)


def _plain_paragraphs(text: str, base: str) -> SafeHtml | None:
    if not text.strip():
        return None
    return sanitize.html(plaintext.as_html(_escaped(text)), base_url=base)


def _escaped(text: str) -> str:
    return text.replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;")


def _extra(base: str, entry: dict[str, Any], link: str) -> dict[str, str]:
    external = _url(base, entry.get("external_url"))
    return {"external_url": external} if external and external != link else {}


def _people(base: str, authors: object, author: object) -> tuple[Person, ...]:
    """Those of `authors`, else the one of version 1 (PRS-16)."""
    return _named(base, authors) or _named(base, author)


def _named(base: str, authors: object) -> tuple[Person, ...]:
    return people.unique(_person(base, one) for one in _listed(authors))


def _person(base: str, author: object) -> Person | None:
    if isinstance(author, str):
        author = {"name": author}
    if not isinstance(author, dict):
        return None
    name = _line(author.get("name"), MAX_NAME)
    url = _string(author.get("url")).strip()
    email = url[7:][:MAX_NAME] if url[:7].lower() == "mailto:" else ""
    person = Person(name, email, _url(base, url))
    return person if person != Person() else None


def _attachments(base: str, attachments: object) -> Iterator[Enclosure]:
    for one in _listed(attachments):
        if isinstance(one, dict) and (url := _url(base, one.get("url"))):
            yield Enclosure(
                url,
                media.type_of(url, _string(one.get("mime_type"))),
                _whole(one.get("size_in_bytes")),
                _whole(one.get("duration_in_seconds")),
                _line(one.get("title"), MAX_TITLE),
            )


def _hubs(base: str, hubs: object) -> Iterator[str]:
    for hub in _listed(hubs):
        if isinstance(hub, dict) and (url := _url(base, hub.get("url"))):
            yield url


def _tags(tags: object) -> dict[str, None]:
    found = dict.fromkeys(_line(tag, MAX_NAME) for tag in _listed(tags))
    found.pop("", None)
    return found


def _listed(value: object) -> list[Any]:
    """A list as it is, cut; anything else that is not null as the only one of a list."""
    if isinstance(value, list):
        return value[:MAX_LIST]
    return [] if value is None else [value]


def _string(value: object) -> str:
    """`value` as text where it is a string or number, else ""; U+0000 is as in HTML U+FFFD."""
    if isinstance(value, str):
        return value.replace("\0", "\ufffd")  # no database keeps it, and no XML knows it
    return str(value) if isinstance(value, int | float) and not isinstance(value, bool) else ""


def _line(value: object, limit: int) -> str:
    text = _string(value)
    return as_line(text, limit) if text else ""


def _url(base: str, value: object) -> str:
    return as_url(base, value.strip()) if isinstance(value, str) else ""


def _date(value: object) -> datetime | None:
    text = _string(value)
    return dates.read(text) if text else None


def _whole(value: object) -> int | None:
    if isinstance(value, float) and 0 <= value < 2**53:
        return int(value)
    return media.whole(_string(value))
