"""One message is in doubt at a time, unless it takes long or many are waiting."""

import asyncio
import contextlib
from collections.abc import AsyncIterator, Callable

import pytest

from wireroom.delivery.single_file import FEW, PATIENCE_SECONDS, SingleFile, patience

#: So long that a test which waited for it would fail by its own bound.
_FOREVER = 1_000.0


@pytest.fixture
def file() -> SingleFile:
    """A file in which nobody is gone past."""
    return SingleFile(_FOREVER)


@contextlib.asynccontextmanager
async def sent_by(
    file: SingleFile, name: str, log: list[str]
) -> AsyncIterator[Callable[[], None]]:
    """A message under way in a task of its own; what is given ends it."""
    answered = asyncio.Event()

    async def send() -> None:
        async with file.place() as place:
            await place.enter()
            log.append(f"{name} begins")
            await answered.wait()
            log.append(f"{name} ends")

    task = asyncio.create_task(send())
    await settled()
    yield answered.set
    answered.set()
    if not task.cancelled():
        await asyncio.wait_for(task, 5)


async def settled() -> None:
    for _ in range(5):
        await asyncio.sleep(0)


async def test_the_next_begins_when_the_last_is_written_down(file: SingleFile) -> None:
    """In the order in which they came."""
    log: list[str] = []
    async with (
        sent_by(file, "a", log) as end_a,
        sent_by(file, "b", log) as end_b,
        sent_by(file, "c", log),
    ):
        assert ["a begins"] == log
        end_a()
        await settled()
        assert ["a begins", "a ends", "b begins"] == log
        end_b()
        await settled()
        assert ["b ends", "c begins"] == log[3:]


async def test_who_comes_while_one_is_let_in_waits_as_well(file: SingleFile) -> None:
    """The place is taken from the moment on at which it is given, not when its task runs."""
    async with file.place() as first, file.place() as second, file.place() as third:
        await first.enter()
        waiting = asyncio.create_task(second.enter())
        await settled()
        first.leave()
        late = asyncio.create_task(third.enter())
        await settled()

        assert (True, False) == (waiting.done(), late.done())
        second.leave()
        await asyncio.wait_for(late, 5)


async def test_who_takes_long_is_gone_past() -> None:
    """A chat that never answers holds up nobody for longer than the patience."""
    file = SingleFile(0.02)
    async with file.place() as stuck, file.place() as other:
        await stuck.enter()
        await asyncio.wait_for(other.enter(), 5)


async def test_who_took_long_already_is_not_waited_for() -> None:
    """The patience counts from the newest message's beginning, so each holds up others once."""
    file = SingleFile(_FOREVER)
    async with file.place() as stuck, file.place() as other:
        await stuck.enter()
        file._newest_at -= _FOREVER
        await asyncio.wait_for(other.enter(), 5)


async def test_a_crowd_does_not_wait(file: SingleFile) -> None:
    """With many destinations the pace of the platforms is all that holds a message up."""
    async with contextlib.AsyncExitStack() as stack:
        places = [await stack.enter_async_context(file.place()) for _ in range(FEW + 1)]
        for place in places:
            await asyncio.wait_for(place.enter(), 5)


async def test_a_message_that_is_given_up_leaves_the_file(file: SingleFile) -> None:
    """Cancelled while it waits, and cancelled just when it was let in."""
    async with file.place() as first:
        await first.enter()
        given_up, let_in = (asyncio.create_task(_sends(file)) for _ in range(2))
        await settled()
        given_up.cancel()
        await settled()
        first.leave()
        let_in.cancel()
        await asyncio.wait({given_up, let_in})
    async with file.place() as last:
        await asyncio.wait_for(last.enter(), 5)


async def _sends(file: SingleFile) -> None:
    async with file.place() as place:
        await place.enter()


async def test_a_message_waits_once(file: SingleFile) -> None:
    """Its further forms, after a refusal, go at once."""
    async with file.place() as place:
        await place.enter()
        await asyncio.wait_for(place.enter(), 5)


@pytest.mark.parametrize(
    ("places", "seconds"), [(1, 0.5), (2, 0.25), (5, 0.1), (FEW, 0.0625), (FEW + 1, 0)]
)
def test_the_patience_is_shared(places: int, seconds: float) -> None:
    """Whoever is last in a full file waits no longer than a half second for all before it."""
    assert seconds == patience(places)
    assert places * seconds <= PATIENCE_SECONDS
