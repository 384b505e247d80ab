"""What the reader API costs, and whether it stays flat while the data grows ten-fold.

    python -m bench.api [--feeds 2000] [--entries 200000] [--calls 60]

The application is called in this process, without a socket, over SQLite in a temporary folder: for
one account that follows all feeds, first with a tenth of the entries and then with all of them.
Prints milliseconds at the median and at the 99th percentile, requests per second of CPU time (all
threads), and how CPU time grew; nothing here is a test.
"""

import argparse
import asyncio
import json
import tempfile
import time
from collections.abc import Awaitable, Callable, Iterator
from datetime import UTC, datetime, timedelta
from typing import Any

from sqlalchemy import insert, text

from wireroom import accounts
from wireroom.api.native.app import build
from wireroom.api.native.door import Rates, Tools
from wireroom.store import schema, tallying
from wireroom.store.bell import Bell
from wireroom.store.engine import Database, connect
from wireroom.throttle import Rate

NOW = datetime(2026, 11, 30, 12, tzinfo=UTC)
STATES = 10_000
AT_ONCE = 20_000


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--feeds", type=int, default=2000)
    parser.add_argument("--entries", type=int, default=200_000)
    parser.add_argument("--calls", type=int, default=60)
    wanted = parser.parse_args()
    before: dict[str, float] = {}
    for entries in (wanted.entries // 10, wanted.entries):
        print(f"\n{entries:,} entries in {wanted.feeds:,} feeds, one account follows them all")
        with tempfile.TemporaryDirectory() as folder:
            database = connect(f"sqlite:///{folder}/bench.sqlite3")
            furnish(database, wanted.feeds, entries)
            before = asyncio.run(measure(database, wanted.calls, before))
            database.close()


def furnish(database: Database, feeds: int, entries: int) -> None:
    """Account 1 follows every feed; of the entries of feed 1 it said something of 10,000.

    A tenth of all entries carry its one label.
    """
    with database.writing() as connection:
        schema.metadata.create_all(connection)
        connection.execute(insert(schema.accounts), [{"name": "ada", "created_at": NOW}])
        connection.execute(insert(schema.lanes), [{"key": "example.org"}])
        connection.execute(insert(schema.feeds), [_feed(number) for number in range(feeds)])
        connection.execute(
            insert(schema.subscriptions), [_subscription(number) for number in range(feeds)]
        )
        connection.execute(
            insert(schema.tags), [{"account_id": 1, "name": "work", "created_at": NOW}]
        )
        for some in _batches(_entries(feeds, entries)):
            connection.execute(insert(schema.entries), some)
            connection.execute(insert(schema.entry_tags), [_labelled(row) for row in some[::10]])
        tallying.recount(connection)
        connection.execute(insert(schema.entry_states), [_state(seq) for seq in range(STATES)])
        connection.execute(text("ANALYZE"))


def _feed(number: int) -> dict[str, Any]:
    url = f"https://example.org/{number}"
    return {
        "id": number + 1,
        "url": url,
        "canonical_key": url,
        "lane": "example.org",
        "title": f"Feed {number}",
        "created_at": NOW,
    }


def _subscription(number: int) -> dict[str, Any]:
    return {
        "account_id": 1,
        "feed_id": number + 1,
        "data_store_uuid": f"{number:036}",
        "created_at": NOW,
    }


def _entries(feeds: int, entries: int) -> Iterator[dict[str, Any]]:
    seqs = dict.fromkeys(range(1, feeds + 1), 0)
    for number in range(entries + STATES):
        feed_id = number % feeds + 1 if number < entries else 1
        seqs[feed_id] += 1
        when = NOW - timedelta(seconds=(number * 7919) % 8_000_000)
        yield {
            "feed_id": feed_id,
            "seq": seqs[feed_id],
            "public_id": f"urn:{number}",
            "sort_at": when,
            "published_at": when,
            "first_seen_at": when,
            "title": f"Story {number}",
            "link": f"https://example.org/{feed_id}/{number}",
            "content": f"<p>{'word ' * 200}{number}</p>",
            "content_hash": number.to_bytes(16, "big"),
            "digest": number.to_bytes(16, "big"),
        }


def _batches(rows: Iterator[dict[str, Any]]) -> Iterator[list[dict[str, Any]]]:
    batch: list[dict[str, Any]] = []
    for row in rows:
        batch.append(row)
        if len(batch) == AT_ONCE:
            yield batch
            batch = []
    if batch:
        yield batch


def _state(number: int) -> dict[str, Any]:
    return {
        "account_id": 1,
        "feed_id": 1,
        "seq": number + 1,
        "is_read": True,
        "is_favorite": number % 50 == 0,
        "updated_at": NOW - timedelta(seconds=STATES - number),
    }


def _labelled(entry: dict[str, Any]) -> dict[str, Any]:
    return {"tag_id": 1, **{name: entry[name] for name in ("feed_id", "seq", "sort_at")}}


class Caller:
    """The application as a server would call it, with a token."""

    def __init__(self, database: Database, token: str) -> None:
        self.app: Any = build(
            Tools(
                database,
                None,  # type: ignore[arg-type]
                None,  # type: ignore[arg-type]
                Bell(),
                lambda: NOW,
                rates=Rates(Rate(10**9), Rate(10**9)),
            )
        )
        self.headers = [(b"authorization", f"Bearer {token}".encode())]

    async def __call__(self, method: str, path: str, query: str = "", body: bytes = b"") -> Any:
        """What was answered, read as JSON; `send` leaves it to whoever wants to read it."""
        return json.loads(await self.send(method, path, query, body))

    async def send(self, method: str, path: str, query: str = "", body: bytes = b"") -> bytes:
        scope = {
            "type": "http", "asgi": {"version": "3.0"}, "http_version": "1.1", "scheme": "http",
            "method": method, "path": path, "raw_path": path.encode(), "root_path": "",
            "query_string": query.encode(), "headers": self.headers, "state": {},
            "client": ("127.0.0.1", 1), "server": ("127.0.0.1", 80), "extensions": {},
        }  # fmt: skip
        sent: list[dict[str, Any]] = []

        async def receive() -> dict[str, Any]:
            return {"type": "http.request", "body": body, "more_body": False}

        async def keep(message: dict[str, Any]) -> None:
            sent.append(message)

        await self.app(scope, receive, keep)
        answer = b"".join(message.get("body", b"") for message in sent)
        assert sent[0]["status"] == 200, answer
        return answer


async def measure(database: Database, calls: int, before: dict[str, float]) -> dict[str, float]:
    """CPU milliseconds of each kind of call."""
    token = await accounts.create_token(database, 1, name="bench", now=NOW)
    call = Caller(database, token)
    page = await call("GET", "/rss_list_items")
    later = page
    for _ in range(20):
        later = await call("GET", "/rss_list_items", f"cursor={later['next_cursor']}")
    item = page["items"][0]
    state = json.dumps({"items": [_said(each) for each in page["items"]]}).encode()

    async def whole_state_sync() -> Any:
        said = await call("GET", "/rss_list_items", "subscription_id=1&state_since=&limit=100")
        while said["has_more"]:
            cursor = said["next_state_since"]
            said = await call(
                "GET", "/rss_list_items", f"subscription_id=1&state_since={cursor}&limit=100"
            )

    kinds: dict[str, tuple[int, Callable[[], Awaitable[Any]]]] = {
        "list, newest 50": (calls, lambda: call("GET", "/rss_list_items")),
        "list, 21st page": (
            calls, lambda: call("GET", "/rss_list_items", f"cursor={later['next_cursor']}")
        ),
        "list, oldest 50 unread": (
            calls, lambda: call("GET", "/rss_list_items", "filter=unread&order=oldest")
        ),
        "list, 50 of one feed": (
            calls, lambda: call("GET", "/rss_list_items", "subscription_id=2")
        ),
        "list, favourites": (calls, lambda: call("GET", "/rss_list_items", "filter=favorite")),
        "list, by label": (calls, lambda: call("GET", "/rss_list_items", "label=work")),
        "list, unread by label": (
            calls,
            lambda: call("GET", "/rss_list_items", "label=work&filter=unread&order=oldest"),
        ),
        "items since": (
            calls, lambda: call("GET", "/rss_list_items", "subscription_id=2&since=&limit=50")
        ),
        "one item": (
            calls,
            lambda: call(
                "GET", "/rss_get_item",
                f"feed_id={item['feed_id']}&sort_key={item['sort_key'].replace('#', '%23')}",
            ),
        ),
        "set 50 states": (calls, lambda: call("POST", "/rss_set_item_state", body=state)),
        "all subscriptions": (calls // 4, lambda: call.send("GET", "/rss_list_subscriptions")),
        "unread counts": (calls // 4, lambda: call.send("GET", "/rss_unread_counts")),
        "sync of 10,000 states": (3, whole_state_sync),
        # The first call raises all marks; these find them raised, as `bench shelves` does not.
        "mark all read again": (5, lambda: call("POST", "/rss_mark_all_read", body=b"{}")),
    }  # fmt: skip
    found = {}
    for name, (times, work) in kinds.items():
        found[name] = await _measure(name, times, work, before.get(name))
    return found


def _said(item: dict[str, Any]) -> dict[str, Any]:
    return {"feed_id": item["feed_id"], "sort_key": item["sort_key"], "is_favorite": False}


async def _measure(
    name: str, times: int, work: Callable[[], Awaitable[Any]], before: float | None
) -> float:
    await work()
    taken = []
    cpu = time.process_time()
    for _ in range(times):
        start = time.perf_counter()
        await work()
        taken.append((time.perf_counter() - start) * 1000)
    cpu = time.process_time() - cpu
    taken.sort()
    median, high = taken[len(taken) // 2], taken[min(len(taken) - 1, len(taken) * 99 // 100)]
    grown = "" if before is None else f"  x{cpu / times * 1000 / before:.2f}"
    print(f"{name:24} p50 {median:8.1f} ms  p99 {high:8.1f} ms  {times / cpu:8.1f} /CPU-s{grown}")
    return cpu / times * 1000


if __name__ == "__main__":
    main()
