"""A message in words, for channels without markup of their own: mail, Apprise, posts (pure)."""

from html import escape
from typing import Final

from wireroom.delivery.format import Format
from wireroom.delivery.htmltext import parse
from wireroom.delivery.message import Message
from wireroom.delivery.richtext import Block, cut, gap, is_web_address, lead, one_line
from wireroom.feeds.model import SafeHtml

MOST_SUBJECT: Final = 200
_MOST_RECORDINGS: Final = 10


def subject(message: Message) -> str:
    """One line that says what it is about; never empty."""
    if message.title.strip():
        return one_line(message.title)[:MOST_SUBJECT]
    if message.laid_out is not None:
        first = lines(message.laid_out).partition("\n")[0]
        return one_line(first)[:MOST_SUBJECT] or one_line(message.feed_title) or "News"
    return one_line(message.feed_title)[:MOST_SUBJECT] or "News"


def text(message: Message, form: Format) -> str:
    """The whole message as plain text: text, where it goes on, whose it is."""
    if message.laid_out is not None:
        return lines(message.laid_out)
    body = _plain(_shown(message, form))
    parts = [body, "\n".join([_link(message), *_recordings(message, form)]).strip()]
    parts.append(_origin(message))
    return "\n\n".join(part for part in parts if part) or form.empty


def html(message: Message, form: Format) -> str:
    """The whole message as HTML that any mail program shows."""
    if message.laid_out is not None:
        # A layout's line ends count, as they do in chats.
        return message.laid_out.replace("\n", "<br>\n")
    body = message.body if form.source == "full" else message.summary or message.body
    if form.content:
        shown = _shown(message, form)
        body = SafeHtml("".join(f"<p>{escape(block.text)}</p>\n" for block in shown))
    links = [_link(message), *_recordings(message, form)]
    parts = [
        f"<h2>{escape(one_line(message.title))}</h2>" if message.title.strip() else "",
        body,
        *(f'<p><a href="{escape(link)}">{escape(link)}</a></p>' for link in links if link),
        f"<p><i>{escape(_origin(message))}</i></p>" if _origin(message) else "",
    ]
    return "\n".join(part for part in parts if part) or f"<p>{escape(form.empty)}</p>"


def _shown(message: Message, form: Format) -> tuple[Block, ...]:
    blocks = form.text_of(message).blocks
    if not form.content:
        return blocks
    return cut(blocks, form.content, ellipsis=form.ellipsis, at_words=form.at_words)


def _plain(blocks: tuple[Block, ...]) -> str:
    written = ""
    for number, block in enumerate(blocks):
        written += gap(blocks[number - 1], block) if number else ""
        written += lead(block) + block.text
    return written


def lines(laid_out: SafeHtml) -> str:
    """Markup whose line ends count, as chats have it, without the markup."""
    return _plain(parse(laid_out, keep_newlines=True).blocks)


def _link(message: Message) -> str:
    return message.link if is_web_address(message.link) else ""


def _recordings(message: Message, form: Format) -> list[str]:
    """Addresses of what is heard or seen and that words cannot stand for: a podcast's episode."""
    if form.media == "none":
        return []
    of_the_kind = (each.url for each in message.enclosures if each.kind in ("audio", "video"))
    return [url for url in dict.fromkeys(of_the_kind) if is_web_address(url)][:_MOST_RECORDINGS]


def _origin(message: Message) -> str:
    return " · ".join(filter(None, (one_line(message.feed_title), one_line(message.author))))
