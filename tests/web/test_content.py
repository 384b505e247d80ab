"""Bodies, teasers, links and media as pages show them."""

from typing import Any

import pytest

from tests.rows import NOON
from wireroom.feeds.model import Enclosure
from wireroom.store.reading import Body, Entry
from wireroom.web.content import Media, clean_body, media_of, plain, teaser, weblink


def entry(**values: Any) -> Entry:
    given = {
        "feed_id": 1, "seq": 1, "subscription_id": 1, "feed_title": "", "public_id": "x",
        "title": "", "author": "", "link": "", "sort_at": NOON, "published_at": NOON,
        "updated_at": None, "first_seen_at": NOON, "image_url": "", "enclosures": (), "teaser": "",
        "revision": 0, "is_read": False, "is_read_explicit": False, "is_favorite": False,
    }  # fmt: skip
    return Entry(**{**given, **values})


def clean(html: str) -> str:
    return clean_body(entry(link="https://example.org/"), Body(None, html, (), {}))


@pytest.mark.parametrize(
    ("html", "shown"),
    [
        pytest.param("<p>a <b>b</b></p>", "<p>a <b>b</b></p>", id="plain_markup"),
        pytest.param("<p style=x class=y id=z>a</p>", "<p>a</p>", id="no_style_class_id"),
        pytest.param('<code class="language-py">a</code>', '<code class="language-py">a</code>',
                     id="language_of_code"),
        pytest.param("<script>x()</script>a<style>b{}</style>", "a", id="script_and_style"),
        pytest.param("<svg><a href=x>b</a></svg>c", "c", id="svg"),
        pytest.param('<form action="/logout"><button>x</button></form>a', "a", id="forms"),
        pytest.param('<p hx-get="/x" hx-on:load="x()">a</p>', "<p>a</p>", id="htmx_attributes"),
    ],
)  # fmt: skip
def test_bodies_are_cleaned_again(html: str, shown: str) -> None:
    """Whatever is stored, only the allow-list reaches the page."""
    assert shown == clean(html)


@pytest.mark.parametrize(
    "address",
    ["javascript:x()", " java\nscript:x()", "data:text/html,x", "vbscript:x", "file:///x"],
)
def test_links_that_do_more_than_lead_somewhere(address: str) -> None:
    """Such links lose their address in bodies and everywhere else."""
    assert "href" not in clean(f'<a href="{address}">x</a>')
    assert "" == weblink(address)


def test_players_wait_for_a_click() -> None:
    """An allowed player becomes a link that script turns into the player; others vanish."""
    shown = clean(
        '<iframe src="https://www.youtube.com/embed/dQw4w9WgXcQ?a=1&amp;b=2" width="1"></iframe>'
        '<iframe src="https://evil.example/"></iframe>'
    )

    assert "<iframe" not in shown
    assert 'href="https://www.youtube-nocookie.com/embed/dQw4w9WgXcQ?a=1&amp;b=2"' in shown
    assert "Play from www.youtube-nocookie.com" in shown
    assert "evil.example" not in shown or "<a" in shown


def test_pictures_load_when_they_come_into_view() -> None:
    """Also those that did not ask for it."""
    assert 'loading="lazy"' in clean('<img src="https://example.org/a.png">')


def test_links_open_apart() -> None:
    """A link keeps its address, opens in a new tab and tells the other side nothing."""
    shown = clean('<a href="https://example.org/">x</a>')

    assert 'href="https://example.org/"' in shown
    assert 'target="_blank"' in shown
    assert "noopener noreferrer nofollow" in shown


@pytest.mark.parametrize(
    ("html", "title", "words"),
    [
        ("<p>One</p><p>two &amp; three</p>", "", "One two & three"),
        ("Some <b>title</b>: and more", "Some title", "and more"),
        ("<p>cut in the middle <a href='https://exam", "", "cut in the middle"),
        ("<style>p{}</style><p>text</p>", "", "text"),
        ("", "", ""),
    ],
)
def test_teaser_is_text(html: str, title: str, words: str) -> None:
    """No markup, no repeated title, whatever the cut left over."""
    assert words == teaser(entry(teaser=html, title=title))


def test_teaser_is_short() -> None:
    """It ends at a word, with an ellipsis."""
    shown = teaser(entry(teaser="word " * 100))

    assert 182 > len(shown)
    assert shown.endswith("word…")


def test_plain_keeps_markup_that_was_escaped_as_text() -> None:
    """What only looks like markup stays text; the page escapes it."""
    assert "1 < 2 & <x" == plain("1 &lt; 2 &amp; &lt;x")


def test_media() -> None:
    """Players for sound and film, pictures the body lacks, files; nothing that is no address."""
    enclosures = (
        Enclosure("https://m.example/a.mp3", "audio/mpeg", 12_000_000, 4000),
        Enclosure("https://m.example/in-the-body.png", "image/png"),
        Enclosure("https://m.example/b.pdf", title="The paper"),
        Enclosure("javascript:x()", "video/mp4"),
    )
    body = '<img src="https://m.example/in-the-body.png">'

    assert [
        Media("audio", mp3 := "https://m.example/a.mp3", "a.mp3", "1 h 6 min, 12.0 MB", mp3),
        Media("file", pdf := "https://m.example/b.pdf", "The paper", "", pdf),
    ] == media_of(entry(enclosures=enclosures), body)
