"""Items read off as text: the same as through the parser, or not at all."""

import re
from dataclasses import replace
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.corpus import corpus_folder
from wireroom.errors import NotAFeed
from wireroom.feeds import flat, parse
from wireroom.feeds.model import Digest, ParsedFeed

_URL = "http://feed.example/feed.xml"
_HEAD = (
    '<rss version="2.0" xmlns:dc="http://purl.org/dc/elements/1.1/"'
    ' xmlns:m="http://search.yahoo.com/mrss/"><channel><title>t</title>'
)
_END = re.compile(rb"(</(?:[\w-]+:)?(?:item|entry)>)")

_INSIDE = {
    "text": "<title>a</title><link>http://x.example/</link>",
    "xml's own references": "<title>a &amp; b &lt; &quot;c&quot; &apos;d&apos; &gt;</title>",
    "doubly escaped": "<description>&amp;lt;p&amp;gt; &#38;amp; &#x26;lt;b&gt;</description>",
    "numeric": "<title>&#8217;&#x2019;&#146;&#10;</title>",
    "cdata": "<description>\n <![CDATA[<p>a]] > b</p> &nbsp;]]>\n</description>",
    "carriage returns": "<description>a\r\nb\rc</description>",
    "empty elements": "<guid/><title></title><link />",
    "attributes": "<guid isPermaLink = 'false' a=\"1\n2\">x</guid><category a=''>c</category>",
    "prefixes": "<dc:creator>me</dc:creator><dc:date>2020-01-01T00:00:00Z</dc:date>",
    "other prefix": '<m:thumbnail url="http://x.example/a.png" width="1"/>',
    "group": "<media:group><media:community><media:statistics views='1'/></media:community>"
    "<media:description>d</media:description></media:group>",
    "undeclared prefix": "<itunes:duration>1:02</itunes:duration><media:title>t</media:title>",
    "blanks in tags": "<title >a</title\n><pubDate\n>Mon, 01 Jan 2024 10:00:00 GMT</pubDate>",
    "author inside": "<author><name>A</name><email>a@x.example</email></author>",
    "text between": "loose <title>a</title> text",
}
_LEFT_TO_THE_PARSER = {
    "comment": "<title>a<!-- b --></title>",
    "markup": "<description><p>a</p></description>",
    "html reference": "<title>a&nbsp;b</title>",
    "bare ampersand": "<title>a & b</title>",
    "namespace declared": '<dc:creator xmlns:dc="urn:x">me</dc:creator>',
    "base": '<link xml:base="/a/">b</link>',
    "forbidden character": "<title>a\x0bb</title>",
    "forbidden reference": "<title>a&#11;b</title>",
    "end tag missing": "<title>a<link>b</link>",
    "two of an attribute": '<link href="a" href="b"/>',
    "end of a section in text": "<title>a ]]> b</title>",
    "instruction": "<?php a ?><title>a</title>",
}


def _document(inside: str) -> bytes:
    return f"{_HEAD}<item>{inside}</item></channel></rss>".encode()


def _is_flat(inside: str) -> bool:
    item = f"<item>{inside}</item>".encode()
    shell = flat.shell_of(item)
    return shell is not None and flat.elements_of(item, shell) is not None


def _read(document: bytes) -> ParsedFeed | None:
    """What is read of a document, without what stands for its bytes."""
    try:
        feed = parse.read(document, url=_URL)
    except NotAFeed:
        return None
    items = tuple(replace(item, digest=Digest(b"")) for item in feed.items)
    return replace(feed, items=items, warnings=())


def _through_the_parser(document: bytes) -> ParsedFeed | None:
    """As `_read`, with a comment in every item, which is enough for none to be read flat."""
    return _read(_END.sub(rb"<!-- -->\1", document))


@pytest.mark.parametrize("inside", _INSIDE.values(), ids=_INSIDE)
def test_flat_reading_equals_that_of_the_parser(inside: str) -> None:
    """What is read flat gives the item that the parser's tree gives."""
    document = _document(inside)

    assert _is_flat(inside)
    assert _through_the_parser(document) == _read(document)


@pytest.mark.parametrize("inside", _LEFT_TO_THE_PARSER.values(), ids=_LEFT_TO_THE_PARSER)
def test_what_needs_a_parser_is_left_to_it(inside: str) -> None:
    """Nothing but plain elements is read flat."""
    assert not _is_flat(inside)


_PIECES = st.sampled_from(
    [
        *("<title>", "</title>", "<link>", "</link>", "<description>", "</description>"),
        *("<![CDATA[", "]]>", "&amp;", "&lt;", "&#65;", "&nbsp;", "&", "a", " ", "\r\n", "é"),
        *("<guid isPermaLink='true'>", "</guid>", "<category term='x'/>", "<b>", "</b>"),
        *("<author>", "<name>", "</name>", "</author>", "<!--", "-->", "]]", "'", '"', ">"),
    ]
)


@given(st.lists(_PIECES, max_size=14).map("".join))
def test_pieces_of_markup_are_read_alike(inside: str) -> None:
    """However pieces of markup meet, what is read flat equals what the parser reads."""
    if _is_flat(inside):
        document = _document(inside)

        assert _through_the_parser(document) == _read(document)


def test_lines_of_warnings_keep_their_numbers() -> None:
    """A warning behind items that are read flat still names its line."""
    item = "<item>\n<title>a</title>\n</item>\n"
    document = f"{_HEAD}\n{item * 3}<copyright>a & b</copyright></channel></rss>".encode()

    assert [11] == [warning.line for warning in parse.read(document, url=_URL).warnings]


def test_the_wild_corpus_is_read_alike() -> None:
    """Every real feed gives the same, read flat and through the parser."""
    different = []
    for path in filter(Path.is_file, corpus_folder("wild").rglob("*")):
        document = path.read_bytes()
        if b"<!--" not in document and _through_the_parser(document) != _read(document):
            different.append(path.name)

    assert [] == different
