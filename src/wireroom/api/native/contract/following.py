"""Following feeds, and where subscriptions lie: requests and answers."""

from typing import Annotated

from msgspec import UNSET, Meta, Struct, UnsetType

from wireroom.api.native.contract.objects import Folder, Subscription
from wireroom.api.native.contract.words import (
    DisplayOrder,
    Filter,
    FolderId,
    FullContent,
    OpenMode,
    OrderingMode,
    RemoteContent,
    Styling,
)


class Subscribe(Struct, frozen=True, kw_only=True):
    """Follow a feed, or the feed that a web page advertises."""

    url: Annotated[str, Meta(examples=["https://example.org/feed.xml"])]
    folder_id: FolderId | None = None


class Subscribed(Struct, frozen=True, kw_only=True):
    """`existing` when the account followed the feed before."""

    subscription: Subscription
    existing: bool


class Unsubscribe(Struct, frozen=True, kw_only=True):
    """Stop following a feed; all that was said about its items goes."""

    subscription_id: str


class Unsubscribed(Struct, frozen=True, kw_only=True):
    """`feed_purged` when nobody else followed the feed: its items are gone."""

    subscription_id: str
    feed_id: str
    feed_purged: bool


class UpdateSubscription(Struct, frozen=True, kw_only=True):
    """At least one setting; those that are absent stay as they are."""

    subscription_id: str
    folder_id: FolderId | UnsetType = UNSET
    custom_title: (
        Annotated[str, Meta(description='Cut at 256 characters; "" clears it.')] | UnsetType
    ) = UNSET
    ordering_mode: OrderingMode | UnsetType = UNSET
    default_open_mode: OpenMode | UnsetType = UNSET
    default_styling: Styling | UnsetType = UNSET
    default_remote_content: RemoteContent | UnsetType = UNSET
    default_filter: Filter | UnsetType = UNSET
    notifications_enabled: bool | UnsetType = UNSET
    full_content: FullContent | UnsetType = UNSET


class Updated(Struct, frozen=True, kw_only=True):
    """The subscription as it is now."""

    subscription: Subscription


class Subscriptions(Struct, frozen=True, kw_only=True):
    """Everything that the account follows; folders by parent, display_order and name."""

    folders: list[Folder]
    subscriptions: list[Subscription]


# -- folders --------------------------------------------------------------------------------------


class NewFolder(Struct, frozen=True, kw_only=True):
    """A name of 1 to 256 characters."""

    name: Annotated[str, Meta(examples=["News"])]
    parent_folder_id: FolderId | None = None
    display_order: DisplayOrder | None = None


class UpdateFolder(Struct, frozen=True, kw_only=True):
    """At least one field; those that are absent stay as they are."""

    folder_id: str
    name: str | UnsetType = UNSET
    parent_folder_id: FolderId | UnsetType = UNSET
    display_order: DisplayOrder | UnsetType = UNSET
    default_filter: Filter | UnsetType = UNSET
    ordering_mode: OrderingMode | UnsetType = UNSET


class OneFolder(Struct, frozen=True, kw_only=True):
    """The folder as it is now."""

    folder: Folder


class DeleteFolder(Struct, frozen=True, kw_only=True):
    """What the folder holds goes to its parent."""

    folder_id: str


class DeletedFolder(Struct, frozen=True, kw_only=True):
    """How much went to the parent."""

    folder_id: str
    moved_subscriptions: int
    moved_folders: int
    parent_folder_id: FolderId


# -- tags -----------------------------------------------------------------------------------------


class SetTags(Struct, frozen=True, kw_only=True):
    """At most 20 tags of 1 to 64 characters."""

    subscription_id: str
    tags: list[str]


class Tags(Struct, frozen=True, kw_only=True):
    """The tags as they are kept."""

    subscription_id: str
    tags: list[str]
