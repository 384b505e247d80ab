"""Updates on their way to being dealt with: each once, those of a chat in order, over restarts.

An update is in the store before Telegram may forget it. Whoever is killed while dealing with one
deals with it again at the next start; commands can bear that.
"""

import asyncio
from collections.abc import Awaitable, Callable, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import timedelta
from typing import Any, Final

import structlog

from wireroom.channels.telegram.commands import incoming
from wireroom.channels.telegram.commands.desk import Desk
from wireroom.channels.telegram.commands.incoming import Event, Message, Press
from wireroom.errors import StoreError
from wireroom.store import chats, updates

log = structlog.get_logger(__name__)

#: Conversations that go on at the same time.
AT_ONCE: Final = 64
#: Telegram repeats an update for a day; marks are kept for longer than that, and for less than the
#: week after which it may number from anywhere.
MARK_LIFE: Final = timedelta(days=2)
MEMO_LIFE: Final = timedelta(days=7)
_CLEAN_EVERY_SECONDS: Final = 3600.0

Handle = Callable[[Desk, Event], Awaitable[None]]
Lane = tuple[int, bool]


@dataclass(slots=True)
class _Queue:
    """Updates that wait for each other, the one that is dealt with included."""

    turn: asyncio.Lock = field(default_factory=asyncio.Lock)
    length: int = 0


class Inbox:
    """Takes updates and has them dealt with. `async with` waits for those under way."""

    def __init__(self, desk: Desk, handle: Handle) -> None:
        self._desk = desk
        self._bot_id = desk.api.bot_id
        self._handle = handle
        self._free = asyncio.Semaphore(AT_ONCE)
        self._lanes: dict[Lane, _Queue] = {}
        self._running: set[asyncio.Task[None]] = set()
        self._under_way: set[int] = set()
        self._finished: list[int] = []
        self._writing = asyncio.Lock()

    async def take(self, bodies: Sequence[Mapping[str, Any]]) -> None:
        """Keep updates and begin with those that are new; returns once they are kept."""
        by_id = {each["update_id"]: each for each in bodies if _has_id(each)}
        if not by_id:
            return
        new = await self._desk.database.write(updates.keep, self._bot_id, by_id)
        for update_id in new:
            self._begin(update_id, by_id[update_id])

    async def take_up(self) -> None:
        """Begin with what lies unfinished in the store: others kept it, or left it."""
        left = await self._desk.database.read(updates.unfinished, self._bot_id)
        for update_id, body in left.items():
            if update_id not in self._under_way:
                self._begin(update_id, body)

    async def settled(self) -> None:
        """Wait until everything that was taken is dealt with."""
        while self._running:
            await asyncio.gather(*self._running, return_exceptions=True)

    async def clean_forever(self) -> None:
        """Throw away marks and questions that are too old to matter."""
        while True:
            now = self._desk.now()
            database = self._desk.database
            await database.write(updates.forget_finished, self._bot_id, now - MARK_LIFE)
            await database.write(chats.drop_old_memos, now - MEMO_LIFE)
            await asyncio.sleep(_CLEAN_EVERY_SECONDS)

    # -- one update -----------------------------------------------------------------------------

    def _begin(self, update_id: int, body: Mapping[str, Any]) -> None:
        self._under_way.add(update_id)
        task = asyncio.create_task(self._deal_with(update_id, body), name=f"update {update_id}")
        self._running.add(task)
        task.add_done_callback(self._running.discard)

    async def _deal_with(self, update_id: int, body: Mapping[str, Any]) -> None:
        try:
            event = incoming.read(body, self._bot_id)
            if event is not None:
                await self._answered(event)
        except Exception:  # one odd update must not stop those behind it
            log.exception("telegram update not dealt with", update=update_id)
        await self._write_down(update_id)

    async def _answered(self, event: Event) -> None:
        """What was pressed shows a wheel only for a moment, however many are before it."""
        if isinstance(event, Press):
            async with self._desk.wheels.turning(event.id):
                await self._in_its_turn(event)
        else:
            await self._in_its_turn(event)

    async def _in_its_turn(self, event: Event) -> None:
        """One after the other in each chat; buttons do not wait for commands that take longer."""
        name = _lane(event)
        lane = self._lanes.setdefault(name, _Queue())
        lane.length += 1
        try:
            async with lane.turn, self._free:
                await self._handle(self._desk, event)
        finally:
            lane.length -= 1
            if not lane.length:
                self._lanes.pop(name, None)

    async def _write_down(self, update_id: int) -> None:
        """Note what is done; updates that end at the same time share a transaction."""
        self._finished.append(update_id)
        async with self._writing:
            done, self._finished = self._finished, []
            if not done:  # somebody else's transaction took it along
                return
            now = self._desk.now()
            try:
                await self._desk.database.write(
                    lambda connection: updates.finish(connection, self._bot_id, done, now=now)
                )
            except StoreError as error:  # then they are dealt with once more after a restart
                log.warning("telegram updates not written down", reason=str(error))
                return
            self._under_way.difference_update(done)


def _lane(event: Event) -> Lane:
    if isinstance(event, Press):
        return event.chat.id, True
    return (event.chat.id, False) if isinstance(event, Message) else (0, False)


def _has_id(body: Mapping[str, Any]) -> bool:
    return isinstance(body, dict) and isinstance(body.get("update_id"), int)
