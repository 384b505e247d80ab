"""Feeds written out for tests: a frame with every usual namespace declared."""

_NAMESPACES = " ".join(
    f'xmlns:{prefix}="{uri}"'
    for prefix, uri in {
        "atom": "http://www.w3.org/2005/Atom",
        "content": "http://purl.org/rss/1.0/modules/content/",
        "dc": "http://purl.org/dc/elements/1.1/",
        "georss": "http://www.georss.org/georss",
        "itunes": "http://www.itunes.com/dtds/podcast-1.0.dtd",
        "media": "http://search.yahoo.com/mrss/",
        "slash": "http://purl.org/rss/1.0/modules/slash/",
        "sy": "http://purl.org/rss/1.0/modules/syndication/",
    }.items()
)


def rss(inner: str, title: str = "Feed") -> str:
    """An RSS 2.0 document around `inner`."""
    return (
        f'<rss version="2.0" {_NAMESPACES}><channel><title>{title}</title>{inner}</channel></rss>'
    )


def item(inner: str) -> str:
    """An RSS item."""
    return f"<item>{inner}</item>"


def atom(inner: str) -> str:
    """An Atom 1.0 document around `inner`."""
    return f'<feed xmlns="http://www.w3.org/2005/Atom"><title>Feed</title>{inner}</feed>'
