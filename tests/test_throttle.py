"""How long the next try waits."""

from datetime import timedelta

import pytest

from tests.rows import NOON, at
from wireroom.throttle import KEPT, LONGEST_WAIT, Rate, Throttle, origin_key


@pytest.mark.parametrize(
    ("wrong", "wait_seconds"),
    [(0, 0), (4, 0), (5, 2), (6, 4), (7, 8), (10, 64), (14, 900), (60, 900)],
)
def test_wait_doubles_up_to_a_quarter_of_an_hour(wrong: int, wait_seconds: int) -> None:
    """Five tries are free; then 2, 4, 8 … seconds, never more than 15 minutes."""
    throttle = Throttle()
    for _ in range(wrong):
        throttle.tried(("ada",), NOON)

    assert timedelta(seconds=wait_seconds) == throttle.wait(("ada",), NOON)


def test_waits_for_the_slowest_key() -> None:
    """A name under attack waits from every address, an address with every name."""
    throttle = Throttle()
    for _ in range(8):
        throttle.tried(("ada",), NOON)

    assert timedelta() == throttle.wait(("bob", "here"), NOON)
    assert timedelta(seconds=16) == throttle.wait(("ada", "here"), NOON)


def test_forgets() -> None:
    """A success or a quiet hour starts afresh; the wait itself just passes."""
    throttle = Throttle()
    for _ in range(8):
        throttle.tried(("ada",), NOON)

    assert timedelta() == throttle.wait(("ada",), at(1))
    throttle.tried(("ada",), at(61))
    assert timedelta() == throttle.wait(("ada",), at(61))
    throttle.succeeded(("ada",))
    assert timedelta() == throttle.wait(("ada",), at(61))


def test_is_bounded() -> None:
    """However many names are tried, only so many are remembered, the newest."""
    throttle = Throttle()
    for number in range(KEPT + 100):
        throttle.tried((f"user {number}",), NOON)

    assert KEPT == len(throttle._tries)
    assert f"user {KEPT + 99}" in throttle._tries


@pytest.mark.parametrize(
    ("address", "same_as"),
    [
        ("192.0.2.7", "192.0.2.7"),
        ("2001:db8:1:2:aaaa::1", "2001:db8:1:2:bbbb::2"),
        ("::ffff:192.0.2.7", "192.0.2.7"),
    ],
)
def test_one_customer_is_one_origin(address: str, same_as: str) -> None:
    """IPv6 counts by /64, mapped IPv4 as IPv4."""
    assert origin_key(same_as) == origin_key(address)


def test_neighbours_are_two_origins() -> None:
    """Other networks are not made to wait; nonsense does not raise."""
    assert origin_key("2001:db8:1:2::1") != origin_key("2001:db8:1:3::1")
    assert LONGEST_WAIT == timedelta(minutes=15)
    assert origin_key("unix:") == origin_key("unix:")


def test_a_name_tried_from_everywhere_is_answered_slower() -> None:
    """Not at first, then by a tenth of a second for each try, never by more than three."""
    throttle = Throttle()
    slow = []
    for _ in range(100):
        throttle.tried(("login ada",), NOON)
        slow.append(throttle.slowness("login ada", NOON).total_seconds())

    assert (0, 0, 0.1, 3) == (slow[0], slow[19], slow[20], slow[99])
    assert timedelta() == throttle.slowness("login ada", NOON + timedelta(hours=1))


def test_a_rate_gives_a_minutes_worth_at_once_and_then_its_share() -> None:
    """Sixty a minute: sixty now, then one a second; keys do not share."""
    rate = Rate(60)
    first = [rate.wait("a", NOON) for _ in range(60)]
    refused = rate.wait("a", NOON)

    assert {timedelta()} == set(first)
    assert timedelta(seconds=1) == refused
    assert timedelta() == rate.wait("b", NOON)
    assert timedelta() == rate.wait("a", NOON + timedelta(seconds=1))
    assert timedelta() < rate.wait("a", NOON + timedelta(seconds=1))
