"""Who is asking, and what they say: bearer tokens, and bodies read by the types of the contract.

Cookies are never looked at here, so there is nothing that another site could make a browser send.
"""

from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from datetime import datetime
from functools import cache
from typing import Any, Protocol

import msgspec
from litestar import Request, Response
from litestar.datastructures import State

from wireroom import accounts
from wireroom.api.native import problems
from wireroom.errors import NotAllowed, UserError
from wireroom.pictures.addresses import Addresses
from wireroom.store.bell import Bell
from wireroom.store.engine import Database

#: On a route: anybody may see it.
OPEN = {"open": True}


class Subscribed(Protocol):
    """What following a feed came to; `subscribing.Subscribed` is one."""

    @property
    def subscription_id(self) -> int: ...

    @property
    def existing(self) -> bool: ...


class Unsubscribed(Protocol):
    """What ceasing to came to; `subscribing.Unsubscribed` is one."""

    @property
    def feed_id(self) -> int: ...

    @property
    def purged(self) -> bool: ...


Subscribe = Callable[[int, str, int | None], Awaitable[Subscribed]]
Unsubscribe = Callable[[int, int], Awaitable[Unsubscribed]]


@dataclass(frozen=True, slots=True)
class Tools:
    """All that the endpoints need."""

    database: Database
    #: Account, typed address, folder.
    subscribe: Subscribe
    #: Account, subscription.
    unsubscribe: Unsubscribe
    bell: Bell
    now: Callable[[], datetime]
    #: Where pictures are loaded from for those who like it; None: from their publishers.
    pictures: Addresses | None = None


class ApiRequest(Request[Any, Any, State]):
    """A request whose body is decoded once, strictly, into the type its endpoint asks for."""

    async def json(self) -> Any:
        kind = self.route_handler.parsed_fn_signature.parameters["data"].annotation
        try:
            return _decoder(kind).decode(await self.body())
        except msgspec.ValidationError as error:
            raise problems.of_body(str(error)) from error
        except (msgspec.DecodeError, UnicodeDecodeError, RecursionError) as error:
            raise UserError("The body is not JSON.", code="invalid_json") from error

    @property
    def tools(self) -> Tools:
        tools: Tools = self.app.state.tools
        return tools

    @property
    def account_id(self) -> int:
        account_id: int = self.scope["state"]["account_id"]
        return account_id


@cache
def _decoder(kind: Any) -> msgspec.json.Decoder[Any]:
    return msgspec.json.Decoder(kind)


async def knock(request: Request[Any, Any, Any]) -> Response[Any] | None:
    """Runs before every endpoint: lets a token's account in, or answers instead."""
    if request.route_handler.opt.get("open"):
        return None
    scheme, _, secret = request.headers.get("authorization", "").partition(" ")
    token = None
    if scheme.lower() == "bearer" and secret:
        tools: Tools = request.app.state.tools
        token = await accounts.token_behind(tools.database, secret.strip(), tools.now())
    if token is None:
        response = problems.answer(
            "Send a token of yours: Authorization: Bearer wr_…", "not_authenticated"
        )
        response.headers["WWW-Authenticate"] = 'Bearer realm="wireroom"'
        return response
    if token.scopes == accounts.READ_ONLY and request.method != "GET":
        raise NotAllowed("This token may only read.")
    request.scope["state"]["account_id"] = token.account_id
    return None
