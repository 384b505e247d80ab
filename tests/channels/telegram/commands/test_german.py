"""A German chat reads German: a walk over all commands, what goes wrong with them, and menus."""

import importlib
import pkgutil
import re
import string
from collections.abc import AsyncIterator, Iterator, Mapping
from functools import lru_cache
from types import ModuleType

import pytest

from tests.channels.telegram.commands.talk import Talk, open_talk, person
from tests.servers.scripted import Reply
from wireroom import catalogue
from wireroom.catalogue import Plural, Text
from wireroom.channels.telegram.commands.roles import Access
from wireroom.channels.telegram.commands.table import TABLE
from wireroom.store.engine import Database

#: /close says nothing, and /language ends the German.
_NAMES = {each.name for each in TABLE.commands.values()} - {"close", "language"}

EMIL = person(8, "Emil", "de")

#: Shorter pieces of an English text are words that German has as well.
_SHORTEST = 8
#: Words that no German sentence of ours has, and the feeds of these tests neither.
_ENGLISH = re.compile(
    r"\b(the|of|is|are|be|and|with|not|there|this|that|cannot|your|for|from|which|when|what|"
    r"unexpected|missing|every|group|channel|private|field|filter (?=\w+ cannot))\b"
)
#: What is English by itself: the language of templates and filters, names of settings, examples.
_OURS = re.compile(
    r"<[^>]*>|\{\{.*?\}\}|\{%.*?%\}|\bfor each in\b|Settings, Chats and servers|"
    r"Story \d|Text of \d|\(Not Found\)|\(Internal Server Error\)|\(Unauthorized\)|"
    r"\(unexpected[^)]*\)|„[^“]*“|es gibt (?:if und for|if und with)[^.]*|Felder sind[^.]*|"
    r"https?://\S+"
)


def _texts(value: object) -> Iterator[Text]:
    if isinstance(value, Text):
        yield value
    elif isinstance(value, Plural):
        yield from (value.one, value.other)
    elif isinstance(value, Mapping):
        for each in value.values():
            yield from _texts(each)
    elif isinstance(value, tuple | list):
        for each in value:
            yield from _texts(each)


def _modules() -> Iterator[ModuleType]:
    for found in pkgutil.walk_packages(catalogue.__path__, f"{catalogue.__name__}."):
        if "discord" not in found.name:
            yield importlib.import_module(found.name)


@lru_cache(maxsize=1)
def english_pieces() -> dict[str, Text]:
    """What only the English side of a text says, between its values."""
    found = {}
    for module in _modules():
        for name, value in vars(module).items():
            for text in [] if name.startswith("_") else _texts(value):
                for literal, *_ in string.Formatter().parse(text.en):
                    piece = re.sub(r"<[^>]*>", "", literal).strip(" .:\n")
                    if len(piece) >= _SHORTEST and " " in piece and piece not in text.de:
                        found[piece] = text
    return found


def left_overs(said: str) -> list[str]:
    """The English in it."""
    found = [piece for piece in english_pieces() if piece in said]
    return found + [match[0] for match in _ENGLISH.finditer(_OURS.sub("", said))]


def test_left_overs_are_found() -> None:
    """The net has no holes: English sentences of the catalogue and of libraries are caught."""
    assert ["there is no field"] == left_overs("❌ Geht nicht: there is no field")[:1]
    assert left_overs("Zeile 1: unexpected end")
    assert left_overs("Hierher kommt noch nichts.") == []


@pytest.fixture
async def talk(sqlite_database: Database) -> AsyncIterator[Talk]:
    """Emil runs the bot; his app speaks German."""
    async with open_talk(sqlite_database, access=Access("open", {EMIL["id"]})) as opened:
        opened.script["/gone"] = Reply(410)
        opened.script["/private"] = Reply(401)
        yield opened


async def german(talk: Talk, text: str) -> None:
    said = await talk.say(text, EMIL)
    labels = [label for each in talk.said for label in each.labels]

    for words in (said, *labels):
        assert [] == left_overs(words), (text, words)


async def test_every_command(talk: Talk) -> None:
    """Explained, alone, with a feed, and with nonsense."""
    for name in sorted(_NAMES):
        await talk.say(f"/sub {talk.url()}", EMIL)
        for text in (
            f"/help {name}",
            f"/{name}",
            f"/{name} Harbour zu viel",
            f"/{name} a{{9999}} (",
        ):
            await german(talk, text)
        await talk.say("/here", EMIL)


@pytest.mark.parametrize("path", ["/gone", "/private", "/broken", "/plain", "/nothing", "/lonely"])
async def test_addresses(talk: Talk, path: str) -> None:
    """Whatever a site answers."""
    await german(talk, f"/sub {talk.url(path)}")
    await german(talk, f"/test {talk.url(path)}")


@pytest.mark.parametrize(
    "template",
    [
        "{{ titel }}",
        "{{ xyzzy }}",
        "{{ title | upperr }}",
        "{% if %}",
        "{% if title %}a",
        "{{ title",
        "x\n{% endif %}",
        "{{ title title }}",
        "{{ (title }}",
        "{% for x %}",
        "{% set x=1 %}",
        "{{ title | replace('a') }}",
        "{{ text.x }}",
        "{{ title[0] }}",
        "{{range}}",
        "{{bold title",
        "{{ boom( }}",
        "{# offen",
        pytest.param(
            "{% for a in categories %}{% for b in categories %}{% for c in categories %}"
            "{% for d in categories %}{{ d }}{% endfor %}{% endfor %}{% endfor %}{% endfor %}",
            id="too costly",
        ),
    ],
)
async def test_templates(talk: Talk, template: str) -> None:
    """What is wrong with them; the engine's words are in brackets at most."""
    many = b"".join(b"<category>c%d</category>" % number for number in range(20))
    talk.script["/feed"] = Reply(
        body=b"<rss version='2.0'><channel><title>Harbour</title><item><guid>1</guid>"
        b"<title>Story 1</title>" + many + b"</item></channel></rss>"
    )
    await talk.say(f"/sub {talk.url()}", EMIL)
    await german(talk, f"/template Harbour {template}")
    assert "❌" in talk.last.text


@pytest.mark.parametrize(
    "pattern",
    ["(", "[a", ")", "*a", "a**", "a{2000}", "(?=x)", "(?<n", "[z-a]", "\\1", "\\", "(?P<n>"],
)
async def test_regular_expressions(talk: Talk, pattern: str) -> None:
    """What is wrong with them, in filters and in replacements."""
    await talk.say(f"/sub {talk.url()}", EMIL)
    await german(talk, f"/filter Harbour /{pattern}/")
    await german(talk, f"/repl_add_re {pattern}")
    assert "❌" in talk.last.text


@pytest.mark.parametrize(
    "typed", ["titel:(a", "title:", '"offen', "a OR", "lang:", "has:x", "()", "a )", "NOT"]
)
async def test_filters(talk: Talk, typed: str) -> None:
    """What is wrong with them."""
    await talk.say(f"/sub {talk.url()}", EMIL)
    await german(talk, f"/filter Harbour {typed}")


@pytest.mark.parametrize(
    "typed",
    [
        *("digest alle 10", "digest", "digest 25:99", "digest 08:00", "quiet 22-7", "quiet"),
        *("media bunt", "media alles", "burst x", "per_day 3", "marks an", "nonsense 5"),
        *("content 5", "source Kurzform", "rich an", "filter (", "zone Mond"),
    ],
)
async def test_settings(talk: Talk, typed: str) -> None:
    """Their names, kinds and values, in lines and in menus."""
    await talk.say(f"/sub {talk.url()}", EMIL)
    await german(talk, f"/set chat {typed}")
    await german(talk, "/settings")
    await german(talk, f"/set Harbour {typed}")
    await german(talk, "/feed Harbour")


async def test_a_digest_of_so_many(talk: Talk) -> None:
    """Is written and shown in German, and kept as everywhere."""
    assert "✅ Sammelpost: alle 10" == await talk.say("/set chat digest alle 10", EMIL)
    await talk.say("/settings", EMIL)
    assert "Sammelpost: alle 10" in talk.last.labels


async def test_menus(talk: Talk) -> None:
    """Every button of the help, of a feed and of the settings."""
    await talk.say(f"/sub {talk.url()}", EMIL)
    for command in ("/help", "/settings", "/feed Harbour", "/list", "/commands"):
        await talk.say(command, EMIL)
        for label in talk.last.labels:
            await talk.say(command, EMIL)
            if label in ("Schließen", "🗑 Abbestellen"):
                continue
            shown = await talk.press(label, EMIL)
            assert [] == left_overs(shown), label
            assert [] == left_overs(talk.note), label
            assert [] == [each for each in talk.last.labels if left_overs(each)], label
