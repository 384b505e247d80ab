"""Unpacking of Content-Encoding as it arrives, bounded in size and in ratio.

One layer only: honest servers send one, and each further one multiplies a bomb. A stream that
breaks off before its end mark is an error although what came could be shown: a feed cut short
looks like a feed whose items vanished, and its validators would freeze that view by 304s.
Whatever follows a complete stream is passed over, since servers pad.
"""

import sys
import zlib
from typing import ClassVar, Protocol

import brotli

if sys.version_info >= (3, 14):
    from compression import zstd
else:
    from backports import zstd

#: Output may be this many times the input; counted only from `RATIO_FROM` bytes of output.
MAX_RATIO = 100
RATIO_FROM = 1_000_000

#: Bytes unpacked in one step, which is about what a bomb can occupy beyond the limit.
_STEP = 256 * 1024

#: What several streams in a row begin with, where the format has such a row.
_MAGIC = {"gzip": b"\x1f\x8b", "zstd": b"\x28\xb5\x2f\xfd"}
_LONGEST_MAGIC = 4

_CODINGS = frozenset({"gzip", "deflate", "br", "zstd"})
_UNREADABLE = frozenset({"compress", "dcb", "dcz"})


class BodyTooLarge(Exception):
    """The body exceeds its limit, or grows like a bomb."""


class BrokenBody(Exception):
    """The body is damaged, breaks off, or is packed in a way that is not read here."""


class Unpacker:
    """Collects a body: `feed` it chunks as they arrive, then `finish`.

    Raises `BodyTooLarge` and `BrokenBody`. Names that are no content coding ("utf-8" and "none"
    both occur) stand for a body that is not packed, and so does "gzip" before a body that is
    none.
    """

    def __init__(self, encodings: tuple[str, ...], max_bytes: int) -> None:
        names = [name.removeprefix("x-") for name in encodings]
        if _UNREADABLE.intersection(names):
            raise BrokenBody("The answer is compressed in a way that nobody asked for.")
        codings = [name for name in names if name in _CODINGS]
        if len(codings) > 1:
            raise BrokenBody("The answer is compressed more than once.")
        self._coding = codings[0] if codings else ""
        self._max_bytes = max_bytes
        self._stream: _Stream | None = None
        self._streams_done = 0
        self._head = b""
        self._fed = 0
        self._body = bytearray()

    @property
    def body(self) -> bytes:
        """What has been unpacked so far."""
        return bytes(self._body)

    @property
    def size(self) -> int:
        """The length of `body`, without a copy of it."""
        return len(self._body)

    def feed(self, chunk: bytes) -> None:
        self._fed += len(chunk)
        data = self._head + chunk
        self._head = b""
        while data:
            if self._stream is None:
                if len(data) < _LONGEST_MAGIC:
                    self._head = data
                    return
                self._open(data)
            data = self._run(data)

    def finish(self) -> bytes:
        """The whole body."""
        if self._stream is None and self._head:
            self._open(self._head)
            self._run(self._head)
        if self._stream is not None and not self._stream.eof:
            raise BrokenBody("The compressed answer breaks off before its end.")
        return self.body

    def _open(self, data: bytes) -> None:
        begins_a_stream = data.startswith(_MAGIC.get(self._coding, b""))
        if self._streams_done and (self._coding not in _MAGIC or not begins_a_stream):
            self._stream = _Padding()
        elif self._coding == "gzip" and begins_a_stream:
            self._stream = _Zlib(zlib.MAX_WBITS | 16)
        elif self._coding == "deflate":
            self._stream = _Zlib(zlib.MAX_WBITS if _has_zlib_header(data) else -zlib.MAX_WBITS)
        elif self._coding == "br":
            self._stream = _Brotli()
        elif self._coding == "zstd":
            self._stream = _Zstd()
        else:
            self._stream = _Plain()

    def _run(self, data: bytes) -> bytes:
        """Put `data` into the stream; returns what lies behind the stream's end."""
        stream = self._stream
        assert stream is not None
        try:
            self._keep(stream.unpack(data))
            while not stream.starved and not stream.eof:
                self._keep(stream.unpack(b""))
        except (zlib.error, brotli.error, zstd.ZstdError) as error:
            raise BrokenBody("The compressed answer is damaged.") from error
        if isinstance(stream, _Plain | _Padding) or not stream.eof:
            return b""
        self._stream = None
        self._streams_done += 1
        return stream.rest

    def _keep(self, unpacked: bytes) -> None:
        self._body += unpacked
        size = len(self._body)
        if size > self._max_bytes:
            raise BodyTooLarge(f"The answer is larger than {in_words(self._max_bytes)}.")
        if self._coding and size > RATIO_FROM and size > self._fed * MAX_RATIO:
            raise BodyTooLarge("The answer unpacks to more than a hundred times its size.")


def in_words(size: int) -> str:
    """A number of bytes for people: "5 MB"."""
    if size >= 1_000_000:
        return f"{size / 1_000_000:g} MB"
    return f"{size / 1000:g} kB" if size >= 1000 else f"{size} bytes"


def _has_zlib_header(data: bytes) -> bool:
    """Whether this "deflate" is zlib's format as RFC 9110 §8.4.1.2 says; many send it bare."""
    return len(data) >= 2 and data[0] & 0x0F == 8 and int.from_bytes(data[:2]) % 31 == 0


class _Stream(Protocol):
    """`unpack` returns about `_STEP` bytes at most and wants b"" until `starved` or `eof`."""

    @property
    def eof(self) -> bool: ...
    @property
    def starved(self) -> bool: ...
    @property
    def rest(self) -> bytes: ...
    def unpack(self, data: bytes) -> bytes: ...


class _Plain:
    eof = starved = True
    rest = b""

    def unpack(self, data: bytes) -> bytes:
        return data


class _Padding:
    eof = starved = True
    rest = b""

    def unpack(self, data: bytes) -> bytes:
        return b""


class _Zlib:
    def __init__(self, wbits: int) -> None:
        self._inner = zlib.decompressobj(wbits)
        self.starved = True

    @property
    def eof(self) -> bool:
        return self._inner.eof

    @property
    def rest(self) -> bytes:
        return self._inner.unused_data

    def unpack(self, data: bytes) -> bytes:
        out = self._inner.decompress(self._inner.unconsumed_tail + data, _STEP)
        # A full step may have left output behind even where all input is used up.
        self.starved = not self._inner.unconsumed_tail and len(out) < _STEP
        return out


class _Brotli:
    rest = b""

    def __init__(self) -> None:
        self._inner = brotli.Decompressor()
        self.starved = True

    @property
    def eof(self) -> bool:
        return bool(self._inner.is_finished())

    def unpack(self, data: bytes) -> bytes:
        out = bytes(self._inner.process(data, output_buffer_limit=_STEP))
        self.starved = self._inner.can_accept_more_data() and len(out) < _STEP
        return out


class _Zstd:
    #: RFC 9659 §3: zstd over HTTP needs no window over 8 MB (2**23).
    _OPTIONS: ClassVar[dict[int, int]] = {zstd.DecompressionParameter.window_log_max: 23}

    def __init__(self) -> None:
        self._inner = zstd.ZstdDecompressor(options=self._OPTIONS)

    @property
    def eof(self) -> bool:
        return self._inner.eof

    @property
    def starved(self) -> bool:
        return self._inner.needs_input

    @property
    def rest(self) -> bytes:
        return self._inner.unused_data

    def unpack(self, data: bytes) -> bytes:
        return self._inner.decompress(data, _STEP)
