"""Parcels to Discord's webhooks; every failure is an answer.

Always with `wait=true`: without it Discord says 204 and tells nobody when the message was not
saved. The URL is a secret as a whole, so no error text of the HTTP client leaves this module.
"""

import asyncio
import re
from collections.abc import Awaitable, Callable, Mapping
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from typing import TYPE_CHECKING, Any, Final

import structlog

from wireroom import __version__
from wireroom.channels.discord import layouts, webhook_url
from wireroom.channels.discord.errors import Reply, judged
from wireroom.channels.discord.pace import MOST_REMEMBERED, Rhythm
from wireroom.channels.discord.publishing import PUBLISH, Publisher, published
from wireroom.channels.discord.render import render
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
from wireroom.delivery.richtext import Block, Span, cut

if TYPE_CHECKING:
    from aiohttp import ClientSession

log = structlog.get_logger(__name__)

DEFAULT_BASE_URL: Final = "https://discord.com/api/v10"
#: Without this form of name Cloudflare refuses at times (error 40333).
USER_AGENT: Final = "DiscordBot ({site}, {version}) Wireroom"
#: A longer wait than this is not slept through, it is the answer.
PATIENCE: Final = timedelta(seconds=5)
#: The same where somebody waits for what they asked to be posted.
PATIENCE_BY_HAND: Final = timedelta(minutes=2)
#: One parcel is sent in at most so many forms.
MOST_FORMS: Final = 5
#: Bytes of an answer that are read.
LONGEST_ANSWER: Final = 256 * 1024
MOST_THREAD_NAME: Final = 100


class DiscordChannel:
    """Discord's webhooks as a channel. `close` it when done.

    `site` is where whoever runs this can be found, for Discord to read in the User-Agent. With the
    `token` of a bot, messages in announcement channels are published where that is wanted. All
    who post from one process share a `rhythm`; `by_hand` is for what people ask to be posted.
    """

    kind: Final = "discord"

    def __init__(
        self,
        *,
        base_url: str = DEFAULT_BASE_URL,
        site: str = "https://wireroom.invalid",
        token: str = "",
        rhythm: Rhythm | None = None,
        by_hand: bool = False,
        timeout: timedelta = timedelta(seconds=30),
        now: Callable[[], datetime] = lambda: datetime.now(UTC),
        sleep: Callable[[float], Awaitable[None]] = asyncio.sleep,
    ) -> None:
        self._rhythm = rhythm or Rhythm()
        self.pace = self._rhythm.spacing
        self._by_hand = by_hand
        self._patience = PATIENCE_BY_HAND if by_hand else PATIENCE
        self._user_agent = USER_AGENT.format(site=site, version=__version__)
        self._base_url = base_url.rstrip("/")
        self._timeout = timeout
        self._now = now
        self._sleep = sleep
        self._session: ClientSession | None = None
        #: The newest post of a webhook's forum, as answers taught us.
        self._posts: dict[str, str] = {}
        self._publishes = bool(token)
        self._publisher = Publisher(self._open_session, self._base_url, token, self._rhythm, now)

    def render(
        self, message: Message, address: Address, settings: Mapping[str, Any]
    ) -> tuple[Parcel, ...]:
        return render(message, address, settings)

    async def send(self, address: Address, parcel: Parcel, *, go: Go = at_once) -> Answer:
        """Wait for our turn and send; falls back to the plain form of the parcel as needed."""
        if parcel.method == PUBLISH:
            return await self._publisher.publish(parcel)
        webhook, thread = webhook_url.read(address)
        if not webhook.isdigit() or not re.fullmatch(r"[\w-]+", address.secret, re.ASCII):
            return Gone("the address is not that of a webhook")
        return await self._send(webhook, thread, address.secret, parcel, go)

    async def _turn(self, webhook: str, go: Go = at_once) -> TryLater | None:
        """Wait for our turn, before every request: refused ones count for Discord as well.

        The answer instead, where that would take too long.
        """
        while True:
            now = self._now()
            wait = self._rhythm.wait(webhook, now, at_most=self._patience, by_hand=self._by_hand)
            if wait > self._patience:
                return TryLater("waiting for Discord's rate limit", after=wait)
            if wait:
                await self._sleep(wait.total_seconds())
            await go()
            if self._rhythm.stands(webhook, now + wait, self._now(), by_hand=self._by_hand):
                return None

    async def edit(self, address: Address, message_id: str, parcel: Parcel) -> Answer:
        """Change a message; name, avatar and thread stay as they were."""
        webhook, thread = webhook_url.read(address)
        for changed in _changes(parcel):
            outcome = await self._change(webhook, thread, address.secret, message_id, changed)
            if isinstance(outcome, TryLater):
                return outcome
            answer = judged(outcome)
            if answer != "reduce":
                break
            log.info("discord refused a form", method=changed.method, reason=outcome.reason)
        return answer if isinstance(answer, Sent | TryLater) else Rejected(outcome.reason)

    async def _change(
        self, webhook: str, thread: str, secret: str, message_id: str, changed: Parcel
    ) -> Reply | TryLater:
        # The first message of a forum's post is in the thread that has its number.
        for place in dict.fromkeys((thread, message_id)):
            below = f"/messages/{message_id}"
            outcome = await self._turn(webhook) or await self._request(
                "PATCH", webhook, secret, place, changed, below
            )
            if isinstance(outcome, TryLater):
                break
            self._learn(webhook, thread, "", outcome, judged(outcome))
            if outcome.status != 404:
                break
        return outcome

    async def close(self) -> None:
        if self._session is not None:
            await self._session.close()

    async def _send(
        self, webhook: str, thread: str, secret: str, parcel: Parcel, go: Go
    ) -> Answer:
        in_forum = not thread and webhook in self._posts
        post_name = _thread_name(parcel) if in_forum else ""
        goes_on = self._publishes and parcel.method == "crosspost"
        for _ in range(MOST_FORMS):
            target = thread or ("" if post_name else self._posts.get(webhook, ""))
            outcome = await self._post(webhook, secret, target, _named(parcel, post_name), go)
            if isinstance(outcome, TryLater):
                return outcome
            answer = judged(outcome)
            self._learn(webhook, thread, post_name, outcome, answer)
            if answer == "name_thread":
                post_name = _thread_name(parcel) or "…"
            elif answer == "unname_thread":
                post_name = ""
            elif answer == "reduce":
                simpler = parcel.without_media or parcel.plain
                if simpler is None:
                    return Rejected(outcome.reason)
                log.info("discord refused a form", method=parcel.method, reason=outcome.reason)
                parcel = simpler
            else:
                if goes_on and isinstance(answer, Sent):
                    return replace(answer, afterwards=published(outcome))
                return answer
        return Rejected("Discord refuses it in every form")

    async def _post(
        self, webhook: str, secret: str, thread: str, parcel: Parcel, go: Go
    ) -> Reply | TryLater:
        return await self._turn(webhook, go) or await self._request(
            "POST", webhook, secret, thread, parcel
        )

    async def _request(
        self, method: str, webhook: str, secret: str, thread: str, parcel: Parcel, below: str = ""
    ) -> Reply | TryLater:
        import aiohttp

        query = {"wait": "true"} | ({"thread_id": thread} if thread else {})
        query |= {"with_components": "true"} if "components" in parcel.payload else {}
        url = f"{self._base_url}/webhooks/{webhook}/{secret}{below}"
        try:
            async with self._open_session().request(
                method, url, params=query, json=dict(parcel.payload), allow_redirects=False
            ) as response:
                raw = await response.content.read(LONGEST_ANSWER)
                return Reply.read(response.status, response.headers, raw)
        except (aiohttp.ClientConnectorError, aiohttp.ConnectionTimeoutError) as failed:
            return TryLater(f"no connection to Discord ({type(failed).__name__})")
        except (aiohttp.ClientError, TimeoutError, OSError) as failed:
            # Only the kind of the error: its text may hold the URL.
            return TryLater(f"the answer was lost ({type(failed).__name__})", maybe_sent=True)

    def _open_session(self) -> "ClientSession":
        import aiohttp

        if self._session is None:
            self._session = aiohttp.ClientSession(
                headers={"User-Agent": self._user_agent},
                timeout=aiohttp.ClientTimeout(
                    total=self._timeout.total_seconds(), sock_connect=10
                ),
                cookie_jar=aiohttp.DummyCookieJar(),
            )
        return self._session

    def _learn(
        self, webhook: str, thread: str, post_name: str, reply: Reply, answer: object
    ) -> None:
        """Silence that the answer asks for, and the channel that it names."""
        now = self._now()
        if isinstance(answer, TryLater) and answer.after:
            if answer.scope == "channel":
                self._rhythm.learned_of_all(now, answer.after)
            else:
                self._rhythm.learned(webhook, now, answer.after)
        elif silence := reply.exhausted_for:
            self._rhythm.learned(webhook, now, silence)
        channel = str((reply.body or {}).get("channel_id", ""))
        if isinstance(answer, Sent) and channel:
            if post_name:
                _remember(self._posts, webhook, channel)
            elif not thread and not self._is_known(webhook):
                self._rhythm.note_channel(webhook, channel, now, by_hand=self._by_hand)

    def _is_known(self, webhook: str) -> bool:
        return webhook in self._posts or webhook in self._rhythm.channels


def _thread_name(parcel: Parcel) -> str:
    """A forum post is called like its entry; the parts after the first have no name."""
    embeds = parcel.payload.get("embeds") or [{}]
    title = embeds[0].get("title") or layouts.first_line(parcel.payload)
    name = re.sub(r"\\(.)", r"\1", title)
    shown = cut((Block("paragraph", (Span(name),)),), MOST_THREAD_NAME - 1, ellipsis="…")
    return shown[0].text if name else ""


def _named(parcel: Parcel, thread_name: str) -> Parcel:
    if not thread_name:
        without_tags = {k: v for k, v in parcel.payload.items() if k != "applied_tags"}
        return replace(parcel, payload=without_tags)
    return replace(parcel, payload={**parcel.payload, "thread_name": thread_name})


def _changes(parcel: Parcel) -> list[Parcel]:
    """What a message may show instead: the parcel, else the same without its pictures.

    Its plain form is none of them: title and link are less than what stands there.
    """
    kept = ("content", "embeds", "components", "allowed_mentions")
    found: list[Parcel] = []
    for form in filter(None, (parcel, parcel.without_media)):
        payload = {name: form.payload[name] for name in kept if name in form.payload}
        without = {} if "components" in payload else {"content": None}  # which takes it away
        changed = Parcel("edit", {**without, **payload})
        if changed not in found:
            found.append(changed)
    return found


def _remember(memory: dict[str, str], key: str, value: str) -> None:
    """The newest stay; a forgotten one costs a request that fails."""
    memory.pop(key, None)
    memory[key] = value
    if len(memory) > MOST_REMEMBERED:
        del memory[next(iter(memory))]
