"""Tags on subscriptions, beside folders."""

from litestar import put
from litestar.params import JSONBody

from wireroom import tagging
from wireroom.api.native import contract
from wireroom.api.native.door import ApiRequest
from wireroom.api.native.problems import documented
from wireroom.api.native.subscriptions import subscription_id_of


@put(
    "/rss_set_tags",
    operation_id="rss_set_tags",
    tags=["Subscriptions"],
    summary="Tag a subscription",
    description="These tags and no others; they come back in order, each once.",
    responses=documented(
        "missing_subscription", "invalid_subscription_id", "unknown_subscription",
        "invalid_tags", body=True,
    ),
)  # fmt: skip
async def set_tags(request: ApiRequest, data: JSONBody[contract.SetTags]) -> contract.Tags:
    kept = await tagging.set_tags(
        request.tools.database,
        request.account_id,
        subscription_id_of(data.subscription_id),
        data.tags,
    )
    return contract.Tags(subscription_id=data.subscription_id, tags=kept)


ROUTES = (set_tags,)
