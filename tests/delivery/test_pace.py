from datetime import datetime, timedelta
from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.delivery.samples import NOON, unhurried
from wireroom.channels.discord.pace import Rhythm, discord_pace
from wireroom.channels.telegram.pace import telegram_pace
from wireroom.delivery.pace import EVERYTHING, Limit, Pace

_SECOND = timedelta(seconds=1)


def _times(pace: Pace, addresses: list[str], step: timedelta) -> list[tuple[str, datetime]]:
    """When messages to these addresses go out, asked for one after the other."""
    now = NOON
    sent = []
    for address in addresses:
        sent.append((address, now + pace.wait(address, now)))
        now += step
    return sent


def _most_within(times: list[datetime], window: timedelta) -> int:
    times = sorted(times)
    return max(sum(start <= at < start + window for at in times) for start in times)


@unhurried
@given(
    st.lists(st.sampled_from(["5", "-100", "-200", "@c"]), min_size=1, max_size=80),
    st.integers(0, 2000),
)
def test_telegram_never_too_fast(chats: list[str], milliseconds: int) -> None:
    """No second has more than 30 messages, no minute of a group more than 20."""
    sent = _times(telegram_pace(), chats, timedelta(milliseconds=milliseconds))

    assert _most_within([at for _, at in sent], _SECOND) <= 30
    for chat in set(chats) - {"5"}:
        assert _most_within([at for c, at in sent if c == chat] or [NOON], 60 * _SECOND) <= 20
    for chat in set(chats):
        assert _most_within([at for c, at in sent if c == chat], 5 * _SECOND) <= 5


@unhurried
@given(st.lists(st.sampled_from(["1", "2", "3"]), min_size=1, max_size=90))
def test_discord_channel_shares_thirty_a_minute(webhooks: list[str]) -> None:
    """Webhooks of one channel share its hidden limit; each keeps five in two seconds."""
    pace = discord_pace(timedelta(0), {"1": "a", "2": "a", "3": "b"}.__getitem__)
    sent = _times(pace, webhooks, timedelta(0))

    shared = [at for webhook, at in sent if webhook != "3"]
    assert _most_within(shared or [NOON], 60 * _SECOND) <= 30
    for webhook in set(webhooks):
        assert _most_within([at for w, at in sent if w == webhook], 2 * _SECOND) <= 5


@pytest.mark.parametrize(
    ("spacing", "expected"),
    [(timedelta(0), 0.035), (timedelta(seconds=2.2), 2.2)],
    ids=["default", "even groups"],
)
def test_group_spacing(spacing: timedelta, expected: float) -> None:
    """A profile may space the messages of a group evenly (TGD-11)."""
    pace = telegram_pace(group_spacing=spacing)
    pace.wait("-100", NOON)

    assert expected == pace.wait("-100", NOON).total_seconds()


def test_an_answer_fits_into_a_full_group() -> None:
    """News keep to nineteen a minute, so the twentieth message is an answer's, at once."""
    pace = telegram_pace()
    waits = [pace.wait("-100", NOON) for _ in range(19)]

    assert waits[-1] < 60 * _SECOND
    assert timedelta(0) == pace.pressing("-100", NOON + waits[-1])
    assert 60 * _SECOND == pace.pressing("-100", NOON)
    assert timedelta(0) == pace.pressing("5", NOON)


def test_news_make_room_for_an_answer() -> None:
    """What was answered counts against the nineteen as well."""
    pace = telegram_pace()
    for _ in range(4):
        pace.pressing("-100", NOON)
    waits = [pace.wait("-100", NOON + 5 * _SECOND) for _ in range(16)]

    assert max(waits[:15]) < 55 * _SECOND <= waits[15]


def test_what_is_pressing_books_nothing_when_it_would_wait_too_long() -> None:
    """Whoever gives up leaves the place."""
    pace = Pace(lambda _: [("", Limit(1, 10 * _SECOND, strict=True))])
    pace.pressing("a", NOON)
    for _ in range(3):
        assert 10 * _SECOND == pace.pressing("a", NOON, at_most=_SECOND)


@unhurried
@given(
    st.lists(st.tuples(st.booleans(), st.sampled_from(["5", "-100", "-200"])), max_size=80),
    st.integers(0, 2000),
)
def test_news_and_answers_together(sent: list[tuple[bool, str]], milliseconds: int) -> None:
    """Whatever comes in between, no minute of a group has more than twenty messages."""
    pace, now = telegram_pace(), NOON
    times: dict[str, list[datetime]] = {}
    for is_answer, chat in sent:
        wait = (pace.pressing if is_answer else pace.wait)(chat, now)
        times.setdefault(chat, []).append(now + wait)
        now += timedelta(milliseconds=milliseconds)

    for chat in set(times) - {"5"}:
        assert _most_within(times[chat], 60 * _SECOND) <= 20


def test_one_chat_does_not_hold_up_another() -> None:
    """A group that is booked out for a minute leaves other chats alone."""
    pace = telegram_pace()
    for _ in range(40):
        pace.wait("-100", NOON)

    assert timedelta(0) == pace.wait("-200", NOON)


def test_a_wait_too_long_is_not_booked() -> None:
    """Who goes away instead of waiting leaves the place to others."""
    pace = Pace(lambda _: [("", Limit(1, 10 * _SECOND))])
    pace.wait("a", NOON)
    for _ in range(3):
        assert 10 * _SECOND == pace.wait("a", NOON, at_most=_SECOND)

    assert timedelta(0) == pace.wait("a", NOON + 10 * _SECOND)


def test_learned_silence() -> None:
    """A silence that the platform asked for holds for its address, or for everything."""
    pace = Pace(lambda address: [(address, Limit(100, _SECOND))])
    pace.learned("a", NOON, 7 * _SECOND)

    assert 7 * _SECOND == pace.wait("a", NOON)
    assert timedelta(0) == pace.wait("b", NOON)

    pace.learned(EVERYTHING, NOON, 9 * _SECOND)

    assert 9 * _SECOND == pace.wait("b", NOON)
    assert timedelta(0) == pace.wait("b", NOON + 20 * _SECOND)


def test_a_shorter_silence_does_not_end_a_longer_one() -> None:
    """The latest end counts."""
    pace = Pace(lambda address: [(address, Limit(100, _SECOND))])
    pace.learned("a", NOON, 60 * _SECOND)
    pace.learned("a", NOON, _SECOND)

    assert 60 * _SECOND == pace.wait("a", NOON)


def test_idle_chats_are_forgotten() -> None:
    """Memory does not grow with every chat that was ever written to."""
    pace = telegram_pace(per_second=100_000)
    for number in range(9_000):
        pace.wait(str(number), NOON + number * _SECOND)

    assert len(pace._booked) < 12_000


def test_learning_a_channel_costs_no_turn() -> None:
    """What an answer teaches counts against the channel alone: the message was counted already."""
    rhythm = Rhythm(spacing=timedelta(0))
    for number in range(25):
        rhythm.wait(str(number), NOON, at_most=timedelta.max)
        rhythm.note_channel(str(number), "one", NOON)
    later = NOON + timedelta(seconds=1)

    assert timedelta(0) == rhythm.wait("new", later, at_most=timedelta.max)
    for _ in range(5):
        rhythm.wait("0", later, at_most=timedelta.max)
    assert timedelta(seconds=59) == rhythm.wait("1", later, at_most=timedelta.max)


def test_fifty_go_out_one_after_the_other() -> None:
    """At once they would arrive spread, and the next fifty partly within the same second."""
    pace = discord_pace(timedelta(0))
    waits = [pace.wait(str(number), NOON) for number in range(51)]

    assert timedelta(0) == waits[0]
    assert all(one < other for one, other in pairwise(waits))
    assert timedelta(seconds=1) < waits[-1] < timedelta(seconds=1.05)


def test_a_turn_falls_with_a_silence() -> None:
    """Who slept until their turn hears that another answer asked for silence beyond it."""
    pace = Pace(lambda chat: [(chat, Limit(1, timedelta(seconds=1)))])
    pace.wait("1", NOON)
    turn = NOON + pace.wait("1", NOON)
    assert pace.stands("1", turn, turn)

    pace.learned(EVERYTHING, NOON, timedelta(seconds=3))
    assert not pace.stands("1", turn, turn)
    assert pace.stands("1", NOON + timedelta(seconds=3), turn)


def test_an_overslept_turn_counts_from_when_it_is_taken() -> None:
    """Two messages that were held up together do not go out together."""
    pace = Pace(lambda _: [("", Limit(1, _SECOND))])
    turns = [NOON + pace.wait(each, NOON) for each in ("a", "b")]
    late = NOON + 1.5 * _SECOND

    assert not pace.stands("a", turns[0], late)
    assert pace.stands("b", turns[1], turns[1])
    assert _SECOND / 2 == pace.wait("a", late)


def test_a_turn_that_stands_alone_may_be_late() -> None:
    """What is overslept goes at once where nobody else has the room."""
    pace = Pace(lambda _: [("", Limit(1, _SECOND))])
    pace.wait("a", NOON)

    assert pace.stands("a", NOON, NOON + 5 * _SECOND)
    assert _SECOND == pace.wait("b", NOON + 5 * _SECOND)
