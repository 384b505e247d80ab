"""Filters: what somebody wants of a feed, in a small language for people (pure).

::

    rust wasm                 both words, anywhere, in any case, also inside longer words
    "open source"             these words in this order
    rust OR go                one of them; AND binds closer than OR, ( ) group
    -sponsored  !sponsored  NOT sponsored
    rust, go lang, !hiring    a list: any of the plain ones, and none of those with !
    title:rust                in one field: title, text, author, category, url, feed
    lang:de                   the language, with all its regions
    has:image                 or enclosure, audio, video, link, text, author, category
    words>300                 also < >= <= =
    /rust (1\\.\\d+|nightly)/   a regular expression, in linear time; also behind a field

`parse` reads it once, `matches` says whether an entry passes and why, `unparse` writes it.
"""

from wireroom.feeds.filters.language import parse, unparse
from wireroom.feeds.filters.matching import Subject, Verdict, matches
from wireroom.feeds.filters.tree import Filter

__all__ = ["Filter", "Subject", "Verdict", "matches", "parse", "unparse"]
