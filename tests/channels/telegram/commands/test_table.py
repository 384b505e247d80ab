"""The table of commands, the menus made of it, and the page that explains it."""

import re
from pathlib import Path

import pytest

from tests.channels.telegram.commands.talk import Talk
from wireroom.catalogue import LANGUAGES
from wireroom.channels.telegram.commands import menu, preferences
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
