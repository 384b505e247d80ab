"""Who holds a lease: names of processes, and how a start frees what a dead process of ours held.

A lease runs out by itself. But whoever restarts a killed Wireroom on the same machine should not
wait for that, so a start looks whether the processes that its leases name are still alive.
"""

import os
import secrets
import socket
from datetime import datetime
from hashlib import blake2b
from pathlib import Path

from sqlalchemy import Connection, case, literal, select, update

from wireroom.store.schema import Instant, destinations, lanes

_BOOT = Path("/proc/sys/kernel/random/boot_id")
_NAMESPACE = Path("/proc/self/ns/pid")


def new_owner() -> str:
    """A name for this process that no other has had, on this machine or another."""
    return f"{_machine()}-{os.getpid()}-{secrets.token_hex(4)}"


def free_leases_of_the_dead(connection: Connection, now: datetime) -> list[str]:
    """Give back what processes held that ended on this machine without doing so.

    Gives their names. Leases of other machines, and of processes that we cannot tell to be dead,
    stay until they run out.
    """
    dead = []
    due = literal(now, Instant)
    pause_over = case((lanes.c.paused_until > due, lanes.c.paused_until), else_=due)
    for table, ready_at in ((lanes, pause_over), (destinations, due)):
        owners = connection.execute(
            select(table.c.lease_owner).where(table.c.lease_owner.is_not(None)).distinct()
        ).scalars()
        for owner in [each for each in owners if is_dead(each)]:
            connection.execute(
                update(table)
                .where(table.c.lease_owner == owner)
                # What was due then is due now: a lease was held only for work that was due.
                .values(lease_owner=None, ready_at=ready_at)
            )
            dead.append(owner)
    return sorted(set(dead))


def is_dead(owner: str) -> bool:
    """Whether this name belongs to a process of this machine that has ended for certain."""
    machine, _, rest = owner.partition("-")
    pid = rest.partition("-")[0]
    if machine != _machine() or not pid.isdecimal():
        return False
    if int(pid) == os.getpid():
        return True  # it is asked at a start, before we hold anything under our own new name
    try:
        os.kill(int(pid), 0)
    except ProcessLookupError:
        return True
    except OSError:
        return False
    return False


def _machine() -> str:
    """This machine since its boot; a container with processes of its own counts as one."""
    signs = [socket.gethostname()]
    for sign in (_BOOT, _NAMESPACE):
        try:
            signs.append(str(sign.readlink()) if sign is _NAMESPACE else sign.read_text())
        except OSError:
            continue
    return blake2b("\0".join(signs).encode(), digest_size=6).hexdigest()
