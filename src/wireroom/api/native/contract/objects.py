"""What accounts have and feeds bring: the nouns of the contract."""

from typing import Annotated, Literal

from msgspec import Meta, Struct

from wireroom.api.native.contract.words import (
    Date,
    Filter,
    FolderId,
    FullContent,
    OpenMode,
    OrderingMode,
    RemoteContent,
    SortKey,
    Styling,
)


class FeedSummary(Struct, frozen=True, kw_only=True):
    """A feed that everybody who follows it shares, and how it is doing."""

    feed_id: str
    canonical_url: str
    feed_type: Annotated[str, Meta(description='rss, atom or json; "" until it was first read.')]
    title: str
    description: str
    site_url: str
    item_count: Annotated[int, Meta(description="How many items it has brought so far.")]
    last_fetched_at: Date
    last_attempt_at: Date
    last_status_code: Annotated[int, Meta(description="Of the last answer; 0 without one.")]
    last_error: str
    consecutive_failure_count: int
    cadence_minutes: Annotated[int, Meta(description="From the last attempt to the next one.")]
    next_fetch_at: Date
    dead_lettered: Annotated[bool, Meta(description="It is not asked any more by itself.")]


class Subscription(Struct, frozen=True, kw_only=True):
    """A feed that the account follows, with what it likes about it."""

    subscription_id: str
    feed_id: str
    folder_id: FolderId
    custom_title: Annotated[str, Meta(description='"" shows the title of the feed.')]
    ordering_mode: OrderingMode
    default_open_mode: OpenMode
    default_styling: Styling
    default_remote_content: RemoteContent
    default_filter: Filter
    notifications_enabled: bool
    full_content: FullContent
    credentials_scheme: Annotated[str, Meta(description='"" for a feed that is open to all.')]
    tags: Annotated[list[str], Meta(description="In order.")]
    read_watermark: Annotated[
        str, Meta(description="A date: items published up to it are read unless marked by hand.")
    ]
    data_store_uuid: Annotated[str, Meta(description="Never changes; for a client's own cache.")]
    created_at: Date
    feed: FeedSummary


class Folder(Struct, frozen=True, kw_only=True):
    """Holds subscriptions and folders."""

    folder_id: str
    parent_folder_id: FolderId
    name: str
    display_order: int
    default_filter: Filter
    ordering_mode: OrderingMode


class Item(Struct, frozen=True, kw_only=True):
    """An entry of a feed, with what the account said about it."""

    feed_id: str
    subscription_id: str
    item_id: str
    sort_key: SortKey
    guid: str
    title: str
    author: str
    url: str
    published_at: Annotated[
        str,
        Meta(
            description="A date: the publisher's, but never later than when we met the item, and "
            "that moment where there is none. Watermarks and lists go by it."
        ),
    ]
    updated_at: Date
    fetched_at: Annotated[str, Meta(description="A date: when we met the item.")]
    fetched_key: Annotated[
        str, Meta(description="The item's place in item sync; it never moves. A valid `since`.")
    ]
    summary_html: Annotated[str, Meta(description="Sanitised HTML.")]
    content_html: Annotated[str, Meta(description="Sanitised HTML, in full.")]
    content_source: Annotated[
        Literal["feed", "page"],
        Meta(description="Whose text content_html is: see `full_content`."),
    ]
    is_read: bool
    is_read_explicit: Annotated[
        bool, Meta(description="Marked by hand; the watermark has no say in it.")
    ]
    is_favorite: bool
    labels: Annotated[
        list[str], Meta(description="Words that the account or a rule of it put on it, in order.")
    ]


class State(Struct, frozen=True, kw_only=True):
    """What the account said about an item, and its labels."""

    feed_id: str
    sort_key: SortKey
    item_id: str
    is_read: bool
    is_read_explicit: bool
    is_favorite: bool
    labels: Annotated[list[str], Meta(description="As in the item: all that it carries now.")]
    updated_at: Date
    updated_key: Annotated[
        str,
        Meta(
            description="`UPDATED_AT#ITEM_ID`: the place of what was last said in state sync; "
            "it grows with every change, also of labels."
        ),
    ]


class Watermark(Struct, frozen=True, kw_only=True):
    """A subscription whose items up to a date are read."""

    subscription_id: str
    feed_id: str
    read_watermark: Date


class Resync(Struct, frozen=True, kw_only=True):
    """There is news, and no more is said."""


class Problem(Struct, frozen=True, kw_only=True, rename={"error": "Error"}):
    """Why a request was not carried out: a sentence for people, and a word for programs."""

    error: Annotated[str, Meta(examples=["There is no such folder."])]
    code: Annotated[str, Meta(examples=["unknown_folder"])]
