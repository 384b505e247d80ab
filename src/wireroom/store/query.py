"""What somebody typed into the search field, understood (pure).

::

    word          in title, author or text, whatever its case and accents
    wor*          words that begin so
    "two words"   in this order, side by side
    -word         not this; also -"two words", -feed:name, -folder:name
    title:word  author:"two words"
    feed:name  folder:"two words"  feed:12  label:name
    is:unread  is:read  is:favorite
    before:2026-11-30  after:2026-11  after:7d

All that is given must hold. What looks like a filter and is none is searched for as it stands.
"""

import re
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta

from wireroom.errors import UserError
from wireroom.store.words import Term, words

_PART = re.compile(r'(-?)(?:([A-Za-z]+):)?(?:"([^"]*)"?|([^\s"]+))(\*?)')
_DATE = re.compile(r"(\d{4})(?:-(\d{1,2}))?(?:-(\d{1,2}))?")
_AGO = re.compile(r"(\d{1,5})([hdw])")
_AGO_UNITS = {"h": timedelta(hours=1), "d": timedelta(days=1), "w": timedelta(weeks=1)}
_IS = {
    "unread": ("is_read", False),
    "read": ("is_read", True),
    "favorite": ("is_favorite", True),
    "favourite": ("is_favorite", True),
    "starred": ("is_favorite", True),
}
#: More would cost much and find nothing.
MOST_TERMS = 32


@dataclass(frozen=True, slots=True)
class Name:
    """A feed or folder by its number or by part of its name; a label by its whole name."""

    text: str
    negated: bool = False


@dataclass(frozen=True, slots=True)
class Query:
    """What is looked for; `before` and `after` are instants, the first one excluded."""

    terms: tuple[Term, ...] = ()
    feeds: tuple[Name, ...] = ()
    folders: tuple[Name, ...] = ()
    labels: tuple[Name, ...] = ()
    is_read: bool | None = None
    is_favorite: bool | None = None
    before: datetime | None = None
    after: datetime | None = None

    @property
    def wanted(self) -> tuple[Term, ...]:
        """The terms that a hit must hold."""
        return tuple(term for term in self.terms if not term.negated)

    @property
    def unwanted(self) -> tuple[Term, ...]:
        """The terms that a hit must not hold."""
        return tuple(term for term in self.terms if term.negated)


@dataclass(slots=True)
class _Gathered:
    terms: list[Term] = field(default_factory=list)
    feeds: list[Name] = field(default_factory=list)
    folders: list[Name] = field(default_factory=list)
    labels: list[Name] = field(default_factory=list)
    is_read: bool | None = None
    is_favorite: bool | None = None
    before: datetime | None = None
    after: datetime | None = None


def parse(typed: str, now: datetime) -> Query:
    """Understand a search. Raises UserError with one sentence for a date or state that is none."""
    found = _Gathered()
    for minus, name, quoted, bare, star in _PART.findall(typed):
        text = quoted or bare
        _take(found, name.lower(), name, text, now, negated=bool(minus), star=bool(star))
    if len(found.terms) > MOST_TERMS:
        raise UserError(f"A search holds at most {MOST_TERMS} words.", code="invalid_query")
    return Query(
        terms=tuple(found.terms),
        feeds=tuple(found.feeds),
        folders=tuple(found.folders),
        labels=tuple(found.labels),
        is_read=found.is_read,
        is_favorite=found.is_favorite,
        before=found.before,
        after=found.after,
    )


def _take(
    found: _Gathered,
    name: str,
    as_typed: str,
    text: str,
    now: datetime,
    *,
    negated: bool,
    star: bool,
) -> None:
    match name:
        case "feed":
            found.feeds.append(Name(text, negated))
        case "folder":
            found.folders.append(Name(text, negated))
        case "label":
            found.labels.append(Name(text, negated))
        case "is":
            _take_state(found, text, negated=negated)
        case "before":
            found.before = _instant(text, now)
        case "after" | "since":
            found.after = _instant(text, now)
        case "" | "title" | "author":
            _take_term(found, text, field_name=name, negated=negated, star=star)
        case _:
            _take_term(found, f"{as_typed}:{text}", field_name="", negated=negated, star=star)


def _take_term(found: _Gathered, text: str, *, field_name: str, negated: bool, star: bool) -> None:
    is_prefix = star or text.endswith("*")
    folded = tuple(words(text))
    if folded:
        found.terms.append(Term(folded, negated, field_name, is_prefix))


def _take_state(found: _Gathered, text: str, *, negated: bool) -> None:
    try:
        name, value = _IS[text.lower()]
    except KeyError as error:
        raise UserError(
            f"is:{text} is no state: write is:unread, is:read or is:favorite.",
            code="invalid_query",
        ) from error
    setattr(found, name, value != negated)


def _instant(text: str, now: datetime) -> datetime:
    """The beginning of a year, month or day in UTC, or so long ago."""
    if ago := _AGO.fullmatch(text.lower()):
        return now - int(ago[1]) * _AGO_UNITS[ago[2]]
    try:
        if dated := _DATE.fullmatch(text):
            year, month, day = (int(each) if each else 1 for each in dated.groups())
            return datetime(year, month, day, tzinfo=UTC)
    except ValueError:
        pass
    raise UserError(
        f"{text} is no date: write 2026-11-30, 2026-11, 2026, or 7d for seven days ago.",
        code="invalid_query",
    )
