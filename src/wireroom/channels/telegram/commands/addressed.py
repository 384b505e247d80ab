"""Whether a message is a command to us, and what it asks for (pure).

Commands are whole words (TGC-34): `/helpfoo` is none of ours, and a command inside of a link is a
part of the link.
"""

from dataclasses import dataclass

from wireroom.channels.telegram.commands.incoming import Message


@dataclass(frozen=True, slots=True)
class Order:
    """A command without slash and handle, in lower case, and all that came after it."""

    name: str
    arguments: str
    #: It named us, so whoever wrote it expects an answer.
    is_to_us: bool = False


def order(message: Message, handle: str) -> Order | None:
    """The command of a message; None when it holds none, or one for another bot (TGC-33).

    `handle` is our user name. A leading slash counts without the server's mark as well: captions
    and other clients' texts may lack it.
    """
    word = message.command or _first_word(message.text)
    if not word.startswith("/"):
        return None
    name, at, bot = word[1:].partition("@")
    if at and bot.casefold() != handle.casefold():
        return None
    if not name.replace("_", "").isalnum() or not name.isascii():
        return None
    rest = message.text[len(word) :]
    if rest and not rest[0].isspace():  # the server marks a part of a longer word
        return None
    return Order(name.lower(), rest.strip(), is_to_us=bool(at))


def is_to_another(message: Message, handle: str) -> bool:
    """A command that names another bot, which is none of our business."""
    _, at, bot = (message.command or _first_word(message.text)).partition("@")
    return message.text.startswith("/") and bool(at) and bot.casefold() != handle.casefold()


def _first_word(text: str) -> str:
    return text.split(maxsplit=1)[0] if text.split() else ""
