"""What a running Wireroom does when it is spoken to."""

from dataclasses import replace
from datetime import timedelta
from types import SimpleNamespace
from typing import Any

import pytest

from wireroom import running
from wireroom.errors import SettingsError
from wireroom.polling.policies import WIREROOM
from wireroom.settings import Settings

HOUR = timedelta(hours=1)


def room() -> Any:
    return SimpleNamespace(polling=SimpleNamespace(policy=WIREROOM))


def test_intervals_are_read_again() -> None:
    """What the settings say by now holds for the next decision, and nothing is restarted."""
    opened = room()
    running.reload_intervals(opened, lambda: Settings(poll_interval_max=HOUR))

    assert replace(WIREROOM, maximum=HOUR) == opened.polling.policy


def test_settings_that_cannot_be_used_change_nothing() -> None:
    """A slip in the file must not stop polling, or loosen its bounds."""

    def slip() -> Settings:
        raise SettingsError("WIREROOM_POLL_INTERVAL_MAX='soon' is not a duration.")

    opened = room()
    running.reload_intervals(opened, slip)

    assert WIREROOM == opened.polling.policy


@pytest.mark.parametrize(
    ("parts", "marks"),
    [({"poll"}, True), ({"deliver"}, True), ({"serve"}, False), ({"bots"}, False)],
    ids=lambda each: "".join(each) if isinstance(each, set) else "",
)
def test_rules_are_carried_out_where_feeds_become_one(
    parts: set[running.Part], marks: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A merge waits for rules, so a process that polls must not wait for one that delivers."""
    for package in (running.bots, running.serving):
        for name in ("started", "waking"):
            monkeypatch.setattr(package, name, lambda _: SimpleNamespace(run=None), raising=False)
    monkeypatch.setattr(running.bots, "started", lambda _: {})
    monkeypatch.setattr(running, "_articles", lambda _: SimpleNamespace(run=None))
    works = running._loops(
        SimpleNamespace(settings=Settings()), parts, SimpleNamespace(is_on=False)
    )

    assert marks == ("rules" in works)
