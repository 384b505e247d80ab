"""Tokens for apps, and links to chats, as their pages make them."""

import re

import pytest

from tests.rows import NOON
from tests.web.conftest import Browser
from tests.web.rooms import Outside
from tests.web.visiting import Visitor, fill, led_where
from wireroom import doors
from wireroom.store.doors import Door


def test_tokens_are_shown_once_and_revoked(outside: Outside, owner: Visitor) -> None:
    """Scoped and named; afterwards only their names are to be seen."""
    made = fill(owner, "/settings/tokens", name="Pocket", scopes="read").text
    secret = re.search(r"wr_[\w-]+", made)
    assert secret
    listed = owner.get("/settings/tokens").text
    fill(owner, "/settings/tokens/2/revoke", "/settings/tokens")

    assert "Pocket" in listed
    assert "may only read" in listed
    assert secret[0] not in listed
    assert "Pocket" not in owner.get("/settings/tokens").text


@pytest.mark.parametrize("form", [{"name": ""}, {"name": "Phone", "scopes": "all power"}])
def test_tokens_that_are_not_made(owner: Visitor, form: dict[str, str]) -> None:
    """Without a name or with a scope that is none."""
    assert 422 == fill(owner, "/settings/tokens", **{"scopes": "", **form}).status_code


def test_tokens_of_others_are_unknown(ada: Browser, bob: Browser) -> None:
    """Revoking one is answered like a number that never was."""
    ada.post("/settings/tokens", name="Phone", scopes="")
    answers = [bob.post(f"/settings/tokens/{number}/revoke") for number in (3, 9999)]

    assert [404, 404] == [answer.status_code for answer in answers]


async def test_a_chat_is_linked_by_a_code(outside: Outside, ada: Browser) -> None:
    """Given out here and told to the bot, or the other way round; a wrong one is said to be."""
    chat = Door("telegram", "4711")
    made = ada.post("/settings/links/code").text
    code = re.search(r"/link ([A-Z0-9-]+)", made)
    assert code
    linked = await doors.link(outside.database, chat, code[1], now=NOON)
    group = await doors.open_door(
        outside.database, Door("discord", "99"), name="Harbour", now=NOON
    )
    from_there = await doors.new_code(outside.database, group, now=NOON)
    answer = ada.post("/settings/links", code=from_there)
    again = ada.post("/settings/links", code=from_there)
    page = ada.get("/settings/links").text

    assert ada.account_id == linked
    assert ((303, "/settings/links"), 422) == (led_where(answer), again.status_code)
    assert ("4711" in page, "99" in page) == (True, True)
