"""Heads of 304s, read without a parser: only those that the parser reads in the same way."""

import asyncio
from typing import Any

import aiohttp.http
import pytest

from wireroom.fetching import unchanged
from wireroom.fetching.bodiless import Handler

_USUAL = b'HTTP/1.1 304 Not Modified\r\nETag: "a"\r\n'


def _parsed(data: bytes, handler: Handler) -> Any:
    parser = aiohttp.http.HttpResponseParser(
        handler, asyncio.get_running_loop(), 2**16, read_until_eof=True, auto_decompress=False
    )
    (message, _), *_ = parser.feed_data(data)[0]
    return message


@pytest.mark.parametrize(
    "data",
    [
        pytest.param(_USUAL + b"\r\n", id="usual"),
        pytest.param(b"HTTP/1.1 304 \r\nETag: x\r\n\r\n", id="no reason"),
        pytest.param(_USUAL + b"Connection: keep-alive\r\n\r\n", id="stays"),
        pytest.param(_USUAL + b"connection: Close\r\n\r\n", id="closes"),
        pytest.param(_USUAL + b"Vary:  \t a, b \t \r\nX-Empty:\r\nY: \r\n\r\n", id="blanks"),
        pytest.param(_USUAL + b"X-Name: caf\xc3\xa9 \xff\r\nX-Name: 2\r\n\r\n", id="not ASCII"),
        pytest.param(_USUAL + b"X-Colons: a:b: c\r\n\r\n", id="colons"),
    ],
)
async def test_a_usual_head_is_read_as_the_parser_reads_it(data: bytes) -> None:
    """Fields byte for byte, and whether the connection stays."""
    head, parsed = unchanged.read(data), _parsed(data, Handler(asyncio.get_running_loop()))
    assert head is not None
    assert (parsed.code, parsed.raw_headers) == (head.code, head.raw_headers)
    assert parsed.should_close == head.should_close


@pytest.mark.parametrize(
    "data",
    [
        pytest.param(_USUAL, id="not all of it"),
        pytest.param(_USUAL + b"\r\nx", id="something behind it"),
        pytest.param(b"HTTP/1.0 304 Not Modified\r\nETag: x\r\n\r\n", id="HTTP/1.0"),
        pytest.param(b"HTTP/1.1 304 Not Modified\r\n\r\n", id="no field"),
        pytest.param(b"HTTP/1.1 200 OK\r\nETag: x\r\n\r\n", id="another status"),
        pytest.param(_USUAL + b"Content-Length: 5\r\n\r\n", id="a length"),
        pytest.param(_USUAL + b"Transfer-Encoding: chunked\r\n\r\n", id="chunks"),
        pytest.param(_USUAL + b"Connection: upgrade\r\n\r\n", id="another protocol"),
        pytest.param(_USUAL + b"X-Folded: a\r\n b\r\n\r\n", id="folded"),
        pytest.param(_USUAL + b"X Name: a\r\n\r\n", id="a blank in a name"),
        pytest.param(_USUAL + b"X-Name : a\r\n\r\n", id="a blank behind a name"),
        pytest.param(_USUAL + b"X-NUL: a\0b\r\n\r\n", id="NUL"),
        pytest.param(_USUAL + b"X-Bare: a\nb: c\r\n\r\n", id="a bare line feed"),
        pytest.param(_USUAL + b"X-Long: " + b"a" * 9000 + b"\r\n\r\n", id="long"),
        pytest.param(_USUAL + b"X: a\r\n" * 128 + b"\r\n", id="many fields"),
    ],
)
def test_what_is_unusual_is_left_to_the_parser(data: bytes) -> None:
    """Above all what says how a message ends, and what parsers refuse."""
    assert unchanged.read(data) is None
