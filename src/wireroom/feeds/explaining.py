"""Why an item reads as it does: where each field came from, its keys, what sanitising took.

A field comes from whatever element it would be different without, and that is how it is found
out: the item is read again without each of its elements in turn. No reader has to keep notes, and
what is found is true of every fallback there is. Made for people who wonder; slow.
"""

import json
from collections.abc import Iterable, Iterator, Mapping
from copy import deepcopy
from dataclasses import dataclass, fields, replace

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
#: An element (or key) of an item with the item as it reads without it, and its own raw HTML.
_Ablation = tuple[str, Item | None, str]


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


def _explained(item: Item, keys: ItemKeys, ablations: Iterable[_Ablation]) -> Explained:
    origins: dict[str, list[str]] = {}
    removed: dict[str, None] = {}
    unused = []
    for name, without, html in ablations:
        told = [field for field in _FIELDS if _comes_from(item, without, field)]
        if not told:
            unused.append(_with_text(name, html))
        for field in told:
            origins.setdefault(field, []).append(name)
        if not _HTML.isdisjoint(told):
            removed.update(dict.fromkeys(sanitize.removed(html)))
    kept = {field: tuple(origins[field]) for field in _FIELDS if field in origins}
    return Explained(item, keys, kept, tuple(removed), tuple(unused))


def _with_text(name: str, html: str) -> str:
    text = " ".join(html.split())
    if not text:
        return name
    return f"{name}: {text}" if len(text) <= _SHOWN else f"{name}: {text[:_SHOWN]}…"


def _comes_from(item: Item, without: Item | None, field: str) -> bool:
    value = getattr(item, field)
    return bool(value or value == 0) and (without is None or getattr(without, field) != value)


def _ablations(body: bytes, url: str, content_type: str) -> Iterator[tuple[_Ablation, ...]]:
    if body.lstrip()[:1] in (b"{", b"["):
        yield from _of_json(body, url, content_type)
        return
    utf8 = xml.prepared(encoding.utf8(body, content_type).utf8)
    pieces = slices.cut(utf8, MAX_ITEMS)
    for raw in pieces.raw_items() if pieces else ():
        if (tree := xml.read(pieces.with_items([raw]) if pieces else b"")) is not None:
            yield tuple(_of_xml(tree.root, url))


def _of_xml(root: Element, url: str) -> Iterator[_Ablation]:
    names = names_for(root.tag, (child.tag for child in root))
    item = _item_in(root, names)
    for tag in dict.fromkeys(child.tag for child in item):
        copy = deepcopy(root)
        shortened = _item_in(copy, names)
        html = ""
        for child in [child for child in shortened if child.tag == tag]:
            html += "".join(map(str, child.itertext())) if not len(child) else _inside(child)
            shortened.remove(child)
        yield (
            _as_written(tag, names),
            _only_item(etree.tostring(copy, encoding="utf-8"), url),
            html,
        )


def _as_written(tag: str, names: Names) -> str:
    """The short name of an element with its capitals: pubDate, itunes:episodeType."""
    prefix, colon, local = names[tag].rpartition(":")
    written = tag.rpartition("}")[2].rpartition(":")[2]
    return f"{prefix}{colon}{written}" if written.lower() == local.lower() else names[tag]


def _item_in(root: Element, names: Names) -> Element:
    return next(each for each in root.iter() if names[each.tag] in {"item", "entry"})


def _inside(element: Element) -> str:
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
                (str(key), _without_key(document, item, key, url), str(value))
                for key, value in item.items()
            )


def _without_key(
    document: Mapping[str, object], item: Mapping[str, object], key: str, url: str
) -> Item | None:
    rest = {name: value for name, value in item.items() if name != key}
    return _only_item(json.dumps({**document, "items": [rest]}).encode(), url)


def _only_item(document: bytes, url: str) -> Item | None:
    try:
        return next(iter(parse.read(document, url=url).items), None)
    except NotAFeed:
        return None
