"""What is said to a hub: one form, also where the hub has moved to."""

from collections.abc import Mapping
from datetime import timedelta
from urllib.parse import urlencode

from wireroom.fetching.client import Client
from wireroom.fetching.outcome import Failed
from wireroom.fetching.request import FetchLimits, Post, Response
from wireroom.polling import websub

_FORM = {"Content-Type": "application/x-www-form-urlencoded"}
#: What a hub answers is for the log.
_LIMITS = FetchLimits(body_bytes=4096, wire_bytes=65_536, total=timedelta(seconds=20))
_MOST_MOVES = 2


async def say(client: Client, hub_url: str, form: Mapping[str, str]) -> Response | Failed:
    """The hub's answer to a form; it is said again where a temporary or permanent redirect leads
    (§5.1)."""
    body = urlencode(form).encode()
    answer = await client.post(Post(hub_url, body, _FORM, limits=_LIMITS))
    for _ in range(_MOST_MOVES):
        if isinstance(answer, Failed):
            break
        there = websub.moved_to(hub_url, answer.status, answer.headers.get("location", ""))
        if not there:
            break
        hub_url = there
        answer = await client.post(Post(hub_url, body, _FORM, limits=_LIMITS))
    return answer
