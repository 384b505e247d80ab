"""A parsed feed as adapters see it: dictionaries with feedparser's names, also as attributes.

The authors of adapters know these names; our own model stays free to change behind them.
"""

from collections.abc import Mapping
from email.utils import format_datetime
from typing import Any

from wireroom.feeds.model import Item, ParsedFeed, Person


class Record(dict[str, Any]):
    """A dictionary whose keys can be read as attributes; a missing one raises AttributeError."""

    __slots__ = ()

    def __getattr__(self, name: str) -> Any:
        try:
            return self[name]
        except KeyError:
            raise AttributeError(name) from None


def from_feed(feed: ParsedFeed) -> Record:
    """The view of a whole document. What the publisher left out has no key, as in feedparser."""
    return Record(
        feed=_channel(feed),
        entries=[_entry(item) for item in feed.items],
        version=feed.version or feed.format,
        encoding=feed.encoding,
        bozo=bool(feed.warnings),
    )


def _channel(feed: ParsedFeed) -> Record:
    ttl = feed.hints.ttl_minutes
    extra = feed.extra
    channel = _present(
        title=feed.title,
        link=feed.site_url,
        subtitle=feed.description,
        description=feed.description,
        language=feed.language,
        author=", ".join(str(person) for person in feed.authors),
        ttl=str(ttl) if ttl is not None else "",
        image=Record(href=feed.icon_url) if feed.icon_url else None,
        rights=extra.get("copyright") or extra.get("rights") or extra.get("dc:rights"),
    )
    return _with_rarer(channel, extra)


def _entry(item: Item) -> Record:
    entry = _present(
        id=item.guid,
        link=item.link,
        title=item.title,
        summary=item.summary if item.summary is not None else item.content,
        author=item.author,
        authors=[_person(person) for person in item.authors],
        tags=[_tag(category, item.category_schemes) for category in item.categories],
        comments=item.comments_url,
    )
    if item.content is not None:
        entry["content"] = [Record(type="text/html", value=str(item.content))]
    entry["enclosures"] = [
        _present(href=each.url, type=each.media_type, length=str(each.length_bytes or ""))
        for each in item.enclosures
    ]
    for name, when in (("published", item.published), ("updated", item.updated)):
        if when is not None:
            entry[name] = format_datetime(when)
            entry[f"{name}_parsed"] = when.utctimetuple()
    return _with_rarer(entry, item.extra)


def _with_rarer(record: Record, extra: Mapping[str, str]) -> Record:
    """The record with the rarer facts that it has no other name for."""
    for name, value in extra.items():
        record.setdefault(name.replace(":", "_"), value)
    return record


def _tag(category: str, schemes: Mapping[str, str]) -> Record:
    return _present(term=category, scheme=schemes.get(category))


def _person(person: Person) -> Record:
    return _present(name=person.name, email=person.email, href=person.url)


def _present(**facts: Any) -> Record:
    """The facts that are there; plain strings in place of our own kinds."""
    return Record({
        name: str(fact) if isinstance(fact, str) else fact
        for name, fact in facts.items()
        if fact not in (None, "", [])
    })  # fmt: skip
