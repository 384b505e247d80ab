"""Replays real publication times under every polling policy: requests against delay.

    python -m bench policies [--feeds all|even|odd] [--every N] [--whole] [--processes N]

A feed's first half is its baseline, the second half is replayed through `next_check` itself: a
poll finds what was published before it. Silences longer than two weeks are cut to two weeks and
the rest of whole weeks, so that hours and weekdays stay; `--whole` keeps them and takes ten times
as long. Traces are found by WIREROOM_TRACES or beside the project.

Made-up feeds of one kind each follow, compared at equal requests per kind: the budget is searched
for at which `predictive` asks the feeds of this kind no more often than the peer does.
"""

import argparse
import contextlib
import json
import os
import random
import sys
from collections.abc import Callable, Sequence
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass, replace
from datetime import UTC, datetime, timedelta
from functools import partial
from itertools import pairwise
from pathlib import Path
from statistics import mean, median, quantiles

from wireroom.polling.health import Health
from wireroom.polling.history import History
from wireroom.polling.policies import CABALMAIL, HOUR, MINUTE, RSSBOT, WIREROOM, Policy
from wireroom.polling.schedule import FirstRead, News, Unchanged, next_check

WEEK_SECONDS = 7 * 86_400
LONGEST_SILENCE_WEEKS = 2
SHOWN_ITEMS = 30  # what a feed document lists

#: A policy that would ask a silent feed for ever is stopped here.
MOST_POLLS = 2_000_000

#: Steps of the search for the budget of equal requests: to within a tenth of a budget.
_HALVINGS = 9

Times = Sequence[float]


@dataclass(frozen=True, slots=True)
class Replayed:
    """One feed under one policy: requests, days replayed, delay of each item in minutes."""

    polls: int
    days: float
    delays: list[float]


@dataclass(frozen=True, slots=True)
class Score:
    """A policy over all feeds.

    `per_feed` is the mean over feeds of their requests a day, `pooled` all requests over all
    days of all feeds, where feeds that publish rarely weigh most. Delays are minutes, over items.
    """

    per_feed: float
    pooled: float
    mean: float
    median: float
    p90: float

    def __str__(self) -> str:
        return (
            f"{self.per_feed:9.2f} {self.pooled:8.2f} {self.mean:9.1f} {self.median:8.1f}"
            f" {self.p90:8.1f}"
        )


def traces() -> list[list[float]]:
    """Publication times of real feeds, ascending Unix seconds."""
    beside = Path(__file__).resolve().parents[2] / "shared" / "traces"
    path = Path(os.environ.get("WIREROOM_TRACES") or beside)
    path = path / "publication_times.json" if path.is_dir() else path
    if not path.is_file():
        sys.exit(f"no traces at {path}; set WIREROOM_TRACES to their folder")
    feeds: list[list[float]] = json.loads(path.read_text())
    return feeds


def without_long_silences(times: Times) -> list[float]:
    """The same feed with each silence of more than two weeks shortened by whole weeks."""
    longest = LONGEST_SILENCE_WEEKS * WEEK_SECONDS
    result = [times[0]]
    for before, after in pairwise(times):
        gap = after - before
        result.append(result[-1] + (longest + gap % WEEK_SECONDS if gap > longest else gap))
    return result


def replay(times: Times, policy: Policy, seed: int = 0) -> Replayed:
    """Poll one feed from the middle of its times until its last item is found."""
    chance = random.Random(seed)
    half = len(times) // 2
    start = now = _instant(times[half - 1])
    seen = FirstRead(tuple(_instant(t) for t in times[:half][-SHOWN_ITEMS:]))
    decision = next_check(seen, History(), Health(), policy, now=now, random=chance.random())
    found, polls, delays = half, 0, []
    while found < len(times) and polls < MOST_POLLS:
        assert decision.next.at is not None
        now, polls = decision.next.at, polls + 1
        moment, first = now.timestamp(), found
        while found < len(times) and times[found] <= moment:
            delays.append((moment - times[found]) / 60)
            found += 1
        dates = tuple(_instant(t) for t in times[first:found])
        decision = next_check(
            News(dates) if dates else Unchanged(),
            decision.history, decision.health, policy, now=now, random=chance.random(),
        )  # fmt: skip
    return Replayed(polls, (now - start) / timedelta(days=1), delays)


def replay_fixed(times: Times, policy: Policy, seed: int = 0) -> Replayed:
    """The same for a wait that never changes, by arithmetic; millions of polls are no fun."""
    half, step = len(times) // 2, policy.base.total_seconds()
    start = times[half - 1]
    delays = [-(time - start) % step / 60 for time in times[half:]]
    polls = -int(-(times[-1] - start) // step)
    return Replayed(polls, polls * step / 86_400, delays)


def score(feeds: Sequence[Times], policy: Policy) -> Score:
    run: Callable[[Times, Policy, int], Replayed]
    run = replay_fixed if policy.kind == "fixed" else replay
    results = [run(times, policy, seed) for seed, times in enumerate(feeds)]
    delays = [delay for result in results for delay in result.delays]
    return Score(
        per_feed=mean(result.polls / result.days for result in results),
        pooled=sum(result.polls for result in results) / sum(result.days for result in results),
        mean=mean(delays),
        median=median(delays),
        p90=quantiles(delays, n=10)[-1],
    )


def _instant(seconds: float) -> datetime:
    return datetime.fromtimestamp(seconds, UTC)


FIXED = replace(WIREROOM, kind="fixed", jitter=0.0)
LINEAR, RATE = RSSBOT, CABALMAIL
PREDICTIVE = WIREROOM
SLOWER = replace(WIREROOM, maximum=24 * HOUR, minimum=15 * MINUTE)

CURVES: dict[str, list[tuple[str, Policy]]] = {
    "fixed": [
        (f"every {minutes} min", replace(FIXED, base=minutes * MINUTE))
        for minutes in (30, 60, 120, 240, 360)
    ],
    "linear, at most 6 h": [
        (f"base {minutes} min", replace(LINEAR, base=minutes * MINUTE)) for minutes in (5, 10, 40)
    ],
    "rate, at most 24 h": [
        (f"at least {minutes} min", replace(RATE, minimum=minutes * MINUTE))
        for minutes in (5, 15, 60)
    ],
    "predictive, at most 6 h": [
        (f"budget {budget}", replace(PREDICTIVE, budget=budget)) for budget in (0.5, 0.8, 1.0, 1.4)
    ],
    "predictive, at most 24 h": [
        (f"budget {budget}", replace(SLOWER, budget=budget)) for budget in (0.03, 0.15, 0.4)
    ],
}


def at_rate(curve: list[Score], rate: float, by: str) -> Score | None:
    """The curve's score at this rate by linear interpolation; None outside of it."""
    ordered = sorted(curve, key=lambda each: getattr(each, by))
    for low, high in pairwise(ordered):
        below, above = getattr(low, by), getattr(high, by)
        if below <= rate <= above:
            part = (rate - below) / (above - below)
            names = ("per_feed", "pooled", "mean", "median", "p90")
            a, b = ([getattr(each, name) for name in names] for each in (low, high))
            return Score(*(x + part * (y - x) for x, y in zip(a, b, strict=True)))
    return None


def synthetic() -> dict[str, list[list[float]]]:
    """Feeds of one kind each over ten weeks, eight of a kind; sleepers wake at five hours, and of
    those that wake unevenly there are 24, since much of their delay is luck."""
    chance = random.Random(7)
    start, day = 1_790_000_000 // 86_400 * 86_400, 86_400

    def bursty() -> list[float]:
        begins = (start + chance.random() * 70 * day for _ in range(12))
        return sorted(begin + chance.random() * 2 * 3600 for begin in begins for _ in range(6))

    def periodic() -> list[float]:
        second = chance.randrange(day)
        return [start + number * day + second + chance.random() * 60 for number in range(70)]

    def dead() -> list[float]:
        first = sorted(start + chance.random() * 20 * day for _ in range(20))
        return [*first, *(first[-1] + 50 * day + number * 3600.0 for number in range(20))]

    def dead_uneven() -> list[float]:
        first = sorted(start + chance.random() * 20 * day for _ in range(20))
        wakes = first[-1] + (40 + chance.random() * 20) * day
        return [*first, *sorted(wakes + chance.random() * 20 * 3600 for _ in range(20))]

    kinds = {"bursty": bursty, "periodic": periodic, "dead": dead, "dead, uneven": dead_uneven}
    many = {"dead, uneven": 24}
    made = {name: [make() for _ in range(many.get(name, 8))] for name, make in kinds.items()}
    for name in ("dead", "dead, uneven"):
        made[name] = [woken for feed in made[name] for woken in _woken_at_all_hours(feed)]
    return made


def _woken_at_all_hours(times: Times) -> list[list[float]]:
    """A feed that falls asleep in the middle, waking at five moments of six hours.

    The first find of a sleeping feed is up to six hours late by luck, which is most of its delay:
    of eight feeds that wake once each, the luck would be all that is seen.
    """
    half, part = len(times) // 2, 6 * 3600 / 5
    return [
        [*times[:half], *(time + number * part for time in times[half:])] for number in range(5)
    ]


def run(feeds: list[list[float]], processes: int) -> dict[str, list[tuple[str, Score]]]:
    """Every policy along its range; each row is printed when it is known."""
    policies = [policy for points in CURVES.values() for _, policy in points]
    with contextlib.ExitStack() as stack:
        if processes == 1:
            scores = map(partial(score, feeds), policies)
        else:
            pool = stack.enter_context(ProcessPoolExecutor(processes))
            scores = pool.map(partial(score, feeds), policies)
        print(f"{'':42} requests a day     delay in minutes")
        print(f"{'policy':26}{'setting':16} per feed   pooled      mean   median      p90")
        return {
            name: [(setting, _shown(name, setting, next(scores))) for setting, _ in points]
            for name, points in CURVES.items()
        }


def _shown(name: str, setting: str, result: Score) -> Score:
    print(f"{name:26}{setting:16}{result}", flush=True)
    return result


def print_ratios(measured: dict[str, list[tuple[str, Score]]]) -> None:
    """predictive against the defaults of the others, at their number of requests."""
    curves = {name: [each for _, each in points] for name, points in measured.items()}
    peers = {
        "linear": (measured["linear, at most 6 h"][1][1], curves["predictive, at most 6 h"]),
        "rate": (measured["rate, at most 24 h"][1][1], curves["predictive, at most 24 h"]),
    }
    print("\npredictive against a peer's defaults at equal requests: ratio of delays")
    for name, (peer, curve) in peers.items():
        for by in ("per_feed", "pooled"):
            rate = getattr(peer, by)
            ours = at_rate(curve, rate, by)
            if ours is None:
                print(f"  {name:7} {by:9} {rate:6.2f} a day: {_beyond(curve, peer, by)}")
                continue
            print(
                f"  {name:7} {by:9} {rate:6.2f} a day:"
                f"  mean {ours.mean / peer.mean:.2f}  median {ours.median / peer.median:.2f}"
                f"  p90 {ours.p90 / peer.p90:.2f}"
            )


def _beyond(curve: list[Score], peer: Score, by: str) -> str:
    """Why there is no point of the curve at the peer's rate, and what its nearest one does."""
    nearest = min(curve, key=lambda each: abs(getattr(each, by) - getattr(peer, by)))
    fewest = getattr(nearest, by)
    side = "no fewer than" if fewest > getattr(peer, by) else "no more than"
    return (
        f"predictive was measured at {side} {fewest:.2f};"
        f" there, {fewest / getattr(peer, by):.2f} x the requests,"
        f" it has {nearest.mean / peer.mean:.2f} x the mean delay"
    )


def at_most(feeds: Sequence[Times], policy: Policy, per_feed: float) -> tuple[float, Score]:
    """The biggest budget that asks no more than `per_feed` times a day, and its score.

    Where even the smallest budget asks more often, that one.
    """
    low, high = 0.01, 4.0
    best = (low, score(feeds, replace(policy, budget=low)))
    for _ in range(_HALVINGS):
        budget = (low * high) ** 0.5
        result = score(feeds, replace(policy, budget=budget))
        if result.per_feed <= per_feed:
            low, best = budget, (budget, result)
        else:
            high = budget
    return best


def print_synthetic(feeds_by_kind: dict[str, list[list[float]]]) -> None:
    """The defaults on feeds of one kind, then predictive at the requests of each peer."""
    # At most a day and an hour, so that a day's minute can be met a day later and not sooner.
    ours_for = {"linear": PREDICTIVE, "rate": replace(SLOWER, maximum=25 * HOUR)}
    peers = {"linear": LINEAR, "rate": RATE}
    print("\nsynthetic feeds, defaults: requests a day / mean delay in minutes")
    defaults = {
        kind: {name: score(feeds, policy) for name, policy in peers.items()}
        for kind, feeds in feeds_by_kind.items()
    }
    for kind, feeds in feeds_by_kind.items():
        results = {**defaults[kind], "predictive": score(feeds, PREDICTIVE)}
        row = (f"{name} {each.per_feed:6.2f} / {each.mean:6.1f}" for name, each in results.items())
        print(f"  {kind:13}" + "   ".join(row), flush=True)
    print("\npredictive at the requests of a peer on these feeds alone: ratio of mean delays")
    for kind, feeds in feeds_by_kind.items():
        for name, policy in ours_for.items():
            theirs = defaults[kind][name]
            budget, ours = at_most(feeds, policy, theirs.per_feed)
            print(
                f"  {kind:13} {name:7} {ours.mean / theirs.mean:5.2f} at"
                f" {ours.per_feed / theirs.per_feed:.2f} x the requests (budget {budget:.2f})",
                flush=True,
            )


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--feeds", choices=("all", "even", "odd"), default="all")
    parser.add_argument("--every", type=int, default=1, help="only every so many of these")
    parser.add_argument("--whole", action="store_true", help="keep silences of any length")
    parser.add_argument("--processes", type=int, default=os.cpu_count() or 1)
    wanted = parser.parse_args()
    chosen = {"all": slice(None), "even": slice(0, None, 2), "odd": slice(1, None, 2)}
    recorded = traces()
    feeds = recorded[chosen[wanted.feeds]][:: wanted.every]
    print(f"{len(feeds)} of {len(recorded)} recorded feeds")
    if not wanted.whole:
        feeds = [without_long_silences(times) for times in feeds]
    measured = run(feeds, wanted.processes)
    print_ratios(measured)
    print_synthetic(synthetic())


if __name__ == "__main__":
    main()
