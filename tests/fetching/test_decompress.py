"""Unpacking: honest bodies whole, bombs stopped, broken ones called broken."""

import gzip
import sys
import zlib
from collections.abc import Callable

import brotli
import pytest
from hypothesis import given
from hypothesis import strategies as st

from wireroom.fetching.decompress import BodyTooLarge, BrokenBody, Unpacker, in_words

if sys.version_info >= (3, 14):
    from compression import zstd
else:
    from backports import zstd

LIMIT = 5_000_000


def bare_deflate(data: bytes) -> bytes:
    """Deflate without zlib's wrapping, as many servers send it."""
    packer = zlib.compressobj(wbits=-zlib.MAX_WBITS)
    return packer.compress(data) + packer.flush()


PACKERS: dict[str, tuple[str, Callable[[bytes], bytes]]] = {
    "gzip": ("gzip", gzip.compress),
    "x-gzip": ("x-gzip", gzip.compress),
    "zlib": ("deflate", zlib.compress),
    "bare-deflate": ("deflate", bare_deflate),
    "brotli": ("br", lambda data: bytes(brotli.compress(data, quality=4))),
    "zstd": ("zstd", zstd.compress),
}

each_coding = pytest.mark.parametrize(
    ("coding", "pack"), list(PACKERS.values()), ids=list(PACKERS)
)


def unpack(packed: bytes, *codings: str, step: int = 1 << 30, limit: int = LIMIT) -> bytes:
    unpacker = Unpacker(codings, limit)
    for start in range(0, len(packed), step):
        unpacker.feed(packed[start : start + step])
    return unpacker.finish()


@each_coding
@pytest.mark.parametrize("step", [1, 7, 1000])
def test_body_is_unpacked(coding: str, pack: Callable[[bytes], bytes], step: int) -> None:
    """Every coding gives its body back, wherever the chunks are cut."""
    body = b"<item>wire room</item>" * 500 + bytes(range(256))

    assert body == unpack(pack(body), coding, step=step)


@given(st.binary(max_size=3000), st.sampled_from(list(PACKERS.values())), st.integers(1, 99))
def test_any_body_comes_back(
    body: bytes, packer: tuple[str, Callable[[bytes], bytes]], step: int
) -> None:
    """Random bodies survive packing and unpacking, the empty one among them."""
    coding, pack = packer

    assert body == unpack(pack(body), coding, step=step)


@each_coding
def test_large_body_is_unpacked(coding: str, pack: Callable[[bytes], bytes]) -> None:
    """Bodies of many steps come out whole, up to the very limit."""
    body = b"".join(b"%d," % (number * 7919 % 99991) for number in range(300_000))

    assert body == unpack(pack(body), coding, limit=len(body), step=65536)
    with pytest.raises(BodyTooLarge):
        unpack(pack(body), coding, limit=len(body) - 1, step=65536)


@each_coding
@pytest.mark.parametrize("steps", [1, 2, 3])
def test_few_bytes_give_many(coding: str, pack: Callable[[bytes], bytes], steps: int) -> None:
    """Output that outlasts its input by whole steps is waited for."""
    body = bytes(256 * 1024 * steps)

    assert body == unpack(pack(body), coding)
    assert body == unpack(pack(body), coding, step=1)


@each_coding
def test_bomb_is_stopped_by_its_ratio(coding: str, pack: Callable[[bytes], bytes]) -> None:
    """A body that unpacks to far more than its size is refused although the limit is far off."""
    with pytest.raises(BodyTooLarge, match="hundred times"):
        unpack(pack(bytes(50_000_000)), coding, limit=10**9, step=65536)


@each_coding
def test_bomb_is_stopped_by_its_size(coding: str, pack: Callable[[bytes], bytes]) -> None:
    """What has been unpacked when a bomb is noticed is little more than the limit."""
    unpacker = Unpacker((coding,), 900_000)
    with pytest.raises(BodyTooLarge, match="larger than 900 kB"):
        unpacker.feed(pack(bytes(50_000_000)))

    assert len(unpacker.body) < 2_000_000


@each_coding
@pytest.mark.parametrize("missing", [1, 5, 100])
def test_truncated_body_is_broken(
    coding: str, pack: Callable[[bytes], bytes], missing: int
) -> None:
    """A body that breaks off is refused: shown as it is, items would seem to have vanished."""
    packed = pack(bytes(range(256)) * 20 + b"end")
    with pytest.raises(BrokenBody, match="breaks off"):
        unpack(packed[:-missing], coding)


@pytest.mark.parametrize("name", sorted(PACKERS.keys() - {"brotli"}))
@pytest.mark.parametrize("step", [1, 1000])
def test_padded_body_is_unpacked(name: str, step: int) -> None:
    """Bytes behind the end of the stream are passed over (brotli's decoder calls them damage)."""
    coding, pack = PACKERS[name]

    assert b"feed" == unpack(pack(b"feed") + b"\r\n\0\0\0\0\0\0", coding, step=step)


@pytest.mark.parametrize("name", ["gzip", "zstd"])
@pytest.mark.parametrize("step", [1, 1000])
def test_streams_in_a_row_are_one_body(name: str, step: int) -> None:
    """Several gzip members or zstd frames follow each other, as RFC 1952 and RFC 8878 allow."""
    coding, pack = PACKERS[name]

    assert b"abc" == unpack(pack(b"a") + pack(b"b") + pack(b"c"), coding, step=step)


@pytest.mark.parametrize("name", ["gzip", "zlib"])
def test_damaged_body_is_broken(name: str) -> None:
    """Where there is a checksum, other text than the sender's never gets through."""
    coding, pack = PACKERS[name]
    packed = bytearray(pack(b"".join(b"%d," % number for number in range(5000))))
    packed[len(packed) // 2] ^= 0xFF
    with pytest.raises(BrokenBody, match="damaged"):
        unpack(bytes(packed), coding)


@pytest.mark.parametrize("coding", ["deflate", "br", "zstd"])
def test_body_that_was_never_packed_is_broken(coding: str) -> None:
    """Other codings than gzip have no magic that would tell a false label."""
    with pytest.raises(BrokenBody):
        unpack(b"<rss version='2.0'><channel/></rss>" * 50, coding)


@pytest.mark.parametrize("codings", [("gzip", "gzip"), ("gzip", "br"), ("x-gzip", "zstd")])
def test_second_layer_is_refused(codings: tuple[str, ...]) -> None:
    """One layer of compression is enough for everybody."""
    with pytest.raises(BrokenBody, match="more than once"):
        Unpacker(codings, LIMIT)


def test_gzip_inside_gzip_stays_packed() -> None:
    """A second layer that is not announced is not looked for."""
    inner = gzip.compress(bytes(1000))

    assert inner == unpack(gzip.compress(inner), "gzip")


def test_coding_that_nobody_asked_for_is_refused() -> None:
    """compress is a coding of HTTP, but not one of ours."""
    with pytest.raises(BrokenBody):
        Unpacker(("compress",), LIMIT)


@pytest.mark.parametrize("codings", [(), ("utf-8",), ("none",), ("utf-8", "gzip")])
def test_made_up_coding_means_nothing(codings: tuple[str, ...]) -> None:
    """Names that are no coding occur in the wild, before bodies that are not packed."""
    assert b"<rss/>" == unpack(b"<rss/>", *codings)


@pytest.mark.parametrize("body", [b"<rss/>", b"<", b"\x1f", b""])
def test_unpacked_body_under_a_gzip_label_is_kept(body: bytes) -> None:
    """Some servers announce gzip and then send none; the magic bytes tell."""
    assert body == unpack(body, "gzip")


def test_plain_body_is_limited() -> None:
    """The limit holds for what was never packed as well."""
    assert bytes(LIMIT) == unpack(bytes(LIMIT))
    with pytest.raises(BodyTooLarge, match="larger than 5 MB"):
        unpack(bytes(LIMIT + 1))


@pytest.mark.parametrize(
    ("size", "words"), [(5_000_000, "5 MB"), (1_500_000, "1.5 MB"), (900, "900 bytes")]
)
def test_size_is_put_in_words(size: int, words: str) -> None:
    """People read megabytes."""
    assert words == in_words(size)
