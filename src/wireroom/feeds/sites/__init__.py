"""What is known of single sites: one module a family, plain functions, no network.

`from_address` needs the address alone, `from_page` also the page behind it. Everything found is a
guess that the caller verifies by parsing; sites change their ways unannounced. To teach Wireroom
a site, write a module with either function and name it in the tuple.
"""

from collections.abc import Callable, Iterator

from wireroom.feeds.sites import (
    apple_podcasts,
    arxiv,
    blogger,
    bluesky,
    dailymotion,
    devto,
    discourse,
    flickr,
    forgejo,
    ghost,
    github,
    gitlab,
    goodreads,
    hackernews,
    hashnode,
    lemmy,
    letterboxd,
    lobsters,
    mastodon,
    mediawiki,
    medium,
    odysee,
    peertube,
    pinboard,
    pypi,
    reddit,
    royalroad,
    soundcloud,
    sourcehut,
    stackexchange,
    steam,
    substack,
    tumblr,
    vimeo,
    wordpress,
    youtube,
)
from wireroom.feeds.sites.address import Address, Page, SiteFeed

#: Rules for addresses at hosts that are known; nothing needs to have been fetched.
HOST_RULES: tuple[Callable[[Address], Iterator[SiteFeed]], ...] = (
    youtube.from_address,
    vimeo.from_address,
    dailymotion.from_address,
    odysee.from_address,
    reddit.from_address,
    github.from_address,
    gitlab.from_address,
    forgejo.from_address,
    sourcehut.from_address,
    bluesky.from_address,
    lemmy.from_address,
    medium.from_address,
    substack.from_address,
    hashnode.from_address,
    tumblr.from_address,
    wordpress.from_address,
    blogger.from_address,
    stackexchange.from_address,
    hackernews.from_address,
    lobsters.from_address,
    pypi.from_address,
    flickr.from_address,
    letterboxd.from_address,
    goodreads.from_address,
    royalroad.from_address,
    steam.from_address,
    arxiv.from_address,
    devto.from_address,
    pinboard.from_address,
)

#: Rules that know an address only by the shape of its path, whatever the host.
SHAPE_RULES: tuple[Callable[[Address], Iterator[SiteFeed]], ...] = (mastodon.from_address,)

#: The same for shapes that are common elsewhere, too: not worth a request before the page's own.
GUESSES: tuple[Callable[[Address], Iterator[SiteFeed]], ...] = (mastodon.hashtag,)

#: Rules of hosts whose pages know the feed better than their link elements do, or have none.
HOST_PAGE_RULES: tuple[Callable[[Page], Iterator[SiteFeed]], ...] = (
    youtube.from_page,
    apple_podcasts.from_page,
    soundcloud.from_page,
    flickr.from_page,
)

#: Rules of software that runs on any host and is told by its pages; link elements go first.
SOFTWARE_PAGE_RULES: tuple[Callable[[Page], Iterator[SiteFeed]], ...] = (
    wordpress.from_page,
    ghost.from_page,
    hashnode.from_page,
    blogger.from_page,
    substack.from_page,
    tumblr.from_page,
    gitlab.from_page,
    forgejo.from_page,
    discourse.from_page,
    lemmy.from_page,
    peertube.from_page,
    mediawiki.from_page,
)

__all__ = [
    "GUESSES",
    "HOST_PAGE_RULES",
    "HOST_RULES",
    "SHAPE_RULES",
    "SOFTWARE_PAGE_RULES",
    "Address",
    "Page",
    "SiteFeed",
]
