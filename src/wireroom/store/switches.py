"""Switches of the whole installation that work at once, in every process."""

from datetime import datetime

from sqlalchemy import Connection, delete, insert, select, update
from sqlalchemy.exc import IntegrityError

from wireroom.store import bell
from wireroom.store.prepared import Prepared
from wireroom.store.schema import facts

_PAUSED = "polling paused"


def is_polling_paused(connection: Connection) -> bool:
    """Whether somebody stopped polling for now; everything else goes on (SCH-47)."""
    return bool(_IS_PAUSED.rows(connection))


_IS_PAUSED = Prepared(lambda _: select(facts.c.key).where(facts.c.key == _PAUSED))


def pause_polling(connection: Connection, *, now: datetime) -> None:
    """Let no new request begin until `resume_polling`, over restarts too."""
    if not is_polling_paused(connection):
        connection.execute(insert(facts).values(key=_PAUSED, value=True, updated_at=now))


def resume_polling(connection: Connection) -> None:
    """Poll again; what became due meanwhile is due."""
    connection.execute(delete(facts).where(facts.c.key == _PAUSED))
    bell.announce(connection)


def take_turn(connection: Connection, job: str, *, since: datetime, now: datetime) -> bool:
    """Whether a job that has not run since that moment is ours to run; of many, one gets it."""
    row = connection.execute(
        update(facts).where(facts.c.key == job, facts.c.updated_at < since).values(updated_at=now)
    )
    if row.rowcount:
        return True
    if connection.execute(select(facts.c.key).where(facts.c.key == job)).first():
        return False
    try:
        with connection.begin_nested():
            connection.execute(insert(facts).values(key=job, value=True, updated_at=now))
    except IntegrityError:
        return False  # another process was first, for the first time of all
    return True
