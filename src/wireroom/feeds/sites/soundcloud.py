"""SoundCloud: a person's sounds as RSS, by a number that only the page tells."""

import re
from collections.abc import Iterator

from wireroom.feeds.sites.address import Page, SiteFeed

_USER = re.compile(r"soundcloud(?:://|:)users:(\d{1,20})")


def from_page(page: Page) -> Iterator[SiteFeed]:
    """The app link in the head of a profile carries the number; so does the state below it."""
    if page.address.under("soundcloud.com"):
        told = _USER.search(page.metas.get("al:ios:url", "")) or _USER.search(page.source)
        if told:
            feed = f"https://feeds.soundcloud.com/users/soundcloud:users:{told[1]}/sounds.rss"
            yield SiteFeed(feed, page.metas.get("og:title", "Sounds"))
