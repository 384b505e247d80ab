"""HTTP header fields: what we send, and what is made of what came back (pure).

Hints are advice: whatever is malformed, negative or already past counts as absent.
"""

import functools
import re
from collections.abc import Iterable, Mapping
from datetime import UTC, datetime, timedelta
from email.utils import parsedate_to_datetime
from http import HTTPStatus
from types import MappingProxyType
from typing import Literal

from wireroom.fetching.outcome import Validators
from wireroom.values import value

Accept = Literal["feed", "page", "any"]

_ACCEPT: dict[Accept, str] = {
    # HTTP-12; the weights are those of the bot that publishers know.
    "feed": (
        "application/rss+xml, application/atom+xml, application/feed+json, "
        "application/xml;q=0.9, text/xml;q=0.9, application/json;q=0.8, "
        "text/html;q=0.5, */*;q=0.1"
    ),
    "page": "text/html, application/xhtml+xml, application/xml;q=0.9, */*;q=0.8",
    "any": "*/*",
}

ACCEPT_ENCODING = "gzip, deflate, br, zstd"

#: Bytes. A longer validator is dropped, not cut: an unconditional request is right, only dearer.
MAX_VALIDATOR_LENGTH = 2048

#: ETags that tell no versions apart. If-None-Match with a star asks for a 304 whatever there is,
#: and who makes an empty tag makes it for every version: the feed would stand still for ever.
_BLIND = frozenset({"*", '""'})

#: How far a clock of a publisher may be ahead of ours.
_CLOCKS_DIFFER = timedelta(days=1)

#: Longer waits are nonsense that would leave the range of dates; callers cap far below it.
_LONGEST = timedelta(days=36_500)

_CONTROL = re.compile(rb"[\x00-\x1f\x7f]")
_DIGITS = re.compile(r"[0-9]+", re.ASCII)
#: As a body comes, or as if nothing was said of it ("identity" was struck out in 2014).
_TRANSFERS = frozenset({"", "chunked", "identity"})
_LANGUAGE = re.compile(r"[a-zA-Z]{2,8}(?:-[a-zA-Z0-9]{1,8}){0,4}", re.ASCII)
_MAX_AGE = re.compile(
    r"(?:^|[,\s])max-age\s*=\s*\"?([0-9]+)\"?\s*(?=$|,)", re.ASCII | re.IGNORECASE
)


#: The fields that say something to us.
_READ = frozenset({
    b"cache-control", b"cf-mitigated", b"content-encoding", b"content-language", b"content-length",
    b"content-type", b"etag", b"last-modified", b"link", b"location", b"retry-after",
    b"transfer-encoding", b"x-amzn-waf-action",
})  # fmt: skip


@value
class Head:
    """Status and header fields of an answer, read.

    `content_encodings` are lower case, in the order in which they were applied, without identity.
    """

    status: int
    validators: Validators = Validators()
    content_type: str = ""
    content_encodings: tuple[str, ...] = ()
    content_length: int | None = None
    #: Neither a length nor chunks tell where the body ends.
    ends_with_connection: bool = False
    #: A transfer coding that we never asked for (RFC 9112 §6.1), or "": its body cannot be read,
    #: nor told where it ends.
    strange_transfer: str = ""
    location: str | None = None
    link: str = ""
    content_language: str = ""
    retry_after: timedelta | None = None
    max_age: timedelta | None = None
    #: cf-mitigated, x-amzn-waf-action: what a bot wall says about itself.
    wall: str = ""


def read_head(status: int, fields: Iterable[tuple[bytes, bytes]], now: datetime) -> Head:
    """The head of an answer from its raw fields; `now` turns dates of Retry-After into waits."""
    values: dict[bytes, list[bytes]] = {}
    for spelled, content in fields:
        name = spelled.lower()
        if name in _READ:
            values.setdefault(name, []).append(content.strip(b" \t"))

    def first(name: bytes) -> str:
        return text(values[name][0]) if name in values else ""

    def joined(name: bytes) -> str:
        return ", ".join(map(text, values[name])) if name in values else ""

    validators = Validators(
        _validator(values.get(b"etag")), _validator(values.get(b"last-modified"))
    )
    wait = retry_after(first(b"retry-after"), now) if b"retry-after" in values else None
    age = max_age(joined(b"cache-control")) if b"cache-control" in values else None
    if status == HTTPStatus.NOT_MODIFIED:  # most answers; it has no body to describe
        return Head(status, validators, retry_after=wait, max_age=age)
    return Head(
        status=status,
        validators=_without_future(validators, now),
        content_type=first(b"content-type"),
        content_encodings=_encodings(joined(b"content-encoding")),
        content_length=_number(first(b"content-length")),
        ends_with_connection=not {b"content-length", b"transfer-encoding"} & values.keys(),
        strange_transfer=_strange(joined(b"transfer-encoding")),
        location=first(b"location") if b"location" in values else None,
        link=joined(b"link"),
        content_language=_language(joined(b"content-language")),
        retry_after=wait,
        max_age=age,
        wall=first(b"cf-mitigated").lower() or first(b"x-amzn-waf-action").lower(),
    )


@functools.lru_cache(maxsize=64)
def request_headers(accept: Accept, user_agent: str) -> Mapping[str, str]:
    """What every GET carries: no referrer, no cookies, nothing that identifies a reader."""
    return MappingProxyType(
        {
            "User-Agent": user_agent,
            "Accept": _ACCEPT[accept],
            "Accept-Encoding": ACCEPT_ENCODING,
        }
    )


def conditional_headers(validators: Validators, *, verbatim: bool) -> dict[str, str]:
    """The fields that make a GET conditional.

    By default the ETag alone and in its strong form: If-None-Match compares weakly anyway
    (RFC 9110 §13.1.2), and there are servers that never answer 304 to the weak form they sent
    themselves. The date goes out only where no ETag is known. `verbatim` sends back both as they
    came. An ETag that tells no versions apart counts as none.
    """
    headers: dict[str, str] = {}
    strong = validators.etag.strip().removeprefix("W/")
    etag = "" if strong in _BLIND else validators.etag if verbatim else strong
    if etag:
        headers["If-None-Match"] = etag
    if validators.last_modified and (verbatim or not etag):
        headers["If-Modified-Since"] = validators.last_modified
    return headers


def retry_after(value: str, now: datetime) -> timedelta | None:
    """Retry-After as a wait from `now`: seconds or an HTTP date (RFC 9110 §10.2.3)."""
    value = value.strip()
    if not value:
        return None
    wait = _seconds(value) if _DIGITS.fullmatch(value) else _until(value, now)
    return wait if wait is not None and wait > timedelta(0) else None


def max_age(cache_control: str) -> timedelta | None:
    """max-age of Cache-Control where it is a positive number (RFC 9111 §5.2.2.1)."""
    match = _MAX_AGE.search(cache_control) if cache_control else None
    age = _seconds(match[1]) if match else None
    return age or None


def text(value: bytes) -> str:
    """A field value as text: UTF-8 where it is valid, else Latin-1, as both occur in the wild."""
    try:
        return value.decode()
    except UnicodeDecodeError:
        return value.decode("latin-1")


def _validator(values: list[bytes] | None) -> str:
    """A validator that can be sent back byte for byte, else ""."""
    if not values or len(values[0]) > MAX_VALIDATOR_LENGTH or _CONTROL.search(values[0]):
        return ""
    try:
        return values[0].decode()
    except UnicodeDecodeError:
        return ""


def _without_future(validators: Validators, now: datetime) -> Validators:
    """Without a Last-Modified that lies ahead: many servers answer 304 until that day comes,
    whatever they publish before it."""
    ahead = _until(validators.last_modified, now) if validators.last_modified else None
    if ahead is None or ahead <= _CLOCKS_DIFFER:
        return validators
    return Validators(validators.etag)


def _encodings(value: str) -> tuple[str, ...]:
    if not value:
        return ()
    names = (name.strip().lower() for name in value.split(","))
    return tuple(name for name in names if name and name != "identity")


def _strange(transfer: str) -> str:
    if transfer.lower() in _TRANSFERS:
        return ""
    codings = (each.strip().lower() for each in transfer.split(","))
    return next((each for each in codings if each not in _TRANSFERS), "")


def _language(value: str) -> str:
    """The one language tag (RFC 5646) in `value`; several say nothing of the text itself."""
    return value if _LANGUAGE.fullmatch(value) else ""


def _number(value: str) -> int | None:
    return int(value) if value and _DIGITS.fullmatch(value) and len(value) < 20 else None


def _seconds(digits: str) -> timedelta:
    number = _number(digits.lstrip("0") or "0")
    if number is None or number > _LONGEST.total_seconds():
        return _LONGEST
    return timedelta(seconds=number)


def _until(value: str, now: datetime) -> timedelta | None:
    """How long it is until an HTTP date; None for anything else."""
    try:
        moment = parsedate_to_datetime(value)
    except (ValueError, OverflowError, IndexError, TypeError):
        return None
    if moment.tzinfo is None:
        moment = moment.replace(tzinfo=UTC)
    try:
        return min(moment - now, _LONGEST)
    except OverflowError:
        return None
