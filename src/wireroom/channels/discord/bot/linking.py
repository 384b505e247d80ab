"""`/link`: a server or a person, and an account of the web reader, become one by a code."""

from functools import partial

from wireroom import doors, guilds
from wireroom.catalogue import discord as texts
from wireroom.channels.discord.bot.desk import GUILD, PERSON, Desk, Visitor
from wireroom.channels.discord.bot.finding import guild_of
from wireroom.channels.discord.bot.replies import Reply
from wireroom.store.doors import Door


async def link_server(desk: Desk, visitor: Visitor, code: str) -> Reply:
    """With a code of the web reader at once; without one, give a code to type there."""
    return await _link(desk, visitor, Door(GUILD, visitor.guild_id), visitor.account_id, code)


async def link_me(desk: Desk, visitor: Visitor, code: str) -> Reply:
    """The same for a person's own account, where saved entries go."""
    door = Door(PERSON, visitor.user_id)
    account_id = await account_of_person(desk, visitor)
    return await _link(desk, visitor, door, account_id, code)


async def account_of_person(desk: Desk, visitor: Visitor) -> int:
    """The account of whoever asks, made when it is met for the first time."""
    door = Door(PERSON, visitor.user_id)
    return await doors.open_door(desk.database, door, name="Discord", now=desk.now())


async def _link(desk: Desk, visitor: Visitor, door: Door, account_id: int, code: str) -> Reply:
    if code.strip():
        await doors.link(desk.database, door, code, now=desk.now())
        return Reply(texts.LINKED.say(visitor.language))
    make = doors.new_code if door.kind == PERSON else partial(doors.new_code_here, door=door)
    made = await make(desk.database, account_id=account_id, now=desk.now())
    return Reply(texts.YOUR_CODE.say(visitor.language, code=made))


async def unlink(desk: Desk, visitor: Visitor) -> Reply:
    """Give the server an account of its own again, with all that is posted in it."""
    await doors.unlink(
        desk.database,
        Door(GUILD, visitor.guild_id),
        name=visitor.guild_name or "Discord",
        places=await guilds.list_places(desk.database, guild_of(visitor)),
        now=desk.now(),
    )
    return Reply(texts.UNLINKED.say(visitor.language))
