"""What the store costs: claims and ingest on both engines, beside the bare driver in the same run.

Claims: lease 32 lanes and give them back, with so many feeds in the database (ten on a lane), a
hundredth of them due. Ingest: 100 polled feeds in one transaction, each with some new items,
beside the same statements replayed on the driver below. Both are rolled back: they do the same.

    PYTHONPATH=src:. python bench/store.py [--feeds 1000,100000,1000000] [--rounds 20]
        [--postgresql postgresql://user@host/empty_database]
"""

import argparse
import statistics
import tempfile
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from hashlib import blake2b
from pathlib import Path
from time import perf_counter, process_time
from typing import Any

from sqlalchemy import Connection, event, select, text

from wireroom.feeds import changes, identity
from wireroom.feeds.identity import IdentityRule
from wireroom.feeds.model import Digest, Item, ParsedFeed, SafeHtml
from wireroom.store import claims, entries, feeds, ingest, schema
from wireroom.store.engine import Database, connect
from wireroom.store.ingest import Finished, Reading

NOW = datetime(2026, 11, 30, 12, tzinfo=UTC)
BATCH = 100
LANES = 32
_MS = int(NOW.timestamp() * 1000)


def main() -> None:
    """Measure and print."""
    arguments = _arguments()
    sizes = [int(size) for size in arguments.feeds.split(",")]
    with tempfile.TemporaryDirectory() as folder:
        addresses = [f"sqlite:///{Path(folder) / 'bench.sqlite3'}"]
        if arguments.postgresql:
            addresses.append(arguments.postgresql)
        for address in addresses:
            database = connect(address)
            _measure(database, sizes, arguments.rounds)
            database.close()


def _measure(database: Database, sizes: Sequence[int], rounds: int) -> None:
    engine = "SQLite" if database.is_sqlite else "PostgreSQL"
    with database.writing() as connection:
        schema.metadata.create_all(connection)
    print(f"\n{engine}\n{'feeds':>10} {'claim p50':>11} {'claim p99':>11} {'release p50':>12}")
    made = 0
    for size in sizes:
        with database.writing() as connection:
            _make_feeds(connection, made, size)
        _analyze(database)
        made = size
        claimed, released = _claims(database, rounds * 5)
        print(
            f"{size:>10,} {statistics.median(claimed) * 1e3:>8.2f} ms "
            f"{_p99(claimed) * 1e3:>8.2f} ms {statistics.median(released) * 1e3:>9.2f} ms"
        )
    heads = ("ingest", "feeds/CPU-s", "ms a feed", "statements", "of driver")
    print("{:>10} {:>12} {:>10} {:>11} {:>10}".format(*heads))
    for new in (0, 1, 10):
        _print_ingest(database, new, rounds)


def _print_ingest(database: Database, new: int, rounds: int) -> None:
    ours, bare, statements = _ingest(database, new, rounds)
    print(
        f"{new:>6} new {BATCH / ours.cpu:>12,.0f} {ours.wall / BATCH * 1e3:>10.3f} "
        f"{statements:>11} {_share(database, ours, bare):>9.0%}"
    )


def _share(database: Database, ours: "Spent", bare: "Spent") -> float:
    """Of CPU time where the engine works in our own process, else of the clock."""
    return bare.cpu / ours.cpu if database.is_sqlite else bare.wall / ours.wall


# -- what is in the database ----------------------------------------------------------------------


def _make_feeds(connection: Connection, first: int, last: int) -> None:
    """Feeds numbered (first, last], ten on a lane; one lane in a hundred is due."""
    numbers = (
        "WITH RECURSIVE n(i) AS (SELECT {0} UNION ALL SELECT i + 1 FROM n WHERE i < {1})"
        if connection.dialect.name == "sqlite"
        else "WITH n(i) AS (SELECT generate_series({0}, {1}))"
    )
    due = f"CASE WHEN {{0}} % 100 = 0 THEN {_MS} - {{0}} % 1000 ELSE {_MS} + 3600000 + {{0}} END"
    lanes = (
        numbers.format(first // 10, last // 10)
        if first == 0
        else numbers.format(first // 10 + 1, last // 10)
    )
    into_lanes = "INSERT INTO lanes (key, ready_at)"
    chosen = f"SELECT 'host' || i || '.example', {due.format('i')} FROM n"
    _number(connection, into_lanes, lanes, chosen)
    lane = "(i / 10)"
    columns = "(id, url, canonical_key, lane, next_poll_at, created_at, last_success_at)"
    chosen = (
        f"SELECT i, 'https://host' || {lane} || '.example/' || i, 'host' || {lane} || '/' || i, "
        f"'host' || {lane} || '.example', {due.format(lane)}, {_MS}, {_MS} FROM n"
    )
    _number(connection, f"INSERT INTO feeds {columns}", numbers.format(first + 1, last), chosen)


def _number(connection: Connection, into: str, numbers: str, chosen: str) -> None:
    if connection.dialect.name == "sqlite":
        connection.exec_driver_sql(f"{into} {numbers} {chosen}")
    else:
        connection.exec_driver_sql(f"{numbers} {into} {chosen}".replace("%", "%%"))


def _analyze(database: Database) -> None:
    with database.writing() as connection:
        connection.execute(text("ANALYZE"))


# -- claims ---------------------------------------------------------------------------------------


def _claims(database: Database, rounds: int) -> tuple[list[float], list[float]]:
    claimed, released = [], []
    for _ in range(rounds):
        start = perf_counter()
        with database.writing() as connection:
            leases = claims.claim_lanes(connection, owner="bench", now=NOW, limit=LANES)
        claimed.append(perf_counter() - start)
        start = perf_counter()
        with database.writing() as connection:
            for lease in leases:
                claims.release_lane(connection, lease, now=NOW)
        released.append((perf_counter() - start) / max(len(leases), 1))
    return claimed, released


def _p99(seconds: Sequence[float]) -> float:
    return sorted(seconds)[max(0, len(seconds) * 99 // 100 - 1)]


# -- ingest ---------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Spent:
    """Seconds of the median round."""

    wall: float
    cpu: float


class _Undone(Exception):
    pass


def _ingest(database: Database, new: int, rounds: int) -> tuple[Spent, Spent, int]:
    with database.writing() as connection:
        connection.execute(text("UPDATE lanes SET lease_owner = NULL"))
        some = connection.execute(select(schema.feeds.c.id).limit(BATCH * 10)).scalars().all()
        batch = [_polled(connection, feed_id, new) for feed_id in some[::10]]
    statements = _recorded(database, batch)
    ours, bare = [], []
    for _ in range(rounds):
        ours.append(_spent(database, lambda connection: ingest.commit(connection, batch, NOW)))
        bare.append(_spent(database, lambda connection: _replay(connection, statements)))
    return _median(ours), _median(bare), len(statements)


def _median(spent: Sequence[Spent]) -> Spent:
    return Spent(
        statistics.median(each.wall for each in spent),
        statistics.median(each.cpu for each in spent),
    )


def _spent(database: Database, work: Callable[[Connection], object]) -> Spent:
    try:
        with database.writing() as connection:
            connection.execute(text("SELECT 1"))
            wall, cpu = perf_counter(), process_time()
            work(connection)
            spent = Spent(perf_counter() - wall, process_time() - cpu)
            raise _Undone
    except _Undone:
        return spent


def _polled(connection: Connection, feed_id: int, new: int) -> Finished:
    feed = feeds.to_poll(connection, feed_id)
    assert feed is not None
    lease = claims.claim_lane(connection, feed.lane, owner="bench", now=NOW)
    assert lease is not None
    reading = None
    if new:
        parsed = ParsedFeed("rss", title="Bench", items=tuple(_item(n) for n in range(new)))
        rule = IdentityRule.parse("")
        memory = entries.remember(connection, feed_id, identity.lookup_keys(parsed, rule))
        state = changes.FeedState(never_read=False, last_read=NOW)
        decided = changes.decide(parsed, memory.known, state, NOW)
        reading = Reading(parsed, decided, b"x" * 16, '"etag"', "")
    return Finished(
        feed=feed,
        lease=lease,
        at=NOW,
        outcome="news" if new else "unchanged",
        next_poll_at=NOW + timedelta(hours=1),
        next_poll_reason="in an hour",
        history={"intervals": [3600] * 20},
        health={},
        status=200 if new else 304,
        reading=reading,
    )


def _item(number: int) -> Item:
    raw = blake2b(str(number).encode(), digest_size=16).digest()
    body = f"<p>{f'Text of item {number}, as long as texts are. ' * 40}</p>"
    return Item(
        digest=Digest(raw),
        guid=f"urn:bench:{number}",
        link=f"https://bench.example/{number}",
        title=f"Item number {number}",
        content=SafeHtml(body),
        published=NOW - timedelta(minutes=number),
    )


# -- the bare driver ------------------------------------------------------------------------------

Statement = tuple[str, Any, bool]


def _recorded(database: Database, batch: Sequence[Finished]) -> list[Statement]:
    statements: list[Statement] = []

    def note(_: object, __: object, sql: str, parameters: Any, ___: object, many: bool) -> None:
        statements.append((sql, parameters, many))

    try:
        with database.writing() as connection, _listening(connection, note):
            ingest.commit(connection, batch, NOW)
            raise _Undone
    except _Undone:
        return statements


@contextmanager
def _listening(connection: Connection, note: Callable[..., None]) -> Iterator[None]:
    event.listen(connection, "before_cursor_execute", note)
    try:
        yield
    finally:
        event.remove(connection, "before_cursor_execute", note)


def _replay(connection: Connection, statements: Sequence[Statement]) -> None:
    driver: Any = connection.connection.driver_connection
    cursor = driver.cursor()
    for sql, parameters, many in statements:
        if many:
            cursor.executemany(sql, parameters)
        else:
            cursor.execute(sql, parameters)
        if cursor.description:
            cursor.fetchall()


def _arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--feeds", default="1000,100000,1000000")
    parser.add_argument("--rounds", type=int, default=20)
    parser.add_argument("--postgresql", default="")
    return parser.parse_args()


if __name__ == "__main__":
    main()
