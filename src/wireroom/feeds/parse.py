"""A document becomes a feed, whatever its format and however broken it is.

This is the front door: look at the first character and the root element, hand over to the reader
of that format. The Content-Type header is asked for nothing but its charset.
"""

from collections.abc import Callable, Collection
from dataclasses import replace

from wireroom.feeds import atom, cdf, json_feed, refusal, rss, xml
from wireroom.feeds.elements import Reading, mender
from wireroom.feeds.limits import MAX_ITEMS
from wireroom.feeds.model import Digest, ParsedFeed
from wireroom.feeds.namespaces import names_for, split

_BLANKS = b"\xef\xbb\xbf\xfe\xff\0 \t\r\n"


def read(
    body: bytes,
    *,
    url: str,
    content_type: str = "",
    met: Collection[Digest] = (),
    max_items: int = MAX_ITEMS,
) -> ParsedFeed:
    """The feed in `body`, which came from `url` (after redirects) under `content_type`.

    Items whose digest is among `met` are passed over and only listed in `ParsedFeed.met`. Raises
    NotAFeed, and nothing else, whatever the bytes are.
    """
    known = frozenset(met)
    if body.lstrip(_BLANKS)[:1] in (b"{", b"["):
        feed = json_feed.read(
            body, url=url, content_type=content_type, met=known, max_items=max_items
        )
    elif refusal.is_page(body) and not xml.holds_feed(body):
        feed = None
    else:
        feed = _read_xml(body, url, content_type, known, max_items)
    if feed is None:
        raise refusal.not_a_feed(body)
    return feed


def _read_xml(
    body: bytes, url: str, content_type: str, met: frozenset[Digest], max_items: int
) -> ParsedFeed | None:
    tree = xml.read(body, content_type=content_type, max_items=max_items)
    if tree is None:
        return None
    names = names_for(tree.root.tag, (child.tag for child in tree.root[:8]))
    reading = Reading(
        url=url,
        root=tree.root,
        names=names,
        has_bases=b"xml:base" in tree.body,
        mend=mender(tree.body),
        met=met,
        max_items=max_items,
        is_repaired=tree.is_repaired,
    )
    read_format = _reader(reading)
    if read_format is None:
        return None
    feed = read_format(reading)
    return replace(
        feed,
        met=tuple(reading.passed_over),
        encoding=tree.encoding,
        encoding_source=tree.encoding_source,
        warnings=(*tree.warnings, *reading.warnings),
    )


def _reader(reading: Reading) -> Callable[[Reading], ParsedFeed] | None:
    """The reader for a root element; None when it is none of a feed."""
    root = split(reading.root.tag)[2]
    if root in {"feed", "entry"}:
        return atom.read
    if root == "channel":
        return cdf.read if cdf.is_cdf(reading) else rss.read
    return rss.read if root in {"rss", "rdf"} else None
