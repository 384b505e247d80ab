"""What the settings make of polling: schedule, manners and name."""

import re
from dataclasses import replace
from datetime import timedelta

import pytest
from structlog.testing import capture_logs

from wireroom import wiring
from wireroom.errors import SettingsError
from wireroom.polling.policies import HOUR, MINUTE, PROFILES, RSSBOT
from wireroom.settings import Settings

SECOND = timedelta(seconds=1)


@pytest.mark.parametrize("profile", PROFILES)
def test_a_profile_is_its_policy(profile: str) -> None:
    """Without further settings each profile polls as its system did."""
    assert PROFILES[profile] == wiring.policy(Settings(profile=profile))


def test_a_profile_that_is_none() -> None:
    """Refused with the names of those that are."""
    with pytest.raises(SettingsError, match="none of wireroom, rssbot"):
        wiring.policy(Settings(profile="fastest"))


def test_intervals_are_the_operators() -> None:
    """Ten minutes are a default, and one minute is supported where no floor is (SCH-05)."""
    chosen = Settings(profile="rssbot", poll_interval=MINUTE, poll_interval_max=2 * HOUR)

    assert 10 * MINUTE == RSSBOT.base
    assert replace(RSSBOT, base=MINUTE, maximum=2 * HOUR) == wiring.policy(chosen)
    assert MINUTE == wiring.policy(chosen).bounded(MINUTE)


def test_a_maximum_below_the_base_is_told() -> None:
    """It is raised to the base, and the log has a line about that (SCH-10)."""
    with capture_logs() as logged:
        policy = wiring.policy(Settings(poll_interval=HOUR, poll_interval_max=MINUTE))

    assert HOUR == policy.ceiling
    assert ["longest interval raised to the base"] == [line["event"] for line in logged]


def test_the_update_period_can_be_switched() -> None:
    """Ours heeds it unless it says hourly, CM always, RB never; the operator decides (SCH-24)."""
    by_profile = {name: policy.sy for name, policy in PROFILES.items()}
    own = wiring.policy(Settings(profile="rssbot", update_period="honoured"))

    assert ("unless_hourly", "honoured", "ignored") == (
        by_profile["wireroom"],
        by_profile["cabalmail"],
        by_profile["rssbot"],
    )
    assert replace(RSSBOT, sy="honoured") == own


@pytest.mark.parametrize("profile", ["wireroom", "rssbot", "cabalmail"])
def test_adaptive_polling_can_be_switched_off(profile: str) -> None:
    """Every feed is asked at the base interval then (SCH-09)."""
    chosen = Settings(profile=profile, poll_adaptive=False)

    assert replace(PROFILES[profile], kind="fixed") == wiring.policy(chosen)


@pytest.mark.parametrize(
    ("profile", "seconds"),
    [
        ("wireroom", 30),
        ("rssbot", 30),
        ("rss-feed", 60),
        ("el-monitorro", 60),
        ("cabalmail", 300),
    ],
)
def test_the_tick_of_each_profile(profile: str, seconds: int) -> None:
    """How late a poll may be is the system's own, unless the operator says (SCH-02)."""
    assert seconds * SECOND == wiring.manners(Settings(profile=profile)).tick
    assert SECOND == wiring.manners(Settings(profile=profile, poll_tick=SECOND)).tick


@pytest.mark.parametrize(("profile", "hosts"), [("wireroom", 64), ("rssbot", 8), ("cabalmail", 5)])
def test_the_width_of_each_profile(profile: str, hosts: int) -> None:
    """How many hosts are asked at the same time (HTTP-14)."""
    assert hosts == wiring.manners(Settings(profile=profile)).concurrency
    assert 2 == wiring.manners(Settings(profile=profile, poll_concurrency=2)).concurrency


@pytest.mark.parametrize(
    ("profile", "operation", "total"),
    [
        ("wireroom", 20, 60),
        ("rssbot", 30, 35),
        ("rss-feed", 20, 60),
        ("el-monitorro", 5, 60),
        ("cabalmail", 20, 60),
    ],
)
def test_the_patience_of_each_profile(profile: str, operation: int, total: int) -> None:
    """Seconds for a wait, and for a whole fetch (HTTP-17, HTTP-18)."""
    own = Settings(profile=profile, fetch_patience=SECOND, fetch_timeout=2 * SECOND)
    chosen, mine = wiring.manners(Settings(profile=profile)), wiring.manners(own)

    assert (operation * SECOND, total * SECOND) == (chosen.operation, chosen.total)
    assert (SECOND, 2 * SECOND) == (mine.operation, mine.total)


@pytest.mark.parametrize(
    ("profile", "verbatim"),
    [("wireroom", False), ("rssbot", True), ("rss-feed", True), ("cabalmail", False)],
)
def test_how_validators_go_back(profile: str, verbatim: bool) -> None:
    """As the system of the profile sent them, or as the operator wants it (C5, HTTP-02)."""
    other = Settings(profile=profile, verbatim_validators=not verbatim)

    assert verbatim is wiring.manners(Settings(profile=profile)).verbatim
    assert verbatim is not wiring.manners(other).verbatim


@pytest.mark.parametrize(
    ("settings", "expected"),
    [
        pytest.param(
            Settings(public_url="https://news.example/"),
            r"Wireroom/[\w.+]+ \(\+https://news\.example/bot\)",
            id="where the world can reach us",
        ),
        pytest.param(
            Settings(contact="me@example.org"),
            r"Wireroom/[\w.+]+ \(self-hosted feed reader; me@example\.org\)",
            id="where it cannot",
        ),
        pytest.param(Settings(), r"Wireroom/[\w.+]+ \(self-hosted feed reader\)", id="no more"),
    ],
)
def test_the_user_agent_says_who_asks(settings: Settings, expected: str) -> None:
    """Name, version and the address of the page that says more (HTTP-09)."""
    assert re.fullmatch(expected, wiring.user_agent(settings))
