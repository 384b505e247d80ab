"""What some feeds need besides their address: credentials, a name, a way, a certificate (pure).

The value holds secrets. It is kept sealed, goes to the first origin alone, and is never shown.
"""

from dataclasses import dataclass, field
from typing import Any, Literal, get_args

import msgspec

from wireroom.errors import UserError
from wireroom.fetching.guard import Credentials

#: What front ends may say of it.
Scheme = Literal["", "basic", "cookie", "certificate"]

#: How validators go back (C5): as the operator set for all feeds, both exactly as they came
#: (HTTP-02), or the ETag alone and in its strong form (HTTP-03).
Sent = Literal["", "both", "etag"]

_LONGEST = 16_384


@dataclass(frozen=True, slots=True)
class Access:
    """How one feed is asked; `Access()` is how all others are.

    `cookie` is the value of a Cookie header. `certificate` is a client's certificate and its key,
    `authority` the certificate of who signed the server's, both PEM. `proxy` is an http address
    that is dialled without the guard: only an operator may set it. `validators` is for publishers
    who answer 304 to one way of asking and not to the other.
    """

    user_agent: str = ""
    cookie: str = field(default="", repr=False)
    credentials: Credentials | None = None
    proxy: str = field(default="", repr=False)
    certificate: str = field(default="", repr=False)
    authority: str = field(default="", repr=False)
    validators: Sent = ""

    def __bool__(self) -> bool:
        return self is not NONE and self != NONE  # the first for nearly all feeds

    @property
    def is_private(self) -> bool:
        """Whether it makes the feed one account's own: what it opens is not for everybody."""
        return bool(self.scheme)

    @property
    def is_operators(self) -> bool:
        """Whether only an operator may set it."""
        return bool(self.proxy or self.authority)

    def is_verbatim(self, *, usually: bool) -> bool:
        """Whether both validators go back as they came; `usually` is the way of all feeds."""
        return self.validators == "both" if self.validators else usually

    @property
    def scheme(self) -> Scheme:
        if self.credentials is not None:
            return "basic"
        if self.cookie:
            return "cookie"
        return "certificate" if self.certificate else ""


NONE = Access()


def checked(access: Access) -> Access:
    """The same, if it can be sent. Raises UserError with a sentence that holds no secret."""
    for name, value in _texts(access).items():
        is_pem = name in ("certificate", "authority")
        if len(value) > _LONGEST:
            raise UserError(f"The {name} is longer than {_LONGEST} characters.")
        if not is_pem and not value.isprintable():
            raise UserError(f"The {name} holds line breaks or control characters.")
    if access.proxy and not access.proxy.startswith("http://"):
        raise UserError("The proxy must be an address that begins with http://.")
    if access.validators not in get_args(Sent):
        raise UserError("Validators go back as usual, or as both, or as the etag alone.")
    if access.credentials is not None and ":" in access.credentials.user:
        raise UserError("A user name for Basic authentication cannot hold a colon.")
    return access


def _texts(access: Access) -> dict[str, str]:
    credentials = access.credentials or Credentials("", "")
    return {
        "user agent": access.user_agent,
        "cookie": access.cookie,
        "user name": credentials.user,
        "password": credentials.password,
        "proxy": access.proxy,
        "certificate": access.certificate,
        "authority": access.authority,
    }


def dumps(access: Access) -> str:
    """As text, to be sealed; never to be stored as it is."""
    return msgspec.json.encode(access).decode()


def loads(text: str) -> Access:
    """The inverse of `dumps`; what a later version added is left out."""
    facts: dict[str, Any] = msgspec.json.decode(text)
    return msgspec.convert(facts, Access)
