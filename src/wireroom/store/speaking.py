"""Which process speaks with a bot's token: one of all, since the limits are the token's.

The lease runs out by itself, and at once when its holder is known to be dead.
"""

from collections.abc import Sequence
from datetime import datetime, timedelta
from typing import Final

from sqlalchemy import Connection, delete, select, update

from wireroom.store import owners
from wireroom.store.dialects import insert_or
from wireroom.store.schema import facts

#: How long nobody else may send after the holder was last heard of.
LEASE: Final = timedelta(seconds=30)
_KEY: Final = "sends "


def held(
    connection: Connection, channels: Sequence[str], *, owner: str, now: datetime
) -> list[str]:
    """Those of these channels that this process may send through, taken or prolonged."""
    return [each for each in channels if _hold(connection, each, owner, now)]


def _hold(connection: Connection, channel: str, owner: str, now: datetime) -> bool:
    key = _KEY + channel
    row = connection.execute(
        select(facts.c.value, facts.c.updated_at).where(facts.c.key == key).with_for_update()
    ).first()
    runs_out = now + LEASE
    if row is None:
        made = insert_or(connection, facts).values(
            key=key, value={"owner": owner}, updated_at=runs_out
        )
        ours = made.on_conflict_do_nothing().returning(facts.c.key)
        return connection.execute(ours).first() is not None
    holder = str((row.value or {}).get("owner", ""))
    if holder == owner and row.updated_at - now > LEASE / 2:
        return True  # fresh enough: nothing is written
    if holder != owner and row.updated_at > now and not owners.is_dead(holder):
        return False
    connection.execute(
        update(facts).where(facts.c.key == key).values(value={"owner": owner}, updated_at=runs_out)
    )
    return True


def holder(connection: Connection, channel: str, *, now: datetime) -> str:
    """Who may send through a channel now; "" for nobody."""
    row = connection.execute(
        select(facts.c.value, facts.c.updated_at).where(facts.c.key == _KEY + channel)
    ).first()
    if row is None or row.updated_at <= now:
        return ""
    return str((row.value or {}).get("owner", ""))


def let_go(connection: Connection, channels: Sequence[str], *, owner: str) -> None:
    """Give back what this process held, so that another one goes on at once."""
    for channel in channels:
        key = facts.c.key == _KEY + channel
        holder = connection.execute(select(facts.c.value).where(key)).scalar()
        if (holder or {}).get("owner") == owner:
            connection.execute(delete(facts).where(key))
