"""What a bot was told: kept until it is dealt with, each thing once; and which process asks.

A claim on asking is a fact of the installation, so that several machines agree; its `updated_at`
is the moment at which it runs out.
"""

from collections.abc import Mapping, Sequence
from datetime import datetime, timedelta
from typing import Any

from sqlalchemy import Connection, delete, func, insert, select, update

from wireroom.store import owners
from wireroom.store.dialects import insert_or
from wireroom.store.schema import facts, telegram_updates


def keep(
    connection: Connection, bot_id: int, bodies: Mapping[int, Mapping[str, Any]]
) -> list[int]:
    """Keep updates by their ids; gives those that were not met before, in order."""
    known = set(
        connection.execute(
            select(telegram_updates.c.update_id).where(
                telegram_updates.c.bot_id == bot_id,
                telegram_updates.c.update_id.in_(list(bodies)),
            )
        ).scalars()
    )
    new = sorted(set(bodies) - known)
    if new:
        rows = [{"bot_id": bot_id, "update_id": each, "body": bodies[each]} for each in new]
        connection.execute(insert(telegram_updates), rows)
    return new


def finish(
    connection: Connection, bot_id: int, update_ids: Sequence[int], *, now: datetime
) -> None:
    """These are dealt with."""
    connection.execute(
        update(telegram_updates)
        .where(telegram_updates.c.bot_id == bot_id, telegram_updates.c.update_id.in_(update_ids))
        .values(body=None, done_at=now)
    )


def unfinished(connection: Connection, bot_id: int) -> dict[int, dict[str, Any]]:
    """What was kept and not dealt with, as when we were killed over it."""
    rows = connection.execute(
        select(telegram_updates.c.update_id, telegram_updates.c.body)
        .where(telegram_updates.c.bot_id == bot_id, telegram_updates.c.done_at.is_(None))
        .order_by(telegram_updates.c.update_id)
    )
    return {row.update_id: row.body or {} for row in rows}


def newest(connection: Connection, bot_id: int) -> int:
    """The highest id that was kept; 0 when there is none, and Telegram may number as it likes."""
    found = connection.execute(
        select(func.max(telegram_updates.c.update_id)).where(telegram_updates.c.bot_id == bot_id)
    ).scalar()
    return found or 0


def forget_finished(connection: Connection, bot_id: int, before: datetime) -> int:
    """Throw away the marks of what was dealt with before then; Telegram repeats for a day."""
    return connection.execute(
        delete(telegram_updates).where(
            telegram_updates.c.bot_id == bot_id, telegram_updates.c.done_at < before
        )
    ).rowcount


# -- who asks -------------------------------------------------------------------------------------


def claim(
    connection: Connection, bot_id: int, owner: str, *, now: datetime, lasting: timedelta
) -> bool:
    """Whether the bot's updates are ours to ask for until `now + lasting`.

    Who holds the claim prolongs it by claiming again. That of a process of this machine that was
    killed ends at once.
    """
    key, until = _claim(bot_id), now + lasting
    insert_it = insert_or(connection, facts).values(key=key, value=owner, updated_at=until)
    if connection.execute(insert_it.on_conflict_do_nothing()).rowcount == 1:
        return True
    row = connection.execute(
        select(facts.c.value, facts.c.updated_at).where(facts.c.key == key).with_for_update()
    ).first()
    is_free = row is None or row.updated_at <= now or row.value == owner
    if row is not None and not is_free and not owners.is_dead(str(row.value)):
        return False
    connection.execute(
        update(facts).where(facts.c.key == key).values(value=owner, updated_at=until)
    )
    return True


def release(connection: Connection, bot_id: int, owner: str) -> None:
    """Let another process ask at once."""
    key = _claim(bot_id)
    held_by = connection.execute(select(facts.c.value).where(facts.c.key == key)).scalar()
    if held_by == owner:
        connection.execute(delete(facts).where(facts.c.key == key))


def _claim(bot_id: int) -> str:
    return f"telegram {bot_id} asked by"
