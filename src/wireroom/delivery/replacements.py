"""What is taken out of every text that goes out: teasers, signatures of generators (C30) (pure).

Literals are case-sensitive, expressions run in linear time; matches are removed, in table order
(TGD-28, TGD-29). In HTML only the text is touched, so no tag can be torn.
"""

import re
from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import lru_cache
from html import escape, unescape
from typing import Any, Final

from wireroom.delivery.message import Message
from wireroom.errors import UserError
from wireroom.feeds.filters import patterns
from wireroom.feeds.model import SafeHtml

MOST_CHARACTERS: Final = 255


@dataclass(frozen=True, slots=True)
class Replacement:
    value: str
    is_regex: bool = False


def check(replacement: Replacement) -> None:
    """Raises UserError (`invalid_replacement`) for one that could never be applied."""
    if not replacement.value.strip() or len(replacement.value) > MOST_CHARACTERS:
        raise UserError(
            f"What is to be removed has 1 to {MOST_CHARACTERS} characters.",
            code="invalid_replacement",
        )
    if replacement.is_regex:
        try:
            _compiled(replacement.value)
        except UserError as error:
            raise UserError(str(error), code="invalid_replacement") from error


def cleaned(message: Message, table: Sequence[Replacement]) -> Message:
    """The message without what the table removes, in title, feed's title and text."""
    if not table:
        return message
    return replace(
        message,
        title=removed(message.title, table).strip(),
        feed_title=removed(message.feed_title, table).strip(),
        body=_in_html(message.body, table),
        summary=None if message.summary is None else _in_html(message.summary, table),
    )


def removed(text: str, table: Sequence[Replacement]) -> str:
    """A plain text without what the table removes; rows that cannot be applied are passed over."""
    for each in table:
        if not each.is_regex:
            text = text.replace(each.value, "")
            continue
        try:
            text = _compiled(each.value).sub("", text.encode("utf-8", "replace").decode())
        except UserError:
            continue
    return text


@lru_cache(maxsize=512)
def _compiled(pattern: str) -> Any:
    return patterns.compiled(pattern, any_case=False)


_TEXT = re.compile(r"(<[^>]*>)")


def _in_html(html: SafeHtml, table: Sequence[Replacement]) -> SafeHtml:
    """The texts between tags one by one; sanitised HTML has no ">" inside a tag."""
    parts = _TEXT.split(html)
    for number in range(0, len(parts), 2):
        plain = unescape(parts[number])
        shorter = removed(plain, table) if plain.strip() else plain
        if shorter != plain:
            parts[number] = escape(shorter, quote=False)
    return SafeHtml("".join(parts))
