"""Bounds in time for many things at once, kept by one timer.

`asyncio.timeout` sets a timer and cancels it again; around a request that is answered 304 this is
a twentieth of a poll's whole CPU. Here the timer is set for the first that can run out, and looks
around when it rings; nearly all have ended by then. One that ends costs a dictionary's entry.
"""

import asyncio
from types import TracebackType


class Deadlines:
    """Belongs to one event loop."""

    def __init__(self) -> None:
        self._running: dict[Within, float] = {}
        self._timer: asyncio.TimerHandle | None = None
        self._rings_at = 0.0

    def within(self, seconds: float) -> "Within":
        """As `asyncio.timeout`: the block is cancelled when its time is over, and the
        cancellation becomes a TimeoutError where it ends. It is entered without `async`."""
        return Within(self, seconds)

    def add(self, block: "Within", loop: asyncio.AbstractEventLoop, seconds: float) -> None:
        ends_at = self._running[block] = loop.time() + seconds
        if self._timer is None or ends_at < self._rings_at:
            self._set(loop, ends_at)

    def remove(self, block: "Within") -> None:
        self._running.pop(block, None)
        if not self._running:  # a loop that has nothing to do has no timer either
            self.close()

    def close(self) -> None:
        if self._timer is not None:
            self._timer.cancel()
            self._timer = None

    def _set(self, loop: asyncio.AbstractEventLoop, at: float) -> None:
        self.close()
        self._rings_at = at
        self._timer = loop.call_at(at, self._ring, loop)

    def _ring(self, loop: asyncio.AbstractEventLoop) -> None:
        self._timer, now = None, loop.time()
        for block in [block for block, ends_at in self._running.items() if ends_at <= now]:
            self.remove(block)
            block.run_out()
        if self._running:
            self._set(loop, min(self._running.values()))


class Within:
    """One block; made by `Deadlines.within`."""

    __slots__ = ("_cancelled_before", "_deadlines", "_has_run_out", "_seconds", "_task")

    def __init__(self, deadlines: Deadlines, seconds: float) -> None:
        self._deadlines = deadlines
        self._seconds = seconds
        self._has_run_out = False

    def __enter__(self) -> None:
        task = asyncio.current_task()
        assert task is not None, "only a task can be cancelled"
        self._task = task
        self._cancelled_before = task.cancelling()
        self._deadlines.add(self, task.get_loop(), self._seconds)

    def run_out(self) -> None:
        self._has_run_out = True
        self._task.cancel()

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        traceback: TracebackType | None,
    ) -> None:
        self._deadlines.remove(self)
        # Somebody else may have cancelled the task as well: then it is cancelled.
        if (
            self._has_run_out
            and self._task.uncancel() <= self._cancelled_before
            and isinstance(error, asyncio.CancelledError)
        ):
            raise TimeoutError from error
