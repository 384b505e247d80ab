"""The head of a 304 that came in one piece and is as it should be (pure).

Most answers are such heads, and a parser made for each of them, with all that it prepares for a
body, costs more than all the rest that is done with one. What is unusual in any way is for the
parser: a field that says how the message ends, a folded line, a long head.
"""

import re

from wireroom.values import value

#: Bytes of a longer head are not looked at here, nor are more fields.
LONGEST = 8192
MOST_FIELDS = 100

_HEAD = re.compile(
    rb"HTTP/1\.1 304 [ -~]*\r\n((?:[!#$%&'*+.^_`|~0-9A-Za-z-]+:[\t -~\x80-\xff]*\r\n)+)\r\n"
)
_FIELD = re.compile(rb"([^:]+):[\t ]*([^\r]*?)[\t ]*\r\n")
_MESSAGE = frozenset({b"content-length", b"transfer-encoding", b"upgrade", b"trailer"})
_CONNECTION = b"connection"
_CLOSES = {b"keep-alive": False, b"close": True}


@value
class Unchanged:
    """As much of aiohttp's `RawResponseMessage` as is asked of it."""

    raw_headers: tuple[tuple[bytes, bytes], ...]
    should_close: bool
    code: int = 304


def read(data: bytes) -> Unchanged | None:
    """The head, if `data` is one and nothing else; None leaves it to the parser."""
    if len(data) > LONGEST or (found := _HEAD.fullmatch(data)) is None:
        return None
    fields = tuple(_FIELD.findall(found[1]))
    if len(fields) > MOST_FIELDS:
        return None
    should_close: bool | None = False
    for name, said in fields:
        lower = name.lower()
        if lower in _MESSAGE:
            return None
        if lower == _CONNECTION:
            should_close = _CLOSES.get(said.lower())
            if should_close is None:
                return None
    return Unchanged(fields, bool(should_close))
