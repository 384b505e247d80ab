"""Who leads a chat, asked of Telegram and remembered for a few minutes."""

from collections.abc import Callable, Sequence
from datetime import datetime, timedelta
from typing import Any, Final

from wireroom.channels.telegram.api import Api, Refused
from wireroom.channels.telegram.commands import roles
from wireroom.channels.telegram.commands.roles import Question

#: A demoted admin may go on for so long where Telegram does not tell us of it.
MEMORY: Final = timedelta(minutes=5)
_MOST: Final = 10_000


class Leaders:
    """Answers to the questions of `roles`. Raises TelegramError where Telegram does not answer."""

    def __init__(self, api: Api, now: Callable[[], datetime]) -> None:
        self._api = api
        self._now = now
        self._known: dict[tuple[int, Question], tuple[bool, datetime]] = {}

    async def is_so(self, chat: int, question: Question) -> bool:
        known = self._known.get((chat, question))
        if known is not None and self._now() - known[1] < MEMORY:
            return known[0]
        answer = await self._ask(chat, question)
        if len(self._known) >= _MOST:
            self._known.clear()
        self._known[chat, question] = (answer, self._now())
        return answer

    def forget(self, chat: int) -> None:
        """Somebody rose or fell there."""
        self._known = {key: value for key, value in self._known.items() if key[0] != chat}

    async def _ask(self, chat: int, question: Question) -> bool:
        what, *numbers = question
        try:
            if what == "leads":
                return await self._leads(chat, numbers[0])
            if what == "alone hide":
                return await self._alone_hide(chat, numbers)
            found = await self._api.call("getChat", chat_id=chat)
        except Refused:  # nobody there, or we may not look
            return False
        return bool(_field(found, "linked_chat_id") == numbers[0])

    async def _alone_hide(self, chat: int, users: Sequence[int]) -> bool:
        leaders = await self._api.call("getChatAdministrators", chat_id=chat)
        hidden = [each for each in leaders if _field(each, "is_anonymous")]
        return bool(hidden) and all(_field(_field(each, "user"), "id") in users for each in hidden)

    async def _leads(self, chat: int, user: int) -> bool:
        """By the list of admins where we may not ask for the person: we lead nothing there."""
        try:
            member = await self._api.call("getChatMember", chat_id=chat, user_id=user)
        except Refused:
            leaders = await self._api.call("getChatAdministrators", chat_id=chat)
            return any(_field(_field(each, "user"), "id") == user for each in leaders)
        return _field(member, "status") in roles.LEADERS


def _field(answer: Any, name: str) -> Any:
    return answer.get(name) if isinstance(answer, dict) else None
