"""What is remembered of the sets of names that items have."""

import pytest

from wireroom.feeds import choices
from wireroom.feeds.choices import Choices


def test_a_set_of_names_is_chosen_for_once() -> None:
    """Items with the same elements in the same order share one choice."""
    asked: list[tuple[str, ...]] = []

    def choose(names: tuple[str, ...]) -> str:
        asked.append(names)
        return " ".join(names)

    chosen = Choices(choose)

    assert ["title link", "link", "title link"] == [
        chosen.of(names) for names in (["title", "link"], ["link"], ["title", "link"])
    ]
    assert [("title", "link"), ("link",)] == asked


def test_an_empty_choice_is_remembered_too() -> None:
    """That nothing is to be read of an item is as good an answer as any."""
    asked: list[tuple[str, ...]] = []

    def choose(names: tuple[str, ...]) -> tuple[str, ...]:
        asked.append(names)
        return ()

    chosen = Choices(choose)

    assert [(), ()] == [chosen.of(["unknown"]), chosen.of(["unknown"])]
    assert [("unknown",)] == asked


@pytest.mark.parametrize(
    "sets",
    [
        pytest.param([[f"name{number}"] for number in range(100_000)], id="many_sets"),
        pytest.param([["x" * 5000 + str(number)] for number in range(100)], id="long_names"),
        pytest.param(
            [[f"{number}-{inner}" for inner in range(2000)] for number in range(20)],
            id="many_names",
        ),
    ],
)
def test_invented_names_do_not_fill_the_memory(sets: list[list[str]]) -> None:
    """Of a hostile document's names at most a few megabytes are kept, and all are answered."""
    chosen = Choices(lambda names: names)

    assert [tuple(names) for names in sets] == [chosen.of(names) for names in sets]
    kept = chosen._known
    assert len(kept) <= choices._MAX_SETS
    assert sum(len(name) for names in kept for name in names) <= 2**21
