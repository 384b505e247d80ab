"""SourceHut: RSS of the log and the references of a repository."""

from collections.abc import Iterator

from wireroom.feeds.sites.address import Address, SiteFeed, segment


def from_address(address: Address) -> Iterator[SiteFeed]:
    """git.sr.ht/~person/repository."""
    person, repository = address.part(0), address.part(1)
    if address.host in ("git.sr.ht", "hg.sr.ht") and person.startswith("~") and repository:
        base = address.at(f"/{segment(person)}/{segment(repository)}")
        yield SiteFeed(f"{base}/refs/rss.xml", "Releases")
        yield SiteFeed(f"{base}/log/rss.xml", "Commits")
