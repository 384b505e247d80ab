"""One time for all processes that share a database, whatever their machines' clocks say."""

from datetime import UTC, datetime, timedelta

import pytest

from wireroom.store import clock
from wireroom.store.clock import ServerClock
from wireroom.store.engine import Database

#: A machine without a battery begins its life here.
LONG_AGO = datetime(1970, 1, 1, tzinfo=UTC)
_NEAR = timedelta(seconds=30)


@pytest.mark.postgresql
async def test_a_wrong_machine_goes_by_the_servers_clock(postgresql_database: Database) -> None:
    """A machine that is decades off claims and prolongs leases by the same time as the others."""
    async with clock.of(postgresql_database, lambda: LONG_AGO) as now:
        told = now()

    assert abs(told - datetime.now(UTC)) < _NEAR


@pytest.mark.postgresql
async def test_between_two_looks_the_time_goes_on(postgresql_database: Database) -> None:
    """What nobody can set carries it: a machine whose clock is set meanwhile notices nothing."""
    machine, steady = [LONG_AGO], [100.0]
    shared = ServerClock(postgresql_database, lambda: machine[0], lambda: steady[0])
    before_the_first_look = shared()
    await shared.read()
    read = shared()
    machine[0] += timedelta(hours=5)
    steady[0] += 90

    assert LONG_AGO == before_the_first_look
    assert timedelta(seconds=90) == shared() - read


@pytest.mark.postgresql
async def test_a_slow_answer_does_not_set_the_clock(postgresql_database: Database) -> None:
    """Of an answer that was long on its way one cannot tell when it was given."""
    moments = [0.0, 0.0, 0.0]
    shared = ServerClock(postgresql_database, lambda: LONG_AGO, lambda: moments.pop(0))
    await shared.read()  # asked, answered, and once to say what it now is
    moments += [5.0]
    before = shared()
    moments += [5.0, 15.0, 5.0]
    await shared.read()

    assert before == shared()


async def test_on_one_machine_the_machines_clock_counts(sqlite_database: Database) -> None:
    """All processes on one SQLite file share it anyway."""
    async with clock.of(sqlite_database, lambda: LONG_AGO) as now:
        assert LONG_AGO == now()
