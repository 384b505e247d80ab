"""Medium: people, publications and tags; "feed" stands before the name, or after an own host."""

from collections.abc import Iterator

from wireroom.feeds.sites.address import Address, SiteFeed, segment

_OWN_PAGES = frozenset({
    "m", "me", "search", "about", "membership", "new-story", "feed", "p",
    "explore-topics", "jobs-at-medium", "membership-plans", "plans", "topics", "u",
})  # fmt: skip
# The company's own: short links, help, rules.
_COMPANY = frozenset({
    "api.medium.com", "help.medium.com", "link.medium.com", "policy.medium.com",
    "status.medium.com",
})  # fmt: skip
_TAGS = frozenset({"tag", "tagged", "topic"})


def from_address(address: Address) -> Iterator[SiteFeed]:
    """medium.com/@person, /publication, /tag/name, /publication/tagged/name, person.medium.com."""
    if not address.under("medium.com"):
        return
    first, second, third = (address.part(index) for index in range(3))
    if address.host != "medium.com":
        if address.host not in _COMPANY:
            yield SiteFeed(address.at("/feed"), address.host.partition(".")[0])
    elif first in _TAGS and second:
        yield SiteFeed(f"https://medium.com/feed/tag/{segment(second)}", second)
    elif first and first not in _OWN_PAGES | _TAGS:
        if second == "tagged" and third:
            yield SiteFeed(
                f"https://medium.com/feed/{segment(first)}/tagged/{segment(third)}", third
            )
        yield SiteFeed(f"https://medium.com/feed/{segment(first)}", first)
