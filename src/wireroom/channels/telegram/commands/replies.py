"""Answers to people: within Telegram's limits, ahead of the news, and never lost to a flood.

Answers share the news' rhythm, so that both together stay within it, but go first: somebody waits.
What changes or takes away a message of ours is no new one, and waits only where Telegram said so.
"""

import asyncio
from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any, Final

import structlog

from wireroom.channels.telegram.api import (
    Api,
    ChatMoved,
    Flooded,
    Refused,
    Unreachable,
    upload,
)
from wireroom.channels.telegram.commands import buttons, splitting
from wireroom.channels.telegram.commands.buttons import Row
from wireroom.delivery.pace import Pace

log = structlog.get_logger(__name__)

#: Whoever waits longer than this for an answer has gone elsewhere.
LONGEST_FLOOD: Final = timedelta(minutes=2)
#: Tries of one answer, floods and lost connections together.
MOST_TRIES: Final = 4
_PAUSE_SECONDS: Final = 2.0
_NO_PREVIEW: Final = {"is_disabled": True}


@dataclass(frozen=True, slots=True)
class Place:
    """Where an answer goes: a chat, its topic, and the message that it replies to."""

    chat: int
    topic: int | None = None
    reply_to: int | None = None


class Replies:
    """Sends and edits our side of conversations.

    What Telegram does not answer to is logged and given up; what it refuses is the caller's.
    """

    def __init__(
        self,
        api: Api,
        rhythm: Pace,
        now: Callable[[], datetime],
        sleep: Callable[[float], Awaitable[None]] = asyncio.sleep,
    ) -> None:
        self._api = api
        self._rhythm = rhythm
        self._now = now
        self._sleep = sleep

    async def say(
        self,
        place: Place,
        lines: Sequence[str],
        *,
        rows: Sequence[Row] = (),
        markup: dict[str, Any] | None = None,
    ) -> int | None:
        """Send lines of HTML in as many messages as they need; buttons under the last one.

        Gives the last message's id, or None when it could not be sent. Raises Refused when the
        chat does not take messages from us.
        """
        sent = None
        texts = splitting.messages(lines)
        for number, text in enumerate(texts):
            is_last = number == len(texts) - 1
            keyboard = markup or (buttons.keyboard(rows) if rows else None)
            sent = await self._send(place, text, keyboard if is_last else None)
        return sent

    async def _send(self, place: Place, text: str, markup: dict[str, Any] | None) -> int | None:
        reply_to = place.reply_to and {
            "message_id": place.reply_to,
            "allow_sending_without_reply": True,
        }
        result = await self._patiently(
            "sendMessage",
            chat_id=place.chat,
            message_thread_id=place.topic,
            text=text,
            parse_mode="HTML",
            link_preview_options=_NO_PREVIEW,
            reply_parameters=reply_to,
            reply_markup=markup,
        )
        return result.get("message_id") if isinstance(result, dict) else None

    async def edit(
        self, chat: int, message_id: int, lines: Sequence[str], rows: Sequence[Row] = ()
    ) -> bool:
        """Put another text and other buttons in place of a message of ours; False if it is gone.

        What does not fit into one message is cut at a line.
        """
        try:
            await self._patiently(
                "editMessageText",
                chat_id=chat,
                message_id=message_id,
                text=splitting.messages(lines)[0],
                parse_mode="HTML",
                link_preview_options=_NO_PREVIEW,
                reply_markup=buttons.keyboard(rows),
            )
        except Refused as refused:
            if refused.remedy != "done":
                log.info("telegram message not edited", reason=str(refused))
            return refused.remedy == "done"
        return True

    async def set_buttons(self, chat: int, message_id: int, rows: Sequence[Row]) -> None:
        """Other buttons under a message that stays."""
        try:
            await self._patiently(
                "editMessageReplyMarkup",
                chat_id=chat,
                message_id=message_id,
                reply_markup=buttons.keyboard(rows),
            )
        except Refused as refused:
            log.info("telegram buttons not changed", reason=str(refused))

    async def delete(self, chat: int, message_id: int) -> None:
        """Take a message of ours away; after two days only its buttons can be taken."""
        try:
            await self._patiently("deleteMessage", chat_id=chat, message_id=message_id)
        except Refused:
            await self.set_buttons(chat, message_id, ())

    async def send_file(self, place: Place, content: bytes, name: str, caption: str) -> None:
        await self._patiently(
            "sendDocument",
            chat_id=place.chat,
            message_thread_id=place.topic,
            document=upload(content, name),
            caption=caption,
            parse_mode="HTML",
        )

    def _wait(self, method: str, chat: str) -> timedelta:
        if not method.startswith("send"):
            return self._rhythm.silence(chat, self._now())
        return self._rhythm.pressing(chat, self._now(), at_most=LONGEST_FLOOD)

    async def _patiently(self, method: str, *, chat_id: int, **parameters: Any) -> Any:
        """Call until it is answered, as often as is of use. Raises Refused."""
        for _ in range(MOST_TRIES):
            wait = self._wait(method, str(chat_id))
            if wait > LONGEST_FLOOD:
                break
            if wait:
                await self._sleep(wait.total_seconds())
            try:
                return await self._api.call(method, chat_id=chat_id, **parameters)
            except Flooded as flood:
                self._rhythm.learned(str(chat_id), self._now(), flood.after)
            except ChatMoved as moved:
                chat_id = moved.chat
            except Unreachable as error:
                log.info("telegram answer tried again", method=method, reason=str(error))
                await self._sleep(_PAUSE_SECONDS)
            except Refused as refused:
                if refused.remedy == "unreadable":
                    log.exception("telegram cannot read an answer of ours")
                raise
        log.warning("telegram answer given up", method=method, chat=chat_id)
        return None
