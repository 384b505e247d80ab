"""Subscription lists: OPML in any of its spellings is read, OPML 2.0 is written.

Reading forgives nearly everything, as lists come from thirty years of programs: attribute names in
any case, folders at any depth and without names, feeds that have children, undeclared entities,
wrong encodings, files cut short. What was left out is reported with its line. Writing and reading
again gives the same list, brothers of one name among its folders included.
"""

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime
from email.utils import format_datetime
from itertools import chain
from typing import NamedTuple, Self

from lxml import etree

from wireroom.errors import UserError
from wireroom.feeds import opml_text

#: Folder names longer than this are cut (characters).
MOST_NAME = 256

# Attributes that have a field of their own in `OutlineFeed`, lower case.
_KNOWN = frozenset({"xmlurl", "htmlurl", "text", "title", "type"})
_FEED_KINDS = frozenset({"rss", "atom", "feed", "podcast", "jsonfeed"})
# An attribute's name, behind its namespace if it has one. Undeclared prefixes are left out.
_ATTRIBUTE = re.compile(r"(?:\{[^{}<>\"&\s]+\})?[A-Za-z_][\w.-]*", re.ASCII)
_XML_NAMESPACE = "http://www.w3.org/XML/1998/namespace"


@dataclass(frozen=True, slots=True)
class OutlineFolder:
    """A folder of a list; `parent` is the index of the one around it, None at the top.

    `extra` is what it is for feeds, but that kinds of folders mean nothing.
    """

    name: str
    parent: int | None = None
    extra: Mapping[str, str] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class OutlineFeed:
    """A feed as a list names it.

    `url` is as written but for blanks around it: whether it can be dialled is for `urls.checked`
    to say. `folder` is the index of the folder around it, None at the top. `extra` holds the
    attributes that have no field here, under their names as written (`{namespace}name` where there
    is one), and `text` or `type` where these are unusual; `write` writes them again.
    """

    url: str
    title: str = ""
    site_url: str = ""
    folder: int | None = None
    extra: Mapping[str, str] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Skipped:
    """An outline that was left out, with a reason fit to be shown; `line` counts from 1."""

    line: int
    name: str
    reason: str


@dataclass(frozen=True, slots=True)
class Outlines:
    """A list as read: feeds in document order, each address once, as it was first met.

    `folders` are in document order, parents first, empty ones included. Names do not tell them
    apart: two of one name may stand beside each other.
    """

    feeds: tuple[OutlineFeed, ...]
    folders: tuple[OutlineFolder, ...] = ()
    title: str = ""
    skipped: tuple[Skipped, ...] = ()


@dataclass(frozen=True, slots=True)
class Limits:
    """How much of a list is taken (OPML-05); deeper folders are flattened into the deepest one."""

    size_bytes: int = 2 * 1024 * 1024
    feeds: int = 1000
    depth: int = 8


def read(document: bytes, *, limits: Limits = Limits()) -> Outlines:
    """Read an OPML document, plain or compressed (gzip, or a zip of one file).

    Raises UserError with code `invalid_opml` when it is too large, holds too many feeds, declares
    entities, or is no OPML at all. A list without feeds is a list.
    """
    root = opml_text.parsed(document, most_bytes=limits.size_bytes)
    reading = _Reading(limits)
    # A stack of its own: outlines may nest deeper than Python's.
    waiting: list[tuple[etree._Element, _Place]] = [(root, _TOP)]
    while waiting:
        element, place = waiting.pop()
        inside = reading.visit(element, place)
        if inside is not None:
            waiting.extend((child, inside) for child in reversed(element))
    return reading.done()


class _Place(NamedTuple):
    """Where outlines lie: in which folder, and how many are around them."""

    folder: int | None
    depth: int


_TOP = _Place(None, 0)


class _Reading:
    """What has been gathered on the walk through a document."""

    def __init__(self, limits: Limits) -> None:
        self.limits = limits
        self.feeds: dict[str, OutlineFeed] = {}
        self.folders: list[OutlineFolder] = []
        self.skipped: list[Skipped] = []
        self.title = ""
        self.holds_notes = False

    def visit(self, element: etree._Element, place: _Place) -> _Place | None:
        """Take in one element; returns where its children lie, None when they do not count."""
        name = opml_text.local_name(element)
        if name == "head":
            self.title = self.title or _head_title(element)
            return None
        if name != "outline":
            return place
        outline = _Outline.of(element)
        if outline.is_comment:
            self._skip(outline, "It is commented out.")
            return None
        if outline.address:
            self._add(outline, place.folder)
        elif len(element) or outline.is_bare:
            self.holds_notes |= not outline.is_of_a_list
            return self._enter(place, outline)
        elif outline.leads_to:
            self._skip(outline, "It leads to another list or page, which is not fetched.")
        else:
            self._skip(outline, "It has no feed address.")
        return place

    def _add(self, outline: "_Outline", folder: int | None) -> None:
        if outline.address in self.feeds:
            return
        if len(self.feeds) == self.limits.feeds:
            sentence = f"The list holds more than {self.limits.feeds:,} feeds; split it."
            raise UserError(sentence, code="invalid_opml")
        self.feeds[outline.address] = outline.as_feed(folder)

    def _enter(self, place: _Place, outline: "_Outline") -> _Place:
        """Inside a folder at `place`; without a name or beyond the depth allowed, `place`."""
        if not outline.name or place.depth >= self.limits.depth:
            return place
        self.folders.append(OutlineFolder(outline.name, place.folder, outline.foreign))
        return _Place(len(self.folders) - 1, place.depth + 1)

    def _skip(self, outline: "_Outline", reason: str) -> None:
        self.skipped.append(Skipped(outline.line, outline.name, reason))

    def done(self) -> Outlines:
        # OPML is for outlines of all things: without any feed they may be somebody's notes.
        folders = tuple(self.folders) if self.feeds or not self.holds_notes else ()
        return Outlines(tuple(self.feeds.values()), folders, self.title, tuple(self.skipped))


@dataclass(frozen=True, slots=True)
class _Outline:
    """An outline's attributes: `told` by lower-case name (the first of each), `raw` all."""

    told: Mapping[str, str]
    raw: Mapping[str, str]
    line: int

    @classmethod
    def of(cls, element: etree._Element) -> Self:
        raw = {str(name): str(value) for name, value in element.attrib.items()}
        told: dict[str, str] = {}
        for name, value in raw.items():
            if value.strip():
                told.setdefault(name.lower(), value.strip())
        return cls(told, raw, _line(element))

    @property
    def kind(self) -> str:
        return self.told.get("type", "").lower()

    @property
    def address(self) -> str:
        """The feed's address, or "". Podcast programs write `url` or `src` in place of xmlUrl."""
        found = self.told.get("xmlurl", "")
        if not found and self.kind in _FEED_KINDS:
            found = self.told.get("url", "") or self.told.get("src", "")
        return found

    @property
    def leads_to(self) -> str:
        return self.told.get("url", "")

    @property
    def is_bare(self) -> bool:
        """Whether there is nothing but a name: without children, that is an empty folder."""
        return not (self.kind or self.leads_to or "htmlurl" in self.told)

    @property
    def is_of_a_list(self) -> bool:
        """Whether it has its name twice, as folders of feed readers do and notes never."""
        return {"title", "text"} <= self.told.keys()

    @property
    def is_comment(self) -> bool:
        return self.told.get("iscomment", "").lower() == "true"

    @property
    def name(self) -> str:
        name = self.told.get("title") or self.told.get("text") or ""
        return " ".join(name.split())[:MOST_NAME].strip()

    @property
    def foreign(self) -> dict[str, str]:
        """The attributes that have no field."""
        return {name: value for name, value in self.raw.items() if name.lower() not in _KNOWN}

    def as_feed(self, folder: int | None) -> OutlineFeed:
        title = self.told.get("title") or self.told.get("text") or ""
        kept = {name: value for name, value in self.foreign.items() if value != self.address}
        if (text := self.told.get("text", title)) != title:
            kept["text"] = text
        if self.kind not in ("", "rss"):
            kept["type"] = self.told["type"]
        return OutlineFeed(self.address, title, self.told.get("htmlurl", ""), folder, kept)


def _line(element: etree._Element) -> int:
    line: int | None = getattr(element, "sourceline", None)  # the stubs do not know its type
    return line or 0


def _head_title(head: etree._Element) -> str:
    named = (each for each in head if opml_text.local_name(each) == "title")
    return next((" ".join((each.text or "").split()) for each in named), "")


def write(
    feeds: Iterable[OutlineFeed],
    *,
    title: str,
    created: datetime,
    folders: Sequence[OutlineFolder] = (),
) -> bytes:
    """An OPML 2.0 document in UTF-8, feeds and folders in the order given, parents first.

    `created` is aware. Addresses may hold tokens: whoever hands the file out should say so;
    nothing else secret belongs into `extra`.
    """
    feeds = tuple(feeds)
    root = etree.Element("opml", {"version": "2.0"}, nsmap=_prefixes([*folders, *feeds]))
    head = etree.SubElement(root, "head")
    etree.SubElement(head, "title").text = _legal(title)
    etree.SubElement(head, "dateCreated").text = format_datetime(
        created.astimezone(UTC), usegmt=True
    )
    places: dict[int | None, etree._Element] = {None: etree.SubElement(root, "body")}
    for number, folder in enumerate(folders):
        named = (("text", folder.name), ("title", folder.name))
        places[number] = _outline(places[folder.parent], named, folder.extra)
    for feed in feeds:
        _outline(places[feed.folder], _attributes(feed), feed.extra)
    return etree.tostring(root, encoding="UTF-8", xml_declaration=True, pretty_print=True)


def _outline(
    place: etree._Element, told: Iterable[tuple[str, str]], extra: Mapping[str, str]
) -> etree._Element:
    outline = etree.SubElement(place, "outline")
    foreign = (pair for pair in extra.items() if _is_foreign(pair[0]))
    for name, value in chain(told, foreign):
        outline.set(name, _legal(value))
    return outline


def _is_foreign(name: str) -> bool:
    return name.lower() not in _KNOWN and _ATTRIBUTE.fullmatch(name) is not None


def _attributes(feed: OutlineFeed) -> Iterator[tuple[str, str]]:
    title = feed.title or feed.url
    yield "type", feed.extra.get("type", "rss")
    yield "text", feed.extra.get("text", title)
    yield "title", title
    yield "xmlUrl", feed.url
    if feed.site_url:
        yield "htmlUrl", feed.site_url


def _prefixes(outlines: Iterable[OutlineFolder | OutlineFeed]) -> dict[str, str]:
    """Prefixes for the namespaces of extra attributes, declared once at the top."""
    names = (name for each in outlines for name in each.extra if _ATTRIBUTE.fullmatch(name))
    spaces = dict.fromkeys(name[1:].partition("}")[0] for name in names if name.startswith("{"))
    spaces.pop(_XML_NAMESPACE, None)
    return {f"x{number}": space for number, space in enumerate(spaces, 1)}


def _legal(text: str) -> str:
    return opml_text.ILLEGAL.sub("", text)
