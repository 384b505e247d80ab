"""HEAD: whatever answers GET answers HEAD with the same head and no body (RFC 9110 §9.3.2)."""

from collections.abc import Awaitable, Callable, MutableMapping
from typing import Any

#: ASGI's three parts, as wide as the specification has them.
Message = MutableMapping[str, Any]
Receive = Callable[[], Awaitable[Message]]
Send = Callable[[Message], Awaitable[None]]
App = Callable[[Any, Any, Any], Awaitable[None]]


def answering_heads(app: App) -> App:
    """The application, for which every HEAD looks like a GET whose caller leaves after the head.

    So that a stream of events ends as well. The server beneath leaves out the body.
    """

    async def answer(scope: Message, receive: Receive, send: Send) -> None:
        if scope["type"] != "http" or scope["method"] != "HEAD":
            await app(scope, receive, send)
            return
        is_answered = False

        async def receive_until_answered() -> Message:
            if is_answered:
                return {"type": "http.disconnect"}
            return await receive()

        async def send_head(message: Message) -> None:
            nonlocal is_answered
            if is_answered:
                return
            if message["type"] == "http.response.body":
                is_answered = True
                message = {"type": "http.response.body", "body": b"", "more_body": False}
            await send(message)

        await app({**scope, "method": "GET"}, receive_until_answered, send_head)

    return answer
