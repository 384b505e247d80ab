"""What of an item tells it from others and what of it readers see, boiled down to be compared.

Publishers change scheme, host prefix, white space, capitals, tracking parameters and comment
counts without meaning anything by it; all of that is gone here. Linear in the length of the item.
"""

import re
from dataclasses import dataclass
from datetime import UTC, datetime
from hashlib import blake2b, sha256
from html import unescape
from typing import Literal, NewType

from wireroom.feeds.model import Digest, Item
from wireroom.feeds.urls import loose, without_trackers

#: 16 bytes, unique within one feed: 128 bits, so that no two stories of a feed share one (B15).
ItemKey = NewType("ItemKey", bytes)

#: What a key is made of. "place" is the guid read as an address, or the link; both live in one
#: space, as publishers put the one where the other was.
Kind = Literal["guid", "place", "whole", "title", "text", "moment", "fields", "df", "em"]

#: Letters and digits at either end of a text that stand for all of it: an edit at the start, in
#: the middle or at the end leaves at least one end as it was.
_END = 80
_WEB = re.compile(r"\s*https?://", re.IGNORECASE)
_TAG = re.compile(r"<[^<>]*>")
_WORD = re.compile(r"[^\W_]+")
#: Parameters of addresses inside markup: sessions, sizes, campaigns.
_QUERY = re.compile(r"=\"(https?://[^\"?]*)\?[^\"]*\"")
_COMMENT_COUNT = re.compile(
    r"\b\d{1,9} (?:comment|komment|coment|commenti|reacties)\w{0,8}\b"
    r"|\bcomments?:? ?\(?\d{1,9}\b\)?",
    re.IGNORECASE,
)


@dataclass(frozen=True, slots=True)
class Traits:
    """One item, boiled down. Empty means absent."""

    guid: str
    #: The guid as a loose address, when it is one.
    place: str
    #: The link as a loose address.
    link: str
    #: Letters and digits of the title.
    title: str
    #: Stands for all letters of the body and for the names of its media.
    text: bytes
    #: The ends of the body, each with the names of its media.
    ends: tuple[str, ...]
    #: `published` in ISO 8601 to the second, UTC.
    date: str
    digest: Digest


def traits(item: Item) -> Traits:
    """Boil an item down."""
    guid = item.guid or ""
    text = letters(unescape(_TAG.sub(" ", item.body))) if item.body else ""
    text = text or " ".join(_without_queries(item.body).split())
    media = " ".join(sorted(one.url.partition("?")[0] for one in item.enclosures))
    ends = dict.fromkeys((text[:_END], text[-_END:])) if text or media else ()
    return Traits(
        guid=guid,
        place=place(guid),
        link=place(item.link),
        title=letters(item.title),
        text=_hash("body", text, media) if text or media else b"",
        ends=tuple(f"{end} {media}" for end in ends),
        date=stamp(item.published),
        digest=item.digest,
    )


def place(url: str) -> str:
    """What of an address stays when a site moves to https, adds www. or drops a slash (B2).

    Parameters that only count readers are dropped too; the fragment stays, as pages of changes
    have one story an anchor. "" for what is no http(s) URL.
    """
    if not _WEB.match(url):
        return ""
    address, hash_sign, fragment = url.strip().partition("#")
    loosened = loose(without_trackers(address))
    if _WEB.match(loosened):
        return ""  # no host could be read
    return f"{loosened}{hash_sign}{fragment}" if fragment else loosened


def letters(text: str) -> str:
    """Letters and digits without case; of a text that has none (a smiley), what there is."""
    return "".join(_WORD.findall(text.casefold())) or " ".join(text.split())


def stamp(moment: datetime | None) -> str:
    """ISO 8601 to the second, UTC; "" for None."""
    return moment.astimezone(UTC).isoformat(timespec="seconds") if moment else ""


def item_key(kind: Kind, *parts: str | bytes) -> ItemKey:
    """The key of that kind made of these parts; keys of different kinds never meet."""
    return ItemKey(_hash(kind, *parts))


def _hash(kind: str, *parts: str | bytes) -> bytes:
    made = blake2b(digest_size=16, person=kind.encode())
    for part in parts:
        data = part if isinstance(part, bytes) else part.encode("utf-8", "surrogatepass")
        # The length in front: ("ab", "c") and ("a", "bc") are different.
        made.update(len(data).to_bytes(8, "big"))
        made.update(data)
    return made.digest()


def content_hash(item: Item) -> bytes:
    """16 bytes over what readers see: another value means that the item was edited (IDN-12).

    White space, comment counts and parameters of addresses do not count, nor do dates (B7).
    """
    return _hash(
        "content",
        _seen(item.title),
        _seen(item.author),
        place(item.link) or item.link,
        _seen(item.summary or ""),
        _seen(item.content or ""),
        *(one.url.partition("?")[0] for one in item.enclosures),
    )


def _seen(text: str) -> str:
    text = " ".join(_without_queries(text).split()).replace("> ", ">").replace(" <", "<")
    return _COMMENT_COUNT.sub("", text) if "omm" in text.casefold() else text


def _without_queries(html: str) -> str:
    return _QUERY.sub(r'="\1"', html)


def public_id(item: Item) -> str:
    """The identifier that APIs show: guid, else link, else ``sha256:`` of title and body (IDN-08).

    It belongs to the first sight of a story; the store keeps it when the item is edited.
    """
    if item.guid:
        return item.guid
    if item.link:
        return item.link
    text = f"{item.title}\n{item.body}".encode("utf-8", "surrogatepass")
    return "sha256:" + sha256(text).hexdigest()


def sort_key(item: Item, first_seen: datetime) -> datetime:
    """Where the item stands among others: at its date, but never after we met it (B12).

    The date is when it was published, else updated (PRS-13). Undated items stand where we met
    them, once and for all (B11, PRS-14).
    """
    dated = item.published or item.updated
    return min(dated, first_seen) if dated else first_seen
