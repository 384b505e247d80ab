"""Lemmy: RSS of a community, a person or a whole instance, newest first."""

from collections.abc import Iterator

from wireroom.feeds.sites.address import Address, Page, SiteFeed, segment

_HOSTS = frozenset({
    "lemmy.world", "lemmy.ml", "lemmy.zip", "lemmy.ca", "lemmy.dbzer0.com",
    "lemmy.blahaj.zone", "sh.itjust.works", "programming.dev", "feddit.org", "feddit.uk",
    "beehaw.org", "discuss.tchncs.de", "sopuli.xyz", "slrpnk.net",
})  # fmt: skip


def from_address(address: Address) -> Iterator[SiteFeed]:
    """The larger instances, and hosts that call themselves lemmy."""
    if address.host in _HOSTS or address.host.startswith("lemmy."):
        yield from _feeds(address)


def from_page(page: Page) -> Iterator[SiteFeed]:
    """Other instances: their pages carry the interface's state under a name of its own."""
    if "window.isoData" in page.source and not any(from_address(page.address)):
        yield from _feeds(page.address)


def _feeds(address: Address) -> Iterator[SiteFeed]:
    kind, name = address.part(0), address.part(1)
    if kind in ("c", "u") and name:
        yield SiteFeed(address.at(f"/feeds/{kind}/{segment(name)}.xml?sort=New"), f"{kind}/{name}")
    elif not kind:
        yield SiteFeed(address.at("/feeds/local.xml?sort=New"), "Local")
        yield SiteFeed(address.at("/feeds/all.xml?sort=New"), "All")
