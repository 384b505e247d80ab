"""Who is asking, and what they say: bearer tokens, and bodies read by the types of the contract.

Cookies are never looked at here, so there is nothing that another site could make a browser send.
"""

import math
from collections.abc import Awaitable, Callable
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from functools import cache
from typing import Any, Protocol

import msgspec
from litestar import Request, Response
from litestar.datastructures import State

from wireroom import accounts
from wireroom.accounts import vouched
from wireroom.accounts.sign_on import SignOn
from wireroom.api.native import problems
from wireroom.errors import NotAllowed, UserError
from wireroom.pictures.addresses import Addresses
from wireroom.store.bell import Bell
from wireroom.store.engine import Database
from wireroom.throttle import Rate, address_behind, origin_key
from wireroom.waking.devices import Waking
from wireroom.watching import Listeners

#: On a route: anybody may see it.
OPEN = {"open": True}
#: On a route: it only says what is read and what is liked.
MARKS = {"marks": True}


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
class Rates:
    """How often may be called, with one token and from one address."""

    token: Rate = field(default_factory=lambda: Rate(600))
    address: Rate = field(default_factory=lambda: Rate(1200))


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
    #: Whose bearer tokens are taken besides our own.
    sign_on: SignOn | None = None
    rates: Rates = field(default_factory=Rates)
    #: What devices register with; None: nobody is woken.
    waking: Waking | None = None
    #: Open streams of events.
    listeners: Listeners = field(default_factory=Listeners)
    #: Proxies whose X-Forwarded-For is believed.
    trusted_proxies: tuple[str, ...] = ()


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

    @property
    def token_id(self) -> int | None:
        """Of our token; None when another issuer's was brought."""
        token_id: int | None = self.scope["state"]["token_id"]
        return token_id


@cache
def _decoder(kind: Any) -> msgspec.json.Decoder[Any]:
    return msgspec.json.Decoder(kind)


async def knock(request: Request[Any, Any, Any]) -> Response[Any] | None:
    """Runs before every endpoint: lets a token's account in, or answers instead."""
    tools: Tools = request.app.state.tools
    peer = request.client.host if request.client else ""
    address = address_behind(
        peer, request.headers.get("x-forwarded-for", ""), tools.trusted_proxies
    )
    if wait := tools.rates.address.wait(origin_key(address), tools.now()):
        return _too_many(wait)
    if request.route_handler.opt.get("open"):
        return None
    secret = _secret_of(request)
    guest = await _guest(tools, secret) if secret else None
    if guest is None:
        return _unknown(secret)
    if wait := tools.rates.token.wait(guest.key, tools.now()):
        return _too_many(wait)
    if not _covers(guest.scopes, request):
        raise NotAllowed("This token may not do that.")
    request.scope["state"]["account_id"] = guest.account_id
    request.scope["state"]["token_id"] = guest.token_id
    return None


def _secret_of(request: Request[Any, Any, Any]) -> str:
    scheme, _, secret = request.headers.get("authorization", "").partition(" ")
    return secret.strip() if scheme.lower() == "bearer" else ""


def _unknown(secret: str) -> Response[Any]:
    """To whoever brought no token, or none that opens anything (RFC 6750 §3)."""
    sentence = "Send a token of yours: Authorization: Bearer wr_…"
    challenge = 'Bearer realm="wireroom"'
    if secret:
        sentence = "The token is not known, has expired or was revoked; send another one."
        challenge += ', error="invalid_token"'
    response = problems.answer(sentence, "not_authenticated")
    response.headers["WWW-Authenticate"] = challenge
    return response


@dataclass(frozen=True, slots=True)
class _Guest:
    account_id: int
    scopes: str
    #: What calls are counted by.
    key: str
    token_id: int | None = None


async def _guest(tools: Tools, secret: str) -> _Guest | None:
    """Whoever brings a token of ours, or one of the issuer whose word is taken."""
    if tools.sign_on is not None and secret.count(".") == 2:
        return await _sent_by_issuer(tools, tools.sign_on, secret)
    token = await accounts.token_behind(tools.database, secret, tools.now())
    if token is None:
        return None
    return _Guest(token.account_id, token.scopes, f"token {token.id}", token.id)


async def _sent_by_issuer(tools: Tools, issuer: SignOn, secret: str) -> _Guest | None:
    try:
        person = await issuer.bearer(secret, tools.now())
        account_id = await vouched.account_of(tools.database, issuer.issuer, person, tools.now())
    except NotAllowed:
        return None
    return _Guest(account_id, "", f"account {account_id}")


def _covers(scopes: str, request: Request[Any, Any, Any]) -> bool:
    if scopes == "" or request.method == "GET":
        return True
    return scopes == accounts.READ_AND_MARK and bool(request.route_handler.opt.get("marks"))


def _too_many(wait: timedelta) -> Response[Any]:
    response = problems.answer("That is too often; wait a little.", "rate_limited")
    response.headers["Retry-After"] = str(math.ceil(wait.total_seconds()))
    return response
