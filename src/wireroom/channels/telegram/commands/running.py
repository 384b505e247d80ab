"""Commands of whoever runs the bot."""

from typing import Final

from wireroom import chats, routing, subscribing
from wireroom.catalogue.telegram import general
from wireroom.catalogue.telegram import running as texts
from wireroom.channels.telegram.commands.command import Command, Theme
from wireroom.channels.telegram.commands.visit import Complaint, Visit


async def info(visit: Visit, _: str) -> None:
    found = await chats.numbers(visit.desk.database)
    total = sum(found.chats.values())
    lines = [visit.t(texts.INFO, feeds=found.feeds, failing=found.failing, chats=total)]
    for kind, n in found.chats.items():
        named = visit.plain(texts.KINDS[kind]) if kind in texts.KINDS else kind
        lines.append(visit.t(texts.INFO_KIND, kind=named, n=n))
    await visit.say(*lines)


async def set_content_fields(visit: Visit, arguments: str) -> None:
    """`/set_content_fields URL FIELDS`: by what an entry is told from others (IDN-11)."""
    url, _, names = arguments.partition(" ")
    if not url or not names:
        raise Complaint(
            general.USAGE, typed="/set_content_fields URL link,title,publication_date,guid"
        )
    chosen = await subscribing.choose_identity(
        visit.desk.polling, url, names.replace(",", " ").split()
    )
    await visit.say(visit.t(texts.CONTENT_FIELDS, url=url, fields=", ".join(chosen)))


# -- what is taken out of texts -------------------------------------------------------------------


async def add(visit: Visit, arguments: str) -> None:
    await _add(visit, arguments, is_regex=False)


async def add_regex(visit: Visit, arguments: str) -> None:
    await _add(visit, arguments, is_regex=True)


async def _add(visit: Visit, arguments: str, *, is_regex: bool) -> None:
    if not arguments:
        command = "repl_add_re" if is_regex else "repl_add"
        question = texts.ASK_PATTERN if is_regex else texts.ASK_REMOVAL
        await visit.ask(command, "", visit.t(question))
        return
    account, now = await visit.operators_account(), visit.desk.now()
    await routing.add_replacement(
        visit.desk.database, account, arguments, is_regex=is_regex, now=now
    )
    await visit.say(visit.t(texts.ADDED))


async def list_(visit: Visit, _: str) -> None:
    account = await visit.operators_account()
    found = await routing.list_replacements(visit.desk.database, account)
    lines = [
        visit.t(
            texts.REMOVAL_REGEX if each.is_regex else texts.REMOVAL, id=each.id, value=each.value
        )
        for each in found
    ]
    await visit.say(*(lines or [visit.t(texts.NO_REMOVALS)]))


async def delete(visit: Visit, arguments: str) -> None:
    if not arguments:
        await visit.ask("repl_del", "", visit.t(texts.ASK_NUMBER))
        return
    if not arguments.isdecimal() or len(arguments) > 15:
        raise Complaint(texts.NOT_A_NUMBER, typed=arguments[:40])
    account = await visit.operators_account()
    await routing.delete_replacement(visit.desk.database, account, int(arguments))
    await visit.say(visit.t(texts.REMOVED))


THEME: Final = Theme(
    texts.THEME,
    (
        Command("info", info, texts.ABOUT_INFO, needs="operator"),
        Command("repl_add", add, texts.ABOUT_ADD, "TEXT", needs="operator"),
        Command("repl_add_re", add_regex, texts.ABOUT_ADD_RE, "PATTERN", needs="operator"),
        Command("repl_list", list_, texts.ABOUT_REPL_LIST, needs="operator", private_only=True),
        Command("repl_del", delete, texts.ABOUT_REPL_DEL, "NUMBER", needs="operator"),
        Command(
            "set_content_fields",
            set_content_fields,
            texts.ABOUT_CONTENT_FIELDS,
            "URL FIELDS",
            needs="operator",
            hidden=True,
        ),
    ),
)
