"""The beat of a feed: known from three items, trusted with time, lost when nothing comes."""

from itertools import accumulate

import pytest

from wireroom.polling.beat import Beat, beat

START = 1_790_000_000
HOUR = 3600


def spaced(*gaps: int) -> tuple[int, ...]:
    """Item times with these seconds between them."""
    return tuple(accumulate(gaps, initial=START))


@pytest.mark.parametrize(
    ("gaps", "found"),
    [
        pytest.param((HOUR, HOUR), (HOUR, 1 / 2), id="three items"),
        pytest.param((HOUR,) * 10, (HOUR, 9 / 10), id="a clock"),
        pytest.param((4_000_000, HOUR, HOUR, HOUR), (HOUR, 2 / 3), id="woke up"),
        pytest.param((HOUR, HOUR + 60, HOUR), (HOUR + 60, 2 / 3), id="a minute's play"),
        pytest.param((5, HOUR, 5, 5, HOUR, 5), (HOUR, 1 / 2), id="several at a time"),
        pytest.param((HOUR, 2 * HOUR, HOUR), None, id="uneven"),
        pytest.param((86_400,) * 5, None, id="daily: the time of day tells"),
        pytest.param((60,) * 5, None, id="one burst"),
        pytest.param((HOUR,), None, id="one gap"),
        pytest.param((), None, id="one item"),
    ],
)
def test_gaps_that_are_alike_make_a_beat(
    gaps: tuple[int, ...], found: tuple[int, float] | None
) -> None:
    """The longest of the newest gaps that are alike, trusted the more of them there are."""
    times = spaced(*gaps)
    heard = beat(times)

    assert found == (heard and (heard.seconds, pytest.approx(heard.trust)))


def test_without_items_there_is_no_beat() -> None:
    """A feed without dates keeps no time."""
    assert beat(()) is None


def test_a_beat_that_stops_is_forgotten() -> None:
    """Each stroke without an item takes most of the trust; before long the beat is gone."""
    times = spaced(*[HOUR] * 10)
    clock = beat(times)
    assert clock is not None
    heard = [clock.heard_at(times[-1] + hours * HOUR) for hours in (0.5, 1.5, 2.5, 3.5)]

    assert [0.9, 0.225, 0.05625, None] == [each and pytest.approx(each.trust) for each in heard]


@pytest.mark.parametrize(
    ("after", "until", "strokes"),
    [
        pytest.param(0, 100, [], id="before the next"),
        pytest.param(0, 2 * HOUR, [1, 2], id="two ahead"),
        pytest.param(HOUR, 3 * HOUR, [2, 3], id="the first is past"),
        pytest.param(-HOUR, HOUR, [1], id="never the last item itself"),
        pytest.param(5.5 * HOUR, 5.9 * HOUR, [], id="between two"),
    ],
)
def test_strokes_lie_between_the_moments(after: float, until: float, strokes: list[int]) -> None:
    """Items are expected at whole beats after the last one."""
    clock = Beat(START, HOUR, 0.9)

    assert [START + n * HOUR for n in strokes] == clock.strokes(START + after, START + until)
