"""Beginning, help, menus that go away, and the language of a chat."""

import re
from collections.abc import Sequence
from typing import Final

from wireroom.catalogue import LANGUAGES
from wireroom.catalogue.telegram import carrying
from wireroom.catalogue.telegram import general as texts
from wireroom.catalogue.telegram.names import USAGE_WORDS
from wireroom.channels.telegram.commands import buttons, roles, wishing
from wireroom.channels.telegram.commands.buttons import Button, Row
from wireroom.channels.telegram.commands.command import Command, Theme
from wireroom.channels.telegram.commands.visit import Complaint, Visit
from wireroom.store import chats
from wireroom.suggesting import nearest

#: Characters of a code that came with a deep link.
_MOST_CODE: Final = 12
_WORD: Final = re.compile(r"@?\w+")


async def start(visit: Visit, arguments: str) -> None:
    """What this is; or what a deep link `t.me/bot?start=…` asks for."""
    if arguments.startswith("link_"):
        # Whoever sent the link may have made its code: one tap must not hand the chat over.
        code = arguments.removeprefix("link_")[:_MOST_CODE]
        yes = Button(visit.plain(carrying.BUTTON_LINK), buttons.data("link", code))
        await visit.say(visit.t(carrying.LINK_SURE), rows=[[yes, close_button(visit)]])
        return
    if visit.desk.access.mode == "single-admin":  # as RSS Bot does (TGC-05)
        await _show_themes(visit)
        return
    lines = [visit.t(texts.START)]
    if visit.desk.initial_items:
        lines += ["", visit.t(texts.START_INITIAL, n=visit.desk.initial_items)]
    if visit.chat.is_group:
        lines += ["", visit.t(texts.START_GROUP)]
    if visit.desk.contact:
        lines += ["", visit.t(texts.CONTACT, contact=visit.desk.contact)]
    row = [Button(visit.plain(texts.ABOUT_HELP), buttons.data("help"))]
    await visit.say(*lines, rows=[row])


# -- help -----------------------------------------------------------------------------------------


async def help_(visit: Visit, arguments: str) -> None:
    name = arguments.removeprefix("/").strip().lower()
    if not name:
        await _show_themes(visit)
        return
    command = visit.desk.table.commands.get(name)
    if command is None or not _is_shown(visit, command):
        raise unknown(visit, name)
    await visit.say(*_explained(visit, command))


async def _show_themes(visit: Visit) -> None:
    rows = [
        [Button(visit.plain(theme.title), buttons.data("help", number))]
        for number, theme in enumerate(visit.desk.table.themes)
        if any(_is_shown(visit, command) for command in theme.commands)
    ]
    lines = [visit.t(texts.HELP), "", visit.t(texts.HELP_ON_CHANNELS)]
    await visit.show(*lines, rows=[*_pairs(rows), [close_button(visit)]])


def _pairs(rows: Sequence[Row]) -> list[Row]:
    """Two buttons beside each other, to keep a menu short."""
    flat = [button for row in rows for button in row]
    return [flat[start : start + 2] for start in range(0, len(flat), 2)]


async def press_help(visit: Visit, arguments: Sequence[str]) -> None:
    """The themes; what one of them has, `help.THEME`; one command, `help.THEME.NAME` (TGC-06)."""
    if not arguments:
        await _show_themes(visit)
        return
    themes, number = visit.desk.table.themes, int(arguments[0])
    if len(arguments) > 1:
        command = visit.desk.table.commands.get(arguments[1])
        if command is None or not _is_shown(visit, command):
            raise Complaint(texts.STALE)
        back = Button(visit.plain(texts.BACK), buttons.data("help", number))
        await visit.show(*_explained(visit, command), rows=[[back, close_button(visit)]])
        return
    theme = themes[min(number, len(themes) - 1)]
    shown = [each for each in theme.commands if _is_shown(visit, each)]
    lines = [f"<b>{visit.t(theme.title)}</b>"]
    for command in shown:
        about = visit.plain(command.about)
        lines += ["", visit.t(texts.HELP_LINE, typed=typed(visit, command), about=about)]
    single = [Button(f"/{each.name}", buttons.data("help", number, each.name)) for each in shown]
    rows: list[Row] = [single[start : start + 2] for start in range(0, len(single), 2)]
    back = Button(visit.plain(texts.BACK), buttons.data("help"))
    await visit.show(*lines, rows=[*rows, [back, close_button(visit)]])


def typed(visit: Visit, command: Command) -> str:
    """The command with what comes after it, in words of the chat's language."""
    usage = _WORD.sub(
        lambda found: visit.plain(USAGE_WORDS[found[0]]) if found[0] in USAGE_WORDS else found[0],
        command.usage,
    )
    return f"/{command.name} {usage}".strip()


def _explained(visit: Visit, command: Command) -> list[str]:
    about = visit.plain(command.about)
    lines = [visit.t(texts.HELP_LINE, typed=typed(visit, command), about=about)]
    if command.aliases:
        names = ", ".join(f"/{each}" for each in command.aliases)
        lines.append(visit.t(texts.HELP_ALIASES, names=names))
    if command.needs == "operator":
        lines.append(visit.t(texts.HELP_OPERATORS))
    elif command.needs == "manager":
        lines.append(visit.t(texts.HELP_MANAGERS))
    return lines


def _is_shown(visit: Visit, command: Command) -> bool:
    return command.needs != "operator" or visit.role == "operator"


def unknown(visit: Visit, name: str) -> Complaint:
    """What to say of a command that is none."""
    known = [each.name for each in visit.desk.table.commands.values() if _is_shown(visit, each)]
    if near := nearest(name, known):
        return Complaint(texts.DID_YOU_MEAN, name=name[:32], near=near)
    return Complaint(texts.NO_SUCH_COMMAND, name=name[:32])


# -- menus and questions --------------------------------------------------------------------------


def close_button(visit: Visit) -> Button:
    return Button(visit.plain(texts.CLOSE), buttons.data("close"))


async def show_commands(visit: Visit, _: str) -> None:
    """Buttons for what is done most (TGC-30)."""
    names = ("sub", "list", "settings", "search", "status", "pause", "export", "help")
    table = visit.desk.table.commands
    rows = [
        [Button(f"/{name} · {visit.plain(table[name].about)}", buttons.data("run", name))]
        for name in names
        if name in table and _is_shown(visit, table[name])
    ]
    await visit.show(f"<b>{visit.t(texts.THEME)}</b>", rows=[*rows, [close_button(visit)]])


async def press_run(visit: Visit, arguments: Sequence[str]) -> None:
    """A command as a button: `run.NAME`, or `run.NAME.SUBSCRIPTION`."""
    command = visit.desk.table.commands.get(arguments[0])
    if command is None:
        raise Complaint(texts.STALE)
    needed = command.needs
    if not roles.may(visit.role, needed):
        raise Complaint(texts.ONLY_OPERATOR if needed == "operator" else texts.ONLY_ADMINS)
    await command.run(visit, " ".join(arguments[1:]))


async def close(visit: Visit, _: str) -> None:
    """As a command, in reply to a menu; the button does the same (TGC-30)."""
    answered = visit.message.reply_to if visit.message else None
    if answered is not None and answered.is_ours:
        await visit.desk.replies.delete(visit.chat.id, answered.message_id)
    await visit.forget_question()


async def press_close(visit: Visit, _: Sequence[str]) -> None:
    assert visit.press is not None
    visit.acknowledge()
    await visit.desk.replies.delete(visit.chat.id, visit.press.message_id)


async def cancel(visit: Visit, _: str) -> None:
    if not await visit.forget_question():
        await visit.say(visit.t(texts.NOTHING_TO_CANCEL))
        return
    gone = {"remove_keyboard": True}  # /manage brings one with chats to choose from
    await visit.desk.replies.say(visit.place, [visit.t(texts.CANCELLED)], markup=gone)


async def press_cancel(visit: Visit, _: Sequence[str]) -> None:
    await visit.forget_question()
    await visit.show(visit.t(texts.CANCELLED))


# -- language -------------------------------------------------------------------------------------


async def language(visit: Visit, arguments: str) -> None:
    wanted = arguments.strip().lower()[:2]
    if wanted in LANGUAGES:
        await press_language(visit, [wanted])
        return
    row = [Button(texts.LANGUAGE_NAME.say(each), buttons.data("lang", each)) for each in LANGUAGES]
    await visit.show(visit.t(texts.LANGUAGE), rows=[row])


async def press_language(visit: Visit, arguments: Sequence[str]) -> None:
    chosen = next((each for each in LANGUAGES if each == arguments[0]), LANGUAGES[0])
    await visit.desk.database.write(chats.set_language, visit.chat.id, chosen)
    await wishing.set_wish(visit, None, "language", chosen)
    visit.language = chosen
    await visit.show(visit.t(texts.LANGUAGE_SET))


THEME: Final = Theme(
    texts.THEME,
    (
        Command("start", start, texts.ABOUT_START, needs="reader", hidden=True),
        Command("help", help_, texts.ABOUT_HELP, "[COMMAND]", ("help_command",), needs="reader"),
        Command("commands", show_commands, texts.ABOUT_COMMANDS, needs="reader", hidden=True),
        Command("cancel", cancel, texts.ABOUT_CANCEL, needs="reader"),
        Command("close", close, texts.ABOUT_CLOSE, needs="manager", hidden=True),
        Command("language", language, texts.ABOUT_LANGUAGE, "[en|de]"),
    ),
    {
        "help": press_help,
        "run": press_run,
        "close": press_close,
        "cancel": press_cancel,
        "lang": press_language,
    },
    frozenset({"help", "run", "cancel"}),
)
