"""Apple Podcasts: a show's page carries the address of the publisher's own feed."""

import json
import re
from collections.abc import Iterator

from wireroom.feeds.sites.address import Page, SiteFeed

_FEED_URL = re.compile(r'"feedUrl"\s*:\s*("https?:[^"\s]{1,2000}")')


def from_page(page: Page) -> Iterator[SiteFeed]:
    """The first "feedUrl" is the show's; shows that are recommended beside it come later."""
    if not page.address.under("podcasts.apple.com", "itunes.apple.com"):
        return
    if found := _FEED_URL.search(page.source):
        try:
            yield SiteFeed(json.loads(found[1]), page.metas.get("og:title", ""))
        except ValueError:  # an escape that JSON does not know
            return
