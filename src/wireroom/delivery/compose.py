"""An entry becomes a message: what every channel is told of it, or why it is not (pure)."""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from html import escape
from itertools import groupby
from typing import Any, Final, Protocol

import minijinja
import structlog

from wireroom.catalogue import Language, posts
from wireroom.delivery import rules, template
from wireroom.delivery.htmltext import parse
from wireroom.delivery.message import Message
from wireroom.delivery.pages import Pages
from wireroom.delivery.replacements import Replacement, cleaned
from wireroom.delivery.richtext import boundary
from wireroom.delivery.rules import Ruling
from wireroom.delivery.wishes import Wishes
from wireroom.errors import UserError
from wireroom.feeds import filters, plaintext
from wireroom.feeds.filters import Subject, Verdict
from wireroom.feeds.filters.tree import Thing
from wireroom.feeds.model import SafeHtml
from wireroom.store.entries import Entry
from wireroom.store.routes import Route

log = structlog.get_logger(__name__)

#: Characters of plain text, and of HTML, that a template is given.
MOST_TEXT: Final = 10_000
MOST_HTML: Final = 20_000
#: Cuts of the systems whose names the fields have (C29).
_RSSBOT_TEXT: Final = 270
_MONITORRO_TEXT: Final = 3000
#: Characters of a filter that a reason repeats.
_MOST_OF_A_FILTER: Final = 100
NO_RULING: Final = Ruling()


def compose(
    entry: Entry,
    route: Route,
    wanted: Wishes,
    removed: Sequence[Replacement] = (),
    ruling: Ruling = NO_RULING,
    pages: Pages | None = None,
) -> Message:
    """The message of an entry on a route; a link-less item points to its feed's site (PRS-12)."""
    message = cleaned(
        Message(
            feed_title=route.feed_title,
            title=entry.title,
            link=entry.link or route.site_url,
            body=entry.content or entry.summary or SafeHtml(""),
            summary=entry.summary,
            author=entry.author,
            published=entry.published,
            site_url=route.site_url,
            icon_url=route.icon_url,
            image_url=entry.image_url,
            enclosures=entry.enclosures,
            categories=entry.categories,
            page_url=_page(entry, wanted, pages),
            mentions=ruling.mentions,
            tags=ruling.tags,
        ),
        removed,
    )
    return laid_out(message, route, wanted) if wanted.template else message


def _page(entry: Entry, wanted: Wishes, pages: Pages | None) -> str:
    if pages is None or wanted.settings.get("long") != "page":
        return ""
    return pages.address(entry.feed_id, entry.seq)


def laid_out(message: Message, route: Route, wanted: Wishes) -> Message:
    """The message in its template's layout; a template that fails gives way to the channel's."""
    try:
        return laid_out_strictly(message, route, wanted)
    except UserError as error:
        # Never told to the chat (TGD-35).
        log.warning("template not used", route=route.id, why=str(error))
        return message


def laid_out_strictly(message: Message, route: Route, wanted: Wishes) -> Message:
    """The message in its template's layout, if there is one. Raises UserError when that fails."""
    if not wanted.template:
        return message
    text = template.render(template.parse(wanted.template), fields(message, route, wanted))
    return replace(message, laid_out=text)


# -- for templates --------------------------------------------------------------------------------


def fields(message: Message, route: Route, wanted: Wishes) -> Mapping[str, Any]:
    """The values of `template.FIELDS`: plain text, but for `content`, which keeps its markup."""
    text = _lines(message.body)
    most = wanted.settings.get("content")
    most = most if isinstance(most, int) and most > 0 else None
    published = message.published and message.published.astimezone(wanted.zone)
    date = _date(published)
    cut_for_monitorro = _cut(text, most or _MONITORRO_TEXT)
    return {
        "title": message.title,
        "link": message.link,
        "text": _cut(text, most or MOST_TEXT),
        "content": minijinja.safe(_markup(message.body)),
        "summary": _cut(_lines(message.summary or SafeHtml("")), MOST_TEXT),
        "author": message.author,
        "published": date,
        "categories": message.categories[:20],
        "domain": message.domain,
        "image": message.image_url,
        "enclosure": message.enclosures[0].url if message.enclosures else "",
        "feed": message.feed_title,
        "feed_link": route.feed_url,
        "site": message.site_url,
        "Title": message.title or posts.NO_TITLE.say(wanted.language),
        "FeedTitle": message.feed_title,
        "Content": _cut(text, most or _RSSBOT_TEXT),
        "PostLink": message.link,
        "PostDomain": message.domain,
        "bot_feed_name": message.feed_title,
        "bot_feed_link": route.feed_url,
        "bot_item_name": message.title,
        "bot_item_link": message.link,
        "bot_item_description": cut_for_monitorro,
        "bot_item_author": message.author,
        "bot_date": date,
    }


def _date(moment: datetime | None) -> str:
    return "" if moment is None else moment.isoformat(sep=" ", timespec="seconds")


def _lines(html: SafeHtml) -> str:
    """Plain text, one line for each paragraph and none of them blank (TGD-31)."""
    return "\n".join(block.text for block in parse(html, most_text=MOST_TEXT).blocks)


def _cut(text: str, most: int) -> str:
    return text if len(text) <= most else text[: boundary(text, most)] + "..."


_BLANKS = re.compile(r"\s+")


def _markup(html: SafeHtml) -> SafeHtml:
    """HTML on one line, because a template's newlines count and a publisher's do not."""
    if "<pre" not in html:
        html = SafeHtml(_BLANKS.sub(" ", html))
    if len(html) <= MOST_HTML:
        return html
    return SafeHtml(escape(_cut(_lines(html), MOST_TEXT), quote=False))


# -- for filters ----------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Choice:
    """Whether an entry goes out on a route, and why."""

    is_sent: bool
    why: str = ""
    ruling: Ruling = NO_RULING


def choose(entry: Entry, route: Route, wanted: Wishes) -> Choice:
    """Judge an entry by what is news and by all filters; the last word is the first that drops."""
    if entry.seq in route.passed:
        return Choice(False, route.passed[entry.seq] or "dealt with before two feeds became one")
    if not entry.is_news and entry.seq > route.asked_through:
        return Choice(False, entry.not_news_why or "not news")
    if not wanted.rules and not wanted.filters:
        return Choice(True)
    looked_at = subject(entry, route, wanted)
    ruling = rules.ruling(wanted.rules, looked_at)
    if ruling.verdict:
        return Choice(ruling.verdict == "keep", ruling.why, ruling)
    reasons = [ruling.why] if ruling.why else []
    for whose, text in wanted.filters:
        verdict = _verdict(text, looked_at, route)
        reason = f"filter {_shown(text, verdict)}{rules.from_whom(whose)}: {verdict.because}"
        if not verdict.passes:
            return Choice(False, reason, ruling)
        reasons.append(reason)
    return Choice(True, "; ".join(reasons), ruling)


def _shown(text: str, verdict: Verdict) -> str:
    """Which filter it is, where not the whole of it decided."""
    typed = " ".join(text.split()).replace("; ", ";")
    if typed in verdict.because:
        return ""
    return f"“{_cut(typed, _MOST_OF_A_FILTER)}” "


def _verdict(text: str, looked_at: Subject, route: Route) -> Verdict:
    try:
        return filters.matches(filters.parse(text), looked_at)
    except UserError as error:
        # Stored before its rules were stricter: what cannot be judged is not dropped.
        log.warning("filter not used", route=route.id, why=str(error))
        return Verdict(True, "not used, since it cannot be read")


class Told(Protocol):
    """Through what an entry comes: a route, or a subscription."""

    @property
    def feed_title(self) -> str: ...

    @property
    def language(self) -> str: ...


def subject(entry: Entry, route: Told, wanted: Wishes) -> Subject:
    """What filters look at in an entry."""
    html = entry.content or entry.summary or SafeHtml("")
    text = plaintext.text(html)
    everywhere = ""
    if wanted.filter_shown:
        date = _date(entry.published and entry.published.astimezone(wanted.zone))
        shown = (route.feed_title, entry.title, text[:_MONITORRO_TEXT], date, entry.link)
        everywhere = "\n".join(shown)
    return Subject(
        title=entry.title,
        text=text,
        author=entry.author,
        categories=entry.categories,
        url=entry.link,
        feed=route.feed_title,
        language=route.language,
        things=_things(entry, html),
        everywhere=everywhere,
    )


def _things(entry: Entry, html: str) -> frozenset[Thing]:
    found: set[Thing] = {"enclosure"} if entry.enclosures else set()
    kinds = {each.kind for each in entry.enclosures}
    if entry.image_url or "image" in kinds or "<img" in html:
        found.add("image")
    if "audio" in kinds or "<audio" in html:
        found.add("audio")
    if "video" in kinds or "<video" in html or "<iframe" in html:
        found.add("video")
    return frozenset(found)


# -- several at once ------------------------------------------------------------------------------


def more_line(route: Route, count: int, said_in: Language) -> Message:
    """One line instead of many messages: how many entries were passed over (C22, TGD-06)."""
    return _lines_of(route, [posts.MORE.html(said_in, count, feed=route.feed_title)])


def digest(route: Route, messages: Sequence[Message], said_in: Language) -> Message:
    """Many entries in one message: titles with their links."""
    head = posts.DIGEST.html(said_in, len(messages), feed=route.feed_title)
    return _lines_of(route, [head, *(f"• {_linked(message, said_in)}" for message in messages)])


def digest_of_folder(route: Route, messages: Sequence[Message], said_in: Language) -> Message:
    """Entries of several feeds in one message, each feed's behind its title."""
    lines = [posts.DIGEST.html(said_in, len(messages), feed=route.folder)]
    for feed, told in groupby(messages, key=lambda each: each.feed_title):
        lines += ["", f"<i>{escape(feed)}</i>", *(f"• {_linked(each, said_in)}" for each in told)]
    return replace(_lines_of(route, lines), feed_title=route.folder, icon_url="")


def _linked(message: Message, said_in: Language) -> str:
    words = " ".join(message.title.split()) or posts.NO_TITLE.say(said_in)
    title = escape(_cut(words, 200))
    if not message.link.startswith(("http://", "https://")):
        return title
    return f'<a href="{escape(message.link)}">{title}</a>'


def _lines_of(route: Route, lines: Sequence[str]) -> Message:
    return Message(
        feed_title=route.feed_title,
        title="",
        link=route.site_url,
        body=SafeHtml(""),
        site_url=route.site_url,
        icon_url=route.icon_url,
        laid_out=SafeHtml("\n".join(lines)),
    )
