"""When a feed is asked again: every rule of the schedule, with exact numbers."""

from dataclasses import replace
from datetime import UTC, datetime, timedelta

import pytest
from hypothesis import given
from hypothesis import strategies as st

from wireroom.feeds.model import Hints
from wireroom.polling.health import Health
from wireroom.polling.history import History
from wireroom.polling.policies import (
    CABALMAIL,
    DAY,
    EL_MONITORRO,
    HOUR,
    MINUTE,
    PROFILES,
    RSS_FEED,
    RSSBOT,
    WIREROOM,
    Policy,
)
from wireroom.polling.schedule import (
    Decision,
    Error,
    FirstRead,
    GoneForGood,
    News,
    Seen,
    TooMany,
    Unchanged,
    Wanted,
    next_check,
    outside_quiet_hours,
)

#: A Monday.
NOW = datetime(2026, 11, 30, 10, 30, tzinfo=UTC)

NO_HISTORY, GOOD_HEALTH, NO_HINTS = History(), Health(), Hints()
BOTH_SUCCESSES = [Unchanged, lambda **kwargs: News((NOW,), **kwargs)]


def decide(
    seen: Seen,
    policy: Policy,
    *,
    history: History = NO_HISTORY,
    health: Health = GOOD_HEALTH,
    hints: Hints = NO_HINTS,
    wanted: Wanted | None = None,
    random: float = 0.5,
    now: datetime = NOW,
) -> Decision:
    return next_check(
        seen, history, health, policy, now=now, random=random, hints=hints, wanted=wanted
    )


def wait(decision: Decision, now: datetime = NOW) -> timedelta:
    assert decision.next.at is not None
    return decision.next.at - now


def streak(policy: Policy, errors: int, *, every: timedelta | None = None) -> list[Decision]:
    """Decisions of this many errors in a row, each at the announced time or `every` so often."""
    decisions, history, health, now = [], History(), Health(), NOW
    for number in range(1, errors + 1):
        decision = decide(
            Error(f"error {number}"), policy, history=history, health=health, now=now
        )
        decisions.append(decision)
        history, health = decision.history, decision.health
        if decision.next.at is None:
            break
        now = now + every if every else decision.next.at
    return decisions


@pytest.mark.parametrize(
    ("unchanged", "minutes"),
    [(0, 10), (1, 20), (2, 30), (9, 100), (34, 350), (35, 360), (36, 360), (10_000, 360)],
)
def test_linear_wait_grows_with_unchanged_polls(unchanged: int, minutes: int) -> None:
    """The wait is base x (1 + unchanged polls), at most six hours (SCH-06, SCH-07)."""
    seen = Unchanged() if unchanged else News((NOW,))

    decision = decide(seen, RSSBOT, history=History(unchanged_polls=max(unchanged - 1, 0)))

    assert timedelta(minutes=minutes) == wait(decision)
    assert unchanged == decision.history.unchanged_polls


def test_news_resets_the_linear_wait() -> None:
    """One new entry sets the counter to 0 and the wait to the base (SCH-08)."""
    decision = decide(News((NOW,)), RSSBOT, history=History(unchanged_polls=20))

    assert (0, 10 * MINUTE) == (decision.history.unchanged_polls, wait(decision))


def test_fixed_policy_never_slows_down() -> None:
    """Without adaptive slow-down the wait is the base for ever (SCH-09)."""
    policy = replace(RSSBOT, kind="fixed")

    assert 10 * MINUTE == wait(decide(Unchanged(), policy, history=History(unchanged_polls=50)))


def test_a_maximum_below_the_base_counts_as_the_base() -> None:
    """RB raises POLL_INTERVAL_MAX to POLL_INTERVAL (SCH-10)."""
    policy = replace(RSSBOT, base=HOUR, maximum=20 * MINUTE)

    assert HOUR == wait(decide(Unchanged(), policy))


@pytest.mark.parametrize(
    ("dates", "expected"),
    [
        pytest.param([], 60 * MINUTE, id="no dates: 24 a day are guessed"),
        pytest.param([5], 60 * MINUTE, id="one date has no spread"),
        pytest.param([0, 24, 48], DAY, id="one a day"),
        pytest.param([0, 6, 12], 6 * HOUR, id="four a day"),
        pytest.param([0, 0.1, 0.2], 30 * MINUTE, id="a span counts as an hour at least"),
    ],
)
def test_rate_starts_from_the_spread_of_dates(dates: list[float], expected: timedelta) -> None:
    """CM's first cadence is (n-1) items over the days they span (SCH-15)."""
    seen = FirstRead(tuple(NOW - timedelta(hours=hours) for hours in dates))

    assert expected == wait(decide(seen, CABALMAIL))


def test_rate_is_a_moving_average_of_items_a_day() -> None:
    """The newest sample weighs 0.3, and an unchanged poll is a sample of zero (SCH-12, SCH-13)."""
    polled = int((NOW - 6 * HOUR).timestamp())
    history = History(items_per_day=4.0, polled_at=polled)

    quiet = decide(Unchanged(), CABALMAIL, history=history)
    busy = decide(News((NOW, NOW, NOW)), CABALMAIL, history=history)

    assert pytest.approx(2.8) == quiet.history.items_per_day
    assert pytest.approx(0.3 * 12 + 2.8) == busy.history.items_per_day
    assert pytest.approx(1440 / 6.4 * 60) == wait(busy).total_seconds()


@pytest.mark.parametrize(("rate", "expected"), [(10_000.0, 15 * MINUTE), (0.001, DAY)])
def test_rate_stays_within_its_bounds(rate: float, expected: timedelta) -> None:
    """The cadence is clamped to 15 … 1440 minutes (SCH-14)."""
    history = History(items_per_day=rate, polled_at=int(NOW.timestamp()))

    assert expected == wait(decide(Unchanged(), CABALMAIL, history=history))


@pytest.mark.parametrize(
    ("asked", "expected"),
    [
        (90, timedelta(seconds=120)),
        (120, timedelta(seconds=120)),
        (86_401, timedelta(seconds=86_401)),
    ],
)
def test_a_subscribed_interval_is_kept_to_the_second(asked: int, expected: timedelta) -> None:
    """DF raises what is below its floor, takes the rest exactly (SCH-16, SCH-17, SCH-20)."""
    wanted = Wanted(timedelta(seconds=asked))

    assert expected == wait(decide(Unchanged(), RSS_FEED, wanted=wanted))
    assert 4 * HOUR == wait(decide(Unchanged(), RSS_FEED))


@pytest.mark.parametrize(
    ("policy", "seconds"),
    [
        pytest.param(WIREROOM, 300, id="wireroom"),
        pytest.param(RSSBOT, 120, id="rssbot"),
        pytest.param(replace(RSSBOT, base=MINUTE), 60, id="rssbot, base of a minute"),
        pytest.param(RSS_FEED, 120, id="rss-feed"),
        pytest.param(EL_MONITORRO, 60, id="el-monitorro"),
        pytest.param(
            replace(EL_MONITORRO, base=timedelta(seconds=5)), 5, id="5 s by the operator"
        ),
        pytest.param(CABALMAIL, 900, id="cabalmail"),
    ],
)
def test_no_subscription_asks_for_each_second(policy: Policy, seconds: int) -> None:
    """A second is the operator's to choose, not that of whoever subscribes (SCH-17)."""
    wanted = Wanted(timedelta(seconds=1), by_all=True)

    assert timedelta(seconds=seconds) == policy.shortest_wish == policy.wished(wanted.interval)
    assert policy.shortest_wish <= wait(decide(Unchanged(), policy, wanted=wanted))


@pytest.mark.parametrize("seconds", [1, 60, 90, 259_200])
@pytest.mark.parametrize("seen", [Unchanged(), News((NOW,)), FirstRead((NOW,))], ids=repr)
def test_el_monitorro_asks_every_feed_alike(seen: Seen, seconds: int) -> None:
    """Each minute whatever came, or each interval, to the second (SCH-18, SCH-20)."""
    interval = timedelta(seconds=seconds)
    silent = History(unchanged_polls=500, items_per_day=0.0)

    assert MINUTE == wait(decide(seen, EL_MONITORRO, history=silent))
    assert interval == wait(decide(seen, replace(EL_MONITORRO, base=interval), history=silent))


@pytest.mark.parametrize(
    ("asked", "by_all", "expected"),
    [
        pytest.param(5 * MINUTE, False, 5 * MINUTE, id="faster than the policy"),
        pytest.param(2 * HOUR, False, 30 * MINUTE, id="others are served by the policy"),
        pytest.param(2 * HOUR, True, 2 * HOUR, id="nobody wants it faster"),
        pytest.param(DAY, True, 6 * HOUR, id="the operator's maximum holds"),
    ],
)
def test_the_fastest_request_wins(asked: timedelta, by_all: bool, expected: timedelta) -> None:
    """A shared feed is polled as fast as anybody asks, within bounds (SCH-21, B28)."""
    decision = decide(
        Unchanged(), RSSBOT, history=History(unchanged_polls=1), wanted=Wanted(asked, by_all)
    )

    assert expected == wait(decision)


@pytest.mark.parametrize("success", BOTH_SUCCESSES, ids=["unchanged", "news"])
@pytest.mark.parametrize(
    ("max_age", "hints", "expected"),
    [
        pytest.param(45 * MINUTE, Hints(), 45 * MINUTE, id="max-age"),
        pytest.param(None, Hints(ttl_minutes=50), 50 * MINUTE, id="ttl"),
        pytest.param(HOUR, Hints(ttl_minutes=50), HOUR, id="the longer of two"),
        pytest.param(MINUTE, Hints(ttl_minutes=1), 20 * MINUTE, id="never faster (SCH-25)"),
        pytest.param(timedelta(days=3650), Hints(), 6 * HOUR, id="ten years are cut"),
        pytest.param(None, Hints(ttl_minutes=10**12), 6 * HOUR, id="absurd ttl"),
        pytest.param(None, Hints(ttl_minutes=-5), 20 * MINUTE, id="negative ttl"),
        pytest.param(None, Hints(update_period_minutes=120), 20 * MINUTE, id="sy ignored by RB"),
    ],
)
def test_hints_only_slow_down(
    success: type[Unchanged], max_age: timedelta | None, hints: Hints, expected: timedelta
) -> None:
    """max-age and ttl are least waits on 200 and 304, cut to the maximum before they count
    (SCH-22, SCH-23, SCH-25, SCH-26, B19)."""
    policy = replace(RSSBOT, base=20 * MINUTE, kind="fixed")

    assert expected == wait(decide(success(max_age=max_age), policy, hints=hints))


@pytest.mark.parametrize(
    ("rule", "period_minutes", "honoured"),
    [
        ("ignored", 1440, False),
        ("unless_hourly", 60, False),
        ("unless_hourly", 1440, True),
        ("honoured", 60, True),
    ],
)
def test_the_update_period_is_a_switch(rule: str, period_minutes: int, honoured: bool) -> None:
    """sy:updatePeriod is honoured, ignored, or ignored where it is WordPress's habit (SCH-24)."""
    policy = replace(RSS_FEED, base=10 * MINUTE, sy=rule)
    decision = decide(Unchanged(), policy, hints=Hints(update_period_minutes=period_minutes))

    assert (timedelta(minutes=period_minutes) if honoured else 10 * MINUTE) == wait(decision)


@pytest.mark.parametrize("success", BOTH_SUCCESSES, ids=["unchanged", "news"])
def test_retry_after_is_a_floor_on_success_too(success: type[Unchanged]) -> None:
    """Some servers send Retry-After with a good answer (FAIL-15)."""
    assert 3 * HOUR == wait(decide(success(retry_after=3 * HOUR), RSSBOT))
    assert DAY == wait(decide(success(retry_after=400 * DAY), replace(WIREROOM, jitter=0)))


@pytest.mark.parametrize(
    ("at", "hints", "expected"),
    [
        pytest.param(
            datetime(2026, 11, 29, 23, 30), {"skip_hours": {23, 0}},
            datetime(2026, 11, 30, 1, 30), id="over midnight (SCH-30)",
        ),
        pytest.param(
            datetime(2026, 11, 29, 10, 30), {"skip_days": {6}},
            datetime(2026, 11, 30, 0, 30), id="a whole day (SCH-31)",
        ),
        pytest.param(
            datetime(2026, 11, 29, 10, 30), {"skip_hours": set(range(24))},
            datetime(2026, 12, 1, 10, 30), id="everything is skipped (SCH-32)",
        ),
        pytest.param(
            datetime(2026, 11, 29, 10, 30), {"skip_days": set(range(7))},
            datetime(2026, 12, 1, 10, 30), id="every day is skipped",
        ),
        pytest.param(
            datetime(2026, 11, 29, 10, 30), {"skip_hours": {24, -1}},
            datetime(2026, 11, 29, 10, 30), id="hours that do not exist (SCH-33)",
        ),
        pytest.param(
            datetime(2026, 11, 29, 10, 30), {"skip_hours": {10}, "skip_days": {0}},
            datetime(2026, 11, 29, 11, 30), id="minutes are kept",
        ),
    ],
)  # fmt: skip
def test_quiet_hours_move_the_poll(
    at: datetime, hints: dict[str, set[int]], expected: datetime
) -> None:
    """skipHours and skipDays move a poll on by whole hours, at most 48 (SCH-28, SCH-30, SCH-31,
    SCH-32, SCH-33)."""
    asked = Hints(**{name: frozenset(values) for name, values in hints.items()})

    assert expected.replace(tzinfo=UTC) == outside_quiet_hours(at.replace(tzinfo=UTC), asked)


def test_quiet_hours_apply_to_a_decision() -> None:
    """The stored time of the next poll is outside of the hours the publisher excluded."""
    decision = decide(Unchanged(), RSSBOT, hints=Hints(skip_hours=frozenset({10, 11})))

    assert datetime(2026, 11, 30, 12, 50, tzinfo=UTC) == decision.next.at


@pytest.mark.parametrize(
    ("policy", "minutes"),
    [
        pytest.param(RSSBOT, [10, 20, 40, 80, 160, 320, 360, 360], id="rssbot"),
        pytest.param(
            replace(RSS_FEED, base=10 * MINUTE), [20, 40, 60, 60], id="rss-feed, 10 min feed"
        ),
        pytest.param(RSS_FEED, [240, 240, 240, 240, 240, 240], id="rss-feed, 4 h feed"),
        pytest.param(EL_MONITORRO, [2, 3, 5, 9, 17, 17], id="el-monitorro"),
        pytest.param(
            replace(EL_MONITORRO, base=5 * MINUTE),
            [10, 15, 25, 45, 85, 85],
            id="el-monitorro, cycles of 5 min",
        ),
    ],
)
def test_errors_back_off(policy: Policy, minutes: list[int]) -> None:
    """Each system's gaps, never more often than a healthy feed (C6, FAIL-02, FAIL-03, FAIL-05)."""
    now, seen = NOW, []
    for decision in streak(policy, len(minutes)):
        seen.append(wait(decision, now) // MINUTE)
        now = decision.next.at or now

    assert minutes == seen


def test_rate_errors_back_off() -> None:
    """CM doubles from 15 minutes to a day (FAIL-04)."""
    history = History(items_per_day=96.0, polled_at=int(NOW.timestamp()))
    waits = []
    for failures in range(9):
        health = Health(failure_count=failures, failing_since=NOW)
        waits.append(wait(decide(Error("x"), CABALMAIL, history=history, health=health)) // MINUTE)

    assert [15, 30, 60, 120, 240, 480, 960, 1440, 1440] == waits


def test_retry_after_is_a_floor_of_the_backoff() -> None:
    """An error that names a time is not asked before it (FAIL-04)."""
    assert 2 * HOUR == wait(decide(Error("HTTP 500", retry_after=2 * HOUR), RSSBOT))


def test_an_error_keeps_the_unchanged_counter() -> None:
    """Errors say nothing about news (FAIL-07); the streak remembers where it began (FAIL-08)."""
    before = Health(failure_count=3, failing_since=NOW - DAY)
    decision = decide(Error("x"), RSSBOT, history=History(unchanged_polls=7), health=before)

    assert 7 == decision.history.unchanged_polls
    assert (4, NOW - DAY) == (decision.health.failure_count, decision.health.failing_since)


def test_a_success_clears_the_streak() -> None:
    """Error count, failing_since and last error are gone after one success (FAIL-06, FAIL-28)."""
    before = Health(failure_count=9, failing_since=NOW - DAY, last_error="x", throttled=True)

    assert Health(last_success=NOW) == decide(Unchanged(), RSSBOT, health=before).health


@pytest.mark.parametrize(
    ("errors", "days", "disabled"),
    [(11, 8, False), (12, 6, False), (12, 7, True), (500, 6.99, False)],
)
def test_giving_up_needs_errors_and_days(errors: int, days: float, disabled: bool) -> None:
    """RB switches a feed off at 12 errors and 7 days, not at one of them (FAIL-09, FAIL-10)."""
    before = Health(failure_count=errors - 1, failing_since=NOW - timedelta(days=days))
    decision = decide(Error("HTTP 404"), RSSBOT, health=before)

    assert disabled == (decision.disable is not None)
    assert disabled == (decision.next.at is None)
    assert disabled == bool(decision.health.disabled)


def test_a_given_up_feed_is_probed_once_a_day() -> None:
    """Wireroom shows a feed as given up, asks it daily, and a success revives it (B17)."""
    policy = replace(WIREROOM, jitter=0)
    before = Health(failure_count=30, failing_since=NOW - 8 * DAY)
    given_up = decide(Error("HTTP 404"), policy, health=before)
    probed = decide(Error("HTTP 404"), policy, health=given_up.health)
    throttled = decide(TooMany(MINUTE), policy, health=given_up.health)
    revived = decide(News((NOW,)), policy, health=probed.health)

    assert [DAY, DAY, DAY] == [wait(given_up), wait(probed), wait(throttled)]
    assert given_up.disable is None
    assert "31 errors in a row over 8 days, last: HTTP 404" == given_up.health.given_up
    assert given_up.notice is not None
    assert "given_up" == given_up.notice.kind
    assert probed.notice is None
    assert Health(last_success=NOW) == revived.health
    assert revived.notice is not None
    assert "recovered" == revived.notice.kind


def test_a_dead_letter_comes_after_twenty() -> None:
    """CM switches off at twenty failures in a row, whatever their age (FAIL-12)."""
    decisions = streak(CABALMAIL, 25, every=MINUTE)

    assert 20 == len(decisions)
    assert decisions[-1].disable is not None


def test_unreachable_since_the_last_success() -> None:
    """EM counts from the last success: one error after two days of silence is enough (FAIL-13)."""
    fresh, stale = Health(last_success=NOW - 47 * HOUR), Health(last_success=NOW - 48 * HOUR)

    assert decide(Error("x"), EL_MONITORRO, health=fresh).disable is None
    told = decide(Error("x"), EL_MONITORRO, health=stale)
    assert told.notice is not None
    assert "disabled" == told.notice.kind


def test_rss_feed_never_gives_up() -> None:
    """DF keeps asking for ever."""
    assert all(decision.disable is None for decision in streak(RSS_FEED, 400))


@pytest.mark.parametrize("policy", PROFILES.values(), ids=PROFILES)
def test_gone_switches_off_at_once(policy: Policy) -> None:
    """410 disables without an error streak (FAIL-11)."""
    decision = decide(GoneForGood(), policy)

    assert (None, "HTTP 410 Gone") == (decision.next.at, decision.disable)
    assert "disabled: HTTP 410 Gone" == decision.next.reason


@pytest.mark.parametrize(
    ("retry_after", "expected"),
    [
        pytest.param(2 * HOUR, 2 * HOUR, id="as the server says"),
        pytest.param(2 * MINUTE, 2 * MINUTE, id="even if that is soon"),
        pytest.param(None, 40 * MINUTE, id="four bases"),
        pytest.param(30 * DAY, 6 * HOUR, id="cut to the maximum"),
    ],
)
def test_throttling_is_no_error(retry_after: timedelta | None, expected: timedelta) -> None:
    """429 and 503 wait and move no counter (C7, FAIL-14)."""
    before, history = Health(failure_count=3, failing_since=NOW - DAY), History(unchanged_polls=5)
    decision = decide(TooMany(retry_after), RSSBOT, history=history, health=before)

    assert expected == wait(decision)
    assert (history, replace(before, throttled=True)) == (decision.history, decision.health)


def test_a_throttled_episode_is_told_once() -> None:
    """One notice when an episode begins, another only after a success lay between (FAIL-21)."""
    first = decide(TooMany(), RSSBOT)
    second = decide(TooMany(), RSSBOT, health=first.health)
    over = decide(Unchanged(), RSSBOT, health=second.health)
    again = decide(TooMany(), RSSBOT, health=over.health)

    assert [True, False, False, True] == [
        decision.notice is not None for decision in (first, second, over, again)
    ]


def test_alerts_come_at_doublings() -> None:
    """Told at 4, 8, 16, 32 with the current error and the stored next time (FAIL-22, FAIL-23)."""
    told = [
        (number, decision.notice.error, decision.notice.next_at == decision.next.at)
        for number, decision in enumerate(streak(RSS_FEED, 40), start=1)
        if decision.notice is not None
    ]

    assert [(n, f"error {n}", True) for n in (4, 8, 16, 32)] == told


@pytest.mark.parametrize(("errors", "told"), [(1, False), (3, False), (4, True), (5, True)])
@pytest.mark.parametrize("success", BOTH_SUCCESSES, ids=["unchanged", "news"])
def test_recovery_is_told_to_those_who_were_alerted(
    errors: int, told: bool, success: type[Unchanged]
) -> None:
    """The first success after an alerted streak is told, after a silent one not (FAIL-24)."""
    health = streak(RSS_FEED, errors)[-1].health
    decision = decide(success(), RSS_FEED, health=health)

    assert told == (decision.notice is not None)


def test_profiles_keep_silent_where_their_system_did() -> None:
    """CM tells nobody; RB says nothing about errors that are not the end (C10)."""
    assert all(decision.notice is None for decision in streak(CABALMAIL, 25))
    assert all(decision.notice is None for decision in streak(RSSBOT, 20))


def test_an_import_spreads_out() -> None:
    """Of 10,000 dead feeds read in the same minute, no later minute gets more than one in 100."""
    minutes: dict[int, int] = {}
    old = tuple(NOW - timedelta(days=400 + day, minutes=day * 517) for day in range(20))
    for number in range(10_000):
        decision = decide(FirstRead(old), WIREROOM, random=number / 10_000)
        minute = wait(decision) // MINUTE
        minutes[minute] = minutes.get(minute, 0) + 1

    assert max(minutes.values()) <= 100


DAYS = st.floats(0, 400).map(lambda days: timedelta(days=days))
SUCCESSES = st.one_of(
    st.builds(Unchanged, st.none() | DAYS, st.none() | DAYS),
    st.builds(
        News,
        st.lists(st.none() | DAYS.map(lambda age: NOW - age), min_size=1, max_size=5).map(tuple),
        st.none() | DAYS,
        st.none() | DAYS,
    ),
    st.builds(
        FirstRead,
        st.lists(st.none() | DAYS.map(lambda age: NOW + 9 * DAY - age), max_size=60).map(tuple),
    ),
)
OTHERS = st.one_of(
    st.builds(Error, st.just("x"), st.none() | DAYS), st.builds(TooMany, st.none() | DAYS)
)
HISTORIES = st.builds(
    lambda ages, unchanged, rate: History(
        unchanged, rate, int((NOW - DAY).timestamp()),
        tuple(sorted(int((NOW - age).timestamp()) for age in ages)),
    ),
    st.lists(DAYS, max_size=40),
    st.integers(0, 10**6),
    st.none() | st.floats(0, 10**6),
)  # fmt: skip
HINTS = st.builds(Hints, st.none() | st.integers(-5, 10**9), st.none() | st.integers(-5, 10**9))
RANDOMS = st.floats(0, 1, exclude_max=True)


@pytest.mark.parametrize("policy", PROFILES.values(), ids=PROFILES)
@given(seen=SUCCESSES, history=HISTORIES, hints=HINTS, random=RANDOMS)
def test_a_healthy_wait_stays_within_bounds(
    policy: Policy, seen: Seen, history: History, hints: Hints, random: float
) -> None:
    """Never below the minimum, never above the maximum or what the server demands."""
    decision = decide(seen, policy, history=history, hints=hints, random=random)
    demand = min(getattr(seen, "retry_after", None) or timedelta(0), policy.retry_after_cap)

    assert policy.minimum <= wait(decision) <= max(policy.ceiling, demand * (1 + policy.jitter))


@pytest.mark.parametrize("policy", PROFILES.values(), ids=PROFILES)
@given(seen=OTHERS, history=HISTORIES, failures=st.integers(0, 10**6), random=RANDOMS)
def test_trouble_never_speeds_a_feed_up(
    policy: Policy, seen: Seen, history: History, failures: int, random: float
) -> None:
    """A broken feed is asked no more often than a healthy one, nor before it allows (C6)."""
    health = Health(failure_count=failures, failing_since=NOW, last_success=NOW)
    troubled = decide(seen, policy, history=history, health=health, random=random)
    if troubled.next.at is None:
        return
    demand = min(getattr(seen, "retry_after", None) or timedelta(0), policy.retry_after_cap)

    assert wait(troubled) >= max(policy.minimum, demand)
    if isinstance(seen, Error) and policy.kind in ("fixed", "linear"):
        healthy = policy.base * (1 + history.unchanged_polls if policy.kind == "linear" else 1)
        assert wait(troubled) >= min(healthy, policy.ceiling)


@given(unchanged=st.integers(0, 10**5), random=RANDOMS)
def test_more_silence_never_means_more_polls(unchanged: int, random: float) -> None:
    """Under the linear rule the wait is monotone in the number of unchanged polls."""
    policy = replace(RSSBOT, jitter=0.1)
    waits = [
        wait(decide(Unchanged(), policy, history=History(unchanged_polls=count), random=random))
        for count in (unchanged, unchanged + 1)
    ]

    assert waits == sorted(waits)


def test_reasons_are_for_people() -> None:
    """The reason says how often and why, in words."""
    eight_a_day = tuple(NOW - timedelta(hours=hours) for hours in (1, 3, 25, 27, 49, 51, 73))

    assert "every 20 min: last poll without news" == decide(Unchanged(), RSSBOT).next.reason
    assert "in 10 min: after an error" == decide(Error("x"), RSSBOT).next.reason
    assert "every 1 h: the feed's ttl" == (
        decide(Unchanged(), RSSBOT, hints=Hints(ttl_minutes=60)).next.reason
    )
    assert decide(FirstRead(eight_a_day), WIREROOM).next.reason.endswith(
        "about 2 items a day, mostly mornings UTC"
    )
