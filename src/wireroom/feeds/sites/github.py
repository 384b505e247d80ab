"""GitHub: Atom feeds of people, releases, commits, tags, wikis and gists, without a token."""

import re
from collections.abc import Iterator

from wireroom.feeds.sites.address import Address, SiteFeed, segment

# First path segments that are GitHub's own pages and never an account.
_OWN_PAGES = frozenset({
    "about", "advisories", "apps", "collections", "contact", "customer-stories", "dashboard",
    "enterprise", "events", "explore", "features", "issues", "join", "login", "logout",
    "marketplace", "new", "notifications", "orgs", "pricing", "pulls", "readme", "resources",
    "search", "security", "sessions", "settings", "signup", "site", "solutions", "sponsors",
    "stars", "team", "topics", "trending", "users", "watching",
})  # fmt: skip


# A gist's own id, where the name of who wrote it is left out; "starred" needs a login.
_GIST = re.compile(r"[0-9a-f]{20,32}|starred")


def from_address(address: Address) -> Iterator[SiteFeed]:
    """An account's activity, or a repository's feeds, first the one that the address is about."""
    owner = address.part(0)
    if address.host == "github.com" and owner == "orgs" and address.part(1):
        yield from _organisation(address.part(1), address.part(2))
        return
    if address.host == "gist.github.com" and owner and not _GIST.fullmatch(owner):
        yield SiteFeed(f"https://gist.github.com/{segment(owner)}.atom", "Gists")
    if address.host != "github.com" or not owner or owner in _OWN_PAGES or _is_file(address):
        return
    if not address.part(1):
        yield SiteFeed(f"https://github.com/{segment(owner)}.atom", "Activity")
        return
    repository = f"https://github.com/{segment(owner)}/{segment(address.part(1))}"
    yield from _repository(repository.removesuffix(".git"), address.parts[2:])


def _is_file(address: Address) -> bool:
    """Whether it is a feed, or a file that somebody keeps in a repository."""
    return ".atom" in address.url or address.part(2) == "raw"


def _organisation(name: str, page: str) -> Iterator[SiteFeed]:
    if page == "discussions":
        yield SiteFeed(f"https://github.com/orgs/{segment(name)}/discussions.atom", "Discussions")
    yield SiteFeed(f"https://github.com/{segment(name)}.atom", "Activity")


def _discussions(base: str, rest: tuple[str, ...]) -> Iterator[SiteFeed]:
    if rest[:1] == ("categories",) and len(rest) == 2:
        category = f"{base}/discussions/categories/{segment(rest[1])}.atom"
        yield SiteFeed(category, "Discussions: " + rest[1])
    yield SiteFeed(f"{base}/discussions.atom", "Discussions")


def _repository(base: str, rest: tuple[str, ...]) -> Iterator[SiteFeed]:
    feeds = {
        "releases": SiteFeed(f"{base}/releases.atom", "Releases"),
        "commits": SiteFeed(f"{base}/commits.atom", "Commits"),
        "tags": SiteFeed(f"{base}/tags.atom", "Tags"),
    }
    about = rest[0] if rest else ""
    if about in ("commits", "tree", "blob") and len(rest) > 1:
        branch = "/".join(segment(part) for part in rest[1:])
        yield SiteFeed(f"{base}/commits/{branch}.atom", "Commits to " + "/".join(rest[1:]))
    elif about == "discussions":
        yield from _discussions(base, rest[1:])
    elif about == "wiki":
        yield SiteFeed(f"{base}/wiki.atom", "Wiki")
    elif about in feeds:
        yield feeds.pop(about)
    yield from feeds.values()
