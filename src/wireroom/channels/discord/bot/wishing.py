"""`/rss filter`, `template` and `set`: what is posted of a feed, and how it looks."""

from typing import Any, Final

from wireroom import guilds, routing
from wireroom.catalogue import discord as texts
from wireroom.catalogue import values
from wireroom.channels.discord.bot import buttons, embeds, previews, showing
from wireroom.channels.discord.bot.buttons import Field, Form
from wireroom.channels.discord.bot.desk import Desk, Visitor
from wireroom.channels.discord.bot.finding import find, guild_of
from wireroom.channels.discord.bot.references import colour
from wireroom.channels.discord.bot.replies import Reply
from wireroom.delivery import wishlist
from wireroom.delivery.richtext import units
from wireroom.errors import UserError
from wireroom.guilds import GuildFeed
from wireroom.routing import Place

TEMPLATE: Final = "template"
#: What people type for everything; as a filter it would be a word that no entry has.
ALL: Final = "*"
#: Characters that a form of Discord takes.
MOST_TYPED: Final = 4000
#: Entries that a new filter is tried on.
TRIED_ON: Final = 50


async def set_wish(desk: Desk, visitor: Visitor, feed: GuildFeed, name: str, value: Any) -> None:
    """One setting of one feed; None takes it back. Raises UserError."""
    place, guild = Place("route", feed.id), guild_of(visitor)
    await routing.set_wish(
        desk.database,
        visitor.account_id,
        place,
        name,
        value,
        now=desk.now(),
        # Its account may be shared with a person and other servers (DCC-05).
        within=await guilds.list_places(desk.database, guild) if name == "rules" else None,
    )
    desk.bell.ring()


async def filter_(desk: Desk, visitor: Visitor, typed: str, text: str) -> Reply:
    """Show a feed's filter, or set it, and say what it would have done lately."""
    feed = await find(desk, visitor, typed)
    text = text.strip()
    if text:
        await set_wish(desk, visitor, feed, "filter", None if text in ("-", ALL) else text)
        feed = await guilds.find_feed(desk.database, guild_of(visitor), feed.id)
    name = embeds.plain(feed.title, embeds.MOST_NAME)
    stands = str(feed.settings.get("filter") or "")
    if not stands:
        return Reply(texts.FILTER_NONE.say(visitor.language, name=name), private=not text)
    would = await routing.dry_run(desk.database, visitor.account_id, feed.id, newest=TRIED_ON)
    sent = sum(each.is_sent for each in would)
    lines = [
        texts.FILTER_IS.say(visitor.language, name=name, filter=stands.replace("`", "'")),
        *([texts.WOULD_HAVE.say(visitor.language, len(would), sent=sent)] if would else []),
    ]
    return Reply("\n".join(lines), private=not text)


async def mention(desk: Desk, visitor: Visitor, typed: str, role: str, when: str) -> Reply:
    """Call a role when a filter matches, and only then; "-" calls it no more (wish 21)."""
    check_role(visitor, role)
    feed = await find(desk, visitor, typed)
    name = embeds.plain(feed.title, embeds.MOST_NAME)
    when = "" if when.strip() == ALL else " ".join(when.split())
    stands = calls_without(str(feed.settings.get("rules") or ""), role)
    wanted = stands if when == "-" else calling(stands, role, when)
    await set_wish(desk, visitor, feed, "rules", wanted or None)
    spoken = visitor.language
    if when == "-":
        return Reply(texts.CALLED_NO_MORE.say(spoken, name=name, role=f"<@&{role}>"))
    if not when:
        return Reply(texts.CALLED_ALWAYS.say(spoken, name=name, role=f"<@&{role}>"))
    shown = when.replace("`", "'")
    return Reply(texts.CALLED.say(spoken, name=name, role=f"<@&{role}>", filter=shown))


def check_role(visitor: Visitor, role: str) -> None:
    """The role that everybody has bears the server's own number. Raises UserError."""
    if role == visitor.guild_id:
        raise UserError("@everyone is not called: choose another role.", code="invalid_role")


#: A filter that everything fits: every entry has a number of words.
EVERYTHING: Final = "words>=0"


def calling(stands: str, role: str, when: str) -> str:
    """The rules with one more (pure)."""
    return "\n".join(filter(None, [stands, f"{when or EVERYTHING} -> mention {role}"]))


def calls_without(stands: str, role: str) -> str:
    """The rules without those that call this role (pure)."""
    kept = [line for line in stands.splitlines() if not line.endswith(f"-> mention {role}")]
    return "\n".join(line for line in kept if line.strip())


async def open_template(desk: Desk, visitor: Visitor, typed: str) -> Reply:
    """The form in which a template is written."""
    feed = await find(desk, visitor, typed)
    spoken = visitor.language
    stands = str(feed.settings.get("template") or "")
    if units(stands) > MOST_TYPED:  # cut in the form, it would be kept as cut
        return Reply(texts.TEMPLATE_TOO_LONG.say(spoken, most=MOST_TYPED))
    field = Field(
        "source",
        texts.TEMPLATE_FIELD.say(spoken),
        value=stands,
        is_long=True,
        placeholder="<b>{{ title }}</b>\n{{ text }}\n{{ link }}",
    )
    title = f"{texts.TEMPLATE_TITLE.say(spoken)}: {feed.title}"
    return Reply(form=Form(buttons.name(TEMPLATE, feed.id), title, (field,)))


async def keep_template(desk: Desk, visitor: Visitor, number: int, source: str) -> Reply:
    """Set what was written, and show the newest entry in it; a mistake costs nobody their text."""
    feed = await guilds.find_feed(desk.database, guild_of(visitor), number)
    name = embeds.plain(feed.title, embeds.MOST_NAME)
    try:
        await set_wish(desk, visitor, feed, "template", source if source.strip() else None)
    except UserError as error:
        why = texts.refusal(error, visitor.language)
        kept = source.replace("```", "'''")[:1500]
        return Reply(texts.TEMPLATE_KEPT.say(visitor.language, why=why, template=kept))
    if not source.strip():
        return Reply(texts.TEMPLATE_REMOVED.say(visitor.language, name=name))
    said = texts.TEMPLATE_SET.say(visitor.language, name=name)
    sample = await previews.newest(desk, feed, {"template": source}, whatever=True)
    if sample is None:
        return Reply(said)
    return showing.shown(previews.parcels(desk, sample), said, visitor.language)


async def set_(desk: Desk, visitor: Visitor, typed: str, setting: str, value: str) -> Reply:
    """Any other setting, as the command line has them."""
    feed = await find(desk, visitor, typed)
    name = embeds.plain(feed.title, embeds.MOST_NAME)
    wanted = meant(setting, value) if value.strip() else None
    if setting not in feed.settings and setting not in wishlist.WISHES:
        wishlist.check(setting, wanted)
    await set_wish(desk, visitor, feed, setting, wanted)
    if wanted is None:
        said = texts.SET_BACK.say(visitor.language, name=name, setting=setting)
    else:
        is_word = isinstance(wanted, bool | str)
        shown = values.spelled(setting, wanted, visitor.language) if is_word else value.strip()
        shown = shown.replace("`", "'")
        said = texts.SET_DONE.say(visitor.language, name=name, setting=setting, value=shown)
    return Reply(said, private=False)


def meant(setting: str, text: str) -> str | int | bool:
    """Numbers, colours and on/off as such; everything else is text. Raises UserError."""
    text = text.strip()
    if setting == "color":
        return colour(text)
    if text.isascii() and text.isdigit() and len(text) < 10:
        return int(text)
    return {"on": True, "off": False, "an": True, "aus": False}.get(
        text.lower(), values.meant(setting, text)
    )
