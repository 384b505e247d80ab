"""Templates of the systems that Wireroom unites, put into its own language (pure).

Read are the parts that their documentation shows: of RSS Bot's Go templates fields, `if`, `with`,
comparisons and trim markers; of El Monitorro's Handlebars fields, helpers, `#if` and `#unless`.
Anything else is refused with a sentence, so that nothing is sent that means something else.
"""

import re
from collections.abc import Callable
from typing import Final, Literal, NoReturn

from wireroom.errors import UserError

Syntax = Literal["jinja", "go", "handlebars"]

_GO = re.compile(r"\{\{-?\s*(?:\.|(?:if|else|end|with|range|template|define)\b(?!\()|/\*)")
_HANDLEBARS = re.compile(
    r"\{\{\{|\{\{~?\s*[#/^!&]|\{\{~|~\}\}"
    r"|\{\{\s*(?:bold|italic|create_link|substring)\s+(?!\()"
    r"|\{\{\s*(?:bold|italic|create_link|substring)\s+\((?:substring|bold|italic)\s"
)
_TAG = re.compile(
    r"""\{\{!--.*?--~?\}\}|\{\{-?\s*/\*.*?\*/\s*-?\}\}"""
    r"""|\{\{\{?((?:"(?:[^"\\]|\\.)*"|'(?:[^'\\]|\\.)*'|`[^`]*`|[^}"'`])*)\}?\}\}""",
    re.DOTALL,
)
_PART = re.compile(
    r"""\s*(?:(?P<string>"(?:[^"\\]|\\.)*"|'(?:[^'\\]|\\.)*'|`[^`]*`)|(?P<number>\d{1,6}(?![\w.]))"""
    r"""|(?P<open>\()|(?P<close>\))|(?P<pipe>\|)|(?P<name>\.?[A-Za-z_]\w*|\.))"""
)


def syntax(source: str) -> Syntax:
    """In which of the three languages a template is written."""
    if "{%" in source:
        return "jinja"
    if _HANDLEBARS.search(source) and not re.search(r"\{\{-?\s*\.", source):
        return "handlebars"
    return "go" if _GO.search(source) else "jinja"


def to_jinja(source: str) -> str:
    """The template in Wireroom's language. Raises UserError (`invalid_template`)."""
    match syntax(source):
        case "go":
            return _translated(source, _Go().tag)
        case "handlebars":
            return _translated(source, _handlebars_tag)
    return source


def _translated(source: str, tag: Callable[[str], str]) -> str:
    written: list[str] = []
    place = 0
    for found in _TAG.finditer(source):
        written.append(_literal(source[place : found.start()]))
        place = found.end()
        inner = found[1]
        if inner is None or inner.lstrip("~ ").startswith("!"):
            written.append(_comment(found[0]))
        else:
            written.append(tag(inner))
    written.append(_literal(source[place:]))
    return "".join(written)


def _comment(tag: str) -> str:
    """Nothing, with the trimming that a comment may ask for."""
    return ("{#-" if tag.startswith(("{{-", "{{~")) else "{#") + (
        "-#}" if tag.endswith(("-}}", "~}}")) else "#}"
    )


def _literal(text: str) -> str:
    """Text between tags, safe from being read as one of ours."""
    if "{{" in text:
        _refuse("a {{ has no }}")
    return re.sub(r"\{[%#]", lambda found: '{{ "' + found[0] + '" }}', text)


def _refuse(sentence: str) -> NoReturn:
    raise UserError(f"The template cannot be used: {sentence}.", code="invalid_template")


def _parts(text: str) -> list[tuple[str, str]]:
    """The words of a tag as (kind, text)."""
    parts = []
    place = 0
    text = text.strip()
    while place < len(text):
        found = _PART.match(text, place)
        if found is None:
            _refuse(f"{text[place : place + 20].strip()!r} cannot be read")
        assert found.lastgroup is not None
        parts.append((found.lastgroup, found[0].strip()))
        place = found.end()
    return parts


def _string(marked: str) -> str:
    """A string of either language as one of ours."""
    text = marked[1:-1] if marked[0] == "`" else re.sub(r"\\(.)", _unescape, marked[1:-1])
    return '"' + text.replace("\\", "\\\\").replace('"', '\\"').replace("\n", "\\n") + '"'


def _unescape(found: re.Match[str]) -> str:
    return {"n": "\n", "t": "\t"}.get(found[1], found[1])


# -- Handlebars -----------------------------------------------------------------------------------

_HELPERS: Final = {"bold": 1, "italic": 1, "create_link": 2, "substring": 2}


def _handlebars_tag(inner: str) -> str:
    left, right = ("-" if inner.startswith("~") else ""), ("-" if inner.endswith("~") else "")
    body = inner.strip("~").strip().removeprefix("&").strip()

    def statement(words: str) -> str:
        return f"{{%{left} {words} {right}%}}"

    for opening, words in (("#if ", "if "), ("#unless ", "if not "), ("else if ", "elif ")):
        if body.startswith(opening):
            return statement(words + _helper_call(_parts(body[len(opening) :])))
    if body in ("else", "^"):
        return statement("else")
    if body in ("/if", "/unless"):
        return statement("endif")
    if body[:1] in "#/^>":
        _refuse(f"{{{{{body[:20]}}}}} is not known here; #if and #unless are")
    return f"{{{{{left} {_helper_call(_parts(body))} {right}}}}}"


def _helper_call(parts: list[tuple[str, str]]) -> str:
    call, rest = _handlebars_call(parts)
    if rest:
        _refuse(f"{rest[0][1]!r} is one word too many")
    return call


def _handlebars_call(parts: list[tuple[str, str]]) -> tuple[str, list[tuple[str, str]]]:
    """A helper with its arguments up to the end or a closing bracket, or one value."""
    if not parts:
        _refuse("a tag is empty")
    kind, name = parts[0]
    if kind != "name" or name not in _HELPERS:
        return _handlebars_value(parts)
    arguments: list[str] = []
    rest = parts[1:]
    while rest and rest[0][0] != "close":
        argument, rest = _handlebars_value(rest)
        arguments.append(argument)
    if len(arguments) != _HELPERS[name]:
        _refuse(f"{name} takes {_HELPERS[name]} values, not {len(arguments)}")
    return f"{name}({', '.join(arguments)})", rest


def _handlebars_value(parts: list[tuple[str, str]]) -> tuple[str, list[tuple[str, str]]]:
    kind, text = parts[0]
    match kind:
        case "string":
            return _string(text), parts[1:]
        case "number":
            return text, parts[1:]
        case "name" if not text.startswith("."):
            return text, parts[1:]
        case "open":
            call, rest = _handlebars_call(parts[1:])
            if not rest or rest[0][0] != "close":
                _refuse("a closing ) is missing")
            return call, rest[1:]
    _refuse(f"{text!r} cannot stand there")


# -- Go -------------------------------------------------------------------------------------------

_COMPARISONS: Final = {"eq": "==", "ne": "!=", "lt": "<", "le": "<=", "gt": ">", "ge": ">="}


class _Go:
    """Go's actions one after the other; knows which field `with` made the dot."""

    def __init__(self) -> None:
        #: One for each open `if` or `with`: the field that is the dot within it, or "".
        self._open: list[str] = []

    def tag(self, inner: str) -> str:
        left = "-" if re.match(r"-\s", inner) else ""
        right = "-" if re.search(r"\s-$", inner) else ""
        body = inner[len(left) : len(inner) - len(right)].strip()
        word, _, rest = body.partition(" ")
        match word:
            case "if":
                self._open.append("")
                return f"{{%{left} if {self._expression(rest)} {right}%}}"
            case "with":
                field = self._expression(rest)
                if not re.fullmatch(r"\w+", field):
                    _refuse("with takes one field")
                self._open.append(field)
                return f"{{%{left} if {field} {right}%}}"
            case "else":
                return f"{{%{left} {self._otherwise(rest.strip())} {right}%}}"
            case "end":
                if not self._open:
                    _refuse("there is an {{end}} too many")
                self._open.pop()
                return f"{{%{left} endif {right}%}}"
            case "range" | "template" | "define" | "block":
                _refuse(f"{{{{{word}}}}} is not known here; if and with are")
        return f"{{{{{left} {self._expression(body)} {right}}}}}"

    def _otherwise(self, rest: str) -> str:
        if not rest:
            return "else"
        if not rest.startswith("if "):
            _refuse(f"{{{{else {rest[:20]}}}}} is not known here")
        return f"elif {self._expression(rest[3:])}"

    def _expression(self, text: str) -> str:
        parts = _parts(text)
        while len(parts) > 2 and parts[-2:] == [("pipe", "|"), ("name", "html")]:
            parts = parts[:-2]  # every value is escaped once anyway
        expression, rest = self._call(parts)
        if rest:
            _refuse(f"{rest[0][1]!r} cannot stand there")
        return expression

    def _call(self, parts: list[tuple[str, str]]) -> tuple[str, list[tuple[str, str]]]:
        if not parts:
            _refuse("an action is empty")
        kind, name = parts[0]
        if kind != "name" or name.startswith("."):
            return self._value(parts)
        values: list[str] = []
        rest = parts[1:]
        while rest and rest[0][0] not in ("close", "pipe"):
            value, rest = self._value(rest)
            values.append(value)
        return self._applied(name, values), rest

    def _applied(self, name: str, values: list[str]) -> str:
        if name in _COMPARISONS and len(values) == 2:
            return f"({values[0]} {_COMPARISONS[name]} {values[1]})"
        if name in ("and", "or") and values:
            return "(" + f" {name} ".join(values) + ")"
        if name == "not" and len(values) == 1:
            return f"(not {values[0]})"
        if name == "len" and len(values) == 1:
            return f"({values[0]}|length)"
        if name == "html" and len(values) == 1:
            return values[0]
        _refuse(f"{name} is not known here; eq, ne, lt, le, gt, ge, and, or, not and len are")

    def _value(self, parts: list[tuple[str, str]]) -> tuple[str, list[tuple[str, str]]]:
        kind, text = parts[0]
        match kind:
            case "string":
                return _string(text), parts[1:]
            case "number":
                return text, parts[1:]
            case "name" if text == ".":
                dot = next((field for field in reversed(self._open) if field), "")
                return dot or _refuse("a lone dot means nothing here"), parts[1:]
            case "name" if text.startswith("."):
                return text[1:], parts[1:]
            case "open":
                call, rest = self._call(parts[1:])
                if not rest or rest[0][0] != "close":
                    _refuse("a closing ) is missing")
                return call, rest[1:]
        _refuse(f"{text!r} cannot stand there")
