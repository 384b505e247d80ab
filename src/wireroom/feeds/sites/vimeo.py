"""Vimeo: the videos of a person, a channel or a group have an RSS feed."""

from collections.abc import Iterator

from wireroom.feeds.sites.address import Address, SiteFeed, segment

_OWN_PAGES = frozenset({
    "about", "album", "blog", "business", "categories", "create", "enterprise", "features", "help",
    "join", "log_in", "ondemand", "pricing", "search", "settings", "showcase", "upgrade",
    "upload", "watch",
})  # fmt: skip


def from_address(address: Address) -> Iterator[SiteFeed]:
    """vimeo.com/NAME, /channels/NAME, /groups/NAME; a number is a single video and has no feed."""
    if address.host != "vimeo.com" or address.parts[-1:] == ("rss",):
        return
    first, second = address.part(0), address.part(1)
    if first in ("channels", "groups") and second:
        yield SiteFeed(f"https://vimeo.com/{first}/{segment(second)}/videos/rss", "Videos")
    elif first and not first.isdigit() and first not in _OWN_PAGES | {"channels", "groups"}:
        yield SiteFeed(f"https://vimeo.com/{segment(first)}/videos/rss", "Videos")
