"""Stack Exchange: Atom feeds of a site, a tag, a question and a person, on all its domains."""

from collections.abc import Iterator

from wireroom.feeds.sites.address import Address, SiteFeed, segment

_HOSTS = (
    "stackexchange.com",
    "stackoverflow.com",
    "serverfault.com",
    "superuser.com",
    "askubuntu.com",
    "mathoverflow.net",
    "stackapps.com",
)


def from_address(address: Address) -> Iterator[SiteFeed]:
    """A question's answers, a tag (or several, joined with "+"), a person, the whole site."""
    if not address.under(*_HOSTS) or address.part(0) == "feeds":
        return
    if address.host == "stackexchange.com":
        # Not a site itself: its front page lists what is asked on all of them.
        if address.parts in ((), ("questions",)):
            yield SiteFeed(address.at("/feeds/questions"), "Questions of all sites")
        return
    kind, name = address.part(0), address.part(1)
    if kind in ("questions", "q") and name.isdigit():
        yield SiteFeed(address.at(f"/feeds/question/{name}"), "Answers")
    elif kind == "questions" and name == "tagged" and address.part(2):
        tags = address.part(2)
        joined = "+".join(segment(tag) for tag in tags.replace("+", " ").split())
        yield SiteFeed(address.at(f"/feeds/tag?tagnames={joined}&sort=newest"), tags)
    elif kind == "tags" and name:
        yield SiteFeed(address.at(f"/feeds/tag?tagnames={segment(name)}&sort=newest"), name)
    elif kind == "users" and name.isdigit():
        yield SiteFeed(address.at(f"/feeds/user/{name}"), "Activity")
    elif not kind or (kind == "questions" and not name):
        yield SiteFeed(address.at("/feeds"), "Questions")
