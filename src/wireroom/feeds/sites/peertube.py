"""PeerTube: videos of a channel, of an account, or of a whole instance."""

from collections.abc import Iterator

from wireroom.feeds.sites.address import Page, SiteFeed, segment

#: First segment of a path, and what the feed is narrowed down by.
_NARROWED_BY = {
    "c": "videoChannelName",
    "video-channels": "videoChannelName",
    "a": "accountName",
    "accounts": "accountName",
}


def from_page(page: Page) -> Iterator[SiteFeed]:
    """Every instance says what it runs on; the narrower feed goes first."""
    is_peertube = page.metas.get("og:platform", "").lower() == "peertube"
    if not (is_peertube or "PeerTubeServerConfig" in page.source):
        return
    address = page.address
    narrowed_by, name = _NARROWED_BY.get(address.part(0)), address.part(1)
    if narrowed_by and name:
        yield SiteFeed(address.at(f"/feeds/videos.xml?{narrowed_by}={segment(name)}"), name)
    yield SiteFeed(address.at("/feeds/videos.xml"), "All videos")
