"""Servers that send a body behind a 304, which has none (RFC 9112 §6.3).

To a parser that body is the beginning of another answer, and no proper one, so that the whole of
what arrived would be refused: a feed of such a server would be at fault whenever it is unchanged.
"""

import functools
from typing import Any, cast

import aiohttp
from aiohttp.client_proto import ResponseHandler

_NOT_MODIFIED = (b"HTTP/1.1 304", b"HTTP/1.0 304")
_END = b"\r\n\r\n"


class Handler(ResponseHandler):
    """As aiohttp's. What comes behind the head of a 304 is dropped, and the connection with it."""

    def data_received(self, data: bytes) -> None:
        if data.startswith(_NOT_MODIFIED):
            end = data.find(_END) + len(_END)
            if len(_END) <= end < len(data):
                self.force_close()
                data = data[:end]
        super().data_received(data)


class Connector(aiohttp.TCPConnector):
    """As aiohttp's, with our handlers. Made within a running loop."""

    def __init__(self, **options: Any) -> None:
        super().__init__(**options)
        made = functools.partial(Handler, loop=self._loop)
        self._factory = cast("functools.partial[ResponseHandler]", made)
