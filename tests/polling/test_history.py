"""What a feed remembers between polls, and how little room it takes."""

import json
from datetime import UTC, datetime, timedelta
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from wireroom.polling.health import Health
from wireroom.polling.history import MOST_TIMES, History

NOW = datetime(2026, 11, 30, 10, 30, tzinfo=UTC)
MOMENT = int(NOW.timestamp())

MOMENTS = st.integers(0, 2**33)


def ago(**kwargs: float) -> datetime:
    return NOW - timedelta(**kwargs)


@given(
    st.builds(
        History,
        st.integers(0, 10**9),
        st.none() | st.floats(0, 1e6).map(lambda rate: float(f"{rate:.6g}")),
        st.none() | MOMENTS,
        st.lists(MOMENTS, max_size=MOST_TIMES).map(lambda times: tuple(sorted(times))),
        st.none() | MOMENTS,
    )
)
def test_history_survives_as_small_json(history: History) -> None:
    """Encoded, written and read again, a history is the same and takes less than 1 KB."""
    text = json.dumps(history.encode())

    assert len(text) < 1024
    assert history == History.decode(json.loads(text))


@pytest.mark.parametrize(
    "stored",
    [
        pytest.param({}, id="empty"),
        pytest.param({"unchanged": None, "gaps": None, "per_day": None}, id="nulls"),
        pytest.param({"unchanged": -3, "gaps": "x", "per_day": "fast"}, id="wrong types"),
        pytest.param({"per_day": float("nan"), "gaps": [-5, "a", None]}, id="nonsense"),
    ],
)
def test_a_damaged_history_starts_afresh(stored: dict[str, Any]) -> None:
    """Missing keys and nonsense are the resting state, never an error."""
    assert History() == History.decode(stored)


def test_health_survives_as_json() -> None:
    """A streak is the same after encoding; a healthy feed takes no room."""
    health = Health(
        failure_count=7, failing_since=ago(days=2).replace(microsecond=0), last_error="HTTP 404",
        alerted=True, throttled=True, given_up="12 errors",
    )  # fmt: skip

    assert health == Health.decode(json.loads(json.dumps(health.encode())))
    assert {} == Health().encode()
    assert Health() == Health.decode({"failures": "many", "since": "long", "success": 1e300})


@pytest.mark.parametrize(
    ("dates", "kept"),
    [
        pytest.param((ago(days=2), None, ago(days=1)), (2, 1), id="missing dates"),
        pytest.param((ago(days=-5), ago(days=1)), (1,), id="future dates"),
        pytest.param((NOW, NOW, NOW), (), id="all dates are now"),
        pytest.param((ago(days=3),) * 5, (), id="all dates are the build's"),
        pytest.param((datetime(1, 1, 1, tzinfo=UTC), ago(days=1)), (1,), id="year one"),
    ],
)
def test_a_baseline_believes_possible_dates(
    dates: tuple[datetime | None, ...], kept: tuple[int, ...]
) -> None:
    """Dates that say nothing about when items appear are left out."""
    history = History().after_first_read(dates, NOW)

    assert tuple(MOMENT - days * 86_400 for days in kept) == history.times


@pytest.mark.parametrize(
    ("date", "seconds_ago"),
    [
        pytest.param(ago(minutes=20), 1200, id="possible"),
        pytest.param(None, 1800, id="no date"),
        pytest.param(ago(hours=9), 1800, id="before the last poll: back-dated"),
        pytest.param(ago(days=-1), 1800, id="in the future"),
    ],
)
def test_an_impossible_date_becomes_the_time_of_sight(
    date: datetime | None, seconds_ago: int
) -> None:
    """What cannot be true is replaced by the middle of the time in which the item appeared."""
    history = History(polled_at=MOMENT - 3600).after_poll((date,), NOW)

    assert (MOMENT - seconds_ago,) == history.times


def test_history_is_bounded() -> None:
    """However many items come, only the newest times are kept."""
    dates = tuple(ago(hours=hours) for hours in range(5000, 0, -1))

    assert MOST_TIMES == len(History().after_first_read(dates, NOW).times)
    flood = History(polled_at=MOMENT - 10**8).after_poll(dates, NOW)
    assert MOST_TIMES == len(flood.times)
    assert MOMENT - 3600 == flood.times[-1]


def test_a_clock_that_stands_still_is_no_sample() -> None:
    """Two polls in one second leave the moving average alone."""
    history = History(items_per_day=3.0, polled_at=MOMENT)

    assert 3.0 == history.after_poll((NOW,), NOW).items_per_day
