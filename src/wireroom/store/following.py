"""What an account follows: its folders, its subscriptions, and how their feeds are doing."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any, Literal

from sqlalchemy import Connection, Row, Select, delete, func, insert, select, update

from wireroom.store import accounts, ruled
from wireroom.store.schema import feed_access, feeds, fetches, folders, subscriptions

#: Failures in a row from which a feed is shown as ailing, and as failing (FAIL-31).
AILING_FAILURES = 3
FAILING_FAILURES = 20

Health = Literal["well", "ailing", "failing"]


@dataclass(frozen=True, slots=True)
class Folder:
    id: int
    parent_id: int | None
    name: str
    display_order: int
    #: What reader apps keep with it: how it is filtered and ordered.
    settings: Mapping[str, Any] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Followed:
    """A subscription together with the state of its feed."""

    subscription_id: int
    feed_id: int
    folder_id: int | None
    custom_title: str
    feed_title: str
    description: str
    url: str
    site_url: str
    read_watermark: datetime | None
    followed_since: datetime
    next_poll_at: datetime | None
    next_poll_reason: str
    last_attempt_at: datetime | None
    last_success_at: datetime | None
    last_status: int | None
    last_error: str
    failure_count: int
    failing_since: datetime | None
    disabled_at: datetime | None
    disabled_reason: str
    #: The number of the feed's newest entry.
    last_seq: int
    #: What reader apps keep with it: how it is filtered, ordered, opened and shown.
    settings: Mapping[str, Any]
    data_store_uuid: str
    feed_format: str
    #: Entries show the text of the page that they link to.
    full_content: bool
    #: How the feed is opened, in a word; "" for one that is open to all.
    credentials_scheme: str = ""

    @property
    def title(self) -> str:
        return self.custom_title or self.feed_title or self.url

    @property
    def health(self) -> Health:
        """Levels of FAIL-31: three failures in a row, and twenty or a feed that is gone."""
        if self.disabled_at or self.last_status == 410 or self.failure_count >= FAILING_FAILURES:
            return "failing"
        return "ailing" if self.failure_count >= AILING_FAILURES else "well"


@dataclass(frozen=True, slots=True)
class Fetch:
    """One request for a feed and what came of it."""

    at: datetime
    outcome: str
    status: int | None
    detail: str
    new_count: int
    changed_count: int
    body_bytes: int
    duration_ms: int


# -- reading --------------------------------------------------------------------------------------


def list_folders(connection: Connection, account_id: int) -> list[Folder]:
    """All folders, by parent, display order and name (API-22)."""
    rows = connection.execute(
        select(
            folders.c.id,
            folders.c.parent_id,
            folders.c.name,
            folders.c.display_order,
            folders.c.settings,
        )
        .where(folders.c.account_id == account_id)
        .order_by(
            func.coalesce(folders.c.parent_id, 0),
            folders.c.display_order,
            func.lower(folders.c.name),
            folders.c.id,
        )
    )
    return [Folder(*row) for row in rows]


def list_followed(connection: Connection, account_id: int) -> list[Followed]:
    """All subscriptions of an account, by title."""
    listed = [_of(row) for row in connection.execute(_query(account_id))]
    return sorted(listed, key=lambda followed: (followed.title.casefold(), followed.feed_id))


def find_followed(
    connection: Connection, account_id: int, subscription_id: int
) -> Followed | None:
    query = _query(account_id).where(subscriptions.c.id == subscription_id)
    row = connection.execute(query).first()
    return None if row is None else _of(row)


def list_fetches(connection: Connection, feed_id: int, limit: int) -> list[Fetch]:
    """The last requests for a feed, newest first."""
    rows = connection.execute(
        select(
            fetches.c.at,
            fetches.c.outcome,
            fetches.c.status,
            fetches.c.detail,
            fetches.c.new_count,
            fetches.c.changed_count,
            fetches.c.body_bytes,
            fetches.c.duration_ms,
        )
        .where(fetches.c.feed_id == feed_id)
        .order_by(fetches.c.at.desc())
        .limit(limit)
    )
    return [Fetch(*row) for row in rows]


_scheme = select(feed_access.c.scheme).where(feed_access.c.feed_id == feeds.c.id).scalar_subquery()


def _query(account_id: int) -> Select[Any]:
    return (
        select(
            subscriptions.c.id.label("subscription_id"),
            subscriptions.c.feed_id,
            subscriptions.c.folder_id,
            subscriptions.c.custom_title,
            feeds.c.title.label("feed_title"),
            feeds.c.description,
            feeds.c.url,
            feeds.c.site_url,
            subscriptions.c.read_watermark,
            subscriptions.c.created_at.label("followed_since"),
            feeds.c.next_poll_at,
            feeds.c.next_poll_reason,
            feeds.c.last_attempt_at,
            feeds.c.last_success_at,
            feeds.c.last_status,
            feeds.c.last_error,
            feeds.c.failure_count,
            feeds.c.failing_since,
            feeds.c.disabled_at,
            feeds.c.disabled_reason,
            feeds.c.last_seq,
            subscriptions.c.settings,
            subscriptions.c.data_store_uuid,
            feeds.c.format.label("feed_format"),
            subscriptions.c.full_content,
            func.coalesce(_scheme, ""),
        )
        .join(feeds, feeds.c.id == subscriptions.c.feed_id)
        .where(subscriptions.c.account_id == account_id)
    )


def _of(row: Row[Any]) -> Followed:
    return Followed(*tuple(row))


# -- writing --------------------------------------------------------------------------------------


def hold_folders(connection: Connection, account_id: int) -> set[int]:
    """An account's folders; none comes, goes or moves until the commit but by our own hand.

    Whoever also locks feeds holds the folders first.
    """
    accounts.hold(connection, account_id)
    return set(connection.scalars(select(folders.c.id).where(folders.c.account_id == account_id)))


def subscription_settings(
    connection: Connection, account_id: int, subscription_id: int
) -> dict[str, Any] | None:
    """The settings, held against other writers until the commit; None: no such subscription."""
    row = connection.execute(
        select(subscriptions.c.settings)
        .where(subscriptions.c.id == subscription_id, subscriptions.c.account_id == account_id)
        .with_for_update()
    ).first()
    return None if row is None else dict(row.settings or {})


def change_subscription(
    connection: Connection, account_id: int, subscription_id: int, values: dict[str, Any]
) -> bool:
    """Set `custom_title`, `folder_id` or `settings`; False when there is no such subscription."""
    own = (subscriptions.c.id == subscription_id, subscriptions.c.account_id == account_id)
    changed = connection.execute(update(subscriptions).where(*own).values(**values)).rowcount
    if changed and "settings" in values:
        ruled.settle(connection, subscriptions.c.id == subscription_id)
    return bool(changed)


def add_folder(
    connection: Connection, account_id: int, name: str, parent_id: int | None, display_order: int
) -> Folder:
    folder_id = connection.execute(
        insert(folders)
        .values(account_id=account_id, name=name, parent_id=parent_id, display_order=display_order)
        .returning(folders.c.id)
    ).scalar_one()
    return Folder(folder_id, parent_id, name, display_order)


def change_folder(
    connection: Connection, account_id: int, folder_id: int, values: dict[str, Any]
) -> bool:
    """Set `name`, `parent_id`, `display_order` or `settings`; False: there is no such folder."""
    return bool(
        connection.execute(
            update(folders)
            .where(folders.c.id == folder_id, folders.c.account_id == account_id)
            .values(**values)
        ).rowcount
    )


def remove_folder(connection: Connection, account_id: int, folder: Folder) -> tuple[int, int]:
    """Delete a folder; what it held goes to its parent. Gives moved subscriptions and folders."""
    moved_subscriptions = connection.execute(
        update(subscriptions)
        .where(subscriptions.c.account_id == account_id, subscriptions.c.folder_id == folder.id)
        .values(folder_id=folder.parent_id)
    ).rowcount
    moved_folders = connection.execute(
        update(folders)
        .where(folders.c.account_id == account_id, folders.c.parent_id == folder.id)
        .values(parent_id=folder.parent_id)
    ).rowcount
    connection.execute(
        delete(folders).where(folders.c.id == folder.id, folders.c.account_id == account_id)
    )
    return moved_subscriptions, moved_folders
