"""Dailymotion: the videos of a person or of a playlist."""

from collections.abc import Iterator

from wireroom.feeds.sites.address import Address, SiteFeed, segment

_FEEDS = "https://www.dailymotion.com/rss"
_OWN_PAGES = frozenset({
    "about", "embed", "feed", "feedback", "following", "hashtag", "legal", "library", "live",
    "partner", "playlist", "press", "rss", "search", "settings", "signin", "topic", "trending",
    "upload", "user", "video",
})  # fmt: skip


def from_address(address: Address) -> Iterator[SiteFeed]:
    """dailymotion.com/NAME, /user/NAME and /playlist/ID, also below a country or language."""
    if address.host != "dailymotion.com":
        return
    parts = address.parts
    if len(parts) > 1 and len(parts[0]) == 2:
        parts = parts[1:]
    first, second = (*parts, "", "")[:2]
    if first == "playlist" and second:
        yield SiteFeed(f"{_FEEDS}/playlist/{segment(second)}", "Playlist")
    elif first == "user" and second:
        yield SiteFeed(f"{_FEEDS}/user/{segment(second)}", "Videos")
    elif first and first not in _OWN_PAGES:
        yield SiteFeed(f"{_FEEDS}/user/{segment(first)}", "Videos")
