"""Lobsters: the front page, tags and people."""

from collections.abc import Iterator

from wireroom.feeds.sites.address import Address, SiteFeed, segment


def from_address(address: Address) -> Iterator[SiteFeed]:
    """lobste.rs, /t/tag (several with commas), /newest."""
    if address.host != "lobste.rs":
        return
    if address.part(0) == "t" and address.part(1) and not address.part(1).endswith(".rss"):
        yield SiteFeed(f"https://lobste.rs/t/{segment(address.part(1))}.rss", address.part(1))
    elif not address.parts:
        yield SiteFeed("https://lobste.rs/rss", "Lobsters")
    elif address.parts == ("newest",):
        yield SiteFeed("https://lobste.rs/newest.rss", "Newest")
