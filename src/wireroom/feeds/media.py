"""Enclosures and pictures: RSS `enclosure`, Media RSS, iTunes and Podcasting 2.0."""

import re
from collections.abc import Iterable, Iterator
from itertools import chain
from posixpath import splitext
from urllib.parse import urlsplit

from wireroom.feeds import plaintext
from wireroom.feeds.elements import Element, Fields, Reading, attribute
from wireroom.feeds.limits import MAX_LIST, MAX_NAME, MAX_SUMMARY, MAX_TITLE
from wireroom.feeds.model import Enclosure, SafeHtml

_TYPES = {
    ".aac": "audio/aac",
    ".avif": "image/avif",
    ".flac": "audio/flac",
    ".gif": "image/gif",
    ".jpeg": "image/jpeg",
    ".jpg": "image/jpeg",
    ".m4a": "audio/mp4",
    ".m4v": "video/mp4",
    ".mov": "video/quicktime",
    ".mp3": "audio/mpeg",
    ".mp4": "video/mp4",
    ".ogg": "audio/ogg",
    ".opus": "audio/opus",
    ".pdf": "application/pdf",
    ".png": "image/png",
    ".svg": "image/svg+xml",
    ".wav": "audio/wav",
    ".webm": "video/webm",
    ".webp": "image/webp",
}
_CONTENT = "media:content"
_GROUP = "media:group"
_TITLE = "media:title of media"
_DESCRIPTION = "media:description of media"
#: What is taken out of an item's groups and media:content, and what it is called among the fields
#: of the item: a medium's title and description are not those of the item.
_TAKEN_OUT = {
    name: name
    for name in ("media:category", _CONTENT, "media:keywords", "media:peerlink", "media:thumbnail")
} | {"media:title": _TITLE, "media:description": _DESCRIPTION}
#: Names of the elements that enclose media.
_KINDS = frozenset({"enclosure", _CONTENT, "media:peerlink", "podcast:alternateenclosure"})
#: Names of the elements that name a picture.
_PICTURES = frozenset(
    {"itunes:image", "googleplay:image", "image", "media:thumbnail", "podcast:image"}
)
#: "1h 2m", "90 min", ISO 8601's PT1H2M3S
_SPELT = re.compile(
    r"(?:PT)?(?=\d)(?:(\d{1,4}) ?h(?:ours?|rs?)?[ ,]*)?(?:(\d{1,4}) ?m(?:in(?:ute)?s?)?[ ,]*)?"
    r"(?:(\d{1,7})(?:\.\d+)? ?s(?:ec(?:ond)?s?)?)?",
    re.IGNORECASE,
)
_CLOCK = re.compile(r"(?:(?:(\d{1,4}):)?(\d{1,4}):)?(\d{1,7})(?:\.\d+)?")
_PICTURE = re.compile(r'<img [^>]*?\bsrc="([^"]+)"')
#: Pictures that count readers rather than being looked at.
_TRACKER = re.compile(r"feeds\.feedburner\.com/~|pixel|stats\.wordpress\.com|/b\.gif|doubleclick")


def fields_of(reading: Reading, element: Element) -> Fields:
    """The children of an item or feed by short name, and behind them those of its media."""
    fields = reading.fields(element)
    if _GROUP in fields or _CONTENT in fields:
        inner = _inside(reading, (*fields.get(_GROUP, ()), *fields.get(_CONTENT, ())))
        for name, kept_as in _TAKEN_OUT.items():
            if name in inner:
                fields.setdefault(kept_as, []).extend(inner[name])
    return fields


def _inside(reading: Reading, holders: Iterable[Element]) -> Fields:
    """What is inside of groups and media, down to the media of groups."""
    inside: Fields = {}
    for holder in holders:
        if len(holder):
            inner = reading.fields(holder)
            levels = [inner, *(reading.fields(each) for each in inner.get(_CONTENT, ()))]
            for name, elements in chain.from_iterable(level.items() for level in levels):
                inside.setdefault(name, []).extend(elements)
    return inside


def enclosures(reading: Reading, fields: Fields) -> tuple[Enclosure, ...]:
    """All media of an item, each address once: what RSS and podcasts enclose, then Media RSS."""
    if _KINDS.isdisjoint(fields):
        return ()
    found: dict[str, Enclosure] = {}
    for enclosure in _all(reading, fields):
        known = found.get(enclosure.url)
        found[enclosure.url] = _merged(known, enclosure) if known else enclosure
        if len(found) == MAX_LIST:
            break
    return _with_duration(tuple(found.values()), duration(reading, fields))


def linked(reading: Reading, fields: Fields) -> tuple[Enclosure, ...]:
    """Media that an item links to as an entry of Atom does, by rel="enclosure"."""
    return tuple(
        Enclosure(url, type_of(url, attribute(link, "type")), whole(attribute(link, "length")))
        for name in ("link", "atom:link")
        for link in fields.get(name, ())[:MAX_LIST]
        if link.keys() and attribute(link, "rel").lower() == "enclosure"
        if (url := reading.url_in(link, attribute(link, "href")))
    )


def title(reading: Reading, fields: Fields) -> str:
    """The title of an item's media, for an item that has none of its own."""
    return reading.first_text(fields, (_TITLE,))


def description(reading: Reading, fields: Fields) -> SafeHtml | None:
    """What is said of an item's media, for an item of which nothing else is said."""
    elements = (*fields.get("media:description", ()), *fields.get(_DESCRIPTION, ()))
    raws = map(reading.raw, elements)
    texts = (described(text)[:MAX_SUMMARY] for text in raws if text.strip())
    return next((reading.html(text, "") for text in texts), None)


def described(raw: str) -> str:
    """A media:description as HTML: plain text in many lines on the sites that show films."""
    if len(raw) > MAX_SUMMARY or "\n" not in raw.strip():
        return raw
    if plaintext.without_tags(raw) != raw:
        return raw
    return plaintext.as_html(raw.replace("<", "&lt;"))


def picture(reading: Reading, fields: Fields, media: tuple[Enclosure, ...]) -> str:
    """The address of the picture that stands for an item; "" when the publisher named none."""
    if not media and _PICTURES.isdisjoint(fields):
        return ""
    for element in fields.get("media:thumbnail", ()):
        if url := reading.url_in(element, attribute(element, "url")):
            return url
    pictures = (enclosure.url for enclosure in media if enclosure.kind == "image")
    return icon(reading, fields, "itunes:image", "googleplay:image") or next(
        pictures, icon(reading, fields, "image", "podcast:image")
    )


def picture_in(html: str) -> str:
    """The address of the first picture in sanitised HTML that is meant to be seen."""
    for match in _PICTURE.finditer(html):
        if match[1].startswith("http") and not _TRACKER.search(match[1]):
            return match[1].replace("&amp;", "&")
    return ""


def icon(reading: Reading, fields: Fields, *names: str) -> str:
    """The first address in `<x href>`, `<x url>`, `<x><url>` or `<x>text`, for x in `names`."""
    for name in names:
        for element in fields.get(name, ()):
            inner = reading.fields(element).get("url") if len(element) else None
            written = attribute(element, "href") or attribute(element, "url")
            if url := reading.url_in(inner[0] if inner else element, written or None):
                return url
    return ""


def duration(reading: Reading, fields: Fields) -> int | None:
    """itunes:duration in seconds; "1:02:03", "62:03", "1h 2m 3s" and "3723" mean the same."""
    return (
        _seconds(reading.raw(fields["itunes:duration"][0]))
        if "itunes:duration" in fields
        else None
    )


def whole(text: str | None) -> int | None:
    """A number that is not negative; None for everything else publishers write there."""
    text = (text or "").strip()
    return int(text) if text.isascii() and text.isdigit() and len(text) <= 18 else None


def type_of(url: str, stated: str = "", medium: str = "") -> str:
    """The media type as stated, else as the file's name tells, else "medium/*", else ""."""
    stated = stated.strip().lower()[:MAX_NAME]
    if "/" in stated:
        return stated
    guessed = _TYPES.get(splitext(urlsplit(url).path)[1].lower(), "")
    medium = (medium or stated).strip().lower()
    if medium in {"image", "audio", "video"} and not guessed.startswith(medium):
        return f"{medium}/*"
    return guessed


def _all(reading: Reading, fields: Fields) -> Iterator[Enclosure]:
    for element in fields.get("enclosure", ()):
        written = attribute(element, "url") or attribute(element, "href") or reading.raw(element)
        if url := reading.url_in(element, written):
            yield Enclosure(
                url, type_of(url, attribute(element, "type")), whole(attribute(element, "length"))
            )
    for element in fields.get(_CONTENT, ()):
        if enclosure := _media_content(reading, element):
            yield enclosure
    for element in fields.get("media:peerlink", ()):
        if url := reading.url_in(element, attribute(element, "href")):
            yield Enclosure(url, type_of(url, attribute(element, "type")))
    for element in fields.get("podcast:alternateenclosure", ()):
        for source in reading.fields(element).get("podcast:source", ()):
            if url := reading.url_in(source, attribute(source, "uri")):
                yield Enclosure(
                    url,
                    type_of(url, attribute(element, "type")),
                    whole(attribute(element, "length")),
                )


def _media_content(reading: Reading, element: Element) -> Enclosure | None:
    url = reading.url_in(element, attribute(element, "url"))
    if not url:
        return None
    title = reading.fields(element).get("media:title") if len(element) else None
    return Enclosure(
        url,
        type_of(url, attribute(element, "type"), attribute(element, "medium")),
        whole(attribute(element, "filesize")),
        _seconds(attribute(element, "duration")),
        reading.text(title[0], MAX_TITLE) if title else "",
        whole(attribute(element, "width")),
        whole(attribute(element, "height")),
    )


def _merged(first: Enclosure, second: Enclosure) -> Enclosure:
    """One enclosure listed twice: what the first does not say, the second may."""
    return Enclosure(
        first.url,
        first.media_type or second.media_type,
        first.length_bytes if first.length_bytes is not None else second.length_bytes,
        first.duration_seconds if first.duration_seconds is not None else second.duration_seconds,
        first.title or second.title,
        first.width if first.width is not None else second.width,
        first.height if first.height is not None else second.height,
    )


def _with_duration(media: tuple[Enclosure, ...], seconds: int | None) -> tuple[Enclosure, ...]:
    """An episode's duration belongs to its first sound or film."""
    for position, first in enumerate(media):
        if first.kind in {"audio", "video"}:
            if seconds is None or first.duration_seconds is not None:
                break
            timed = _merged(first, Enclosure(first.url, duration_seconds=seconds))
            return (*media[:position], timed, *media[position + 1 :])
    return media


def _seconds(text: str) -> int | None:
    text = text.strip()
    match = _CLOCK.fullmatch(text) or (_SPELT.fullmatch(text) if text[-1:].isalpha() else None)
    if match is None:
        return None
    hours, minutes, seconds = (int(part or 0) for part in match.groups())
    return hours * 3600 + minutes * 60 + seconds
