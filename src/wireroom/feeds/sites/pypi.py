"""PyPI: releases of a project, newest projects, newest updates."""

from collections.abc import Iterator

from wireroom.feeds.sites.address import Address, SiteFeed, segment


def from_address(address: Address) -> Iterator[SiteFeed]:
    """pypi.org/project/NAME, and the front page."""
    if address.host != "pypi.org":
        return
    name = address.part(1)
    if address.part(0) == "project" and name:
        yield SiteFeed(f"https://pypi.org/rss/project/{segment(name)}/releases.xml", "Releases")
    elif not address.parts:
        yield SiteFeed("https://pypi.org/rss/updates.xml", "Newest updates")
        yield SiteFeed("https://pypi.org/rss/packages.xml", "Newest packages")
