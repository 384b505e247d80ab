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

from tests.servers.telegram_html import utf16
from tests.servers.telegram_rich import read_rich
from tests.servers.telegram_wire import (
    Refused,
    check_markup,
    check_reply,
    check_scope,
    member,
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
        self._messages_made = 0
        #: Addresses of pictures behind the first of an album, by the number of their message.
        self._of_albums: dict[int, str] = {}
        self._next_update = 1
        self._arrived = asyncio.Event()
        self._polling = False
        self._sent_at: dict[int | str, list[float]] = {}
        self._callbacks: set[str] = set()
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
            self._callbacks.add(query["id"])
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
            "message": self._message_json(message),
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

    def _chat(self, parameters: dict[str, Any]) -> int | str:
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

    def _accept(
        self, method: str, parameters: dict[str, Any], text: str, most: int
    ) -> dict[str, Any]:
        chat = self._chat(parameters)
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
        self._messages_made += 1
        sent = SentMessage(
            self._messages_made,
            chat,
            read.text,
            [entity.as_json() for entity in read.entities[:100]],
            thread,
            method,
            parameters,
            read.lost,
        )
        self.messages.append(sent)
        return self._message_json(sent)

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

    def _message_json(self, sent: SentMessage) -> dict[str, Any]:
        thread = {"message_thread_id": sent.thread} if sent.thread else {}
        body = {"text": sent.text, "entities": sent.entities}
        if sent.method == "sendphoto":
            sizes = [{"file_id": "f", "file_unique_id": "u", "width": 90, "height": 90}]
            body = {"photo": sizes, "caption": sent.text, "caption_entities": sent.entities}
        return {
            "message_id": sent.message_id,
            "date": int(time.time()),
            "chat": self._chat_json(sent.chat),
            **body,
            **thread,
        }

    def _chat_json(self, chat: int | str) -> dict[str, Any]:
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

    def _get_me(self, _: dict[str, Any]) -> dict[str, Any]:
        return {
            "id": int(self.token.partition(":")[0]),
            "is_bot": True,
            "first_name": "Wireroom",
            "username": "wireroom_bot",
            "can_join_groups": True,
            "can_read_all_group_messages": False,
            "supports_inline_queries": False,
        }

    def _send_message(self, parameters: dict[str, Any]) -> dict[str, Any]:
        preview = parameters.get("link_preview_options") or {}
        if not isinstance(preview, dict):
            raise Refused(400, "Bad Request: can't parse link preview options JSON object")
        return self._accept("sendmessage", parameters, str(parameters.get("text", "")), 4096)

    def _send_photo(self, parameters: dict[str, Any]) -> dict[str, Any]:
        photo = parameters.get("photo")
        if not photo:
            raise Refused(400, "Bad Request: there is no photo in the request")
        if isinstance(photo, str) and photo in self.broken_media:
            raise Refused(400, f"Bad Request: {self.broken_media[photo]}")
        return self._accept("sendphoto", parameters, str(parameters.get("caption", "")), 1024)

    def _send_film(self, parameters: dict[str, Any]) -> dict[str, Any]:
        return self._send_file("video", parameters)

    def _send_sound(self, parameters: dict[str, Any]) -> dict[str, Any]:
        return self._send_file("audio", parameters)

    def _send_file(self, kind: str, parameters: dict[str, Any]) -> dict[str, Any]:
        address = parameters.get(kind)
        if not address:
            raise Refused(400, f"Bad Request: there is no {kind} in the request")
        if address in self.broken_media:
            raise Refused(400, f"Bad Request: {self.broken_media[address]}")
        return self._accept(f"send{kind}", parameters, str(parameters.get("caption", "")), 1024)

    def _send_album(self, parameters: dict[str, Any]) -> list[dict[str, Any]]:
        media = parameters.get("media") or []
        if not 2 <= len(media) <= 10:
            raise Refused(400, "Bad Request: group send failed")
        for each in media:
            if each["media"] in self.broken_media:
                raise Refused(400, f"Bad Request: {self.broken_media[each['media']]}")
        shown = {**parameters, "parse_mode": media[0].get("parse_mode")}
        first = self._accept("sendmediagroup", shown, media[0].get("caption", ""), 1024)
        for each in media[1:]:
            self._messages_made += 1
            self._of_albums[self._messages_made] = each["media"]
        number = first["message_id"]
        return [first | {"message_id": number + place} for place in range(len(media))]

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

    def _public(self, chat: int | str) -> int:
        """The chat with this number, or with this public name."""
        if isinstance(chat, int):
            return chat
        for number, known in self.chats.items():
            if chat == f"@{known.get('username')}":
                return number
        raise Refused(400, "Bad Request: chat not found")

    def _get_chat(self, parameters: dict[str, Any]) -> dict[str, Any]:
        chat = self._public(self._chat(parameters))
        if self.chats.get(chat, {}).get("missing"):
            raise Refused(400, "Bad Request: chat not found")
        more = {"accent_color_id": 0, "max_reaction_count": 11}
        gifts = dict.fromkeys(
            ("unlimited_gifts", "limited_gifts", "unique_gifts", "premium_subscription"), False
        ) | {"gifts_from_channels": False}
        return self._chat_json(chat) | more | {"accepted_gift_types": gifts}

    def _get_chat_member(self, parameters: dict[str, Any]) -> dict[str, Any]:
        chat, user = self._chat(parameters), int(parameters["user_id"])
        assert isinstance(chat, int)
        if chat in self.chats and self.chats[chat].get("members_hidden"):
            raise Refused(400, "Bad Request: member list is inaccessible")
        is_bot = user == int(self.token.partition(":")[0])
        status = self.members.get((chat, user), "administrator" if is_bot else "member")
        return member(user, status) | self.rights.get((chat, user), {})

    def _get_chat_administrators(self, parameters: dict[str, Any]) -> list[dict[str, Any]]:
        chat = self._chat(parameters)
        leaders = ("creator", "administrator")
        return [
            member(user, status) | self.rights.get((where, user), {})
            for (where, user), status in self.members.items()
            if where == chat and status in leaders
        ]

    def _set_my_commands(self, parameters: dict[str, Any]) -> bool:
        commands = parameters.get("commands")
        if not isinstance(commands, list) or len(commands) > 100:
            raise Refused(400, "Bad Request: can't parse commands")
        for command in commands:
            if not re.fullmatch(r"[a-z0-9_]{1,32}", command["command"]):
                raise Refused(400, "Bad Request: BOT_COMMAND_INVALID")
            if not 1 <= len(command["description"]) <= 256:
                raise Refused(400, "Bad Request: BOT_COMMAND_DESCRIPTION_INVALID")
        scope = check_scope(parameters.get("scope"))
        if len(parameters.get("language_code") or "") not in (0, 2):
            raise Refused(400, "Bad Request: invalid language code specified")
        self.commands[f"{scope}:{parameters.get('language_code') or ''}"] = commands
        return True

    def _get_my_commands(self, parameters: dict[str, Any]) -> list[dict[str, str]]:
        scope = check_scope(parameters.get("scope"))
        return self.commands.get(f"{scope}:{parameters.get('language_code') or ''}", [])

    def _get_description(self, parameters: dict[str, Any]) -> dict[str, str]:
        code = parameters.get("language_code") or ""
        return {"description": self.descriptions.get(f"description:{code}", "")}

    def _get_short(self, parameters: dict[str, Any]) -> dict[str, str]:
        code = parameters.get("language_code") or ""
        return {"short_description": self.descriptions.get(f"short_description:{code}", "")}

    def _set_description(self, parameters: dict[str, Any]) -> bool:
        return self._describe("description", 512, parameters)

    def _set_short(self, parameters: dict[str, Any]) -> bool:
        return self._describe("short_description", 120, parameters)

    def _describe(self, field: str, most: int, parameters: dict[str, Any]) -> bool:
        if len(str(parameters.get(field) or "")) > most:
            raise Refused(400, f"Bad Request: {field.replace('_', ' ')} is too long")
        code = parameters.get("language_code") or ""
        self.descriptions[f"{field}:{code}"] = str(parameters.get(field) or "")
        return True

    def _answer_callback_query(self, parameters: dict[str, Any]) -> bool:
        if parameters.get("callback_query_id") not in self._callbacks:
            raise Refused(
                400,
                "Bad Request: query is too old and response timeout expired or query ID is "
                "invalid",
            )
        if len(str(parameters.get("text") or "")) > 200:
            raise Refused(400, "Bad Request: MESSAGE_TOO_LONG")
        self._callbacks.discard(parameters["callback_query_id"])
        self.answered_callbacks.append(parameters)
        return True

    def _edit_message_text(self, parameters: dict[str, Any]) -> dict[str, Any]:
        number = int(parameters.get("message_id") or 0)
        found = next((m for m in self.messages if m.message_id == number), None)
        if found is None:
            raise Refused(400, "Bad Request: message to edit not found")
        if isinstance(rich := parameters.get("rich_message"), dict):
            found.text = read_rich(rich["html"])
            self.edits.append(parameters)
            return self._message_json(found)
        if found.method not in ("sendmessage", "sendrichmessage"):
            raise Refused(400, "Bad Request: there is no text in the message to edit")
        read = parsed(str(parameters.get("text", "")), parameters.get("parse_mode"))
        if not read.text:
            raise Refused(400, "Bad Request: message text is empty")
        if utf16(read.text) > 4096:
            raise Refused(400, "Bad Request: message is too long")
        check_markup(parameters.get("reply_markup"))
        markup = found.payload.get("reply_markup")
        if read.text == found.text and parameters.get("reply_markup") == markup:
            raise Refused(
                400,
                "Bad Request: message is not modified: specified new message content and reply "
                "markup are exactly the same as a current content and reply markup of the message",
            )
        found.text = read.text
        found.payload["reply_markup"] = parameters.get("reply_markup")
        self.edits.append(parameters)
        return self._message_json(found)

    def _edit_markup(self, parameters: dict[str, Any]) -> dict[str, Any]:
        number = int(parameters.get("message_id") or 0)
        found = next((m for m in self.messages if m.message_id == number), None)
        if found is None:
            raise Refused(400, "Bad Request: message to edit not found")
        markup = parameters.get("reply_markup")
        check_markup(markup)
        if markup == found.payload.get("reply_markup"):
            raise Refused(
                400,
                "Bad Request: message is not modified: specified new message content and reply "
                "markup are exactly the same as a current content and reply markup of the message",
            )
        found.payload["reply_markup"] = markup
        self.edits.append(parameters)
        return self._message_json(found)

    def _send_document(self, parameters: dict[str, Any]) -> dict[str, Any]:
        content = parameters.get("document")
        if not isinstance(content, bytes) or not content:
            raise Refused(400, "Bad Request: there is no document in the request")
        self.documents.append({"content": content, **parameters})
        return self._accept("senddocument", parameters, str(parameters.get("caption", "")), 1024)

    def _send_rich_message(self, parameters: dict[str, Any]) -> dict[str, Any]:
        rich = parameters.get("rich_message")
        if not isinstance(rich, dict) or not isinstance(rich.get("html"), str):
            raise Refused(400, "Bad Request: can't parse rich message JSON object")
        return self._accept("sendrichmessage", parameters, read_rich(rich["html"]), 32_768)

    def _get_file(self, parameters: dict[str, Any]) -> dict[str, Any]:
        file_id = str(parameters.get("file_id"))
        if file_id not in self.files:
            raise Refused(400, "Bad Request: invalid file_id")
        return {"file_id": file_id, "file_unique_id": "u", "file_path": f"{file_id}.bin"}

    async def _serve_file(self, request: web.Request) -> web.Response:
        name = request.match_info["path"].removesuffix(".bin")
        if request.match_info["token"] != self.token or name not in self.files:
            return web.Response(status=404)
        return web.Response(body=self.files[name])

    def _set_webhook(self, parameters: dict[str, Any]) -> bool:
        if not str(parameters.get("url", "")).startswith("https://"):
            raise Refused(400, "Bad Request: bad webhook: An HTTPS URL must be provided")
        if not re.fullmatch(r"[\w-]{1,256}", str(parameters.get("secret_token", "x"))):
            raise Refused(400, "Bad Request: secret token contains unallowed characters")
        self.webhook = parameters
        return True

    def _delete_webhook(self, _: dict[str, Any]) -> bool:
        self.webhook = {}
        return True

    def _edit_message_media(self, parameters: dict[str, Any]) -> dict[str, Any]:
        number = int(parameters.get("message_id") or 0)
        media = parameters.get("media")
        if not isinstance(media, dict) or not media.get("media"):
            raise Refused(400, "Bad Request: can't parse InputMedia")
        if media["media"] in self.broken_media:
            raise Refused(400, f"Bad Request: {self.broken_media[media['media']]}")
        if number in self._of_albums:
            self._of_albums[number] = media["media"]
            self.edits.append(parameters)
            return {"message_id": number, "date": 0, "chat": self._chat_json(1)}
        found = next((m for m in self.messages if m.message_id == number), None)
        if found is None:
            raise Refused(400, "Bad Request: message to edit not found")
        if found.method == "sendmessage" and not self.adds_media:
            raise Refused(400, "Bad Request: there is no media in the message to edit")
        if found.method == "sendmediagroup" and media["type"] not in ("photo", "video"):
            raise Refused(400, "Bad Request: the message can't be edited to this type of media")
        read = parsed(str(media.get("caption", "")), media.get("parse_mode"))
        if utf16(read.text) > 1024:
            raise Refused(400, "Bad Request: message caption is too long")
        found.text = read.text
        if found.method != "sendmediagroup":
            found.method = f"send{media['type']}"
        found.payload[media["type"]] = media["media"]
        found.payload["reply_markup"] = parameters.get("reply_markup")
        self.edits.append(parameters)
        return self._message_json(found)

    def album_pictures(self) -> list[str]:
        """The pictures of all albums, but for their first ones."""
        return list(self._of_albums.values())

    def _edit_message_caption(self, parameters: dict[str, Any]) -> dict[str, Any]:
        number = int(parameters.get("message_id") or 0)
        found = next((m for m in self.messages if m.message_id == number), None)
        if found is None:
            raise Refused(400, "Bad Request: message to edit not found")
        if found.method == "sendmessage":
            raise Refused(400, "Bad Request: there is no caption in the message to edit")
        read = parsed(str(parameters.get("caption", "")), parameters.get("parse_mode"))
        if utf16(read.text) > 1024:
            raise Refused(400, "Bad Request: message caption is too long")
        found.text = read.text
        self.edits.append(parameters)
        return self._message_json(found)

    def _delete_message(self, parameters: dict[str, Any]) -> bool:
        number = int(parameters.get("message_id") or 0)
        kept = [m for m in self.messages if m.message_id != number]
        if len(kept) == len(self.messages):
            raise Refused(400, "Bad Request: message to delete not found")
        self.messages[:] = kept
        return True

    def _yes(self, _: dict[str, Any]) -> bool:
        return True


#: What a test says of a chat that Telegram does not tell.
_OURS = ("topics", "closed_topics", "members_hidden", "missing")

_METHODS: dict[str, Callable[[FakeTelegram, dict[str, Any]], Any]] = {
    "getme": FakeTelegram._get_me,
    "sendmessage": FakeTelegram._send_message,
    "sendphoto": FakeTelegram._send_photo,
    "sendvideo": FakeTelegram._send_film,
    "sendaudio": FakeTelegram._send_sound,
    "sendmediagroup": FakeTelegram._send_album,
    "getupdates": FakeTelegram._get_updates,
    "getchat": FakeTelegram._get_chat,
    "getchatmember": FakeTelegram._get_chat_member,
    "getchatadministrators": FakeTelegram._get_chat_administrators,
    "setmycommands": FakeTelegram._set_my_commands,
    "answercallbackquery": FakeTelegram._answer_callback_query,
    "editmessagetext": FakeTelegram._edit_message_text,
    "editmessagereplymarkup": FakeTelegram._edit_markup,
    "sendrichmessage": FakeTelegram._send_rich_message,
    "senddocument": FakeTelegram._send_document,
    "getfile": FakeTelegram._get_file,
    "setwebhook": FakeTelegram._set_webhook,
    "editmessagemedia": FakeTelegram._edit_message_media,
    "editmessagecaption": FakeTelegram._edit_message_caption,
    "deletemessage": FakeTelegram._delete_message,
    "sendchataction": FakeTelegram._yes,
    "deletewebhook": FakeTelegram._delete_webhook,
    "getmycommands": FakeTelegram._get_my_commands,
    "getmydescription": FakeTelegram._get_description,
    "getmyshortdescription": FakeTelegram._get_short,
    "setmydescription": FakeTelegram._set_description,
    "setmyshortdescription": FakeTelegram._set_short,
    "deletemycommands": FakeTelegram._yes,
}


def _no_such_method(_: FakeTelegram, __: dict[str, Any]) -> None:
    raise Refused(404, "Not Found: method not found")


async def _maybe_awaited(value: Any) -> Any:
    return await value if asyncio.iscoroutine(value) else value
