"""The table of commands, the menus made of it, and the page that explains it."""

import re
from collections import Counter
from pathlib import Path
from types import SimpleNamespace
from typing import cast

import pytest

from tests.channels.telegram.commands.talk import Talk
from tests.servers.telegram import FakeTelegram
from wireroom.catalogue import LANGUAGES
from wireroom.channels.telegram.api import Api
from wireroom.channels.telegram.commands import menu, preferences
from wireroom.channels.telegram.commands.desk import Desk
from wireroom.channels.telegram.commands.roles import Access
from wireroom.channels.telegram.commands.table import TABLE
from wireroom.delivery import wishlist

_PAGE = Path(__file__).resolve().parents[4] / "docs/telegram.md"


def test_every_command_is_on_the_page() -> None:
    """docs/telegram.md names every command by all its names, and none that is not there."""
    named = set(re.findall(r"`/([a-z_]+)", _PAGE.read_text()))

    assert set(TABLE.commands) == named


@pytest.mark.parametrize("language", LANGUAGES)
def test_menus_fit(language: str) -> None:
    """At most a hundred commands, with names and words that Telegram takes."""
    entries = menu.entries(TABLE, "operator", private=True, language=language)  # type: ignore[arg-type]

    assert len(entries) <= 100
    for each in entries:
        assert re.fullmatch(r"[a-z0-9_]{1,32}", each["command"])
        assert 1 <= len(each["description"]) <= 256


def test_readers_are_shown_what_they_may() -> None:
    """In groups members see no command that only admins may give."""
    names = {
        each["command"] for each in menu.entries(TABLE, "reader", private=False, language="en")
    }

    assert {"help", "list", "search", "status", "why"} <= names
    assert not names & {"sub", "del", "settings", "info"}


async def test_telegram_is_given_all_menus(talk: Talk) -> None:
    """For each kind of chat, in each language."""
    await talk.say("/start")

    assert {
        f"{scope}:{language}"
        for scope in (
            "default",
            "all_private_chats",
            "all_group_chats",
            "all_chat_administrators",
        )
        for language in ("", "de")
    } == set(talk.telegram.commands)
    german = talk.telegram.commands["all_private_chats:de"]
    assert "alle Befehle" in [each["description"] for each in german]


def test_preferences_are_wishes() -> None:
    """Whatever a button offers, delivery knows and takes."""
    for each in preferences.PREFERENCES:
        assert each.name in wishlist.WISHES
        for choice in each.choices:
            wishlist.check(each.name, choice)


class TestIntroduction:
    """What Telegram is told of us, and only what it does not know yet."""

    async def introduced(self, telegram: FakeTelegram) -> list[str]:
        """What was set; whoever starts the program makes it so."""
        before = len(telegram.requests)
        async with Api(telegram.token, base_url=telegram.base_url) as api:
            desk = SimpleNamespace(api=api, table=TABLE, access=Access("open", {7}))
            await menu.introduce(cast("Desk", desk))
        return [method for method, _ in telegram.requests[before:] if method.startswith("set")]

    async def test_a_restart_sets_nothing(self) -> None:
        """Menus and descriptions in both languages, once."""
        async with FakeTelegram() as telegram:
            first = await self.introduced(telegram)
            again = await self.introduced(telegram)

            assert {"setmycommands": 10, "setmydescription": 2, "setmyshortdescription": 2} == (
                Counter(first)
            )
            assert [] == again
            assert "Ich bringe Neues" in telegram.descriptions["description:de"]
            assert telegram.descriptions["short_description:"].startswith("News of web sites")

    async def test_what_changed_is_set(self) -> None:
        """One menu that differs is one call."""
        async with FakeTelegram() as telegram:
            await self.introduced(telegram)
            telegram.commands["all_group_chats:de"].pop()
            telegram.descriptions["description:de"] = ""

            assert ["setmycommands", "setmydescription"] == await self.introduced(telegram)

    async def test_the_operators_own_words_stay(self) -> None:
        """Whoever described the bot at BotFather meant it."""
        async with FakeTelegram() as telegram:
            telegram.descriptions["description:"] = "The harbour's own bot"
            await self.introduced(telegram)

            assert "The harbour's own bot" == telegram.descriptions["description:"]

    async def test_a_server_that_does_not_know_them(self) -> None:
        """Is served all the same."""
        async with FakeTelegram() as telegram:
            telegram.unknown_methods = {"getmydescription", "getmycommands"}

            assert [] == await self.introduced(telegram)
