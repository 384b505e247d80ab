"""Forgejo and Gitea (Codeberg and many small hosts): RSS of people, repositories and releases."""

from collections.abc import Iterator

from wireroom.feeds.sites.address import Address, Page, SiteFeed, segment

_HOSTS = ("codeberg.org", "gitea.com", "code.forgejo.org", "git.disroot.org")
_OWN_PAGES = frozenset(
    {"explore", "user", "org", "api", "assets", "issues", "pulls", "notifications"}
)


def from_address(address: Address) -> Iterator[SiteFeed]:
    """The hosts known to run it."""
    if address.host in _HOSTS or address.host.startswith(("gitea.", "forgejo.")):
        yield from _feeds(address)


def from_page(page: Page) -> Iterator[SiteFeed]:
    """Other hosts: the keywords of every page name the software."""
    keywords = page.metas.get("keywords", "").lower()
    runs_it = "forgejo" in keywords or "gitea" in keywords
    if runs_it and not any(from_address(page.address)):
        yield from _feeds(page.address)


def _feeds(address: Address) -> Iterator[SiteFeed]:
    owner, repository = address.part(0), address.part(1)
    if not owner or owner in _OWN_PAGES or address.url.endswith((".rss", ".atom")):
        return
    if not repository:
        yield SiteFeed(address.at(f"/{segment(owner)}.rss"), "Activity")
        return
    base = address.at(f"/{segment(owner)}/{segment(repository)}")
    yield SiteFeed(f"{base}/releases.rss", "Releases")
    yield SiteFeed(f"{base}/tags.rss", "Tags")
    yield SiteFeed(f"{base}.rss", "Activity")
