"""Links, forwarded posts and OPML files, sent without any command: what they hold is offered."""

from collections.abc import Sequence
from typing import Final

from wireroom import subscribing
from wireroom.catalogue.telegram import carrying as carrying_texts
from wireroom.catalogue.telegram import feeds as texts
from wireroom.channels.telegram.commands import (
    buttons,
    carrying,
    elsewhere,
    following,
    trying,
)
from wireroom.channels.telegram.commands.buttons import Button, Row
from wireroom.channels.telegram.commands.command import Theme
from wireroom.channels.telegram.commands.incoming import Chat, Message
from wireroom.channels.telegram.commands.visit import Complaint, Visit
from wireroom.errors import UserError
from wireroom.feeds.discovery import Candidate

#: Addresses of one message that are looked at, one after the other, until one has feeds.
_MOST_LINKS: Final = 3


async def offered(visit: Visit, message: Message) -> bool:
    """Whether the message held something to subscribe to, and it was offered.

    Only in private chats: in groups people share links for other reasons.
    """
    if not visit.chat.is_private:
        return False
    if message.document is not None:
        await carrying.take_in(visit, message.document)
        return True
    if message.shared_chat is not None:
        await carrying.manage_chat(visit, str(message.shared_chat))
        return True
    may_manage = await _offer_channel(visit, message.forwarded_from)
    links = _distinct(message.links)
    if not links:
        return may_manage
    await _offer_first(visit, links, quiet=may_manage)
    return True


def _distinct(links: Sequence[str]) -> list[str]:
    return list(dict.fromkeys(links))[:_MOST_LINKS]


async def _offer_first(visit: Visit, links: Sequence[str], *, quiet: bool) -> None:
    """The feeds behind the first link that has any. Raises UserError for the first otherwise."""
    first_error: UserError | None = None
    for link in links:
        try:
            found = await subscribing.candidates(visit.desk.polling, link, owner=visit.desk.owner)
        except UserError as error:
            first_error = first_error or error
            continue
        if len(found) == 1:
            await _offer_one(visit, found[0], link)
        else:
            await following.offer(visit, found[: subscribing.MOST_CHOICES], link)
        return
    if first_error is not None and not quiet:
        raise first_error


async def _offer_one(visit: Visit, found: Candidate, link: str) -> None:
    memo = await following.remember(visit, [found.url], link)
    rows: list[Row] = [
        [
            Button(visit.plain(texts.OFFER_SUBSCRIBE), buttons.data("take", memo, 0)),
            Button(visit.plain(texts.OFFER_TEST), buttons.data("look", memo, 0)),
        ],
        [Button(visit.plain(texts.OFFER_NO), buttons.data("close"))],
    ]
    await visit.say(visit.t(texts.FOUND, title=found.title or found.url, url=found.url), rows=rows)


async def press_look(visit: Visit, arguments: Sequence[str]) -> None:
    """Show what would come of an offered feed: `look.MEMO.NUMBER`."""
    visit.acknowledge()
    address, _ = await following.remembered(visit, arguments[0], arguments[1])
    await trying.test(visit, address)


async def _offer_channel(visit: Visit, channel: Chat | None) -> bool:
    """A forwarded post of a channel that one leads: managing it from here."""
    if channel is None or channel.kind != "channel":
        return False
    try:
        await elsewhere.check(visit, channel)
    except Complaint:
        return False
    rows: list[Row] = [
        [
            Button(visit.plain(carrying_texts.BUTTON_MANAGE), buttons.data("manage", channel.id)),
            Button(visit.plain(texts.OFFER_NO), buttons.data("close")),
        ]
    ]
    await visit.say(visit.t(carrying_texts.OFFER_MANAGE, chat=channel.title), rows=rows)
    return True


THEME: Final = Theme(texts.THEME, (), {"look": press_look})
