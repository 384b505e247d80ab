"""Use cases of leaving: all of one's own to take along, and nothing left behind."""

import io
import zipfile
from datetime import datetime
from typing import Any

import msgspec
from sqlalchemy import Connection

from wireroom import lists
from wireroom.errors import Conflict
from wireroom.store import leaving as store
from wireroom.store.engine import Database

_README = """\
Everything that this Wireroom knew of the account when it was asked.

account.json        table by table; passwords, keys and tokens are kept only as hashes or sealed,
                    and are not in here
subscriptions.opml  what is followed, for any other reader
said.jsonl          read, unread and favourite marks, one a line; favourites with their text
"""


async def take_along(database: Database, account_id: int, now: datetime) -> bytes:
    """A zip of everything that belongs to an account."""
    listed = await lists.give_out(database, account_id, now)

    def read(connection: Connection) -> bytes:
        packed = io.BytesIO()
        with zipfile.ZipFile(packed, "w", zipfile.ZIP_DEFLATED) as archive:
            archive.writestr("README.txt", _README)
            archive.writestr("subscriptions.opml", listed)
            archive.writestr("account.json", _json(dict(store.belongings(connection, account_id))))
            marks = zipfile.ZipInfo("said.jsonl", now.timetuple()[:6])
            marks.compress_type = zipfile.ZIP_DEFLATED
            with archive.open(marks, "w") as lines:
                for told in store.said(connection, account_id):
                    lines.write(_json(told) + b"\n")
        return packed.getvalue()

    return await database.read(read)


def _json(value: Any) -> bytes:
    return msgspec.json.encode(value)


async def erase(database: Database, account_id: int, now: datetime) -> None:
    """Delete an account and everything that only it had; feeds of others stay.

    Raises Conflict for the only one who runs this installation.
    """
    if await database.read(store.is_last_operator, account_id):
        raise Conflict(
            "You are the only one who runs this Wireroom, so this account stays: remove the "
            "installation instead.",
            code="last_operator",
        )
    while not await database.write(store.remove_account, account_id):
        while await database.write(store.unfollow_some, account_id, now):
            pass
