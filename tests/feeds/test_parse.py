"""Whole documents become feeds: formats, oddities, repairs, refusals, re-polls."""

import pytest

from tests.feeds.documents import atom, item, rss
from wireroom.errors import NotAFeed
from wireroom.feeds import parse
from wireroom.feeds.model import ParsedFeed, Person, Source

_RDF = "http://www.w3.org/1999/02/22-rdf-syntax-ns#"
_XHTML = "http://www.w3.org/1999/xhtml"
URL = "https://feed.example/sub/feed.xml"


def read(document: str | bytes, content_type: str = "") -> ParsedFeed:
    body = document if isinstance(document, bytes) else document.encode()
    return parse.read(body, url=URL, content_type=content_type)


FORMATS = {
    "rss_2.0": ("<rss version='2.0'><channel><title>T</title></channel></rss>", "rss", "2.0"),
    "rss_without_version": ("<rss><channel><title>T</title></channel></rss>", "rss", ""),
    "rss_in_capitals": (
        "<RSS Version='0.91'><Channel><Title>T</Title></Channel></RSS>",
        "rss",
        "0.91",
    ),
    "rss_with_unknown_namespace": (
        "<rss version='2.0' xmlns='urn:nobody'><channel><title>T</title></channel></rss>",
        "rss",
        "2.0",
    ),
    "bare_channel": (
        "<channel><title>T</title><item><title>x</title></item></channel>",
        "rss",
        "",
    ),
    "rdf_1.0": (
        f"<rdf:RDF xmlns:rdf='{_RDF}' xmlns='http://purl.org/rss/1.0/'><channel><title>T</title></channel></rdf:RDF>",
        "rss",
        "1.0",
    ),
    "rdf_0.90": (
        f"<rdf:RDF xmlns:rdf='{_RDF}' xmlns='http://my.netscape.com/rdf/simple/0.9/'><channel><title>T</title></channel></rdf:RDF>",
        "rss",
        "0.90",
    ),
    "atom_1.0": (
        "<feed xmlns='http://www.w3.org/2005/Atom'><title>T</title></feed>",
        "atom",
        "1.0",
    ),
    "atom_under_https": (
        "<feed xmlns='https://www.w3.org/2005/Atom/'><title>T</title></feed>",
        "atom",
        "1.0",
    ),
    "atom_0.3": (
        "<feed version='0.3' xmlns='http://purl.org/atom/ns#'><title>T</title></feed>",
        "atom",
        "0.3",
    ),
    "atom_with_prefix": (
        "<a:feed xmlns:a='http://www.w3.org/2005/Atom'><a:title>T</a:title></a:feed>",
        "atom",
        "1.0",
    ),
    "cdf": ("<CHANNEL HREF='http://x.example/'><TITLE>T</TITLE></CHANNEL>", "rss", "cdf"),
    "json_1.1": (
        '{"version": "https://jsonfeed.org/version/1.1", "title": "T", "items": []}',
        "json",
        "1.1",
    ),
}


@pytest.mark.parametrize(("document", "format_", "version"), FORMATS.values(), ids=FORMATS)
def test_format_is_told_by_the_root_element(document: str, format_: str, version: str) -> None:
    """The Content-Type may say anything; an empty feed is a feed (PRS-01 to PRS-04, PRS-07)."""
    feed = read(document, "text/html; charset=utf-8")

    assert (format_, version, "T") == (feed.format, feed.version, feed.title)


REFUSALS = {
    "nothing": (b"", "empty"),
    "blanks": (b" \r\n\t", "empty"),
    "page": (b"<!DOCTYPE html><html><head><title>Hi</title></head></html>", "html"),
    "xhtml_page": (b"<?xml version='1.0'?><html xmlns='http://www.w3.org/1999/xhtml'/>", "html"),
    "cloudflare": (b"<!DOCTYPE html><html><title>Just a moment...</title></html>", "bot_wall"),
    "captcha": (b"<html><body><div class='g-recaptcha'></div></body></html>", "bot_wall"),
    "json": (b'{"error": "not found"}', "json"),
    "json_list": (b"[1, 2]", "json"),
    "json_null_version": (b'{"version": null, "items": null}', "json"),
    "broken_json": (b'{"a": ', "json"),
    "page_with_a_feed_element": (
        b"<!DOCTYPE html><html><body><feed class='new'></feed></body></html>",
        "html",
    ),
    "page_that_shows_a_feed": (
        b"<html><body><pre><rss version='2.0'><channel></channel></rss></pre></body></html>",
        "html",
    ),
    "opml": (b"<opml version='2.0'><body/></opml>", "xml"),
    "sitemap": (b"<?xml version='1.0'?><urlset><url/></urlset>", "xml"),
    "text": (b"404 page not found", "text"),
    "picture": (b"\x89PNG\r\n\x1a\n\0\0\0\rIHDR", "binary"),
    "gzip": (b"\x1f\x8b\x08\0\0\0\0\0", "binary"),
    "noise": (bytes(range(256)) * 8, "binary"),
}


@pytest.mark.parametrize(("body", "found"), REFUSALS.values(), ids=REFUSALS)
def test_what_is_no_feed_is_named(body: bytes, found: str) -> None:
    """NotAFeed says what came instead, in one sentence (PRS-06)."""
    with pytest.raises(NotAFeed) as caught:
        read(body)

    assert found == caught.value.found
    assert str(caught.value).startswith("This address answers with ")


def test_rss_item_with_everything() -> None:
    """Each element lands in its field, whatever its neighbours in other namespaces say."""
    (one,) = read(
        rss(
            item(
                """<title>Own title</title><media:title>Not this</media:title>
                <link>/post</link><atom:link rel="self" href="/self"/>
                <guid isPermaLink="false"> 17 </guid>
                <pubDate>Mon, 06 Sep 2021 00:01:00 +0200</pubDate>
                <dc:creator>Ann</dc:creator><dc:creator>Bob</dc:creator>
                <description>Short &amp;amp; sweet</description>
                <content:encoded>&lt;p&gt;Long &lt;a href="more"&gt;x&lt;/a&gt;</content:encoded>
                <category>a</category><category>b</category><category>a</category>
                <enclosure url="/a.mp3" type="audio/mpeg" length="12"/>
                <itunes:duration>1:02:03</itunes:duration>
                <comments>/post#c</comments><slash:comments>4</slash:comments>
                <source url="http://other.example/rss">Other</source>
                <yandex:related xmlns:yandex="urn:y"><link>http://wrong.example/</link>
                <title>Wrong</title></yandex:related>
                <georss:point>1 2</georss:point>"""
            )
        )
    ).items

    assert "Own title" == one.title
    assert "https://feed.example/post" == one.link
    assert " 17 " == one.guid
    assert "2021-09-05T22:01:00+00:00" == one.published.isoformat() if one.published else ""
    assert "Ann, Bob" == one.author
    assert "Short &amp; sweet" == one.summary
    assert 'href="https://feed.example/more"' in (one.content or "")
    assert ("a", "b") == one.categories
    (sound,) = one.enclosures
    assert ("https://feed.example/a.mp3", "audio/mpeg", 12, 3723) == (
        sound.url,
        sound.media_type,
        sound.length_bytes,
        sound.duration_seconds,
    )
    assert ("https://feed.example/post#c", 4) == (one.comments_url, one.comment_count)
    assert Source("Other", "http://other.example/rss") == one.source
    assert "1 2" == one.extra["georss:point"]


SCHEMES = {
    "rss": rss(item("<category domain='urn:tags'>a &amp;amp; b</category><category>c</category>")),
    "atom": atom(
        "<entry><category term='x' label='a &amp;amp; b' scheme='urn:tags'/>"
        "<category term='c'/></entry>"
    ),
    "media": rss(
        item("<media:category scheme='urn:tags'>a &amp;amp; b</media:category><tags>c</tags>")
    ),
}


@pytest.mark.parametrize("document", SCHEMES.values(), ids=SCHEMES)
def test_schemes_are_kept_with_their_categories(document: str) -> None:
    """What a category is taken from is found under the name that the category has."""
    (one,) = read(document).items

    assert ("a & b", "c") == one.categories
    assert {"a & b": "urn:tags"} == one.category_schemes


@pytest.mark.parametrize(
    ("element", "expected"),
    [
        pytest.param("<language>fr</language>", "fr", id="said"),
        pytest.param("", "de", id="unsaid"),
    ],
)
def test_the_server_tells_the_language_of_who_does_not_say(element: str, expected: str) -> None:
    """A document's own word comes before the Content-Language header."""
    body = f"<rss version='2.0'><channel><title>T</title>{element}</channel></rss>".encode()

    assert expected == parse.read(body, url=URL, language="de").language


GUIDS = {
    "absent": ("<link>http://x.example/1</link>", None, "http://x.example/1"),
    "permalink": ("<guid>http://x.example/1</guid>", "http://x.example/1", "http://x.example/1"),
    "relative_permalink": (
        "<guid isPermaLink='true'>/1</guid>",
        "/1",
        "https://feed.example/1",
    ),
    "not_a_permalink": (
        "<guid isPermaLink='false'>http://x.example/1</guid>",
        "http://x.example/1",
        "",
    ),
    "not_a_permalink_in_capitals": (
        "<guid ispermalink=' FALSE '>http://x.example/1</guid>",
        "http://x.example/1",
        "",
    ),
    "permalink_beside_a_link": (
        "<guid isPermaLink='true'>http://x.example/1</guid><link>http://x.example/2</link>",
        "http://x.example/1",
        "http://x.example/2",
    ),
    "no_address": ("<guid>abc</guid>", "abc", ""),
    "zero": ("<guid>0</guid>", "0", ""),
    "empty": ("<guid> </guid><link>http://x.example/1</link>", None, "http://x.example/1"),
    "bad_link": ("<guid>a</guid><link>http://[bad</link>", "a", ""),
    "link_with_blanks": ("<link>\n http://x.example/1 \n</link>", None, "http://x.example/1"),
    "twice_escaped_link": (
        "<link>http://x.example/?a=1&amp;amp;b=2</link>",
        None,
        "http://x.example/?a=1&b=2",
    ),
    "script_link": ("<link>javascript:alert(1)</link>", None, ""),
    "overlong_link": (f"<link>http://x.example/{'a' * 2048}</link>", None, ""),
}


@pytest.mark.parametrize(("inner", "guid", "link"), GUIDS.values(), ids=GUIDS)
def test_guid_and_link(inner: str, guid: str | None, link: str) -> None:
    """Identifiers come byte for byte (PRS-08), with isPermaLink in any form or without (PRS-09);
    a link is a usable address or nothing (PRS-30)."""
    (one,) = read(rss(item(inner))).items

    assert (guid, link) == (one.guid, one.link)


ATOM_LINKS = {
    "alternate_after_others": (
        "<link rel='self' href='s'/><link rel='alternate' href='a'/>",
        "https://feed.example/sub/a",
    ),
    "html_first": (
        "<link type='application/json' href='j'/><link type='text/html' href='h'/>",
        "https://feed.example/sub/h",
    ),
    "only_a_pdf": (
        "<link rel='alternate' type='application/pdf' href='p'/>",
        "https://feed.example/sub/p",
    ),
    "none_but_related": ("<link rel='related' href='r'/>", "https://feed.example/sub/r"),
    "id_that_is_an_address": ("<id>http://x.example/i</id>", "http://x.example/i"),
    "nothing_but_an_enclosure": (
        "<link rel='license' href='l'/><link rel='enclosure' href='e'/>",
        "https://feed.example/sub/e",
    ),
    "id_before_an_enclosure": (
        "<id>http://x.example/i</id><link rel='enclosure' href='e'/>",
        "http://x.example/i",
    ),
    "where_only_its_author_may_go": ("<link rel='edit' href='e'/>", ""),
    "nested_bases": (
        "<link xml:base='deep/' href='a'/>",
        "https://feed.example/sub/deep/a",
    ),
}


@pytest.mark.parametrize(("inner", "link"), ATOM_LINKS.values(), ids=ATOM_LINKS)
def test_atom_link_choice(inner: str, link: str) -> None:
    """rel=alternate wins, HTML before other types, then the first that leads anywhere (PRS-10)."""
    (one,) = read(atom(f"<entry>{inner}</entry>")).items

    assert link == one.link


def test_bases_nest_and_a_bad_address_spoils_one_field() -> None:
    """xml:base counts at every level, in links and inside HTML (B32, PRS-28)."""
    nested, bad = read(
        atom(
            "<entry xml:base='http://b.example/x/'><id>1</id><link href='p'/>"
            "<content type='html' xml:base='y/'>&lt;a href='q'>t&lt;/a></content></entry>"
            "<entry><id>2</id><link href='http://[bad'/><title>Kept</title></entry>"
        )
    ).items

    assert "http://b.example/x/p" == nested.link
    assert 'href="http://b.example/x/y/q"' in (nested.content or "")
    assert ("2", "", "Kept") == (bad.guid, bad.link, bad.title)


@pytest.mark.parametrize("codec", ["utf-8", "cp1251", "koi8-r", "utf-16"])
@pytest.mark.parametrize("before", ["", "\r\n  "])
def test_text_is_decoded_once(codec: str, before: str) -> None:
    """Whatever the declaration says by then, the text is what was written (B30)."""
    body = f"{before}<?xml version='1.0' encoding='{codec}'?>{rss(item('<title>Мягких</title>'))}"
    (one,) = read(body.encode(codec), f"text/xml; charset={codec}").items

    assert "Мягких" == one.title


def test_items_without_link_or_title_are_kept() -> None:
    """Whatever an item lacks, it is there, with nothing made up (PRS-12, PRS-14, PRS-29)."""
    untitled, unlinked = read(rss(item("<guid>a</guid>") + item("<title>T</title>"))).items

    assert ("a", "", "") == (untitled.guid, untitled.link, untitled.title)
    assert (None, "", "T") == (unlinked.guid, unlinked.link, unlinked.title)
    assert [None] * 4 == [each for i in (untitled, unlinked) for each in (i.published, i.updated)]


def test_publishers_date_is_published_and_else_updated() -> None:
    """Both dates are read, neither stands in for the other here (PRS-13)."""
    dated, edited = read(
        atom(
            "<entry><id>1</id><published>2020-01-01T00:00:00Z</published>"
            "<updated>2021-01-01T00:00:00Z</updated></entry>"
            "<entry><id>2</id><updated>2022-01-01T00:00:00Z</updated></entry>"
        )
    ).items

    assert (2020, 2021) == tuple(each.year for each in (dated.published, dated.updated) if each)
    assert (None, 2022) == (edited.published, edited.updated and edited.updated.year)


ATOM_TEXTS = {
    "plain": ("<title>1 &lt; 2 &amp; <![CDATA[<b>]]></title>", "1 < 2 & <b>"),
    "html": ("<title type='html'>&lt;b&gt;Bold&lt;/b&gt; &amp;amp; new</title>", "Bold & new"),
    "xhtml": (
        f"<title type='xhtml'><div xmlns='{_XHTML}'>A <i>b</i> 1 &lt; 2</div></title>",
        "A b 1 < 2",
    ),
    "text_with_a_tag_in_it": (
        "<title type='text'>the &lt;blink&gt; tag</title>",
        "the <blink> tag",
    ),
}


@pytest.mark.parametrize(("title", "expected"), ATOM_TEXTS.values(), ids=ATOM_TEXTS)
def test_atom_titles_honour_their_type(title: str, expected: str) -> None:
    """Markup is taken out where there is some, and is text where there is none (B34)."""
    (one,) = read(atom(f"<entry>{title}</entry>")).items

    assert expected == one.title


def test_xhtml_content_is_what_is_inside_its_div() -> None:
    """The div goes, prefixes go, empty elements stay closed, bases count (RFC 4287 §3.1.1.3)."""
    (one,) = read(
        atom(
            "<entry><content type='xhtml'><h:div xmlns:h='http://www.w3.org/1999/xhtml'>"
            "<h:p/><h:p>A<h:br/><h:a xml:base='http://b.example/c/' href='d'>x</h:a></h:p>"
            "</h:div></content></entry>"
        )
    ).items

    assert "<p></p><p>A<br>" in (one.content or "")
    assert 'href="http://b.example/c/d"' in (one.content or "")


def test_feed_authors_stand_in_for_missing_ones_in_atom() -> None:
    """Entry, then source, then feed (RFC 4287 §4.1.2)."""
    feed = read(
        atom(
            "<author><name>Feed</name></author><entry><author><name>Own</name>"
            "<email>o@x.example</email></author></entry><entry><source><author><name>Source</name>"
            "</author></source></entry><entry/>"
        )
    )

    assert [Person("Own", "o@x.example"), Person("Source"), Person("Feed")] == [
        one.authors[0] for one in feed.items
    ]


PEOPLE = {
    "mail_then_name": ("ann@x.example (Ann B)", Person("Ann B", "ann@x.example")),
    "name_then_mail": ("Ann B <ann@x.example>", Person("Ann B", "ann@x.example")),
    "mail": ("ann@x.example", Person(email="ann@x.example")),
    "name": ("Ann &amp; Bob", Person("Ann & Bob")),
    "handle": ("@ann", Person("@ann")),
}


@pytest.mark.parametrize(("written", "person"), PEOPLE.values(), ids=PEOPLE)
def test_rss_author_forms(written: str, person: Person) -> None:
    """Name and address come apart, in either order."""
    (one,) = read(rss(item(f"<author><![CDATA[{written}]]></author>"))).items

    assert (person,) == one.authors


def test_summary_that_equals_the_content_is_dropped() -> None:
    """Said once is enough (PRS-17)."""
    (one,) = read(
        rss(item("<description>Same</description><content:encoded>Same</content:encoded>"))
    ).items

    assert (None, "Same") == (one.summary, one.content)


def test_longest_of_several_descriptions_is_taken() -> None:
    """Some feeds have a teaser and the text, both as description."""
    (one,) = read(
        rss(item("<description>Ab</description><description>Abcdef</description>"))
    ).items

    assert "Abcdef" == one.body


def test_overlong_description_is_content() -> None:
    """A summary has at most 64 KiB, and no text is lost for that (PRS-21)."""
    (one,) = read(rss(item(f"<description>{'word ' * 20_000}</description>"))).items

    assert one.summary is None
    assert 99_999 <= len(one.content or "")


def test_field_limits() -> None:
    """Text is cut at its limit, an address over its limit is none (PRS-21)."""
    long = f"<title>{'t' * 3000}</title><author>{'n' * 999}</author>"
    of_feed = f"<description>{'d' * 3000}</description><link>https://x.example/{{}}</link>"
    feed = read(rss(item(long) + of_feed.format("s" * 2048), "f" * 999))
    shorter = read(rss(of_feed.format("s" * 2030)))

    (one,) = feed.items
    assert (512, 1024, 256) == (len(feed.title), len(one.title), len(one.author))
    assert (2048, "", 2048) == (len(feed.description), feed.site_url, len(shorter.site_url))


HINTS = """<ttl>60</ttl><sy:updatePeriod>daily</sy:updatePeriod>
    <sy:updateFrequency>4</sy:updateFrequency>
    <skipHours><hour>0</hour><hour>1</hour></skipHours>
    <skipDays><day>Sunday</day><day>someday</day></skipDays>
    <atom:link rel="hub" href="https://hub.example/"/><atom:link rel="self" href="feed.xml"/>
    <itunes:new-feed-url>https://new.example/feed</itunes:new-feed-url>"""


def test_feed_level_hints() -> None:
    """What a publisher asks of pollers is read, nonsense is not (PRS-25, PRS-26)."""
    feed = read(rss(HINTS))

    assert (60, 360) == (feed.hints.ttl_minutes, feed.hints.update_period_minutes)
    assert ({0, 1}, {6}) == (feed.hints.skip_hours, feed.hints.skip_days)
    assert ("https://hub.example/",) == feed.hub_urls
    assert "https://feed.example/sub/feed.xml" == feed.self_url
    assert "https://new.example/feed" == feed.new_url


@pytest.mark.parametrize(
    ("written", "hours", "days"),
    [
        pytest.param("<hour>0</hour><hour> 23 </hour>", {0, 23}, set(), id="first and last hour"),
        pytest.param(
            "<hour>24</hour><hour>99</hour><hour>-1</hour><hour>x</hour>", set(), set(),
            id="hours that do not exist",
        ),
        pytest.param("<day> sUNday\n</day><day>MONDAY</day>", set(), {6, 0}, id="any case"),
        pytest.param("<day>Sundae</day><day>Mondays</day><day/>", set(), set(), id="no days"),
    ],
)  # fmt: skip
def test_skip_lists_are_read(written: str, hours: set[int], days: set[int]) -> None:
    """Hours 0 to 23 and names of weekdays, trimmed, in any case (SCH-28, SCH-29, SCH-33)."""
    hints = read(rss(f"<skipHours>{written}</skipHours><skipDays>{written}</skipDays>")).hints

    assert (hours, days) == (hints.skip_hours, hints.skip_days)


BROKEN = {
    "bare_ampersand": ("<title>A & B</title>", "A & B"),
    "html_entity": ("<title>caf&eacute; &nbsp;x</title>", "café x"),
    "unknown_entity": ("<title>A &foo; B</title>", "A &foo; B"),
    "control_character": ("<title>A\x0b\x01B</title>", "AB"),
    "illegal_reference": ("<title>A&#1;&#xD800;&#99999999999999;B</title>", "AB"),
    "undeclared_prefix": ("<dc:title>AB</dc:title><foo:bar/>", "AB"),
    "less_than": ("<title>1 < 2</title>", "1 < 2"),
    "unclosed_tag": ("<description><p>x<br>y</description><title>AB</title>", "AB"),
    "crossed_tags": ("<description><b><i>x</b></i></description><title>AB</title>", "AB"),
    "unquoted_attribute": ("<enclosure url=http://x.example/a.mp3><title>AB</title>", "AB"),
    "cdata_in_cdata": ("<title><![CDATA[A<![CDATA[B]]>C]]></title>", "ABC"),
    "end_of_cdata_in_text": ("<title>A]]>B</title>", "A]]>B"),
}


@pytest.mark.parametrize(("inner", "title"), BROKEN.values(), ids=BROKEN)
def test_broken_xml_keeps_its_text(inner: str, title: str) -> None:
    """Malformed items are read like sound ones, with a warning (PRS-05, B31)."""
    feed = read(rss(item(inner) + item("<title>next</title>")))

    assert [title, "next"] == [one.title for one in feed.items]
    assert feed.warnings


@pytest.mark.parametrize(
    "written",
    [
        pytest.param("<![CDATA[<![CDATA[<p>A</p>]]>]]>", id="CDATA in CDATA"),
        pytest.param("<![CDATA[<![CDATA[<p>A</p>]]]]><![CDATA[>]]>", id="both ended"),
        pytest.param("&lt;![CDATA[&lt;p&gt;A&lt;/p&gt;]]&gt;", id="escaped"),
    ],
)
def test_a_body_that_is_wrapped_twice_keeps_its_text(written: str) -> None:
    """A second CDATA would be a comment to a parser of HTML, and the text in it gone (B31)."""
    (one,) = read(rss(item(f"<title>x</title><description>{written}</description>"))).items

    assert "<p>A</p>" == one.body


def test_truncated_document_keeps_what_came() -> None:
    """A document cut off within an item still gives that item's text."""
    whole = rss(item("<title>one</title>") + item("<title>two</title><description>half of"))
    feed = read(whole[: whole.index("half of") + 4])

    assert [("one", ""), ("two", "half")] == [(one.title, one.body) for one in feed.items]


def test_items_that_are_never_closed_are_still_items() -> None:
    """A new item ends the one before it."""
    feed = read("<rss><channel><item><title>a</title><item><title>b</title></channel></rss>")

    assert ["a", "b"] == [one.title for one in feed.items]


JUNK = {
    "blank_lines": "\r\n\n",
    "php_warning": "<br />\n<b>Warning</b>: include() in <b>/x.php</b><br />\n",
    "comment": "<!-- made by x -->\n",
    "word": "ok ",
}


@pytest.mark.parametrize("junk", JUNK.values(), ids=JUNK)
def test_leading_junk_is_skipped(junk: str) -> None:
    """What a server prints before the XML does not matter."""
    feed = read(junk + '<?xml version="1.0"?>' + rss(item("<title>a</title>")))

    assert ["a"] == [one.title for one in feed.items]


def test_xml_of_the_document_is_never_obeyed() -> None:
    """No entity of the document's own is expanded and nothing is loaded (PRS-27, B36)."""
    feed = read(
        '<!DOCTYPE rss [<!ENTITY a "aaaa"><!ENTITY f SYSTEM "file:///etc/passwd">]>'
        + rss(item("<title>&a;&f;</title>"))
    )

    assert "&a;&f;" == feed.items[0].title


def test_double_utf8_is_undone() -> None:
    """Text that was encoded twice reads as it was meant; other text in the document stays."""
    twice = "für Été".encode().decode("latin-1")
    feed = read(rss(item(f"<title>{twice}</title>") + item("<title>Ünder €</title>")))

    assert ["für Été", "Ünder €"] == [one.title for one in feed.items]


def test_c1_controls_are_windows_1252() -> None:
    """cp1252 punctuation that was taken for Latin-1 shows as what it was."""
    feed = read(rss(item("<title>\x93a\x94 &#150; b</title>")))

    assert "“a” – b" == feed.items[0].title


def test_repoll_reads_only_what_is_new() -> None:
    """Met items are listed, not read; a changed item is a new one; the window stays whole."""
    items = [item(f"<guid>{n}</guid><title>{n}</title>") for n in range(30)]
    before = read(rss("".join(items)))
    items[3] = item("<guid>3</guid><title>changed</title>")
    body = rss(item("<guid>new</guid>") + "".join(items[:-1])).encode()

    after = parse.read(body, url=URL, met=before.window)

    assert ["new", "3"] == [one.guid for one in after.items]
    assert 28 == len(after.met)
    assert before.items[0].digest in after.met
    assert parse.read(body, url=URL).window[0] == after.items[0].digest


REREAD = {
    "other_language": ("<language>de</language>", URL),
    "other_site": ("<link>http://other.example/</link>", URL),
    "other_address": ("", "https://elsewhere.example/feed"),
}


@pytest.mark.parametrize(("channel", "url"), REREAD.values(), ids=REREAD)
def test_items_are_read_again_when_what_they_depend_on_changes(channel: str, url: str) -> None:
    """An equal digest means an equal reading."""
    before = read(rss(item("<title>a</title>")))

    after = parse.read(
        rss(channel + item("<title>a</title>")).encode(), url=url, met=before.window
    )

    assert 1 == len(after.items)


TRICKY = {
    "end_tag_in_cdata": "<description><![CDATA[<item></item>]]></description>",
    "in_a_comment": "<!-- <item><title>gone</title></item> --><title>b</title>",
    "nested": "<x><item><title>inner</title></item></x>",
}


@pytest.mark.parametrize("inner", TRICKY.values(), ids=TRICKY)
def test_items_that_only_look_like_items_do_not_confuse_a_repoll(inner: str) -> None:
    """Where the bytes mislead, the parser's own view counts, on every poll alike."""
    body = rss(item("<title>a</title>") + item(inner) + item("<title>c</title>")).encode()
    first = parse.read(body, url=URL)

    again = parse.read(body, url=URL, met=first.window[1:])

    assert first.items[:1] == again.items
    assert set(first.window) == set(again.window)


IN_OTHER_BYTES = {
    "ascii": ("plain", "ascii"),
    "utf-8": ("für", "utf-8"),
    "windows-1252": ("für", "cp1252"),
    "iso-2022-jp": ("日本", "iso2022_jp"),
    "hz": ("中文", "hz"),
    "utf-8-that-looks-like-hz": ("~{ für", "utf-8"),
}


@pytest.mark.parametrize(("title", "codec"), IN_OTHER_BYTES.values(), ids=IN_OTHER_BYTES)
@pytest.mark.parametrize("new", [0, 1, 2], ids=["first", "second", "third"])
def test_a_repoll_decodes_as_the_first_poll_did(title: str, codec: str, new: int) -> None:
    """Wherever the only telling bytes stand, in an item that was met or in a new one."""
    titles = ("a", title, "c")
    document = rss("".join(item(f"<title>{one}</title>") for one in titles))
    body, header = document.encode(codec), f"text/xml; charset={codec}"
    first = parse.read(body, url=URL, content_type=header)
    met = [digest for place, digest in enumerate(first.window) if place != new]

    again = parse.read(body, url=URL, content_type=header, met=met)

    assert titles == tuple(one.title for one in first.items)
    assert (first.items[new],) == again.items
    assert (first.encoding, first.encoding_source) == (again.encoding, again.encoding_source)


@pytest.mark.parametrize("before", ["<!--", "<![CDATA["])
def test_items_that_are_hidden_now_are_gone(before: str) -> None:
    """What was met counts no more once a comment begins before it and does not end there."""
    items = [item(f"<title>{title}</title>") for title in "abc"]
    first = read(rss("".join(items)))
    after = "-->" if before == "<!--" else "]]>"
    hidden = rss(items[0] + f"<x>{before}" + items[1] + f"{after}</x>" + items[2]).encode()

    again = parse.read(hidden, url=URL, met=first.window)

    assert 2 == len(again.window)


def test_item_limit() -> None:
    """The first 500 are read, in order, and a warning says that there were more (HTTP-21)."""
    feed = read(rss("".join(item(f"<title>{n}</title>") for n in range(501))))

    assert 500 == len(feed.items)
    assert "0" == feed.items[0].title
    assert any("first 500" in warning.text for warning in feed.warnings)


def test_warnings_name_the_line() -> None:
    """Whoever looks for the fault in a feed is told where it is."""
    feed = read("<rss>\n<channel>\n<title>A & B</title></channel></rss>")

    assert 3 == feed.warnings[0].line


def test_blank_lines_between_items_are_counted() -> None:
    """The line in a warning is that of the document as the publisher sent it."""
    document = (
        b"<rss><channel>\n<item></item>\n<item>\n</item>\n\n<item>\n&uuml;</item></channel></rss>"
    )
    feed = parse.read(document, url="http://feed.example/")

    assert 7 == feed.warnings[0].line


def test_other_nodes_than_elements_are_passed_over() -> None:
    """What recovery leaves standing between the items is no reason to stop."""
    feed = read("<rss><channel><b:x/>&foo;<item><title>a</title><?pi <c></item></channel></rss>")

    assert ["a"] == [one.title for one in feed.items]
