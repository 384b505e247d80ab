"""Use cases of labels: words that an account, or a rule of it, puts on entries, any number."""

from collections.abc import Mapping, Sequence
from datetime import datetime

from sqlalchemy import Connection

from wireroom.errors import NotFound, UserError
from wireroom.store import labels as store
from wireroom.store import read_states, subscriptions
from wireroom.store.engine import Database
from wireroom.store.labels import Key, Label

#: Entries that one call may write about, as with their states.
MAX_CHANGES = 100
NAME_CHARS = 64
LABELS_PER_ACCOUNT = 500


async def every(database: Database, account_id: int) -> list[Label]:
    """All of an account's, by name."""
    return await database.read(store.every, account_id)


async def names(database: Database, account_id: int) -> Mapping[int, str]:
    """The account's by id, in the order of their names, without looking who carries them."""
    return await database.read(store.names, account_id)


async def name_of(database: Database, account_id: int, label_id: int) -> str:
    """Raises NotFound (unknown_label)."""
    name = (await names(database, account_id)).get(label_id)
    if name is None:
        raise _unknown()
    return name


async def of(database: Database, account_id: int, keys: Sequence[Key]) -> Mapping[Key, list[str]]:
    """The names on entries by (feed, seq)."""
    return await database.read(store.of, account_id, keys)


async def change(
    database: Database,
    account_id: int,
    keys: Sequence[Key],
    *,
    add: Sequence[str] = (),
    remove: Sequence[str] = (),
    now: datetime,
) -> int:
    """Put labels on entries and take others off; gives how many entries are still there.

    Names that are new make labels. Raises UserError (too_many_items, invalid_label,
    too_many_labels) and NotFound (not_subscribed).
    """
    if len(keys) > MAX_CHANGES:
        raise UserError(f"At most {MAX_CHANGES} entries in one go.", code="too_many_items")
    adding, removing = [_name(each) for each in add], [_name(each) for each in remove]

    def write(connection: Connection) -> int:
        followed = subscriptions.feeds_of(connection, account_id)
        if any(feed_id not in followed for feed_id, _ in keys):
            raise NotFound("You do not follow that feed.", code="not_subscribed")
        known = store.hold(connection, account_id)
        fresh = [name for name in dict.fromkeys(adding) if name not in known]
        if len(known) + len(fresh) > LABELS_PER_ACCOUNT:
            raise UserError(f"{LABELS_PER_ACCOUNT} labels are enough.", code="too_many_labels")
        for name in fresh:
            known[name] = store.add(connection, account_id, name, now=now)
        standing = store.there(connection, keys)
        store.take_off(connection, [known[n] for n in removing if n in known], standing)
        store.put(connection, [known[name] for name in adding], standing)
        read_states.tell(connection, account_id, [(at.feed_id, at.seq) for at in standing], now)
        return len(standing)

    return await database.write(write)


async def rename(
    database: Database, account_id: int, label_id: int, name: str, *, now: datetime
) -> None:
    """Raises UserError (invalid_label), also for a taken name; NotFound (unknown_label)."""
    name = _name(name)

    def write(connection: Connection) -> None:
        if store.hold(connection, account_id).get(name, label_id) != label_id:
            raise UserError(f"There is a label “{name}” already.", code="invalid_label")
        if not store.rename(connection, account_id, label_id, name):
            raise _unknown()
        read_states.tell_labelled(connection, account_id, label_id, now)

    await database.write(write)


async def forget(database: Database, account_id: int, label_id: int, *, now: datetime) -> None:
    """Take a label off everything. Raises NotFound (unknown_label)."""

    def write(connection: Connection) -> bool:
        read_states.tell_labelled(connection, account_id, label_id, now)
        return store.remove(connection, account_id, label_id)

    if not await database.write(write):
        raise _unknown()


def _unknown() -> NotFound:
    return NotFound("There is no such label.", code="unknown_label")


def _name(text: str) -> str:
    name = " ".join(text.split())
    if not 0 < len(name) <= NAME_CHARS or not name.isprintable():
        raise UserError(f"A label has 1 to {NAME_CHARS} characters.", code="invalid_label")
    return name
