"""The role model, as a table: who it is, where, in which mode, and what they may."""

from typing import Any

import pytest

from wireroom.channels.telegram.commands.incoming import (
    ANONYMOUS_ADMIN,
    Chat,
    Message,
    Person,
    Press,
)
from wireroom.channels.telegram.commands.roles import (
    Access,
    Mode,
    Question,
    Role,
    answered,
    may,
    may_manage_elsewhere,
    role_of,
)

PRIVATE = Chat(7, "private")
GROUP = Chat(-42, "group")
FORUM = Chat(-1001, "supergroup")
CHANNEL = Chat(-1002, "channel")
ADA, EVE = Person(7), Person(66)
HIDDEN = Person(ANONYMOUS_ADMIN)
CHANNEL_BOT = Person(136817688)


def written(chat: Chat, sender: Person | None, sender_chat: Chat | None = None) -> Message:
    return Message(chat, 1, None, sender, sender_chat, "/x")


def pressed(chat: Chat, sender: Person) -> Press:
    return Press("1", sender, chat, 1, None, "x")


@pytest.mark.parametrize(
    ("mode", "event", "expected"),
    [
        ("open", written(PRIVATE, EVE), "manager"),
        ("open", pressed(PRIVATE, EVE), "manager"),
        ("open", written(GROUP, EVE), ("leads", 66)),
        ("open", pressed(FORUM, EVE), ("leads", 66)),
        ("open", written(FORUM, HIDDEN, FORUM), "manager"),
        ("open", written(FORUM, HIDDEN, None), "reader"),
        ("open", written(FORUM, CHANNEL_BOT, CHANNEL), ("is linked", -1002)),
        ("open", written(CHANNEL, None, CHANNEL), "manager"),
        ("open", pressed(CHANNEL, EVE), ("leads", 66)),
        ("open", written(GROUP, None), "reader"),
        ("open", written(GROUP, ADA), "operator"),
        ("owner", written(GROUP, ADA), "operator"),
        ("owner", written(PRIVATE, EVE), "nobody"),
        ("owner", pressed(PRIVATE, EVE), "nobody"),
        ("single-admin", written(CHANNEL, None, CHANNEL), "nobody"),
        ("single-admin", written(FORUM, HIDDEN, FORUM), ("alone hide", 7)),
        ("owner", written(FORUM, HIDDEN, None), "nobody"),
        ("owner", written(FORUM, CHANNEL_BOT, CHANNEL), "nobody"),
        ("single-admin", pressed(CHANNEL, ADA), "operator"),
    ],
)
def test_role_of(mode: Mode, event: Any, expected: Any) -> None:
    """Ada is the operator; everybody else depends on mode and chat (C32)."""
    assert expected == role_of(Access(mode, {7}), event)


@pytest.mark.parametrize(
    ("role", "may_do"),
    [
        ("nobody", []),
        ("reader", ["reader"]),
        ("manager", ["reader", "manager"]),
        ("operator", ["reader", "manager", "operator"]),
    ],
)
def test_higher_roles_may_what_lower_ones_may(role: Role, may_do: list[Role]) -> None:
    """The order of roles."""
    needed: list[Role] = ["reader", "manager", "operator"]

    assert may_do == [each for each in needed if may(role, each)]


@pytest.mark.parametrize(
    ("mode", "sender", "leads", "expected"),
    [
        ("open", EVE, True, True),
        ("open", EVE, False, False),
        ("owner", EVE, True, False),
        ("owner", ADA, False, True),
    ],
)
def test_other_chats(mode: Mode, sender: Person, leads: bool, expected: bool) -> None:
    """From a private chat, by those who lead the other one or run the bot."""
    assert expected == may_manage_elsewhere(Access(mode, {7}), sender, leads=leads)


def test_answers() -> None:
    """Who leads manages, others look; an anonymous admin is the operator or nobody."""
    leads: Question = ("leads", 66)
    hides: Question = ("alone hide", 7)
    assert ("manager", "reader") == (answered(leads, yes=True), answered(leads, yes=False))
    assert ("operator", "nobody") == (answered(hides, yes=True), answered(hides, yes=False))
