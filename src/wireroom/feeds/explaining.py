"""Why an item reads as it does: where each field came from, its keys, what sanitising took.

A field comes from whatever element it would be different without, and that is how it is found
out: the item is read again without each of its elements in turn. Where several tell the same, each
would do: then from those that give the field alone. No reader has to keep notes, and what is found
is true of every fallback there is. Made for people who wonder; slow.
"""

import json
from collections.abc import Iterator, Mapping, Sequence, Set
from copy import deepcopy
from dataclasses import dataclass, fields, replace
from typing import NamedTuple

from lxml import etree

from wireroom.errors import NotAFeed
from wireroom.feeds import encoding, faults, identity, parse, sanitize, slices, xml
from wireroom.feeds.elements import Element
from wireroom.feeds.identity import DEFAULT_RULE, IdentityRule, ItemKeys
from wireroom.feeds.model import Item, ParsedFeed
from wireroom.feeds.namespaces import Names, names_for

#: Items explained of one document.
MAX_ITEMS = 100

#: Characters shown of an element that no field comes from.
_SHOWN = 60

_FIELDS = tuple(field.name for field in fields(Item) if field.name != "digest")
_HTML = frozenset({"summary", "content"})
#: In the place of an element's name, for what is there whatever the item's elements are: its own
#: attributes (rdf:about), the language of the feed.
_AROUND = "around the elements"


class _Ablation(NamedTuple):
    """An element (or key) of an item, the item as it reads without it and with nothing else, and
    the element's own raw HTML."""

    name: str
    without: Item | None
    alone: Item | None
    html: str


@dataclass(frozen=True, slots=True)
class Explained:
    """An item with its keys among the others; `origins` names elements by field.

    `removed` holds what sanitising took out of its texts, one phrase each; `unused` the elements
    that no field comes from, with the beginning of their text: a date that cannot be read is one.
    """

    item: Item
    keys: ItemKeys
    origins: Mapping[str, tuple[str, ...]]
    removed: tuple[str, ...]
    unused: tuple[str, ...] = ()


def explain(
    body: bytes, *, url: str, content_type: str = "", rule: IdentityRule = DEFAULT_RULE
) -> tuple[Explained, ...]:
    """Every item of a document (at most `MAX_ITEMS`) explained. Raises NotAFeed.

    Where a document is too broken to take single items out of it, origins and removals are empty.
    """
    items = parse.read(body, url=url, content_type=content_type).items
    ablations = list(_ablations(body, url, content_type))
    if len(ablations) != min(len(items), MAX_ITEMS):
        ablations = [() for _ in items[:MAX_ITEMS]]
    keys = identity.document_keys(items, rule)
    return tuple(map(_explained, items, keys, ablations))


def with_all_problems(parsed: ParsedFeed, body: bytes, content_type: str = "") -> ParsedFeed:
    """`parsed`, warning of the first few mistakes in its XML, in words; reading names only one."""
    first = next((at for at, each in enumerate(parsed.warnings) if xml.is_problem(each)), None)
    if first is None:
        return parsed
    told = parsed.warnings
    more = xml.problems(xml.prepared(encoding.utf8(body, content_type).utf8))
    all_of_them = dict.fromkeys((*told[: first + 1], *more, *told[first + 1 :]))
    return replace(parsed, warnings=tuple(map(faults.in_words, all_of_them)))


def _explained(item: Item, keys: ItemKeys, ablations: Sequence[_Ablation]) -> Explained:
    told = [field for field in _FIELDS if _has(item, field)] if ablations else []
    origins = {field: _origins(item, field, ablations) for field in told}
    used = {name for names in origins.values() for name in names}
    shown = {name for field in _HTML & origins.keys() for name in origins[field]}
    removed: dict[str, None] = {}
    for each in ablations:
        if each.name in shown:
            removed.update(dict.fromkeys(sanitize.removed(each.html)))
    unused = (_with_text(each) for each in ablations if each.name not in used)
    return Explained(item, keys, origins, tuple(removed), tuple(unused))


def _has(item: Item, field: str) -> bool:
    value = getattr(item, field)
    return bool(value or value == 0)


def _origins(item: Item, field: str, ablations: Sequence[_Ablation]) -> tuple[str, ...]:
    value = getattr(item, field)

    def reads(other: Item | None) -> bool:
        return other is not None and getattr(other, field) == value

    needed = tuple(each.name for each in ablations if not reads(each.without))
    if needed:
        return needed
    enough = tuple(each.name for each in ablations if reads(each.alone))
    return enough if 0 < len(enough) < len(ablations) else (_AROUND,)


def _with_text(ablation: _Ablation) -> str:
    name, text = ablation.name, " ".join(ablation.html.split())
    if not text:
        return name
    return f"{name}: {text}" if len(text) <= _SHOWN else f"{name}: {text[:_SHOWN]}…"


def _ablations(body: bytes, url: str, content_type: str) -> Iterator[tuple[_Ablation, ...]]:
    if body.lstrip()[:1] in (b"{", b"["):
        yield from _of_json(body, url, content_type)
        return
    utf8 = xml.prepared(encoding.utf8(body, content_type).utf8)
    pieces = slices.cut(utf8, MAX_ITEMS)
    if pieces is None or not pieces.are_items(pieces.raw_items()):
        return
    for raw in pieces.raw_items():
        if (tree := xml.read(pieces.with_items([raw]))) is not None:
            yield tuple(_of_xml(tree.root, url))


def _of_xml(root: Element, url: str) -> Iterator[_Ablation]:
    names = names_for(root.tag, (child.tag for child in root), root.nsmap)
    item = _item_in(root, names)
    tags = tuple(dict.fromkeys(child.tag for child in item))
    for tag in tags:
        others = frozenset(tags) - {tag}
        html = "".join(_inside(child) for child in item if child.tag == tag)
        yield _Ablation(
            _as_written(tag, names),
            _with_only(root, names, others, url),
            _with_only(root, names, {tag}, url),
            html,
        )


def _with_only(root: Element, names: Names, tags: Set[str], url: str) -> Item | None:
    copy = deepcopy(root)
    item = _item_in(copy, names)
    for child in [child for child in item if child.tag not in tags]:
        item.remove(child)
    return _only_item(etree.tostring(copy, encoding="utf-8"), url)


def _as_written(tag: str, names: Names) -> str:
    """The short name of an element with its capitals: pubDate, itunes:episodeType."""
    prefix, colon, local = names[tag].rpartition(":")
    written = tag.rpartition("}")[2].rpartition(":")[2]
    return f"{prefix}{colon}{written}" if written.lower() == local.lower() else names[tag]


def _item_in(root: Element, names: Names) -> Element:
    return next(each for each in root.iter() if names[each.tag] in {"item", "entry"})


def _inside(element: Element) -> str:
    if not len(element):
        return "".join(map(str, element.itertext()))
    return "".join(etree.tostring(child, encoding="unicode") for child in element)


def _of_json(body: bytes, url: str, content_type: str) -> Iterator[tuple[_Ablation, ...]]:
    try:
        document = json.loads(encoding.read(body, content_type).text)
    except ValueError:
        return
    items = document.get("items") if isinstance(document, dict) else None
    for item in items[:MAX_ITEMS] if isinstance(items, list) else ():
        if isinstance(item, dict):
            yield tuple(
                _Ablation(
                    str(key),
                    _with_keys(document, item, item.keys() - {key}, url),
                    _with_keys(document, item, {key}, url),
                    str(value),
                )
                for key, value in item.items()
            )


def _with_keys(
    document: Mapping[str, object], item: Mapping[str, object], keys: Set[str], url: str
) -> Item | None:
    rest = {name: value for name, value in item.items() if name in keys}
    return _only_item(json.dumps({**document, "items": [rest]}).encode(), url)


def _only_item(document: bytes, url: str) -> Item | None:
    try:
        return next(iter(parse.read(document, url=url).items), None)
    except NotAFeed:
        return None
