"""How feeds are doing: what is unread, what their last requests came to, and their hubs."""

from litestar import get
from litestar.params import FromQuery

from wireroom import following, reading
from wireroom.api.native import contract, keys, wire
from wireroom.api.native.door import ApiRequest
from wireroom.api.native.problems import documented
from wireroom.api.native.subscriptions import subscription_id_of

_TAG = ["Health"]


@get(
    "/rss_unread_counts",
    operation_id="rss_unread_counts",
    tags=_TAG,
    summary="How much is unread, by subscription",
    description="Subscriptions without anything unread are left out.",
    responses=documented(),
)
async def unread_counts(request: ApiRequest) -> contract.UnreadCounts:
    database, account_id = request.tools.database, request.account_id
    counts = await reading.unread_counts(database, account_id)
    numbers = await following.subscription_numbers(database, account_id)
    listed = [
        contract.Unread(subscription_id=str(numbers[feed_id]), feed_id=str(feed_id), unread=unread)
        for feed_id, unread in counts.items()
        if feed_id in numbers
    ]
    return contract.UnreadCounts(unread=listed, total=sum(each.unread for each in listed))


@get(
    "/rss_fetch_history",
    operation_id="rss_fetch_history",
    tags=_TAG,
    summary="The last requests for a feed, and its hub",
    description="Newest first, at most 20. `health` is ailing from 3 failures in a row, failing "
    "from 20 or when the feed is gone.",
    responses=documented("missing_subscription", "unknown_subscription"),
)
async def fetch_history(
    request: ApiRequest, subscription_id: FromQuery[str] = ""
) -> contract.FetchHistory:
    database, account_id = request.tools.database, request.account_id
    which = subscription_id_of(subscription_id)
    followed, fetches = await following.feed_page(database, account_id, which)
    hub = await following.hub(database, followed.feed_id)
    return contract.FetchHistory(
        subscription_id=subscription_id,
        feed_id=str(followed.feed_id),
        health=followed.health,
        next_fetch_at=keys.date(followed.next_poll_at),
        next_fetch_reason=followed.next_poll_reason,
        fetches=[wire.fetch(each) for each in fetches],
        websub=wire.websub(hub),
    )


ROUTES = (unread_counts, fetch_history)
