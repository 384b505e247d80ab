"""YouTube: every channel and playlist has an Atom feed; handles are looked up in their page."""

import re
from collections.abc import Iterator

from wireroom.feeds.sites.address import Address, Page, SiteFeed, segment

_HOSTS = ("youtube.com", "youtu.be", "youtube-nocookie.com")
_FEEDS = "https://www.youtube.com/feeds/videos.xml"
_CHANNEL = re.compile(r"UC[\w-]{22}")

# Lists that are made anew for each viewer (mixes) or are private (watch later, liked).
_NO_PLAYLIST = re.compile(r"RD|UL|(?:WL|LL|LM)$")

# Where a channel's page names its own id, surest first: other channels' ids are all over it.
_CHANNEL_IN_SOURCE = (
    re.compile(r'"externalId":"(UC[\w-]{22})"'),
    re.compile(r'"browseId":"(UC[\w-]{22})"'),
    re.compile(r'"channelId":"(UC[\w-]{22})"'),
)


def from_address(address: Address) -> Iterator[SiteFeed]:
    """Channels by id, playlists, and the old user names."""
    if not address.under(*_HOSTS) or address.part(0) == "feeds":
        return
    kind, name = address.part(0), address.part(1)
    if kind == "channel" and _CHANNEL.fullmatch(name):
        yield SiteFeed(f"{_FEEDS}?channel_id={name}", "Videos")
    elif kind == "user" and name:
        yield SiteFeed(f"{_FEEDS}?user={segment(name)}", "Videos")
    playlist = address.query.get("list", "")
    if playlist and not _NO_PLAYLIST.match(playlist):
        yield SiteFeed(f"{_FEEDS}?playlist_id={segment(playlist)}", "Playlist")


def from_page(page: Page) -> Iterator[SiteFeed]:
    """Handles (/@name), custom names (/c/name) and videos: the page knows the channel's id."""
    if page.address.under(*_HOSTS) and (channel := _channel(page)):
        yield SiteFeed(f"{_FEEDS}?channel_id={channel}", page.metas.get("og:title", "Videos"))


def _channel(page: Page) -> str:
    canonical = page.linked("canonical").rpartition("/channel/")[2]
    for told in (page.metas.get("identifier", ""), page.metas.get("channelid", ""), canonical):
        if _CHANNEL.fullmatch(told):
            return told
    hits = (pattern.search(page.source) for pattern in _CHANNEL_IN_SOURCE)
    return next((hit[1] for hit in hits if hit), "")
