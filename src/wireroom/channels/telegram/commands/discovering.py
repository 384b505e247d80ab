"""Links, forwarded posts and OPML files, sent without any command."""

from wireroom.channels.telegram.commands import following
from wireroom.channels.telegram.commands.incoming import Message
from wireroom.channels.telegram.commands.visit import Visit


async def offered(visit: Visit, message: Message) -> bool:
    """Whether the message held something to subscribe to, and it was offered."""
    if not visit.chat.is_private or not message.links:
        return False
    await following.subscribe(visit, message.links[0])
    return True
