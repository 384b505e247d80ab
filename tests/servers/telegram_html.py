"""HTML parse mode as the Bot API server reads it, written from its documented behaviour only.

Independent of the renderer on purpose: it is what the renderer is measured by. Everything that the
server would drop or mend in silence is listed in `Parsed.lost`.
"""

import re
from dataclasses import dataclass, field
from html import unescape
from urllib.parse import urlsplit

_KINDS = {
    "b": "bold",
    "strong": "bold",
    "i": "italic",
    "em": "italic",
    "u": "underline",
    "ins": "underline",
    "s": "strikethrough",
    "strike": "strikethrough",
    "del": "strikethrough",
    "span": "spoiler",
    "tg-spoiler": "spoiler",
    "a": "text_link",
    "code": "code",
    "pre": "pre",
    "blockquote": "blockquote",
}
_ENTITY = re.compile(r"&(?:(lt|gt|amp|quot)|#(\d{1,7})|#[xX]([0-9a-fA-F]{1,6}));?")
_TEXT = re.compile(r"[^<&]*")
_NAME = re.compile(r"[^\s>]*")
_ATTRIBUTE_NAME = re.compile(r"[^\s=>]+")
_BARE_VALUE = re.compile(r"[A-Za-z0-9.-]+")
_SPACE = re.compile(r"\s*")
_DROPPED = re.compile("[\r\u2028-\u202e]")
_CONTROL = re.compile("[\x00-\x09\x0b-\x1f]")
_ZERO_WIDTH = "\u200b\u200c\u200d\u200e\u200f\u2060\ufeff\u00ad\u3164\u2800"

MOST_BYTES = 35_000
MOST_ENTITIES = 100


class CannotParse(Exception):
    """The description that comes with 400, without its prefix."""


@dataclass(frozen=True)
class Entity:
    """Offset and length in UTF-16 units."""

    kind: str
    offset: int
    length: int
    url: str = ""
    language: str = ""

    @property
    def end(self) -> int:
        return self.offset + self.length

    def as_json(self) -> dict[str, object]:
        extra = {"url": self.url} if self.url else {}
        extra |= {"language": self.language} if self.language else {}
        return {"type": self.kind, "offset": self.offset, "length": self.length, **extra}


@dataclass
class Parsed:
    text: str
    entities: list[Entity] = field(default_factory=list)
    #: What the server would lose or change without saying so.
    lost: list[str] = field(default_factory=list)


def utf16(text: str) -> int:
    return len(text.encode("utf-16-le", "surrogatepass")) // 2


def read_plain(raw: str) -> Parsed:
    """A text sent without parse mode."""
    return _trimmed(Parsed(_normal(raw)))


def read_html(raw: str) -> Parsed:
    """A text sent in HTML parse mode; raises CannotParse."""
    size = len(raw.encode())
    parsed = Parsed("")
    if size >= MOST_BYTES:
        parsed.lost.append(f"raw text of {size} bytes is clamped")
    _Parser(raw, parsed).run()
    parsed = _trimmed(parsed)
    if len(parsed.entities) > MOST_ENTITIES:
        parsed.lost.append(f"{len(parsed.entities)} entities")
    parsed.lost += _nesting_faults(parsed.entities)
    return parsed


class _Parser:
    def __init__(self, raw: str, parsed: Parsed) -> None:
        self.raw = raw
        self.at = 0
        self.out: list[str] = []
        self.length = 0
        #: Name, attributes, offset, pieces before it, tags before it.
        self.open: list[tuple[str, dict[str, str], int, int, int]] = []
        self.tags = 0
        self.found: list[tuple[int, Entity]] = []
        self.parsed = parsed

    def run(self) -> None:
        while self.at < len(self.raw):
            character = self.raw[self.at]
            if character == "<":
                self.tag()
            else:
                self.character()
        if self.open:
            raise CannotParse(
                f'can\'t find end tag corresponding to start tag "{self.open[-1][0]}"'
            )
        self.parsed.text = "".join(self.out)
        self.found.sort(key=lambda pair: (pair[1].offset, -pair[1].length, pair[0]))
        self.parsed.entities = [entity for _, entity in self.found]

    def put(self, text: str) -> None:
        text = _normal(text)
        self.out.append(text)
        self.length += utf16(text)

    def character(self) -> None:
        found = _ENTITY.match(self.raw, self.at)
        if found:
            self.put(_decoded(found))
            self.at = found.end()
        else:
            self.put(self.raw[self.at] + self.take(_TEXT, self.at + 1))

    def tag(self) -> None:
        start = self.at
        offset = len(self.raw[:start].encode())
        if self.raw.startswith("</", start):
            self.end_tag(offset)
            return
        name = self.take(_NAME, start + 1).lower()
        if self.at >= len(self.raw):
            raise CannotParse(f"unclosed start tag at byte offset {offset}")
        if name not in _KINDS and name not in ("tg-emoji", "tg-time"):
            raise CannotParse(f'unsupported start tag "{name}" at byte offset {offset}')
        attributes = self.attributes(name, offset)
        if name == "span" and attributes.get("class") != "tg-spoiler":
            raise CannotParse(f'tag "span" must have class "tg-spoiler" at byte offset {offset}')
        self.open.append((name, attributes, self.length, len(self.out), self.tags))
        self.tags += 1

    def attributes(self, name: str, offset: int) -> dict[str, str]:
        found: dict[str, str] = {}
        while True:
            self.take(_SPACE, self.at)
            if self.at >= len(self.raw):
                raise CannotParse(f"unclosed start tag at byte offset {offset}")
            if self.raw[self.at] == ">":
                self.at += 1
                return found
            key = self.take(_ATTRIBUTE_NAME, self.at).lower()
            if not key:
                raise CannotParse(
                    f'empty attribute name in the tag "{name}" at byte offset {offset}'
                )
            self.take(_SPACE, self.at)
            found[key] = ""
            if self.raw[self.at : self.at + 1] == "=":
                self.take(_SPACE, self.at + 1)
                found[key] = self.value(name, offset)

    def value(self, name: str, offset: int) -> str:
        quote = self.raw[self.at : self.at + 1]
        if quote in ('"', "'") and quote:
            end = self.raw.find(quote, self.at + 1)
            if end < 0:
                raise CannotParse(
                    f'unclosed attribute in the tag "{name}" at byte offset {offset}'
                )
            text = self.raw[self.at + 1 : end]
            self.at = end + 1
            return _ENTITY.sub(_decoded, text)
        text = self.take(_BARE_VALUE, self.at)
        if not text:
            raise CannotParse(f'unquoted attribute in the tag "{name}" at byte offset {offset}')
        return text

    def end_tag(self, offset: int) -> None:
        name = self.take(_NAME, self.at + 2).lower()
        if self.raw[self.at : self.at + 1] != ">":
            raise CannotParse(f"unclosed end tag at byte offset {offset}")
        self.at += 1
        if not self.open:
            raise CannotParse(f"unexpected end tag at byte offset {offset}")
        opened, attributes, start, first_piece, order = self.open.pop()
        if name not in ("", opened):
            raise CannotParse(
                f'unmatched end tag at byte offset {offset}, expected "</{opened}>", '
                f'found "</{name}>"'
            )
        if self.length > start:
            text = "".join(self.out[first_piece:])
            if entity := self.entity(opened, attributes, start, text):
                self.found.append((order, entity))

    def entity(
        self, name: str, attributes: dict[str, str], start: int, text: str
    ) -> Entity | None:
        kind, length = _KINDS.get(name, "custom"), self.length - start
        if kind == "text_link":
            url = attributes.get("href") or text
            if _is_url(url):
                return Entity(kind, start, length, url=url)
            self.parsed.lost.append(f"link to {url!r}")
            return None
        language = attributes.get("class", "").removeprefix("language-") if name == "code" else ""
        last = self.found[-1][1] if self.found else None
        if kind == "pre" and last and last == Entity("code", start, length, "", last.language):
            language = self.found.pop()[1].language
        return Entity(kind, start, length, language=language)

    def take(self, pattern: re.Pattern[str], at: int) -> str:
        found = pattern.match(self.raw, at)
        self.at = found.end() if found else at
        return found[0] if found else ""


def _decoded(found: re.Match[str]) -> str:
    if found[1]:
        return unescape(f"&{found[1]};")
    code = int(found[2]) if found[2] else int(found[3], 16)
    return chr(code) if 0 < code < 0x110000 and not 0xD800 <= code < 0xE000 else found[0]


def _normal(text: str) -> str:
    return _CONTROL.sub(" ", _DROPPED.sub("", text))


def _trimmed(parsed: Parsed) -> Parsed:
    text = parsed.text.lstrip(" \n")
    shift = utf16(parsed.text) - utf16(text)
    text = text.rstrip()
    end = utf16(text)
    entities = []
    for entity in parsed.entities:
        first = max(0, entity.offset - shift)
        last = min(end, entity.end - shift)
        if last > first:
            entities.append(Entity(entity.kind, first, last - first, entity.url, entity.language))
    visible = text.strip(_ZERO_WIDTH + " \n")
    return Parsed(text if visible else "", entities, parsed.lost)


def _is_url(url: str) -> bool:
    try:
        parts = urlsplit(url)
        host = parts.hostname or ""
        _ = parts.port
    except ValueError:
        return False
    return parts.scheme in ("http", "https", "tg", "ton") and ("." in host or parts.scheme == "tg")


def _nesting_faults(entities: list[Entity]) -> list[str]:
    faults = []
    open_now: list[Entity] = []
    for entity in entities:
        open_now = [outer for outer in open_now if outer.end > entity.offset]
        for outer in open_now:
            if _is_forbidden(entity.kind, outer.kind):
                faults.append(f"{entity.kind} in {outer.kind}")
            elif entity.end > outer.end:
                faults.append(f"{entity.kind} crosses {outer.kind}")
        open_now.append(entity)
    return faults


def _is_forbidden(inner: str, outer: str) -> bool:
    return (
        outer in ("pre", "code")
        or (inner in ("pre", "code") and outer != "blockquote")
        or (outer == "text_link" and inner in ("text_link", "blockquote"))
        or outer == inner == "blockquote"
    )
