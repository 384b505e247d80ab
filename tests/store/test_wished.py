"""Wishes of two places become those of one."""

from typing import Any

import pytest

from wireroom.feeds import filters
from wireroom.feeds.filters import Subject
from wireroom.store import wished

TALL = " ".join("a" * 199)


@pytest.mark.parametrize(
    ("special", "wide", "expected"),
    [
        pytest.param({}, {"filter": "a"}, {"filter": "a"}, id="only there"),
        pytest.param({"silent": True}, {"silent": False}, {"silent": True}, id="last word"),
        pytest.param(
            {"filter": "a OR b"}, {"filter": "!c"}, {"filter": "(a OR b) (!c)"}, id="filters"
        ),
        pytest.param({"filter": "a"}, {"filter": "a"}, {"filter": "a"}, id="the same filter"),
        pytest.param(
            {"filter": "a"},
            {"filter": "b", "filter_rule": "widest"},
            {"filter": "b", "filter_rule": "widest"},
            id="the widest filter wins",
        ),
        pytest.param(
            {"rules": "a -> keep"},
            {"rules": "b -> drop"},
            {"rules": "a -> keep\nb -> drop"},
            id="rules",
        ),
        pytest.param({"filter": TALL}, {"filter": "b c"}, {"filter": TALL}, id="too long"),
    ],
)
def test_together(special: dict[str, Any], wide: dict[str, Any], expected: dict[str, Any]) -> None:
    """One value of each, but filters and rules add up."""
    assert expected == wished.together(special, wide)


@pytest.mark.parametrize(("title", "passes"), [("a", True), ("b c", False), ("d", False)])
def test_both_filters_count(title: str, passes: bool) -> None:
    """What one of them drops is dropped."""
    both = wished.together({"filter": "a OR b"}, {"filter": "!c"})["filter"]

    assert passes == filters.matches(filters.parse(both), Subject(title=title)).passes
