"""How a route wants its messages: the switches that all channels share (pure)."""

from collections.abc import Mapping
from dataclasses import dataclass, fields, replace
from typing import Any, Final

from wireroom.catalogue import DEFAULT, Language, language_of
from wireroom.catalogue.posts import EMPTY
from wireroom.delivery.htmltext import parse
from wireroom.delivery.message import Message
from wireroom.delivery.richtext import RichText
from wireroom.feeds.model import SafeHtml

#: What is read beyond the text that is shown, in characters, so that it is seen to be cut.
_ENOUGH: Final = 1000


@dataclass(frozen=True, slots=True)
class Format:
    """A channel's defaults, or these with a route's own settings on top."""

    #: Most visible UTF-16 units of an entry's text; 0 is all of it, in several messages if needed.
    content: int
    #: Written where the text was cut, on top of `content`.
    ellipsis: str
    #: Cut at the last space; otherwise exactly there, though never inside a character.
    at_words: bool = True
    #: "full" prefers the content, "summary" the publisher's short form (C26).
    source: str = "full"
    #: "auto" shows the entry's picture, "all" albums, films and sound as well, "none" leaves it to
    #: the link preview.
    media: str = "none"
    #: Whether the entry's link is previewed (TGD-16).
    preview: bool = True
    #: Deliver without a sound.
    silent: bool = False
    #: Said instead of a message in which nothing is visible (TGD-34).
    empty: str = EMPTY.say(DEFAULT)
    #: Of the words that are ours.
    language: Language = DEFAULT

    def changed_by(self, settings: Mapping[str, Any]) -> "Format":
        """With those `settings` that are ours and of the right type; others are passed over.

        `long` "split" makes several messages of a long text, as `content` 0 does.
        """
        ours = {field.name: type(getattr(self, field.name)) for field in fields(self)}
        wished = {key: value for key, value in settings.items() if type(value) is ours.get(key)}
        if settings.get("long") == "split":
            wished["content"] = 0
        wished["language"] = language_of(wished.get("language", self.language))
        wished.setdefault("empty", EMPTY.say(wished["language"]))
        return replace(self, **wished)

    def text_of(self, message: Message) -> RichText:
        """The entry's text in the form that the route asked for, not yet cut."""
        html = message.body or message.summary or SafeHtml("")
        if self.source == "summary":
            html = message.summary or html
        if not self.content:
            return parse(html)
        return parse(html, most_text=max(self.content, 0) + _ENOUGH)
