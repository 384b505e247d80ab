"""Which of a page's feeds people mean by its address: the main one, in the page's own language.

Order is the publisher's as long as nothing speaks against a feed. What speaks against it is told
by the words of its address and title that it does not share with the others: a site may be called
"Commentary" or "Tag und Nacht".
"""

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from typing import NamedTuple
from urllib.parse import parse_qsl, unquote, urlsplit

from wireroom.feeds.discovery.candidate import Candidate

_COMMENTS_IN_TITLE = re.compile(
    r"comment|komment|coment[aá]r|commenti\b|reacties|коммент|コメント|评论|評論|댓글",
    re.IGNORECASE,
)
#: As whole words: "commentisfree" is a section of a newspaper.
_COMMENTS_IN_ADDRESS = re.compile(
    r"(?<![^\W_])(?:comments?|kommentare?|comentarios?|commentaires?|commenti|reacties)(?![^\W_])",
    re.IGNORECASE,
)
_PART_IN_TITLE = re.compile(
    r"\bcategor|kategori|catégorie|rubri(?:k|que)\b|\btags?\b|schlagw|étiquette|etiqueta"
    r"|search result|suchergebnis|résultats? de (?:la )?recherche|posts by|artikel von"
    r"|articles? (?:by|par)\b|\bauthors?\b|georss",
    re.IGNORECASE,
)
_PART_SEGMENTS = frozenset({
    "-", "category", "categories", "categoria", "categorie", "kategorie", "kategorien",
    "rubrik", "rubrique", "section", "sections", "tag", "tags", "tagged", "label", "labels",
    "topic", "topics", "thema", "schlagwort", "author", "authors", "autor", "auteur", "search",
    "suche", "recherche",
})  # fmt: skip
_PART_PARAMETERS = frozenset({
    "cat", "category", "category_name", "categories", "tag", "tags", "label", "author", "s", "q",
    "query", "search", "section", "topic", "p", "post",
})  # fmt: skip
#: Segments and parameters of an address that are looked at.
_MOST_PIECES = 32
#: Languages that addresses are divided by; other pairs of letters mean other things more often.
_LANGUAGES = frozenset({
    "ar", "bg", "ca", "cs", "da", "de", "el", "en", "es", "et", "eu", "fa", "fi", "fr", "he",
    "hi", "hr", "hu", "id", "it", "ja", "ko", "lt", "lv", "nb", "nl", "pl", "pt", "ro", "ru",
    "sk", "sl", "sr", "sv", "th", "tr", "uk", "vi", "zh",
})  # fmt: skip
_LANGUAGE_PARAMETERS = frozenset({"lang", "language", "hl", "locale"})
_EXTENSION = re.compile(r"\.(?:xml|rss|atom|rdf|json|php|aspx?)$", re.IGNORECASE)


class _Seen(NamedTuple):
    """An address taken apart, with the words of the title that are its own."""

    host: str
    segments: tuple[str, ...]
    parameters: tuple[tuple[str, str], ...]
    words: str


def marked(found: Iterable[Candidate]) -> tuple[Candidate, ...]:
    """The same candidates, those that look like feeds of comments marked as such."""
    found = tuple(found)
    return tuple(
        replace(each, is_about_comments=_tells_of_comments(seen))
        for each, seen in zip(found, _all_seen(found), strict=True)
    )


def likeliest_first(
    found: Iterable[Candidate], *, page_url: str, language: str = ""
) -> tuple[Candidate, ...]:
    """Main feeds before those of categories, tags, authors, searches and other languages.

    `page_url` is the page that named them, `language` what the page says that it is in, or "".
    """
    found = tuple(found)
    seen = _all_seen(found)
    folder = _segments(urlsplit(page_url).path)
    ranks = [
        (_is_part(each, seen, folder), _is_foreign(candidate, each, language[:2].lower()))
        for candidate, each in zip(found, seen, strict=True)
    ]
    order = sorted(range(len(found)), key=lambda number: ranks[number])
    return tuple(found[number] for number in order)


def _all_seen(found: Sequence[Candidate]) -> tuple[_Seen, ...]:
    shared = _shared_beginning([each.title for each in found if each.title])
    return tuple(_seen(each, shared) for each in found)


def _seen(candidate: Candidate, shared: str) -> _Seen:
    split = urlsplit(candidate.url)
    return _Seen(
        split.netloc,
        _segments(split.path),
        tuple(parse_qsl(split.query)[:_MOST_PIECES]),
        candidate.title.removeprefix(shared),
    )


def _segments(path: str) -> tuple[str, ...]:
    return tuple(unquote(part).lower() for part in path.split("/", _MOST_PIECES) if part)


def _shared_beginning(titles: Sequence[str]) -> str:
    """What all of several titles begin with, up to a blank; of one alone nothing is known."""
    if len(titles) < 2:
        return ""
    least, most = min(titles), max(titles)
    same = next(
        (at for at, pair in enumerate(zip(least, most, strict=False)) if pair[0] != pair[1]),
        len(least),
    )
    return least[: least.rfind(" ", 0, same + 1) + 1]


def _tells_of_comments(seen: _Seen) -> bool:
    address = " ".join((*seen.segments, *(value for pair in seen.parameters for value in pair)))
    return bool(_COMMENTS_IN_TITLE.search(seen.words) or _COMMENTS_IN_ADDRESS.search(address))


def _is_part(seen: _Seen, others: Sequence[_Seen], folder: tuple[str, ...]) -> bool:
    """Whether it holds a part of what another one, or the site, holds as a whole."""
    if not _PART_SEGMENTS.isdisjoint(seen.segments) or "georss" in " ".join(seen.segments):
        return True
    if any(name.lower() in _PART_PARAMETERS for name, _ in seen.parameters):
        return True
    if _PART_IN_TITLE.search(seen.words):
        return True
    if folder and seen.segments[: len(folder)] == folder:  # the feed of just this page
        return False
    return any(_holds(other, seen) for other in others)


def _holds(whole: _Seen, part: _Seen) -> bool:
    """Whether `part` lies deeper than `whole` on the same way: /feed holds /sport/feed."""
    if whole.host != part.host or not 0 < len(whole.segments) < len(part.segments):
        return False
    left = iter(part.segments)
    return all(_named(left, segment) for segment in whole.segments)


def _named(segments: Iterator[str], wanted: str) -> bool:
    bare = _EXTENSION.sub("", wanted)
    return any(bare == _EXTENSION.sub("", each) for each in segments)


def _is_foreign(candidate: Candidate, seen: _Seen, language: str) -> bool:
    told = candidate.language[:2].lower() or _language_in(seen)
    return bool(language and told and told != language)


def _language_in(seen: _Seen) -> str:
    named = [value for name, value in seen.parameters if name.lower() in _LANGUAGE_PARAMETERS]
    first = named or seen.segments[:1] or [""]
    code = first[0].lower().replace("_", "-").partition("-")[0]
    return code if code in _LANGUAGES else ""
