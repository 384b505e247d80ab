"""Adapters: special readings of single publishers' feeds, chosen by name when a feed is added.

Every module of this package that exports `ADAPTER` is a choice; nothing else needs to be edited.
A feed's identity holds its adapter's name, so what one adapter leaves out is hidden only from
those who chose it (ADP-16).
"""

import importlib
import pkgutil
from collections.abc import Iterable, Mapping
from dataclasses import replace

from wireroom.errors import SettingsError
from wireroom.feeds import model
from wireroom.feeds.adapters import bridge, parsed
from wireroom.feeds.adapters.contract import Adapter
from wireroom.feeds.model import ParsedFeed

#: The adapter of feeds for which none was chosen.
GENERIC = "generic"


def exported(folders: Iterable[str], package: str) -> tuple[list[type[Adapter]], dict[str, str]]:
    """What the modules in `folders`, the path of `package`, export as `ADAPTER`.

    Behind it the modules that cannot be used, with the reason: a file that somebody dropped here
    keeps nobody else's feeds from being read.
    """
    adapters, broken = [], {}
    for module in pkgutil.iter_modules(folders, package + "."):
        try:
            adapters += _adapters_of(module.name)
        except Exception as error:  # noqa: BLE001 - an adapter is somebody else's code
            broken[module.name.rpartition(".")[2]] = f"{type(error).__name__}: {error}"
    return adapters, broken


def _adapters_of(module: str) -> list[type[Adapter]]:
    """The adapter of a module; none of modules that only help others."""
    adapter: type[Adapter] | None = getattr(importlib.import_module(module), "ADAPTER", None)
    if adapter is None:
        return []
    if not isinstance(adapter.feed_type, str):
        raise TypeError("feed_type is no text")
    return [adapter]


def registered(adapters: Iterable[type[Adapter]]) -> dict[str, type[Adapter]]:
    """Adapters by name, generic first and the others sorted (ADP-05).

    Raises SettingsError when two have one name: whose feeds would they be? (ADP-04)
    """
    by_name: dict[str, type[Adapter]] = {}
    for adapter in adapters:
        if other := by_name.get(adapter.feed_type):
            raise SettingsError(
                f"Two adapters are called {adapter.feed_type!r}: {other.__module__} and "
                f"{adapter.__module__}; rename one."
            )
        by_name[adapter.feed_type] = adapter
    return dict(sorted(by_name.items(), key=lambda named: (named[0] != GENERIC, named[0])))


_exported, _broken = exported(__path__, __name__)
_ADAPTERS = registered(_exported)

#: Files of this folder that cannot be used, and why; `wireroom check` and the log tell.
BROKEN: Mapping[str, str] = _broken

#: The names that people may choose from, in the order to show them.
CHOICES: tuple[str, ...] = tuple(_ADAPTERS)


def apply(name: str, feed: ParsedFeed) -> ParsedFeed:
    """`feed` as the adapter called `name` reads it.

    An adapter that is unknown (ADP-06), cannot be loaded or fails leaves the feed as the generic
    one would, and adds a warning with its name: better an item too many than one lost.
    """
    if name == GENERIC:
        return feed
    if name in BROKEN:
        failure = f"The adapter {name!r} cannot be loaded; the feed is read as it is."
        return _warned(feed, f"{failure} ({BROKEN[name]})")
    if name not in _ADAPTERS:
        return _warned(feed, f"No adapter is called {name!r}; the feed is read as it is.")
    return applied(_ADAPTERS[name], feed)


def applied(adapter: type[Adapter], feed: ParsedFeed) -> ParsedFeed:
    """`feed` as `adapter` reads it, or as it is with a warning when the adapter fails."""
    try:
        return bridge.returned(feed, adapter.from_parsed(parsed.from_feed(feed)).entries())
    except Exception as error:  # noqa: BLE001 - an adapter is somebody else's code
        failure = f"The adapter {adapter.feed_type!r} failed; the feed is read as it is."
        return _warned(feed, f"{failure} ({type(error).__name__}: {error})")


def _warned(feed: ParsedFeed, text: str) -> ParsedFeed:
    return replace(feed, warnings=(*feed.warnings, model.Warning(text)))
