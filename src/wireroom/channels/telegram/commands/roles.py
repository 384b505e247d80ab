"""Who may do what where (C32) (pure).

One model, three configurations: the operator alone is answered (`single-admin`, which is RSS Bot,
and `owner`, which is El Monitorro's private mode), or everybody in their own chats and admins in
their groups (`open`).
"""

from collections.abc import Collection
from dataclasses import dataclass
from typing import Final, Literal

from wireroom.channels.telegram.commands.incoming import ANONYMOUS_ADMIN, Message, Person, Press

Mode = Literal["single-admin", "owner", "open"]
MODES: Final = ("single-admin", "owner", "open")

#: nobody: not answered at all. reader: may look. manager: may change what the chat gets.
#: operator: runs this Wireroom.
Role = Literal["nobody", "reader", "manager", "operator"]
_RANK: Final[dict[Role, int]] = {"nobody": 0, "reader": 1, "manager": 2, "operator": 3}

#: Statuses of getChatMember that may manage a chat.
LEADERS: Final = frozenset({"creator", "administrator"})


def may(role: Role, needed: Role) -> bool:
    return _RANK[role] >= _RANK[needed]


@dataclass(frozen=True, slots=True)
class Access:
    """Whom this bot serves; `operators` are user ids."""

    mode: Mode
    operators: Collection[int] = ()


#: What has to be asked of Telegram before the role is known: whether a user leads the chat,
#: whether a channel is the one that is linked with it, or whether nobody but these users hides
#: there as an anonymous admin.
Question = tuple[Literal["leads", "is linked", "alone hide"], *tuple[int, ...]]


def role_of(access: Access, event: Message | Press) -> Role | Question:
    """The role of whoever wrote or pressed, or what must be found out first.

    `answered` takes the answer.
    """
    sender = event.sender
    if sender is not None and sender.id in access.operators:
        return "operator"
    if access.mode != "open":
        return _hidden(access, event)
    if event.chat.is_private:
        return "manager"
    if isinstance(event, Message):
        if event.chat.kind == "channel":
            return "manager"  # only admins can post there
        if event.sender_chat is not None:
            if event.sender_chat.id == event.chat.id:
                return "manager"  # an anonymous admin
            return "is linked", event.sender_chat.id
    if sender is None or sender.id == ANONYMOUS_ADMIN:
        return "reader"
    return "leads", sender.id


def _hidden(access: Access, event: Message | Press) -> Role | Question:
    """Where one person is answered, an anonymous admin may be that person."""
    if access.operators and is_anonymous(event):
        return "alone hide", *sorted(access.operators)
    return "nobody"


def is_anonymous(event: Message | Press) -> bool:
    """Whether an admin of the group wrote in its name."""
    return (
        isinstance(event, Message)
        and event.chat.is_group
        and event.sender_chat is not None
        and event.sender_chat.id == event.chat.id
    )


def answered(question: Question, *, yes: bool) -> Role:
    """The role once the question of `role_of` is answered."""
    if question[0] == "alone hide":
        return "operator" if yes else "nobody"
    return "manager" if yes else "reader"


def may_manage_elsewhere(access: Access, sender: Person, *, leads: bool) -> bool:
    """Whether somebody may change, from their private chat, what another chat gets."""
    return sender.id in access.operators or (access.mode == "open" and leads)
