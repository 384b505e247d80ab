"""People without a name, where one person alone is answered (C32)."""

from collections.abc import AsyncIterator
from typing import Any

import pytest

from tests.channels.telegram.commands.talk import (
    ADA,
    ANONYMOUS,
    CHANNEL,
    EVE,
    FORUM,
    Talk,
    open_talk,
    person,
)
from wireroom.channels.telegram.commands.roles import Access
from wireroom.store.engine import Database

AS_CHANNEL = person(136817688, "Channel") | {"is_bot": True}
HIDDEN = {"is_anonymous": True}


@pytest.fixture(params=["single-admin", "owner"])
async def talk(request: Any, sqlite_database: Database) -> AsyncIterator[Talk]:
    """Ada runs the bot and leads all three chats."""
    async with open_talk(sqlite_database, access=Access(request.param, {ADA["id"]})) as opened:
        yield opened


async def test_the_only_one_who_hides(talk: Talk) -> None:
    """Is the operator, and is served."""
    talk.telegram.rights[FORUM["id"], ADA["id"]] = HIDDEN
    said = await talk.say(f"/sub {talk.url()}", ANONYMOUS, FORUM, sender_chat=FORUM)

    assert "comes here" in said


@pytest.mark.parametrize(
    ("sender", "sender_chat"),
    [(ANONYMOUS, FORUM), (AS_CHANNEL, CHANNEL)],
    ids=["anonymous admin", "channel"],
)
async def test_somebody_who_may_be_another(
    talk: Talk, sender: dict[str, Any], sender_chat: dict[str, Any]
) -> None:
    """Is told what to do instead, in the topic; nothing is changed."""
    talk.telegram.members[FORUM["id"], EVE["id"]] = "administrator"
    talk.telegram.rights[FORUM["id"], ADA["id"]] = HIDDEN
    talk.telegram.rights[FORUM["id"], EVE["id"]] = HIDDEN
    said = await talk.say(f"/sub {talk.url()}", sender, FORUM, sender_chat=sender_chat, topic=57)

    assert "Write under your own name, or send me /manage -1001 in private." in said
    assert 57 == talk.last.thread
    assert [] == await talk.going()
    assert "" == await talk.say("hello", sender, FORUM, sender_chat=sender_chat)


async def test_in_a_channel(talk: Talk) -> None:
    """The operator hears of it in private; the channel's readers do not."""
    await talk.say("/language de")
    said = await talk.say(f"/sub {talk.url()}", None, CHANNEL)

    assert "/manage @harbournews" in said
    assert "Jemand hat /sub in Harbour News geschrieben" in said
    assert [ADA["id"]] == [each.chat for each in talk.said]


@pytest.mark.parametrize("chat", [FORUM, CHANNEL], ids=["group", "channel"])
async def test_chats_of_strangers(talk: Talk, chat: dict[str, Any]) -> None:
    """Get no answer (TGC-01)."""
    del talk.telegram.members[chat["id"], ADA["id"]]

    assert "" == await talk.say("/start", ANONYMOUS, chat, sender_chat=chat)
