"""Use cases around what an account follows: the shelf with its folders, and a feed's own page."""

import unicodedata
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any

from sqlalchemy import Connection

from wireroom.errors import NotFound, UserError
from wireroom.feeds import plaintext
from wireroom.store import articles, hubs, reading, subscriptions, tags
from wireroom.store import following as store
from wireroom.store.engine import Database
from wireroom.store.following import Fetch, Folder, Followed
from wireroom.store.hubs import Hub

#: Longer names and titles are cut for subscriptions (API-21) and refused for folders.
NAME_CHARS = 256
FETCHES_SHOWN = 20
FOLDERS_PER_ACCOUNT = 1000


@dataclass(frozen=True, slots=True)
class Shelf:
    """All that an account follows. `unread` is by feed and leaves out feeds that have none."""

    folders: list[Folder]
    followed: list[Followed]
    unread: dict[int, int]

    @property
    def total_unread(self) -> int:
        return sum(self.unread.values())

    def inside(self, folder_id: int) -> set[int]:
        """A folder's id and those of the folders in it."""
        found = {folder_id}
        while more := {f.id for f in self.folders if f.parent_id in found} - found:
            found |= more
        return found

    def folder(self, folder_id: int) -> Folder:
        """Raises NotFound."""
        for folder in self.folders:
            if folder.id == folder_id:
                return folder
        raise _unknown_folder()

    def subscription(self, subscription_id: int) -> Followed:
        """Raises NotFound."""
        for followed in self.followed:
            if followed.subscription_id == subscription_id:
                return followed
        raise _unknown_subscription()


def _unknown_folder() -> NotFound:
    return NotFound("There is no such folder.", code="unknown_folder")


def _unknown_subscription() -> NotFound:
    return NotFound("There is no such subscription.", code="unknown_subscription")


async def shelf(database: Database, account_id: int) -> Shelf:
    """Folders, subscriptions and unread counts, from one moment."""

    def read(connection: Connection) -> Shelf:
        return Shelf(
            store.list_folders(connection, account_id),
            store.list_followed(connection, account_id),
            reading.unread_counts(connection, account_id),
        )

    return await database.read(read)


@dataclass(frozen=True, slots=True)
class Arrangement:
    """Folders by parent, display order and name, subscriptions by title, and their tags (API-22).

    `tags` is by subscription and leaves out those that carry none.
    """

    folders: list[Folder]
    followed: list[Followed]
    tags: dict[int, list[str]]


async def arrangement(database: Database, account_id: int) -> Arrangement:
    """All that an account follows and how it is ordered, from one moment."""

    def read(connection: Connection) -> Arrangement:
        return Arrangement(
            store.list_folders(connection, account_id),
            store.list_followed(connection, account_id),
            tags.by_subscription(connection, account_id),
        )

    return await database.read(read)


async def subscription_numbers(database: Database, account_id: int) -> dict[int, int]:
    """The account's subscriptions by feed."""
    return await database.read(subscriptions.numbers, account_id)


async def subscription(database: Database, account_id: int, subscription_id: int) -> Followed:
    """Raises NotFound."""
    followed = await database.read(store.find_followed, account_id, subscription_id)
    if followed is None:
        raise _unknown_subscription()
    return followed


async def feed_page(
    database: Database, account_id: int, subscription_id: int
) -> tuple[Followed, list[Fetch]]:
    """A subscription and the last requests for its feed, newest first. Raises NotFound."""

    def read(connection: Connection) -> tuple[Followed, list[Fetch]]:
        followed = store.find_followed(connection, account_id, subscription_id)
        if followed is None:
            raise _unknown_subscription()
        return followed, store.list_fetches(connection, followed.feed_id, FETCHES_SHOWN)

    return await database.read(read)


async def hub(database: Database, feed_id: int) -> Hub | None:
    """How it stands with the hub of a feed that the caller follows; None: it has none."""
    return await database.read(hubs.standing, feed_id)


async def rename_subscription(
    database: Database, account_id: int, subscription_id: int, title: str
) -> None:
    """Cut at 256 characters; empty gives the feed's own title back (API-21). Raises NotFound."""
    await _change_subscription(
        database, account_id, subscription_id, {"custom_title": _title(title)}
    )


async def move_subscription(
    database: Database, account_id: int, subscription_id: int, folder_id: int | None
) -> None:
    """Into a folder, or None for the top. Raises NotFound for either."""
    await _change_subscription(database, account_id, subscription_id, {"folder_id": folder_id})


async def _change_subscription(
    database: Database, account_id: int, subscription_id: int, values: dict[str, Any]
) -> None:
    def write(connection: Connection) -> None:
        _require_folder(connection, account_id, values.get("folder_id"))
        if not store.change_subscription(connection, account_id, subscription_id, values):
            raise _unknown_subscription()

    await database.write(write)


#: In a change: to the top, where None means "leave it where it is".
TOP = 0


@dataclass(frozen=True, slots=True)
class SubscriptionChange:
    """What to change about a subscription; None leaves it as it is. `settings` are merged."""

    folder_id: int | None = None
    title: str | None = None
    settings: Mapping[str, Any] = field(default_factory=dict)
    #: Whether entries show the text of the page that they link to.
    full_content: bool | None = None


async def change_subscription(
    database: Database,
    account_id: int,
    subscription_id: int,
    change: SubscriptionChange,
    now: datetime,
) -> Followed:
    """All of a change or nothing (API-19). Raises NotFound, and UserError (invalid_title)."""
    values: dict[str, Any] = {}
    if change.title is not None:
        values["custom_title"] = _title(change.title)
    if change.folder_id is not None:
        values["folder_id"] = change.folder_id or None
    if change.full_content is not None:
        values["full_content"] = change.full_content

    def write(connection: Connection) -> Followed:
        _require_folder(connection, account_id, values.get("folder_id"))
        settings = store.subscription_settings(connection, account_id, subscription_id)
        if settings is None:
            raise _unknown_subscription()
        values["settings"] = {**settings, **change.settings}
        store.change_subscription(connection, account_id, subscription_id, values)
        followed = store.find_followed(connection, account_id, subscription_id)
        assert followed is not None
        if change.full_content:
            articles.want_newest(connection, followed.feed_id, now=now)
        return followed

    return await database.write(write)


async def add_folder(
    database: Database,
    account_id: int,
    name: str,
    *,
    parent_id: int | None = None,
    display_order: int = 0,
) -> Folder:
    """Raises UserError (invalid_name) and NotFound (unknown_folder)."""
    name = _folder_name(name)

    def write(connection: Connection) -> Folder:
        store.hold_folders(connection, account_id)
        present = store.list_folders(connection, account_id)
        if len(present) >= FOLDERS_PER_ACCOUNT:
            raise UserError(f"{FOLDERS_PER_ACCOUNT} folders are enough.", code="too_many_folders")
        if parent_id is not None:
            _folder(connection, account_id, parent_id)
        _check_name_is_free(present, name, parent_id)
        return store.add_folder(connection, account_id, name, parent_id, display_order)

    return await database.write(write)


async def rename_folder(database: Database, account_id: int, folder_id: int, name: str) -> None:
    """Raises UserError (invalid_name) and NotFound (unknown_folder)."""
    await change_folder(database, account_id, folder_id, FolderChange(name=name))


async def move_folder(
    database: Database, account_id: int, folder_id: int, parent_id: int | None
) -> None:
    """Raises UserError (cyclic_folder, invalid_name) and NotFound (unknown_folder)."""
    await change_folder(database, account_id, folder_id, FolderChange(parent_id=parent_id or TOP))


def _check_move(
    connection: Connection, account_id: int, folder_id: int, parent_id: int | None
) -> None:
    """Raises NotFound for an unknown parent, and UserError (cyclic_folder) for one inside it."""
    parents = {f.id: f.parent_id for f in store.list_folders(connection, account_id)}
    if parent_id is not None and parent_id not in parents:
        raise _unknown_folder()
    above = parent_id
    for _ in range(len(parents) + 1):
        if above is None:
            break
        if above == folder_id:
            raise UserError("A folder cannot lie inside itself.", code="cyclic_folder")
        above = parents[above]


@dataclass(frozen=True, slots=True)
class FolderChange:
    """What to change about a folder; None leaves it as it is. `settings` are merged."""

    parent_id: int | None = None
    name: str | None = None
    display_order: int | None = None
    settings: Mapping[str, Any] = field(default_factory=dict)


async def change_folder(
    database: Database, account_id: int, folder_id: int, change: FolderChange
) -> Folder:
    """All of a change or nothing (API-24).

    Raises NotFound, and UserError (invalid_name, cyclic_folder).
    """
    values: dict[str, Any] = {}
    if change.name is not None:
        values["name"] = _folder_name(change.name)
    if change.display_order is not None:
        values["display_order"] = change.display_order
    if change.parent_id is not None:
        values["parent_id"] = change.parent_id or None

    def write(connection: Connection) -> Folder:
        store.hold_folders(connection, account_id)
        folder = _folder(connection, account_id, folder_id)
        if "parent_id" in values:
            _check_move(connection, account_id, folder_id, values["parent_id"])
        place = values.get("parent_id", folder.parent_id), values.get("name", folder.name)
        if place != (folder.parent_id, folder.name):
            present = store.list_folders(connection, account_id)
            _check_name_is_free(present, place[1], place[0])
        values["settings"] = {**folder.settings, **change.settings}
        store.change_folder(connection, account_id, folder_id, values)
        return _folder(connection, account_id, folder_id)

    return await database.write(write)


async def remove_folder(
    database: Database, account_id: int, folder_id: int
) -> tuple[int, int, int | None]:
    """What it held goes to its parent. Gives moved subscriptions, moved folders, the parent."""

    def write(connection: Connection) -> tuple[int, int, int | None]:
        store.hold_folders(connection, account_id)
        folder = _folder(connection, account_id, folder_id)
        moved_subscriptions, moved_folders = store.remove_folder(connection, account_id, folder)
        return moved_subscriptions, moved_folders, folder.parent_id

    return await database.write(write)


def _folder(connection: Connection, account_id: int, folder_id: int) -> Folder:
    for folder in store.list_folders(connection, account_id):
        if folder.id == folder_id:
            return folder
    raise _unknown_folder()


def _require_folder(connection: Connection, account_id: int, folder_id: int | None) -> None:
    """It stays to the end of the transaction. None is the top. Raises NotFound."""
    if folder_id is not None and folder_id not in store.hold_folders(connection, account_id):
        raise _unknown_folder()


def _title(title: str) -> str:
    title = title.strip()
    if _has_controls(title):
        raise UserError("A title cannot hold control characters.", code="invalid_title")
    return plaintext.line(title)[:NAME_CHARS].strip()


def _folder_name(name: str) -> str:
    name = name.strip()
    if _has_controls(name):
        raise UserError("A name cannot hold control characters.", code="invalid_name")
    name = plaintext.line(name)
    if not name:
        raise UserError("A folder needs a name.", code="invalid_name")
    if len(name) > NAME_CHARS:
        raise UserError(f"A name has at most {NAME_CHARS} characters.", code="invalid_name")
    return name


def _check_name_is_free(present: Sequence[Folder], name: str, parent_id: int | None) -> None:
    """Raises UserError (invalid_name): by hand nobody means two of one name."""
    for folder in present:
        if folder.parent_id == parent_id and folder.name == name:
            raise UserError(
                f"There is a folder “{name}” in this place already.", code="invalid_name"
            )


def _has_controls(text: str) -> bool:
    return any(unicodedata.category(character) == "Cc" for character in text)


__all__ = [
    "TOP",
    "Arrangement",
    "Fetch",
    "Folder",
    "FolderChange",
    "Followed",
    "Hub",
    "Shelf",
    "SubscriptionChange",
    "add_folder",
    "arrangement",
    "change_folder",
    "change_subscription",
    "feed_page",
    "hub",
    "move_folder",
    "move_subscription",
    "remove_folder",
    "rename_folder",
    "rename_subscription",
    "shelf",
    "subscription",
    "subscription_numbers",
]
