"""Rows for tests of reading: accounts, feeds, subscriptions and entries with telling defaults."""

import hashlib
from datetime import UTC, datetime, timedelta
from typing import Any

from sqlalchemy import Connection, insert, select, update

from wireroom.store import tallying
from wireroom.store.schema import (
    accounts,
    entries,
    entry_bodies,
    feeds,
    fetches,
    folders,
    lanes,
    subscriptions,
)

#: Noon of an ordinary day; times in tests are minutes before or after it.
NOON = datetime(2026, 11, 30, 12, 0, tzinfo=UTC)


def at(minutes: float) -> datetime:
    """`minutes` after noon, or before it when negative."""
    return NOON + timedelta(minutes=minutes)


def add_account(connection: Connection, name: str = "ada", role: str = "operator") -> int:
    made: int = connection.execute(
        insert(accounts).values(name=name, role=role, created_at=NOON).returning(accounts.c.id)
    ).scalar_one()
    return made


def add_feed(connection: Connection, title: str = "Harbour News", **values: Any) -> int:
    row = _feed(title, values)
    if not connection.scalar(select(lanes.c.key).where(lanes.c.key == row["lane"])):
        connection.execute(insert(lanes).values(key=row["lane"]))
    made: int = connection.execute(insert(feeds).values(row).returning(feeds.c.id)).scalar_one()
    return made


def add_feeds(connection: Connection, titles: dict[str, dict[str, Any]]) -> list[int]:
    """Many at once, on hosts that are new: what `add_feed` is told of each, by title."""
    rows = [_feed(title, values) for title, values in titles.items()]
    connection.execute(insert(lanes), [{"key": key} for key in {row["lane"]: 0 for row in rows}])
    return list(connection.scalars(insert(feeds).returning(feeds.c.id), rows))


def _feed(title: str, values: dict[str, Any]) -> dict[str, Any]:
    host = values.get("host", title.casefold().replace(" ", "-") + ".example")
    url = values.get("url", f"https://{host}/feed.xml")
    return {
        "url": url,
        "canonical_key": url,
        "lane": host,
        "title": title,
        "site_url": f"https://{host}/",
        "created_at": at(-10_000),
        **{name: value for name, value in values.items() if name != "host"},
    }


def follow(connection: Connection, account_id: int, feed_id: int, **values: Any) -> int:
    row = {**_subscription(account_id, feed_id), **values}
    made: int = connection.execute(
        insert(subscriptions).values(row).returning(subscriptions.c.id)
    ).scalar_one()
    return made


def follow_all(connection: Connection, account_id: int, feed_ids: list[int]) -> None:
    rows = [_subscription(account_id, feed_id) for feed_id in feed_ids]
    connection.execute(insert(subscriptions), rows)


def _subscription(account_id: int, feed_id: int) -> dict[str, Any]:
    return {
        "account_id": account_id,
        "feed_id": feed_id,
        "data_store_uuid": f"{account_id:08}-{feed_id}",
        "created_at": at(-10_000),
    }


def add_folder(connection: Connection, account_id: int, name: str, **values: Any) -> int:
    made: int = connection.execute(
        insert(folders).values(account_id=account_id, name=name, **values).returning(folders.c.id)
    ).scalar_one()
    return made


def add_entry(
    connection: Connection,
    feed_id: int,
    sort_at: datetime,
    title: str = "",
    *,
    large_body: str | None = None,
    **values: Any,
) -> int:
    """The next entry of a feed, published and first seen at `sort_at`; gives its seq."""
    seq: int = connection.execute(
        update(feeds)
        .where(feeds.c.id == feed_id)
        .values(last_seq=feeds.c.last_seq + 1)
        .returning(feeds.c.last_seq)
    ).scalar_one()
    title = title or f"Entry {seq}"
    row = {
        "feed_id": feed_id,
        "seq": seq,
        "public_id": f"urn:{feed_id}:{seq}",
        "sort_at": sort_at,
        "published_at": sort_at,
        "first_seen_at": sort_at,
        "title": title,
        "link": f"https://example.com/{feed_id}/{seq}",
        "content": f"<p>Text of {title}</p>",
        "content_hash": hashlib.md5(title.encode(), usedforsecurity=False).digest(),
        "digest": hashlib.md5(b"raw" + title.encode(), usedforsecurity=False).digest(),
        **values,
    }
    if large_body is not None:
        row |= {"content": None, "has_large_body": True}
        connection.execute(
            insert(entry_bodies).values(feed_id=feed_id, seq=seq, content=large_body)
        )
    connection.execute(insert(entries).values(row))
    tallying.add(connection, [(feed_id, row["sort_at"])])
    return seq


def add_fetch(connection: Connection, feed_id: int, when: datetime, **values: Any) -> None:
    row = {"feed_id": feed_id, "at": when, "outcome": "not_modified", "status": 304, **values}
    connection.execute(insert(fetches).values(row))
