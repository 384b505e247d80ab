"""What was learnt from polling becomes rows: many finished feeds in one transaction (group
commit).

Promise 4 lives here: validators, next poll and entries of a feed are committed together, under a
lease that is checked in the same transaction. The statements are bulk statements, because one
statement for each feed would cost as much as the fetch itself.
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from sqlalchemy import Connection, bindparam, delete, insert, select, update

from wireroom.errors import Found
from wireroom.feeds import traits
from wireroom.feeds.changes import ChangedEntry, Changes, NewEntry, SeenAgain
from wireroom.feeds.model import Item, ParsedFeed
from wireroom.store import bell, claims, indexing, moves, routes
from wireroom.store.claims import LaneLease
from wireroom.store.dialects import insert_or
from wireroom.store.entries import LARGE_BODY_BYTES, enclosure_as_json
from wireroom.store.feeds import FeedToPoll, hints_as_json
from wireroom.store.moves import Move
from wireroom.store.schema import entries, entry_bodies, entry_keys, feeds, fetches, hub_leases
from wireroom.store.text import storable, verbatim


@dataclass(frozen=True, slots=True)
class Reading:
    """A document that was read: what it says, and what it changes."""

    parsed: ParsedFeed
    changes: Changes
    body_hash: bytes
    etag: str
    last_modified: str
    #: Where news of the feed are pushed from, and under which name (WebSub).
    hub_url: str = ""
    topic_url: str = ""
    #: It came from a hub, which may leave out what it sent before: it is not the feed's document.
    is_push: bool = False


@dataclass(frozen=True, slots=True)
class Silence:
    """A host asked not to be asked again before this moment."""

    lane: str
    until: datetime


@dataclass(frozen=True, slots=True)
class Finished:
    """One polled feed, ready to be committed.

    `outcome` is the word for `fetches`: news, unchanged, pushed, failed, throttled,
    gone, postponed.
    `validators` replace the stored pair without a reading (a 304 that carried new ones).
    `disabled_reason` None leaves the feed enabled; `next_poll_at` None stops its polling.
    """

    feed: FeedToPoll
    lease: LaneLease
    at: datetime
    outcome: str
    next_poll_at: datetime | None
    next_poll_reason: str
    history: Mapping[str, Any]
    health: Mapping[str, Any]
    failure_count: int = 0
    failing_since: datetime | None = None
    error: str = ""
    status: int | None = None
    disabled_reason: str | None = None
    silence: Silence | None = None
    reading: Reading | None = None
    validators: tuple[str, str] | None = None
    move: Move | None = None
    #: Where the document says that the feed has moved, and at how many readings in a row.
    announced: tuple[str, int] | None = None
    #: What a 200 held instead of a feed.
    not_a_feed: Found | None = None
    body_bytes: int = 0
    duration_ms: int = 0

    @property
    def succeeded(self) -> bool:
        """Whether the feed answered as a feed should."""
        return self.outcome in ("news", "unchanged", "pushed")


@dataclass(frozen=True, slots=True)
class Committed:
    """What a commit did: feeds that have news for routes, and how many entries came and changed.

    `passed_over` are feeds of which nothing was stored: forgotten, or read by somebody else while
    this answer was on its way.
    """

    news_feed_ids: frozenset[int] = frozenset()
    new_count: int = 0
    changed_count: int = 0
    passed_over: frozenset[int] = frozenset()


def commit(connection: Connection, finished: Sequence[Finished], now: datetime) -> Committed:
    """Store what these polls found out. Raises LeaseLost when one of the leases ran out.

    The caller commits; on any exception it tries feed by feed, so that one bad row harms nobody
    else. A feed that was forgotten meanwhile, or read by somebody else, is passed over.
    """
    # Feeds first and lanes second, as all transactions lock them: none waits for another in a
    # ring.
    standing = _still_there(connection, finished)
    passed_over = frozenset(each.feed.id for each in finished) - {
        each.feed.id for each in standing
    }
    claims.hold_lanes(connection, _distinct_leases(finished), now=now)
    _write_silences(connection, standing)
    standing = _write_moves(connection, standing, now)
    _write_schedule(connection, standing)
    _write_validators(connection, standing)
    _write_announcements(connection, standing)
    read = [(each, each.reading) for each in standing if each.reading is not None]
    _write_readings(connection, read)
    numbered = _number(connection, read)
    _write_entries(connection, numbered)
    _write_changed(connection, read)
    _write_seen_again(connection, read)
    _write_keys(connection, numbered, read)
    indexing.note(connection, _places(numbered, read))
    news = frozenset(one.feed_id for one in numbered)
    if news:
        bell.announce(connection)
        claims.wake_destinations(connection, sorted(news), now=now)
    for each in standing:
        if each.succeeded and each.feed.never_read:
            routes.start_waiting_routes(connection, each.feed.id)
    _write_fetches(connection, standing)
    _score_hubs(connection, read)
    return Committed(
        news_feed_ids=news,
        new_count=len(numbered),
        changed_count=sum(len(reading.changes.changed) for _, reading in read),
        passed_over=passed_over,
    )


@dataclass(frozen=True, slots=True)
class _Numbered:
    """A new entry with its place in the feed."""

    feed_id: int
    seq: int
    at: datetime
    entry: NewEntry


def _distinct_leases(finished: Iterable[Finished]) -> list[LaneLease]:
    # In the order of their names, so that two batches never wait for each other.
    return sorted({each.lease for each in finished}, key=lambda lease: lease.lane)


def _still_there(connection: Connection, finished: Sequence[Finished]) -> list[Finished]:
    """Those whose feed is as it was when the work began; no other can change before we commit.

    The lease is the fence between workers. The number of the last entry is a second one, for
    readings under another lane's lease: of a hub's push, or of an address that leads to the feed.
    """
    there = {
        row.id: row.last_seq
        for row in connection.execute(
            select(feeds.c.id, feeds.c.last_seq)
            .where(feeds.c.id.in_([each.feed.id for each in finished]))
            .order_by(feeds.c.id)
            .with_for_update(key_share=True)
        )
    }
    return [each for each in finished if there.get(each.feed.id) == each.feed.last_seq]


def _write_silences(connection: Connection, finished: Sequence[Finished]) -> None:
    for each in finished:
        if each.silence is not None:
            claims.pause_lane(connection, each.silence.lane, until=each.silence.until)
    well = {
        each.lease.lane
        for each in finished
        if each.succeeded and each.lease.throttles and each.silence is None
    }
    if well:
        claims.forget_throttles(connection, sorted(well))


def _write_moves(
    connection: Connection, finished: Sequence[Finished], now: datetime
) -> list[Finished]:
    """Move who moved; without the feeds that became one with another, which is due now."""
    return [
        each
        for each in finished
        if each.move is None or not moves.carry_out(connection, each.feed, each.move, now=now)
    ]


_SCHEDULE = (
    update(feeds)
    .where(feeds.c.id == bindparam("feed"))
    .values(
        next_poll_at=bindparam("at"),
        next_poll_reason=bindparam("reason"),
        history=bindparam("kept_history"),
        health=bindparam("kept_health"),
        failure_count=bindparam("failures"),
        failing_since=bindparam("since"),
        last_error=bindparam("error"),
        last_status=bindparam("status"),
        last_attempt_at=bindparam("attempted"),
        last_success_at=bindparam("success"),
        disabled_at=bindparam("off_at"),
        disabled_reason=bindparam("off_reason"),
    )
)


def _write_schedule(connection: Connection, finished: Sequence[Finished]) -> None:
    rows = [
        {
            "feed": each.feed.id,
            "at": each.next_poll_at,
            "reason": storable(each.next_poll_reason, 256),
            "kept_history": dict(each.history),
            "kept_health": dict(each.health),
            "failures": each.failure_count,
            "since": each.failing_since,
            "error": storable(each.error, 500),
            "status": each.status,
            "attempted": each.at,
            "success": each.at if each.succeeded else each.feed.last_success_at,
            "off_at": None
            if each.disabled_reason is None
            else each.feed.disabled_at or each.at,  # a probe does not switch it off once more
            "off_reason": storable(each.disabled_reason or "", 256),
        }
        for each in finished
    ]
    if rows:
        connection.execute(_SCHEDULE, rows)


_VALIDATORS = (
    update(feeds)
    .where(feeds.c.id == bindparam("feed"))
    .values(etag=bindparam("tag"), last_modified=bindparam("modified"))
)


def _write_validators(connection: Connection, finished: Sequence[Finished]) -> None:
    rows = [
        {
            "feed": each.feed.id,
            "tag": verbatim(each.validators[0]),
            "modified": verbatim(each.validators[1]),
        }
        for each in finished
        if each.validators is not None
    ]
    if rows:
        connection.execute(_VALIDATORS, rows)


def _score_hubs(connection: Connection, read: Sequence[tuple[Finished, Reading]]) -> None:
    """A hub that let a poll find news first has missed it; a push makes good for that (B29)."""
    for each, reading in read:
        if reading.is_push:
            score = {"missed": 0, "pushed_at": each.at}
        elif each.feed.pushed_until is not None and reading.changes.news:
            score = {"missed": hub_leases.c.missed + 1}
        else:
            continue
        connection.execute(
            update(hub_leases).where(hub_leases.c.feed_id == each.feed.id).values(score)
        )


_ANNOUNCED = (
    update(feeds)
    .where(feeds.c.id == bindparam("feed"))
    .values(announced_url=bindparam("at_url"), announced_times=bindparam("times"))
)


def _write_announcements(connection: Connection, finished: Sequence[Finished]) -> None:
    rows = [
        {"feed": each.feed.id, "at_url": each.announced[0], "times": each.announced[1]}
        for each in finished
        if each.announced is not None
        and each.announced != (each.feed.announced_url, each.feed.announced_times)
    ]
    if rows:
        connection.execute(_ANNOUNCED, rows)


_READING = (
    update(feeds)
    .where(feeds.c.id == bindparam("feed"))
    .values(
        {
            name: bindparam(f"new_{name}")
            for name in (
                "format",
                "title",
                "description",
                "site_url",
                "icon_url",
                "language",
                "hub_url",
                "self_url",
                "hints",
                "etag",
                "last_modified",
                "body_hash",
                "item_digests",
                "identity_rule",
            )
        }
    )
)


def _write_readings(connection: Connection, read: Sequence[tuple[Finished, Reading]]) -> None:
    rows = [_reading_row(each.feed, reading) for each, reading in read if not reading.is_push]
    if rows:
        connection.execute(_READING, rows)


def _reading_row(feed: FeedToPoll, reading: Reading) -> dict[str, Any]:
    parsed = reading.parsed
    return {
        "feed": feed.id,
        "new_format": parsed.format,
        "new_title": storable(parsed.title or feed.title, 512),
        "new_description": storable(parsed.description, 2048),
        "new_site_url": storable(parsed.site_url, 2048),
        "new_icon_url": storable(parsed.icon_url, 2048),
        "new_language": storable(parsed.language, 64),
        "new_hub_url": storable(reading.hub_url, 2048),
        "new_self_url": storable(reading.topic_url, 2048),
        "new_hints": hints_as_json(parsed.hints),
        "new_etag": verbatim(reading.etag),
        "new_last_modified": verbatim(reading.last_modified),
        "new_body_hash": reading.body_hash,
        "new_item_digests": b"".join(parsed.window),
        "new_identity_rule": str(reading.changes.rule),
    }


def _number(connection: Connection, read: Sequence[tuple[Finished, Reading]]) -> list[_Numbered]:
    """Give new entries their numbers, from the feed's own row: commit order is number order."""
    numbered = []
    for each, reading in read:
        new = reading.changes.new
        if not new:
            continue
        last = connection.execute(
            update(feeds)
            .where(feeds.c.id == each.feed.id)
            .values(last_seq=feeds.c.last_seq + len(new))
            .returning(feeds.c.last_seq)
        ).scalar_one()
        first = last - len(new) + 1
        numbered += [
            _Numbered(each.feed.id, first + place, each.at, entry)
            for place, entry in enumerate(new)
        ]
    return numbered


def _places(
    numbered: Sequence[_Numbered], read: Sequence[tuple[Finished, Reading]]
) -> list[tuple[int, int]]:
    """Feed and number of what is new or edited."""
    places = [(each.feed_id, each.seq) for each in numbered]
    places += [
        (each.feed.id, one.seq) for each, reading in read for one in reading.changes.changed
    ]
    return places


def _write_entries(connection: Connection, numbered: Sequence[_Numbered]) -> None:
    if not numbered:
        return
    connection.execute(insert(entries), [_entry_row(each) for each in numbered])
    large = [
        {
            "feed_id": each.feed_id,
            "seq": each.seq,
            "content": storable(each.entry.item.content or ""),
        }
        for each in numbered
        if _is_large(each.entry.item)
    ]
    if large:
        connection.execute(insert(entry_bodies), large)


def _entry_row(each: _Numbered) -> dict[str, Any]:
    item = each.entry.item
    return {
        "feed_id": each.feed_id,
        "seq": each.seq,
        "sort_at": traits.sort_key(item, each.at),
        "published_at": item.published,
        "first_seen_at": each.at,
        "is_news": each.entry.is_news,
        "not_news_why": storable(each.entry.why, 128),
        "public_id": storable(traits.public_id(item), 1024),
        **_text_columns(item, each.entry.content_hash),
    }


def _text_columns(item: Item, content_hash: bytes) -> dict[str, Any]:
    """The columns that an edit changes as well."""
    large = _is_large(item)
    return {
        "updated_at": item.updated,
        "title": storable(item.title, 1024),
        "author": storable(item.author, 256),
        "link": storable(item.link, 2048),
        "summary": None if item.summary is None else storable(item.summary),
        "content": None if large or item.content is None else storable(item.content),
        "has_large_body": large,
        "image_url": storable(item.image_url, 2048),
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


def _write_changed(connection: Connection, read: Sequence[tuple[Finished, Reading]]) -> None:
    """Edits in place: the number, first sight and publication date of an entry never change."""
    for each, reading in read:
        for changed in reading.changes.changed:
            _write_edit(connection, each.feed.id, changed)


def _write_edit(connection: Connection, feed_id: int, changed: ChangedEntry) -> None:
    here = (entries.c.feed_id == feed_id, entries.c.seq == changed.seq)
    edited = connection.execute(
        update(entries)
        .where(*here)
        .values(
            revision=entries.c.revision + 1,
            **_text_columns(changed.item, changed.content_hash),
        )
    )
    if edited.rowcount == 0:
        return  # trimmed since we looked
    body = (entry_bodies.c.feed_id == feed_id, entry_bodies.c.seq == changed.seq)
    connection.execute(delete(entry_bodies).where(*body))
    if _is_large(changed.item):
        connection.execute(
            insert(entry_bodies).values(
                feed_id=feed_id,
                seq=changed.seq,
                content=storable(changed.item.content or ""),
            )
        )


_SEEN_AGAIN = (
    update(entries)
    .where(entries.c.feed_id == bindparam("feed"), entries.c.seq == bindparam("number"))
    .values(digest=bindparam("raw"))
)


def _write_seen_again(connection: Connection, read: Sequence[tuple[Finished, Reading]]) -> None:
    """Entries whose raw form changed without a change that readers see."""
    rows = [
        {"feed": each.feed.id, "number": again.seq, "raw": again.digest}
        for each, reading in read
        for again in reading.changes.seen_again
        if again.seq is not None
    ]
    if rows:
        connection.execute(_SEEN_AGAIN, rows)


def _write_keys(
    connection: Connection,
    numbered: Sequence[_Numbered],
    read: Sequence[tuple[Finished, Reading]],
) -> None:
    """Every name of every entry; a name that stands already keeps its entry, a tombstone's
    goes.
    """
    rows: list[dict[str, Any]] = [
        {"feed_id": each.feed_id, "key": key, "seq": each.seq}
        for each in numbered
        for key in each.entry.keys
    ]
    for each, reading in read:
        again: list[ChangedEntry | SeenAgain] = [*reading.changes.changed]
        again += reading.changes.seen_again
        rows += [
            {"feed_id": each.feed.id, "key": key, "seq": one.seq}
            for one in again
            for key in one.keys
        ]
    if not rows:
        return
    adding = insert_or(connection, entry_keys)
    connection.execute(
        adding.on_conflict_do_update(
            index_elements=["feed_id", "key"],
            set_={"seq": adding.excluded.seq, "gone_at": None},
            where=entry_keys.c.seq.is_(None),
        ),
        rows,
    )


def _write_fetches(connection: Connection, finished: Sequence[Finished]) -> None:
    rows = [
        {
            "feed_id": each.feed.id,
            "at": each.at,
            "outcome": each.outcome,
            "status": each.status,
            "detail": storable(each.error, 500),
            "new_count": len(each.reading.changes.new) if each.reading else 0,
            "changed_count": len(each.reading.changes.changed) if each.reading else 0,
            "body_bytes": each.body_bytes,
            "duration_ms": each.duration_ms,
        }
        for each in finished
    ]
    if rows:
        connection.execute(insert_or(connection, fetches).on_conflict_do_nothing(), rows)
