"""A message as webhook bodies, each within Discord's limits (pure).

One embed for one message, but for further pictures: embeds share a sum of 6000 units, and those
of the same url are shown as one. What Discord refuses is sent again as one line of text with the
link (`plain`).
"""

import re
from collections.abc import Mapping, Sequence
from datetime import UTC
from typing import Any, Final

from wireroom.catalogue import posts
from wireroom.channels.discord import layouts
from wireroom.channels.discord.cutting import shortened
from wireroom.channels.discord.markdown import escaped_words, fitting, markdown
from wireroom.delivery.channel import Address, Parcel
from wireroom.delivery.format import Format
from wireroom.delivery.htmltext import parse
from wireroom.delivery.message import Message
from wireroom.delivery.pictures import pictures
from wireroom.delivery.richtext import (
    Block,
    Span,
    cut,
    is_web_address,
    one_line,
    take,
    units,
    without_links,
)

#: UTF-16 units (the documentation names no unit; these satisfy every reading of it).
MOST_TITLE: Final = 256
MOST_NAME: Final = 256
MOST_DESCRIPTION: Final = 4096
MOST_FOOTER: Final = 2048
MOST_TOGETHER: Final = 6000
MOST_CONTENT: Final = 2000
MOST_USERNAME: Final = 80
MOST_URL: Final = 2048
MOST_TAGS: Final = 5
MOST_CALLED: Final = 5
#: One entry becomes at most so many messages; what remains is cut.
MOST_PARTS: Final = 10

DEFAULT_FORMAT: Final = Format(content=300, ellipsis=" …", media="auto")
DEFAULT_COLOR: Final = 0xEE802F  # the orange of feeds

SUPPRESS_NOTIFICATIONS: Final = 4096

_RESERVED = re.compile("(dis)(cord)|(cl)(yde)", re.IGNORECASE)


def render(message: Message, address: Address, settings: Mapping[str, Any]) -> tuple[Parcel, ...]:
    """One execute-webhook body, or several for a text sent whole.

    `settings` are those of `Format` and `color` (0..0xFFFFFF). The thread is the sender's
    business: it is part of the address, not of the body.
    """
    form = DEFAULT_FORMAT.changed_by(settings)
    parts = _descriptions(message, form, settings)
    return tuple(
        _parcel(message, form, part, settings, first=number == 0)
        for number, part in enumerate(parts)
    )


def _descriptions(message: Message, form: Format, settings: Mapping[str, Any]) -> list[str]:
    """The markdown of each part; the title, author and footer of the first leave it less room."""
    blocks = _text(message, form)
    if form.content and message.laid_out is None:
        shown = cut(blocks, form.content, ellipsis=form.ellipsis, at_words=form.at_words)
        leads = _leads_on(message, shown, blocks)
        more = f"\n\n[{posts.IN_FULL.say(form.language)}]({message.page_url})" if leads else ""
        room = _room(message, settings) - units(more)
        return [fitting(shown, room, ellipsis=form.ellipsis) + more]
    later = layouts.room(settings, MOST_DESCRIPTION)
    parts: list[str] = []
    while blocks and len(parts) < MOST_PARTS - 1:
        text, blocks = _next_part(blocks, later if parts else _room(message, settings))
        parts.append(text)
    if blocks:
        parts.append(fitting(blocks, later, ellipsis=" …"))
    return parts or [""]


def _leads_on(message: Message, shown: Sequence[Block], whole: Sequence[Block]) -> bool:
    return bool(_web(message.page_url)) and tuple(shown) != tuple(whole)


def _text(message: Message, form: Format) -> tuple[Block, ...]:
    if message.laid_out is not None:
        return parse(message.laid_out, keep_newlines=True).blocks
    blocks = form.text_of(message).blocks
    if len(blocks) == 1 and one_line(blocks[0].text) == one_line(message.title):
        return ()
    return blocks


def _next_part(blocks: tuple[Block, ...], limit: int) -> tuple[str, tuple[Block, ...]]:
    """As much as its markdown fits: signs and addresses take room that `take` does not see."""
    visible = limit
    while visible > 64:
        part, rest = take(blocks, visible, whole=True)
        text = markdown(part)
        if units(text) <= limit:
            return text, rest
        visible = visible * 3 // 4
    part, rest = take(blocks, 64)
    return markdown([without_links(block) for block in part]), rest


def _room(message: Message, settings: Mapping[str, Any]) -> int:
    parts = (_title(message), _author(message), _footer(message))
    beside = min(MOST_DESCRIPTION, MOST_TOGETHER - sum(units(part) for part in parts))
    return layouts.room(settings, beside, *parts, _web(message.link))


def _parcel(
    message: Message, form: Format, description: str, settings: Mapping[str, Any], *, first: bool
) -> Parcel:
    shown = _pictures(message, form) if first else []
    body, called = _body(message, form, description, settings, shown, first=first)
    method = "crosspost" if settings.get("crosspost") is True else "execute"
    plain = _plain(message, form, description, first=first)
    simpler = None
    if shown or "avatar_url" in body:
        # An address that looks well may still be one that Discord does not take.
        less, _ = _body(message, form, description, settings, [], first=first)
        less.pop("avatar_url", None)
        simpler = Parcel(method, _harmless(less, called), plain=plain)
    return Parcel(method, _harmless(body, called), plain=plain, without_media=simpler)


def _body(
    message: Message,
    form: Format,
    description: str,
    settings: Mapping[str, Any],
    shown: Sequence[str],
    *,
    first: bool,
) -> tuple[dict[str, Any], list[str]]:
    """What is posted with these pictures, and the roles that it calls."""
    embed = _embed(message, description, settings) if first else _more(description, settings)
    if shown:
        embed["image"] = {"url": shown[0]}
    flags = SUPPRESS_NOTIFICATIONS if form.silent or not first else 0
    called = [each for each in message.mentions if each.isdecimal()][:MOST_CALLED] if first else []
    body = _without_empty(
        {
            "username": username(message.feed_title),
            "avatar_url": _web(str(settings.get("avatar") or "")) or _web(message.icon_url),
            "applied_tags": _tags(settings) if first else [],
        }
    )
    calls = "\n".join(filter(None, (_calling(called), _played(message, form, first))))
    laid_out = layouts.shaped(embed, settings, calls, shown[1:])
    body |= laid_out | _without_empty({"flags": flags | laid_out.get("flags", 0)})
    return body, called


def _pictures(message: Message, form: Format) -> list[str]:
    if form.media == "none":
        return []
    found = pictures(message, everything=form.media == "all", most=layouts.MOST_IN_A_GALLERY)
    return [each for each in found if _web(each)]


def _embed(message: Message, description: str, settings: Mapping[str, Any]) -> dict[str, Any]:
    at = message.published.astimezone(UTC) if message.published else None
    author, footer = _author(message), _footer(message)
    return _without_empty(
        {
            "title": _title(message),
            "url": _web(message.link),
            "description": description.strip(),
            "color": _color(settings),
            "timestamp": at.isoformat(timespec="seconds").replace("+00:00", "Z") if at else "",
            "author": _without_empty({"name": author, "url": _web(message.site_url)})
            if author
            else {},
            "footer": {"text": footer} if footer else {},
        }
    )


def _more(description: str, settings: Mapping[str, Any]) -> dict[str, Any]:
    return {"description": description.strip() or "…", "color": _color(settings)}


def _plain(message: Message, form: Format, description: str, *, first: bool) -> Parcel:
    """The least that can be refused: title and link in one line of text, no name, no picture."""
    if not first:
        return Parcel("execute", _harmless({"content": shortened(description, MOST_CONTENT)}))
    title = one_line(message.title) or one_line(message.feed_title) or form.empty
    link = f"\n<{message.link}>" if _web(message.link) else ""
    room = MOST_CONTENT - units(link)
    return Parcel("execute", _harmless({"content": _escaped_within(title, room) + link}))


def _calling(roles: Sequence[str]) -> str:
    return " ".join(f"<@&{role}>" for role in roles)


def _played(message: Message, form: Format, first: bool) -> str:
    """The address of a film or of sound: Discord plays what stands in the text."""
    if form.media != "all" or not first:
        return ""
    found = (each.url for each in message.enclosures if each.kind in ("video", "audio"))
    return next(filter(_web, found), "")


def _harmless(body: dict[str, Any], roles: Sequence[str] = ()) -> dict[str, Any]:
    """A feed's text mentions nobody, whatever it says (DCD-14); only a rule's roles are called."""
    allowed = {"parse": [], **({"roles": list(roles)} if roles else {})}
    return {**body, "allowed_mentions": allowed}


def username(feed_title: str) -> str:
    """The name a webhook posts under: 80 units, and not one that Discord keeps for itself."""
    name = _RESERVED.sub(
        lambda found: "-".join(part for part in found.groups() if part), one_line(feed_title)
    )
    if name.lower() in ("everyone", "here"):
        name = f"{name} feed"
    return _shortened(name, MOST_USERNAME)


def _tags(settings: Mapping[str, Any]) -> list[str]:
    """Numbers of a forum's tags; they count where the message begins a post."""
    wanted = str(settings.get("tags") or "").split(",")
    return [each for each in wanted if each.isdecimal()][:MOST_TAGS]


def _title(message: Message) -> str:
    title = one_line(message.title)
    if not title and message.laid_out is not None:
        return ""
    return _escaped_within(title or "Untitled", MOST_TITLE)


def _author(message: Message) -> str:
    return _shortened(one_line(message.feed_title), MOST_NAME)


def _footer(message: Message) -> str:
    author = one_line(message.author)
    parts = [f"by {author}"] if author else []
    parts += [f"#{tag}" for tag in message.tags]
    return _shortened(" · ".join(parts), MOST_FOOTER)


def _color(settings: Mapping[str, Any]) -> int:
    color = settings.get("color")
    return color if isinstance(color, int) and 0 <= color <= 0xFFFFFF else DEFAULT_COLOR


def _web(url: str) -> str:
    """The address if Discord would take it, else "": one bad address refuses a whole message."""
    return url if is_web_address(url) and units(url) <= MOST_URL else ""


def _escaped_within(text: str, limit: int) -> str:
    """Markdown of a plain text, within `limit` units as written."""
    visible = limit
    while units(written := escaped_words(_shortened(text, visible))) > limit:
        visible -= max(1, (units(written) - limit) // 2)
    return written


def _shortened(text: str, limit: int) -> str:
    if units(text) <= limit:
        return text
    block = Block("paragraph", (Span(text),))
    shown: Sequence[Block] = cut((block,), limit - 1, ellipsis="…", at_words=True)
    return "".join(part.text for part in shown)


def _without_empty(values: dict[str, Any]) -> dict[str, Any]:
    """Discord refuses empty strings; an absent key is fine."""
    return {key: value for key, value in values.items() if value not in ("", {}, [], None, 0)}
