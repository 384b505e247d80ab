"""Bounds of polling that change while Wireroom runs."""

import asyncio
from dataclasses import replace
from datetime import timedelta
from pathlib import Path
from types import SimpleNamespace
from typing import Any

from wireroom import reloading
from wireroom.errors import SettingsError
from wireroom.fetching.request import FetchLimits
from wireroom.polling.policies import WIREROOM
from wireroom.polling.tools import Pace
from wireroom.settings import Settings, read
from wireroom.store.bell import Bell

HOUR = timedelta(hours=1)


def room() -> Any:
    client = SimpleNamespace(limits=FetchLimits())
    polling = SimpleNamespace(policy=WIREROOM, pace=Pace(), verbatim=False, client=client)
    return SimpleNamespace(polling=polling, bell=Bell())


def test_intervals_are_read_again() -> None:
    """What the settings say by now holds for the next decision, and nothing is restarted."""
    opened = room()
    reloading.reload_bounds(opened, lambda: Settings(poll_interval_max=HOUR))

    assert replace(WIREROOM, maximum=HOUR) == opened.polling.policy


def test_width_tick_and_patience_are_read_again() -> None:
    """How many hosts are asked, how often the loop looks and how long it waits; the loop, which
    may sleep for an old tick, is woken."""
    opened, new = room(), timedelta(seconds=3)
    settings = Settings(
        poll_concurrency=7,
        poll_tick=new,
        fetch_spacing=new,
        fetch_patience=new,
        fetch_timeout=HOUR,
        max_body_bytes=1000,
        verbatim_validators=True,
    )
    reloading.reload_bounds(opened, lambda: settings)

    polling, limits = opened.polling, opened.polling.client.limits
    assert Pace(7, tick=new, spacing=new) == polling.pace
    assert (new, HOUR, 1000, 1000) == (
        limits.operation,
        limits.total,
        limits.wire_bytes,
        limits.body_bytes,
    )
    assert (True, 1) == (polling.verbatim, opened.bell.rings)


def test_settings_that_cannot_be_used_change_nothing() -> None:
    """A slip in the file must not stop polling, or loosen its bounds."""

    def slip() -> Settings:
        raise SettingsError("WIREROOM_POLL_INTERVAL_MAX='soon' is not a duration.")

    opened = room()
    reloading.reload_bounds(opened, slip)

    assert (WIREROOM, Pace()) == (opened.polling.policy, opened.polling.pace)


async def test_a_changed_file_is_read_again(tmp_path: Path) -> None:
    """Bounds that an operator writes into `.env` hold without a restart or a signal (SCH-14)."""
    opened, file = room(), tmp_path / ".env"

    def reread() -> Settings:
        return read({}, dotenv=file)

    soon = timedelta(seconds=0.01)
    following = asyncio.create_task(reloading.follow_file(opened, reread, file, every=soon))
    await asyncio.sleep(0)  # it has seen that there is none
    held = []
    for line in ("WIREROOM_POLL_INTERVAL_MAX=1h", "WIREROOM_POLL_INTERVAL_MAX=120m  # two"):
        before = opened.polling.policy
        file.write_text(line)
        async with asyncio.timeout(30):
            while opened.polling.policy is before:  # noqa: ASYNC110 - the file is looked at
                await asyncio.sleep(0.01)
        held.append(opened.polling.policy.maximum)
    following.cancel()

    assert [HOUR, 2 * HOUR] == held
