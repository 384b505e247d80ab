"""Parcels to Telegram through python-telegram-bot; every failure is an answer.

Pace and retries are ours: the library sends one request and tells what came back.
"""

import asyncio
from collections.abc import Awaitable, Callable, Iterable, Mapping
from dataclasses import dataclass, replace
from datetime import UTC, datetime, timedelta
from typing import Any, Final

import structlog

from wireroom.channels.telegram import edits, errors, requests
from wireroom.channels.telegram.bot import DEFAULT_BASE_URL, open_bot
from wireroom.channels.telegram.pace import telegram_pace
from wireroom.channels.telegram.render import render
from wireroom.delivery.channel import (
    Address,
    Answer,
    Go,
    Gone,
    Parcel,
    Rejected,
    Sent,
    TryLater,
    at_once,
)
from wireroom.delivery.message import Message
from wireroom.delivery.pace import EVERYTHING, Pace
from wireroom.errors import SettingsError, WireroomError

log = structlog.get_logger(__name__)

#: A longer wait than this is not slept through, it is the answer.
PATIENCE: Final = timedelta(seconds=5)
#: So many flooded chats within so much time mean that the bot as a whole is too fast.
FLOODED_CHATS: Final = 3
FLOOD_MEMORY: Final = timedelta(seconds=30)
#: How long a refused token or a blocked server is left alone.
CHANNEL_PAUSE: Final = timedelta(minutes=10)
#: One parcel is sent in at most so many forms: moved, album, picture, uploaded, text, plain.
MOST_FORMS: Final = 6

#: Loads a picture through the guarded client; None when it cannot be had or is too large.
Download = Callable[[str], Awaitable[bytes | None]]


@dataclass(frozen=True, slots=True)
class Target:
    """A chat and, in a forum, the topic; the General topic is addressed by naming none."""

    chat: int | str
    topic: int | None = None

    @classmethod
    def of(cls, address: Address) -> "Target":
        """Read "-100123", "-100123/57" or "@channel/57"."""
        chat, _, topic = address.public.partition("/")
        number = int(topic) if topic.isdecimal() else None
        is_number = chat.removeprefix("-").isdecimal()
        return cls(int(chat) if is_number else chat, number if number != 1 else None)

    def __str__(self) -> str:
        return f"{self.chat}/{self.topic}" if self.topic else str(self.chat)


@dataclass(frozen=True, slots=True)
class _Refusal:
    """Telegram answered, and not with a message."""

    description: str
    remedy: errors.Remedy
    is_forbidden: bool = False


@dataclass(frozen=True, slots=True)
class _Moved:
    chat: int


#: There is no such method: the classic form is asked for.
_NO_RICH: Final = _Refusal("Not Found: method not found", "unreadable")

_Outcome = Sent | TryLater | _Refusal | _Moved


class TelegramChannel:
    """The Telegram bot as a channel. `close` it when done."""

    kind: Final = "telegram"
    pace: Final = timedelta(milliseconds=35)

    def __init__(
        self,
        token: str,
        *,
        base_url: str = DEFAULT_BASE_URL,
        rhythm: Pace | None = None,
        download: Download | None = None,
        timeout: timedelta = timedelta(seconds=30),
        now: Callable[[], datetime] = lambda: datetime.now(UTC),
        sleep: Callable[[float], Awaitable[None]] = asyncio.sleep,
    ) -> None:
        self._bot, self._request = open_bot(token, base_url, timeout)
        self.rhythm = rhythm or telegram_pace()
        self._download = download
        self._now = now
        self._sleep = sleep
        self._floods: dict[str, datetime] = {}
        self._is_plain_server = False

    def __repr__(self) -> str:
        return "TelegramChannel()"

    def render(
        self, message: Message, address: Address, settings: Mapping[str, Any]
    ) -> tuple[Parcel, ...]:
        return render(message, address, settings)

    async def send(self, address: Address, parcel: Parcel, *, go: Go = at_once) -> Answer:
        """Wait for our turn and send; falls back to simpler forms of the parcel as needed."""
        target = Target.of(address)
        if (waits := await self._turn(target, go)) is not None:
            return waits
        answer = await self._send(target, parcel)
        if isinstance(answer, TryLater) and answer.scope == "channel" and answer.after:
            self.rhythm.learned(EVERYTHING, self._now(), answer.after)
        return answer

    async def edit(self, address: Address, message_id: str, parcel: Parcel) -> Answer:
        """Change a message's text and media; of an album, as many pictures as it has."""
        target = Target.of(address)
        first, *others = message_id.split(edits.ALBUM)
        if (waits := await self._turn(target)) is not None:
            return waits
        answer = await self._edit(target, edits.forms_of_edit(parcel, first))
        if not isinstance(answer, Sent):
            return answer
        for form in edits.rest_of_album(parcel, others):
            if (waits := await self._turn(target)) is not None:
                return waits
            further = await self._edit(target, [form])
            if isinstance(further, TryLater):
                return further
        return Sent(message_id)

    async def close(self) -> None:
        await self._request.shutdown()

    async def _turn(self, target: Target, go: Go = at_once) -> TryLater | None:
        """Sleep until it is the chat's turn, and ours; None once it is."""
        chat = str(target.chat)
        while True:
            now = self._now()
            wait = self.rhythm.wait(chat, now, at_most=PATIENCE)
            if wait > PATIENCE:
                return TryLater("waiting for Telegram's rate limit", after=wait)
            if wait:
                await self._sleep(wait.total_seconds())
            await go()
            if self.rhythm.stands(chat, now + wait, self._now()):
                return None

    async def _edit(self, target: Target, forms: Iterable[Parcel]) -> Answer:
        """Try one form after the other until Telegram takes one, or says what ends it."""
        answer: Answer = Rejected("it cannot be changed")
        for form in forms:
            outcome = await self._call(target, requests.editing(self._bot, target.chat, form))
            if isinstance(outcome, _Refusal) and outcome.remedy == "media":
                outcome = await self._edit_uploaded(target, form) or outcome
            if isinstance(outcome, Sent | TryLater):
                return outcome
            if isinstance(outcome, _Moved):
                return TryLater("the chat has moved")
            if outcome.remedy in ("done", "wait", "gone", "missing"):
                return await self._verdict(target, outcome)
            answer = Rejected(errors.reason(outcome.description))
        return answer

    async def _edit_uploaded(self, target: Target, form: Parcel) -> _Outcome | None:
        """The same edit with the picture itself, where Telegram could not load its address."""
        media = form.payload.get("media") or {}
        if self._download is None or media.get("type") != "photo":
            return None
        picture = await self._download(media["media"])
        if picture is None:
            return None
        uploaded = replace(form, payload={**form.payload, "media": {**media, "media": picture}})
        return await self._call(target, requests.editing(self._bot, target.chat, uploaded))

    async def _send(self, target: Target, parcel: Parcel) -> Answer:
        moved_to = ""
        for _ in range(MOST_FORMS):
            outcome = await self._request_once(target, parcel)
            if isinstance(outcome, Sent):
                return replace(outcome, moved_to=moved_to)
            if isinstance(outcome, TryLater):
                return outcome
            if isinstance(outcome, _Moved):
                target = replace(target, chat=outcome.chat)
                moved_to = str(target)
                continue
            simpler = await self._simpler(parcel, outcome)
            if simpler is None:
                return await self._verdict(target, outcome)
            reason = errors.reason(outcome.description)
            log.info("telegram refused a form", method=parcel.method, reason=reason)
            parcel = simpler
        return TryLater("the chat keeps moving")

    async def _simpler(self, parcel: Parcel, refusal: _Refusal) -> Parcel | None:
        """The next form of a refused parcel, if another form could help."""
        if parcel.method == "sendRichMessage" and refusal.remedy not in ("gone", "missing"):
            return parcel.plain
        pictures = errors.is_about_pictures(refusal.description)
        if parcel.without_media and (refusal.remedy == "media" or pictures):
            return (None if pictures else await self._uploaded(parcel)) or parcel.without_media
        if refusal.remedy in ("unreadable", "media") or _is_unknown(refusal):
            return parcel.plain
        return None

    async def _uploaded(self, parcel: Parcel) -> Parcel | None:
        """The same parcel with the picture itself, where Telegram could not load its address."""
        url = parcel.payload.get("photo")
        if self._download is None or not isinstance(url, str):
            return None
        picture = await self._download(url)
        return replace(parcel, payload={**parcel.payload, "photo": picture}) if picture else None

    async def _verdict(self, target: Target, refusal: _Refusal) -> Answer:
        reason = errors.reason(refusal.description)
        if refusal.remedy == "done":
            return Sent()
        if refusal.remedy == "wait":
            return self._flooded(target, None)
        if refusal.remedy == "gone":
            return Gone(reason)
        if refusal.remedy == "missing":
            return await self._looked_again(target, reason)
        if refusal.remedy == "no_rights" or refusal.is_forbidden:
            return Gone(reason, certain=False)
        return Rejected(reason, certain=not _is_unknown(refusal))

    async def _looked_again(self, target: Target, reason: str) -> Answer:
        """Whether a chat that was not found is really not there."""
        outcome = await self._call(target, self._bot.get_chat(chat_id=target.chat))
        if isinstance(outcome, _Refusal):
            return Gone(reason)
        if isinstance(outcome, TryLater):
            return outcome
        return TryLater(reason)

    async def _request_once(self, target: Target, parcel: Parcel) -> _Outcome:
        payload = dict(parcel.payload)
        if target.topic is not None:
            payload["message_thread_id"] = target.topic
        if parcel.method == "sendRichMessage":
            return await self._rich(target, payload)
        call = requests.sending(self._bot, target.chat, parcel.method, payload)
        return await self._call(target, call)

    async def _rich(self, target: Target, payload: dict[str, Any]) -> _Outcome:
        """As the library does not know the method (Bot API 10.1), nor perhaps the server.

        A server that has no such method answers as to a bad token; it is not asked again, and the
        classic message tells which of the two it was.
        """
        if self._is_plain_server:
            return _NO_RICH
        call = requests.sending(self._bot, target.chat, "sendRichMessage", payload)
        outcome = await self._call(target, call, may_be_unknown=True)
        if outcome is _NO_RICH:
            self._is_plain_server = True
        return outcome

    async def _call(
        self, target: Target, call: Awaitable[Any], *, may_be_unknown: bool = False
    ) -> _Outcome:
        import httpx
        from telegram import error

        try:
            result = await call
        except error.ChatMigrated as moved:
            return _Moved(moved.new_chat_id)
        except error.RetryAfter as flood:
            after = flood.retry_after
            return self._flooded(
                target, after if isinstance(after, timedelta) else timedelta(seconds=after)
            )
        except error.InvalidToken as refused:
            if may_be_unknown:
                return _NO_RICH
            # No traceback: its frames hold the token.
            reason = errors.reason(str(refused))
            log.error("telegram refuses the bot token", reason=reason)  # noqa: TRY400
            return TryLater("the bot token is refused", after=CHANNEL_PAUSE, scope="channel")
        except error.Conflict as conflict:
            return TryLater(errors.reason(str(conflict)), timedelta(seconds=5), scope="channel")
        except (error.BadRequest, error.Forbidden) as refused:
            return _refused(refused, is_forbidden=isinstance(refused, error.Forbidden))
        except error.TelegramError as failed:
            never_left = isinstance(
                failed.__cause__, httpx.ConnectError | httpx.ConnectTimeout | httpx.PoolTimeout
            )
            return self._failed(target, str(failed), maybe_sent=not never_left)
        except (AttributeError, KeyError, TypeError, ValueError) as odd:
            # The library builds objects out of successful answers only.
            log.warning("telegram accepted with an odd answer", error=type(odd).__name__)
            return Sent()
        return Sent(requests.name_of(result))

    def _failed(self, target: Target, description: str, *, maybe_sent: bool) -> TryLater:
        if errors.remedy(description) == "wait":
            return self._flooded(target, None)
        return TryLater(errors.reason(description), maybe_sent=maybe_sent)

    def _flooded(self, target: Target, after: timedelta | None) -> TryLater:
        """Leave the chat alone, or everything once several chats are flooded (§7)."""
        now, chat = self._now(), str(target.chat)
        after = after or timedelta(seconds=60)
        self._floods = {c: at for c, at in self._floods.items() if now - at < FLOOD_MEMORY}
        self._floods[chat] = now
        everywhere = len(self._floods) >= FLOODED_CHATS
        self.rhythm.learned(chat, now, after)
        return TryLater(
            "Telegram's flood control", after, scope="channel" if everywhere else "destination"
        )


def _refused(refused: Exception, *, is_forbidden: bool) -> _Refusal | TryLater:
    description = str(refused)
    if "Parsing the server response" in description:
        # A proxy's page, not Telegram's answer: it says nothing about the chat.
        reason = errors.reason(description.partition(". Parsing")[0])
        return TryLater(f"not an answer of Telegram: {reason}", CHANNEL_PAUSE, scope="channel")
    return _Refusal(description, errors.remedy(description), is_forbidden)


def _is_unknown(refusal: _Refusal) -> bool:
    return refusal.remedy == "unknown" and not refusal.is_forbidden


async def who_am_i(token: str, *, base_url: str = DEFAULT_BASE_URL) -> str:
    """The bot's user name, which proves its token.

    Raises SettingsError when Telegram refuses the token, and WireroomError when Telegram cannot
    be reached or says something else.
    """
    bot, request = open_bot(token, base_url, timedelta(seconds=15))
    from telegram import error

    try:
        me = await bot.get_me()
    except error.InvalidToken:
        raise SettingsError(
            "Telegram refuses the bot token; set WIREROOM_TELEGRAM_TOKEN to the one that "
            "@BotFather gave."
        ) from None
    except error.TelegramError as failed:
        # No chain: the library's errors hold the URL, and with it the token.
        raise WireroomError(f"Telegram does not answer: {errors.reason(str(failed))}.") from None
    finally:
        await request.shutdown()
    return me.username or me.first_name
