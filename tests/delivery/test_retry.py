from datetime import timedelta

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.delivery.samples import NOON
from wireroom.delivery.channel import Answer, Gone, Rejected, Sent, TryLater
from wireroom.delivery.retry import (
    Advance,
    Attempts,
    Decision,
    Skip,
    Suspend,
    Wait,
    after,
    backoff,
)

_DAY = timedelta(days=1)
_FIRST = Attempts()


def _seconds(number: float) -> timedelta:
    return timedelta(seconds=number)


@pytest.mark.parametrize(
    ("answer", "attempts", "expected"),
    [
        pytest.param(Sent("7"), _FIRST, Advance(), id="sent"),
        pytest.param(
            TryLater("lost"), _FIRST, Wait(NOON + _seconds(5), "lost"), id="first failure"
        ),
        pytest.param(
            TryLater("lost", maybe_sent=True),
            Attempts(3, NOON - _DAY),
            Wait(NOON + _seconds(40), "lost"),
            id="a lost answer is asked for again",
        ),
        pytest.param(
            TryLater("down"),
            Attempts(50, NOON - _DAY),
            Wait(NOON + timedelta(hours=1), "down"),
            id="an hour at most",
        ),
        pytest.param(
            TryLater("flood", _seconds(43_877)),
            _FIRST,
            Wait(NOON + _seconds(43_877), "flood"),
            id="twelve hours as asked",
        ),
        pytest.param(
            TryLater("flood", 3 * _DAY),
            _FIRST,
            Wait(NOON + _DAY, "flood, shortened to a day"),
            id="a day at most",
        ),
        pytest.param(
            TryLater("token", _seconds(600), scope="channel"),
            _FIRST,
            Wait(NOON + _seconds(600), "token", "channel"),
            id="the whole channel rests",
        ),
        pytest.param(Rejected("bad"), _FIRST, Skip("bad"), id="a bad message is skipped"),
        pytest.param(
            Rejected("odd", certain=False),
            _FIRST,
            Wait(NOON + _seconds(5), "odd"),
            id="unknown words are not believed at once",
        ),
        pytest.param(
            Rejected("odd", certain=False),
            Attempts(4, NOON - _DAY),
            Skip("odd"),
            id="nor does the head of the line block for ever",
        ),
        pytest.param(Gone("kicked"), _FIRST, Suspend("kicked"), id="kicked"),
        pytest.param(
            Gone("no rights", certain=False),
            Attempts(40, NOON - timedelta(hours=23)),
            Wait(NOON + timedelta(hours=1), "no rights"),
            id="many failures within a day",
        ),
        pytest.param(
            Gone("no rights", certain=False),
            Attempts(1, NOON - 2 * _DAY),
            Wait(NOON + timedelta(hours=1), "no rights"),
            id="two failures over two days",
        ),
        pytest.param(
            Gone("no rights", certain=False),
            Attempts(2, NOON - _DAY),
            Suspend("no rights"),
            id="three failures over a day",
        ),
    ],
)
def test_decision(answer: Answer, attempts: Attempts, expected: Decision) -> None:
    """Every answer has one decision."""
    assert expected == after(answer, attempts, NOON, 0.0)


@given(st.integers(1, 1000), st.floats(0, 1))
def test_backoff_is_bounded_and_spread(failures: int, random: float) -> None:
    """Waits lie between half and all of the doubled time, and never beyond an hour."""
    full = backoff(failures, 0.0)

    assert full / 2 <= backoff(failures, random) <= full <= timedelta(hours=1)


@given(st.integers(0, 90_000), st.floats(0, 1))
def test_what_was_asked_for_is_honoured(seconds: int, random: float) -> None:
    """Nobody is asked again before the time that they named, up to a day."""
    decision = after(TryLater("flood", _seconds(seconds)), _FIRST, NOON, random)

    assert isinstance(decision, Wait)
    assert NOON + min(_seconds(seconds), _DAY) <= decision.until <= NOON + _seconds(seconds + 10)
