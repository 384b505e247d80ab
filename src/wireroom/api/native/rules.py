"""Rules of an account and of a subscription: filters, and what is done with what they find."""

from litestar import get, put
from litestar.params import FromQuery, JSONBody

from wireroom import routing
from wireroom.api.native import contract
from wireroom.api.native.door import ApiRequest
from wireroom.api.native.problems import documented
from wireroom.api.native.subscriptions import subscription_id_of
from wireroom.errors import UserError
from wireroom.routing import Place

_TAG = ["Rules"]


@get(
    "/rss_get_rules",
    operation_id="rss_get_rules",
    tags=_TAG,
    summary="The rules of the account, or of a subscription",
    description="Those of a subscription come before the account's.",
    responses=documented("invalid_request", "unknown_subscription"),
)
async def get_rules(request: ApiRequest, subscription_id: FromQuery[str] = "") -> contract.Rules:
    place = _place(request, subscription_id)
    wishes = await routing.get_wishes(request.tools.database, request.account_id, place)
    lines = str(wishes.get("rules", "")).splitlines()
    return contract.Rules(subscription_id=subscription_id, rules=lines)


@put(
    "/rss_set_rules",
    operation_id="rss_set_rules",
    tags=_TAG,
    summary="Set the rules of the account, or of a subscription",
    description="These and no others; none at all takes them back. Rules are carried out when an "
    "item is delivered somewhere.",
    responses=documented(
        "invalid_rule", "invalid_filter", "invalid_subscription_id", "unknown_subscription",
        "unknown_destination", body=True,
    ),
)  # fmt: skip
async def set_rules(request: ApiRequest, data: JSONBody[contract.SetRules]) -> contract.Rules:
    tools, lines = request.tools, [_line(each) for each in data.rules]
    place = _place(request, data.subscription_id)
    await routing.set_wish(
        tools.database,
        request.account_id,
        place,
        "rules",
        "\n".join(lines) if lines else None,
        now=tools.now(),
    )
    return contract.Rules(subscription_id=data.subscription_id or "", rules=lines)


def _place(request: ApiRequest, subscription_id: str | None) -> Place:
    if subscription_id:
        return Place("subscription", subscription_id_of(subscription_id))
    return Place("account", request.account_id)


def _line(typed: str) -> str:
    line = typed.strip()
    if len(line.splitlines()) != 1:
        raise UserError("A rule is one line.", code="invalid_rule")
    if "\0" in line:
        raise UserError("A rule cannot hold the character U+0000.", code="invalid_rule")
    return line


ROUTES = (get_rules, set_rules)
