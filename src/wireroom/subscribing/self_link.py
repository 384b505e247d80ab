"""The address that a document gives itself: where its feed is kept, once that is sure (C16).

Self links are wrong in many ways: copied from a template, of a testing host, of the site's main
feed in the feed of a tag. So one is followed only within the domain that answered, only if it
answers as a feed itself, and only if that lists what was listed here (PRS-25).
"""

from wireroom.errors import InvalidURL
from wireroom.feeds import urls
from wireroom.feeds.model import Item, ParsedFeed


def address_to_verify(parsed: ParsedFeed, url: str) -> str:
    """The self link of the document that `url` answered with, or "" where it is not worth asking.

    That is where it names the same feed as `url` does, another site, or nothing that anybody
    might type.
    """
    if urls.canonical(parsed.self_url) in ("", urls.canonical(url)):
        return ""
    try:
        named = urls.checked(parsed.self_url)
    except InvalidURL:
        return ""
    return named if urls.site(named) == urls.site(url) else ""


def is_same_feed(here: ParsedFeed, there: ParsedFeed) -> bool:
    """Whether two documents list the same items, in whatever format and order.

    Nobody knows of those without items, and of items that nothing tells apart.
    """
    named = {_name(item) for item in here.items}
    return (
        bool(named) and _NAMELESS not in named and named == {_name(item) for item in there.items}
    )


_NAMELESS = ("", "")


def _name(item: Item) -> tuple[str, str]:
    """What tells an item apart wherever it is listed: formats spell its guid differently."""
    return (urls.loose(item.link), "") if item.link else ("", item.guid or item.title)
