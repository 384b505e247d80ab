"""GitLab: Atom feeds of projects, groups and people, on gitlab.com and on hosts of one's own."""

from collections.abc import Iterator

from wireroom.feeds.sites.address import Address, Page, SiteFeed, segment

_OWN_PAGES = frozenset({"explore", "help", "users", "dashboard", "search", "admin", "-", "api"})


def from_address(address: Address) -> Iterator[SiteFeed]:
    """gitlab.com and hosts that call themselves gitlab."""
    if address.host == "gitlab.com" or address.host.startswith("gitlab."):
        yield from _feeds(address)


def from_page(page: Page) -> Iterator[SiteFeed]:
    """Other hosts, which say in their pages that they run GitLab."""
    if page.metas.get("og:site_name", "") == "GitLab" and not any(from_address(page.address)):
        yield from _feeds(page.address)


def _feeds(address: Address) -> Iterator[SiteFeed]:
    split = address.parts.index("-") if "-" in address.parts else len(address.parts)
    names, view = address.parts[:split], address.parts[split + 1 :]
    if names[:1] == ("groups",):
        names = names[1:]
    is_feed = address.parts[-1:] and address.parts[-1].endswith(".atom")
    if not names or names[0] in _OWN_PAGES or is_feed or address.query.get("format") == "atom":
        return
    base = address.at("".join("/" + segment(name) for name in names))
    if len(names) > 1:
        yield from _of_view(base, view)
        # Releases have a feed since GitLab 17.0, the others have had one for longer.
        yield SiteFeed(f"{base}/-/releases.atom", "Releases")
        yield SiteFeed(f"{base}/-/tags?format=atom", "Tags")
        yield SiteFeed(f"{base}/-/commits/HEAD?format=atom", "Commits")
    yield SiteFeed(f"{base}.atom", "Activity")


def _of_view(base: str, view: tuple[str, ...]) -> Iterator[SiteFeed]:
    """The feed of what the page itself lists: a branch, a file's history, or the tags."""
    kind, reference = view[:1], "/".join(view[1:])
    if kind in (("commits",), ("tree",)) and reference:
        quoted = "/".join(segment(part) for part in view[1:])
        yield SiteFeed(f"{base}/-/commits/{quoted}?format=atom", f"Commits of {reference}")
    elif kind == ("tags",):
        yield SiteFeed(f"{base}/-/tags?format=atom", "Tags")
    elif kind == ("issues",):
        yield SiteFeed(f"{base}/-/issues.atom", "Issues")
    elif kind == ("merge_requests",):
        yield SiteFeed(f"{base}/-/merge_requests.atom", "Merge requests")
