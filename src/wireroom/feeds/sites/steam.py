"""Steam: the news of a game."""

from collections.abc import Iterator

from wireroom.feeds.sites.address import Address, SiteFeed


def from_address(address: Address) -> Iterator[SiteFeed]:
    """store.steampowered.com/app/NUMBER, /news/app/NUMBER, and the game's hub in the community."""
    if not address.under("store.steampowered.com", "steamcommunity.com"):
        return
    before, _, after = "/".join(address.parts).partition("app/")
    number = after.partition("/")[0]
    if before in ("", "news/") and number.isdigit():
        yield SiteFeed(f"https://store.steampowered.com/feeds/news/app/{number}/", "News")
