"""A document becomes a feed, whatever its format and however broken it is.

This is the front door: look at the first character and the root element, hand over to the reader
of that format. The Content-Type header is asked for nothing but its charset.
"""

from collections.abc import Callable, Collection
from contextlib import suppress
from dataclasses import replace

from wireroom.feeds import atom, cdf, encoding, json_feed, refusal, rss, slices, torn, xml
from wireroom.feeds.elements import Reading, reading_of
from wireroom.feeds.limits import MAX_ITEMS
from wireroom.feeds.model import Digest, ParsedFeed, Warning  # noqa: A004
from wireroom.feeds.namespaces import split
from wireroom.feeds.window import CutWrongly, Window

_BLANKS = b"\xef\xbb\xbf\xfe\xff\0 \t\r\n"


def read(
    body: bytes,
    *,
    url: str,
    content_type: str = "",
    language: str = "",
    met: Collection[Digest] = (),
    max_items: int = MAX_ITEMS,
) -> ParsedFeed:
    """The feed in `body`, which came from `url` (after redirects) under `content_type`.

    `language` is what the server says of a document that names none itself. Items whose digest is
    among `met` are passed over and only listed in `ParsedFeed.met`. Raises NotAFeed, and nothing
    else, whatever the bytes are.
    """
    known = frozenset(met)
    if body.lstrip(_BLANKS)[:1] in (b"{", b"["):
        feed = json_feed.read(
            body, url=url, content_type=content_type, met=known, max_items=max_items
        )
    elif refusal.is_binary(body) or (refusal.is_page(body) and not xml.holds_feed(body)):
        feed = None
    else:
        feed = _read_xml(body, url, content_type, known, max_items)
    if feed is None or (not feed.window and refusal.is_page(body)):
        raise refusal.not_a_feed(body)
    return replace(feed, language=language) if language and not feed.language else feed


def _read_xml(
    body: bytes, url: str, content_type: str, met: frozenset[Digest], max_items: int
) -> ParsedFeed | None:
    if not encoding.is_wide(body):
        body = xml.with_shorter_texts(body)
    if met and (feed := _read_again(body, url, met, max_items)):
        return feed
    decoded = encoding.utf8(body, content_type)
    utf8 = xml.prepared(decoded.utf8)
    feed = _read_prepared(utf8, url, decoded, met, max_items)
    if feed and len(feed.window) < max_items and torn.ends_unnamed(utf8):
        return replace(feed, ends_unnamed=True)
    return feed


def _read_prepared(
    utf8: bytes, url: str, decoded: encoding.Utf8, met: frozenset[Digest], max_items: int
) -> ParsedFeed | None:
    pieces = slices.cut(utf8, max_items)
    if pieces is not None and _is_as_cut(pieces, is_met=bool(met)):
        window = Window(met, max_items, pieces)
        around = pieces.with_items(()) if met else pieces.whole()
        with suppress(CutWrongly):
            if feed := _read_tree(around, url, window, decoded):
                return feed
    return _read_tree(utf8, url, Window(met, max_items), decoded)


def _read_again(
    body: bytes, url: str, met: frozenset[Digest], max_items: int
) -> ParsedFeed | None:
    """The feed in UTF-8 most of whose items were met before; None where it may be anything else.

    Nobody looks at the inside of an item that was met: it was sound then, and has the same bytes
    now. All the rest is checked.
    """
    decoded = encoding.assumed_utf8(body)
    pieces = slices.cut(xml.without_prolog(decoded.utf8), max_items) if decoded else None
    if decoded is None or pieces is None or not _is_as_cut(pieces, is_met=True):
        return None
    around = pieces.with_items(())
    with suppress(CutWrongly):
        if _is_sound(around):
            window = Window(met, max_items, pieces, _is_sound)
            return _read_tree(around, url, window, decoded)
    return None


def _is_as_cut(pieces: slices.Slices, *, is_met: bool) -> bool:
    """Whether nothing hides tags beyond a cut; items of which some are met are asked later."""
    around = filter(None, map(bytes.strip, pieces.around))
    is_around_closed = all(map(slices.is_closed, around))
    return is_around_closed and (is_met or pieces.are_items(pieces.raw_items()))


def _is_sound(part: bytes) -> bool:
    """Whether a part of a document is the same in the document as it is decoded and prepared."""
    return encoding.is_plain_utf8(part) and not xml.has_open_sections(part)


def _read_tree(utf8: bytes, url: str, window: Window, decoded: encoding.Utf8) -> ParsedFeed | None:
    tree = xml.read(utf8)
    if tree is None:
        return None
    reading = reading_of(tree, utf8, url)
    read_format = _reader(reading)
    if read_format is None:
        return None
    feed = read_format(reading, window)
    warnings = [Warning(sentence) for sentence in decoded.problems]
    return replace(
        feed,
        met=tuple(window.passed_over),
        encoding=decoded.encoding,
        encoding_source=decoded.source,
        warnings=(*warnings, *tree.warnings, *window.warnings),
    )


def _reader(reading: Reading) -> Callable[[Reading, Window], ParsedFeed] | None:
    """The reader for a root element; None when it is none of a feed."""
    root = split(reading.root.tag)[2]
    if root in {"feed", "entry"}:
        return atom.read
    if root == "channel":
        return cdf.read if cdf.is_cdf(reading) else rss.read
    return rss.read if root in {"rss", "rdf"} else None
