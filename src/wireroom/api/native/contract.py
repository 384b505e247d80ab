"""The contract, as types: what goes over the wire, in its names and shapes.

The same types decode requests, encode answers and give the OpenAPI document. Fields are only ever
added; every listed field is always present, and absent text, dates and folders are the empty
string. Dates are UTC in one fixed form (`2026-11-30T12:00:00.000Z`), so that text order is time
order.
"""

from typing import Annotated, Literal

from msgspec import UNSET, Meta, Struct, UnsetType

OrderingMode = Literal[
    "newest_first", "oldest_first", "newest_day_oldest_within", "oldest_day_newest_within"
]
OpenMode = Literal["summary", "article"]
Styling = Literal["reader", "native"]
RemoteContent = Literal["inherit", "show", "hide"]
Filter = Literal["all", "unread", "favorite"]
ListOrder = Literal["newest", "oldest"]

Date = Annotated[
    str,
    Meta(
        description='UTC, always in this form; "" when there is none.',
        examples=["2026-11-30T12:00:00.000Z"],
    ),
]
FullContent = Annotated[
    bool,
    Meta(
        description="Items show the text of the page that they link to, where it can be had; it "
        "is fetched once an item, politely, a moment after the item came."
    ),
]
FolderId = Annotated[str, Meta(description='A folder; "" is the top.', examples=["7"])]
SortKey = Annotated[
    str,
    Meta(
        description="An item's place in every list, and with feed_id its key.",
        examples=["2026-11-30T12:00:00.000Z#00000000000c00000000012f"],
    ),
]
#: What a column of the database holds.
DisplayOrder = Annotated[
    int, Meta(ge=-2_147_483_648, le=2_147_483_647, description="Small ones come first.")
]


# -- objects --------------------------------------------------------------------------------------


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


class State(Struct, frozen=True, kw_only=True):
    """What the account said about an item."""

    feed_id: str
    sort_key: SortKey
    item_id: str
    is_read: bool
    is_read_explicit: bool
    is_favorite: bool
    updated_at: Date


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


# -- subscriptions --------------------------------------------------------------------------------


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


# -- items ----------------------------------------------------------------------------------------


class ItemPage(Struct, frozen=True, kw_only=True):
    """A page of a list; `next_cursor` is null at its end."""

    items: list[Item]
    next_cursor: str | None


class ItemNews(Struct, frozen=True, kw_only=True):
    """Items in the order in which we met them; the next call passes `next_since` as `since`."""

    items: list[Item]
    next_since: str
    has_more: bool


class StateNews(Struct, frozen=True, kw_only=True):
    """States; the next call passes `next_state_since` as `state_since`."""

    states: list[State]
    next_state_since: str
    has_more: bool


class OneItem(Struct, frozen=True, kw_only=True):
    """An item in full."""

    item: Item


class ItemState(Struct, frozen=True, kw_only=True):
    """What to say about one item; a flag that is absent stays as it is."""

    feed_id: str
    sort_key: SortKey
    is_read: bool | None = None
    is_favorite: bool | None = None


class SetItemState(Struct, frozen=True, kw_only=True):
    """At most 100 items; all of them are written, or none."""

    items: list[ItemState]


class StatesSet(Struct, frozen=True, kw_only=True):
    """How many items were written about; those that are gone are passed over."""

    updated: int


class MarkAllRead(Struct, frozen=True, kw_only=True):
    """A subscription, or a folder and those in it, or neither for everything."""

    subscription_id: str | None = None
    folder_id: FolderId | None = None
    watermark: Annotated[
        str | None,
        Meta(
            description="When the button was pressed (ISO 8601; without a zone, UTC). A time "
            "ahead of now becomes now; no watermark ever goes back.",
            examples=["2026-11-30T12:00:00Z"],
        ),
    ] = None


class MarkedRead(Struct, frozen=True, kw_only=True):
    """Subscriptions in scope, items that were unread by hand and are not now, and the mark."""

    subscriptions: int
    flipped: int
    read_watermark: Date


# -- tags -----------------------------------------------------------------------------------------


class SetTags(Struct, frozen=True, kw_only=True):
    """At most 20 tags of 1 to 64 characters."""

    subscription_id: str
    tags: list[str]


class Tags(Struct, frozen=True, kw_only=True):
    """The tags as they are kept."""

    subscription_id: str
    tags: list[str]


# -- rules ----------------------------------------------------------------------------------------

RuleLines = Annotated[
    list[str],
    Meta(
        description="A filter, an arrow and an action each; see docs/filters.md. At most 50.",
        examples=[["title:sponsored -> drop", '"security update" -> tag urgent']],
    ),
]


class SetRules(Struct, frozen=True, kw_only=True):
    """These rules and no others; without `subscription_id`, those of the account."""

    rules: RuleLines
    subscription_id: str | None = None


class Rules(Struct, frozen=True, kw_only=True):
    """The rules as they are kept, for a subscription or, with "", for the account."""

    subscription_id: str
    rules: RuleLines


# -- push -----------------------------------------------------------------------------------------


class PushKey(Struct, frozen=True, kw_only=True):
    """What a device subscribes with at its push service (`applicationServerKey`, RFC 8292)."""

    key: str


class PushDevice(Struct, frozen=True, kw_only=True):
    """A device, by the address that its push service gave it (RFC 8030)."""

    endpoint: Annotated[
        str,
        Meta(
            description="https, at most 1024 characters.",
            examples=["https://push.example.net/d/4f9c"],
        ),
    ]


class PushRegistered(Struct, frozen=True, kw_only=True):
    """Whether the device is woken from now on."""

    registered: bool


# -- lists and preferences ------------------------------------------------------------------------


class ImportList(Struct, frozen=True, kw_only=True):
    """An OPML document of at most 2 MB and 1000 feeds; it only ever adds."""

    opml: str
    folder_id: FolderId | None = None


class RefusedFeed(Struct, frozen=True, kw_only=True, rename={"error": "Error"}):
    """A feed of the list that cannot be followed."""

    url: str
    code: str
    error: str


class SkippedOutline(Struct, frozen=True, kw_only=True):
    """An outline that is no feed; `line` counts from 1."""

    line: int
    name: str
    reason: str


class ImportedList(Struct, frozen=True, kw_only=True):
    """What came of the list."""

    created: int
    existing: int
    folders_created: int
    failed: list[RefusedFeed]
    skipped: list[SkippedOutline]


class ExportedList(Struct, frozen=True, kw_only=True):
    """OPML 2.0. Addresses of feeds may hold secrets of their own: keep the file to yourself."""

    opml: str
    filename: str


AppPreferences = Annotated[
    dict[str, str],
    Meta(
        description="Words by name. `filter:feeds:all` (all, unread, favorite), "
        "`order:feeds:all` (the ordering modes), `rss_mark_as_read` (manual, on_open) and "
        "`rss_picture_proxy` (off, on: pictures in items are loaded through this Wireroom) are "
        "checked; others are kept as they are.",
        examples=[{"filter:feeds:all": "unread"}],
    ),
]


class Preferences(Struct, frozen=True, kw_only=True):
    """Preferences that apps share. Setting merges name by name and takes nothing away."""

    app: AppPreferences


# -- search ---------------------------------------------------------------------------------------


class TextPiece(Struct, frozen=True, kw_only=True):
    """A stretch of plain text; `is_hit` when it is what was looked for."""

    text: str
    is_hit: bool


class SearchHit(Struct, frozen=True, kw_only=True):
    """An item that was found, its title, and the part of its text that tells why."""

    item: Item
    title: list[TextPiece]
    snippet: list[TextPiece]


class SearchPage(Struct, frozen=True, kw_only=True):
    """A page of hits; `next_cursor` is null at the end."""

    hits: list[SearchHit]
    next_cursor: str | None


class Search(Struct, frozen=True, kw_only=True):
    """A search that has a name."""

    search_id: str
    name: str
    query: str


class Searches(Struct, frozen=True, kw_only=True):
    """By name."""

    searches: list[Search]


class SaveSearch(Struct, frozen=True, kw_only=True):
    """A name of 1 to 128 characters, and a query that could be searched for."""

    name: Annotated[str, Meta(examples=["Ferries this week"])]
    query: Annotated[str, Meta(examples=["ferry is:unread after:7d"])]


class OneSearch(Struct, frozen=True, kw_only=True):
    """The search as it is kept."""

    search: Search


class DeleteSearch(Struct, frozen=True, kw_only=True):
    """Forget a search."""

    search_id: str


class DeletedSearch(Struct, frozen=True, kw_only=True):
    """Which one was forgotten."""

    search_id: str


# -- health ---------------------------------------------------------------------------------------


class Unread(Struct, frozen=True, kw_only=True):
    """How many items of a subscription are unread."""

    subscription_id: str
    feed_id: str
    unread: int


class UnreadCounts(Struct, frozen=True, kw_only=True):
    """Subscriptions with something unread, and the sum over all."""

    unread: list[Unread]
    total: int


class Fetch(Struct, frozen=True, kw_only=True):
    """One request for a feed; `outcome` is news, unchanged, pushed, failed, throttled, gone or
    postponed."""

    fetched_at: Date
    outcome: str
    status_code: Annotated[int, Meta(description="0 when there was no answer.")]
    detail: str
    new_items: int
    changed_items: int
    body_bytes: int
    duration_ms: int


class WebSub(Struct, frozen=True, kw_only=True):
    """What a hub pushes; `state` is none, asked, active, denied, failed or leaving."""

    state: str
    hub_url: str
    expires_at: Date
    pushed_at: Date
    detail: str


class FetchHistory(Struct, frozen=True, kw_only=True):
    """How a feed is doing, and what its last requests came to, newest first."""

    subscription_id: str
    feed_id: str
    health: Literal["well", "ailing", "failing"]
    next_fetch_at: Date
    next_fetch_reason: str
    fetches: list[Fetch]
    websub: WebSub
