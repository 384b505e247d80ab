"""Documents that real programs write although no specification allows them."""

import pytest

from tests.feeds import documents
from wireroom.feeds import explaining, parse
from wireroom.feeds.model import Enclosure, Item, ParsedFeed, Person


def _rss(items: str) -> ParsedFeed:
    return parse.read(documents.rss(items).encode(), url="https://base.example/dir/feed")


def _item(inner: str) -> Item:
    (item,) = _rss(documents.item(inner)).items
    return item


def test_items_inside_items_are_items() -> None:
    """Well-formed nesting loses no item, and the outer one keeps its own title (PRS-05)."""
    nested = "<item><title>A</title><item><title>B</title><item><title>C</title></item></item>"

    read = _rss(f"{nested}<item><title>D</title></item></item><item><title>E</title></item>")

    assert ["A", "B", "C", "D", "E"] == [item.title for item in read.items]


def test_entries_inside_entries_are_entries() -> None:
    """The same for Atom (PRS-02, PRS-05)."""
    body = (
        b"<feed><entry><id>1</id><entry><id>2</id></entry></entry><entry><id>3</id></entry></feed>"
    )

    read = parse.read(body, url="https://base.example/")

    assert ["1", "2", "3"] == [item.guid for item in read.items]


@pytest.mark.parametrize(
    ("raw", "expected"),
    {
        "<![CDATA[<![CDATA[T]]]]>": "T",
        "<![CDATA[<![CDATA[T]]]]><![CDATA[>]]>": "T",
        "<![CDATA[<![CDATA[a[0]]] b]]]]>": "a[0]]] b",
        "x[a[1]]": "x[a[1]]",
        "use &lt;script&gt; tags": "use <script> tags",
        "&lt;script&gt;alert(1)&lt;/script&gt;T": "T",
        "List&lt;String&gt; &amp;amp; co": "List<String> & co",
    }.items(),
)
def test_titles_keep_their_text(raw: str, expected: str) -> None:
    """Marks of a CDATA section inside another go; a tag that is only spoken of stays (PRS-20)."""
    assert expected == _item(f"<title>{raw}</title>").title


def test_bodies_are_rid_of_an_inner_cdata_section() -> None:
    """The end that lost its ">" to the outer section is no text."""
    item = _item("<description><![CDATA[<![CDATA[<p>x</p>]]]]></description>")

    assert "<p>x</p>" == item.summary


@pytest.mark.parametrize(
    ("raw", "expected"),
    {
        "https:/a.example/1": "https://a.example/1",
        "http:///a.example/1": "http://a.example/1",
        "http://http://a.example/1": "http://a.example/1",
        "http://https://a.example/1": "https://a.example/1",
        "http://https.example/1": "http://https.example/1",
        "&lt;a href='/1'&gt;x&lt;/a&gt;": "https://base.example/1",
        "a/https://b.example/": "https://base.example/dir/a/https://b.example/",
        "javascript:alert(1)": "",
    }.items(),
)
def test_links_are_read_as_meant(raw: str, expected: str) -> None:
    """A whole anchor, a scheme twice, miscounted slashes; nothing else changes (PRS-30)."""
    assert expected == _item(f"<title>T</title><link>{raw}</link>").link


@pytest.mark.parametrize(
    ("raw", "expected"),
    {
        "1h 2m 3s": 3723,
        "PT1H2M3S": 3723,
        "PT90S": 90,
        "90 min": 5400,
        "2 hours": 7200,
        "1 hour, 5 minutes": 3900,
        "PT": None,
        "3 months": None,
        "soon": None,
        "-3": None,
    }.items(),
)
def test_durations_are_spelt_in_many_ways(raw: str, expected: int | None) -> None:
    """Units and ISO 8601 mean seconds; what is no duration is none (PRS-33)."""
    item = _item(
        '<title>T</title><enclosure url="https://a.example/a.mp3" type="audio/mpeg"/>'
        f"<itunes:duration>{raw}</itunes:duration>"
    )

    assert expected == item.enclosures[0].duration_seconds


def test_a_name_left_in_brackets_is_a_name() -> None:
    """What remains of "mail (Name)" where the mail was taken out (PRS-16)."""
    assert (Person("Jane"),) == _item("<title>T</title><author>(Jane)</author>").authors


@pytest.mark.parametrize(
    ("inner", "expected"),
    [
        ("<dc:creator>B</dc:creator><author>A</author>", "A"),
        ("<dc:creator>B</dc:creator><author>a@x.example (A)</author>", "A"),
        ("<dc:creator>B</dc:creator><author>a@x.example</author>", "B"),
        ("<dc:creator>B</dc:creator><dc:creator>C</dc:creator>", "B, C"),
        ("<author> </author><dc:creator>B</dc:creator>", "B"),
        ("<author>a@x.example</author>", "a@x.example"),
    ],
)
def test_the_author_comes_before_the_creator(inner: str, expected: str) -> None:
    """Unless all that is said of the author is a mail address; several are joined (PRS-16)."""
    assert expected == _item(f"<title>T</title>{inner}").author


def test_blanks_make_no_other_summary() -> None:
    """A summary that says what the content says is dropped (PRS-17)."""
    item = _item(
        "<description> <![CDATA[<p>x</p>]]>\n</description>"
        "<content:encoded><![CDATA[<p>x</p>]]></content:encoded>"
    )

    assert (None, "<p>x</p>") == (item.summary, item.content)


def test_candidates_below_a_nested_base_start_from_it() -> None:
    """What srcset lists is as relative as src is (B32, PRS-28)."""
    body = documents.atom(
        "<entry><id>1</id><content type='xhtml'><div xml:base='https://b.example/x/'>"
        "<img src='1.png' srcset='1.png 1x, 2.png 2x'/></div></content></entry>"
    )
    (read,) = parse.read(body.encode(), url="https://base.example/").items

    assert 'src="https://b.example/x/1.png"' in read.body
    assert 'srcset="https://b.example/x/1.png 1x, https://b.example/x/2.png 2x"' in read.body


def test_a_usual_prefix_of_an_unknown_namespace_means_the_usual() -> None:
    """A slip in the address of a namespace loses no text (B35)."""
    body = (
        "<rss xmlns:content='http://purl.example/content'><channel><item>"
        "<content:encoded>a</content:encoded></item></channel></rss>"
    )
    (read,) = parse.read(body.encode(), url="https://base.example/").items

    assert "a" == read.content


def test_the_full_text_of_yandex_is_the_content() -> None:
    """Russian publishers have it beside a short description (PRS-17)."""
    item = _item(
        '<description>s</description><y:full-text xmlns:y="http://news.yandex.ru">t</y:full-text>'
    )

    assert ("s", "t") == (item.summary, item.content)


@pytest.mark.parametrize(
    ("kind", "raw", "expected"),
    [
        ("text/plain", "1 &lt; 2 &lt;b&gt;", "1 &lt; 2 &lt;b&gt;"),
        ("text/plain", "&lt;b&gt;x&lt;/b&gt;", "<b>x</b>"),
        ("text/html", "1 &amp;lt; 2", "1 &lt; 2"),
    ],
)
def test_escaped_plain_text_of_atom_03_is_plain(kind: str, raw: str, expected: str) -> None:
    """`mode` says how it was packed, `type` what it is; end tags give HTML away (PRS-02)."""
    body = (
        '<feed version="0.3" xmlns="http://purl.org/atom/ns#"><entry><id>1</id>'
        f'<content mode="escaped" type="{kind}">{raw}</content></entry></feed>'
    )

    (item,) = parse.read(body.encode(), url="https://base.example/").items

    assert expected == item.content


_BROKEN = b"""<rss version="2.0"><channel>
<title>A & B</title>
<item><x:y>z</x:y>
<description>a &nbsp; b</description></item></channel></rss>"""


def test_more_than_the_first_mistake_is_told_to_who_asks() -> None:
    """Each with its line, once; the first stays first, and what is sound stays as it was."""
    read = parse.read(_BROKEN, url="https://base.example/")

    told = explaining.with_all_problems(read, _BROKEN)

    assert [2] == [warning.line for warning in read.warnings]
    assert [2, 3, 4] == [warning.line for warning in told.warnings]
    assert "y has the prefix x," in told.warnings[1].text
    assert told == explaining.with_all_problems(told, _BROKEN)
    sound = parse.read(_BROKEN[:28] + b"</channel></rss>", url="https://base.example/")
    assert sound is explaining.with_all_problems(sound, b"<rss>& & &")


def test_few_mistakes_are_told_of_a_document_that_has_many() -> None:
    """At most eight, and nothing from where the look ended."""
    body = b"<rss><channel>" + b"<item>&\n</item>" * 20_000 + b"</channel></rss>"
    read = parse.read(body, url="https://base.example/")

    lines = [warning.line for warning in explaining.with_all_problems(read, body).warnings]

    assert list(range(1, 9)) == [line for line in lines if line]


def test_items_may_go_by_the_other_formats_name() -> None:
    """An `entry` among the items of RSS, an `item` among the entries of Atom (PRS-05)."""
    rss = _rss("<item><title>A</title></item><entry><title>B</title></entry>")
    atom = documents.atom("<entry><id>1</id></entry><item><id>2</id></item>")
    read = parse.read(atom.encode(), url="https://base.example/")

    assert ["A", "B"] == [item.title for item in rss.items]
    assert ["1", "2"] == [item.guid for item in read.items]


def test_media_speak_for_an_item_that_says_nothing() -> None:
    """Title and description of nested media stand in, and never before the item's own."""
    media = (
        "<media:group><media:content url='/1.mp4'><media:title>Film</media:title>"
        "</media:content><media:description>Of ships</media:description></media:group>"
    )
    silent = _item(media)
    own = _item(f"<title>Own</title><description>Said</description>{media}")

    assert ("Film", "Of ships") == (silent.title, silent.body)
    assert ("Own", "Said") == (own.title, own.body)


def test_descriptions_of_films_keep_their_lines() -> None:
    """They are plain text in many lines; where there is markup, that parts them (B34)."""
    group = "<media:group><media:description>{}</media:description></media:group>"
    entry = f"<entry><id>1</id>{group}</entry>".format("Of ships:\n1. Argo\n\nMore &amp; more\n")
    (youtube,) = parse.read(documents.atom(entry).encode(), url="https://base.example/").items

    assert "<p>Of ships:<br>1. Argo</p><p>More &amp; more</p>" == youtube.body
    assert "<p>a<br>b</p>" == _item(group.format("a\nb")).body
    assert (
        "<p>I &lt;3 A<br>by &lt;us&gt;</p>" == _item(group.format("I &lt;3 A\nby &lt;us&gt;")).body
    )
    assert "<i>a</i>\nb" == _item(group.format("&lt;i&gt;a&lt;/i&gt;\nb")).body
    assert "a" == _item(group.format("\na\n")).body.strip()


@pytest.mark.parametrize("holder", ["media:group", "media:content", "media:group><media:content"])
def test_media_bring_categories_of_their_own(holder: str) -> None:
    """What a group or one of its media is filed under, the item is, behind its own (PRS-33)."""
    category = "<media:category scheme='urn:s'>b</media:category>"
    keywords = "<media:keywords>c, d</media:keywords>"
    ends = "".join(f"</{name}>" for name in reversed(holder.split("><")))

    read = _item(f"<{holder}>{category}{keywords}{ends}<category>a</category>")

    assert ("a", "b", "c", "d") == read.categories
    assert {"b": "urn:s"} == read.category_schemes


@pytest.mark.parametrize("about", ["https://www.w3.org/1999/02/22-rdf-syntax-ns", "urn:nobody"])
def test_rdf_items_keep_their_identifier_in_any_namespace(about: str) -> None:
    """rdf:about is the identifier whatever way its namespace is written (PRS-01, PRS-08)."""
    document = (
        f"<rdf:RDF xmlns:rdf='{about}'><item rdf:about='g1'><title>T</title></item></rdf:RDF>"
    )

    (read,) = parse.read(document.encode(), url="https://base.example/").items

    assert "g1" == read.guid


def test_a_mistake_costs_no_entity_behind_it() -> None:
    """libxml2 drops named references behind a mistake; ours are numbers by then (PRS-05)."""
    document = documents.rss(
        documents.item("<title>A &amp; B</title><description>&lt;b&gt;x&lt;/b&gt;")
    )
    damaged = document.replace('version="2.0"', 'version="2.0" version="2.0"')

    (read,) = parse.read(damaged.encode(), url="https://base.example/").items

    assert ("A & B", "<b>x</b>") == (read.title, read.summary)


def test_rss_may_link_its_media() -> None:
    """An enclosure that is written as a link, once even where it is written twice (PRS-33)."""
    (enclosure,) = _item(
        "<link rel='enclosure' type='audio/mpeg' length='5' href='/1.mp3'/>"
        "<enclosure url='https://base.example/1.mp3'/>"
    ).enclosures

    assert Enclosure("https://base.example/1.mp3", "audio/mpeg", 5) == enclosure
