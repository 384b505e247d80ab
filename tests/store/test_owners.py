"""A start takes over from processes of this machine that died, and from nobody else."""

import os
import subprocess
import sys
from collections.abc import Iterator

import pytest
from sqlalchemy import Connection

from tests.rows import NOON, at
from tests.store.polled import make_feed
from wireroom.store import claims, owners
from wireroom.store.engine import Database


@pytest.fixture
def connection(database: Database) -> Iterator[Connection]:
    """A transaction on each engine, rolled back at the end."""
    with database.writing() as connection:
        yield connection


@pytest.fixture(scope="module")
def dead_pid() -> int:
    """The number of a process that has ended."""
    ended = subprocess.Popen([sys.executable, "-c", ""])
    ended.wait()
    return ended.pid


def named(pid: int) -> str:
    """The name of a process of this machine."""
    machine, _, rest = owners.new_owner().partition("-")
    return f"{machine}-{pid}-{rest.rpartition('-')[2]}"


def test_names_differ_and_fit(dead_pid: int) -> None:
    """Two runs with one process number have two names, and both fit into the column."""
    assert owners.new_owner() != owners.new_owner()
    assert len(owners.new_owner()) <= 64
    assert owners.is_dead(named(dead_pid))


@pytest.mark.parametrize(
    "owner",
    ["", "me", "me-1", "elsewhere-1-abc", "a-b-c-d", f"ffffffffffff-{2**22 + 1}-00000000"],
)
def test_names_of_others_are_never_dead(owner: str) -> None:
    """Another machine's processes, and names that no Wireroom gave, are left alone."""
    assert not owners.is_dead(owner)


def test_a_living_process_keeps_its_lease(connection: Connection) -> None:
    """Our parent lives; its lane stays leased."""
    make_feed(connection)
    claims.claim_lanes(connection, owner=named(os.getppid()), now=NOON, limit=1)

    assert [] == owners.free_leases_of_the_dead(connection, at(1))
    assert [] == claims.claim_lanes(connection, owner="me", now=at(1), limit=1)


def test_a_dead_process_gives_its_lease_back(connection: Connection, dead_pid: int) -> None:
    """Killed and started again: no three minutes are lost."""
    make_feed(connection)
    claims.claim_lanes(connection, owner=named(dead_pid), now=NOON, limit=1)

    freed = owners.free_leases_of_the_dead(connection, at(1))
    assert 1 == len(freed)
    assert 1 == len(claims.claim_lanes(connection, owner="me", now=at(1), limit=1))


def test_a_silence_outlives_who_was_told_of_it(connection: Connection, dead_pid: int) -> None:
    """The process died after the host asked for an hour: the hour is kept (promise 5)."""
    make_feed(connection)
    (lease,) = claims.claim_lanes(connection, owner=named(dead_pid), now=NOON, limit=1)
    claims.pause_lane(connection, lease.lane, until=at(60))
    owners.free_leases_of_the_dead(connection, at(1))

    assert [] == claims.claim_lanes(connection, owner="me", now=at(59), limit=1)
    assert 1 == len(claims.claim_lanes(connection, owner="me", now=at(60), limit=1))
