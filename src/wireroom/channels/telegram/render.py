"""A message as Bot API requests, each within Telegram's limits (pure).

The text is laid out as blocks, cut as blocks, and only then written as HTML, so that no cut can
tear a tag. What Telegram cannot read is sent again without markup, what it cannot load without
the picture (see `Parcel`).
"""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any, Final

from wireroom.catalogue import posts
from wireroom.channels.telegram import marks, markup, rich
from wireroom.channels.telegram.media import with_media
from wireroom.delivery.channel import Address, Parcel
from wireroom.delivery.format import Format
from wireroom.delivery.htmltext import parse
from wireroom.delivery.message import Message
from wireroom.delivery.richtext import (
    Block,
    Span,
    cut,
    is_web_address,
    one_line,
    take,
    units,
)

#: UTF-16 units of a text after entity parsing.
MOST_TEXT: Final = 4096
#: A title is linked as a whole; a longer one is cut (C29).
MOST_TITLE: Final = 1000
#: What a template made of an entry is cut to, unless long texts go out whole (TGD-33).
MOST_LAID_OUT: Final = 4000
#: One entry becomes at most so many messages; what remains is cut.
MOST_PARTS: Final = 10

DEFAULT_FORMAT: Final = Format(content=270, ellipsis="…")

# Letters that print as nothing: Hangul fillers, the empty braille cell, the grapheme joiner.
_INVISIBLE: Final = frozenset("\u034f\u115f\u1160\u2800\u3164\uffa0")


def render(message: Message, address: Address, settings: Mapping[str, Any]) -> tuple[Parcel, ...]:
    """One sendMessage or one with media, or several sendMessage for a text sent whole.

    `settings` are those of `Format`. `chat_id` and topic are the sender's business, since a group
    can move between rendering and sending.
    """
    form = DEFAULT_FORMAT.changed_by(settings)
    parts = _parts(_laid_out(message, form))
    parcels = [_text_parcel(part, message, form, first=n == 0) for n, part in enumerate(parts)]
    if len(parts) == 1:
        parcels = [with_media(parts[0], message, form, otherwise=parcels[0])]
    if settings.get("rich") is True and (text := rich.html(message)):
        if len(parts) > 1:  # whoever cannot take the document gets one message as well
            parcels = [_text_parcel(_broken_off(parts[0]), message, form, first=True)]
        parcels = [_rich_parcel(text, form, otherwise=parcels[0])]
    if settings.get("marks") is True:
        stands = marks.keyboard(is_read=message.is_read, is_favorite=message.is_favorite)
        parcels[-1] = _with_marks(parcels[-1], stands)
    return tuple(parcels)


def _rich_parcel(text: str, form: Format, *, otherwise: Parcel) -> Parcel:
    """The whole text as a document; a server that cannot do that gets the classic message."""
    payload = {"rich_message": {"html": text}, "disable_notification": form.silent}
    return Parcel("sendRichMessage", payload, plain=otherwise)


def _with_marks(parcel: Parcel, stands: Mapping[str, Any]) -> Parcel:
    """The parcel, and what may be sent in its place, with buttons; albums have none."""
    buttons = {} if parcel.method == "sendMediaGroup" else {"reply_markup": stands}
    return replace(
        parcel,
        payload={**parcel.payload, **buttons},
        plain=parcel.plain and _with_marks(parcel.plain, stands),
        without_media=parcel.without_media and _with_marks(parcel.without_media, stands),
    )


def _laid_out(message: Message, form: Format) -> tuple[Block, ...]:
    if message.laid_out is not None:
        blocks = parse(message.laid_out, keep_newlines=True).blocks
        if message.is_entry and form.content:
            blocks = cut(blocks, MOST_LAID_OUT, ellipsis="...", at_words=False)
        blocks += _called(message)
    else:
        blocks = _default_layout(message, form) + _called(message)
    if any(is_visible(block.text) for block in blocks):
        return blocks
    href = message.link if is_web_address(message.link) else ""
    return (_paragraph(Span(form.empty, href=href)),)


def _default_layout(message: Message, form: Format) -> tuple[Block, ...]:
    """Title with its link, feed's title, text, and where it goes on when it was cut."""
    title = _title(message)
    body = form.text_of(message).blocks
    if len(body) == 1 and title and one_line(body[0].text) == title.text:
        body = ()  # a note whose title is its text
    shown = cut(body, form.content, ellipsis=form.ellipsis, at_words=form.at_words)
    if not form.content:
        shown = body
    head = _head(title, one_line(message.feed_title))
    was_cut = shown != body
    return head + shown + (_read_on(message, form) if was_cut or not title else ())


def _title(message: Message) -> Span | None:
    title = one_line(message.title)
    if not is_visible(title):
        return None
    href = message.link if is_web_address(message.link) else ""
    shown = cut((_paragraph(Span(title)),), MOST_TITLE, ellipsis="…")
    return Span(shown[0].text, frozenset(("bold",)), href)


def _head(title: Span | None, feed_title: str) -> tuple[Block, ...]:
    """Title and feed on lines of their own in one paragraph."""
    if len(feed_title) > MOST_TITLE:
        feed_title = cut((_paragraph(Span(feed_title)),), MOST_TITLE, ellipsis="…")[0].text
    feed = Span(feed_title, frozenset(("italic",)))
    spans = [span for span in (title, feed) if span is not None and is_visible(span.text)]
    if len(spans) == 2:
        spans.insert(1, Span("\n"))
    return (Block("title", tuple(spans)),) if spans else ()


def _read_on(message: Message, form: Format) -> tuple[Block, ...]:
    where = message.page_url or message.link
    if not is_web_address(where):
        return ()
    text = posts.IN_FULL if message.page_url else posts.READ_ON
    words = text.say(form.language, domain=message.domain)
    return (_paragraph(Span(words, href=where)),)


def _called(message: Message) -> tuple[Block, ...]:
    """Names that a rule calls, and its tags, in the last line; roles are Discord's."""
    names = [each for each in message.mentions if each.startswith("@")]
    words = " ".join([*names, *(f"#{tag}" for tag in message.tags)])
    return (_paragraph(Span(words)),) if words else ()


def _paragraph(*spans: Span) -> Block:
    return Block("paragraph", spans)


def _parts(blocks: Sequence[Block]) -> list[tuple[Block, ...]]:
    """As few messages as hold the text and its entities; a surplus of parts is cut."""
    parts: list[tuple[Block, ...]] = []
    rest = tuple(blocks)
    while rest and len(parts) < MOST_PARTS:
        part, remaining = _next_part(rest)
        if remaining and len(parts) == MOST_PARTS - 1:
            part = _broken_off(part)
        if any(is_visible(block.text) for block in part):
            parts.append(part)
        rest = remaining
    return parts


def _broken_off(part: tuple[Block, ...]) -> tuple[Block, ...]:
    """A message's text with the sign that more was to come."""
    shown = cut(part, MOST_TEXT - 1, ellipsis="")
    return (*shown[:-1], replace(shown[-1], spans=(*shown[-1].spans, Span("…"))))


def _next_part(blocks: tuple[Block, ...]) -> tuple[tuple[Block, ...], tuple[Block, ...]]:
    """What fits into one message; a list of hundreds of links fits by fewer of them."""
    limit = MOST_TEXT
    while True:
        part, rest = take(blocks, limit, whole=True)
        crowded = markup.entity_count(markup.runs(part)) > markup.MOST_ENTITIES
        if not crowded or limit <= MOST_TEXT // 16:
            return part, rest
        limit //= 2


def _text_parcel(part: Sequence[Block], message: Message, form: Format, *, first: bool) -> Parcel:
    show = first and form.preview and is_web_address(message.link)
    common: dict[str, Any] = {
        "link_preview_options": {"url": message.link} if show else {"is_disabled": True},
        "disable_notification": form.silent or not first,
    }
    plain = Parcel("sendMessage", {"text": _plain(part, message if first else None), **common})
    marked = {"text": markup.html(part), "parse_mode": "HTML", **common}
    return Parcel("sendMessage", marked, plain=plain)


def _plain(part: Sequence[Block], message: Message | None) -> str:
    """The text without markup; the link that hung on the title is written out."""
    text = markup.text(part)
    link = message.link if message else ""
    addition = f"\n\n{link}"
    fits = units(text) + units(addition) <= MOST_TEXT
    return text + addition if is_web_address(link) and fits else text


def is_visible(text: str) -> bool:
    """Whether a reader would see anything: Telegram refuses a text of blanks and zero widths."""
    return any(c.isprintable() and not c.isspace() and c not in _INVISIBLE for c in text)
