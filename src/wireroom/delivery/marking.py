"""Rules of whoever reads: they mark entries as these come, whether they are sent anywhere or not.

What a subscription, its account and the operator want marked read, favourite or tagged is done
here, once for each entry; the walk of a route does only what its own rules and those of its
destination want. Marks are written in the transaction that moves the cursor, and only if it stands
where it was when the entries were read: two processes, or a kill in between, mark nothing twice.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Final

import structlog
from sqlalchemy import Connection, true

from wireroom.delivery import effects, rules
from wireroom.delivery.compose import subject
from wireroom.delivery.rules import NO_MARKS, Marks
from wireroom.delivery.wishes import Wishes, wishes
from wireroom.errors import StoreError
from wireroom.store import entries, house, ruled
from wireroom.store.bell import Bell
from wireroom.store.engine import Database
from wireroom.store.entries import Entry
from wireroom.store.ruled import Ruled

log = structlog.get_logger(__name__)

#: Subscriptions that are looked for at once, and entries of one that are marked in a transaction.
MOST_SUBSCRIPTIONS: Final = 200
MOST_ENTRIES: Final = 100
#: How late news of another process are marked.
TICK: Final = timedelta(seconds=2)


async def mark_forever(
    database: Database, bell: Bell, now: Callable[[], datetime], *, tick: timedelta = TICK
) -> None:
    """Mark what comes, until cancelled; while the database is away nothing is marked."""
    is_settled = False
    while True:
        heard = bell.rings
        try:
            if not is_settled:
                await database.write(ruled.settle, true())
                is_settled = True
            if await mark_all(database, now):
                bell.ring()  # open pages show it
        except StoreError as error:
            log.warning("rules wait for the database", error=str(error))
        await bell.wait(heard, tick.total_seconds())


async def mark_all(database: Database, now: Callable[[], datetime]) -> int:
    """Ask the rules about all that is before them; gives how many entries were marked."""
    marked, last = 0, 0
    while some := await database.read(
        lambda connection, after: ruled.behind(connection, MOST_SUBSCRIPTIONS, after=after), last
    ):
        for each in some:
            marked += await _go_through(database, each.id, now)
        last = some[-1].id
    return marked


@dataclass(frozen=True, slots=True)
class Judged:
    """The next entries of a subscription: how far they go, and what is to be said of some."""

    of: Ruled
    through: int
    marks: Sequence[tuple[int, Marks]]


async def _go_through(
    database: Database, subscription_id: int, now: Callable[[], datetime]
) -> int:
    """All that is before the rules of one subscription; what fails is left to the next look."""
    marked = 0
    try:
        while (judged := await database.read(judge, subscription_id)) is not None:
            if not await database.write(write_down, judged, now()):
                break
            marked += len(judged.marks)
    except StoreError:
        raise
    except Exception:  # those of others go on
        log.exception("rules not carried out", subscription=subscription_id)
    return marked


def judge(connection: Connection, subscription_id: int) -> Judged | None:
    """Ask the rules about the next entries; None when nothing is before them.

    The feed's last number is read before its entries, so none up to it can be missing.
    """
    of = ruled.find(connection, subscription_id)
    if of is None:
        return None
    of_subscription, of_account = of.wider
    wanted = wishes(({}, of_subscription, {}, of_account, house.settings(connection)))
    page = entries.after(connection, of.feed_id, of.through, MOST_ENTRIES)
    marks = [(each.seq, _marks(each, of, wanted)) for each in page]
    last = page[-1].seq if page else of.last_seq
    through = last if len(page) == MOST_ENTRIES else max(last, of.last_seq)
    return Judged(of, through, [(seq, each) for seq, each in marks if each != NO_MARKS])


def _marks(entry: Entry, of: Ruled, wanted: Wishes) -> Marks:
    """An entry that cannot be judged never blocks the others."""
    if not entry.is_news or not wanted.rules:
        return NO_MARKS
    try:
        return rules.marks(wanted.rules, subject(entry, of, wanted))
    except Exception:
        log.exception("entry not judged", feed=entry.feed_id, seq=entry.seq, subscription=of.id)
        return NO_MARKS


def write_down(connection: Connection, judged: Judged, now: datetime) -> bool:
    """Mark, and move the cursor with it; False, and nothing, when it stands elsewhere by now."""
    of = judged.of
    if not ruled.advance(connection, of, judged.through):
        return False
    effects.mark(connection, of.account_id, of.feed_id, judged.marks, now=now)
    return True
