import pytest

from wireroom.feeds import discovery

_RSS = "rel=alternate type=application/rss+xml"


def _order(html: str, url: str = "https://site.example/blog/post.html") -> list[str]:
    found = discovery.candidates(html.encode(), url=url)
    return [each.url.removeprefix("https://site.example") for each in found]


@pytest.mark.parametrize(
    "part",
    [
        pytest.param("href=/comments/feed/", id="comments"),
        pytest.param(
            "href=/post/1/feed title='Anmerkungen: Comments Feed'", id="comments_by_title"
        ),
        pytest.param("href=/?feed=comments-rss2", id="comments_by_parameter"),
        pytest.param("href=/category/sea/feed/", id="category"),
        pytest.param("href=/x1 title='Harbour » Sea Category Feed'", id="category_by_title"),
        pytest.param("href=/feed?cat=7", id="category_by_parameter"),
        pytest.param("href=/tag/sea/feed/", id="tag"),
        pytest.param("href=/feeds/posts/default/-/Sea", id="label_of_blogger"),
        pytest.param("href=/author/ann/feed/", id="author"),
        pytest.param("href='/?s=tide&amp;feed=rss2'", id="search"),
        pytest.param("href=/x2 title='Suchergebnisse für Ebbe'", id="search_by_title"),
        pytest.param("href=/feed/sport", id="deeper_than_the_main_one"),
        pytest.param("href=/sport/feed/", id="the_main_one_of_a_section"),
        pytest.param("href=/x3 hreflang=de", id="another_language"),
        pytest.param("href=/fr/feed/", id="another_language_by_path"),
        pytest.param("href='/feed/?lang=es'", id="another_language_by_parameter"),
        pytest.param("href=/maps/georss.php", id="places_on_a_map"),
        pytest.param("type=application/json href=/posts.json", id="plain_json"),
    ],
)
def test_the_main_feed_comes_before_its_parts(part: str) -> None:
    """Whatever stands first in the page, the feed of the whole site is the likeliest."""
    main = f"<link {_RSS} title=Harbour href=/feed/>"

    found = _order(f"<html lang=en-GB><link {part} {_RSS}>{main}")

    assert 2 == len(found)
    assert "/feed/" == found[0]


@pytest.mark.parametrize(
    ("html", "expected"),
    [
        pytest.param(
            f"<html lang=de><link {_RSS} hreflang=en href=/a><link {_RSS} hreflang=de href=/b>",
            ["/b", "/a"],
            id="declared",
        ),
        pytest.param(
            f"<html xml:lang='de-AT'><link {_RSS} href=/en/rss><link {_RSS} href=/de/rss>",
            ["/de/rss", "/en/rss"],
            id="by_path",
        ),
        pytest.param(
            f"<link {_RSS} href=/en/rss><link {_RSS} href=/de/rss>",
            ["/en/rss", "/de/rss"],
            id="a_page_that_does_not_say",
        ),
    ],
)
def test_the_language_of_the_page_goes_first(html: str, expected: list[str]) -> None:
    """Of feeds in several languages; where the page has none, the publisher's order stays."""
    assert expected == _order(html)


@pytest.mark.parametrize(
    ("first", "second"),
    [
        pytest.param(
            "title='Commentary Magazine' href=/feed",
            "title='Commentary Magazine: Blog' href=/blog.xml",
            id="a_site_called_commentary",
        ),
        pytest.param("href=/commentisfree/rss", "href=/uk/rss", id="a_section_of_opinion"),
        pytest.param(
            "title='Guten Tag – Alles' href=/a", "title='Guten Tag – Neues' href=/b", id="good_day"
        ),
        pytest.param("href=/blog/feed", "href=/feed", id="the_feed_of_the_pages_own_folder"),
        pytest.param("href=/a", "href=/b", id="nothing_to_choose_by"),
    ],
)
def test_the_order_of_the_page_stays_otherwise(first: str, second: str) -> None:
    """Words that all the feeds share, and words within words, speak against none of them."""
    html = f"<link {_RSS} {first}><link {_RSS} {second}>"

    found = discovery.candidates(html.encode(), url="https://site.example/blog/")

    assert first.rpartition("href=")[2] == found[0].url.removeprefix("https://site.example")
    assert [False, False] == [each.is_about_comments for each in found]


@pytest.mark.parametrize(
    "link",
    [
        pytest.param("type=application/json href='/api/oembed?url=x'", id="oembed_as_json"),
        pytest.param("type=text/xml href='/oembed/?format=xml'", id="oembed_as_xml"),
        pytest.param("type=application/json+oembed href=/o", id="oembed"),
        pytest.param("type=application/json href=/wp-json/wp/v2/pages/2", id="wordpress"),
        pytest.param("type=application/json href=/_next/data/x/index.json", id="next"),
        pytest.param("type=application/xml href=/sitemap.xml", id="sitemap"),
        pytest.param("type=text/xml href=/opensearch.xml", id="search_engine"),
        pytest.param("type=application/activity+json href=/@me", id="activitypub"),
    ],
)
def test_what_programs_talk_to_is_no_feed(link: str) -> None:
    """Alternates in XML or JSON that are answers of an interface are not offered."""
    assert [] == _order(f"<link rel=alternate {link}>")
