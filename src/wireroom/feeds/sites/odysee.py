"""Odysee: the videos of a channel, which goes by its name and the beginning of its claim's id."""

from collections.abc import Iterator

from wireroom.feeds.sites.address import Address, SiteFeed, segment


def from_address(address: Address) -> Iterator[SiteFeed]:
    """odysee.com/@NAME:ID, also with a video behind it."""
    channel = address.part(0)
    if address.host == "odysee.com" and channel.startswith("@") and len(channel) > 1:
        yield SiteFeed(f"https://odysee.com/$/rss/{segment(channel)}", "Videos")
