"""An entry becomes a message: what every channel is told of it (pure)."""

from wireroom.delivery.message import Message
from wireroom.feeds.model import SafeHtml
from wireroom.store.entries import Entry
from wireroom.store.routes import Route


def compose(entry: Entry, route: Route) -> Message:
    """The message of an entry on a route; a link-less item points to its feed's site (PRS-12)."""
    return Message(
        feed_title=route.feed_title,
        title=entry.title,
        link=entry.link or route.site_url,
        body=entry.content or entry.summary or SafeHtml(""),
        summary=entry.summary,
        author=entry.author,
        published=entry.published,
        site_url=route.site_url,
        icon_url=route.icon_url,
        image_url=entry.image_url,
        enclosures=entry.enclosures,
        categories=entry.categories,
    )
