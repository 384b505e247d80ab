"""Messages and texts that several tests send."""

from datetime import UTC, datetime
from typing import Any

from hypothesis import settings
from hypothesis import strategies as st

from wireroom.delivery.message import Message
from wireroom.feeds.model import Enclosure, SafeHtml

#: For properties over big texts: no deadline for one example, since machines are busy at times.
unhurried = settings(deadline=None, max_examples=60)

NOON = datetime(2026, 11, 30, 12, tzinfo=UTC)


def message(body: str = "<p>First lines.</p>", **changes: Any) -> Message:
    """An ordinary entry, with what a test wants to be different."""
    fields: dict[str, Any] = {
        "feed_title": "Example Blog",
        "title": "Release 4.2 & notes",
        "link": "https://example.org/p/9?a=1&b=2",
        "author": "A. Writer",
        "published": NOON,
        "site_url": "https://example.org/",
    }
    return Message(body=SafeHtml(body), **{**fields, **changes})


_CONTAINERS = (
    "p",
    "div",
    "b",
    "strong",
    "i",
    "em",
    "u",
    "s",
    "del",
    "code",
    "pre",
    "blockquote",
    "h1",
    "h3",
    "h5",
    "ul",
    "ol",
    "li",
    "table",
    "tr",
    "td",
    "th",
    "span",
    "a",
)
_ATTRIBUTES = {
    "a": ' href="https://example.org/a?x=1&amp;y=(2)"',
    "code": ' class="language-py"',
    "span": ' class="spoiler"',
    "ol": ' start="7"',
}
_WORDS = st.sampled_from(
    [
        "plain",
        "two words",
        " edges ",
        "1. one",
        "# no heading",
        "- dash",
        "*stars* and_under_scores",
        "`tick` ```fence```",
        "@everyone &lt;@&amp;123&gt; [x](https://evil.example)",
        "https://example.com/a_b_c",
        "&amp;nbsp;&nbsp;&lt;b&gt;",
        "👩‍👩‍👧‍👦🇩🇪🇫🇷👍🏽",
        "ёжик\u0301\u0301",
        "\t\ttabs\r\nand\u2028more\u202e",
        "]] || ~~ __ ** \\",
        "x" * 700,
        "слово " * 90,
    ]
)
_PIECES = st.one_of(
    _WORDS,
    st.text(max_size=12),
    st.sampled_from(_CONTAINERS).map(lambda tag: f"<{tag}{_ATTRIBUTES.get(tag, '')}>"),
    st.sampled_from(_CONTAINERS).map(lambda tag: f"</{tag}>"),
    st.sampled_from(["<br>", "<hr>", '<img src="https://example.org/i.png">']),
)
#: HTML of any shape, well nested or not: more than the sanitiser lets through.
any_html = st.lists(_PIECES, max_size=40).map("".join).map(SafeHtml)
#: The same in bulk, so that texts run over every limit.
long_html = st.tuples(any_html, st.integers(1, 40)).map(lambda pair: SafeHtml(pair[0] * pair[1]))

any_line = st.one_of(
    st.text(max_size=400),
    _WORDS,
    st.sampled_from(["", "  ", "Clyde's Discord", "\u200b", "😀" * 200]),
)


_ENCLOSURES = (
    (),
    (Enclosure("https://example.org/1.mp4", "video/mp4"),),
    (Enclosure("https://example.org/1.mp3", "audio/mpeg", 9, 60),),
    (Enclosure("https://example.org/1.png", "image/png"), Enclosure("x", "image/png")),
)


@st.composite
def any_message(draw: st.DrawFn) -> Message:
    """An entry with every field at its worst."""
    urls = st.sampled_from(
        ["", "not a url", "https://example.org/x", "https://example.org/" + "y" * 3000, "http://"]
    )
    return Message(
        feed_title=draw(any_line),
        title=draw(any_line),
        link=draw(urls),
        body=draw(long_html),
        author=draw(any_line),
        published=draw(st.sampled_from([None, NOON])),
        site_url=draw(urls),
        icon_url=draw(urls),
        image_url=draw(urls),
        laid_out=draw(st.one_of(st.none(), any_html)),
        page_url=draw(urls),
        tags=draw(st.sampled_from([(), ("new", "crab")])),
        enclosures=draw(st.sampled_from(_ENCLOSURES)),
    )
