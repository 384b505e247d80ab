"""A Bot API on loopback that refuses what Telegram refuses, in Telegram's words.

::

    async with FakeTelegram() as telegram:
        telegram.base_url, telegram.token   # for the program under test
        telegram.fail_next(403, "Forbidden: bot was blocked by the user")
        telegram.messages                   # what was accepted, in order
        telegram.push({"message": {...}})   # an update for getUpdates

Written from the platform's documented behaviour only. Flood control is off unless `flood=True`;
`clock` gives the seconds that it counts by.
"""

import asyncio
import re
import time
from collections.abc import Callable
from dataclasses import dataclass, field
from types import TracebackType
from typing import Any

from aiohttp import web

from tests.servers import telegram_edits, telegram_facts, telegram_sends
from tests.servers.telegram_html import utf16
from tests.servers.telegram_wire import (
    Refused,
    check_markup,
    check_reply,
    parameters_of,
    parsed,
    refusal,
    too_many,
)

TOKEN = "123456789:AAFakeTokenThatIsOnlyForTestsOnLoopback"


@dataclass
class SentMessage:
    """A message that was accepted: `text` after parsing (or the caption), with its entities."""

    message_id: int
    chat: int | str
    text: str
    entities: list[dict[str, Any]]
    thread: int | None
    method: str
    payload: dict[str, Any]
    #: What Telegram would have dropped or mended without a word.
    lost: list[str]

    @property
    def preview(self) -> dict[str, Any]:
        return self.payload.get("link_preview_options") or {}

    @property
    def buttons(self) -> list[dict[str, Any]]:
        """The inline buttons, row by row."""
        markup = self.payload.get("reply_markup") or {}
        return [button for row in markup.get("inline_keyboard", []) for button in row]

    @property
    def labels(self) -> list[str]:
        return [button["text"] for button in self.buttons]

    def button(self, label: str) -> dict[str, Any]:
        """The button with this label, or the one that begins with it."""
        for button in self.buttons:
            if button["text"] == label or button["text"].startswith(label):
                return button
        raise AssertionError(f"no button {label!r} among {self.labels}")


@dataclass
class _Script:
    """What happens to a coming request instead of the usual."""

    method: str | None
    run: Callable[["FakeTelegram", web.Request], Any]
    times: int = 1
    #: The message is accepted before the script runs: the answer is lost, not the request.
    after_accepting: bool = False


@dataclass
class FakeTelegram:
    token: str = TOKEN
    flood: bool = False
    clock: Callable[[], float] = time.monotonic
    #: Picture addresses that Telegram cannot load, and why.
    broken_media: dict[str, str] = field(default_factory=dict)

    messages: list[SentMessage] = field(default_factory=list)
    #: Every request that came in: (method, parameters).
    requests: list[tuple[str, dict[str, Any]]] = field(default_factory=list)
    #: Chats by id, where a test cares; unknown ids are chats that take everything.
    chats: dict[int, dict[str, Any]] = field(default_factory=dict)
    members: dict[tuple[int, int], str] = field(default_factory=dict)
    commands: dict[str, list[dict[str, str]]] = field(default_factory=dict)
    #: What is said of the bot, by "field:language".
    descriptions: dict[str, str] = field(default_factory=dict)
    answered_callbacks: list[dict[str, Any]] = field(default_factory=list)
    #: What was refused: (method, description).
    refusals: list[tuple[str, str]] = field(default_factory=list)
    edits: list[dict[str, Any]] = field(default_factory=list)
    #: Files that people sent, by file id, and those that the bot sent.
    files: dict[str, bytes] = field(default_factory=dict)
    documents: list[dict[str, Any]] = field(default_factory=list)
    #: Rights of administrators and restrictions, by chat and user; all rights where missing.
    rights: dict[tuple[int, int], dict[str, bool]] = field(default_factory=dict)
    webhook: dict[str, Any] = field(default_factory=dict)
    #: Whether a text can be given media by an edit, as newer servers can.
    adds_media: bool = True
    #: Methods that this server is too old for.
    unknown_methods: set[str] = field(default_factory=set)

    def __post_init__(self) -> None:
        self._scripts: list[_Script] = []
        self._moved: dict[int, int] = {}
        self._updates: list[dict[str, Any]] = []
        self.messages_made = 0
        #: Addresses of pictures behind the first of an album, by the number of their message.
        self.of_albums: dict[int, str] = {}
        self._next_update = 1
        self._arrived = asyncio.Event()
        self._polling = False
        self._sent_at: dict[int | str, list[float]] = {}
        self.callbacks: set[str] = set()
        self._runner: web.AppRunner | None = None
        self.base_url = ""

    async def __aenter__(self) -> "FakeTelegram":
        app = web.Application(client_max_size=60 * 1024 * 1024)
        app.router.add_route("*", "/bot{token}/{method}", self._serve)
        app.router.add_get("/file/bot{token}/{path}", self._serve_file)
        self._runner = web.AppRunner(app, shutdown_timeout=0.1)
        await self._runner.setup()
        site = web.TCPSite(self._runner, "127.0.0.1", 0)
        await site.start()
        port = self._runner.addresses[0][1]
        self.base_url = f"http://127.0.0.1:{port}"
        return self

    async def __aexit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        at: TracebackType | None,
    ) -> None:
        assert self._runner is not None
        await self._runner.cleanup()

    # What a test arranges ------------------------------------------------------------------

    def fail_next(
        self,
        code: int,
        description: str,
        *,
        method: str | None = "sendmessage",
        times: int = 1,
        **parameters: Any,
    ) -> None:
        """The next `times` calls of `method` (None is any) are refused; `retry_after=…` and
        `migrate_to_chat_id=…` become response parameters."""

        def refuse(*_: Any) -> None:
            raise Refused(code, description, parameters or None)

        self._scripts.append(_Script(method and method.lower(), refuse, times))

    def answer_next(self, status: int, body: str, *, method: str | None = "sendmessage") -> None:
        """The next call gets a page that is not the API's, as from a proxy."""

        def page(*_: Any) -> web.Response:
            return web.Response(status=status, text=body, content_type="text/html")

        self._scripts.append(_Script(method and method.lower(), page))

    def drop_next(self, *, after_accepting: bool, method: str | None = "sendmessage") -> None:
        """The next call's connection breaks, before the message is taken or after."""

        def drop(_: "FakeTelegram", request: web.Request) -> web.Response:
            assert request.transport is not None
            request.transport.abort()
            return web.Response()

        self._scripts.append(
            _Script(method and method.lower(), drop, after_accepting=after_accepting)
        )

    def hang_next(self, seconds: float, *, method: str | None = "sendmessage") -> None:
        """The next message is taken, and its answer comes only after `seconds`."""

        async def hang(*_: Any) -> None:
            await asyncio.sleep(seconds)

        self._scripts.append(_Script(method and method.lower(), hang, after_accepting=True))

    def hold_next(self, until: Callable[[], bool], *, method: str) -> None:
        """The next call is taken only once something else is so."""

        async def hold(*_: Any) -> None:
            while not until():  # noqa: ASYNC110 - the test is bounded
                await asyncio.sleep(0.005)

        self._scripts.append(_Script(method.lower(), hold))

    def migrate(self, old: int, new: int) -> None:
        """The group `old` has become the supergroup `new`."""
        self._moved[old] = new

    def push(self, update: dict[str, Any]) -> int:
        """Queue an update (without its id) for getUpdates; returns the id."""
        number = self._next_update
        self._next_update += 1
        self._updates.append({"update_id": number, **update})
        if query := update.get("callback_query"):
            self.callbacks.add(query["id"])
        self._arrived.set()
        return number

    def say(
        self, text: str, *, chat: dict[str, Any], sender: dict[str, Any] | None, **more: Any
    ) -> int:
        """Queue a message that somebody wrote; a leading /command gets its entity."""
        command = re.match(r"/\w+(?:@\w+)?", text)
        entities = (
            [{"type": "bot_command", "offset": 0, "length": command.end()}] if command else []
        )
        message = {
            "message_id": 10_000 + self._next_update,
            "date": int(time.time()),
            "chat": chat,
        }
        message |= {"text": text, "entities": entities, **more}
        kind = "channel_post" if chat["type"] == "channel" else "message"
        return self.push({kind: message | ({"from": sender} if sender else {})})

    def press(
        self, message: SentMessage, label: str, *, sender: dict[str, Any], data: str = ""
    ) -> int:
        """Queue the press of the button with this label (or forged `data`) under a message."""
        pressed = data or message.button(label)["callback_data"]
        query = {
            "id": f"query-{self._next_update}",
            "from": sender,
            "chat_instance": "1",
            "message": self.message_json(message),
            "data": pressed,
        }
        return self.push({"callback_query": query})

    def texts(self) -> list[str]:
        """What was accepted, in order."""
        return [message.text for message in self.messages]

    # What the program under test meets -----------------------------------------------------

    async def _serve(self, request: web.Request) -> web.StreamResponse:
        method = request.match_info["method"].lower()
        parameters = await parameters_of(request)
        self.requests.append((method, parameters))
        if not re.fullmatch(r"\d+:[\w-]{30,}", request.match_info["token"]):
            return refusal(Refused(404, "Not Found"))
        if request.match_info["token"] != self.token:
            return refusal(Refused(401, "Unauthorized"))
        try:
            script = self._script_for(method)
            if script and not script.after_accepting:
                reply = await _maybe_awaited(script.run(self, request))
                if isinstance(reply, web.Response):
                    return reply
            handler = _METHODS.get(method, _no_such_method)
            if method in self.unknown_methods:
                handler = _no_such_method
            result = await _maybe_awaited(handler(self, parameters))
            if script and script.after_accepting:
                await _maybe_awaited(script.run(self, request))
        except Refused as refused:
            self.refusals.append((method, refused.description))
            return refusal(refused)
        return web.json_response({"ok": True, "result": result})

    def _script_for(self, method: str) -> _Script | None:
        for script in self._scripts:
            if script.method in (None, method):
                script.times -= 1
                if script.times == 0:
                    self._scripts.remove(script)
                return script
        return None

    def chat_of(self, parameters: dict[str, Any]) -> int | str:
        """The chat, if it is there and takes messages."""
        chat = parameters.get("chat_id", "")
        if isinstance(chat, str) and re.fullmatch(r"-?\d+", chat):
            chat = int(chat)
        if not chat:
            raise Refused(400, "Bad Request: chat_id is empty")
        if chat in self._moved:
            raise Refused(
                400,
                "Bad Request: group chat was upgraded to a supergroup chat",
                {"migrate_to_chat_id": self._moved[chat]},
            )
        return chat

    def accept(
        self, method: str, parameters: dict[str, Any], text: str, most: int
    ) -> dict[str, Any]:
        chat = self.chat_of(parameters)
        thread = self._thread(chat, parameters)
        read = parsed(text, parameters.get("parse_mode"))
        if method == "sendmessage" and not read.text:
            raise Refused(400, "Bad Request: message text is empty")
        if utf16(read.text) > most:
            what = "message" if method == "sendmessage" else "message caption"
            raise Refused(400, f"Bad Request: {what} is too long")
        check_markup(parameters.get("reply_markup"))
        self._check_flood(chat)
        check_reply(parameters.get("reply_parameters"))
        self.messages_made += 1
        sent = SentMessage(
            self.messages_made,
            chat,
            read.text,
            [entity.as_json() for entity in read.entities[:100]],
            thread,
            method,
            parameters,
            read.lost,
        )
        self.messages.append(sent)
        return self.message_json(sent)

    def _thread(self, chat: int | str, parameters: dict[str, Any]) -> int | None:
        raw = parameters.get("message_thread_id")
        if raw in (None, ""):
            return None
        thread = int(raw)
        known = self.chats.get(chat, {}) if isinstance(chat, int) else {}
        topics = known.get("topics")
        if thread == 1 or (topics is not None and thread not in topics):
            raise Refused(400, "Bad Request: message thread not found")
        if thread in known.get("closed_topics", ()):
            raise Refused(400, "Bad Request: TOPIC_CLOSED")
        return thread

    def _check_flood(self, chat: int | str) -> None:
        """30 a second overall and 20 a minute in a group, else silence for as long as it takes."""
        if not self.flood:
            return
        now = self.clock()
        everywhere = [at for times in self._sent_at.values() for at in times if now - at < 1]
        here = [at for at in self._sent_at.get(chat, []) if now - at < 60]
        if len(everywhere) >= 30:
            raise too_many(1)
        if (isinstance(chat, str) or chat < 0) and len(here) >= 20:
            raise too_many(int(60 - (now - here[0])) + 1)
        self._sent_at[chat] = [*here, now]

    def message_json(self, sent: SentMessage) -> dict[str, Any]:
        thread = {"message_thread_id": sent.thread} if sent.thread else {}
        body = {"text": sent.text, "entities": sent.entities}
        if sent.method == "sendphoto":
            sizes = [{"file_id": "f", "file_unique_id": "u", "width": 90, "height": 90}]
            body = {"photo": sizes, "caption": sent.text, "caption_entities": sent.entities}
        return {
            "message_id": sent.message_id,
            "date": int(time.time()),
            "chat": self.chat_json(sent.chat),
            **body,
            **thread,
        }

    def chat_json(self, chat: int | str) -> dict[str, Any]:
        if isinstance(chat, str):
            return {"id": -1001000000000, "type": "channel", "title": chat, "username": chat[1:]}
        known = self.chats.get(chat, {})
        kind = "private" if chat > 0 else "supergroup" if chat <= -(10**12) else "group"
        name = {"first_name": "Someone"} if kind == "private" else {"title": "Somewhere"}
        return {
            "id": chat,
            "type": kind,
            **name,
            **{k: v for k, v in known.items() if k not in _OURS},
        }

    # Methods ---------------------------------------------------------------------------------

    async def _get_updates(self, parameters: dict[str, Any]) -> list[dict[str, Any]]:
        if self.webhook:
            raise Refused(
                409,
                "Conflict: can't use getUpdates method while webhook is active; use deleteWebhook "
                "to delete the webhook first",
            )
        if self._polling:
            raise Refused(
                409,
                "Conflict: terminated by other getUpdates request; make sure that only one bot "
                "instance is running",
            )
        self._polling = True
        try:
            return await self._updates_from(parameters)
        finally:
            self._polling = False

    async def _updates_from(self, parameters: dict[str, Any]) -> list[dict[str, Any]]:
        offset = int(parameters.get("offset") or 0)
        self._updates = [u for u in self._updates if u["update_id"] >= offset]
        if not self._updates:
            self._arrived.clear()
            patience = min(float(parameters.get("timeout") or 0), 50)
            try:
                await asyncio.wait_for(self._arrived.wait(), patience)
            except TimeoutError:
                return []
        return self._updates[: int(parameters.get("limit") or 100)]

    async def _serve_file(self, request: web.Request) -> web.Response:
        name = request.match_info["path"].removesuffix(".bin")
        if request.match_info["token"] != self.token or name not in self.files:
            return web.Response(status=404)
        return web.Response(body=self.files[name])

    def album_pictures(self) -> list[str]:
        """The pictures of all albums, but for their first ones."""
        return list(self.of_albums.values())


#: What a test says of a chat that Telegram does not tell.
_OURS = ("topics", "closed_topics", "members_hidden", "missing")

_METHODS: dict[str, Callable[[FakeTelegram, dict[str, Any]], Any]] = {
    "getupdates": FakeTelegram._get_updates,
    **telegram_sends.METHODS,
    **telegram_edits.METHODS,
    **telegram_facts.METHODS,
}


def _no_such_method(_: FakeTelegram, __: dict[str, Any]) -> None:
    raise Refused(404, "Not Found: method not found")


async def _maybe_awaited(value: Any) -> Any:
    return await value if asyncio.iscoroutine(value) else value
