"""Goodreads: the shelves and the updates of a reader, by number."""

import re
from collections.abc import Iterator

from wireroom.feeds.sites.address import Address, SiteFeed, segment

_NUMBER = re.compile(r"(\d{1,20})(?:-.*)?")


def from_address(address: Address) -> Iterator[SiteFeed]:
    """goodreads.com/user/show/NUMBER-name and /review/list/NUMBER-name?shelf=read."""
    number = _NUMBER.fullmatch(address.part(2))
    if address.host != "goodreads.com" or not number:
        return
    shelf = segment(address.query.get("shelf", ""))
    shelf_feed = SiteFeed(
        f"https://www.goodreads.com/review/list_rss/{number[1]}"
        + (f"?shelf={shelf}" if shelf else ""),
        shelf or "Shelves",
    )
    if address.parts[:2] == ("user", "show"):
        yield SiteFeed(f"https://www.goodreads.com/user/updates_rss/{number[1]}", "Updates")
        yield shelf_feed
    elif address.parts[:2] == ("review", "list"):
        yield shelf_feed
