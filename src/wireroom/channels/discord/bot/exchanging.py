"""`/rss import` and `export`: lists of feeds as OPML files."""

from typing import Final

from wireroom import following, guilds, lists
from wireroom.catalogue import discord as texts
from wireroom.channels.discord.bot import adding, embeds, wanting
from wireroom.channels.discord.bot.adding import Order
from wireroom.channels.discord.bot.desk import Desk, Visitor
from wireroom.channels.discord.bot.finding import guild_of
from wireroom.channels.discord.bot.replies import Reply
from wireroom.channels.discord.bot.webhooks import Place, Webhooks
from wireroom.errors import Conflict, InvalidURL
from wireroom.feeds import opml, urls
from wireroom.feeds.opml import OutlineFeed
from wireroom.store import access

MOST_BYTES: Final = 2_000_000


async def take_in(
    desk: Desk, visitor: Visitor, webhooks: Webhooks, document: bytes, place: Place
) -> Reply:
    """Follow every feed of a list; each begins with what comes after its first reading."""
    wanted = {key for each in opml.read(document).feeds if (key := _key(each.url))}
    there = await adding.spot(desk, visitor, webhooks, Order(place=place))
    await wanting.check_tags(webhooks, place, {}, visitor.language)
    guild = guild_of(visitor)
    taken = await lists.take_in(desk.database, visitor.account_id, document, desk.now())
    followed = (await following.arrangement(desk.database, visitor.account_id)).followed
    present = {each.feed_id for each in await guilds.list_feeds(desk.database, guild)}
    # A list names no passwords, so it does not bring in what needs one.
    private = await desk.database.read(access.private_to, visitor.account_id)
    new = [
        each
        for each in followed
        if each.feed_id not in present | private and urls.canonical(each.url) in wanted
    ]
    for each in new:
        try:
            await guilds.connect(
                desk.polling, guild, each.subscription_id, there.target, there.webhook
            )
        except Conflict as error:
            if error.code != "same_place":  # which somebody else did in this moment
                raise
    desk.bell.ring()
    failed = len(taken.failed) + len(taken.skipped)
    followable = wanted - {_key(each.url) for each in taken.failed}
    said = texts.IMPORTED.say(
        visitor.language,
        len(new),
        known=max(0, len(followable) - len(new)),
        failed=failed,
    )
    lines = [f"❌ {embeds.address(each.url, 200)}: {each.sentence}" for each in taken.failed[:10]]
    return Reply("\n".join([said, *lines]))


def _key(url: str) -> str:
    try:
        return urls.canonical(urls.checked(url))
    except InvalidURL:
        return ""


async def give_out(desk: Desk, visitor: Visitor) -> Reply:
    """The server's feeds, once each."""
    listed = await guilds.list_feeds(desk.database, guild_of(visitor))
    outlines = {each.feed_id: OutlineFeed(each.url, each.title, each.site_url) for each in listed}
    title, now = visitor.guild_name or "Discord", desk.now()
    document = opml.write(outlines.values(), title=title, created=now)
    said = texts.EXPORTED.say(visitor.language, len(outlines))
    return Reply(said, file=(lists.file_name(now), document))
