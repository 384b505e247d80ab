"""What is typed into the search field means what its writer thinks."""

from datetime import UTC, datetime, timedelta
from typing import Any

import pytest

from tests.rows import NOON
from wireroom.errors import UserError
from wireroom.store.query import Name, Query, parse
from wireroom.store.words import Term


def day(year: int, month: int = 1, day_of_month: int = 1) -> datetime:
    return datetime(year, month, day_of_month, tzinfo=UTC)


@pytest.mark.parametrize(
    ("typed", "expected"),
    [
        ("", {}),
        ("  ,;! ", {}),
        ("Harbour news", {"terms": (Term(("harbour",)), Term(("news",)))}),
        ('"Harbour news"', {"terms": (Term(("harbour", "news")),)}),
        ('"Harbour news', {"terms": (Term(("harbour", "news")),)}),
        ("re-opened", {"terms": (Term(("re", "opened")),)}),
        ("-boat", {"terms": (Term(("boat",), negated=True),)}),
        ('-"two boats"', {"terms": (Term(("two", "boats"), negated=True),)}),
        ("harb*", {"terms": (Term(("harb",), is_prefix=True),)}),
        ('"old harb"*', {"terms": (Term(("old", "harb"), is_prefix=True),)}),
        ("title:Boat", {"terms": (Term(("boat",), field="title"),)}),
        ('Author:"Ada L"', {"terms": (Term(("ada", "l"), field="author"),)}),
        ("http://x.example", {"terms": (Term(("http", "x", "example")),)}),
        ("12:30", {"terms": (Term(("12", "30")),)}),
        ("東京", {"terms": (Term(("東", "京")),)}),
        ("feed:Harbour", {"feeds": (Name("Harbour"),)}),
        ('-feed:"Harbour News"', {"feeds": (Name("Harbour News", negated=True),)}),
        ("folder:Work", {"folders": (Name("Work"),)}),
        ("is:unread", {"is_read": False}),
        ("-is:unread", {"is_read": True}),
        ("is:starred", {"is_favorite": True}),
        ("before:2026-11-30", {"before": day(2026, 11, 30)}),
        ("after:2026", {"after": day(2026)}),
        ("after:2026-3", {"after": day(2026, 3)}),
        ("after:7d", {"after": NOON - timedelta(days=7)}),
    ],
)
def test_a_query_is_understood(typed: str, expected: dict[str, Any]) -> None:
    """Words, phrases, negation, fields and filters, and the half-typed ones on the way there."""
    assert Query(**expected) == parse(typed, NOON)


@pytest.mark.parametrize(
    ("typed", "words"),
    [
        ("before:soon", "soon is no date"),
        ("before:2026-13", "2026-13 is no date"),
        ("is:blue", "is:blue is no state"),
        ("a " * 33, "at most 32"),
    ],
)
def test_what_cannot_be_understood_is_said(typed: str, words: str) -> None:
    """One sentence, with what to write instead."""
    with pytest.raises(UserError, match=words) as caught:
        parse(typed, NOON)
    assert "invalid_query" == caught.value.code
