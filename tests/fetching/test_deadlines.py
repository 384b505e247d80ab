"""Many bounds in time kept by one timer do what `asyncio.timeout` does."""

import asyncio
from collections.abc import AsyncIterator

import pytest

from wireroom.fetching.deadlines import Deadlines


@pytest.fixture
async def deadlines() -> AsyncIterator[Deadlines]:
    kept = Deadlines()
    yield kept
    kept.close()


async def test_a_block_that_takes_too_long_is_ended(deadlines: Deadlines) -> None:
    """Whichever was begun first, each ends at its own time, also after the timer rang in vain."""
    ended = []

    async def wait(name: str, seconds: float) -> None:
        with pytest.raises(TimeoutError), deadlines.within(seconds):
            await asyncio.sleep(30)
        ended.append(name)

    async with asyncio.timeout(20):
        with deadlines.within(0.01):  # sets the timer, and is over before it rings
            pass
        await asyncio.gather(wait("late", 0.3), wait("early", 0.1))

    assert ["early", "late"] == ended


async def test_a_block_that_ends_in_time_is_left_alone(deadlines: Deadlines) -> None:
    """What comes behind it is not cancelled, and errors pass through it as they are."""
    with deadlines.within(0.02):
        pass
    with pytest.raises(ValueError, match="ours"), deadlines.within(0.02):
        raise ValueError("ours")
    await asyncio.sleep(0.1)

    current = asyncio.current_task()
    assert current is not None
    assert 0 == current.cancelling()


async def test_a_cancelled_task_stays_cancelled(deadlines: Deadlines) -> None:
    """A cancellation from outside is none of ours, also at the moment when the time is over."""

    async def work(seconds: float) -> None:
        with deadlines.within(seconds):
            await asyncio.sleep(30)

    for seconds in (0.0, 30.0):
        task = asyncio.create_task(work(seconds))
        await asyncio.sleep(0)
        task.cancel()
        with pytest.raises(asyncio.CancelledError):
            await task
