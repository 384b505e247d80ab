"""Mastodon and its kin: a person's public posts at /@name.rss, a hashtag's at /tags/name.rss."""

from collections.abc import Iterator
from dataclasses import replace

from wireroom.feeds.sites.address import Address, SiteFeed, segment

# Hosts where /@name means something else and another module knows what.
_OTHERS = ("youtube.com", "medium.com", "substack.com", "tiktok.com", "threads.net", "threads.com")


def from_address(address: Address) -> Iterator[SiteFeed]:
    """Any host may run it, so the shape of the path is all there is to go by.

    /@name@elsewhere is a person of another host: their feed is at home, over there.
    """
    if address.part(0) in ("web", "deck") and address.part(1).startswith("@"):
        address = replace(address, parts=address.parts[1:])  # as its web apps have it
    name = address.part(0).removeprefix("@")
    if address.under(*_OTHERS) or not name:
        return
    if address.part(0).startswith("@") and not name.endswith(".rss"):
        person, _, home = name.partition("@")
        origin = f"https://{home}" if home else address.origin
        if person and "/" not in home:
            yield SiteFeed(f"{origin}/@{segment(person)}.rss", f"@{person}")
    elif name == "tags" and len(address.parts) == 2 and not address.part(1).endswith(".rss"):
        yield SiteFeed(address.at(f"/tags/{segment(address.part(1))}.rss"), "#" + address.part(1))
