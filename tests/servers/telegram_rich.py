"""What sendRichMessage takes (Bot API 10.1): its tags, strictly nested, and its limits."""

from html.parser import HTMLParser

from tests.servers.telegram_html import utf16
from tests.servers.telegram_wire import Refused

_BLOCKS = frozenset(
    {"p", "h1", "h2", "h3", "h4", "h5", "h6", "ul", "ol", "li", "blockquote", "aside", "pre"}
    | {"table", "tr", "th", "td", "details", "hr", "footer"}
)
_INLINE = frozenset(["b", "i", "u", "s", "spoiler", "sub", "sup", "mark", "code", "a"])


class _Reader(HTMLParser):
    def __init__(self) -> None:
        super().__init__()
        self.open: list[str] = []
        self.text: list[str] = []
        self.blocks = 0
        self.columns = 0

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        if tag not in _BLOCKS | _INLINE:
            raise Refused(400, f"Bad Request: can't parse rich message: unsupported tag {tag!r}")
        if tag in _BLOCKS:
            self.blocks += 1
            if any(each in _INLINE for each in self.open):
                raise Refused(400, "Bad Request: can't parse rich message: block inside of text")
        if tag == "tr":
            self.columns = 0
        if tag in ("td", "th"):
            self.columns += 1
        if self.blocks > 500 or len(self.open) > 16 or self.columns > 20:
            raise Refused(400, "Bad Request: rich message is too complex")
        if tag != "hr":
            self.open.append(tag)

    def handle_endtag(self, tag: str) -> None:
        if not self.open or self.open.pop() != tag:
            raise Refused(400, f"Bad Request: can't parse rich message: unexpected end of {tag!r}")

    def handle_data(self, data: str) -> None:
        if not self.open and data.strip():
            raise Refused(400, "Bad Request: can't parse rich message: text outside of blocks")
        self.text.append(data)


def read_rich(source: str) -> str:
    """The visible text. Raises Refused."""
    reader = _Reader()
    reader.feed(source)
    reader.close()
    if reader.open:
        raise Refused(400, "Bad Request: can't parse rich message: unclosed tag")
    text = "".join(reader.text)
    if not text.strip():
        raise Refused(400, "Bad Request: message text is empty")
    if utf16(text) > 32_768:
        raise Refused(400, "Bad Request: message is too long")
    return text
