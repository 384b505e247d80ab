"""Lists of items, single ones, and what is said about them: requests and answers."""

from typing import Annotated

from msgspec import Meta, Struct

from wireroom.api.native.contract.objects import Item, State
from wireroom.api.native.contract.words import Date, FolderId, SortKey


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


# -- labels ---------------------------------------------------------------------------------------


class Label(Struct, frozen=True, kw_only=True):
    """A word of 1 to 64 characters, and how many items carry it."""

    label_id: str
    name: str
    items: int


class Labels(Struct, frozen=True, kw_only=True):
    """By name."""

    labels: list[Label]


class ItemKey(Struct, frozen=True, kw_only=True):
    """Which item is meant."""

    feed_id: str
    sort_key: SortKey


class LabelItems(Struct, frozen=True, kw_only=True):
    """At most 100 items, and the names of labels."""

    items: list[ItemKey]
    add: list[str] = []
    remove: list[str] = []


class RenameLabel(Struct, frozen=True, kw_only=True):
    """A name that no other label has."""

    label_id: str
    name: str


class DeleteLabel(Struct, frozen=True, kw_only=True):
    """Take a label off everything."""

    label_id: str


class OneLabelId(Struct, frozen=True, kw_only=True):
    """Which label it was."""

    label_id: str
