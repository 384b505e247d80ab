"""What the Bot API's refusals mean (pure): description in, remedy out.

The codes say little (a missing chat and a broken tag are both 400), so the words decide. They are
compared in lower case by their beginning, because the ends name rights, offsets and tags.
"""

import re
from typing import Final, Literal

Remedy = Literal[
    "gone",  # the chat does not want us: at once
    "missing",  # there is no such chat; look once more before believing it
    "no_rights",  # we may not write there, today
    "unreadable",  # our markup is at fault: send plain text
    "media",  # Telegram could not load the picture: send without
    "wait",  # flood control that named no time
    "done",  # nothing to do
    "unknown",
]

_BEGINNINGS: Final[tuple[tuple[Remedy, tuple[str, ...]], ...]] = (
    (
        "gone",
        (
            "bot was blocked by the user",
            "user is deactivated",
            "bot can't initiate conversation with a user",
            "the bot can't send messages to the bot",
            "bot can't send messages to bots",
            "bot was kicked from the ",
            "bot is not a member of the ",
            "the group chat was deleted",
            # Where the new number comes along, this is no refusal: the sender follows it.
            "group chat was upgraded",
            "the group chat was upgraded",
        ),
    ),
    (
        "missing",
        (
            "chat not found",
            "peer_id_invalid",
            "private chat not found",
            "group is deactivated",
            "user not found",
        ),
    ),
    (
        "no_rights",
        (
            "have no write access to the chat",
            "have no rights to send",
            "not enough rights",
            "need administrator rights in the channel chat",
            "chat_write_forbidden",
            "chat_restricted",
            "chat_admin_required",
            "topic_closed",
            "topic_deleted",
            "message thread not found",
        ),
    ),
    (
        "media",
        (
            "failed to get http url content",
            "wrong file identifier/http url specified",
            "wrong remote file identifier specified",
            "wrong type of the web page content",
            "photo_invalid_dimensions",
            "photo_",
            "image_process_failed",
            "webpage_curl_failed",
            "webpage_media_empty",
            "media_empty",
            "file is too big",
            "invalid file http url specified",
        ),
    ),
    (
        "unreadable",
        (
            "can't parse entities",
            "message is too long",
            "message_too_long",
            "message caption is too long",
            "media_caption_too_long",
            "text must be non-empty",
            "message text is empty",
            "button_",
            "entity_",
            "entities_too_long",
            "reply markup is too long",
        ),
    ),
    ("wait", ("too many requests", "flood")),
    ("done", ("message is not modified",)),
)
_KIND_FORBIDDEN = re.compile(r"chat_send_\w+_forbidden")
_ABOUT_PICTURES = re.compile(
    r"chat_send_(photos|media)_forbidden|not enough rights to send photos"
)
_TOKEN_IN_TEXT = re.compile(r"(bot)?\d{4,}:[A-Za-z0-9_-]{20,}")
_CLASS_PREFIX = re.compile(r"(?:bad request|forbidden): ")

#: Refusals that are codes, or that only who knows Telegram's insides understands, in words.
_IN_WORDS: Final = (
    ("topic_closed", "the topic is closed"),
    ("topic_deleted", "the topic was deleted"),
    ("message thread not found", "the topic is not there any more"),
    ("chat_write_forbidden", "the bot may not write there"),
    ("chat_restricted", "the bot may not write there"),
    ("have no write access to the chat", "the bot may not write there"),
    ("chat_admin_required", "the bot has to be an admin there"),
    ("need administrator rights in the channel chat", "the bot has to be an admin there"),
    ("peer_id_invalid", "there is no such chat"),
)

#: Characters of a reason; more is a page, not a sentence.
LONGEST_REASON: Final = 300


def remedy(description: str) -> Remedy:
    """What to do about a refusal with this `description` (400 or 403)."""
    words = _words(description)
    if _KIND_FORBIDDEN.match(words):
        return "no_rights"
    for found, beginnings in _BEGINNINGS:
        if words.startswith(beginnings):
            return found
    return "unknown"


def is_about_pictures(description: str) -> bool:
    """Whether the chat takes text, only no pictures."""
    return _ABOUT_PICTURES.match(_words(description)) is not None


def reason(description: str) -> str:
    """The description as it may be stored and shown: one line without a token."""
    words = _words(description)
    for beginning, said in _IN_WORDS:
        if words.startswith(beginning):
            return said
    return " ".join(_TOKEN_IN_TEXT.sub("…", description).split())[:LONGEST_REASON]


def _words(description: str) -> str:
    return _CLASS_PREFIX.sub("", description.lower(), count=1)
