"""Devices of apps that are woken when something arrives, by Web Push without any content."""

from litestar import get, post
from litestar.params import JSONBody

from wireroom.api.native import contract
from wireroom.api.native.door import ApiRequest
from wireroom.api.native.problems import documented
from wireroom.errors import NotFound
from wireroom.waking.devices import Waking

_TAG = ["Push"]


@get(
    "/rss_push_key",
    operation_id="rss_push_key",
    tags=_TAG,
    summary="The key that devices subscribe with at their push service",
    responses=documented("no_push"),
)
async def push_key(request: ApiRequest) -> contract.PushKey:
    return contract.PushKey(key=await _waking(request).public_key())


@post(
    "/rss_push_register",
    status_code=200,
    operation_id="rss_push_register",
    tags=_TAG,
    summary="Wake a device when something arrives",
    description="For subscriptions with `notifications_enabled`, at most once a minute, and "
    "without a word about what it was. It ends with the token that registered it. A device that "
    "is woken for another account stays with it.",
    responses=documented("invalid_endpoint", "endpoint_taken", "no_push", body=True),
)
async def push_register(
    request: ApiRequest, data: JSONBody[contract.PushDevice]
) -> contract.PushRegistered:
    waking = _waking(request)
    if request.token_id is None:
        raise NotFound("Devices are registered with a token made here.", code="no_push")
    await waking.register(request.account_id, request.token_id, data.endpoint)
    return contract.PushRegistered(registered=True)


@post(
    "/rss_push_unregister",
    status_code=200,
    operation_id="rss_push_unregister",
    tags=_TAG,
    summary="Let a device sleep",
    description="One that is not known is answered the same.",
    responses=documented("invalid_endpoint", "no_push", body=True),
)
async def push_unregister(
    request: ApiRequest, data: JSONBody[contract.PushDevice]
) -> contract.PushRegistered:
    await _waking(request).unregister(request.account_id, data.endpoint)
    return contract.PushRegistered(registered=False)


def _waking(request: ApiRequest) -> Waking:
    waking = request.tools.waking
    if waking is None:
        raise NotFound("This Wireroom wakes nobody.", code="no_push")
    return waking


ROUTES = (push_key, push_register, push_unregister)
