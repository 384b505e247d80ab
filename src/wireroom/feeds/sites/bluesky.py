"""Bluesky: a profile's posts as RSS, by handle or by DID."""

from collections.abc import Iterator

from wireroom.feeds.sites.address import Address, SiteFeed, segment


def from_address(address: Address) -> Iterator[SiteFeed]:
    """bsky.app/profile/NAME, the name written with or without its "@"."""
    name = address.part(1).removeprefix("@")
    if address.host == "bsky.app" and address.part(0) == "profile" and name:
        yield SiteFeed(f"https://bsky.app/profile/{segment(name)}/rss", name)
