"""What a channel is asked to say about an entry, before any channel's markup (pure).

`compose` turns a stored entry into a `Message`; `channels/*/render` turns a `Message` into that
channel's `Parcel`s within that channel's limits.
"""

from dataclasses import dataclass
from datetime import datetime
from urllib.parse import urlsplit

from wireroom.feeds.model import Enclosure, SafeHtml


@dataclass(frozen=True, slots=True)
class Message:
    """One entry as it goes out on one route.

    `title`, `feed_title` and `author` are plain text and may be empty; `body` is the fullest HTML
    there is and `summary` the publisher's own short form, or None. `link` is absolute http(s), the
    site's address for a link-less item, or "" when there is neither.
    """

    feed_title: str
    title: str
    link: str
    body: SafeHtml
    summary: SafeHtml | None = None
    author: str = ""
    published: datetime | None = None
    site_url: str = ""
    icon_url: str = ""
    image_url: str = ""
    enclosures: tuple[Enclosure, ...] = ()
    categories: tuple[str, ...] = ()
    #: Where our web reader shows the whole text, if a cut one is to lead there.
    page_url: str = ""
    #: Roles or names to call, and tags to show, as rules want it.
    mentions: tuple[str, ...] = ()
    tags: tuple[str, ...] = ()
    #: How the entry stands with the account, for buttons that show it.
    is_read: bool = False
    is_favorite: bool = False
    #: The whole text as a template laid it out (newlines count); None is the channel's layout.
    laid_out: SafeHtml | None = None

    @property
    def is_entry(self) -> bool:
        """Whether it tells of one entry, and not in lines of our own of several, or of trouble."""
        return bool(self.title or self.body)

    @property
    def domain(self) -> str:
        """Host of the link without its first `www.`, for "read on example.org" (TGD-21).

        Links of Google's old feed service name the feed in their path.
        """
        try:
            parts = urlsplit(self.link)
        except ValueError:
            return ""
        host = parts.hostname or ""
        if host == "feedproxy.google.com" and parts.path.startswith("/~r/"):
            return parts.path.split("/")[2] or host
        return host.removeprefix("www.")
