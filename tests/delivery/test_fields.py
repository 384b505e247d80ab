"""The values that templates are given, by the names of the systems that people come from."""

from dataclasses import replace
from datetime import UTC, datetime
from typing import Any

import pytest

from wireroom.delivery import compose, profiles, template
from wireroom.delivery.htmltext import parse
from wireroom.delivery.wishes import wishes
from wireroom.feeds.model import SafeHtml
from wireroom.store.entries import Entry
from wireroom.store.routes import Route

_ENTRY = Entry(
    feed_id=1,
    seq=1,
    public_id="e",
    sort_at=datetime(2026, 11, 30, 12, tzinfo=UTC),
    published=datetime(2026, 11, 30, 12, tzinfo=UTC),
    first_seen=datetime(2026, 11, 30, 12, tzinfo=UTC),
    title="Tides & <ships>",
    author="A. Writer",
    link="https://www.www.example.org/p/1?a=1&b=2",
    summary=None,
    content=SafeHtml("<p>One &lt; two.</p>\n\n<p> </p><p><br></p><div>Three.</div>"),
    image_url="",
    enclosures=(),
    categories=("a",),
    revision=0,
    is_news=True,
    not_news_why="",
)
_ROUTE = Route(
    id=1,
    feed_id=1,
    cursor=0,
    asked_through=0,
    last_seq=1,
    settings={},
    attempts=0,
    failing_since=None,
    parcels_sent=0,
    not_before=None,
    feed_title="Harbour <News>",
    feed_url="https://example.org/feed",
    site_url="https://example.org/",
    icon_url="",
    language="",
)


def shown(source: str, entry: Entry = _ENTRY, **settings: Any) -> str:
    """What a reader sees of a template's message."""
    wanted = wishes(({"template": source, **settings},))
    laid_out = compose.compose(entry, _ROUTE, wanted).laid_out
    assert laid_out is not None
    return "\n".join(block.text for block in parse(laid_out, keep_newlines=True).blocks)


@pytest.mark.parametrize(
    ("name", "expected"),
    [
        ("Title", "Tides & <ships>"),
        ("FeedTitle", "Harbour <News>"),
        ("Content", "One < two.\nThree."),
        ("PostLink", "https://www.www.example.org/p/1?a=1&b=2"),
        ("PostDomain", "www.example.org"),
        ("bot_feed_name", "Harbour <News>"),
        ("bot_feed_link", "https://example.org/feed"),
        ("bot_item_name", "Tides & <ships>"),
        ("bot_item_link", "https://www.www.example.org/p/1?a=1&b=2"),
        ("bot_item_description", "One < two.\nThree."),
        ("bot_item_author", "A. Writer"),
        ("bot_date", "2026-11-30 12:00:00+00:00"),
    ],
)
def test_fields(name: str, expected: str) -> None:
    """RSS Bot's five (TGD-17) and El Monitorro's seven (TGD-22): escaped once (TGD-25), without
    tags (TGD-26), and without blank lines (TGD-31)."""
    assert expected == shown(f"{{{{ {name} }}}}")
    assert expected == shown("{{." + name + "}}")
    assert expected == shown(f"{{{{{{{name}}}}}}}")


@pytest.mark.parametrize(
    ("link", "expected"),
    [
        ("https://www.example.org/a", "example.org"),
        ("https://news.www.example.org/a", "news.www.example.org"),
        ("https://feedproxy.google.com/~r/ships/~3/x/", "ships"),
        ("https://feedproxy.google.com/x", "feedproxy.google.com"),
    ],
)
def test_the_domain_of_a_link(link: str, expected: str) -> None:
    """Its host without the first `www.`; the old feed service names the feed (TGD-21)."""
    assert expected == shown("{{.PostDomain}}", replace(_ENTRY, link=link))


@pytest.mark.parametrize(
    ("source", "most"),
    [
        ("{{.Content}}", 270),
        ("{{bot_item_description}}", 3000),
        ('{{create_link bot_item_description "https://example.org/"}}', 1000),
        ("{{substring bot_item_description 7}}", 7),
    ],
    ids=["RSS Bot's text", "El Monitorro's text", "text of a link", "substring"],
)
def test_cuts(source: str, most: int) -> None:
    """After so many characters and "...", never inside of an entity (TGD-23, TGD-32, TGD-33)."""
    entry = replace(_ENTRY, content=SafeHtml("&amp;" * 5000))

    assert "&" * most + "..." == shown(source, entry)


@pytest.mark.parametrize(
    ("minutes", "expected"),
    [(-210, "2026-11-30 08:30:00-03:30"), (840, "2026-12-01 02:00:00+14:00")],
)
def test_dates_are_in_the_chats_offset(minutes: int, expected: str) -> None:
    """By minutes, as El Monitorro has them (TGD-36)."""
    assert expected == shown("{{bot_date}}", utc_offset_minutes=minutes)


def test_what_an_item_lacks_its_feed_has() -> None:
    """Without link it leads to the feed's site (PRS-12), without title there are words for that
    (PRS-29)."""
    bare = replace(_ENTRY, link="", title="")

    assert "https://example.org/" == shown("{{.PostLink}}", bare)
    assert "No title" == shown("{{.Title}}", bare)


def test_the_layout_of_el_monitorro() -> None:
    """Feed, entry, description, date, link with blank lines between; what is missing leaves none
    (TGD-24)."""
    source = profiles.DEFAULTS["el-monitorro"]["telegram"].settings["template"]
    bare = replace(_ENTRY, title="", content=None, published=None)
    written = template.render(
        template.parse(source),
        compose.fields(compose.compose(_ENTRY, _ROUTE, wishes(())), _ROUTE, wishes(())),
    )

    assert written.split("\n\n") == [
        "Harbour &lt;News&gt;",
        "Tides &amp; &lt;ships&gt;",
        "One &lt; two.\nThree.",
        "2026-11-30 12:00:00+00:00",
        "https://www.www.example.org/p/1?a=1&amp;b=2",
    ]
    assert f"Harbour <News>\n\n{_ENTRY.link}" == shown(source, bare)


def test_how_much_a_subscription_begins_with() -> None:
    """Nothing with one admin (TGD-04), the newest ten where everybody may (TGD-05)."""
    begins = {
        name: profiles.defaults(name, "telegram").initial_items
        for name in ("rssbot", "el-monitorro")
    }

    assert {"rssbot": 0, "el-monitorro": 10} == begins
