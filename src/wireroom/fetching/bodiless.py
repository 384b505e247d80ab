"""Answers without a body: the 304s that most polls get.

The head of one is read without a parser where that is safe (`fetching.unchanged`).

Some servers send a body behind a 304, which has none (RFC 9112 §6.3). To a parser that body is the
beginning of another answer, and no proper one, so that the whole of what arrived would be refused:
a feed of such a server would be at fault whenever it is unchanged.
"""

import functools
from typing import Any, cast

import aiohttp
from aiohttp.client_proto import ResponseHandler
from aiohttp.streams import EMPTY_PAYLOAD

from wireroom.fetching import unchanged

_NOT_MODIFIED = (b"HTTP/1.1 304", b"HTTP/1.0 304")
_END = b"\r\n\r\n"


class Handler(ResponseHandler):
    """As aiohttp's. What comes behind the head of a 304 is dropped, and the connection with it."""

    _line_bytes = 0
    #: Nothing has come yet of the answer that is expected.
    _awaits = False

    def expect(self, line_bytes: int) -> None:
        """Get ready for one answer, whose lines may have so many bytes."""
        self._line_bytes = line_bytes
        self._awaits = True
        self._parser = None
        self.read_timeout = None
        if self._tail:
            self._drain_tail()

    def data_received(self, data: bytes) -> None:
        if data.startswith(_NOT_MODIFIED):
            if self._awaits and (head := unchanged.read(data)) is not None:
                self._take(head)
                return
            end = data.find(_END) + len(_END)
            if len(_END) <= end < len(data):
                self.force_close()
                data = data[:end]
        if self._awaits:
            self._awaits = False
            self._make_parser()
        elif self._parser is None and self._line_bytes:
            self._hang_up()
            return
        super().data_received(data)

    def _take(self, head: unchanged.Unchanged) -> None:
        self._awaits = False
        if head.should_close:
            self.force_close()
        self.feed_data((cast("Any", head), EMPTY_PAYLOAD))

    def _make_parser(self) -> None:
        self.set_response_params(
            read_until_eof=True,
            auto_decompress=False,
            max_line_size=self._line_bytes,
            max_field_size=self._line_bytes,
        )

    def _hang_up(self) -> None:
        """Something came that nobody asked for, behind an answer that needed no parser."""
        self.force_close()
        if self.transport is not None:
            self.transport.close()


class Connector(aiohttp.TCPConnector):
    """As aiohttp's, with our handlers. Made within a running loop."""

    def __init__(self, **options: Any) -> None:
        super().__init__(**options)
        made = functools.partial(Handler, loop=self._loop)
        self._factory = cast("functools.partial[ResponseHandler]", made)
