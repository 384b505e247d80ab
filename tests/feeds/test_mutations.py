"""Documents damaged on the way: no exception but NotAFeed, and no whole item lost."""

import random
import re
from itertools import islice

import feedparser
import pytest

from tests.corpus import corpus_folder
from wireroom.errors import NotAFeed
from wireroom.feeds import parse

_URL = "https://x.example/feed"
_ITEMS = "".join(
    f"<item><guid>g{number}</guid><title>Title &amp; {number}</title>"
    f"<description><![CDATA[<p>Text <b>{number}</b> é</p>]]></description></item>\n"
    for number in range(6)
)
_DOCUMENT = (
    f'<?xml version="1.0" encoding="utf-8"?>\n<rss version="2.0"><channel><title>t</title>'
    f"\n{_ITEMS}</channel></rss>"
).encode()
_INSERTED = (b"<", b"&", b"]]>", b"<![CDATA[", b"<!--", b"-->", b"\0", b"\x0b", b"</item>", b'"')
_ENCODINGS = (b"utf-8", b"iso-8859-1", b"utf-16", b"windows-1251", b"shift_jis", b"nonsense")
#: Mutations of corpus documents in one run; more were run by hand.
_MUTATIONS = 100


def _count(document: bytes) -> int:
    """Items read; none of what is no feed."""
    try:
        return len(parse.read(document, url=_URL).items)
    except NotAFeed:
        return 0


def test_whole_items_survive_being_cut_off() -> None:
    """Wherever a document ends too soon, every item that ended before is read."""
    first = _DOCUMENT.index(b"</item>") + 7
    lost = [
        end
        for end in range(first, len(_DOCUMENT))
        if _count(_DOCUMENT[:end]) < _DOCUMENT.count(b"</item>", 0, end)
    ]

    assert [] == lost


@pytest.mark.parametrize("inserted", _INSERTED)
def test_stray_pieces_cost_one_item_at_most(inserted: bytes) -> None:
    """A piece of markup amid an item's text leaves the other five as they were."""
    middle = _DOCUMENT.index(b"Title &amp; 2") + 3

    assert 5 <= _count(_DOCUMENT[:middle] + inserted + _DOCUMENT[middle:])


_FULL_RSS = """<rss version="2.0" xmlns:content="http://purl.org/rss/1.0/modules/content/"
 xmlns:dc="http://purl.org/dc/elements/1.1/"><channel><title>Feed</title>
<link>https://x.example/</link><description>Of all</description><language>en</language>
<item><title>One title</title><link>https://x.example/1</link>
<description>Text &lt;b&gt;one&lt;/b&gt;</description><dc:creator>Ann</dc:creator>
<category>cat</category><guid>g1</guid><pubDate>Mon, 30 Nov 2026 08:00:00 GMT</pubDate>
<content:encoded><![CDATA[<p>Full one</p>]]></content:encoded></item>
<item><title>Two title</title><link>https://x.example/2</link><description>Text two</description>
<guid>g2</guid><pubDate>Mon, 30 Nov 2026 09:00:00 GMT</pubDate></item></channel></rss>"""
_FULL_ATOM = """<feed xmlns="http://www.w3.org/2005/Atom"><title>Feed</title><id>f</id>
<link href="https://x.example/"/><updated>2026-11-30T08:00:00Z</updated>
<entry><title>One</title><id>g1</id><link href="https://x.example/1"/>
<author><name>Ann</name></author><updated>2026-11-30T08:00:00Z</updated><summary>Sum</summary>
<content type="html">Text one</content></entry>
<entry><title>Two</title><id>g2</id><updated>2026-11-30T09:00:00Z</updated>
<content type="html">Text two</content></entry></feed>"""

#: Of the first item's fields, those before its title may as well be the feed's.
_PODCAST = """<rss version="2.0" xmlns:itunes="http://www.itunes.com/dtds/podcast-1.0.dtd">
<channel><title>Feed</title><link>https://x.example/</link><description>Of all</description>
<category>talk</category><itunes:author>Feed's Ann</itunes:author><language>en</language>
<item>%s<title>One title</title><link>https://x.example/1</link><guid>g1</guid></item>
<item>%s<title>Two title</title><link>https://x.example/2</link><guid>g2</guid></item>
</channel></rss>"""


def _facts(document: str) -> list[object]:
    feed = parse.read(document.encode(), url=_URL)
    facts: list[object] = [feed.title, feed.site_url, feed.description]
    return facts + [
        (i.guid, i.link, i.title, i.summary, i.content, i.published, i.author, i.categories)
        for i in feed.items
    ]


@pytest.mark.parametrize("document", [_FULL_RSS, _FULL_ATOM], ids=["rss", "atom"])
def test_any_end_tag_may_be_forgotten(document: str) -> None:
    """An open field ends where the next one begins: no identifier takes in other texts."""
    whole = _facts(document)
    lost = [
        f"{tag[0]} at {tag.start()}"
        for tag in re.finditer(r"</[a-zA-Z:]+>", document)
        if _facts(document[: tag.start()] + document[tag.end() :]) != whole
    ]

    assert [] == lost


@pytest.mark.parametrize("document", [_FULL_RSS, _FULL_ATOM], ids=["rss", "atom"])
def test_any_start_tag_may_be_forgotten(document: str) -> None:
    """An item begins behind the one before it, a field with the text before its end (PRS-05)."""
    whole = _facts(document)
    lost = [
        f"{tag[0]} at {tag.start()}"
        for tag in re.finditer(
            r"<(?!rss|feed|author|p>)[a-z:]+(?: type=\"html\")?>", document, re.IGNORECASE
        )
        if _facts(document[: tag.start()] + document[tag.end() :]) != whole
    ]

    assert [] == lost


@pytest.mark.parametrize(
    "first",
    [
        "<category>a</category>",
        "<category>a</category><category>b</category>",
        "<itunes:author>Ben</itunes:author>",
        "<pubDate>Mon, 30 Nov 2026 08:00:00 GMT</pubDate><category>a</category>",
    ],
    ids=["category", "categories", "author", "date"],
)
def test_the_first_item_begins_with_what_others_begin_with(first: str) -> None:
    """Its start forgotten, no field of it that feeds have as well is taken for the feed's."""
    whole = _PODCAST % (first, first)

    assert _facts(whole) == _facts(whole.replace("<item>", "", 1))


def test_a_first_item_unlike_others_takes_nothing_of_the_feed() -> None:
    """Its start forgotten, it begins with its title where it has not what others begin with."""
    whole = _PODCAST.replace("<category>talk</category>", "") % ("", "<category>a</category>")

    assert _facts(whole) == _facts(whole.replace("<item>", "", 1))


@pytest.mark.parametrize(
    "comment", ["<!-- never closed ", "<!-- never > closed ", "<!-- closed -> "]
)
@pytest.mark.parametrize("later", ["", "<!-- a comment -->"], ids=["alone", "before another"])
def test_a_comment_that_is_never_closed_hides_no_item(comment: str, later: str) -> None:
    """It hides nothing but its mark, even where a later comment ends (PRS-05)."""
    document = _FULL_RSS.replace("</channel>", f"{later}</channel>")

    assert _facts(document) == _facts(document.replace("</item>", "</item>" + comment, 1))


def test_all_starts_of_items_may_be_forgotten() -> None:
    """Their ends alone tell where items are; two of them together are not one more."""
    document = _FULL_RSS.replace("<item>", "").replace("</item>", "</item> </item>")

    assert _facts(_FULL_RSS) == _facts(document)


@pytest.mark.parametrize("document", [_FULL_RSS, _FULL_ATOM], ids=["rss", "atom"])
def test_any_quote_may_be_forgotten(document: str) -> None:
    """A value without its quote ends before the next attribute, or with the tag."""
    whole = _facts(document)
    lost = [
        document[quote.start() - 20 : quote.end() + 5]
        for quote in re.finditer('"', document)
        if _facts(document[: quote.start()] + document[quote.end() :]) != whole
    ]

    assert [] == lost


_ONE_TEXT = "Text &lt;b&gt;one&lt;/b&gt;"
_FULL_TEXT = "<![CDATA[<p>Full one</p>]]>"
_ODD = {
    "doctype_never_closed": ("<rss", "<!DOCTYPE<rss"),
    "doctype_without_bracket": ("<rss", "<!DOCTYPE rss\n<rss"),
    "doctype_with_an_open_subset": ("<rss", '<!DOCTYPE rss [<!ENTITY x "y">\n<rss'),
    "doctype_with_a_subset": ("<rss", '<!DOCTYPE rss [<!ENTITY x "]>">]>\n<rss'),
    "section_never_closed": (_ONE_TEXT, "<![CDATA[Text <b>one</b>"),
    "last_section_never_closed": ("]]>", ""),
    "section_amid_text_never_closed": ("Text two", "Text <![CDATA[two"),
    "attribute_twice": ("<rss version", '<rss version="2.0" version'),
    "section_in_a_section": (_FULL_TEXT, f"<![CDATA[{_FULL_TEXT}]]>"),
    "root_twice": ('<rss version="2.0"', '<rss version="2.0"><rss version="2.0"'),
    "marks_of_byte_order_amid": ("<item>", "\ufeff<item>"),
    "nul_in_names": ("title", "ti\0tle"),
    "blank_in_end_tags": ("</title>", "</ title>"),
    "end_tags_in_capitals": ("</title>", "</TITLE>"),
    "attribute_of_100_kb": ("<item>", f'<item x="{"y" * 100_000}">'),
    "attribute_without_quotes": ("<guid>", "<guid isPermaLink=false>"),
    "declaration_twice": ("<rss", '<?xml version="1.0"?>\n<?xml version="1.0"?><rss'),
    "text_between_items": ("</item>", "</item>stray"),
    "page_behind_it": ("</rss>", "</rss><script>alert(1)</script></body></html>"),
}


@pytest.mark.parametrize(("sound", "odd"), _ODD.values(), ids=_ODD)
def test_oddities_change_nothing(sound: str, odd: str) -> None:
    """Whatever is odd around and between its fields, the feed is the same."""
    assert _facts(_FULL_RSS) == _facts(_FULL_RSS.replace(sound, odd))


def _mutated(document: bytes, chance: random.Random) -> bytes:
    start = chance.randrange(len(document))
    end = min(len(document), start + chance.randint(1, 40))
    match chance.randrange(6):
        case 0:
            return document[: chance.randrange(len(document) // 3, len(document))]
        case 1:
            return document[:start] + document[end:]
        case 2:
            return document[:end] + document[start:]
        case 3:
            return document[:start] + chance.choice(_INSERTED) + document[start:]
        case 4:
            flipped = bytearray(document)
            flipped[start] ^= 1 << chance.randrange(8)
            return bytes(flipped)
    declaration = b'<?xml version="1.0" encoding="%s"?>' % chance.choice(_ENCODINGS)
    return declaration + re.sub(rb"^\s*<\?xml[^>]*\?>", b"", document)


@pytest.mark.filterwarnings("ignore")
def test_damaged_feeds_keep_what_feedparser_finds() -> None:
    """Real feeds, damaged at random: never fewer items than feedparser makes out."""
    chance = random.Random(2026)
    paths = sorted(
        p for p in corpus_folder("wild").rglob("*.xml") if 2000 < p.stat().st_size < 40000
    )
    fewer = []
    for path in islice(chance.sample(paths, len(paths)), _MUTATIONS):
        document = _mutated(path.read_bytes(), chance)
        entries = feedparser.parse(document).entries
        told = [entry for entry in entries if entry.get("title") or entry.get("id")]
        if _count(document) < min(len(told), 500):
            fewer.append(path.name)

    assert [] == fewer
