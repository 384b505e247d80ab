"""Which item is which story: the keys under which an item is found again.

Every item has several keys, best first. A *strong* key names the story by itself; a *weak* one
only supports (`feeds.matching` says how much support is enough). Which keys are strong is the
feed's `IdentityRule`, a value that the store keeps beside the feed: it is learnt from documents,
moves only downwards (guid, link, hash), and never flips back by itself, because a feed that is
broken for an hour must not bring everything back as new (B6). docs/notes/identity.md has the why.
"""

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Literal, NamedTuple, Self, get_args

from wireroom.errors import UserError
from wireroom.feeds.legacy import imported_keys
from wireroom.feeds.model import Item, ParsedFeed
from wireroom.feeds.traits import ItemKey, Traits, item_key, traits

Basis = Literal["guid", "link", "hash", "fields"]
#: Whether links tell the stories of this feed apart: not known yet, so far always, not always.
Links = Literal["unproven", "unique", "shared"]
_BASES: dict[str, Basis] = {name: name for name in get_args(Basis)}
_LINKS: dict[str, Links] = {name: name for name in get_args(Links)}

#: What an operator may choose from (IDN-11).
FIELDS = frozenset({"link", "title", "publication_date", "guid", "description", "author"})


#: What an item has in common with an entry that is stored under the same key.
Trait = Literal["guid", "link", "whole", "title", "text", "moment", "fields"]


class NamedKey(NamedTuple):
    """A key with what it says about the item and whether it names a story by itself."""

    trait: Trait
    key: ItemKey
    strong: bool


@dataclass(frozen=True, slots=True)
class ItemKeys:
    """All keys of one item, best first; the first is strong."""

    named: tuple[NamedKey, ...]

    @property
    def primary(self) -> ItemKey:
        """The key that stands for the item."""
        return self.named[0].key

    @property
    def aliases(self) -> tuple[ItemKey, ...]:
        """All keys but the primary one."""
        return tuple(named.key for named in self.named[1:])

    @property
    def strong(self) -> tuple[ItemKey, ...]:
        """Keys that name the story by themselves."""
        return tuple(named.key for named in self.named if named.strong)

    @property
    def weak(self) -> tuple[ItemKey, ...]:
        """Keys that only support."""
        return tuple(named.key for named in self.named if not named.strong)


@dataclass(frozen=True, slots=True)
class IdentityRule:
    """How the items of one feed are told apart; the store keeps `str(rule)`.

    `basis` is the best kind that is trusted; items without it use the next of guid, link, hash.
    `renumbered` counts readings under this basis in which most names changed, stories staying.
    `fields` is an operator's own choice, with basis "fields". The rule is `settled` by a reading
    under it that passes over nothing; until then entries are still found by what else they have.
    """

    basis: Basis = "guid"
    links: Links = "unproven"
    renumbered: int = 0
    fields: frozenset[str] = frozenset()
    settled: bool = True

    def __str__(self) -> str:
        names = ",".join(sorted(self.fields)) or "-"
        return f"{self.basis} {self.links} {self.renumbered} {names} {int(self.settled)}"

    @classmethod
    def parse(cls, text: str) -> Self:
        """The rule that `str()` wrote; of any other text, the rule of a feed never read."""
        try:
            basis, links, count, names, settled = text.split(" ")
            fields = frozenset(names.split(",")) & FIELDS
            rule = cls(_BASES[basis], _LINKS[links], int(count), fields, settled == "1")
        except (ValueError, KeyError):
            return cls()
        return rule if bool(fields) == (basis == "fields") else cls()

    @classmethod
    def chosen(cls, names: Iterable[str]) -> Self:
        """An operator's choice of fields; unknown names are dropped, none left is an error."""
        fields = frozenset(name.strip().lower() for name in names) & FIELDS
        if not fields:
            raise UserError(f"Choose at least one of: {', '.join(sorted(FIELDS))}.")
        return cls("fields", fields=fields, settled=False)


DEFAULT_RULE = IdentityRule()


def keys(item: Item, rule: IdentityRule = DEFAULT_RULE) -> ItemKeys:
    """The keys of an item looked at alone; see `document_keys` for an item among others."""
    return _keys(item, traits(item), rule)


def lookup_keys(
    feed: ParsedFeed, rule: IdentityRule = DEFAULT_RULE, *, imported: bool = False
) -> tuple[ItemKey, ...]:
    """Every key under which an item of this reading may be known, each once.

    `imported` adds those that the histories of other systems were kept under (`feeds.legacy`).
    """
    found: dict[ItemKey, None] = {}
    for item in feed.items:
        found.update((named.key, None) for named in keys(item, rule).named)
        if imported:
            found.update((key, None) for key in imported_keys(item, rule.fields))
    return tuple(found)


def document_keys(
    items: Sequence[Item], rule: IdentityRule = DEFAULT_RULE
) -> tuple[ItemKeys, ...]:
    """The keys of each item among the others of its document.

    A key that different stories of the document share is no key of either: an item whose guid is
    shared falls back to its link, and one whose link is shared too to its text (B3). Tellings of
    one story (`repeats`) have the keys of the first.
    """
    boiled = [traits(item) for item in items]
    first = repeats(boiled)
    stories = [index for index, told in enumerate(first) if index == told]
    guids = Counter(boiled[index].guid for index in stories)
    links = Counter(boiled[index].link for index in stories)
    made = {
        index: _keys(
            items[index],
            boiled[index],
            rule,
            use_guid=guids[boiled[index].guid] == 1,
            use_link=links[boiled[index].link] == 1,
        )
        for index in stories
    }
    strong = Counter(key for each in made.values() for key in each.strong)
    every = Counter(named.key for each in made.values() for named in each.named)
    own = {index: _own(each, strong, every) for index, each in made.items()}
    return tuple(own[index] for index in first)


def _own(keys: ItemKeys, strong: Counter[ItemKey], every: Counter[ItemKey]) -> ItemKeys:
    """Those keys to which no other story of the document has a better or an equal right."""
    kept = [
        named
        for named in keys.named
        if every[named.key] == 1 or (named.strong and strong[named.key] == 1)
    ]
    kept.sort(key=lambda named: not named.strong)
    return ItemKeys(tuple(kept) or keys.named[-1:])


def repeats(items: Sequence[Traits]) -> tuple[int, ...]:
    """For each item of a document the index of the first one that tells the same story (IDN-14).

    Neither a guid nor a link in common is enough (B3). Linear in the number of items.
    """
    seen: dict[tuple[object, ...], int] = {}
    first = []
    for index, item in enumerate(items):
        signs = _signs(item)
        told = next((seen[sign] for sign in signs if sign in seen), index)
        for sign in signs:
            seen.setdefault(sign, told)
        first.append(told)
    return tuple(first)


def _signs(item: Traits) -> list[tuple[object, ...]]:
    """What two items of one document have in common only if they tell the same story."""
    both, either = bool(item.guid and item.link), bool(item.guid or item.link)
    place = (item.guid, item.link)
    signs: list[tuple[object, ...]] = [("all", item.digest)]
    if item.title or item.text:
        signs.append(("copy", *place, item.title, item.text, "" if both else item.date))
    if item.title and (both or (either and item.date)):
        signs.append(("text edited", *place, item.title, item.date))
    if item.text and item.date and both:
        signs.append(("title edited", *place, item.text, item.date))
    if item.link and item.title and item.text and item.date:
        signs.append(("other guid", item.link, item.title, item.text, item.date))
    return signs


def _keys(
    item: Item, boiled: Traits, rule: IdentityRule, *, use_guid: bool = True, use_link: bool = True
) -> ItemKeys:
    guid: list[tuple[Trait, ItemKey]] = []
    link: list[tuple[Trait, ItemKey]] = []
    whole: list[tuple[Trait, ItemKey]] = []
    if boiled.guid and use_guid:
        guid.append(("guid", item_key("guid", boiled.guid)))
        if boiled.place:
            guid.append(("guid", item_key("place", boiled.place)))
    if boiled.link and use_link:
        link.append(("link", item_key("place", boiled.link)))
    if boiled.title or boiled.text:
        whole.append(("whole", item_key("whole", boiled.title, boiled.text)))
    chain = {
        "guid": (guid, link, whole),
        "link": (link, whole, guid),
        "hash": (whole, guid, link),
        "fields": (_chosen(item, boiled, rule.fields), guid, link, whole),
    }[rule.basis]
    best = next((group for group in chain if group), [])
    named = {key: NamedKey(trait, key, strong=True) for trait, key in best}
    for trait, key in [*chain[0], *chain[1], *chain[2], *chain[-1], *_support(boiled)]:
        named.setdefault(key, NamedKey(trait, key, strong=False))
    moment = _moment(item, boiled)
    return ItemKeys((*named.values(), NamedKey("moment", moment, strong=True)))


def _support(boiled: Traits) -> list[tuple[Trait, ItemKey]]:
    found: list[tuple[Trait, ItemKey]] = [("text", item_key("text", end)) for end in boiled.ends]
    if boiled.title:
        found.insert(0, ("title", item_key("title", boiled.title)))
    return found


def _moment(item: Item, boiled: Traits) -> ItemKey:
    """The key that two stories do not share whatever else they share: all of it, with the date."""
    return item_key(
        "moment", boiled.guid, item.link, boiled.title, boiled.text, item.author, boiled.date
    )


def _chosen(item: Item, boiled: Traits, fields: frozenset[str]) -> list[tuple[Trait, ItemKey]]:
    """The key over an operator's choice of fields; none when the item has none of them."""
    values: dict[str, str | bytes] = {
        "link": boiled.link or item.link,
        "title": boiled.title,
        "publication_date": boiled.date,
        "guid": boiled.guid,
        "description": boiled.text,
        "author": item.author,
    }
    parts = [values[name] for name in sorted(fields)]
    return [("fields", item_key("fields", *sorted(fields), *parts))] if any(parts) else []
