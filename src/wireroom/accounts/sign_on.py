"""Logging in by somebody else's word: an OpenID Connect issuer, or a reverse proxy.

Any issuer is found by its discovery document (OpenID Connect Discovery 1.0); people log in by the
authorization code flow with PKCE (RFC 7636), and apps may send the issuer's tokens as bearers.
Everything is fetched through the guarded client; documents and keys are kept for a while, and that
there were none to be had is remembered for a moment: an issuer that is down is asked by one of its
people at a time, whoever calls.
"""

import asyncio
import base64
import hashlib
import json
import secrets
from collections import defaultdict
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from typing import Any, Literal, Protocol
from urllib.parse import quote, urlencode

from wireroom.errors import NotAllowed, UserError
from wireroom.feeds import plaintext
from wireroom.fetching.outcome import Failed, Fetched, Outcome
from wireroom.fetching.request import Post, Request, Response

#: Only signatures that nobody can make with what everybody can read.
ALGORITHMS = ("RS256", "RS384", "RS512", "PS256", "PS384", "PS512", "ES256", "ES384", "EdDSA")
KEPT_FOR = timedelta(hours=1)
#: A token signed with a key that we do not know makes us look again, at most this often.
LOOK_AGAIN = timedelta(minutes=1)
#: An issuer that did not answer is not asked again before.
REST = timedelta(seconds=30)
LEEWAY = timedelta(seconds=60)
_NO_JSON = "its answer is not JSON."
#: Longer ones are not looked at.
TOKEN_CHARS = 8192


class Web(Protocol):
    """The guarded client."""

    async def get(self, request: Request) -> Outcome: ...
    async def post(self, post: Post) -> Response | Failed: ...


@dataclass(frozen=True, slots=True)
class Issuer:
    """What the operator says about whose word is taken."""

    url: str
    client_id: str
    client_secret: str = field(default="", repr=False)
    #: What the button says.
    title: str = "single sign-on"
    scopes: str = "openid profile email"
    #: `sub`, or `username` where the issuer names people by that (Amazon Cognito).
    subject: Literal["sub", "username"] = "sub"
    #: Further audiences whose bearer tokens are meant for us.
    audiences: tuple[str, ...] = ()
    #: Whoever the issuer knows gets an account; otherwise only those who have one.
    makes_accounts: bool = True


@dataclass(frozen=True, slots=True)
class Person:
    """Whom the issuer speaks of."""

    subject: str
    name: str
    #: When they showed the issuer who they are; None: it does not say.
    proved_at: datetime | None = None


@dataclass(frozen=True, slots=True)
class Ticket:
    """What is remembered of a login while the browser is at the issuer."""

    state: str
    nonce: str
    verifier: str
    #: Seconds since 1970: who it is has to be shown after that; None: whenever it was.
    asked_at: float | None = None


_NEVER = datetime.min.replace(tzinfo=UTC)
_LATEST_SECONDS = 2**36


@dataclass(slots=True)
class _Kept:
    """A document as it was last had, and what asking for it came to since."""

    #: Held while somebody asks; the others wait for what comes of it.
    asking: asyncio.Lock = field(default_factory=asyncio.Lock)
    document: dict[str, Any] | None = None
    at: datetime = _NEVER
    failed_at: datetime = _NEVER
    why: str = ""


class SignOn:
    """An issuer, with what was fetched of it."""

    def __init__(self, issuer: Issuer, web: Web) -> None:
        self.issuer = issuer
        self._web = web
        self._kept: defaultdict[str, _Kept] = defaultdict(_Kept)

    # -- people -----------------------------------------------------------------------------------

    async def begin(
        self, back_to: str, now: datetime, *, again: bool = False
    ) -> tuple[str, Ticket]:
        """Where to send the browser, and what to remember until it comes back to `back_to`.

        With `again`, the issuer is to ask people who they are even if it knows.
        """
        about = await self._about(now)
        state, nonce, verifier = (secrets.token_urlsafe(32) for _ in range(3))
        ticket = Ticket(state, nonce, verifier, now.timestamp() if again else None)
        challenge = base64.urlsafe_b64encode(hashlib.sha256(ticket.verifier.encode()).digest())
        query = {
            "response_type": "code",
            "client_id": self.issuer.client_id,
            "redirect_uri": back_to,
            "scope": self.issuer.scopes,
            "state": ticket.state,
            "nonce": ticket.nonce,
            "code_challenge": challenge.rstrip(b"=").decode(),
            "code_challenge_method": "S256",
        }
        if again:  # OpenID Connect Core 1.0 §3.1.2.1
            query |= {"prompt": "login", "max_age": "0"}
        endpoint = str(about.get("authorization_endpoint", ""))
        return endpoint + ("&" if "?" in endpoint else "?") + urlencode(query), ticket

    async def finish(
        self, ticket: Ticket, *, state: str, code: str, back_to: str, now: datetime
    ) -> Person:
        """Whom the browser came back as. Raises NotAllowed."""
        if not state or not secrets.compare_digest(state.encode(), ticket.state.encode()):
            raise _not_known("it does not belong to this browser")
        about = await self._about(now)
        claims = await self._claims(await self._redeem(about, ticket, code, back_to), now)
        if claims.get("nonce") != ticket.nonce:
            raise _not_known("its token belongs to another login")
        if self.issuer.client_id not in _audiences(claims):
            raise _not_known("its token is meant for somebody else")
        person = self._person(claims)
        if _is_older(person.proved_at, ticket.asked_at):
            raise _not_known("it did not ask you again who you are")
        return person

    async def _redeem(self, about: dict[str, Any], ticket: Ticket, code: str, back_to: str) -> str:
        form = {
            "grant_type": "authorization_code",
            "code": code,
            "redirect_uri": back_to,
            "code_verifier": ticket.verifier,
        }
        headers = {
            "Content-Type": "application/x-www-form-urlencoded",
            "Accept": "application/json",
        }
        if self.issuer.client_secret:  # RFC 6749 §2.3.1: both are form-encoded first
            pair = f"{quote(self.issuer.client_id, '')}:{quote(self.issuer.client_secret, '')}"
            headers["Authorization"] = f"Basic {base64.b64encode(pair.encode()).decode()}"
        else:
            form["client_id"] = self.issuer.client_id
        body = urlencode(form).encode()
        answer = await self._web.post(Post(str(about.get("token_endpoint", "")), body, headers))
        if isinstance(answer, Failed):
            raise _unavailable(answer.reason)
        if answer.status != 200:
            raise _not_known(f"it refused the code ({answer.status})")
        try:
            token = _json_object(answer.body).get("id_token")
        except ValueError as error:
            raise _unavailable(_NO_JSON) from error
        if not isinstance(token, str):
            raise _not_known("it sent no ID token")
        return token

    # -- apps -------------------------------------------------------------------------------------

    async def bearer(self, token: str, now: datetime) -> Person:
        """Whose token this is. Raises NotAllowed for one that is not meant for us or not valid."""
        claims = await self._claims(token, now)
        meant_for = {self.issuer.client_id, *self.issuer.audiences}
        # Cognito's access tokens have no audience but name the client.
        named = _audiences(claims) or {str(claims.get("client_id", ""))}
        if not meant_for & named:
            raise _not_known("the token is meant for somebody else")
        return self._person(claims)

    # -- tokens -----------------------------------------------------------------------------------

    async def _claims(self, token: str, now: datetime) -> dict[str, Any]:
        """What a token says, once its signature, issuer and times are right."""
        from joserfc import jwt
        from joserfc.errors import JoseError
        from joserfc.jwk import KeySet

        if len(token) > TOKEN_CHARS:
            raise _not_known("the token is too long")
        about = await self._about(now)
        for age in (KEPT_FOR, LOOK_AGAIN):  # keys may have changed since we looked
            keys = await self._fetch(str(about.get("jwks_uri", "")), now, age)
            try:
                read = jwt.decode(token, KeySet.import_key_set(keys), algorithms=ALGORITHMS)  # type: ignore[arg-type]
            except (JoseError, ValueError, KeyError, TypeError):
                continue
            return self._valid(dict(read.claims), now)
        raise _not_known("the token is not signed by it")

    def _valid(self, claims: dict[str, Any], now: datetime) -> dict[str, Any]:
        if claims.get("iss") != self.issuer.url:
            raise _not_known("the token is somebody else's")
        seconds, leeway = now.timestamp(), LEEWAY.total_seconds()
        expires, begins = claims.get("exp"), claims.get("nbf", 0)
        if not isinstance(expires, int | float) or not isinstance(begins, int | float):
            raise _not_known("the token has no end")
        if expires + leeway <= seconds or begins - leeway > seconds:
            raise _not_known("the token is not valid any more")
        return claims

    def _person(self, claims: dict[str, Any]) -> Person:
        names = ("cognito:username", "username") if self.issuer.subject == "username" else ("sub",)
        subject = next((claims[name] for name in names if claims.get(name)), None)
        if not isinstance(subject, str) or not subject.isprintable():
            raise _not_known("the token does not say whose it is")
        shown = ("preferred_username", "cognito:username", "username", "email", "name")
        name = next((claims[each] for each in shown if isinstance(claims.get(each), str)), subject)
        shown_name = plaintext.line(name) or subject
        return Person(subject, shown_name, _moment(claims.get("auth_time")))

    # -- documents --------------------------------------------------------------------------------

    async def _about(self, now: datetime) -> dict[str, Any]:
        url = self.issuer.url.rstrip("/") + "/.well-known/openid-configuration"
        about = await self._fetch(url, now, KEPT_FOR)
        if about.get("issuer") != self.issuer.url:
            raise _unavailable("its discovery document is about another issuer.")
        return about

    async def _fetch(self, url: str, now: datetime, age: timedelta) -> dict[str, Any]:
        """The document, no older than `age` unless the issuer is down."""
        kept = self._kept[url]
        async with kept.asking:
            if now - kept.at >= age and now - kept.failed_at >= REST:
                await self._ask(url, kept, now)
        if kept.document is None:
            raise _unavailable(kept.why)
        return kept.document

    async def _ask(self, url: str, kept: _Kept, now: datetime) -> None:
        outcome = await self._web.get(Request(url, accept="any"))
        if not isinstance(outcome, Fetched):
            kept.failed_at, kept.why = now, getattr(outcome, "reason", "it did not answer.")
            return
        try:
            kept.document, kept.at = _json_object(outcome.body), now
        except ValueError:
            kept.failed_at, kept.why = now, _NO_JSON


def _json_object(body: bytes) -> dict[str, Any]:
    """Raises ValueError for what is no JSON."""
    try:
        found = json.loads(body)
    except RecursionError as error:
        raise ValueError("nested too deeply") from error
    return found if isinstance(found, dict) else {}


def _is_older(proved_at: datetime | None, asked_at: float | None) -> bool:
    """Issuers that pass over `prompt` and `max_age` still say when they last asked."""
    if proved_at is None or asked_at is None:
        return False
    return proved_at.timestamp() + LEEWAY.total_seconds() < asked_at


def _moment(seconds: object) -> datetime | None:
    """None for what is no time that there ever was."""
    if not isinstance(seconds, int | float) or not 0 < seconds < _LATEST_SECONDS:
        return None
    return datetime.fromtimestamp(seconds, UTC)


def _audiences(claims: dict[str, Any]) -> set[str]:
    named = claims.get("aud", [])
    return {str(each) for each in named} if isinstance(named, list) else {str(named)}


def _not_known(why: str) -> NotAllowed:
    return NotAllowed(f"The issuer's word was not taken: {why}.", code="wrong_login")


def _unavailable(reason: str) -> UserError:
    return UserError(f"The issuer cannot be asked: {reason}", code="issuer_unavailable")
