"""Royal Road: the chapters of a fiction (see also the `royalroad` adapter)."""

from collections.abc import Iterator

from wireroom.feeds.sites.address import Address, SiteFeed


def from_address(address: Address) -> Iterator[SiteFeed]:
    """royalroad.com/fiction/NUMBER/name and its chapters."""
    number = address.part(1)
    if address.host == "royalroad.com" and address.part(0) == "fiction" and number.isdigit():
        yield SiteFeed(f"https://www.royalroad.com/fiction/syndication/{number}", "Chapters")
