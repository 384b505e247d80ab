"""Blocks written as Telegram's HTML (pure).

Only the tags that the server's parser knows, strictly nested, and of its four entities only those
that are needed. A run is a stretch of text with the tags around it, outermost first; writing runs
one after the other and keeping the common outer tags open cannot nest wrongly.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from typing import Final

from wireroom.delivery.richtext import Block, Mark, Span, gap, lead

#: Formatting entities of one message; the server drops the rest without a word.
MOST_ENTITIES: Final = 100
#: Bytes of text and markup; the server reads no further than 35,000.
MOST_BYTES: Final = 34_000
#: A link longer than this is dropped when a message comes near `MOST_BYTES`.
LONG_LINK: Final = 512

# Outermost first. `code` stands apart: it contains nothing and is contained in quotes only.
_TAG_OF: Final[dict[Mark, str]] = {
    "bold": "b",
    "italic": "i",
    "underline": "u",
    "strike": "s",
    "spoiler": "tg-spoiler",
}
_ORNAMENTS: Final = frozenset(_TAG_OF.values()) - {"tg-spoiler"}


@dataclass(frozen=True, slots=True)
class Run:
    """Text between tags such as "b" or 'a href="…"', outermost first."""

    text: str
    tags: tuple[str, ...] = ()


def html(blocks: Sequence[Block]) -> str:
    """The blocks as HTML within the limits on entities and bytes, whose surplus goes unmarked.

    The visible text is that of `richtext.length`; nothing of it is left out.
    """
    written = runs(blocks)
    if entity_count(written) > MOST_ENTITIES:
        written = _without(written, _ORNAMENTS)
    return _within_bytes(_within_entities(written))


def text(blocks: Sequence[Block]) -> str:
    """The visible text of the blocks."""
    return "".join(run.text for run in runs(blocks))


def runs(blocks: Sequence[Block]) -> list[Run]:
    written: list[Run] = []
    before: Block | None = None
    for block in blocks:
        if before is not None:
            inside = ("blockquote",) if before.quoted and block.quoted else ()
            written.append(Run(gap(before, block), inside))
        written.extend(_block_runs(block))
        before = block
    if written:
        # The server strips leading blanks, and would take the first list line's indent.
        written[0] = replace(written[0], text=written[0].text.lstrip(" "))
    return [run for run in written if run.text]


def _block_runs(block: Block) -> Iterable[Run]:
    outer = ("blockquote",) if block.quoted else ()
    yield Run(lead(block), outer)
    if block.kind == "pre":
        yield Run(block.text, (*outer, *_pre(block.language)))
        return
    for span in block.spans:
        yield Run(span.text, outer + _span_tags(span, is_bold=block.kind == "heading"))


def _pre(language: str) -> tuple[str, ...]:
    return ("pre", f'code class="language-{language}"') if language else ("pre",)


def _span_tags(span: Span, *, is_bold: bool) -> tuple[str, ...]:
    if span.href:
        link: tuple[str, ...] = (f'a href="{_escaped(span.href)}"',)
    elif "code" in span.marks:
        return ("code",)
    else:
        link = ()
    marks = span.marks | {"bold"} if is_bold else span.marks
    return link + tuple(tag for mark, tag in _TAG_OF.items() if mark in marks)


def entity_count(written: Iterable[Run]) -> int:
    """How many tags are opened, which is no less than the entities that come of them."""
    count = 0
    open_tags: tuple[str, ...] = ()
    for run in written:
        count += len(run.tags) - _common(open_tags, run.tags)
        open_tags = run.tags
    return count


def _without(written: Iterable[Run], tags: frozenset[str]) -> list[Run]:
    return [replace(run, tags=tuple(t for t in run.tags if t not in tags)) for run in written]


def _within_entities(written: Iterable[Run]) -> list[Run]:
    """The first hundred stay; later text keeps only what is open already."""
    kept: list[Run] = []
    left = MOST_ENTITIES
    open_tags: tuple[str, ...] = ()
    for run in written:
        common = _common(open_tags, run.tags)
        tags = run.tags if len(run.tags) - common <= left else run.tags[:common]
        left -= len(tags) - common
        open_tags = tags
        kept.append(replace(run, tags=tags))
    return kept


def _within_bytes(written: list[Run]) -> str:
    text = _written(written)
    if len(text.encode()) <= MOST_BYTES:
        return text
    text = _written([_without_link(run, LONG_LINK) for run in written])
    if len(text.encode()) <= MOST_BYTES:
        return text
    return _written([_without_link(run, 0) for run in written])


def _without_link(run: Run, longest: int) -> Run:
    tags = tuple(t for t in run.tags if not (t.startswith("a ") and len(t) > longest))
    return replace(run, tags=tags)


def _written(written: Iterable[Run]) -> str:
    pieces: list[str] = []
    open_tags: tuple[str, ...] = ()
    for run in (*written, Run("")):
        common = _common(open_tags, run.tags)
        pieces += [f"</{tag.partition(' ')[0]}>" for tag in reversed(open_tags[common:])]
        pieces += [f"<{tag}>" for tag in run.tags[common:]]
        pieces.append(_escaped(run.text))
        open_tags = run.tags
    return "".join(pieces)


def _common(one: tuple[str, ...], other: tuple[str, ...]) -> int:
    """Length of the common beginning."""
    count = 0
    for a, b in zip(one, other, strict=False):
        if a != b:
            break
        count += 1
    return count


def _escaped(text: str) -> str:
    return (
        text.replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;").replace('"', "&quot;")
    )
