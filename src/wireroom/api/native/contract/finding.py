"""Searching, counting, and how feeds are doing: requests and answers."""

from typing import Annotated, Literal

from msgspec import Meta, Struct

from wireroom.api.native.contract.objects import Item
from wireroom.api.native.contract.words import Date


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
