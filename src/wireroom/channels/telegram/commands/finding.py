"""Looking: at what came, at why, and at how the feeds are doing."""

import html
from collections.abc import Sequence
from datetime import datetime
from typing import Final

from wireroom import routing
from wireroom.catalogue.telegram import finding as texts
from wireroom.channels.telegram.commands import buttons, choosing, feedcard, trying, wishing
from wireroom.channels.telegram.commands.buttons import Button
from wireroom.channels.telegram.commands.command import Command, Theme
from wireroom.channels.telegram.commands.desk import CHANNEL
from wireroom.channels.telegram.commands.visit import Complaint, Visit
from wireroom.store import chats, posts, search
from wireroom.store.chat_routes import ChatRoute
from wireroom.store.posts import Post
from wireroom.store.query import Query, parse
from wireroom.store.search import Hit

#: Hits of one page.
_HITS: Final = 10
#: Entries whose fate is shown.
_FATES: Final = 10


# -- what came ------------------------------------------------------------------------------------


async def search_(visit: Visit, arguments: str) -> None:
    """Entries of the feeds that come here, best first, in the language of searches."""
    if not arguments:
        await visit.ask("search", "", visit.t(texts.ASK_SEARCH))
        return
    payload = {"query": arguments, "chat": visit.subject.id}
    memo = await visit.desk.database.write(
        lambda connection: chats.add_memo(
            connection,
            chat_id=visit.chat.id,
            user_id=visit.user_id,
            kind="search",
            payload=payload,
            now=visit.desk.now(),
        )
    )
    await _show_hits(visit, arguments, memo, 0)


async def press_hits(visit: Visit, arguments: Sequence[str]) -> None:
    """Another page of what was found: `hits.PAGE.MEMO`."""
    page, number = int(arguments[0]), int(arguments[1])
    memo = await visit.desk.database.read(
        lambda connection: chats.find_memo(
            connection, number, chat_id=visit.chat.id, kind="search"
        )
    )
    if memo is None or memo.payload["chat"] != visit.subject.id:
        raise Complaint(texts.SEARCH_GONE)
    await _show_hits(visit, str(memo.payload["query"]), number, page)


async def _show_hits(visit: Visit, typed: str, memo: int, page: int) -> None:
    account = await visit.account()
    query: Query = parse(typed, visit.desk.now())
    here = {each.feed_id for each in await choosing.routes_here(visit)}
    hits = await visit.desk.database.read(
        lambda connection: search.search(
            connection, account, query, limit=_HITS + 1, offset=page * _HITS, feeds=here
        )
    )
    lines = [_hit(visit, hit) for hit in hits[:_HITS]]
    turning = []
    if page > 0:
        turning.append(Button("‹", buttons.data("hits", page - 1, memo)))
    if len(hits) > _HITS:
        turning.append(Button("›", buttons.data("hits", page + 1, memo)))
    await visit.show(*(lines or [visit.t(texts.NOTHING_FOUND)]), rows=[turning])


def _hit(visit: Visit, hit: Hit) -> str:
    entry = hit.entry
    title = entry.title or "".join(piece.text for piece in hit.text)[:100] or "…"
    text = texts.HIT if entry.link else texts.HIT_BARE
    date = f"{entry.sort_at:%Y-%m-%d}"
    return visit.t(text, link=entry.link, title=title, feed=entry.feed_title, date=date)


# -- why ------------------------------------------------------------------------------------------


async def why(visit: Visit, arguments: str) -> None:
    answered = visit.message.reply_to if visit.message else None
    if answered is not None:
        await _why_this(visit, answered.message_id)
    elif arguments:
        chosen = await choosing.meant(visit, "why", arguments)
        if chosen is not None:
            await _fates(visit, chosen[0])
    else:
        await visit.say(visit.t(texts.WHY_HOW))


async def _why_this(visit: Visit, message_id: int) -> None:
    visit = visit.about(visit.chat)  # whatever chat is managed from here
    account = await visit.account()
    post = await visit.desk.database.read(
        posts.find_post, account, CHANNEL, visit.chat_key, message_id
    )
    if post is None:
        raise Complaint(texts.WHY_UNKNOWN)
    route = await choosing.route(visit, post.route_id)
    lines = [visit.t(texts.WHY_HEAD, title=post.title, feed=route.title, url=route.url)]
    await visit.say(*lines, *_moments(visit, post), await _because(visit, post))


async def _because(visit: Visit, post: Post) -> str:
    """What was noted when it was sent, whatever is wished by now."""
    if post.outcome == "sent" and not post.detail:
        return visit.t(texts.WHY_NO_FILTER)
    said = await routing.why(
        visit.desk.database,
        await visit.account(),
        post.route_id,
        post.seq,
        now=visit.desk.now(),
        language=visit.language,
        names=await wishing.names(visit),
    )
    return html.escape(said, quote=False)


def _moments(visit: Visit, post: Post) -> list[str]:
    lines = []
    if post.published_at is not None:
        lines.append(visit.t(texts.WHY_PUBLISHED, moment=_moment(post.published_at)))
    if post.first_seen_at is not None:
        lines.append(visit.t(texts.WHY_FOUND, moment=_moment(post.first_seen_at)))
        seconds = round((post.sent_at - post.first_seen_at).total_seconds())
        delay = f"{seconds} s" if seconds < 120 else f"{seconds // 60} min"
        lines.append(visit.t(texts.WHY_SENT, moment=_moment(post.sent_at), delay=delay))
    return lines


def _moment(moment: datetime) -> str:
    return f"{moment:%Y-%m-%d %H:%M:%S} UTC"


async def _fates(visit: Visit, route: ChatRoute) -> None:
    """What became of the newest entries, those that were filtered too."""
    account = await visit.account()
    found = await routing.delivered(visit.desk.database, account, route.id, limit=_FATES)
    marks, names = {"sent": "✅", "skipped": "➖"}, await wishing.names(visit)
    lines = [
        visit.t(
            texts.WHY_LINE,
            mark=marks.get(each.outcome, "❌"),
            title=each.title or "…",
            detail=visit.reasons(each.detail, names) or _moment(each.at),
        )
        for each in found
    ]
    await visit.say(*(lines or [visit.t(texts.WHY_NOTHING, title=route.title)]))


# -- how they are doing ---------------------------------------------------------------------------


async def status(visit: Visit, _: str) -> None:
    routes = await choosing.routes_here(visit)
    title = visit.subject.title or visit.chat_key
    lines = [visit.t(texts.STATUS, chat=title, n=len(routes))]
    paused = sum(choosing.is_paused(visit, each) for each in routes)
    waiting = sum(each.waiting for each in routes)
    if paused:
        lines.append(visit.t(texts.STATUS_PAUSED, n=paused))
    if waiting:
        lines.append(visit.t(texts.STATUS_WAITING, n=waiting))
    polls = [each.next_poll_at for each in routes if each.next_poll_at is not None]
    if polls:
        lines.append(visit.t(texts.STATUS_NEXT, when=feedcard.away(visit, min(polls))))
    ailing = [each for each in routes if _trouble(each)]
    lines.append("")
    lines.append(visit.t(texts.STATUS_FAILING if ailing else texts.STATUS_WELL))
    for each in ailing:
        when = (
            feedcard.away(visit, each.next_poll_at)
            if each.next_poll_at
            else visit.plain(texts.NEVER)
        )
        lines.append(
            visit.t(
                texts.STATUS_LINE,
                title=each.title,
                reason=visit.trouble(_trouble(each)),
                when=when,
            )
        )
    await visit.say(*lines)


def _trouble(route: ChatRoute) -> str:
    if route.suspended_at is not None:
        return route.suspended_reason
    if route.disabled_at is not None:
        return route.disabled_reason
    return route.last_error if route.failure_count else ""


THEME: Final = Theme(
    texts.THEME,
    (
        Command("test", trying.test, texts.ABOUT_TEST, "URL"),
        Command("search", search_, texts.ABOUT_SEARCH, "WORDS", needs="reader"),
        Command("why", why, texts.ABOUT_WHY, "[FEED]", needs="reader"),
        Command("status", status, texts.ABOUT_STATUS, needs="reader"),
    ),
    {"hits": press_hits},
    frozenset({"hits"}),
)
