"""Messages as they would be posted, as answers to whoever asks (pure)."""

from collections.abc import Sequence
from typing import Final

from wireroom.catalogue import Language
from wireroom.catalogue import discord as texts
from wireroom.channels.discord.bot.replies import MOST_TEXT, Reply
from wireroom.delivery.channel import Parcel
from wireroom.delivery.richtext import units

#: Messages of one entry that are shown; of those beyond, how many there are.
MOST_SHOWN: Final = 5


def shown(parcels: Sequence[Parcel], text: str, spoken: Language) -> Reply:
    """All messages of an entry behind a text of our own, one after the other."""
    first, *further = parcels[:MOST_SHOWN]
    begins = _together(first, text)
    more = [*begins[1:], *(_as_reply(each) for each in further)]
    if (hidden := len(parcels) - MOST_SHOWN) > 0:
        more.append(Reply(texts.MORE_MESSAGES.say(spoken, hidden)))
    return begins[0].followed_by(more)


def _together(parcel: Parcel, text: str) -> tuple[Reply, ...]:
    """The text and the message in one, unless that would cut what is shown to the letter."""
    content = str(parcel.payload.get("content", ""))
    joined = f"{text}\n{content}" if text and content else text or content
    if units(joined) > MOST_TEXT:
        return Reply(text), _as_reply(parcel)
    return (_as_reply(parcel, joined),)


def _as_reply(parcel: Parcel, text: str = "") -> Reply:
    payload = parcel.payload
    if components := payload.get("components"):
        return Reply(text, components=tuple(components))
    said = text or str(payload.get("content", ""))
    return Reply(said, embeds=tuple(payload.get("embeds", ())))
