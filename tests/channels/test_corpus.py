"""Entries of real feeds, rendered for both channels and read by the rules of the platforms."""

from collections.abc import Iterator
from datetime import UTC, datetime

from tests.corpus import corpus_folder
from tests.servers.discord_rules import check_message
from tests.servers.telegram_html import read_html, utf16
from wireroom.channels.discord.render import render as discord
from wireroom.channels.telegram.render import render as telegram
from wireroom.delivery.channel import Address
from wireroom.delivery.message import Message
from wireroom.errors import NotAFeed
from wireroom.feeds.parse import read

_EACH = 2
_FORMATS = (".xml", ".rss", ".atom", ".json")


def _entries() -> Iterator[Message]:
    """The first entries of every feed in the corpus."""
    for path in sorted(corpus_folder("wild").rglob("*")):
        if not path.is_file() or path.suffix not in _FORMATS or path.stat().st_size > 60_000:
            continue
        try:
            feed = read(path.read_bytes(), url="https://example.org/feed", max_items=_EACH)
        except NotAFeed:
            continue
        for item in feed.items[:_EACH]:
            yield Message(
                feed_title=feed.title,
                title=item.title,
                link=item.link,
                body=item.body,
                summary=item.summary,
                author=item.author,
                published=item.published or datetime(2026, 11, 30, tzinfo=UTC),
                site_url=feed.site_url,
                icon_url=feed.icon_url,
                image_url=item.image_url,
            )


def test_real_entries_are_within_the_rules() -> None:
    """No real entry makes a message that Telegram or Discord would refuse or mend."""
    count = 0
    for entry in _entries():
        for settings in ({}, {"content": 0}):
            for parcel in telegram(entry, Address("1"), settings):
                parsed = read_html(parcel.payload["text"])

                assert parsed.text
                assert utf16(parsed.text) <= 4096
                assert [] == [lost for lost in parsed.lost if not lost.startswith("link to")]
            for parcel in discord(entry, Address("1"), settings):
                check_message(parcel.payload)
        count += 1

    assert count > 50
