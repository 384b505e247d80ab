"""arXiv: the announcements of a subject, daily."""

from collections.abc import Iterator

from wireroom.feeds.sites.address import Address, SiteFeed, segment


def from_address(address: Address) -> Iterator[SiteFeed]:
    """arxiv.org/list/cs.AI/recent and the like."""
    subject = address.part(1)
    if address.under("arxiv.org") and address.part(0) == "list" and subject:
        yield SiteFeed(f"https://rss.arxiv.org/rss/{segment(subject)}", subject)
