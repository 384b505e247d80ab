"""Flickr: photos of a person or a pool, by an id that the address or the page tells."""

import re
from collections.abc import Iterator

from wireroom.feeds.sites.address import Address, Page, SiteFeed, segment

_FEEDS = "https://www.flickr.com/services/feeds"
_ID = re.compile(r"\d{1,20}@N\d{2}")
_ID_IN_SOURCE = re.compile(r'"nsid"\s*:\s*"(\d{1,20}@N\d{2})"')


def from_address(address: Address) -> Iterator[SiteFeed]:
    """Addresses that hold the id, and tags."""
    if address.host != "flickr.com":
        return
    if address.parts[:2] == ("photos", "tags") and address.part(2):
        tag = address.part(2)
        yield SiteFeed(f"{_FEEDS}/photos_public.gne?tags={segment(tag)}", tag)
    elif _ID.fullmatch(address.part(1)):
        yield from _feed(address, address.part(1))


def from_page(page: Page) -> Iterator[SiteFeed]:
    """Addresses with a name in the place of the id."""
    if page.address.host != "flickr.com" or any(from_address(page.address)):
        return
    if found := _ID_IN_SOURCE.search(page.source):
        yield from _feed(page.address, found[1])


def _feed(address: Address, nsid: str) -> Iterator[SiteFeed]:
    if address.part(0) == "groups":
        yield SiteFeed(f"{_FEEDS}/groups_pool.gne?id={nsid}", "Pool")
    elif address.part(0) in ("photos", "people"):
        yield SiteFeed(f"{_FEEDS}/photos_public.gne?id={nsid}", "Photos")
