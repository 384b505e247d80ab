"""GitHub: Atom feeds of people, releases, commits, tags, wikis and gists, without a token."""

from collections.abc import Iterator

from wireroom.feeds.sites.address import Address, SiteFeed, segment

# First path segments that are GitHub's own pages and never an account.
_OWN_PAGES = frozenset({
    "about", "apps", "collections", "contact", "customer-stories", "dashboard", "enterprise",
    "events", "explore", "features", "issues", "join", "login", "logout", "marketplace",
    "new", "notifications", "orgs", "pricing", "pulls", "readme", "resources", "search",
    "security", "sessions", "settings", "signup", "site", "solutions", "sponsors", "stars",
    "team", "topics", "trending", "users", "watching",
})  # fmt: skip


def from_address(address: Address) -> Iterator[SiteFeed]:
    """An account's activity, or a repository's feeds, first the one that the address is about."""
    owner = address.part(0)
    if address.host == "gist.github.com" and owner:
        yield SiteFeed(f"https://gist.github.com/{segment(owner)}.atom", "Gists")
    if address.host != "github.com" or not owner or owner in _OWN_PAGES or ".atom" in address.url:
        return
    if not address.part(1):
        yield SiteFeed(f"https://github.com/{segment(owner)}.atom", "Activity")
        return
    repository = f"https://github.com/{segment(owner)}/{segment(address.part(1))}"
    yield from _repository(repository.removesuffix(".git"), address.parts[2:])


def _repository(base: str, rest: tuple[str, ...]) -> Iterator[SiteFeed]:
    feeds = {
        "releases": SiteFeed(f"{base}/releases.atom", "Releases"),
        "commits": SiteFeed(f"{base}/commits.atom", "Commits"),
        "tags": SiteFeed(f"{base}/tags.atom", "Tags"),
    }
    about = rest[0] if rest else ""
    if about in ("commits", "tree") and len(rest) > 1:
        branch = "/".join(segment(part) for part in rest[1:])
        yield SiteFeed(f"{base}/commits/{branch}.atom", "Commits to " + "/".join(rest[1:]))
    elif about == "wiki":
        yield SiteFeed(f"{base}/wiki.atom", "Wiki")
    elif about in feeds:
        yield feeds.pop(about)
    yield from feeds.values()
