"""How the systems whose users move to Wireroom remember what they have announced (IDN-21).

An import stores their marks as keys without an entry; `feeds.changes` then takes what is found
under such a key as announced. A marker of rss-bot is one string for the whole feed and goes into
`FeedState.marker` as it is.
"""

from collections.abc import Collection, Sequence
from datetime import UTC
from email.utils import format_datetime
from hashlib import sha256
from itertools import permutations

from wireroom.feeds.model import Item
from wireroom.feeds.traits import ItemKey, item_key, place

_MOST_ORDERED = 3
#: Characters of a marker that rss-bot's table holds.
_MARKER_LENGTH = 1024


def rb_marker(item: Item) -> str:
    """What rss-bot notes of the first item of a document: its guid, else its link."""
    return (item.guid or item.link)[:_MARKER_LENGTH]


def df_keys(item: Item) -> tuple[str, ...]:
    """What a Discord feed bot notes of each item: id, else link, else a hash (IDN-09).

    The hash is over the title and the date as the document spelled it. The spelling is gone by
    now, so that all the usual ones are given.
    """
    if item.guid or item.link:
        return (item.guid or item.link,)
    return tuple(_sha256(item.title + date) for date in _spellings(item))


def _spellings(item: Item) -> tuple[str, ...]:
    if item.published is None:
        return ("", "None")
    utc = item.published.astimezone(UTC)
    iso = utc.isoformat(timespec="seconds")
    return (
        format_datetime(utc, usegmt=True),
        format_datetime(utc),
        iso,
        iso.removesuffix("+00:00") + "Z",
    )


def em_hash(item: Item, fields: Sequence[str] = ("link", "title")) -> str:
    """What El Monitorro keys each item by: a hash over the chosen fields, in their order (IDN-10).

    The hash is lower-case hexadecimal.
    """
    values = {
        "link": item.link,
        "title": item.title,
        "guid": item.guid or "",
        "description": item.body,
        "author": item.author,
        "publication_date": item.published.astimezone(UTC).isoformat() if item.published else "",
    }
    return _sha256("".join(values.get(name, "") for name in fields))


def keys_of_df(mark: str) -> tuple[ItemKey, ...]:
    """The keys under which a mark of the Discord bot is stored."""
    address = place(mark)
    places = (item_key("place", address),) if address else ()
    return (item_key("df", mark), item_key("guid", mark), *places)


def keys_of_em(mark: str) -> tuple[ItemKey, ...]:
    """The key under which a content hash of El Monitorro, in hexadecimal, is stored."""
    return (item_key("em", mark.strip().lower()),)


def imported_keys(item: Item, fields: Collection[str] = ()) -> tuple[ItemKey, ...]:
    """The keys under which an imported mark may stand for this item.

    `fields` are those that were chosen for its feed, if any; in which order El Monitorro hashed
    them is not known, so that all are tried where they are few.
    """
    df = tuple(item_key("df", mark) for mark in df_keys(item))
    orders = permutations(fields) if 0 < len(fields) <= _MOST_ORDERED else [("link", "title")]
    return (*df, *(item_key("em", em_hash(item, order)) for order in orders))


def _sha256(text: str) -> str:
    return sha256(text.encode("utf-8", "surrogatepass")).hexdigest()
