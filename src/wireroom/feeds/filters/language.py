"""The language of filters: text becomes a tree, a tree becomes text (pure).

Read by recursive descent over tokens that a single expression cuts; depth and size are bounded.
Every refusal says what is wrong, where, and what to write instead.
"""

import re
from dataclasses import dataclass
from functools import lru_cache
from typing import Final, NoReturn, cast, get_args

from wireroom.errors import UserError
from wireroom.feeds.filters import patterns
from wireroom.feeds.filters.tree import (
    And,
    Comparison,
    Field,
    Filter,
    Has,
    Language,
    Length,
    Not,
    Or,
    Regex,
    Thing,
    Word,
    both,
    either,
)
from wireroom.suggesting import nearest

MOST_CHARACTERS: Final = 4000
MOST_TERMS: Final = 200
MOST_DEPTH: Final = 30

#: What people write for a field.
_FIELDS: Final[dict[str, Field]] = {
    "title": "title",
    "text": "text",
    "body": "text",
    "content": "text",
    "author": "author",
    "category": "category",
    "tag": "category",
    "url": "url",
    "link": "url",
    "feed": "feed",
}
_OTHERS: Final = ("lang", "has")
_THINGS: Final = frozenset(get_args(Thing))

# A quoted part or an expression may hold anything, with \ before its own end mark; a word runs to
# a blank, a bracket or a quote.
_QUOTED = r'"(?:[^"\\]|\\.)*+"?'
_SLASHED = r"/(?:[^/\\]|\\.)*+/?"
_TOKEN = re.compile(
    rf"""(?P<blank>\s+)|(?P<open>\()|(?P<close>\))|(?P<comma>,)
    |(?P<not>[!-](?=[^\s,!)-]))
    |(?P<length>(?i:words)\s*(?P<comparison>[<>]=?|=)\s*(?P<count>\d+)(?![^\s),]))
    |(?:(?P<field>[A-Za-z]+):(?!//))?
     (?:(?P<quoted>{_QUOTED})|(?P<regex>{_SLASHED})|(?P<word>[^\s(),"]+))""",
    re.VERBOSE | re.DOTALL,
)


@dataclass(frozen=True, slots=True)
class _Token:
    kind: str  # open, close, comma, not, term, AND, OR, NOT, end
    place: int
    term: Filter | None = None
    #: A bare word without quotes or field, of which lists make phrases.
    bare: str = ""


@lru_cache(maxsize=4096)
def parse(text: str) -> Filter:
    """Read a filter. Raises UserError (`invalid_filter`) with one sentence and the place."""
    if len(text) > MOST_CHARACTERS:
        raise UserError(
            f"A filter has at most {MOST_CHARACTERS} characters; this one has {len(text)}.",
            code="invalid_filter",
        )
    if not text.strip():
        raise UserError("A filter needs at least one word.", code="invalid_filter")
    tokens = _tokens(text)
    if sum(token.kind == "term" for token in tokens) > MOST_TERMS:
        raise UserError(f"A filter has at most {MOST_TERMS} words.", code="invalid_filter")
    reader = _Reader(text, tokens)
    if any(token.kind == "comma" for token in tokens):
        return reader.list_of_words()
    return reader.whole()


def _refuse(text: str, place: int, sentence: str) -> NoReturn:
    near = text[place : place + 20].split("\n", maxsplit=1)[0].strip()
    where = f"At character {place + 1}" + (f" ({near})" if near else "")
    raise UserError(f"{where}: {sentence}", code="invalid_filter")


# -- tokens ---------------------------------------------------------------------------------------


def _tokens(text: str) -> list[_Token]:
    tokens = []
    place = 0
    while place < len(text):
        found = _TOKEN.match(text, place)
        if found is None:
            _refuse(text, place, "this cannot be read; put it into quotes to look for it.")
        if not found["blank"]:
            tokens.append(_token(text, found))
        place = found.end()
    return [*tokens, _Token("end", len(text))]


def _token(text: str, found: re.Match[str]) -> _Token:
    place = found.start()
    kind = found.lastgroup or ""
    if kind in ("open", "close", "comma", "not"):
        return _Token(kind, place)
    if found["length"]:
        words = int(found["count"][:9])
        return _Token("term", place, Length(cast("Comparison", found["comparison"]), words))
    if found["word"] in ("AND", "OR", "NOT") and not found["field"]:
        return _Token(found["word"], place)
    bare = found["word"] if found["word"] and not found["field"] else ""
    return _Token("term", place, _term(text, found), bare)


def _term(text: str, found: re.Match[str]) -> Filter:
    field = found["field"]
    if field and field.lower() in _OTHERS:
        return _fact(text, found)
    if field and field.lower() not in _FIELDS:
        _refuse(text, found.start(), _unknown_field(field))
    where = _FIELDS[field.lower()] if field else ""
    if found["regex"]:
        return Regex(_pattern(text, found), where)
    words = _unquoted(text, found) if found["quoted"] else found["word"]
    is_empty_field = words.endswith(":") and words[:-1].lower() in (*_FIELDS, *_OTHERS)
    if is_empty_field and not field and not found["quoted"]:
        _refuse(text, found.start(), f"nothing stands behind {words} (write it without a blank).")
    if not words.strip():
        _refuse(text, found.start(), "there is nothing between the quotes.")
    return Word(" ".join(words.split()), where)


def _unknown_field(field: str) -> str:
    near = nearest(field, [*_FIELDS, *_OTHERS])
    hint = f"did you mean {near}:?" if near else "fields are title, text, author, category, "
    hint += "" if near else "url, feed, lang and has."
    return f"there is no field {field}: — {hint} Put it into quotes to look for the text itself."


def _fact(text: str, found: re.Match[str]) -> Filter:
    value = (found["word"] or "").lower()
    if found["field"].lower() == "lang":
        if not re.fullmatch(r"[a-z]{2,8}(-[a-z0-9]{1,8})*", value):
            _refuse(text, found.start(), "a language is written as lang:en or lang:pt-br.")
        return Language(value)
    if value not in _THINGS:
        things = ", ".join(sorted(_THINGS))
        _refuse(text, found.start(), f"has: knows {things}.")
    return Has(cast("Thing", value))


def _unquoted(text: str, found: re.Match[str]) -> str:
    quoted = found["quoted"]
    if len(quoted) < 2 or not quoted.endswith('"') or _ends_escaped(quoted):
        _refuse(text, found.start(), 'the closing " is missing.')
    return re.sub(r'\\(["\\])', r"\1", quoted[1:-1])


def _pattern(text: str, found: re.Match[str]) -> str:
    slashed = found["regex"]
    if len(slashed) < 2 or not slashed.endswith("/") or _ends_escaped(slashed):
        _refuse(text, found.start(), 'the closing / is missing; put it into " " to look for a /.')
    pattern = slashed[1:-1].replace("\\/", "/")
    if not pattern:
        _refuse(text, found.start(), "there is nothing between the slashes.")
    try:
        patterns.compiled(pattern)
    except UserError as error:
        _refuse(text, found.start(), str(error))
    return pattern


def _ends_escaped(marked: str) -> bool:
    """Whether the last mark is part of the content: an odd number of \\ stands before it."""
    content = marked[:-1]
    return (len(content) - len(content.rstrip("\\"))) % 2 == 1


# -- the tree -------------------------------------------------------------------------------------


class _Reader:
    """Walks over the tokens once; each method reads what its name says and gives its tree."""

    def __init__(self, text: str, tokens: list[_Token]) -> None:
        self._text = text
        self._tokens = tokens
        self._at = 0
        self._depth = 0

    @property
    def _next(self) -> _Token:
        return self._tokens[self._at]

    def _take(self) -> _Token:
        self._at += 1
        return self._tokens[self._at - 1]

    def whole(self) -> Filter:
        found = self._either()
        if self._next.kind != "end":
            _refuse(self._text, self._next.place, "there is no ( for this ).")
        return found

    def list_of_words(self) -> Filter:
        """`a, b c, !d`: any of the plain ones, none of the excluded (TGC-25, TGD-37)."""
        plain: list[Filter] = []
        excluded: list[Filter] = []
        while True:
            while self._next.kind == "comma":
                self._take()
            if self._next.kind == "end":
                break
            item = self._phrase() or self._either()
            if isinstance(item, Not):
                excluded.append(item)
            else:
                plain.append(item)
            if self._next.kind not in ("comma", "end"):
                _refuse(self._text, self._next.place, "there is no ( for this ).")
        if not plain and not excluded:
            _refuse(self._text, 0, "a filter needs at least one word.")
        return both([*([either(plain)] if plain else []), *excluded])

    def _phrase(self) -> Filter | None:
        """Bare words up to the next comma; None when there is anything else among them."""
        end = self._at
        while self._tokens[end].kind not in ("comma", "end"):
            end += 1
        tokens = self._tokens[self._at : end]
        is_excluded = tokens[0].kind == "not"
        words = [token.bare for token in tokens[is_excluded:]]
        if not words or not all(words):
            return None
        self._at = end
        word = Word(" ".join(words))
        return Not(word) if is_excluded else word

    def _either(self) -> Filter:
        parts = [self._both()]
        while self._next.kind == "OR":
            self._take()
            parts.append(self._both())
        return either(parts)

    def _both(self) -> Filter:
        parts = [self._one()]
        while self._next.kind not in ("OR", "close", "comma", "end"):
            if self._next.kind == "AND":
                self._take()
            parts.append(self._one())
        return both(parts)

    def _one(self) -> Filter:
        token = self._take()
        if token.kind in ("not", "NOT", "open"):
            self._depth += 1
            if self._depth > MOST_DEPTH:
                _refuse(self._text, token.place, "this is nested too deeply.")
            inner = self._bracketed(token) if token.kind == "open" else Not(self._one())
            self._depth -= 1
            return inner
        if token.term is not None:
            return token.term
        if token.kind == "end":
            _refuse(self._text, token.place, "something is missing at the end.")
        name = {"close": ")", "comma": "a comma"}.get(token.kind, token.kind)
        _refuse(self._text, token.place, f"a word is missing before {name}.")

    def _bracketed(self, opening: _Token) -> Filter:
        inner = self._either()
        if self._take().kind != "close":
            _refuse(self._text, opening.place, "the closing ) is missing.")
        return inner


# -- and back -------------------------------------------------------------------------------------


def unparse(tree: Filter) -> str:
    """The filter as text that `parse` reads as the same tree."""
    match tree:
        case Word(text, field):
            return _in(field) + _quoted(text)
        case Regex(pattern, field):
            return _in(field) + "/" + _unslashed(pattern) + "/"
        case Has(thing):
            return f"has:{thing}"
        case Language(tag):
            return f"lang:{tag}"
        case Length(comparison, words):
            return f"words{comparison}{words}"
        case Not(inner):
            return "NOT " + _grouped(inner)
        case And(parts):
            return " ".join(_grouped(part) for part in parts)
        case Or(parts):
            return " OR ".join(_grouped(part) for part in parts)


def _grouped(tree: Filter) -> str:
    return f"({unparse(tree)})" if isinstance(tree, And | Or) else unparse(tree)


def _in(field: Field) -> str:
    return f"{field}:" if field else ""


_PLAIN = re.compile(r"[^\W_][\w.+#&'’%€$-]*")


def _quoted(text: str) -> str:
    if _PLAIN.fullmatch(text) and text not in ("AND", "OR", "NOT"):
        return text
    return '"' + re.sub(r'(["\\])', r"\\\1", text) + '"'


def _unslashed(pattern: str) -> str:
    """Slashes marked, unless they are marked already."""
    return re.sub(r"\\.|/", lambda m: "\\/" if m[0] == "/" else m[0], pattern, flags=re.DOTALL)
