"""From an open response to an outcome: bodies within bounds, statuses told apart."""

import re
from http import HTTPStatus

import aiohttp

from wireroom.fetching.bot_walls import ADVICE, is_wall
from wireroom.fetching.decompress import BodyTooLarge, BrokenBody, Unpacker, in_words
from wireroom.fetching.headers import Head
from wireroom.fetching.outcome import (
    Failed,
    Fetched,
    Gone,
    Hops,
    NotModified,
    Outcome,
    Throttled,
)
from wireroom.fetching.request import FetchLimits
from wireroom.fetching.speaking import Reply

Answering = aiohttp.ClientResponse | Reply

#: Bytes of an error page that are read for its excerpt and for the marks of bot walls.
_PAGE = 64 * 1024

#: Characters of an error page that are kept for messages (HTTP-40).
EXCERPT_LENGTH = 500

#: 204 and 205 come without a body; that it is empty is for the parser to say.
_COMPLETE = frozenset({200, 203, 204, 205})

_CHARSET = re.compile(r"charset\s*=\s*\"?([\w.:-]{1,40})", re.ASCII | re.IGNORECASE)
_CONTROLS = re.compile(r"[\x00-\x08\x0b-\x1f\x7f-\x9f]+")


async def outcome_of(
    response: Answering,
    head: Head,
    hops: Hops,
    limits: FetchLimits,
) -> Outcome:
    """What the final answer with a body amounts to. Raises the HTTP client's errors while
    reading."""
    if head.status in _COMPLETE and head.strange_transfer:
        reason = "The host sends its answer in a transfer coding that nobody asked for."
        return Failed(hops, "protocol", reason, head.status)
    if head.status in _COMPLETE:
        return await _fetched(response, head, hops, limits)
    page = await read_beginning(response, head, _PAGE)
    shown = excerpt(page, head.content_type)
    if is_wall(head, page):
        return Failed(hops, "bot_wall", ADVICE, head.status, head.retry_after, shown)
    if head.status == HTTPStatus.GONE:
        return Gone(hops, shown)
    if head.status in {HTTPStatus.TOO_MANY_REQUESTS, HTTPStatus.SERVICE_UNAVAILABLE}:
        return Throttled(hops, head.status, head.retry_after, shown)
    return Failed(hops, "status", _in_words(head.status), head.status, head.retry_after, shown)


async def read_beginning(response: Answering, head: Head, most: int) -> bytes:
    """Up to `most` bytes of the body, unpacked as far as that goes; nothing here is an error."""
    if head.strange_transfer:  # whoever waits for its end waits until the time is over
        return b""
    wire = 0
    try:
        unpacker = Unpacker(head.content_encodings, 2 * most)
    except BrokenBody:
        return b""
    try:
        async for chunk in response.content.iter_any():
            wire += len(chunk)
            unpacker.feed(chunk)
            if wire >= most or unpacker.size >= most:
                break
    except (BodyTooLarge, BrokenBody, aiohttp.ClientError, OSError):
        pass
    return unpacker.body[:most]


def excerpt(page: bytes, content_type: str = "") -> str:
    """The first characters of an error page as valid text, with an ellipsis where it goes on."""
    charset = _CHARSET.search(content_type)
    try:
        shown = page.decode(charset[1] if charset else "utf-8", errors="replace")
    except LookupError:
        shown = page.decode("utf-8", errors="replace")
    shown = _CONTROLS.sub(" ", shown).strip()
    if len(shown) <= EXCERPT_LENGTH:
        return shown
    return shown[: EXCERPT_LENGTH - 1] + "…"


async def _fetched(
    response: Answering, head: Head, hops: Hops, limits: FetchLimits
) -> Fetched | Failed:
    try:
        body = await _read_body(response, head, limits)
    except BodyTooLarge as error:
        return Failed(hops, "too_large", str(error), head.status)
    except BrokenBody as error:
        return Failed(hops, "protocol", str(error), head.status)
    return Fetched(
        hops=hops,
        status=head.status,
        body=body,
        content_type=head.content_type,
        validators=head.validators,
        max_age=head.max_age,
        retry_after=head.retry_after,
        link_header=head.link,
        content_language=head.content_language,
    )


async def _read_body(response: Answering, head: Head, limits: FetchLimits) -> bytes:
    too_large = BodyTooLarge(f"The answer is larger than {in_words(limits.wire_bytes)}.")
    # A length that is too small is not believed, one that is too large need not be waited for.
    if head.content_length is not None and head.content_length > limits.wire_bytes:
        raise too_large
    unpacker = Unpacker(head.content_encodings, limits.body_bytes)
    protocol = response.connection.protocol if response.connection else None
    wire = 0
    async for chunk in response.content.iter_any():
        wire += len(chunk)
        if wire > limits.wire_bytes:
            raise too_large
        unpacker.feed(chunk)
    broken = protocol.exception() if head.ends_with_connection and protocol is not None else None
    if isinstance(broken, aiohttp.ClientOSError):  # aiohttp ends such a body as if all were well
        raise BrokenBody("The connection breaks off in the middle of the answer.")
    return unpacker.finish()


def not_modified(head: Head, hops: Hops, *, conditional: bool) -> NotModified | Failed:
    """What a 304 amounts to; it has no body."""
    if not conditional:
        reason = 'The host answered "not modified" (304) although nothing is known of the feed.'
        return Failed(hops, "protocol", reason, head.status)
    return NotModified(hops, head.validators, head.max_age, head.retry_after)


def _in_words(status: int) -> str:
    try:
        phrase = f" ({HTTPStatus(status).phrase})"
    except ValueError:
        phrase = ""
    return f"The host answered with status {status}{phrase}."
