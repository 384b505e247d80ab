import pytest

from wireroom.feeds import webpage


def test_links_metas_base_and_anchors_are_found_in_document_order() -> None:
    """A page gives its head's facts and its anchors with their words."""
    page = webpage.read(
        b"<base href='/here/'><base href='/there/'><META NAME=Generator CONTENT='Ghost 5'>"
        b"<link REL='Alternate FEED' type='Text/XML; charset=x' title=' a\n b ' href=' f.xml '>"
        b"<p><b>An <i>anchor</i></b> <a href=x.rss>the <em>RSS</em> &amp; more</a><a>none</a>"
    )

    assert "/here/" == page.base
    assert {"generator": "Ghost 5"} == page.metas
    assert (
        webpage.Link("f.xml", frozenset({"alternate", "feed"}), "text/xml", "a b"),
    ) == page.links
    assert (webpage.Link("x.rss", title="the RSS & more"),) == page.anchors


@pytest.mark.parametrize(
    "around",
    [
        pytest.param("<!-- %s -->", id="comment"),
        pytest.param("<!-- %s", id="comment_without_end"),
        pytest.param("<script>'%s'</script>", id="script"),
        pytest.param("<textarea>%s</textarea>", id="textarea"),
        pytest.param("<title>%s</title>", id="title"),
        pytest.param('<div data-x="%s">', id="attribute_of_another_element"),
        pytest.param("<!--[if IE]>%s<![endif]-->", id="conditional_comment"),
    ],
)
def test_what_only_looks_like_a_link_is_none(around: str) -> None:
    """Markup that a browser would not read as an element is not read here either."""
    page = webpage.read((around % "<link rel=alternate href=/feed>").encode())

    assert () == page.links


@pytest.mark.parametrize(
    "source",
    [
        pytest.param('<link title="a > b" rel=alternate href="/feed">', id="angle_in_a_title"),
        pytest.param("<!--> <link rel=alternate href=/feed> <!-- x -->", id="empty_comment"),
        pytest.param("<!-- <b --><link rel=alternate href=/feed>", id="tag_begun_in_a_comment"),
        pytest.param("<script>a</scripty></script><link rel=alternate href=/feed>", id="script"),
        pytest.param("<p title='<'><link rel=alternate href=/feed", id="page_cut_in_the_link"),
        pytest.param("<body><div><link rel=alternate href=/feed>", id="link_in_the_body"),
        pytest.param("<noscript><link rel=alternate href=/feed>", id="noscript"),
        pytest.param("<a <link rel=alternate href=/feed>", id="broken_anchor_before"),
        pytest.param("<li\0nk rel=alternate href=/feed>", id="nul_in_the_name"),
    ],
)
def test_links_survive_bad_markup_around_them(source: str) -> None:
    """Whatever stands around a link, its address is found, or the link was never closed."""
    page = webpage.read(source.encode())

    found = {link.href for link in page.links + page.anchors}
    assert (set() if source.endswith("/feed") else {"/feed"}) == found


@pytest.mark.parametrize(
    ("html", "content_type", "text"),
    [
        pytest.param("é".encode(), "", "é", id="utf8_undeclared"),
        pytest.param("é".encode("utf-16"), "", "é", id="bom"),
        pytest.param("é!".encode("latin-1"), "", "é!", id="windows_1252_at_last"),
        pytest.param(
            "“й”".encode("cp1251"), "text/html; charset=windows-1251", "“й”", id="header"
        ),
        pytest.param(
            "<meta charset=shift_jis>日".encode("cp932"),
            "",
            "<meta charset=shift_jis>日",
            id="meta",
        ),
        pytest.param("é".encode(), "text/html; charset=latin1", "é", id="header_that_lies"),
        pytest.param("é".encode()[:1], "", "", id="cut_within_a_character"),
        pytest.param(b"\xff", "text/html; charset=rot13", "ÿ", id="codec_that_is_no_encoding"),
        pytest.param(b"\xff", "text/html; charset=klingon", "ÿ", id="unknown_codec"),
    ],
)
def test_pages_are_decoded_as_they_were_meant(html: bytes, content_type: str, text: str) -> None:
    """BOM, then UTF-8 where it fits, then what header or page say, then Windows-1252."""
    assert text == webpage.decoded(html, content_type=content_type)


_HOSTILE = {
    "open_divs": "<div>",
    "lists": "<ul><li>",
    "formatting": "<font a=1><p>",
    "angles": "<",
    "open_tags": "<x",
    "anchors": "<a href=x>",
    "anchors_in_one_tag": "<a ",
    "quotes": '<a href="',
    "comments": "<!--",
    "script_ends": "<script></scrip",
    "attributes": " a=b",
}


@pytest.mark.parametrize("unit", _HOSTILE.values(), ids=_HOSTILE)
def test_hostile_pages_cost_linear_time(unit: str) -> None:
    """A full page of what keeps tree builders busy for minutes still gives the link before it.

    Each takes 0.6 s at most; no clock is asserted on, but a relapse will not go unnoticed.
    """
    page = "<link rel=alternate href=/first>" + unit * (webpage.PAGE_BYTES // len(unit))

    links = webpage.read(page.encode()).links

    assert ["/first"] == [link.href for link in links]


def test_only_the_first_half_megabyte_is_read() -> None:
    """What stands behind the limit does not exist (HTTP-36)."""
    filler = b" " * webpage.PAGE_BYTES

    assert () == webpage.read(filler + b"<link rel=alternate href=/feed>").links
