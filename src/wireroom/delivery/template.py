"""Templates: how somebody wants a message laid out, in Jinja syntax within tight bounds (pure).

Templates come from strangers in chats. The engine stops loops by fuel, but not what a single
operation may grow to (a repeated string took 2 GB), so the language is cut down first: fields,
a few filters and helpers, `if` and `for`; no arithmetic, no methods, no subscripts, no macros.
Values are escaped exactly once, when they are written (TGD-25), and the result goes through the
sanitiser like any other HTML.
"""

import re
from collections.abc import Callable, Mapping, Set
from dataclasses import dataclass
from datetime import datetime
from functools import lru_cache
from typing import Any, Final, NoReturn

import minijinja

from wireroom.delivery import translate
from wireroom.delivery.richtext import boundary, is_web_address
from wireroom.errors import UserError
from wireroom.feeds import sanitize
from wireroom.feeds.model import SafeHtml
from wireroom.suggesting import nearest

MOST_SOURCE: Final = 4096
MOST_OUTPUT: Final = 64_000
#: Engine steps; the default layouts take about a hundred.
FUEL: Final = 20_000
#: Text of a link (TGD-33).
MOST_LINK_TEXT: Final = 1000

#: Every name that a template may use, with what it is.
FIELDS: Final[Mapping[str, str]] = {
    "title": "title of the entry",
    "link": "address of the entry",
    "text": "the entry's text, plain",
    "content": "the entry's text with its markup",
    "summary": "the publisher's own short form, plain",
    "author": "author or authors",
    "published": "date and time in the chat's zone",
    "categories": "list of categories",
    "domain": "host of the link",
    "image": "address of the picture",
    "enclosure": "address of the first attachment",
    "feed": "title of the feed",
    "feed_link": "address of the feed",
    "site": "address of the feed's web site",
    # RSS Bot (TGD-17)
    "Title": "title, or a word for none",
    "FeedTitle": "title of the feed",
    "Content": "text, cut to 270 characters",
    "PostLink": "address of the entry",
    "PostDomain": "host of the link",
    # El Monitorro (TGD-22)
    "bot_feed_name": "title of the feed",
    "bot_feed_link": "address of the feed",
    "bot_item_name": "title of the entry",
    "bot_item_link": "address of the entry",
    "bot_item_description": "text, cut to 3000 characters",
    "bot_item_author": "author or authors",
    "bot_date": "date and time in the chat's zone",
}
#: Those that are ours; the others are what the systems that it unites call the same.
OWN_FIELDS: Final = tuple(FIELDS)[: tuple(FIELDS).index("Title")]
_STATEMENTS: Final = frozenset(("if", "elif", "else", "endif", "for", "endfor"))
_WORDS: Final = frozenset(("and", "or", "not", "in", "is", "defined", "true", "false", "none"))
_FUNCTIONS: Final = frozenset(("bold", "italic", "create_link", "link_to", "substring", "cut"))
_FILTERS: Final = frozenset(
    [
        "bold",
        "italic",
        "capitalize",
        "cut",
        "date",
        "default",
        "first",
        "join",
        "last",
        "length",
        "link_to",
        "lower",
        "replace",
        "title",
        "trim",
        "upper",
    ]
)
_LOOP: Final = frozenset(("index", "first", "last", "length"))

_PLACE = re.compile(r" \(in template:\d+\)")
_OPEN = re.compile(r"\{\{-?|\{%-?|\{#")
_TOKEN = re.compile(
    r"""\s*(?:(?P<string>"(?:[^"\\]|\\.)*"|'(?:[^'\\]|\\.)*')|(?P<number>\d{1,6}(?![\w.]))"""
    r"""|(?P<name>[A-Za-z_]\w*)|(?P<end>-?(?:\}\}|%\}))|(?P<sign>==|!=|<=|>=|[<>~(),|.=+-]))""",
    re.DOTALL,
)


@dataclass(frozen=True, slots=True)
class Template:
    """A template that may be rendered: as it was typed, and in our language."""

    source: str
    jinja: str


@lru_cache(maxsize=1024)
def parse(source: str) -> Template:
    """Read a template in any of the three languages. Raises UserError (`invalid_template`)."""
    if len(source) > MOST_SOURCE:
        _refuse(f"it has {len(source)} characters, and {MOST_SOURCE} are the most")
    if not source.strip():
        _refuse("it is empty")
    jinja = translate.to_jinja(source)
    _check(jinja)
    template = Template(source, jinja)
    render(template, dict.fromkeys(FIELDS, "") | {"categories": ()})
    return template


def render(template: Template, fields: Mapping[str, Any]) -> SafeHtml:
    """The message's text. Raises UserError when it takes too long or grows too large."""
    try:
        written = _environment().render_str(template.jinja, "template", **fields)
    except minijinja.TemplateError as error:
        _refuse(_engine_words(_PLACE.sub("", str(error.message)), error.line), error)
    except (ArithmeticError, AttributeError, TypeError, ValueError) as error:  # of our helpers
        _refuse("a helper was given something that it cannot use", error)
    if len(written) > MOST_OUTPUT:
        _refuse("what it writes is too long")
    return sanitize.html(written, base_url="https://template.invalid/")


def _engine_words(message: str, line: int | None) -> str:
    """What the engine says, for people who write templates; its own words are a detail."""
    detail = message.removeprefix("syntax error: ")
    if "out of fuel" in message:
        return "it takes too long: loops in loops have too much to do"
    if detail.startswith("unexpected end of input"):
        return "an {% if %} or {% for %} has no end"
    if detail.startswith("unknown statement "):
        word = detail.removeprefix("unknown statement ")
        return f"{{% {word} %}} in line {line or 1} ends nothing"
    return f"line {line or 1} cannot be read ({detail})"


def _refuse(sentence: str, cause: Exception | None = None) -> NoReturn:
    words = f"The template cannot be used: {sentence}."
    if sentence.endswith("?"):
        words = words.removesuffix(".")
    raise UserError(words, code="invalid_template") from cause


# -- what may stand in a template -----------------------------------------------------------------


def _check(jinja: str) -> None:
    """Refuse whatever is not among the few things that are harmless at any size."""
    known = set(FIELDS)
    place = 0
    while opening := _OPEN.search(jinja, place):
        if opening[0] == "{#":
            end = jinja.find("#}", opening.end())
            if end < 0:
                _refuse("a comment has no end")
            place = end + 2
            continue
        tokens, place = _tag(jinja, opening.end())
        if opening[0].startswith("{%"):
            tokens = _statement(tokens, known)
        _check_names(tokens, known)


def _tag(jinja: str, place: int) -> tuple[list[str], int]:
    """The tokens of a tag, and where it ends."""
    tokens: list[str] = []
    while True:
        found = _TOKEN.match(jinja, place)
        if found is None:
            near = jinja[place : place + 20].strip()
            _refuse(f"{near!r} cannot be read" if near else "a tag has no end")
        place = found.end()
        if found["end"]:
            return tokens, place
        tokens.append(found[0].strip())


def _statement(tokens: list[str], known: set[str]) -> list[str]:
    """The tokens of a statement behind its word; a loop makes its name known."""
    word = tokens[0] if tokens else ""
    if word not in _STATEMENTS:
        _refuse(f"{{% {word} %}} is not known here; if and for are")
    if word != "for":
        return tokens[1:]
    if len(tokens) < 4 or not tokens[1].isidentifier() or tokens[2] != "in":
        _refuse("a loop is written {% for each in categories %}")
    known |= {tokens[1], "loop"}
    return tokens[3:]


def _check_names(tokens: list[str], known: set[str]) -> None:
    for number, word in enumerate(tokens):
        before = tokens[number - 1] if number else ""
        behind = tokens[number + 1] if number + 1 < len(tokens) else ""
        if word == ".":
            if before != "loop" or behind not in _LOOP:
                _refuse("nothing can be taken out of a value with a dot")
        elif word == "(" and _is_value(before) and not _may_be_called(tokens[:number]):
            _refuse(f"{before} cannot be called")
        elif (word[0].isalpha() or word[0] == "_") and before != ".":
            _check_name(word, before, behind, known)


def _may_be_called(tokens: list[str]) -> bool:
    return tokens[-1] in _FUNCTIONS or tokens[-2:-1] == ["|"]


def _is_value(token: str) -> bool:
    is_name = token.isidentifier() and token not in _WORDS | {"if", "else"}
    return is_name or token[:1] in tuple("\"')")


def _check_name(name: str, before: str, behind: str, known: set[str]) -> None:
    if before == "|":
        if name not in _FILTERS:
            _refuse(_unknown(f"filter {name}", name, _FILTERS))
    elif name in _FUNCTIONS and name not in known:
        if behind != "(":
            _refuse(f"{name} needs its values in brackets")
    elif name not in known | _WORDS | {"if", "else"}:
        _refuse(_unknown(f"field {name}", name, known))


def _unknown(what: str, name: str, known: Set[str]) -> str:
    if near := nearest(name, known):
        return f"there is no {what}; did you mean {near}?"
    kind, _, _ = what.partition(" ")
    return f"there is no {what}; {kind}s are {', '.join(_offered(known))}"


def _offered(known: Set[str]) -> list[str]:
    """Names to choose from: our own, and not what other systems call the same."""
    return list(OWN_FIELDS) if known >= FIELDS.keys() else sorted(known)


# -- the engine -----------------------------------------------------------------------------------


@lru_cache(maxsize=1)
def _environment() -> minijinja.Environment:
    helpers: dict[str, Callable[..., Any]] = {
        "bold": _bold,
        "italic": _italic,
        "create_link": _create_link,
        "link_to": _create_link,
        "substring": _cut,
        "cut": _cut,
    }
    return minijinja.Environment(
        auto_escape_callback=lambda _: "html",
        fuel=FUEL,
        undefined_behavior="lenient",
        globals=dict(helpers),
        filters={**helpers, "replace": _replace, "date": _date},
    )


def _plain(value: Any) -> str:
    return "" if value is None else str(value)


def _escaped(value: Any) -> str:
    return str(value) if hasattr(value, "__html__") else minijinja.escape(_plain(value))


def _bold(value: Any) -> str:
    return minijinja.safe(f"<b>{_escaped(value)}</b>") if _plain(value) else ""


def _italic(value: Any) -> str:
    return minijinja.safe(f"<i>{_escaped(value)}</i>") if _plain(value) else ""


def _create_link(text: Any, url: Any) -> str:
    """A link; an empty text becomes "link" (TGD-23), an address that is none leaves the text."""
    shown = text if _plain(text) else "link"
    if not hasattr(shown, "__html__"):
        shown = _cut(shown, MOST_LINK_TEXT)
    if not is_web_address(_plain(url)):
        return minijinja.safe(_escaped(text))
    return minijinja.safe(f'<a href="{minijinja.escape(_plain(url))}">{_escaped(shown)}</a>')


def _cut(value: Any, most: int) -> str:
    """The first characters, with "..." where there were more; no visible character is torn."""
    text, most = _plain(value), max(0, int(most))
    if hasattr(value, "__html__") or len(text) <= most:
        return value if isinstance(value, str) else text
    return text[: boundary(text, most)] + "..."


def _replace(value: Any, old: str, new: str) -> str:
    text = _plain(value)
    if not old or len(text) + text.count(old) * len(new) > MOST_OUTPUT:
        return text
    return text.replace(old, new)


def _date(value: Any, form: str = "%Y-%m-%d") -> str:
    """A date in another form; what is no date stays as it is."""
    try:
        return datetime.fromisoformat(_plain(value)).strftime(form[:64])[:200]
    except ValueError:
        return _plain(value)
