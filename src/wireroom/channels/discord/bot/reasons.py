"""`/rss why`, and what can be asked of a message: why it is here, less of that, keep it."""

from typing import Final

from wireroom import guilds, routing
from wireroom.catalogue import Language
from wireroom.catalogue import discord as texts
from wireroom.channels.discord.bot import buttons, embeds, linking, wishing
from wireroom.channels.discord.bot.buttons import Field, Form
from wireroom.channels.discord.bot.desk import Desk, Visitor
from wireroom.channels.discord.bot.finding import find, guild_of
from wireroom.channels.discord.bot.replies import Reply
from wireroom.errors import UserError
from wireroom.guilds import GuildFeed, Message, Posted

MUTE: Final = "mute"
MOST_ENTRIES: Final = 10
_MOST_WORDS: Final = 100


async def why(desk: Desk, visitor: Visitor, typed: str, seq: int | None) -> Reply:
    """What became of a feed's newest entries, or of one of them."""
    feed = await find(desk, visitor, typed)
    if seq is not None:
        return Reply(f"#{feed.id}/{seq}: {await _fate(desk, visitor, feed, seq)}")
    would = await routing.dry_run(desk.database, visitor.account_id, feed.id, newest=MOST_ENTRIES)
    name = embeds.plain(feed.title, 200)
    if not would:
        return Reply(texts.NO_ENTRIES.say(visitor.language, name=name))
    fields = []
    for each in reversed(would):
        said = await _fate(desk, visitor, feed, each.seq)
        title = embeds.plain(each.title, 200) or "–"
        fields.append((f"{each.seq} · {title}", said, False))
    return Reply(embeds=(embeds.embed(texts.WHY_TITLE.say(visitor.language, name=name), fields),))


async def _fate(desk: Desk, visitor: Visitor, feed: GuildFeed, seq: int) -> str:
    said = await routing.why(
        desk.database,
        visitor.account_id,
        feed.id,
        seq,
        now=desk.now(),
        language=visitor.language,
    )
    return embeds.plain(said, embeds.MOST_VALUE)


async def why_message(desk: Desk, visitor: Visitor, message: Message) -> Reply:
    """Feed, times and filter of a message; of a test, what became of its entry in earnest."""
    posted = await guilds.posted(desk.database, guild_of(visitor), message)
    feed = await guilds.find_feed(desk.database, guild_of(visitor), posted.route_id)
    spoken = visitor.language
    because = (
        _because(feed, spoken) if posted.is_noted else await _fate(desk, visitor, feed, posted.seq)
    )
    fields = [
        (texts.FROM_FEED.say(spoken), f"#{feed.id} {embeds.plain(feed.title, 200)}", False),
        (texts.MET_AT.say(spoken), embeds.relative(posted.first_seen), True),
        (texts.SENT_AT.say(spoken), embeds.relative(posted.sent_at), True),
        (texts.BECAUSE.say(spoken), because, False),
    ]
    if posted.published is not None:
        published = (texts.PUBLISHED_AT.say(spoken), embeds.relative(posted.published), True)
        fields.insert(1, published)
    return Reply(embeds=(embeds.embed(embeds.plain(posted.title, 250) or "–", fields),))


def _because(feed: GuildFeed, spoken: Language) -> str:
    wanted = str(feed.settings.get("filter") or "").replace("`", "'")
    if not wanted:
        return texts.NO_FILTER.say(spoken)
    return texts.FITS_FILTER.say(spoken, filter=embeds.short(wanted, 900))


async def open_mute(desk: Desk, visitor: Visitor, message: Message) -> Reply:
    """A form with words of the message, to be made shorter."""
    posted = await guilds.posted(desk.database, guild_of(visitor), message)
    spoken = visitor.language
    field = Field(
        "words",
        texts.MUTE_FIELD.say(spoken),
        value=proposal(posted),
        required=True,
        most=_MOST_WORDS,
    )
    name = buttons.name(MUTE, posted.route_id)
    return Reply(form=Form(name, texts.MUTE_TITLE.say(spoken), (field,)))


def proposal(posted: Posted) -> str:
    """What "like this" may mean: the head of a series ("Weekly news: …"), else the title."""
    head, colon, _ = posted.title.partition(":")
    words = head if colon and len(head) > 2 else posted.title
    return " ".join(words.split())[:_MOST_WORDS]


async def mute(desk: Desk, visitor: Visitor, number: int, words: str) -> Reply:
    """Add words to what a feed's filter keeps out. Raises UserError."""
    feed = await guilds.find_feed(desk.database, guild_of(visitor), number)
    words = " ".join(words.replace('"', " ").replace("\\", " ").split())
    if not words:
        raise UserError("Type the words that are not wanted.", code="invalid_filter")
    wanted = without(str(feed.settings.get("filter") or ""), words)
    await wishing.set_wish(desk, visitor, feed, "filter", wanted)
    name = embeds.plain(feed.title, embeds.MOST_NAME)
    said = texts.MUTED.say(visitor.language, name=name, words=embeds.plain(words, 200))
    return Reply(said, private=False)


def without(stands: str, words: str) -> str:
    """A filter that wants the same, but not with these words (pure)."""
    return f'({stands}) -"{words}"' if stands.strip() else f'-"{words}"'


async def save(desk: Desk, visitor: Visitor, message: Message) -> Reply:
    """Star the entry of a message in the account of whoever asks."""
    posted = await guilds.posted(desk.database, guild_of(visitor), message)
    person = await linking.account_of_person(desk, visitor)
    is_new = await guilds.save(desk.polling, guild_of(visitor), person, posted)
    spoken = visitor.language
    if not is_new:
        return Reply(texts.SAVED.say(spoken))
    feed = await guilds.find_feed(desk.database, guild_of(visitor), posted.route_id)
    name = embeds.plain(feed.title, embeds.MOST_NAME)
    said = texts.SAVED_AND_FOLLOWED.say(spoken, name=name)
    return Reply(f"{said}\n{texts.LINK_YOURSELF.say(spoken)}")
