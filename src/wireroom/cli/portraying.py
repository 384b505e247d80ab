"""A document, its items and its changes, for people who read them in a terminal."""

from collections import Counter
from collections.abc import Iterable, Mapping
from datetime import datetime
from typing import TYPE_CHECKING

from rich.console import Console
from rich.text import Text

from wireroom.cli.tables import columns, visible

if TYPE_CHECKING:
    from wireroom.feeds.comparing import Comparison, Judged
    from wireroom.feeds.explaining import Explained
    from wireroom.feeds.identity import NamedKey
    from wireroom.feeds.model import Item, ParsedFeed

_STYLES = {"new": "green", "changed": "yellow", "re-identified": "yellow", "gone": "red"}
_VERDICTS = {"held": "new to us, told to nobody", "again": "told again"}
#: Characters of a field's value that are shown, and of what is the same before a difference.
_SHOWN, _BEFORE = 100, 24
_FORMATS = {"rss": "RSS", "atom": "Atom", "json": "JSON Feed"}
_DECIDED = {
    "bom": "the document begins with its byte order mark",
    "utf-8": "all of it is valid UTF-8, which no other text is by chance",
    "header": "the Content-Type says so",
    "declaration": "the document says so",
    "detected": "guessed from its letters; neither header nor document say what holds",
    "replaced": "nearly all of it is; some bytes had to be replaced",
    "json": "JSON is always in it",
}


def show_document(
    parsed: "ParsedFeed", told: Mapping[str, str], *, with_items: bool = True
) -> None:
    """The feed's facts, behind those in `told`; its items one by one; and what was mended."""
    console = Console()
    facts = columns("Feed", "")
    for name, value in (*told.items(), *_facts(parsed)):
        if value:
            facts.add_row(name, Text(visible(value)))
    console.print(facts)
    if with_items:
        for number, item in enumerate(parsed.items, 1):
            _show_line(console, number, item)
    if parsed.warnings:
        console.print()
    for warning in parsed.warnings:
        where = f"line {warning.line}: " if warning.line else ""
        console.print(Text(visible(f"mended: {where}{warning.text}"), style="yellow"))


def _facts(parsed: "ParsedFeed") -> Iterable[tuple[str, str]]:
    decided = _DECIDED.get(parsed.encoding_source, parsed.encoding_source)
    yield "title", parsed.title
    yield "format", f"{_FORMATS[parsed.format]} {parsed.version}".strip()
    yield "encoding", f"{parsed.encoding}: {decided}"
    yield "site", parsed.site_url
    yield "address it gives itself", parsed.self_url
    yield "hubs", ", ".join(parsed.hub_urls)
    yield "language", parsed.language
    yield "moved to", parsed.new_url
    yield "items", str(len(parsed.items))


def _show_line(console: Console, number: int, item: "Item") -> None:
    """An item in two or three lines, however narrow the terminal is."""
    console.print()
    console.print(Text(f"{number}. {visible(item.title or 'Untitled')}", style="bold"))
    facts = [
        item.published.strftime("%Y-%m-%d %H:%M UTC") if item.published else "no date",
        _counted(len(item.body), "character") if item.body else "no text",
    ]
    if item.enclosures:
        facts.append(_counted(len(item.enclosures), "enclosure"))
    console.print(Text("   " + " · ".join(facts)))
    if item.link:
        console.print(Text("   " + visible(item.link), style="dim"), soft_wrap=True)
    if item.guid and item.guid != item.link:
        console.print(Text(f"   id {visible(item.guid)}", style="dim"), soft_wrap=True)


def _counted(number: int, word: str) -> str:
    return f"{number:,} {word}" if number == 1 else f"{number:,} {word}s"


def show_item(number: int, explained: "Explained") -> None:
    """Each field with its value and where it came from, then keys and what was left out."""
    console = Console()
    console.print()
    title = explained.item.title or "Untitled"
    console.print(Text(f"{number}. {visible(title)}", style="bold"))
    table = columns("Field", "Value", "From")
    for name, elements in explained.origins.items():
        value = _value(getattr(explained.item, name))
        table.add_row(name, Text(value), Text(visible(", ".join(elements))))
    console.print(table)
    _show_keys(console, explained.keys.named)
    for phrase in explained.removed:
        console.print(Text(visible(f"taken out: {phrase}"), style="yellow"))
    for phrase in explained.unused:
        console.print(Text(visible(f"not used: {phrase}"), style="dim"))


def _show_keys(console: Console, keys: "Iterable[NamedKey]") -> None:
    """One line for each way to know the item again; the first one is what it is filed under."""
    grouped: dict[tuple[str, bool], list[str]] = {}
    for named in keys:
        grouped.setdefault((named.trait, named.strong), []).append(named.key.hex()[:12])
    for (trait, strong), hexed in grouped.items():
        strength = "enough to know it again" if strong else "only together with others"
        console.print(Text(f"key of its {trait}: {', '.join(hexed)} ({strength})"))


def show_comparison(compared: "Comparison") -> None:
    """What became of each item, the values that changed, and how many there are of each kind."""
    console = Console()
    for judged in compared.items:
        _show_judged(console, judged)
    counted = Counter(judged.verdict for judged in compared.items)
    console.print()
    console.print(", ".join(f"{count} {word}" for word, count in counted.items()) or "No items.")
    console.print(f"Items are told apart by their {compared.rule.basis}.")


def _show_judged(console: Console, judged: "Judged") -> None:
    from wireroom.feeds.comparing import differing

    title = visible(judged.item.title or judged.item.link or judged.item.guid or "Untitled")
    line = Text(f"{judged.verdict:<13} ", style=_STYLES.get(judged.verdict, ""))
    console.print(line.append(title, style="bold").append(f"  {judged.why}", style="not bold dim"))
    if judged.before is None or judged.verdict == "gone":
        return
    for name in differing(judged.before, judged.item):
        before, after = getattr(judged.before, name), getattr(judged.item, name)
        for sign, style, value in zip("-+", ("red", "green"), _apart(before, after), strict=True):
            console.print(Text(f"    {sign} {name}: {value}", style=style))


def _apart(before: object, after: object) -> tuple[str, str]:
    """Both values from shortly before where they differ."""
    old, new = _line(before), _line(after)
    pairs = zip(old, new, strict=False)
    same = next(
        (at for at, pair in enumerate(pairs) if pair[0] != pair[1]), min(len(old), len(new))
    )
    start = max(0, same - _BEFORE) if max(len(old), len(new)) > _SHOWN else 0
    return _cut(old, start), _cut(new, start)


def _value(value: object) -> str:
    return _cut(_line(value), 0)


def _cut(text: str, start: int) -> str:
    shown = text[start : start + _SHOWN]
    return ("…" if start else "") + shown + ("…" if start + _SHOWN < len(text) else "")


def _line(value: object) -> str:
    """A field's value on one line."""
    match value:
        case None | "" | ():
            return "nothing"
        case datetime():
            return value.strftime("%Y-%m-%d %H:%M:%S UTC")
        case tuple():
            return ", ".join(map(_line, value))
        case Mapping():
            return ", ".join(f"{name}: {_line(each)}" for name, each in value.items())
    name = getattr(value, "name", None) or getattr(value, "url", None)
    return visible(" ".join(str(name or value).split()))
