"""Lists of items, single ones, and what is said about them; and both kinds of sync."""

from collections.abc import Mapping, Sequence
from datetime import UTC, datetime
from typing import Annotated

from litestar import get, post
from litestar.params import FromQuery, JSONBody, QueryParameter

from wireroom import accounts, labelling, reading, syncing
from wireroom.api.native import contract, keys, lists, wire
from wireroom.api.native.contract import Filter, ListOrder
from wireroom.api.native.door import MARKS, ApiRequest, Tools
from wireroom.api.native.problems import documented
from wireroom.api.native.subscriptions import folder_id_of, subscription_id_of
from wireroom.errors import NotFound, UserError
from wireroom.pictures.addresses import Addresses
from wireroom.reading import Body, Entry, Scope, StateChange

_TAG = ["Items"]


@get(
    "/rss_list_items",
    operation_id="rss_list_items",
    tags=_TAG,
    summary="A page of items, or what is new since a cursor",
    description="Three forms. Without `since` and `state_since`: a page of the list, strictly by "
    "sort_key. With `since` (empty at first): items in the order in which they were met, old "
    "dates or not. With `state_since` (empty at first): what was said about items, here or "
    "elsewhere; some of it is told again, which changes nothing.",
    responses=documented(
        "invalid_filter", "invalid_order", "invalid_limit", "invalid_cursor",
        "since_needs_subscription", "state_since_needs_subscription", "unknown_subscription",
        "unknown_folder", "invalid_tag", "invalid_label",
    ),
)  # fmt: skip
async def list_items(
    request: ApiRequest,
    subscription_id: Annotated[str, QueryParameter(description="Only items of this one.")] = "",
    folder_id: Annotated[
        str, QueryParameter(description="Only items of this folder and those inside it.")
    ] = "",
    tag: Annotated[
        str, QueryParameter(description="Only items of subscriptions that carry this tag.")
    ] = "",
    label: Annotated[str, QueryParameter(description="Only items that carry this label.")] = "",
    show: Annotated[Filter, QueryParameter(name="filter")] = "all",
    order: FromQuery[ListOrder] = "newest",
    limit: Annotated[
        int, QueryParameter(description="1 to 100; what lies outside is taken for the nearest.")
    ] = reading.DEFAULT_LIMIT,
    cursor: Annotated[str, QueryParameter(description="`next_cursor` of the page before.")] = "",
    since: Annotated[str | None, QueryParameter(description="`next_since`, or empty.")] = None,
    state_since: Annotated[
        str | None, QueryParameter(description="`next_state_since`, or empty.")
    ] = None,
) -> contract.ItemPage | contract.ItemNews | contract.StateNews:
    tools, account_id = request.tools, request.account_id
    if state_since is not None:
        _require(subscription_id, "state_since")
        which = subscription_id_of(subscription_id)
        return await _states_since(tools, account_id, which, state_since, limit)
    if since is not None:
        _require(subscription_id, "since")
        which = subscription_id_of(subscription_id)
        return await _items_since(request, which, since, limit)
    page, bodies = await reading.list_in_full(
        tools.database,
        account_id,
        scope_of(subscription_id, folder_id, _word("tag", tag)),
        show=show,
        order=order,
        after=keys.page_place(cursor, order) if cursor else None,
        limit=limit,
        label=_word("label", label) or None,
    )
    return contract.ItemPage(
        items=await shown(request, page.entries, bodies),
        next_cursor=None if page.next is None else keys.page_cursor(order, page.next),
    )


def _word(name: str, text: str) -> str:
    """As it came, unless no tag or label could be so and PostgreSQL would not be asked for it."""
    if "\0" in text:
        raise UserError(f"No {name} holds the character U+0000.", code=f"invalid_{name}")
    return text


def _require(subscription_id: str, parameter: str) -> None:
    if not subscription_id:
        raise UserError(
            f"{parameter} goes with a subscription_id.", code=f"{parameter}_needs_subscription"
        )


def scope_of(subscription_id: str | None, folder_id: str | None, tag: str = "") -> Scope:
    """What a list is about. Raises NotFound for ids that were not given out."""
    if subscription_id:
        return Scope(subscription_id=subscription_id_of(subscription_id))
    return Scope(folder_id=folder_id_of(folder_id), tag=tag or None)


async def shown(
    request: ApiRequest, entries: Sequence[Entry], bodies: Mapping[tuple[int, int], Body]
) -> list[contract.Item]:
    """Entries as this account gets them, with its labels and its way to pictures."""
    pictures = await pictures_for(request)
    named = reading.keys_of(entries)
    labels = await labelling.of(request.tools.database, request.account_id, named)
    return [
        wire.item(entry, bodies[key], pictures, labels.get(key, ()))
        for key, entry in zip(named, entries, strict=True)
    ]


async def pictures_for(request: ApiRequest) -> Addresses | None:
    """Where the account's apps load pictures from; None: from their publishers."""
    tools = request.tools
    if tools.pictures is None:
        return None
    liked = await accounts.preferences(tools.database, request.account_id, lists.PART)
    return tools.pictures if liked.get(lists.PICTURES) == "on" else None


async def _items_since(
    request: ApiRequest, subscription_id: int, since: str, limit: int
) -> contract.ItemNews:
    came = await syncing.items_since(
        request.tools.database, request.account_id, subscription_id, keys.since(since), limit
    )
    items = await shown(request, came.entries, came.bodies)
    return contract.ItemNews(
        items=items,
        next_since=items[-1].fetched_key if items else since,
        has_more=came.has_more,
    )


async def _states_since(
    tools: Tools, account_id: int, subscription_id: int, since: str, limit: int
) -> contract.StateNews:
    said = await syncing.states_since(
        tools.database, account_id, subscription_id, keys.state_place(since), tools.now(), limit
    )
    return contract.StateNews(
        states=[
            wire.state(
                said.partition, each, said.labels.get((said.partition.feed_id, each.seq), ())
            )
            for each in said.states
        ],
        next_state_since=keys.state_cursor(said.next),
        has_more=said.has_more,
    )


@get(
    "/rss_get_item",
    operation_id="rss_get_item",
    tags=_TAG,
    summary="One item in full",
    responses=documented("missing_key", "not_subscribed", "unknown_item"),
)
async def get_item(
    request: ApiRequest, feed_id: FromQuery[str] = "", sort_key: FromQuery[str] = ""
) -> contract.OneItem:
    feed, seq = await entry_key(request, feed_id, sort_key)
    entry, body = await reading.entry_in_full(
        request.tools.database, request.account_id, feed, seq
    )
    (item,) = await shown(request, [entry], {(feed, seq): body})
    return contract.OneItem(item=item)


async def entry_key(request: ApiRequest, feed_id: str, sort_key: str) -> tuple[int, int]:
    """(feed, seq) of what is asked for. Raises UserError and NotFound as the contract has them."""
    if not feed_id or not sort_key:
        raise UserError("feed_id and sort_key are both needed.", code="missing_key")
    feed = keys.number(feed_id)
    tools = request.tools
    if feed is None or not await syncing.follows(tools.database, request.account_id, feed):
        raise NotFound("You do not follow that feed.", code="not_subscribed")
    found = keys.entry_of(sort_key)
    if found is None or found[0] != feed:
        raise NotFound("There is no such item.", code="unknown_item")
    return found


@post(
    "/rss_set_item_state",
    status_code=200,
    operation_id="rss_set_item_state",
    opt=MARKS,
    tags=_TAG,
    summary="Mark items read, unread, favourite or not",
    description="All entries are looked at before any is written. An entry without flags is "
    "passed over and not counted.",
    responses=documented(
        "missing_items", "too_many_items", "invalid_item", "not_subscribed", body=True
    ),
)
async def set_item_state(
    request: ApiRequest, data: JSONBody[contract.SetItemState]
) -> contract.StatesSet:
    tools = request.tools
    if len(data.items) > reading.MAX_CHANGES:
        raise UserError(f"At most {reading.MAX_CHANGES} items in one go.", code="too_many_items")
    updated = await syncing.set_states(
        tools.database, request.account_id, [_change(each) for each in data.items], tools.now()
    )
    tools.bell.ring()  # for streams of this account
    return contract.StatesSet(updated=updated)


def _change(said: contract.ItemState) -> StateChange:
    feed, seq = key_of(said.feed_id, said.sort_key)
    return StateChange(feed, seq, said.is_read, said.is_favorite)


def key_of(feed_id: str, sort_key: str) -> tuple[int, int]:
    """(feed, seq). Raises UserError (invalid_item) and NotFound (not_subscribed)."""
    if not feed_id or not sort_key:
        raise UserError("Every item needs feed_id and sort_key.", code="invalid_item")
    feed = keys.number(feed_id)
    if feed is None:
        raise NotFound("You do not follow that feed.", code="not_subscribed")
    found = keys.entry_of(sort_key)
    if found is None or found[0] != feed:
        raise UserError("A sort_key is none of that feed.", code="invalid_item")
    return found


@post(
    "/rss_mark_all_read",
    status_code=200,
    operation_id="rss_mark_all_read",
    opt=MARKS,
    tags=_TAG,
    summary="Everything up to a moment is read",
    description="Items that are published later stay unread, however late this is sent.",
    responses=documented(
        "invalid_watermark", "invalid_subscription_id", "invalid_folder_id",
        "unknown_subscription", "unknown_folder", body=True,
    ),
)  # fmt: skip
async def mark_all_read(
    request: ApiRequest, data: JSONBody[contract.MarkAllRead]
) -> contract.MarkedRead:
    tools = request.tools
    marked, until = await reading.mark_read_until(
        tools.database,
        request.account_id,
        scope_of(data.subscription_id, data.folder_id),
        _moment(data.watermark),
        tools.now(),
    )
    tools.bell.ring()
    return contract.MarkedRead(
        subscriptions=marked.subscriptions,
        flipped=marked.flipped,
        read_watermark=keys.date(until),
    )


def _moment(text: str | None) -> datetime | None:
    """A time as it was typed; without a zone it is UTC (API-39)."""
    if not text:
        return None
    try:
        moment = datetime.fromisoformat(text)
        return moment.replace(tzinfo=UTC) if moment.tzinfo is None else moment.astimezone(UTC)
    except (ValueError, OverflowError) as error:
        raise UserError("The watermark is no ISO 8601 time.", code="invalid_watermark") from error


ROUTES = (list_items, get_item, set_item_state, mark_all_read)
