"""A bell in the wire room: tells waiting loops of this process that there is something new.

It carries no content: whoever wakes looks into the database, so a missed or a needless ring costs
a
query and never an entry. Loops also wake by themselves after a while, because another process may
have written.
"""

import asyncio


class Bell:
    """Rung by whoever committed something; waited for by any number of tasks of one event loop."""

    def __init__(self) -> None:
        self._rings = 0
        self._rung = asyncio.Event()

    @property
    def rings(self) -> int:
        """How often it has rung; pass it to `wait` so that no ring in between is missed."""
        return self._rings

    def ring(self) -> None:
        """Wake everyone. Call it from the event loop, after the commit."""
        self._rings += 1
        self._rung.set()
        self._rung = asyncio.Event()

    async def wait(self, heard: int, timeout_seconds: float) -> int:
        """Return at the first ring after `heard`, or after the timeout; gives the new count."""
        if self._rings == heard:
            rung = self._rung
            try:
                async with asyncio.timeout(timeout_seconds):
                    await rung.wait()
            except TimeoutError:
                pass
        return self._rings
