"""A bot in mode open, and chats to speak with it in."""

from collections.abc import AsyncIterator

import pytest

from tests.channels.telegram.commands.talk import Talk, open_talk
from wireroom.store.engine import Database


@pytest.fixture
async def talk(sqlite_database: Database) -> AsyncIterator[Talk]:
    """Everybody is answered in their own chat; Ada leads the group, the forum and the channel."""
    async with open_talk(sqlite_database) as opened:
        yield opened
