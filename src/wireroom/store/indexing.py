"""The full-text index: filled a moment after the ingest, so that polling never waits for it.

Ingest puts the numbers of new and edited entries into `unindexed`; `index_some` takes them from
there. What is trimmed or purged is found out by `drop_orphans`; a hit without an entry is never
shown. The index may be lost at any time: `index_all` builds it anew.
"""

from collections.abc import Iterable, Sequence
from typing import Any

from sqlalchemy import Connection, delete, func, insert, select, text, tuple_

from wireroom.errors import StoreError
from wireroom.feeds.plaintext import text as plain_text
from wireroom.store import bulk
from wireroom.store.bell import Bell
from wireroom.store.engine import Database
from wireroom.store.schema import articles, entries, entry_bodies, unindexed
from wireroom.store.words import words

#: Entries that are indexed in one transaction: well under a second.
AT_ONCE = 200
#: As much of a text as is searched; PostgreSQL's vectors hold a megabyte (B33).
INDEXED_CHARS = 60_000
_MOST_PLACES = 255
_LAST_PLACE = 16_383
#: Words of two fields never make a phrase.
_GAP = 8


def note(connection: Connection, places: Sequence[tuple[int, int]]) -> None:
    """These entries, as (feed, seq), are new or changed."""
    # An update, though of nothing: it waits for an indexer that has read the old text just now,
    # and then stands again.
    bulk.insert_tuples(
        connection,
        unindexed,
        ("feed_id", "seq"),
        [*places],
        "ON CONFLICT (feed_id, seq) DO UPDATE SET seq = excluded.seq",
    )


def index_some(connection: Connection, limit: int = AT_ONCE) -> int:
    """Index what waits; gives how many entries that were, less than `limit` at the end."""
    waiting = connection.execute(
        select(unindexed.c.feed_id, unindexed.c.seq).limit(limit).with_for_update(skip_locked=True)
    ).all()
    places = [(feed_id, seq) for feed_id, seq in waiting]
    if places:
        _write(connection, places, list(_texts(connection, places)))
        key = tuple_(unindexed.c.feed_id, unindexed.c.seq)
        connection.execute(delete(unindexed).where(key.in_(places)))
    return len(places)


def index_all(connection: Connection) -> None:
    """Let everything be indexed anew."""
    connection.execute(text("DELETE FROM entry_search"))
    connection.execute(delete(unindexed))
    connection.execute(
        insert(unindexed).from_select(["feed_id", "seq"], select(entries.c.feed_id, entries.c.seq))
    )


def drop_orphans(connection: Connection, last: int, through: int) -> int:
    """Take out of the index what is no entry any more, in feeds numbered (last, through]."""
    if connection.dialect.name == "sqlite":
        # The small table of the index's own that has a row for each entry.
        gone = (
            "DELETE FROM entry_search WHERE rowid IN (SELECT id FROM entry_search_docsize WHERE "
            "id >= ((:last + 1) << 32) AND id < ((:through + 1) << 32) AND NOT EXISTS (SELECT 1 "
            "FROM entries WHERE feed_id = id >> 32 AND seq = id & 4294967295))"
        )
        through = min(through, 2**31 - 2)
    else:
        gone = (
            "DELETE FROM entry_search s WHERE feed_id > :last AND feed_id <= :through AND NOT "
            "EXISTS (SELECT 1 FROM entries e WHERE e.feed_id = s.feed_id AND e.seq = s.seq)"
        )
    return connection.execute(text(gone), {"last": last, "through": through}).rowcount


async def keep_indexed(database: Database, bell: Bell, tick_seconds: float = 30) -> None:
    """Index until cancelled: after each ring of the bell, and now and then."""
    while True:
        heard = bell.rings
        try:
            while await database.write(index_some) == AT_ONCE:
                pass  # each is a transaction of its own: others write in between
        except StoreError:
            pass  # polling says so; what waits goes on waiting
        await bell.wait(heard, tick_seconds)


# -- what is written ------------------------------------------------------------------------------


def _texts(
    connection: Connection, places: Sequence[tuple[int, int]]
) -> Iterable[tuple[int, int, list[str], list[str], list[str]]]:
    """Feed, seq, and the words of title, author and text."""
    body = func.coalesce(
        articles.c.content, entries.c.content, entry_bodies.c.content, entries.c.summary, ""
    )
    rows = connection.execute(
        select(entries.c.feed_id, entries.c.seq, entries.c.title, entries.c.author, body)
        .outerjoin(
            entry_bodies,
            (entry_bodies.c.feed_id == entries.c.feed_id) & (entry_bodies.c.seq == entries.c.seq),
        )
        .outerjoin(
            articles,
            (articles.c.feed_id == entries.c.feed_id) & (articles.c.seq == entries.c.seq),
        )
        .where(tuple_(entries.c.feed_id, entries.c.seq).in_(places))
    )
    for feed_id, seq, title, author, html in rows:
        shown = plain_text(html[: INDEXED_CHARS * 4])[:INDEXED_CHARS]
        yield feed_id, seq, words(title), words(author), words(shown)


def _write(
    connection: Connection,
    places: Sequence[tuple[int, int]],
    texts: Sequence[tuple[int, int, list[str], list[str], list[str]]],
) -> None:
    if connection.dialect.name == "sqlite":
        connection.execute(
            text("DELETE FROM entry_search WHERE rowid = :id"),
            [{"id": _rowid(feed_id, seq)} for feed_id, seq in places],
        )
        rows = [
            {"id": _rowid(feed_id, seq), "t": " ".join(t), "a": " ".join(a), "b": " ".join(b)}
            for feed_id, seq, t, a, b in texts
        ]
        into = "INSERT INTO entry_search (rowid, title, author, body) VALUES (:id, :t, :a, :b)"
    else:
        connection.execute(
            text("DELETE FROM entry_search WHERE feed_id = :feed AND seq = :seq"),
            [{"feed": feed_id, "seq": seq} for feed_id, seq in places],
        )
        rows = [
            {"feed": feed_id, "seq": seq, "document": _vector(t, a, b)}
            for feed_id, seq, t, a, b in texts
        ]
        into = (
            "INSERT INTO entry_search (feed_id, seq, document) "
            "VALUES (:feed, :seq, CAST(:document AS tsvector))"
        )
    if rows:
        connection.execute(text(into), rows)


def _rowid(feed_id: int, seq: int) -> int:
    return feed_id << 32 | seq


def _vector(title: list[str], author: list[str], body: list[str]) -> str:
    """A tsvector as PostgreSQL reads it: each word with its places and the weight of its field."""
    places: dict[str, list[str]] = {}
    at = 0
    for weight, field in (("A", title), ("B", author), ("D", body)):
        for at, word in enumerate(field, start=at + 1):  # noqa: B020 - goes on from field to field
            known: Any = places.setdefault(word, [])
            if len(known) < _MOST_PLACES:
                known.append(f"{min(at, _LAST_PLACE)}{weight}")
        at += _GAP
    return " ".join(f"'{word}':{','.join(found)}" for word, found in places.items())
