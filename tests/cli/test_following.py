"""What the commands about feeds print."""

import json
from datetime import UTC, datetime

from wireroom.cli import following


def test_json_for_scripts() -> None:
    """Times are ISO 8601 in UTC, and titles stay readable."""
    listed = [{"title": "Übersee", "at": datetime(2026, 11, 30, 12, 0, tzinfo=UTC)}]

    printed = following._json(listed)

    assert [{"title": "Übersee", "at": "2026-11-30T12:00:00+00:00"}] == json.loads(printed)
    assert "Übersee" in printed
