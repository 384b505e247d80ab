"""Devices that are woken, and for whom something arrived since they were."""

import base64
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any

from sqlalchemy import Connection, delete, exists, func, or_, select, true, update

from wireroom.store import accounts
from wireroom.store.dialects import insert_or
from wireroom.store.schema import entries, facts, feeds, push_devices, subscriptions, tokens

#: An account's devices are woken at most so often.
AT_MOST_EVERY = timedelta(minutes=1)
DEVICES_PER_ACCOUNT = 20
_KEY = "vapid"


@dataclass(frozen=True, slots=True)
class Device:
    """`endpoint` is still sealed."""

    id: int
    endpoint: bytes
    failures: int


# -- the key --------------------------------------------------------------------------------------


def key(connection: Connection) -> bytes | None:
    """The sealed key pair, once there is one."""
    kept = connection.execute(select(facts.c.value).where(facts.c.key == _KEY)).scalar()
    return None if kept is None else base64.b64decode(kept)


def keep_key(connection: Connection, sealed: bytes, *, now: datetime) -> bytes:
    """Keep a new pair; of two that are made at once, both get the first."""
    row = {"key": _KEY, "value": base64.b64encode(sealed).decode(), "updated_at": now}
    connection.execute(insert_or(connection, facts).values(row).on_conflict_do_nothing())
    kept = key(connection)
    assert kept is not None
    return kept


# -- devices --------------------------------------------------------------------------------------


def add(
    connection: Connection,
    account_id: int,
    token_id: int,
    *,
    endpoint: bytes,
    digest: bytes,
    now: datetime,
) -> bool:
    """A device of this session, in place of what was known under its endpoint; oldest ones go.

    False, and nothing is changed, while it is another account's whose session lasts.
    """
    accounts.hold(connection, account_id)  # a device that registers twice at once is one
    known = push_devices.c.endpoint_hash == digest
    ended = select(tokens.c.id).where(tokens.c.expires_at <= now)
    may_go = or_(push_devices.c.account_id == account_id, push_devices.c.token_id.in_(ended))
    connection.execute(delete(push_devices).where(known, may_go))
    added = connection.execute(
        insert_or(connection, push_devices)
        .values(
            account_id=account_id,
            token_id=token_id,
            endpoint=endpoint,
            endpoint_hash=digest,
            created_at=now,
        )
        .on_conflict_do_nothing(index_elements=["endpoint_hash"])
        .returning(push_devices.c.id)
    ).first()
    if added is None:
        return False
    mine = push_devices.c.account_id == account_id
    kept = (
        select(push_devices.c.id)
        .where(mine)
        .order_by(push_devices.c.id.desc())
        .limit(DEVICES_PER_ACCOUNT)
    )
    newest = connection.execute(kept).scalars().all()
    connection.execute(delete(push_devices).where(mine, push_devices.c.id.not_in(newest)))
    return True


def remove(connection: Connection, account_id: int, digest: bytes) -> bool:
    """False when the account has no such device."""
    gone = connection.execute(
        delete(push_devices).where(
            push_devices.c.endpoint_hash == digest, push_devices.c.account_id == account_id
        )
    )
    return gone.rowcount == 1


def forget(connection: Connection, device_id: int) -> None:
    """Its service says that nobody is there any more."""
    connection.execute(delete(push_devices).where(push_devices.c.id == device_id))


def note(
    connection: Connection, device_id: int, *, failed: bool, retry_at: datetime | None = None
) -> None:
    """What a push came to."""
    failures = push_devices.c.failures + 1 if failed else 0
    connection.execute(
        update(push_devices)
        .where(push_devices.c.id == device_id)
        .values(failures=failures, retry_at=retry_at)
    )


# -- news -----------------------------------------------------------------------------------------


def moved_on(connection: Connection) -> Sequence[Any]:
    """Subscriptions that wake devices and whose feed has more than was looked at."""
    rows = connection.execute(
        select(
            subscriptions.c.id,
            subscriptions.c.account_id,
            subscriptions.c.feed_id,
            subscriptions.c.notified_seq,
            subscriptions.c.settings,
            feeds.c.last_seq,
        )
        .join(feeds, feeds.c.id == subscriptions.c.feed_id)
        .where(subscriptions.c.account_id.in_(select(push_devices.c.account_id)))
        .where(
            or_(
                subscriptions.c.notified_seq.is_(None),
                subscriptions.c.notified_seq < feeds.c.last_seq,
            )
        )
    )
    return [row for row in rows if (row.settings or {}).get("notifications_enabled") is True]


def take_news(connection: Connection, *, now: datetime) -> list[Device]:
    """The devices to wake now; what they are woken for counts as looked at from here on.

    Accounts that were woken within the last minute wait for the next call.
    """
    rows = moved_on(connection)
    resting = _resting(connection, {row.account_id for row in rows}, now)
    woken = set()
    for row in rows:
        if row.account_id not in resting and _take(connection, row):
            woken.add(row.account_id)
    if not woken:
        return []
    may = or_(push_devices.c.retry_at.is_(None), push_devices.c.retry_at <= now)
    connection.execute(
        update(push_devices).where(push_devices.c.account_id.in_(woken)).values(pushed_at=now)
    )
    found = connection.execute(
        select(push_devices.c.id, push_devices.c.endpoint, push_devices.c.failures).where(
            push_devices.c.account_id.in_(woken), may
        )
    )
    return [Device(*each) for each in found]


def _resting(connection: Connection, accounts: set[int], now: datetime) -> set[int]:
    last = func.max(push_devices.c.pushed_at)
    rows = connection.execute(
        select(push_devices.c.account_id)
        .where(push_devices.c.account_id.in_(accounts))
        .group_by(push_devices.c.account_id)
        .having(last > now - AT_MOST_EVERY)
    )
    return set(rows.scalars())


def _take(connection: Connection, row: Any) -> bool:
    """Whether this subscription has news that nobody else has taken."""
    seen = subscriptions.c.notified_seq
    mine = connection.execute(
        update(subscriptions)
        .where(subscriptions.c.id == row.id)
        .where(seen.is_(None) if row.notified_seq is None else seen == row.notified_seq)
        .values(notified_seq=row.last_seq)
    )
    if mine.rowcount != 1 or row.notified_seq is None:
        return False  # looked at for the first time: nothing of it is new
    is_new = exists().where(
        entries.c.feed_id == row.feed_id,
        entries.c.seq > row.notified_seq,
        entries.c.seq <= row.last_seq,
        entries.c.is_news == true(),
    )
    return bool(connection.execute(select(is_new)).scalar())
