"""A world for the real program: publisher, Telegram and Discord on loopback."""

import shutil
from collections.abc import AsyncIterator, Iterator
from dataclasses import dataclass
from pathlib import Path

import pytest

from tests.acceptance.program import Program, Publisher
from tests.acceptance.starter import Starter
from tests.servers.discord import FakeDiscord, Webhook
from tests.servers.telegram import FakeTelegram
from wireroom import records
from wireroom.settings import Settings

CHAT = 4_711


@dataclass
class World:
    """Everything outside, and the program inside."""

    publisher: Publisher
    telegram: FakeTelegram
    discord: FakeDiscord
    webhook: Webhook
    program: Program

    def told_on_telegram(self) -> list[int]:
        """Numbers of the stories that reached the chat, in order."""
        return [_number(text) for text in self.telegram.texts()]

    def told_on_discord(self) -> list[int]:
        """Numbers of the stories that reached the webhook, in order."""
        return [_number(message.embed["title"]) for message in self.discord.messages]

    async def subscribe(self) -> None:
        """Follow the publisher's feed and send it to both places."""
        code, printed = await self.program.command(
            "subscribe",
            self.publisher.feed_url,
            "--to",
            f"telegram:{CHAT}",
            "--to",
            f"discord:https://discord.com/api/webhooks/{self.webhook.id}/{self.webhook.token}",
        )
        assert 0 == code, printed


def _number(text: str) -> int:
    _, _, rest = text.partition("number ")
    return int("".join(character for character in rest[:6] if character.isdigit()))


@pytest.fixture(scope="session")
def migrated(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A database as the first start leaves it: that start takes a second longer than others."""
    chosen = Settings(data_dir=tmp_path_factory.mktemp("migrated"))
    records.open_database(chosen).close()
    return chosen.data_dir / "wireroom.sqlite3"


@pytest.fixture(scope="session")
def starter() -> Iterator[Starter]:
    """What programs are forked from."""
    made = Starter()
    yield made
    made.stop()


@pytest.fixture
def folder(tmp_path: Path, migrated: Path) -> Path:
    """A data folder with that database."""
    shutil.copyfile(migrated, tmp_path / migrated.name)
    return tmp_path


@pytest.fixture
async def world(folder: Path, starter: Starter) -> AsyncIterator[World]:
    """An installation without feeds that polls every second, and everything it talks to."""
    async with (
        Publisher().open() as publisher,
        FakeTelegram() as telegram,
        FakeDiscord() as discord,
    ):
        settings = {
            "ALLOW_HTTP": "on",
            "ALLOW_NETWORKS": "127.0.0.0/8",
            "PROFILE": "el-monitorro",
            "POLL_INTERVAL": "1s",
            "POLL_INTERVAL_MIN": "1s",
            "POLL_TICK": "1s",
            "FETCH_SPACING": "0.1s",
            "TELEGRAM_TOKEN": telegram.token,
            "TELEGRAM_API": telegram.base_url,
            "DISCORD_API": discord.base_url,
        }
        async with Program(folder, settings, starter) as program:
            yield World(publisher, telegram, discord, discord.add_webhook(), program)
