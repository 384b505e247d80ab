"""Following feeds, and what an account likes about each of them."""

from typing import Any

import msgspec
from litestar import get, post, put
from litestar.params import JSONBody

from wireroom import following, tagging
from wireroom.api.native import contract, keys, wire
from wireroom.api.native.door import ApiRequest
from wireroom.api.native.problems import documented
from wireroom.errors import UserError
from wireroom.following import TOP, SubscriptionChange

_TAG = ["Subscriptions"]
_SETTINGS = (
    "ordering_mode",
    "default_open_mode",
    "default_styling",
    "default_remote_content",
    "default_filter",
    "notifications_enabled",
)


def subscription_id_of(text: str) -> int:
    """Raises UserError (missing_subscription) and NotFound (unknown_subscription)."""
    if not text:
        raise UserError("subscription_id is missing.", code="missing_subscription")
    return keys.of_thing(text, "subscription")


def folder_id_of(text: str | None) -> int | None:
    """None for the top and for nothing. Raises NotFound (unknown_folder)."""
    return keys.of_thing(text, "folder") if text else None


def given(data: msgspec.Struct, *names: str) -> dict[str, Any]:
    """Those of the fields that the request holds."""
    fields = {name: getattr(data, name) for name in names}
    return {name: value for name, value in fields.items() if value is not msgspec.UNSET}


@post(
    "/rss_subscribe",
    status_code=200,
    operation_id="rss_subscribe",
    tags=_TAG,
    summary="Follow a feed",
    description="A feed that is known here is not asked again. Any other address is asked once: "
    "it may be a feed, or a page that advertises one. Following twice is answered with the first "
    "subscription.",
    responses=documented(
        "invalid_url", "not_https", "unreachable", "not_a_feed", "needs_credentials", "feed_gone",
        "publisher_error", "invalid_folder_id", "unknown_folder", body=True,
    ),
)  # fmt: skip
async def subscribe(
    request: ApiRequest, data: JSONBody[contract.Subscribe]
) -> contract.Subscribed:
    tools, account_id = request.tools, request.account_id
    made = await tools.subscribe(account_id, data.url, folder_id_of(data.folder_id))
    followed = await following.subscription(tools.database, account_id, made.subscription_id)
    tags = await tagging.tags(tools.database, account_id, made.subscription_id)
    shown = wire.subscription(followed, tags.get(made.subscription_id, ()))
    return contract.Subscribed(subscription=shown, existing=made.existing)


@post(
    "/rss_unsubscribe",
    status_code=200,
    operation_id="rss_unsubscribe",
    tags=_TAG,
    summary="Stop following a feed",
    description="Everything said about its items goes, and with its last follower the feed.",
    responses=documented(
        "missing_subscription", "invalid_subscription_id", "unknown_subscription", body=True
    ),
)
async def unsubscribe(
    request: ApiRequest, data: JSONBody[contract.Unsubscribe]
) -> contract.Unsubscribed:
    subscription_id = subscription_id_of(data.subscription_id)
    ended = await request.tools.unsubscribe(request.account_id, subscription_id)
    request.tools.bell.ring()
    return contract.Unsubscribed(
        subscription_id=data.subscription_id, feed_id=str(ended.feed_id), feed_purged=ended.purged
    )


@put(
    "/rss_update_subscription",
    operation_id="rss_update_subscription",
    tags=_TAG,
    summary="Change settings of a subscription",
    responses=documented(
        "missing_subscription", "invalid_subscription_id", "unknown_subscription",
        "unknown_folder", "nothing_to_update", "invalid_title", "invalid_folder_id",
        "invalid_full_content",
        *(f"invalid_{name}" for name in _SETTINGS), body=True,
    ),
)  # fmt: skip
async def update_subscription(
    request: ApiRequest, data: JSONBody[contract.UpdateSubscription]
) -> contract.Updated:
    subscription_id = subscription_id_of(data.subscription_id)
    settings = given(data, *_SETTINGS)
    told = given(data, "folder_id", "custom_title", "full_content")
    if not settings and not told:
        raise UserError("Nothing to update was given.", code="nothing_to_update")
    change = SubscriptionChange(
        folder_id=(folder_id_of(told["folder_id"]) or TOP) if "folder_id" in told else None,
        title=told.get("custom_title"),
        settings=settings,
        full_content=told.get("full_content"),
    )
    tools = request.tools
    followed = await following.change_subscription(
        tools.database, request.account_id, subscription_id, change, tools.now()
    )
    if change.full_content:
        tools.bell.ring()
    tags = await tagging.tags(tools.database, request.account_id, subscription_id)
    return contract.Updated(
        subscription=wire.subscription(followed, tags.get(subscription_id, ()))
    )


@get(
    "/rss_list_subscriptions",
    operation_id="rss_list_subscriptions",
    tags=_TAG,
    summary="Everything that the account follows",
    responses=documented(),
)
async def list_subscriptions(request: ApiRequest) -> contract.Subscriptions:
    found = await following.arrangement(request.tools.database, request.account_id)
    return contract.Subscriptions(
        folders=[wire.folder(each) for each in found.folders],
        subscriptions=[
            wire.subscription(each, found.tags.get(each.subscription_id, ()))
            for each in found.followed
        ],
    )


ROUTES = (subscribe, unsubscribe, update_subscription, list_subscriptions)
