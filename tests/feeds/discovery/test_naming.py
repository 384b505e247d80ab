import pytest

from wireroom.feeds import discovery

_RSS = "rel=alternate type=application/rss+xml"
_ATOM = "rel=alternate type=application/atom+xml"


def _titles(html: str, url: str = "https://www.site.example/a/b") -> list[str]:
    return [each.title for each in discovery.candidates(html.encode(), url=url)]


@pytest.mark.parametrize(
    ("title", "expected"),
    [
        pytest.param("", "Harbour News", id="none"),
        pytest.param("RSS", "Harbour News", id="format"),
        pytest.param("Atom 1.0", "Harbour News", id="format_and_version"),
        pytest.param("Subscribe to this site's RSS feed", "Harbour News", id="a_request"),
        pytest.param("Harbour » Feed", "Harbour", id="the_word_of_wordpress"),
        pytest.param("Harbour - RSS", "Harbour", id="the_word_of_blogger"),
        pytest.param("Ebb &amp;amp; flow", "Ebb & flow", id="escaped_twice"),
        pytest.param("Ships in port", "Ships in port", id="a_name"),
        pytest.param("Feed of ships", "Feed of ships", id="a_name_with_a_feed_in_it"),
        pytest.param("24", "24", id="a_number"),
    ],
)
def test_a_title_that_tells_nothing_gives_way_to_the_sites_name(title: str, expected: str) -> None:
    """ "RSS" is what most pages call their feed; people call it by the name of the site."""
    meta = "<meta property=og:site_name content='Harbour News'>"

    assert [expected] == _titles(f'{meta}<link {_RSS} href=/f title="{title}">')


@pytest.mark.parametrize(
    ("html", "url", "expected"),
    [
        pytest.param(
            "<title>Harbour\n News</title>", "https://site.example/", "Harbour News", id="front"
        ),
        pytest.param(
            "<title>A ship came</title>", "https://www.site.example/1", "site.example", id="page"
        ),
        pytest.param("", "https://site.example/", "site.example", id="nothing"),
        pytest.param(
            "<meta name=application-name content=App><title>x</title>",
            "https://site.example/",
            "App",
            id="application",
        ),
        pytest.param(
            f"<link {_RSS} title='Harbour » Feed' href=/f2>", "https://a.example/1", "Harbour",
            id="another_feed",
        ),
    ],
)  # fmt: skip
def test_the_site_is_called_as_its_pages_call_it(html: str, url: str, expected: str) -> None:
    """By its metas, the title of the front page, other feeds' titles, or its host."""
    assert expected == _titles(f"{html}<link {_RSS} href=/f>", url)[0]


@pytest.mark.parametrize(
    ("html", "expected"),
    [
        pytest.param(
            f"<link {_RSS} href=/1><link {_ATOM} href=/2>"
            "<link rel=alternate type=application/feed+json href=/3>",
            ["site.example (RSS)", "site.example (Atom)", "site.example (JSON Feed)"],
            id="formats",
        ),
        pytest.param(
            f"<link {_RSS} title=News href=/sea/rss><link {_RSS} title=NEWS href='/rss?p=land'>",
            ["News", "NEWS (rss?p=land)"],
            id="paths",
        ),
        pytest.param(
            f"<link {_RSS} href=/rss><link {_RSS} href=https://o.example/rss>",
            ["site.example", "site.example (o.example/rss)"],
            id="hosts",
        ),
        pytest.param(
            f"<link {_RSS} href=/rss><link {_RSS} href=/comments/rss>",
            ["site.example", "site.example (comments)"],
            id="comments",
        ),
    ],
)
def test_no_two_have_the_same_title(html: str, expected: list[str]) -> None:
    """They differ by format, or by where they lie; the likeliest may go by its name alone."""
    assert expected == _titles(html)
