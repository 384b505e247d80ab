"""The claim loop at the size of a whole world: many workers, millions of feeds, one PostgreSQL.

Every feed is due once in an hour, ten on a host. Workers do what the polling loop does in the
database, without asking anybody: claim due lanes with their first feeds, note the polls as
unchanged, and give the lanes back. Prints what a poll costs while there are ever more feeds, and
how many polls a second this machine's database carries. What else runs on the machine is in all of
that, so the claim is also taken apart: the pages that it touches in the database, and the
milliseconds that the server spends on it at the least.

    python -m bench claims --postgresql postgresql://user@host/empty_database
        [--feeds 100000,1000000,10000000] [--workers 4] [--seconds 10]
"""

import argparse
import contextlib
import statistics
import time
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from typing import Any

from sqlalchemy import Connection, event, text

from wireroom.store import ingest, schema, turns
from wireroom.store.claims import LaneLease
from wireroom.store.engine import Database, connect
from wireroom.store.feed_to_poll import FeedToPoll
from wireroom.store.finished import Finished

LANES_AT_ONCE = 32
ON_A_HOST = 10
EVERY = timedelta(hours=1)
_START = datetime(2026, 11, 30, 12, tzinfo=UTC)


@dataclass(frozen=True, slots=True)
class Work:
    """What one worker did: seconds of each claim and of each commit, and polls."""

    claimed: Sequence[float]
    committed: Sequence[float]
    polls: int


def main() -> None:
    """Grow the database and measure at each size."""
    arguments = _arguments()
    database = connect(arguments.postgresql)
    with database.writing() as connection:
        schema.metadata.create_all(connection)
    head = ("feeds", "database", "claim p50", "claim p99", "commit p50", "polls/s", "made in")
    print("{:>12}{:>11}{:>12}{:>12}{:>12}{:>10}{:>10}".format(*head), "  a claim by itself")
    made = 0
    for size in map(int, arguments.feeds.split(",")):
        began = time.perf_counter()
        _grow(database, made, size)
        took = time.perf_counter() - began
        made = size
        taken_apart = [_taken_apart(database) for _ in range(20)]
        _print(database, size, _work(database, arguments), arguments.seconds, took)
        pages = statistics.median(pages for pages, _ in taken_apart)
        print(f"{'':79}{pages:>7.0f} pages, {min(ms for _, ms in taken_apart):.2f} ms", flush=True)
    database.close()


def _print(
    database: Database, size: int, works: Sequence[Work], seconds: float, took: float
) -> None:
    with database.reading() as connection:
        in_bytes = connection.execute(
            text("SELECT pg_database_size(current_database())")
        ).scalar_one()
    claimed = sorted(each for work in works for each in work.claimed)
    committed = [each for work in works for each in work.committed]
    polls = sum(work.polls for work in works)
    print(
        f"{size:>12,}{in_bytes / 1e9:>8.1f} GB{statistics.median(claimed) * 1e3:>9.1f} ms"
        f"{claimed[len(claimed) * 99 // 100 - 1] * 1e3:>9.1f} ms"
        f"{statistics.median(committed) * 1e3:>9.1f} ms{polls / seconds:>10,.0f}{took:>8.0f} s",
        flush=True,
    )


class _Undone(Exception):
    pass


def _taken_apart(database: Database) -> tuple[int, float]:
    """Pages that the statements of one claim touch, and the server's milliseconds; undone."""
    statements: list[tuple[str, Any]] = []
    spent: list[dict[str, Any]] = []

    def note(_: object, __: object, sql: str, values: Any, ___: object, ____: object) -> None:
        statements.append((sql, values))

    def claim(connection: Connection) -> None:
        event.listen(connection, "before_cursor_execute", note)
        turns.claim(connection, owner="bench", now=_START, limit=LANES_AT_ONCE)
        event.remove(connection, "before_cursor_execute", note)

    def explain(connection: Connection) -> None:
        for sql, values in statements:
            explained = f"EXPLAIN (ANALYZE, BUFFERS, FORMAT JSON) {sql}"
            spent.append(connection.exec_driver_sql(explained, values).scalar_one()[0])

    _undo(database, claim)
    _undo(database, explain)
    plans = [each["Plan"] for each in spent]
    pages = sum(plan["Shared Hit Blocks"] + plan["Shared Read Blocks"] for plan in plans)
    return pages, sum(each["Execution Time"] for each in spent)


def _undo(database: Database, work: Callable[[Connection], None]) -> None:
    with contextlib.suppress(_Undone), database.writing() as connection:
        work(connection)
        raise _Undone


def _work(database: Database, arguments: argparse.Namespace) -> list[Work]:
    end = time.perf_counter() + arguments.seconds
    with ThreadPoolExecutor(arguments.workers) as threads:
        running = [
            threads.submit(_worker, database, f"worker {number}", end)
            for number in range(arguments.workers)
        ]
        return [each.result() for each in running]


def _worker(database: Database, owner: str, end: float) -> Work:
    """The database's side of the polling loop; the clock stands, so that all due work is there."""
    claimed, committed, polls = list[float](), list[float](), 0
    while (began := time.perf_counter()) < end:
        with database.writing() as connection:
            due = turns.claim(connection, owner=owner, now=_START, limit=LANES_AT_ONCE)
        claimed.append(time.perf_counter() - began)
        if not due:
            break
        polled = [(turn.lease, turn.feed) for turn in due if turn.feed is not None]
        while polled:
            began = time.perf_counter()
            with database.writing() as connection:
                finished = [_unchanged(lease, feed) for lease, feed in polled]
                stored = ingest.commit(connection, finished, _START, rest=timedelta(0))
            committed.append(time.perf_counter() - began)
            polls += len(polled)
            polled = [
                (lease, stored.next[lease.lane])
                for lease, _ in polled
                if lease.lane in stored.next
            ]
    return Work(claimed, committed, polls)


def _unchanged(lease: LaneLease, feed: FeedToPoll) -> Finished:
    return Finished(
        feed=feed,
        lease=lease,
        at=_START,
        outcome="unchanged",
        next_poll_at=_START + EVERY,
        next_poll_reason="every hour",
        history={"intervals": [3600] * 20},
        health={},
        status=304,
    )


def _grow(database: Database, made: int, size: int) -> None:
    """Feeds numbered (made, size]; a tenth of the hosts is due now, the others within the hour."""
    later = "({host} % 3600) * 1000 + 120000"
    due = f"{{start}} - 60000 + CASE WHEN {{host}} % 10 = 0 THEN 0 ELSE {later} END"
    start = int(_START.timestamp() * 1000)
    host = "i"
    lanes = (
        f"INSERT INTO lanes (key, ready_at) SELECT 'host' || i || '.example', "
        f"{due.format(start=start, host=host)} "
        f"FROM generate_series({made // ON_A_HOST}, {size // ON_A_HOST - 1}) AS n(i)"
    )
    host = f"(i / {ON_A_HOST})"
    feeds = (
        "INSERT INTO feeds (id, url, canonical_key, lane, next_poll_at, created_at, "
        "last_success_at, subscriber_count) "
        f"SELECT i + 1, 'https://host' || {host} || '.example/feed/' || i, "
        f"'host' || {host} || '.example/feed/' || i, 'host' || {host} || '.example', "
        f"{due.format(start=start, host=host)}, {start}, {start}, 1 "
        f"FROM generate_series({made}, {size - 1}) AS n(i)"
    )
    with database.writing() as connection:
        connection.execute(text("SET LOCAL synchronous_commit = off"))
        connection.exec_driver_sql(lanes.replace("%", "%%"))
        # Hosts come from the line above: checking each feed's again takes longer than all else.
        connection.execute(text("SET LOCAL session_replication_role = replica"))
        connection.exec_driver_sql(feeds.replace("%", "%%"))
    with database.writing() as connection:
        connection.execute(text("ANALYZE lanes"))
        connection.execute(text("ANALYZE feeds"))


def _arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("--postgresql", required=True, help="an empty database that may be filled")
    parser.add_argument("--feeds", default="100000,1000000,10000000")
    parser.add_argument("--workers", type=int, default=4)
    parser.add_argument("--seconds", type=float, default=10)
    return parser.parse_args()


if __name__ == "__main__":
    main()
