"""Tables for people who read them in a terminal."""

from collections.abc import Sequence
from datetime import UTC, datetime
from typing import TYPE_CHECKING, Any

from rich.console import Console
from rich.table import Table
from rich.text import Text

if TYPE_CHECKING:
    from wireroom.store.following import Followed
    from wireroom.store.search import Hit
    from wireroom.store.steering import RouteState
    from wireroom.store.words import Piece

_STYLES = {"well": "green", "ailing": "yellow", "failing": "red"}


def columns(*names: str) -> Table:
    """An empty table without lines, as all of ours are."""
    table = Table(box=None, pad_edge=False, header_style="bold")
    for column in names:
        table.add_column(column, overflow="fold")
    return table


def show_feeds(followed: "Sequence[Followed]") -> None:
    """One line a feed, and a second one with the error of those that fail."""
    now = datetime.now(UTC)
    table = columns("#", "Feed", "Last asked", "Next", "Why then", "Health")
    for each in followed:
        health = Text(each.health, style=_STYLES[each.health])
        if each.failure_count:
            health.append(f"\n{each.failure_count}×: {each.last_error[:200]}")
        if each.disabled_at:
            health.append(f"\n🚫 off: {each.disabled_reason}")
        table.add_row(
            str(each.feed_id),
            Text(f"{each.title}\n", style="bold").append(each.url, style="not bold dim"),
            in_words(each.last_attempt_at, now),
            in_words(each.next_poll_at, now),
            Text(each.next_poll_reason),
            health,
        )
    Console().print(table)


def show_routes(states: "Sequence[RouteState]") -> None:
    """From which feed to where, how much may be waiting, and what keeps it."""
    now = datetime.now(UTC)
    table = columns("#", "Feed", "Goes to", "Waiting", "State")
    for each in states:
        table.add_row(
            str(each.id),
            Text(each.feed_title),
            Text(each.destination),
            str(each.waiting or ""),
            Text(_state(each, now)),
        )
    Console().print(table)


def _state(state: "RouteState", now: datetime) -> str:
    if state.suspended_at is not None:
        return f"suspended: {state.suspended_reason}"
    if state.paused_until is not None and state.paused_until > now:
        return "paused"
    if state.attempts:
        return f"{state.attempts} failed tries"
    if state.not_before is not None and state.not_before > now:
        return f"holds back, {in_words(state.not_before, now)}"
    return "well"


def show_items(entries: Sequence[Any]) -> None:
    """Newest first: when, from which feed, the title and where it leads."""
    now = datetime.now(UTC)
    table = columns("When", "Feed", "Item")
    for each in entries:
        title = Text(f"{each.title or 'Untitled'}\n").append(each.link, style="dim")
        table.add_row(
            in_words(each.published_at or each.first_seen_at, now), Text(each.feed_title), title
        )
    Console().print(table)


def show_hits(hits: "Sequence[Hit]") -> None:
    """The best first: when, from which feed, title and text with what was looked for in bold."""
    now = datetime.now(UTC)
    table = columns("When", "Feed", "Item")
    for hit in hits:
        found = _marked(hit.title) if hit.title else Text("Untitled")
        found.append("\n").append_text(_marked(hit.text)).append(f"\n{hit.entry.link}", "dim")
        when = hit.entry.published_at or hit.entry.first_seen_at
        table.add_row(in_words(when, now), Text(hit.entry.feed_title), found)
    Console().print(table)


def _marked(pieces: "Sequence[Piece]") -> Text:
    return Text.assemble(*((each.text, "bold" if each.is_hit else "") for each in pieces))


def visible(text: str) -> str:
    """Text of a publisher that nobody has cleaned, without what terminals take for commands."""
    return "".join(each if each.isprintable() else "\ufffd" for each in text)


def in_words(moment: datetime | None, now: datetime) -> str:
    """A moment as a distance from now: "in 12 min", "3 h ago"."""
    if moment is None:
        return "never"
    seconds = (moment - now).total_seconds()
    size = abs(seconds)
    fitting = ((unit, word) for limit, unit, word in _SPANS if size < limit)
    unit, word = next(fitting, (86_400, "days"))
    amount = f"{round(size / unit)} {word}"
    return f"in {amount}" if seconds > 0 else f"{amount} ago"


#: Below this many seconds: the seconds of a unit, and its name.
_SPANS = ((90, 1, "s"), (5_400, 60, "min"), (129_600, 3_600, "h"))
