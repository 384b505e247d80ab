"""What readings change among the entries: numbers, rows, bodies and names."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from sqlalchemy import Connection, bindparam, delete, update

from wireroom.feeds import traits
from wireroom.feeds.changes import ChangedEntry, NewEntry, SeenAgain
from wireroom.feeds.model import Item
from wireroom.store import bulk, tallying
from wireroom.store.entries import LARGE_BODY_BYTES, enclosure_as_json
from wireroom.store.finished import Finished, Reading
from wireroom.store.schema import entries, entry_bodies, entry_keys
from wireroom.store.text import storable


@dataclass(frozen=True, slots=True)
class Numbered:
    """A new entry with its place in the feed."""

    feed_id: int
    seq: int
    at: datetime
    entry: NewEntry


def number(read: Sequence[tuple[Finished, Reading]], tops: dict[int, int]) -> list[Numbered]:
    """Give new entries the numbers after the last of their feeds, which `tops` holds, and tell it.

    The feeds' rows are locked, and get the new numbers in the same transaction
    (`feed_rows.write_readings`): commit order is number order.
    """
    numbered = []
    for each, reading in read:
        for entry in reading.changes.new:
            tops[each.feed.id] += 1
            numbered.append(Numbered(each.feed.id, tops[each.feed.id], each.at, entry))
    return numbered


def places(
    numbered: Sequence[Numbered], read: Sequence[tuple[Finished, Reading]]
) -> list[tuple[int, int]]:
    """Feed and number of what is new or edited."""
    found = [(each.feed_id, each.seq) for each in numbered]
    found += [(each.feed.id, one.seq) for each, reading in read for one in reading.changes.changed]
    return found


def write_entries(connection: Connection, numbered: Sequence[Numbered]) -> None:
    """New entries, large bodies apart (PRS-22)."""
    if not numbered:
        return
    rows = [_entry_row(each) for each in numbered]
    bulk.insert(connection, entries, rows)
    tallying.add(connection, [(row["feed_id"], row["sort_at"]) for row in rows])
    large = [
        {"feed_id": each.feed_id, "seq": each.seq, "content": each.entry.item.content}
        for each in numbered
        if _is_large(each.entry.item)
    ]
    bulk.insert(connection, entry_bodies, large)


def _entry_row(each: Numbered) -> dict[str, Any]:
    item = each.entry.item
    return {
        "feed_id": each.feed_id,
        "seq": each.seq,
        "sort_at": traits.sort_key(item, each.at),
        "published_at": item.published,
        "first_seen_at": each.at,
        "is_news": each.entry.is_news,
        "not_news_why": each.entry.why,
        "public_id": traits.public_id(item),
        **_text_columns(item, each.entry.content_hash),
    }


def _text_columns(item: Item, content_hash: bytes) -> dict[str, Any]:
    """The columns that an edit changes as well."""
    large = _is_large(item)
    return {
        "updated_at": item.updated,
        "title": item.title,
        "author": item.author,
        "link": item.link,
        "summary": item.summary,
        "content": None if large else item.content,
        "has_large_body": large,
        "image_url": item.image_url,
        "enclosures": [enclosure_as_json(each) for each in item.enclosures],
        "categories": [storable(each) for each in item.categories],
        "extra": {storable(name): storable(value) for name, value in item.extra.items()},
        "content_hash": content_hash,
        "digest": item.digest,
    }


def _is_large(item: Item) -> bool:
    content = item.content or ""
    # Counting bytes is needed only where the count of characters leaves the answer open.
    return len(content) * 4 > LARGE_BODY_BYTES and (
        len(content.encode(errors="replace")) > LARGE_BODY_BYTES
    )


def write_changed(connection: Connection, read: Sequence[tuple[Finished, Reading]]) -> None:
    """Edits in place: the number, first sight and publication date of an entry never change."""
    for each, reading in read:
        for changed in reading.changes.changed:
            _write_edit(connection, each.feed.id, changed)


def _write_edit(connection: Connection, feed_id: int, changed: ChangedEntry) -> None:
    place = {"feed_id": feed_id, "seq": changed.seq}
    columns = _text_columns(changed.item, changed.content_hash)
    edited = bulk.update(
        connection,
        entries,
        [{**place, **columns}],
        key=("feed_id", "seq"),
        besides=", revision = revision + 1",
    )
    if not edited:
        return  # trimmed since we looked
    here = (entry_bodies.c.feed_id == feed_id, entry_bodies.c.seq == changed.seq)
    connection.execute(delete(entry_bodies).where(*here))
    if _is_large(changed.item):
        bulk.insert(connection, entry_bodies, [{**place, "content": changed.item.content}])


_SEEN_AGAIN = (
    update(entries)
    .where(entries.c.feed_id == bindparam("feed"), entries.c.seq == bindparam("number"))
    .values(digest=bindparam("raw"))
)


def write_seen_again(connection: Connection, read: Sequence[tuple[Finished, Reading]]) -> None:
    """Entries whose raw form changed without a change that readers see."""
    rows = [
        {"feed": each.feed.id, "number": again.seq, "raw": again.digest}
        for each, reading in read
        for again in reading.changes.seen_again
        if again.seq is not None
    ]
    if rows:
        connection.execute(_SEEN_AGAIN, rows)


def write_keys(
    connection: Connection,
    numbered: Sequence[Numbered],
    read: Sequence[tuple[Finished, Reading]],
) -> None:
    """Every name of every entry; a name that stands already keeps its entry, a tombstone's
    goes.
    """
    rows: list[tuple[int, bytes, int | None]] = [
        (each.feed_id, key, each.seq) for each in numbered for key in each.entry.keys
    ]
    for each, reading in read:
        again: list[ChangedEntry | SeenAgain] = [*reading.changes.changed]
        again += reading.changes.seen_again
        rows += [(each.feed.id, key, one.seq) for one in again for key in one.keys]
    bulk.insert_tuples(
        connection,
        entry_keys,
        ("feed_id", "key", "seq"),
        rows,
        "ON CONFLICT (feed_id, key) DO UPDATE SET seq = excluded.seq, gone_at = NULL "
        "WHERE entry_keys.seq IS NULL",
    )
