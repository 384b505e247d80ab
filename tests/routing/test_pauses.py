from datetime import UTC, datetime, timedelta

import pytest

from wireroom.routing import pause_end

NOW = datetime(2026, 11, 30, 12, tzinfo=UTC)


@pytest.mark.parametrize(
    ("typed", "expected"),
    [
        ("2d", NOW + timedelta(days=2)),
        ("3h", NOW + timedelta(hours=3)),
        (" 90 min ", NOW + timedelta(minutes=90)),
        ("1W", NOW + timedelta(weeks=1)),
        ("2026-12-24", datetime(2026, 12, 24, tzinfo=UTC)),
        ("soon", None),
        ("2 fortnights", None),
        ("", None),
    ],
)
def test_a_pause_is_written_as_a_duration_or_a_day(typed: str, expected: datetime | None) -> None:
    """The same in the chat and on the command line."""
    assert expected == pause_end(typed, NOW)
