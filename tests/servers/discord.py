"""Discord's webhook endpoints on loopback, with its limits and its error bodies.

::

    async with FakeDiscord() as discord:
        hook = discord.add_webhook()         # hook.url as people paste it, hook.id, hook.token
        discord.base_url                     # for the program under test
        discord.fail_next(404, 10015)
        discord.messages                     # what was accepted, in order

Written from the platform's documented behaviour only. Rate limits are off unless `limits=True`;
`clock` gives the seconds that they count by.
"""

import asyncio
import itertools
import json
import re
import time
from collections import deque
from collections.abc import Callable
from dataclasses import dataclass, field
from types import TracebackType
from typing import Any

from aiohttp import web

from tests.servers.discord_rules import Refused, check_message, invalid, pings_of


@dataclass
class Webhook:
    id: str
    token: str
    channel: str
    is_forum: bool = False
    threads: set[str] = field(default_factory=set)

    @property
    def url(self) -> str:
        return f"https://discord.com/api/webhooks/{self.id}/{self.token}"


@dataclass
class SentMessage:
    """A message that was accepted."""

    id: str
    webhook: str
    channel: str
    payload: dict[str, Any]
    #: What of it would notify people.
    pings: list[str]

    @property
    def embed(self) -> dict[str, Any]:
        return self.payload["embeds"][0]


@dataclass
class _Script:
    run: Callable[[web.Request], Any]
    times: int
    after_accepting: bool = False


@dataclass
class FakeDiscord:
    limits: bool = False
    clock: Callable[[], float] = time.monotonic
    messages: list[SentMessage] = field(default_factory=list)
    #: Every request that came in: (method, path without the token, body or None).
    requests: list[tuple[str, str, Any]] = field(default_factory=list)
    webhooks: dict[str, Webhook] = field(default_factory=dict)
    #: With what every message is refused, and only messages; (0, 0): with nothing.
    refusal: tuple[int, int] = (0, 0)

    def __post_init__(self) -> None:
        self._scripts: list[_Script] = []
        self._numbers = itertools.count(1_200_000_000_000_000_000)
        self._sent_at: dict[str, list[float]] = {}
        self._nameless: list[float] = []
        self._lately: deque[float] = deque()
        self._runner: web.AppRunner | None = None
        self.base_url = ""

    async def __aenter__(self) -> "FakeDiscord":
        app = web.Application(client_max_size=25 * 1024 * 1024)
        self._add_routes(app)
        self._runner = web.AppRunner(app, shutdown_timeout=0.1)
        await self._runner.setup()
        await web.TCPSite(self._runner, "127.0.0.1", 0).start()
        self.base_url = f"http://127.0.0.1:{self._runner.addresses[0][1]}/api/v10"
        return self

    async def __aexit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        at: TracebackType | None,
    ) -> None:
        assert self._runner is not None
        await self._runner.cleanup()

    def _add_routes(self, app: web.Application) -> None:
        path = "/api/v10/webhooks/{id}/{token}"
        app.router.add_get(path, self._handler(self._get))
        app.router.add_post(path, self._handler(self._execute))
        app.router.add_delete(path, self._handler(self._delete))
        app.router.add_patch(path + "/messages/{message}", self._handler(self._edit))

    # What a test arranges ------------------------------------------------------------------

    def add_webhook(
        self,
        number: int | None = None,
        token: str = "",
        *,
        channel: str = "",
        is_forum: bool = False,
        threads: tuple[str, ...] = (),
    ) -> Webhook:
        key = str(number or next(self._numbers))
        hook = Webhook(
            key,
            token or f"TokenOf{key}_" + "x" * 48,
            channel or str(next(self._numbers)),
            is_forum,
            set(threads),
        )
        self.webhooks[key] = hook
        return hook

    def fail_next(self, status: int, code: int, *, times: int = 1, **more: Any) -> None:
        """The next `times` requests are refused with an error body of Discord's."""

        def refuse(_: web.Request) -> None:
            raise Refused(status, code, **more)

        self._scripts.append(_Script(refuse, times))

    def refuse_messages(self, status: int, code: int) -> None:
        """Every message is refused, while webhooks can still be looked at; 0 ends that."""
        self.refusal = (status, code)

    def limit_next(self, retry_after: float, *, is_global: bool = False) -> None:
        """The next request meets a rate limit that no header announced."""

        def refuse(_: web.Request) -> web.Response:
            return _limited(retry_after, is_global=is_global)

        self._scripts.append(_Script(refuse, 1))

    def page_next(self, status: int, **headers: str) -> None:
        """The next request is answered by Cloudflare: a page, no JSON, no Via."""

        def page(_: web.Request) -> web.Response:
            named = {name.replace("_", "-"): value for name, value in headers.items()}
            text = "<html><title>Access denied</title></html>"
            return web.Response(status=status, text=text, content_type="text/html", headers=named)

        self._scripts.append(_Script(page, 1))

    def drop_next(self, *, after_accepting: bool) -> None:
        """The next request's connection breaks, before the message is taken or after."""

        def drop(request: web.Request) -> web.Response:
            assert request.transport is not None
            request.transport.abort()
            return web.Response()

        self._scripts.append(_Script(drop, 1, after_accepting))

    def hang_next(self, seconds: float) -> None:
        """The next message is taken, and its answer comes only after `seconds`."""

        async def hang(_: web.Request) -> None:
            await asyncio.sleep(seconds)

        self._scripts.append(_Script(hang, 1, after_accepting=True))

    # What the program under test meets -----------------------------------------------------

    def _handler(self, answer: Callable[..., Any]) -> Callable[[web.Request], Any]:
        async def handle(request: web.Request) -> web.StreamResponse:
            body = await request.json() if request.can_read_body else None
            path = request.path_qs.replace(request.match_info["token"], "…")
            self.requests.append((request.method, path, body))
            if not re.match(r"DiscordBot \(\S+,? [\w.]+\)", request.headers.get("User-Agent", "")):
                return web.Response(status=403, text="<html>", content_type="text/html")
            if self._is_one_too_many(request):
                return _limited(1, is_global=True)
            try:
                return await self._answered(request, body, answer)
            except Refused as refused:
                headers = {"Via": "1.1 google"}
                return web.json_response(refused.body, status=refused.status, headers=headers)

        return handle

    def _is_one_too_many(self, request: web.Request) -> bool:
        """50 a second from one address on the internet, of requests that name no bot."""
        if not self.limits or "Authorization" in request.headers:
            return False
        now = self.clock()
        self._nameless = [at for at in self._nameless if now - at < 1] + [now]
        return len(self._nameless) > 50

    async def _answered(
        self, request: web.Request, body: Any, answer: Callable[..., Any]
    ) -> web.StreamResponse:
        script = self._scripts[0] if self._scripts else None
        if script:
            script.times -= 1
            if script.times == 0:
                self._scripts.remove(script)
        if script and not script.after_accepting:
            reply = script.run(request)
            if isinstance(reply, web.Response):
                return reply
        result: web.StreamResponse = answer(request, self._webhook(request), body)
        if script and script.after_accepting and asyncio.iscoroutine(late := script.run(request)):
            await late
        return result

    def _webhook(self, request: web.Request) -> Webhook:
        hook = self.webhooks.get(request.match_info["id"])
        if hook is None:
            raise Refused(404, 10015)
        if hook.token != request.match_info["token"]:
            raise Refused(401, 50027)
        return hook

    def _get(self, _: web.Request, hook: Webhook, __: Any) -> web.Response:
        body = {
            "id": hook.id,
            "type": 1,
            "name": "News",
            "channel_id": hook.channel,
            "guild_id": "1",
            "avatar": None,
        }
        # Without a charset, as Discord writes it.
        headers = {"Content-Type": "application/json"}
        return web.Response(body=json.dumps(body).encode(), headers=headers)

    def _delete(self, _: web.Request, hook: Webhook, __: Any) -> web.Response:
        del self.webhooks[hook.id]
        return web.Response(status=204)

    def _execute(self, request: web.Request, hook: Webhook, body: Any) -> web.Response:
        if self.refusal[0]:
            raise Refused(*self.refusal)
        headers = self._rate(hook)
        if isinstance(headers, web.Response):
            return headers
        check_message(body)
        if body.get("components") and request.query.get("with_components") != "true":
            raise Refused(400, 50006)  # they are passed over, and nothing is left
        if body.get("applied_tags") and not body.get("thread_name"):
            raise invalid("applied_tags", "APPLIED_TAGS_WITHOUT_THREAD_NAME")
        channel = self._channel(request, hook, body)
        sent = SentMessage(str(next(self._numbers)), hook.id, channel, body, pings_of(body))
        self.messages.append(sent)
        if request.query.get("wait") not in ("true", "True", "1"):
            return web.Response(status=204, headers=headers)
        reply = {"id": sent.id, "channel_id": channel, "webhook_id": hook.id, "type": 0}
        return web.json_response(reply, headers=headers)

    def _edit(self, request: web.Request, _: Webhook, body: Any) -> web.Response:
        number = request.match_info["message"]
        found = next((m for m in self.messages if m.id == number), None)
        if found is None:
            raise Refused(404, 10008)
        # Null takes a part away.
        changed = {**found.payload, **body}
        changed = {name: value for name, value in changed.items() if value is not None}
        check_message(changed)
        found.payload.clear()
        found.payload.update(changed)
        return web.json_response({"id": found.id, "channel_id": found.channel})

    def _channel(self, request: web.Request, hook: Webhook, body: Any) -> str:
        thread, name = request.query.get("thread_id"), body.get("thread_name")
        if hook.is_forum and not thread and not name:
            raise Refused(400, 220001)
        if hook.is_forum and thread and name:
            raise Refused(400, 220002)
        if not hook.is_forum and name:
            raise Refused(400, 220003)
        if thread and thread not in hook.threads:
            raise Refused(404, 10003)
        if name:
            if not 1 <= len(name) <= 100:
                raise invalid("thread_name", "BASE_TYPE_BAD_LENGTH")
            thread = str(next(self._numbers))
            hook.threads.add(thread)
        return thread or hook.channel

    def _rate(self, hook: Webhook) -> dict[str, str] | web.Response:
        """5 in 2 s shown in headers; 30 in 60 s of a channel, and 50 in 1 s of all who come from
        one address, shown nowhere."""
        now = self.clock()
        while self._lately and now - self._lately[0] >= 1:
            self._lately.popleft()
        if self.limits and len(self._lately) >= 50:
            return _limited(1 - (now - self._lately[0]), is_global=True)
        here = [at for at in self._sent_at.get(hook.id, []) if now - at < 2]
        channel = [at for at in self._sent_at.get(hook.channel, []) if now - at < 60]
        if self.limits and len(here) >= 5:
            return _limited(2 - (now - here[0]))
        if self.limits and len(channel) >= 30:
            return _limited(60 - (now - channel[0]))
        self._lately.append(now)
        self._sent_at[hook.id] = [*here, now]
        self._sent_at[hook.channel] = [*channel, now]
        reset = 2 - (now - (here[0] if here else now))
        return {
            "Via": "1.1 google",
            "X-RateLimit-Limit": "5",
            "X-RateLimit-Remaining": str(max(0, 4 - len(here))),
            "X-RateLimit-Reset-After": f"{reset:.3f}",
            "X-RateLimit-Bucket": "fake",
        }


def _limited(retry_after: float, *, is_global: bool = False) -> web.Response:
    headers = {"Via": "1.1 google", "Retry-After": str(int(retry_after) + 1)}
    if is_global:
        headers["X-RateLimit-Global"] = "true"
    body = {
        "message": "You are being rate limited.",
        "retry_after": retry_after,
        "global": is_global,
    }
    return web.json_response(body, status=429, headers=headers)
