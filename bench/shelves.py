"""What reading costs in the store, on both engines, while the entries grow ten-fold.

One account follows 2,000 feeds in folders within folders, has read nine tenths of what came and
said something of ten thousand entries. Lists, counts, marks and search, in milliseconds at the
median and at the 99th percentile: of CPU time for SQLite, which works in our own thread, of the
clock for PostgreSQL. Bytes on the disk for each entry. Marks are rolled back.

    python -m bench shelves [--entries 1000000] [--feeds 2000] [--rounds 40]
        [--postgresql postgresql://user@host/empty_database]
"""

import argparse
import statistics
import tempfile
from collections.abc import Callable
from datetime import UTC, datetime, timedelta
from pathlib import Path
from time import perf_counter, thread_time
from typing import Any

from sqlalchemy import Connection, insert, select, text

from wireroom.store import counting, listing, marking, query, schema, search, tallying
from wireroom.store.engine import Database, connect
from wireroom.store.scopes import Place, Scope

NOW = datetime(2026, 11, 30, 12, tzinfo=UTC)
_MS = int(NOW.timestamp() * 1000)
#: One entry every so often, over all feeds.
_EVERY_MS = 1_000
_FOLDERS, _INNER = 20, 5
_STATES = 10_000
#: Of 600 characters, as summaries are.
_BODY = "<p>The council met late on Tuesday and decided about the ferry and the quay.</p>" * 7

Figures = dict[str, tuple[float, float]]


def main() -> None:
    """Measure at a tenth of the entries and at all of them, and print both."""
    arguments = _arguments()
    sizes = (arguments.entries // 10, arguments.entries)
    with tempfile.TemporaryDirectory(prefix="wireroom-bench-") as folder:
        addresses = [f"sqlite:///{Path(folder) / 'bench.sqlite3'}"]
        if arguments.postgresql:
            addresses.append(arguments.postgresql)
        for address in addresses:
            database = connect(address)
            print(f"\n{'SQLite' if database.is_sqlite else 'PostgreSQL'}")
            _compare(database, sizes, arguments)
            database.close()


def _compare(database: Database, sizes: tuple[int, int], arguments: argparse.Namespace) -> None:
    with database.writing() as connection:
        schema.metadata.create_all(connection)
        _furnish(connection, arguments.feeds)
    made, measured = 0, list[Figures]()
    for size in sizes:
        print(f"{size:>10,} entries: {_fill(database, made, size, arguments.feeds)}", flush=True)
        made = size
        measured.append(_measure(database, size, arguments))
    print(f"{'':30}{sizes[0]:>12,} p50{'p99':>10}{sizes[1]:>12,} p50{'p99':>10}{'growth':>8}")
    for name, (few, few_p99) in measured[0].items():
        many, many_p99 = measured[1][name]
        print(
            f"{name:30}{few:>13.2f} ms{few_p99:>7.1f} ms{many:>13.2f} ms{many_p99:>7.1f} ms"
            f"{many / few:>8.2f}"
        )


# -- what is measured -----------------------------------------------------------------------------


def _measure(database: Database, size: int, arguments: argparse.Namespace) -> Figures:
    oldest = NOW - timedelta(milliseconds=size * _EVERY_MS)
    deep = Place(NOW - timedelta(milliseconds=size * _EVERY_MS // 2), 1, 1)
    seen = dict.fromkeys(range(1, arguments.feeds + 1), size // arguments.feeds)

    def page(**options: Any) -> Callable[[Connection], object]:
        scope = options.pop("scope", Scope())
        return lambda connection: listing.list_entries(connection, 1, scope, **options)

    def found(typed: str) -> Callable[[Connection], object]:
        asked = query.parse(typed, NOW)
        return lambda connection: search.search(connection, 1, asked)

    tasks: dict[str, Callable[[Connection], object]] = {
        "newest 50": page(),
        "newest 50 unread": page(show="unread"),
        "a page in the middle": page(after=deep),
        "the last page": page(after=Place(oldest + timedelta(minutes=1), 1, 1)),
        "oldest 50": page(order="oldest"),
        "a folder with folders": page(scope=Scope(folder_id=1)),
        "… unread": page(scope=Scope(folder_id=1), show="unread"),
        "one feed": page(scope=Scope(subscription_id=7)),
        "favourites": page(show="favorite"),
        "unread counts of all feeds": lambda connection: counting.unread_counts(connection, 1),
        "mark all read": lambda c: marking.mark_seen(c, 1, seen, "all", NOW),
        "search: a rare word": found("rare77"),
        "search: two words": found("word7 rare77"),
        "search: a phrase, minus one": found('"word7 topic7" -rare3'),
        "search: a common word": found("word7"),
    }
    return {name: _timed(database, work, arguments.rounds) for name, work in tasks.items()}


class _Undone(Exception):
    pass


def _timed(
    database: Database, work: Callable[[Connection], object], rounds: int
) -> tuple[float, float]:
    """Milliseconds at the median and the 99th percentile; what it wrote is undone."""
    clock = thread_time if database.is_sqlite else perf_counter
    took = []
    for _ in range(rounds + 1):
        try:
            with database.writing() as connection:
                connection.execute(text("SELECT 1"))
                began = clock()
                work(connection)
                took.append((clock() - began) * 1e3)
                raise _Undone
        except _Undone:
            continue
    took = sorted(took[1:])  # the first one builds the statement
    return statistics.median(took), took[min(len(took) - 1, len(took) * 99 // 100)]


# -- what is in the database ----------------------------------------------------------------------


def _furnish(connection: Connection, feeds: int) -> None:
    connection.execute(insert(schema.accounts).values(id=1, name="ada", created_at=NOW))
    connection.execute(insert(schema.lanes).values(key="example.org"))
    for folder in range(1, _FOLDERS * _INNER + 1):
        parent = None if folder <= _FOLDERS else (folder - 1) % _FOLDERS + 1
        row = {"id": folder, "account_id": 1, "parent_id": parent, "name": f"Folder {folder}"}
        connection.execute(insert(schema.folders).values(row))
    numbers = range(1, feeds + 1)
    connection.execute(insert(schema.feeds), [_feed(number) for number in numbers])
    connection.execute(insert(schema.subscriptions), [_subscription(n) for n in numbers])


def _feed(number: int) -> dict[str, Any]:
    url = f"https://example.org/{number}"
    row = {"id": number, "url": url, "canonical_key": url, "lane": "example.org"}
    return row | {"created_at": NOW, "title": f"Feed {number}", "subscriber_count": 1}


def _subscription(number: int) -> dict[str, Any]:
    folder = number % (_FOLDERS * _INNER) + 1
    row = {"id": number, "account_id": 1, "feed_id": number, "folder_id": folder}
    return row | {"data_store_uuid": str(number), "created_at": NOW}


def _fill(database: Database, made: int, size: int, feeds: int) -> str:
    """Entries numbered (made, size]; gives what they take on the disk, in words."""
    before = _bytes(database)
    with database.writing() as connection:
        _add_entries(connection, made, size, feeds)
    bare = _bytes(database)
    with database.writing() as connection:
        _add_to_index(connection, made, size, feeds)
        _read_most(connection, size)
        connection.execute(text("ANALYZE"))
    with_index = _bytes(database)
    count = size - made
    return (
        f"{(bare - before) / count:.0f} bytes each for {len(_BODY)} of text, and "
        f"{(with_index - bare) / count:.0f} in the search index"
    )


def _numbers(connection: Connection, made: int, size: int) -> str:
    if connection.dialect.name == "sqlite":
        below = f"SELECT {made + 1} UNION ALL SELECT i + 1 FROM n WHERE i < {size}"
        return f"WITH RECURSIVE n(i) AS ({below})"
    return f"WITH n(i) AS (SELECT generate_series({made + 1}, {size}))"


def _run(connection: Connection, into: str, numbers: str, chosen: str) -> None:
    """The engines want WITH on different sides of INSERT."""
    if connection.dialect.name == "sqlite":
        connection.exec_driver_sql(f"{into} {numbers} {chosen}")
    else:
        connection.exec_driver_sql(f"{numbers} {into} {chosen}".replace("%", "%%"))


def _title(i: str) -> str:
    # Brackets, since || binds more closely than % on SQLite.
    return f"'word' || ({i} % 50) || ' topic' || ({i} % 50) || ' rare' || ({i} % 5000)"


def _add_entries(connection: Connection, made: int, size: int, feeds: int) -> None:
    """The newest number is the newest entry of all, whatever was there before."""
    sort_at = f"{_MS} - (CAST({size} AS BIGINT) - i) * {_EVERY_MS}"
    blob = "x'00'" if connection.dialect.name == "sqlite" else "'\\x00'::bytea"
    numbers = _numbers(connection, made, size)
    columns = (
        "(feed_id, seq, public_id, sort_at, published_at, first_seen_at, title, link, content, "
        "content_hash, digest)"
    )
    feed, seq = f"(i % {feeds} + 1)", f"(i / {feeds} + 1)"
    connection.exec_driver_sql(
        f"UPDATE entries SET sort_at = sort_at - {(size - made) * _EVERY_MS}"
    )
    chosen = (
        f"SELECT {feed}, {seq}, 'urn:' || i, {sort_at}, {sort_at}, {sort_at}, {_title('i')}, "
        f"'https://example.org/' || i, '{_BODY}', {blob}, {blob} FROM n"
    )
    _run(connection, f"INSERT INTO entries {columns}", numbers, chosen)
    connection.exec_driver_sql(f"UPDATE feeds SET last_seq = {size // feeds}")
    tallying.recount(connection)


def _add_to_index(connection: Connection, made: int, size: int, feeds: int) -> None:
    feed, seq = f"(i % {feeds} + 1)", f"(i / {feeds} + 1)"
    words = "the council met late on tuesday and decided about the ferry and the quay"
    if connection.dialect.name == "sqlite":
        into = "INSERT INTO entry_search (rowid, title, author, body)"
        chosen = f"SELECT {feed} << 32 | {seq}, {_title('i')}, '', '{words}' FROM n"
    else:
        into = "INSERT INTO entry_search (feed_id, seq, document)"
        document = f"to_tsvector('simple', {_title('i')} || ' {words}')"
        chosen = f"SELECT {feed}, {seq}, {document} FROM n"
    _run(connection, into, _numbers(connection, made, size), chosen)


def _read_most(connection: Connection, size: int) -> None:
    """All but the newest tenth is read; of ten thousand entries something was said."""
    watermark = _MS - size // 10 * _EVERY_MS
    connection.exec_driver_sql(f"UPDATE subscriptions SET read_watermark = {watermark}")
    connection.exec_driver_sql("DELETE FROM entry_states")
    newest = (
        select(schema.entries.c.feed_id, schema.entries.c.seq)
        .order_by(schema.entries.c.sort_at.desc())
        .limit(_STATES)
    )
    rows = [
        {
            "account_id": 1,
            "feed_id": feed_id,
            "seq": seq,
            "is_read": number % 3 != 0,
            "is_favorite": number % 10 == 0,
            "updated_at": NOW,
        }
        for number, (feed_id, seq) in enumerate(connection.execute(newest).all())
    ]
    connection.execute(insert(schema.entry_states), rows)


def _bytes(database: Database) -> int:
    with database.reading() as connection:
        if database.is_sqlite:
            pages = connection.execute(text("PRAGMA page_count")).scalar_one()
            return int(pages) * int(connection.execute(text("PRAGMA page_size")).scalar_one())
        return int(
            connection.execute(text("SELECT pg_database_size(current_database())")).scalar_one()
        )


def _arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("--entries", type=int, default=1_000_000)
    parser.add_argument("--feeds", type=int, default=2_000)
    parser.add_argument("--rounds", type=int, default=40)
    parser.add_argument("--postgresql", default="")
    return parser.parse_args()


if __name__ == "__main__":
    main()
