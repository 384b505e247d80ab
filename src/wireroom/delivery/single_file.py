"""Messages go out in single file while there is no hurry, so that a kill repeats one and not many.

A message is in doubt from its request until its answer is committed: whoever dies in between sends
it again (docs/notes/repeats.md). As long as few destinations have their turn, the next message
waits until none is in doubt. It waits no longer than a quick platform takes: one that is slow to
answer, or a crowd, is gone past, because no chat may hold up another.
"""

import asyncio
import contextlib
from collections import deque
from collections.abc import AsyncIterator
from typing import Final

#: How long a message may be in doubt before others go past it, shared by all who are in the file.
PATIENCE_SECONDS: Final = 0.5
#: With more destinations than these nobody waits: the limits of a token would be out of reach.
FEW: Final = 8


def patience(places: int, most: float = PATIENCE_SECONDS) -> float:
    """Seconds that a message waits for the newest one in doubt, of so many destinations."""
    return most / places if places <= FEW else 0.0


class SingleFile:
    """Who is sending, and who goes next. One for each process that delivers."""

    def __init__(self, patience_seconds: float = PATIENCE_SECONDS) -> None:
        self._most = patience_seconds
        self._places = 0
        self._in_doubt = 0
        self._newest_at = 0.0
        self._waiting: deque[asyncio.Future[None]] = deque()

    @contextlib.asynccontextmanager
    async def place(self) -> AsyncIterator["Place"]:
        """A place for one message, until what became of it is committed."""
        self._places += 1
        taken = Place(self)
        try:
            yield taken
        finally:
            self._places -= 1
            taken.leave()

    async def enter(self) -> None:
        """Wait until no message is in doubt, or the newest one has been for too long."""
        loop = asyncio.get_running_loop()
        seconds = self._newest_at + patience(self._places, self._most) - loop.time()
        if not self._in_doubt or seconds <= 0 or not await self._is_let_in(seconds):
            self._in_doubt += 1
        self._newest_at = loop.time()

    async def _is_let_in(self, seconds: float) -> bool:
        """Whether our turn came in time; then we are counted already."""
        turn: asyncio.Future[None] = asyncio.get_running_loop().create_future()
        self._waiting.append(turn)
        try:
            await asyncio.wait({turn}, timeout=seconds)
        except asyncio.CancelledError:
            if turn.done():
                self.leave()
            raise
        finally:
            with contextlib.suppress(ValueError):
                self._waiting.remove(turn)
        return turn.done()

    def leave(self) -> None:
        self._in_doubt -= 1
        if not self._in_doubt and self._waiting:
            # Counted for the next one at once, or somebody who comes just now would be let in too.
            self._in_doubt += 1
            self._waiting.popleft().set_result(None)


class Place:
    """Of one message; `enter` when its request goes out."""

    def __init__(self, file: SingleFile) -> None:
        self._file = file
        self._has_entered = False

    async def enter(self) -> None:
        """Returns when the request may go. The further forms of a refused message go at once."""
        if not self._has_entered:
            await self._file.enter()
            self._has_entered = True

    def leave(self) -> None:
        if self._has_entered:
            self._has_entered = False
            self._file.leave()
