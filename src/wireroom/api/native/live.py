"""What is new, as it happens: server-sent events of items, states and watermarks."""

import contextlib
from collections.abc import AsyncIterator, Mapping, Sequence
from typing import Annotated, Any

import msgspec
from litestar import get
from litestar.openapi.datastructures import ResponseSpec
from litestar.openapi.spec import Example
from litestar.params import HeaderParameter
from litestar.response import Response, ServerSentEvent, ServerSentEventMessage

from wireroom import accounts, labelling, reading, watching
from wireroom.api.native import contract, keys, problems, wire
from wireroom.api.native.door import ApiRequest, Tools
from wireroom.api.native.items import pictures_for
from wireroom.api.native.problems import documented
from wireroom.errors import StoreUnavailable
from wireroom.pictures.addresses import Addresses
from wireroom.watching import Heard, Mark, News

#: After how many milliseconds a client that lost its stream connects again.
_RETRY_MS = 5000
_STREAM = ResponseSpec(
    str,
    generate_examples=False,
    description="A stream without an end.",
    media_type="text/event-stream",
    examples=[
        Example(
            id="a_state",
            value='event: state\ndata: {"feed_id": "7", "sort_key": "…", "is_read": true, …}\n\n'
            "id: e.1796040000000.0f3a9c21\nevent: heard\ndata: e.1796040000000.0f3a9c21\n\n",
        )
    ],
)


@get(
    "/rss_events",
    operation_id="rss_events",
    tags=["Live"],
    summary="What is new, as it happens",
    description="Server-sent events: `item`, `state` and `watermark` with the objects Item, State "
    "and Watermark; `subscriptions`: list them again; `resync`: more came at once than is told, "
    "sync. After each group comes `heard` with the id to go on from. The stream ends after ten "
    "minutes, and with its token; an account has at most 16.",
    responses=documented("invalid_request") | {200: _STREAM},
)
async def events(
    request: ApiRequest,
    last_event_id: Annotated[
        str,
        HeaderParameter(
            name="Last-Event-ID", description="The `id` of the last group, to miss nothing."
        ),
    ] = "",
) -> Response[Any]:
    """Until the client leaves, for ten minutes at most."""
    tools, account_id = request.tools, request.account_id
    if tools.listeners.are_enough(account_id):
        return problems.answer("Too many open streams of this account.", "rate_limited")
    since = keys.event_mark(last_event_id)
    pictures = await pictures_for(request)
    return ServerSentEvent(told(tools, account_id, since, pictures, token_id=request.token_id))


async def told(
    tools: Tools,
    account_id: int,
    since: Mark | None,
    pictures: Addresses | None = None,
    *,
    token_id: int | None = None,
) -> AsyncIterator[ServerSentEventMessage]:
    """Events of one stream; it ends with the token that opened it."""
    heard = await watching.begin(tools.database, account_id, since, tools.now())
    looks = watching.looks(tools.bell, tools.listeners, account_id)
    async with contextlib.aclosing(looks):  # type: ignore[type-var]
        async for _ in looks:
            try:
                if not await _is_let_in(tools, token_id):
                    return
                found, heard = await watching.news(tools.database, account_id, heard, tools.now())
            except StoreUnavailable:
                continue
            named = reading.keys_of([entry for entry, _ in found.entries])
            named += [(which.feed_id, said.seq) for which, said in found.states]
            labels = await labelling.of(tools.database, account_id, named)
            for message in _messages(found, heard, pictures, labels):
                yield message


async def _is_let_in(tools: Tools, token_id: int | None) -> bool:
    """Tokens of another issuer are looked at again when the client connects again."""
    return token_id is None or await accounts.is_valid(tools.database, token_id, tools.now())


def _messages(
    found: News,
    heard: Heard,
    pictures: Addresses | None,
    labels: Mapping[tuple[int, int], Sequence[str]],
) -> list[ServerSentEventMessage]:
    """The last one carries the id: a stream that breaks off before it goes on before all."""
    parts: list[tuple[str, msgspec.Struct]] = []
    if found.too_many:
        parts.append(("resync", contract.Resync()))
    parts += [
        ("item", wire.item(entry, body, pictures, labels.get((entry.feed_id, entry.seq), ())))
        for entry, body in found.entries
    ]
    parts += [
        ("state", wire.state(which, said, labels.get((which.feed_id, said.seq), ())))
        for which, said in found.states
    ]
    parts += [
        (
            "watermark",
            contract.Watermark(
                subscription_id=str(stand.subscription_id),
                feed_id=str(stand.feed_id),
                read_watermark=keys.date(stand.read_watermark),
            ),
        )
        for stand in found.marked
    ]
    if found.shelf_changed:
        parts.append(("subscriptions", contract.Resync()))
    messages = [
        ServerSentEventMessage(event=name, data=msgspec.json.encode(told).decode())
        for name, told in parts
    ]
    point = keys.event_id(watching.mark(heard))
    last = ServerSentEventMessage(event="heard", id=point, data=point, retry=_RETRY_MS)
    return [*messages, last]


ROUTES = (events,)
