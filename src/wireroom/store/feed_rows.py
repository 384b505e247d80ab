"""What a poll leaves in the feed's own row and beside it: schedule, validators, facts."""

from collections.abc import Mapping, Sequence
from typing import Any

from sqlalchemy import Connection, update

from wireroom.store import bulk, json_text
from wireroom.store.bulk import milliseconds
from wireroom.store.feed_to_poll import FeedToPoll, hints_as_json
from wireroom.store.finished import Finished, Reading
from wireroom.store.schema import feeds, fetches, hub_leases
from wireroom.store.text import storable, verbatim


def write_schedule(connection: Connection, finished: Sequence[Finished]) -> None:
    """When each feed is asked next and why, and how it is doing."""
    rows = [
        {
            "id": each.feed.id,
            "next_poll_at": each.next_poll_at,
            "next_poll_reason": each.next_poll_reason,
            "history": each.history,
            "health": each.health,
            "failure_count": each.failure_count,
            "failing_since": each.failing_since,
            "last_error": each.error,
            "last_status": each.status,
            "last_attempt_at": each.at,
            "last_success_at": each.at if each.succeeded else each.feed.last_success_at,
            "disabled_at": None
            if each.disabled_reason is None
            else each.feed.disabled_at or each.at,  # a probe does not switch it off once more
            "disabled_reason": each.disabled_reason or "",
        }
        for each in finished
    ]
    bulk.update(connection, feeds, rows)


def write_quiet(connection: Connection, finished: Sequence[Finished]) -> None:
    """The same, and the outcome of the poll, of feeds with nothing else to tell
    (`Finished.is_quiet`). They are most, so that each costs one row for the driver in each of two
    statements."""
    if not finished:
        return
    histories = json_text.dumps_all([each.history for each in finished])
    healths = json_text.dumps_all([each.health for each in finished])
    schedules: list[tuple[Any, ...]] = []
    outcomes: list[tuple[Any, ...]] = []
    for each, history, health in zip(finished, histories, healths, strict=True):
        at, next_at = milliseconds(each.at), milliseconds(each.next_poll_at)
        reason = storable(each.next_poll_reason, _REASON_LENGTH)
        feed_id = each.feed.id
        schedules.append((next_at, reason, history, health, each.status, at, at, feed_id))
        outcomes.append((feed_id, at, each.status, each.body_bytes, each.duration_ms))
    bulk.execute(connection, _QUIET, schedules)
    bulk.execute(connection, _QUIET_FETCH, outcomes)


_REASON_LENGTH = 256

_QUIET = """
UPDATE feeds SET next_poll_at = ?, next_poll_reason = ?, history = ?, health = ?, last_status = ?,
  last_attempt_at = ?, last_success_at = ?, failure_count = 0, failing_since = NULL,
  last_error = '', disabled_at = NULL, disabled_reason = ''
WHERE id = ?
"""

_QUIET_FETCH = """
INSERT INTO fetches (feed_id, at, outcome, status, body_bytes, duration_ms)
VALUES (?, ?, 'unchanged', ?, ?, ?) ON CONFLICT DO NOTHING
"""


def write_validators(connection: Connection, finished: Sequence[Finished]) -> None:
    """What a poll without a reading says of the validators."""
    rows = [
        {
            "id": each.feed.id,
            "etag": verbatim(each.validators[0]),
            "last_modified": verbatim(each.validators[1]),
        }
        for each in finished
        if each.validators is not None
        and each.validators != (each.feed.etag, each.feed.last_modified)
    ]
    bulk.update(connection, feeds, rows)


def score_hubs(connection: Connection, read: Sequence[tuple[Finished, Reading]]) -> None:
    """A hub that let a poll find news first has missed it; a push makes good for that (B29)."""
    for each, reading in read:
        if reading.is_push:
            score = {"missed": 0, "forged": 0, "pushed_at": each.at}
        elif each.feed.pushed_until is not None and reading.changes.news:
            score = {"missed": hub_leases.c.missed + 1}
        else:
            continue
        connection.execute(
            update(hub_leases).where(hub_leases.c.feed_id == each.feed.id).values(score)
        )


def write_announcements(connection: Connection, finished: Sequence[Finished]) -> None:
    """Where documents say that their feed has moved to."""
    rows = [
        {
            "id": each.feed.id,
            "announced_url": each.announced[0],
            "announced_times": each.announced[1],
        }
        for each in finished
        if each.announced is not None
        and each.announced != (each.feed.announced_url, each.feed.announced_times)
    ]
    bulk.update(connection, feeds, rows)


def write_readings(
    connection: Connection, read: Sequence[tuple[Finished, Reading]], tops: Mapping[int, int]
) -> None:
    """What the documents say of the feeds themselves, what vouches for them, and the number of
    the last entry of each feed, from `tops`."""
    rows = [
        _reading_row(each.feed, reading, tops[each.feed.id])
        for each, reading in read
        if not reading.is_push
    ]
    bulk.update(connection, feeds, rows)
    pushed = {each.feed.id for each, reading in read if reading.is_push}
    numbers = [{"id": feed_id, "last_seq": tops[feed_id]} for feed_id in sorted(pushed)]
    bulk.update(connection, feeds, numbers)


def _reading_row(feed: FeedToPoll, reading: Reading, last_seq: int) -> dict[str, Any]:
    parsed = reading.parsed
    return {
        "id": feed.id,
        "format": parsed.format,
        "title": parsed.title or feed.title,
        "description": parsed.description,
        "site_url": parsed.site_url,
        "icon_url": parsed.icon_url,
        "language": parsed.language,
        "hub_url": reading.hub_url,
        "self_url": reading.topic_url,
        "hints": hints_as_json(parsed.hints),
        "etag": verbatim(reading.etag),
        "last_modified": verbatim(reading.last_modified),
        "body_hash": reading.body_hash,
        "item_digests": b"".join(parsed.window),
        "identity_rule": str(reading.changes.rule),
        "import_marker": "",
        "last_seq": last_seq,
    }


def write_fetches(connection: Connection, finished: Sequence[Finished]) -> None:
    """The outcome of each poll, for people who ask."""
    rows = [
        {
            "feed_id": each.feed.id,
            "at": each.at,
            "outcome": each.outcome,
            "status": each.status,
            "detail": each.error,
            "new_count": len(each.reading.changes.new) if each.reading else 0,
            "changed_count": len(each.reading.changes.changed) if each.reading else 0,
            "body_bytes": each.body_bytes,
            "duration_ms": each.duration_ms,
        }
        for each in finished
    ]
    bulk.insert(connection, fetches, rows, "ON CONFLICT DO NOTHING")
