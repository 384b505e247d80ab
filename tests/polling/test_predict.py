"""Predictive polling: the square-root law, habits, silence, and its delay beside its peers'."""

import math
import random
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from itertools import pairwise
from statistics import mean

import pytest
from bench.policies import LINEAR, PREDICTIVE, RATE, replay, score, synthetic

from wireroom.feeds.model import Hints
from wireroom.polling.habits import habits
from wireroom.polling.health import Health
from wireroom.polling.history import History
from wireroom.polling.policies import DAY, HOUR, MINUTE, Policy
from wireroom.polling.predict import forecast
from wireroom.polling.schedule import News, Unchanged, next_check

#: Midnight of a Monday.
NOW = datetime(2026, 11, 30, tzinfo=UTC)
MOMENT = int(NOW.timestamp())


def scattered(count: int, *, per_day: float, until: int = MOMENT) -> tuple[int, ...]:
    """Item times without any habit, at this average rate."""
    chance = random.Random(count)
    return tuple(
        sorted(until - int(chance.random() * count / per_day * 86_400) for _ in range(count))
    )


def daily_at(hour: float, days: int = 20, until: int = MOMENT) -> tuple[int, ...]:
    """One item a day at this UTC hour, on the days before `until`."""
    return tuple(until - day * 86_400 + int(hour * 3600) for day in range(days, 0, -1))


def next_wait(times: tuple[int, ...], now: datetime = NOW, budget: float = 1.0) -> timedelta:
    return forecast(History(times=times), now, 5 * MINUTE, 6 * HOUR, budget=budget).wait


@pytest.mark.parametrize("random_number", [0.0, 0.5, 0.999])
@pytest.mark.parametrize(
    "times",
    [(), (MOMENT,), daily_at(7), scattered(40, per_day=500), scattered(40, per_day=0.01)],
    ids=["nothing known", "one item", "daily", "busy", "dying"],
)
def test_waits_stay_within_bounds(times: tuple[int, ...], random_number: float) -> None:
    """No history and no random number leads out of [minimum, maximum]."""
    seen = forecast(
        History(times=times), NOW, 5 * MINUTE, 6 * HOUR, jitter=0.1, random=random_number
    )

    assert 5 * MINUTE <= seen.wait <= 6 * HOUR


def test_requests_grow_with_the_square_root_of_the_rate() -> None:
    """Four times the items are asked for about twice as often, on average over the day."""

    def average(per_day: float) -> float:
        times = scattered(40, per_day=per_day)
        waits = [next_wait(times, NOW + timedelta(minutes=7 * i)) for i in range(3)]
        return sum(wait.total_seconds() for wait in waits) / len(waits)

    assert 2.0 == pytest.approx(average(8) / average(32), rel=0.5)


@pytest.mark.parametrize("per_day", [0.5, 5, 50])
def test_a_bigger_budget_never_waits_longer(per_day: float) -> None:
    """Requests are monotone in the one free parameter."""
    times = scattered(40, per_day=per_day)
    waits = [next_wait(times, budget=budget) for budget in (0.1, 0.5, 1, 2, 10)]

    assert waits == sorted(waits, reverse=True)


@pytest.mark.parametrize("hour", [0, 7, 12.25, 23.9])
def test_a_daily_item_is_found_within_minutes(hour: float) -> None:
    """A feed that publishes at the same minute every day is asked just after that minute."""
    times = daily_at(hour, days=40)
    result = replay(times, PREDICTIVE, seed=3)

    assert sorted(result.delays)[len(result.delays) // 2] <= 10
    assert result.polls / result.days <= 8


def test_a_silent_feed_slows_down_to_the_maximum() -> None:
    """A year without items means hardly more requests than the maximum allows."""
    times = scattered(30, per_day=3, until=MOMENT - 365 * 86_400)
    now, polls = NOW, 0
    while now < NOW + 10 * DAY:
        now, polls = now + next_wait(times, now), polls + 1

    assert polls <= 42


def test_a_feed_without_dates_slows_down_too() -> None:
    """Without any item time, silence counts from the first read."""
    fresh = forecast(History(known_since=MOMENT), NOW, 5 * MINUTE, 6 * HOUR)
    old = forecast(History(known_since=MOMENT - 10**7), NOW, 5 * MINUTE, 6 * HOUR)

    assert fresh.wait < 2 * HOUR
    assert old.wait >= 5.9 * HOUR


def test_a_burst_speeds_polling_up() -> None:
    """Ten items within the hour make the next wait shorter than that of the quiet feed before."""
    quiet = scattered(20, per_day=1, until=MOMENT - 3600)
    burst = (*quiet, *(MOMENT - 3600 + number * 300 for number in range(10)))

    assert next_wait(burst) < next_wait(quiet)


def test_feeds_that_lie_about_dates_are_known_by_first_sight() -> None:
    """Items dated in the future or not at all give the same waits as if their dates were true."""

    def learn(*, honest: bool) -> History:
        history, now = History(polled_at=MOMENT, known_since=MOMENT), NOW
        for _ in range(30):
            now += HOUR
            date = now - 30 * MINUTE if honest else now + DAY
            history = next_check(
                News((date,)), history, Health(), PREDICTIVE, now=now, random=0.5
            ).history
        return history

    assert learn(honest=True).times == learn(honest=False).times


def test_hints_slow_prediction_down() -> None:
    """A busy feed with a ttl of two hours is asked no sooner than that."""
    history = History(times=scattered(40, per_day=100), polled_at=MOMENT)
    decision = next_check(
        Unchanged(), history, Health(), PREDICTIVE,
        now=NOW, random=0.2, hints=Hints(ttl_minutes=120),
    )  # fmt: skip

    assert decision.next.at is not None
    assert decision.next.at - NOW >= 2 * HOUR


def test_the_density_of_a_day_has_mean_one() -> None:
    """However items lie in the day, their density integrates to the day, over midnights too."""
    day = habits((*daily_at(0, 10), *scattered(20, per_day=4))).day
    once, twice = day.integrals(MOMENT + 1234.0, [0.0, 3 * 86_400.0])
    spikes = day.spike_seconds * len(day.spikes) / 86_400

    assert 3 * 86_400 == pytest.approx(once[1] - once[0])
    assert twice[1] > twice[0]
    assert math.isclose(sum(day.heights) / len(day.heights) + spikes, 1)


def test_the_integrals_agree_with_counting() -> None:
    """The second integral is what adding up the first one in small steps gives."""
    day = habits(daily_at(7.3)).day
    once, twice = day.integrals(MOMENT + 777.0, [60.0 * minute for minute in range(3 * 1440)])
    added = sum(60 * (a + b) / 2 for a, b in pairwise(once))

    assert added == pytest.approx(twice[-1] - twice[0], rel=1e-3)


def test_a_minute_that_recurs_is_a_peak() -> None:
    """Twenty mornings at 07:18 are one peak, over soon after; wandering items make none."""
    (peak,) = habits(daily_at(7.3)).day.peaks

    assert 0 < peak - 7.3 * 3600 < 300
    assert () == habits(tuple(MOMENT + day * 88_000 for day in range(40))).day.peaks


def test_a_rare_feed_is_still_met_at_its_minute() -> None:
    """An item every third week at noon, asked for seldom: the wait that would pass its minute by
    an hour ends there instead.
    """
    times = tuple(MOMENT - week * 21 * 86_400 + 12 * 3600 for week in range(6, 0, -1))

    assert 5 * HOUR <= next_wait(times, NOW + 7 * HOUR, budget=0.5) <= 5 * HOUR + 10 * MINUTE


def test_silence_is_forgotten_knowledge() -> None:
    """A feed of one item a day that fell silent weeks ago is asked hardly more than it must be."""
    times = scattered(20, per_day=1, until=MOMENT - 40 * 86_400)

    assert next_wait(times) >= 5.5 * HOUR


@pytest.mark.parametrize("per_day", [0.3, 1, 10])
def test_silence_never_speeds_polling_up(per_day: float) -> None:
    """The longer nothing comes, the fewer items are expected."""
    known = habits(scattered(20, per_day=per_day))
    rates = [
        known.items_per_second(hours * 3600.0, known.prior_seconds) for hours in range(0, 2000, 5)
    ]

    assert rates == sorted(rates, reverse=True)


def test_a_feed_that_wakes_up_on_the_hour_is_met_there() -> None:
    """Three hourly items after months of silence are enough to ask just after the fourth."""
    asleep = scattered(20, per_day=1, until=MOMENT - 100 * 86_400)
    woken = (*asleep, MOMENT - 7500, MOMENT - 3900, MOMENT - 300)

    assert 55 * MINUTE <= next_wait(woken) <= 58 * MINUTE


def test_a_feed_that_changes_habit_is_followed() -> None:
    """From daily to hourly: within three items the delay is minutes; back again, it slows down."""
    hourly = tuple(MOMENT + number * 3600 for number in range(1, 21))
    result = replay([*daily_at(7, 20), *hourly], PREDICTIVE)
    later = next_wait((*daily_at(7, 20), *hourly), NOW + 14 * DAY)

    assert 5 >= sorted(result.delays)[10]
    assert 3 * HOUR <= later


@pytest.mark.parametrize(
    ("kind", "peer", "budget", "longer"),
    [
        pytest.param("bursty", LINEAR, 0.33, HOUR, id="bursty, linear"),
        pytest.param("bursty", RATE, 0.05, HOUR, id="bursty, rate"),
        pytest.param("periodic", LINEAR, 0.3, HOUR, id="periodic, linear"),
        pytest.param("periodic", RATE, 0.05, HOUR, id="periodic, rate"),
        pytest.param("dead", RATE, 0.05, HOUR, id="dead, rate"),
    ],
)
def test_no_kind_of_feed_is_worse_off(
    kind: str, peer: Policy, budget: float, longer: timedelta
) -> None:
    """With about the peer's requests, the mean delay is at most a tenth longer.

    A maximum an hour longer lets a day's minute be met a day later, and not sooner.
    """
    feeds = synthetic()[kind][:4]
    ours = replace(PREDICTIVE, budget=budget, minimum=peer.minimum, maximum=peer.maximum + longer)
    mine, theirs = score(feeds, ours), score(feeds, peer)

    assert mine.per_feed <= theirs.per_feed * 1.1
    assert mine.mean <= theirs.mean * 1.1


def test_a_dead_feed_that_wakes_is_found_like_linear_finds_it() -> None:
    """Over all phases of waking against the polls, at no more requests than linear's.

    A single feed says little: its first find is up to six hours late by luck.
    """
    feed = synthetic()["dead"][0]
    feeds = [[*feed[:20], *(time + phase * 1733 for time in feed[20:])] for phase in range(12)]
    mine, theirs = score(feeds, replace(PREDICTIVE, budget=0.6)), score(feeds, LINEAR)

    assert mine.per_feed <= theirs.per_feed * 1.03
    assert mine.mean <= theirs.mean * 1.25


def test_a_feed_that_wakes_unevenly_is_found_like_linear_finds_it() -> None:
    """Without a beat as well, whatever the hour of waking.

    A hundred and twenty wakings by two budgets, since the luck of the first find is most of the
    delay.
    """
    feeds = synthetic()["dead, uneven"]
    mine = [score(feeds, replace(PREDICTIVE, budget=budget)) for budget in (0.42, 0.43)]
    theirs = score(feeds, LINEAR)

    assert max(each.per_feed for each in mine) <= theirs.per_feed
    assert mean(each.mean for each in mine) <= theirs.mean * 1.1


def test_who_falls_asleep_again_and_again_is_not_taken_for_woken() -> None:
    """One long silence is the end of what was known; a second one shows that it is a habit."""

    def burst(day: int) -> list[int]:
        return [MOMENT + day * 86_400 + number * 3600 for number in range(6)]

    once, twice = habits((*burst(-80), *burst(-40))), habits((*burst(-80), *burst(-40), *burst(0)))

    assert once.prior_seconds < 3600 < twice.prior_seconds
