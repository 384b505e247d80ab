"""JSON of feeds, also where it is broken: control characters, lone surrogates, a missing end."""

import json
import re
from codecs import BOM_UTF8
from typing import Any

import msgspec

from wireroom.feeds import encoding, loose_json
from wireroom.feeds.model import Warning  # noqa: A004

#: Values in one document. More than that is no feed, and memory for them would know no bounds.
MAX_VALUES = 500_000

BROKEN = "the JSON is broken and was mended: "

_ESCAPE = re.compile(r"\\u[dD][89abAB]..\\u[dD][c-fC-F]..|\\u[dD][89a-fA-F]..|\\.", re.DOTALL)
_WHOLE_PAIR = 12
_SURROGATE = re.compile(r"\\u[dD][89a-fA-F]")
_TRAILING_COMMA = re.compile(r",(\s*[\]}])")


class Document(msgspec.Struct):
    """The top of a JSON Feed. Fields may be of any type; `items` is raw JSON."""

    version: Any = None
    title: Any = None
    description: Any = None
    home_page_url: Any = None
    feed_url: Any = None
    hubs: Any = None
    icon: Any = None
    favicon: Any = None
    language: Any = None
    authors: Any = None
    author: Any = None
    expired: Any = None
    items: msgspec.Raw = msgspec.Raw(b"[]")


_DECODER = msgspec.json.Decoder(Document)
_ITEM_DECODER = msgspec.json.Decoder()
_LENIENT = json.JSONDecoder(strict=False)


def read(body: bytes, content_type: str, warnings: list[Warning]) -> Document | None:
    """The document in `body`; None when it is no JSON object, broken or not."""
    if len(body) > MAX_VALUES and sum(map(body.count, (b",", b"[", b"{"))) > MAX_VALUES:
        return None
    if not encoding.is_wide(body) and encoding.is_utf8(body):
        try:
            return _DECODER.decode(body.removeprefix(BOM_UTF8))
        except (msgspec.DecodeError, UnicodeDecodeError, RecursionError) as error:
            problem = str(error)
    else:
        problem = "" if encoding.is_wide(body) else "it is not UTF-8"
    text = encoding.read(body, content_type).text.lstrip("\ufeff \t\r\n")
    document = _mended(text)
    if document is not None and problem:
        warnings.append(Warning(BROKEN + problem))
    return document


def item(raw: msgspec.Raw) -> object:
    """The value of one raw item; None where it cannot be made out."""
    try:
        return _ITEM_DECODER.decode(raw)
    except (msgspec.DecodeError, RecursionError):
        text = bytes(raw).decode("utf-8", "ignore")
    try:
        value: object = _LENIENT.decode(_ESCAPE.sub(_without_lone_surrogate, text))
    except (ValueError, RecursionError):
        return None
    return value


def _mended(text: str) -> Document | None:
    text = _ESCAPE.sub(_without_lone_surrogate, text)
    for attempt in (text, _TRAILING_COMMA.sub(r"\1", text)):
        try:
            value, _ = _LENIENT.raw_decode(attempt)
        except (ValueError, RecursionError):
            continue
        return _document(value) if isinstance(value, dict) else None
    value = loose_json.read(text)
    return _document(value) if value is not None else None


def _document(value: dict[str, Any]) -> Document:
    known = {name: value[name] for name in Document.__struct_fields__ if name in value}
    known["items"] = msgspec.Raw(msgspec.json.encode(value.get("items", [])))
    return Document(**known)


def _without_lone_surrogate(match: re.Match[str]) -> str:
    if len(match[0]) == _WHOLE_PAIR or not _SURROGATE.match(match[0]):
        return match[0]
    return r"\ufffd"
