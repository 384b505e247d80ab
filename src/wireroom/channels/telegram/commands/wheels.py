"""The wheels that turn on pressed buttons until we answer: each is stopped once, and soon.

An answer can bring a line that is shown over the chat. So whoever deals with a press may find one
out first; but after a moment the wheel stops by itself, however long the press waits for its turn.
"""

import asyncio
import contextlib
from collections.abc import AsyncIterator
from typing import Final

import structlog

from wireroom.channels.telegram.api import Api, TelegramError
from wireroom.channels.telegram.commands import splitting

log = structlog.get_logger(__name__)

#: A wheel that turns for longer than this looks broken.
PATIENCE_SECONDS: Final = 1.0
#: Characters of the line over the chat.
LONGEST_NOTE: Final = 200


class Wheels:
    """All wheels that turn just now, by the press that began them."""

    def __init__(self, api: Api, patience: float = PATIENCE_SECONDS) -> None:
        self._api = api
        self._patience = patience
        #: What stops each wheel that turns, and what tells Telegram about those that stopped.
        self._clocks: dict[str, asyncio.TimerHandle] = {}
        self._answers: dict[str, asyncio.Task[None]] = {}

    @contextlib.asynccontextmanager
    async def turning(self, press_id: str) -> AsyncIterator[None]:
        """Until the end of this the press is dealt with; at the latest then its wheel stops."""
        loop = asyncio.get_running_loop()
        self._clocks[press_id] = loop.call_later(self._patience, self.stop, press_id)
        try:
            yield
        finally:
            self.stop(press_id)
            if answer := self._answers.pop(press_id, None):
                await answer

    def is_turning(self, press_id: str) -> bool:
        return press_id in self._clocks

    def stop(self, press_id: str, note: str = "", *, alert: bool = False) -> None:
        """Answer at once, beside what else is done; later answers to a press are none."""
        clock = self._clocks.pop(press_id, None)
        if clock is None:
            return
        clock.cancel()
        self._answers[press_id] = asyncio.create_task(self._answer(press_id, note, alert=alert))

    async def _answer(self, press_id: str, note: str, *, alert: bool) -> None:
        """Too late is as good as done."""
        try:
            await self._api.call(
                "answerCallbackQuery",
                callback_query_id=press_id,
                text=splitting.cut(note, LONGEST_NOTE) if note else None,
                show_alert=alert or None,
            )
        except TelegramError as error:
            log.debug("press not acknowledged", reason=str(error))
