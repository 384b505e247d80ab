"""Who has a say in a route, and when it may send."""

from datetime import UTC, datetime, time, timedelta
from zoneinfo import ZoneInfo

import pytest

from wireroom.delivery.wishes import next_time, quiet_until, wishes


def test_the_most_special_place_counts() -> None:
    """Settings and templates come from the nearest place; filters of all places come together."""
    found = wishes(
        (
            {"filter": "a", "silent": True},
            {"template": "{{ title }}", "content": 9},
            {"filter": " ", "content": 5},
            {"template": "x", "filter": "c"},
            {"burst": 3},
        )
    )

    assert {"silent": True, "content": 9, "burst": 3}.items() <= found.settings.items()
    assert ("{{ title }}", 3) == (found.template, found.burst)
    assert (("route", "a"), ("account", "c")) == found.filters


def test_the_chats_filter_may_replace_the_others() -> None:
    """El Monitorro's rule, as a switch (C28)."""
    layers = ({"filter": "a"}, {}, {}, {"filter": "c", "filter_rule": "widest"}, {})

    assert (("account", "c"),) == wishes(layers).filters


@pytest.mark.parametrize(
    "odd",
    [
        {"burst": "many", "per_day": -1, "digest": "noon", "quiet": "22", "zone": "Mars/Base"},
        {"burst": True, "per_day": 0, "digest": 8, "quiet": "a-b", "utc_offset_minutes": 9999},
        {"filter": 5, "template": None, "zone": "../../etc/passwd"},
    ],
)
def test_odd_settings_do_not_count(odd: dict[str, object]) -> None:
    """What was stored by mistake changes nothing."""
    found = wishes((odd, {}, {}, {}, {}))

    assert (None, None, (), None) == (found.burst, found.per_day, found.digest, found.quiet)
    assert (UTC, (), "") == (found.zone, found.filters, found.template)


@pytest.mark.parametrize(
    ("quiet", "hour", "until"),
    [
        pytest.param("22:00-07:00", 23, 31, id="evening"),
        pytest.param("22:00-07:00", 3, 7, id="night"),
        pytest.param("22:00-07:00", 7, None, id="morning"),
        pytest.param("12:00-13:30", 12, 13.5, id="lunch"),
        pytest.param("12:00-13:30", 14, None, id="after lunch"),
    ],
)
def test_silent_hours(quiet: str, hour: int, until: float | None) -> None:
    """Inside them the end is given, on this day or the next."""
    midnight = datetime(2026, 11, 30, tzinfo=UTC)
    wanted = wishes(({"quiet": quiet}, {}, {}, {}, {}))
    expected = None if until is None else midnight + timedelta(hours=until)

    assert expected == quiet_until(wanted, midnight + timedelta(hours=hour))


def test_times_of_day_follow_the_clocks() -> None:
    """08:00 in Berlin is another moment in summer; a time that the clocks jump over comes once."""
    berlin = ZoneInfo("Europe/Berlin")
    before = datetime(2027, 3, 27, 12, tzinfo=UTC)
    spring = next_time((time(8),), berlin, before)
    skipped = next_time((time(2, 30),), berlin, before)

    assert datetime(2027, 3, 28, 6, tzinfo=UTC) == spring
    assert datetime(2027, 3, 28, 1, 30, tzinfo=UTC) == skipped
    assert datetime(2027, 3, 29, 0, 30, tzinfo=UTC) == next_time((time(2, 30),), berlin, skipped)
