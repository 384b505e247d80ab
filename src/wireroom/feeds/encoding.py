"""Bytes become text: which encoding a document is really in.

The order of belief, most reliable first: byte order mark, the shape of UTF-16/32, being valid
UTF-8 (no 8-bit text of any length is that by chance), the HTTP charset, the document's own
declaration, UTF-8 with other bytes in it (`feeds.mixed`), and last a guess from statistics. What
is nearly all UTF-8 is that against every claim. Labels mean what they mean to browsers (WHATWG):
"iso-8859-1" is windows-1252, "gb2312" is GB 18030, and so on.
"""

import re
from codecs import (
    BOM_UTF8,
    BOM_UTF16_BE,
    BOM_UTF16_LE,
    BOM_UTF32_BE,
    BOM_UTF32_LE,
    getincrementaldecoder,
    lookup,
)
from dataclasses import dataclass

import chardet

from wireroom.feeds import mixed

#: Bytes shown to the detector; it costs about 0.1 s per 100 KB.
_SAMPLE_BYTES = 32_768
#: A document may lose one character in so many under a claimed encoding before we doubt the claim.
_TOLERATED_LOSS = 50
#: Bytes checked at a time.
_PIECE = 1_048_576

# UTF-32 first: its little-endian mark begins with that of UTF-16.
_MARKS = (
    (BOM_UTF8, "utf-8"),
    (BOM_UTF32_LE, "utf-32-le"),
    (BOM_UTF32_BE, "utf-32-be"),
    (BOM_UTF16_LE, "utf-16-le"),
    (BOM_UTF16_BE, "utf-16-be"),
)
_SHAPES = (
    (re.compile(rb"(?:[ \t\r\n]\0{3})*[<{]\0{3}[^\0]\0{3}"), "utf-32-le"),
    (re.compile(rb"(?:\0{3}[ \t\r\n])*\0{3}[<{]\0{3}[^\0]"), "utf-32-be"),
    (re.compile(rb"(?:[ \t\r\n]\0)*[<{]\0[^\0]\0"), "utf-16-le"),
    (re.compile(rb"(?:\0[ \t\r\n])*\0[<{]\0[^\0]"), "utf-16-be"),
)
_EBCDIC_DECLARATION = b"\x4c\x6f\xa7\x94\x93"  # "<?xml" (XML 1.0, appendix F)

_ASCII_LETTERS = bytes(range(65, 91)) + bytes(range(97, 123))
_HIGH_BYTES = bytes(range(128, 256))
_WESTERN_LETTERS_PER_ACCENT = 3
_WIDE_MARKS = (*(mark for mark, name in _MARKS if name != "utf-8"), _EBCDIC_DECLARATION)

_CHARSET = re.compile(r"charset\s*=\s*[\"']?\s*([^\s;\"',]+)", re.IGNORECASE)
_DECLARED = re.compile(rb"<\?xml[^>]*?encoding\s*=\s*[\"']\s*([\w.:+-]+)", re.IGNORECASE)

# What a label means in practice: https://encoding.spec.whatwg.org/#names-and-labels
_WIDER = {
    "ascii": "cp1252",
    "iso8859-1": "cp1252",
    "iso8859-9": "cp1254",
    "iso8859-11": "cp874",
    "tis-620": "cp874",
    "gb2312": "gb18030",
    "gbk": "gb18030",
    "euc_kr": "cp949",
    "shift_jis": "cp932",
    "big5": "big5hkscs",
}
_ALIASES = {
    "x-sjis": "cp932",
    "windows-31j": "cp932",
    "windows-949": "cp949",
    "ks_c_5601-1987": "cp949",
    "windows-874": "cp874",
    "x-gbk": "gb18030",
    "x-euc-jp": "euc_jp",
    "x-x-big5": "big5hkscs",
    "x-mac-cyrillic": "mac_cyrillic",
    "x-mac-roman": "mac_roman",
    "macintosh": "mac_roman",
    "utf8": "utf-8",
}
#: Python codecs that are character sets; others (base64, punycode, utf-7, ...) are never meant.
_CHARACTER_SETS = re.compile(
    r"ascii|utf-8|iso8859|cp\d|koi8|mac[_-]|euc|shift_jis|big5|gb|iso2022|hz|johab|tis|ptcp|kz1048"
)
#: A section of HZ begins; two signs are found faster so than by their bytes.
_HZ = re.compile(rb"~[{]")
_ESCAPED = re.compile(r"iso2022|hz")  # 7-bit encodings that pass for ASCII
_CP1252_GAPS = {
    code: bytes([code]).decode("cp1252", "ignore") or chr(code) for code in range(0x80, 0xA0)
}


@dataclass(frozen=True, slots=True)
class Decoded:
    """A document as text; `source` says what decided (see `ParsedFeed.encoding_source`).

    `lost` counts characters that could not be read and were left out.
    """

    text: str
    encoding: str
    source: str
    lost: int = 0


@dataclass(frozen=True, slots=True)
class Utf8:
    """A document as valid UTF-8; `problems` are sentences about what had to be mended for that."""

    utf8: bytes
    encoding: str
    source: str
    problems: tuple[str, ...] = ()


def utf8(body: bytes, content_type: str = "") -> Utf8:
    """`body` as UTF-8: itself where it is that, so that no text is made of it; never fails."""
    if not is_wide(body) and is_plain_utf8(body):
        return _without_mark(body)
    decoded = read(body, content_type)
    problems = []
    if decoded.source == "detected" and not decoded.encoding.startswith("utf-"):
        problems.append(f"the encoding is not stated as it is; {decoded.encoding} was guessed")
    if decoded.lost:
        problems.append(f"{decoded.lost} characters could not be read as {decoded.encoding}")
    text = decoded.text.encode("utf-8", "ignore")
    return Utf8(text, decoded.encoding, decoded.source, tuple(problems))


def assumed_utf8(body: bytes) -> Utf8 | None:
    """`body` as what `utf8` gives if all its parts are `is_plain_utf8`; None where it says not."""
    declared = _DECLARED.match(body)
    if is_wide(body) or (declared is not None and declared[1].lower() != b"utf-8"):
        return None
    return _without_mark(body)


def is_plain_utf8(part: bytes) -> bool:
    """Whether `part` is valid UTF-8 that nothing of ISO 2022 or HZ can hide in."""
    return is_utf8(part) and b"\x1b" not in part and _HZ.search(part) is None


def _without_mark(body: bytes) -> Utf8:
    if body.startswith(BOM_UTF8):
        return Utf8(body[len(BOM_UTF8) :], "utf-8", "bom")
    return Utf8(body, "utf-8", "utf-8")


def read(body: bytes, content_type: str = "") -> Decoded:
    """Decode `body`; never fails. `content_type` is the HTTP header's value."""
    return (
        _by_mark(body)
        or _by_shape(body)
        or _as_utf8(body, content_type)
        or _as_nearly_utf8(body, content_type)
        or _as_claimed(body, content_type)
        or _as_mixed(body, content_type)
        or _as_damaged_claim(body, content_type)
        or _detected(body)
    )


def is_wide(body: bytes) -> bool:
    """Whether `body` is UTF-16, UTF-32 or EBCDIC, so that ASCII cannot be searched in it."""
    return body.startswith(_WIDE_MARKS) or (
        b"\0" in body[:64] and any(shape.match(body) for shape, _ in _SHAPES)
    )


def repair_double_utf8(text: str) -> str:
    """Undo UTF-8 that was taken for Latin-1 and encoded again; other text comes back unchanged."""
    try:
        return text.encode("latin-1").decode("utf-8")
    except UnicodeError:
        return text


def is_utf8(body: bytes) -> bool:
    """Whether `body` is valid UTF-8, found out in pieces to keep memory small."""
    if body.isascii():
        return True
    decode = getincrementaldecoder("utf-8")().decode
    try:
        if len(body) <= _PIECE:
            body.decode("utf-8")
            return True
        for start in range(0, len(body), _PIECE):
            decode(body[start : start + _PIECE], final=start + _PIECE >= len(body))
    except UnicodeDecodeError:
        return False
    return True


def _by_mark(body: bytes) -> Decoded | None:
    for mark, name in _MARKS:
        if body.startswith(mark):
            return _decoded_anyway(body[len(mark) :], name, "bom")
    return None


def _by_shape(body: bytes) -> Decoded | None:
    for shape, name in _SHAPES:
        if shape.match(body):
            return _decoded_anyway(body, name, "detected")
    if body.startswith(_EBCDIC_DECLARATION):
        declared = _DECLARED.match(body[:200].decode("cp037", "replace").encode())
        name = _codec(declared[1].decode()) if declared else ""
        return _decoded_anyway(body, name if name.startswith("cp") else "cp037", "declaration")
    return None


def _as_utf8(body: bytes, content_type: str) -> Decoded | None:
    try:
        text = body.decode("utf-8")
    except UnicodeDecodeError:
        return None
    if "\x1b" in text or "~{" in text:
        for name, source in _claims(body, content_type):
            if _ESCAPED.match(name) and (decoded := _decoded(body, name, source)):
                return decoded
    return Decoded(text, "utf-8", "utf-8")


def _as_claimed(body: bytes, content_type: str) -> Decoded | None:
    for name, source in _claims(body, content_type):
        if decoded := _decoded(body, name, source):
            return decoded
    return None


def _as_nearly_utf8(body: bytes, content_type: str) -> Decoded | None:
    """UTF-8 against whatever is claimed, but for a letter here and there."""
    return _mixed(body, content_type) if mixed.is_nearly_utf8(body) else None


def _as_mixed(body: bytes, content_type: str) -> Decoded | None:
    """UTF-8 with pieces, letters or bytes in it that are none (PRS-32)."""
    is_declared = any(name == "utf-8" for name, _ in _claims(body, content_type))
    if not mixed.is_mixed(body, is_declared=is_declared):
        return None
    decoded = _mixed(body, content_type)
    return None if decoded.lost * 2 > len(body) else decoded


def _mixed(body: bytes, content_type: str) -> Decoded:
    claims = [name for name, _ in _claims(body, content_type) if name != "utf-8"]

    def foreign(piece: bytes) -> str:
        for name in claims:
            if decoded := _decoded(piece, name, "declaration"):
                return decoded.text
        return _windows_1252(piece) if mixed.is_western(piece) else _detected(piece).text

    text, lost = mixed.text_of(body, foreign)
    return Decoded(text, "utf-8", "replaced", lost)


def _as_damaged_claim(body: bytes, content_type: str) -> Decoded | None:
    for name, source in _claims(body, content_type):
        if name != "utf-8" and not _ESCAPED.match(name):
            decoded = _decoded_anyway(body, name, source)
            if decoded.lost * _TOLERATED_LOSS <= len(decoded.text):
                return decoded
    return None


def _detected(body: bytes) -> Decoded:
    sample = _telling_part(body)
    letters = len(sample) - len(sample.translate(None, _ASCII_LETTERS))
    high = len(sample) - len(sample.translate(None, _HIGH_BYTES))
    # Accents among ASCII letters are a Western language; the detector takes few of them for
    # anything.
    is_western = high * _WESTERN_LETTERS_PER_ACCENT < letters
    guess = None if is_western else chardet.detect(sample).get("encoding")
    name = _codec(guess) if guess else ""
    if name and name != "utf-8" and (decoded := _decoded(body, name, "detected")):
        return decoded
    return Decoded(_windows_1252(body), "windows-1252", "detected")


def _telling_part(body: bytes) -> bytes:
    """The lines that are not pure ASCII: they alone tell encodings apart."""
    lines = re.findall(rb"[^\n<>]*[\x80-\xff][^\n<>]*", body[: 16 * _SAMPLE_BYTES])
    return b"\n".join(lines)[:_SAMPLE_BYTES] or body[:_SAMPLE_BYTES]


def _claims(body: bytes, content_type: str) -> list[tuple[str, str]]:
    """(codec, source) of every usable claim about the encoding, the HTTP header's first."""
    claims = []
    if header := _CHARSET.search(content_type):
        claims.append((_codec(header[1]), "header"))
    if declared := _DECLARED.search(body, 0, 1024):
        claims.append((_codec(declared[1].decode("ascii", "ignore")), "declaration"))
    return [claim for claim in claims if claim[0]]


def _codec(label: str) -> str:
    """The codec that `label` means in practice, or "" when it is none that a feed could be in."""
    label = label.strip().lower()
    try:
        name = lookup(_ALIASES.get(label, label)).name
    except (LookupError, ValueError):
        return ""
    return _WIDER.get(name, name) if _CHARACTER_SETS.match(name) else ""


def _decoded(body: bytes, name: str, source: str) -> Decoded | None:
    if name == "cp1252":
        return Decoded(_windows_1252(body), "windows-1252", source)
    try:
        return Decoded(body.decode(name), _public_name(name), source)
    except (UnicodeError, LookupError):
        return None


def _decoded_anyway(body: bytes, name: str, source: str) -> Decoded:
    text = body.decode(name, "replace")
    lost = text.count("�")
    return Decoded(text.replace("�", "") if lost else text, _public_name(name), source, lost)


def _windows_1252(body: bytes) -> str:
    """windows-1252 as browsers read it: the five unassigned bytes are C1 controls."""
    try:
        return body.decode("cp1252")
    except UnicodeDecodeError:
        return body.decode("latin-1").translate(_CP1252_GAPS)


def _public_name(codec: str) -> str:
    """The codec's usual name on the web: "utf-16le", "windows-1251"."""
    if re.fullmatch(r"cp125\d|cp874", codec):
        return codec.replace("cp", "windows-")
    return re.sub(r"^(utf-\d\d)-", r"\1", codec).replace("iso8859-", "iso-8859-").replace("_", "-")
