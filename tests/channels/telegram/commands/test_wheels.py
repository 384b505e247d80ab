"""Pressed buttons: answered at once, whatever else goes on (TGC-38)."""

import asyncio
from typing import Any, cast

import pytest

from tests.channels.telegram.commands.talk import (
    ADA,
    GROUP,
    PATIENCE_SECONDS,
    Talk,
    open_talk,
    private,
)
from wireroom.channels.telegram.api import Api, TelegramError
from wireroom.channels.telegram.commands.wheels import Wheels
from wireroom.store.engine import Database

HOUR_SECONDS = 3600.0


class Recorder:
    """A Bot API that writes down what it is told, and refuses if it shall."""

    def __init__(self, *, refuses: bool = False) -> None:
        self.told: list[tuple[str, str | None, bool | None]] = []
        self.answered = asyncio.Event()
        self._refuses = refuses

    async def call(self, method: str, **values: Any) -> None:
        assert method == "answerCallbackQuery"
        self.told.append((values["callback_query_id"], values["text"], values["show_alert"]))
        self.answered.set()
        if self._refuses:
            raise TelegramError("query is too old")


def wheels(api: Recorder, patience: float = HOUR_SECONDS) -> Wheels:
    return Wheels(cast("Api", api), patience)


class TestWheels:
    async def test_stopped_once(self) -> None:
        """The first answer counts, with its line."""
        api = Recorder()
        turning = wheels(api)
        async with turning.turning("a"):
            assert turning.is_turning("a")
            turning.stop("a", "x" * 300, alert=True)
            turning.stop("a", "too late")
            assert not turning.is_turning("a")
        (told,) = api.told
        assert ("a", 200, True) == (told[0], len(told[1] or ""), told[2])

    async def test_by_itself(self) -> None:
        """It stops while the work is still under way."""
        api = Recorder()
        turning = wheels(api, 0)
        async with turning.turning("a"), asyncio.timeout(PATIENCE_SECONDS):
            await api.answered.wait()
            assert not turning.is_turning("a")
        assert [("a", None, None)] == api.told

    async def test_at_the_end(self) -> None:
        """Work that breaks off leaves no wheel behind."""
        api = Recorder()
        with pytest.raises(KeyError):
            async with wheels(api).turning("a"):
                raise KeyError
        assert [("a", None, None)] == api.told

    async def test_too_late(self) -> None:
        """What Telegram says to a late answer is nobody's concern."""
        api = Recorder(refuses=True)
        async with wheels(api).turning("a"):
            pass
        assert 1 == len(api.told)


class TestPresses:
    async def test_before_the_edit(self, sqlite_database: Database) -> None:
        """A menu that Telegram is slow to change has stopped its wheel all the same."""
        async with open_talk(sqlite_database, press_seconds=HOUR_SECONDS) as talk:
            await talk.say("/help")
            self.hold(talk, answers=1)
            assert "/sub" in await talk.press("Feeds")

    async def test_in_a_queue(self, sqlite_database: Database) -> None:
        """In a group, whoever waits behind somebody else's press has no wheel either."""
        async with open_talk(sqlite_database, press_seconds=0) as talk:
            await talk.say("/help", chat=GROUP)
            self.hold(talk, answers=2)
            talk.telegram.press(talk.last, "Feeds", sender=ADA)
            await talk.press("Feeds")
            assert 2 == len(talk.telegram.answered_callbacks)

    async def test_complaint_afterwards(self, sqlite_database: Database) -> None:
        """What is found out when the wheel has stopped is said as a message."""
        async with open_talk(sqlite_database, press_seconds=0) as talk:
            await talk.say("/help")
            assert "not here any more" in await talk.press("", data="menu.999")
            assert "" == talk.note
            assert private(ADA)["id"] == talk.last.chat

    @staticmethod
    def hold(talk: Talk, *, answers: int) -> None:
        answered = talk.telegram.answered_callbacks
        talk.telegram.hold_next(lambda: len(answered) >= answers, method="editMessageText")
