"""One message or press, in the chat where it happened: who, about what, and how to answer."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import timedelta
from typing import Any, Final

import structlog

from wireroom import doors
from wireroom.catalogue import Language, Plural, Text, fates
from wireroom.catalogue.refusals import in_words
from wireroom.catalogue.telegram import general
from wireroom.channels.telegram.api import Refused, TelegramError
from wireroom.channels.telegram.commands import buttons, splitting
from wireroom.channels.telegram.commands.buttons import Button, Row
from wireroom.channels.telegram.commands.desk import CHANNEL, Desk
from wireroom.channels.telegram.commands.incoming import Chat, Message, Person, Press
from wireroom.channels.telegram.commands.replies import Place
from wireroom.channels.telegram.commands.roles import Role
from wireroom.delivery.notices import MOST_ERROR
from wireroom.errors import UserError
from wireroom.store import chats
from wireroom.store.chats import Memo
from wireroom.store.doors import Door

log = structlog.get_logger(__name__)

#: A question that nobody answered for so long is none any more.
QUESTION_LIFE: Final = timedelta(days=1)


class Complaint(UserError):
    """What somebody asked for cannot be done, said in their language."""

    def __init__(self, text: Text, **values: object) -> None:
        super().__init__(text.say("en", **values))
        self.text = text
        self.values = values


@dataclass(slots=True)
class Visit:
    desk: Desk
    #: Where people speak with us.
    chat: Chat
    topic: int | None
    sender: Person | None
    role: Role
    language: Language
    #: The chat that it is about: this one, or a channel that is managed from here.
    subject: Chat
    message: Message | None = None
    press: Press | None = None
    _account: int | None = field(default=None, repr=False)

    # -- who and about what ---------------------------------------------------------------------

    @property
    def is_elsewhere(self) -> bool:
        """Whether it is about another chat than the one where people speak."""
        return self.subject.id != self.chat.id

    @property
    def subject_topic(self) -> int | None:
        return None if self.is_elsewhere else self.topic

    @property
    def address(self) -> str:
        """The destination's address: the chat, or its topic."""
        topic = self.subject_topic
        return f"{self.subject.id}/{topic}" if topic else str(self.subject.id)

    @property
    def chat_key(self) -> str:
        """How destinations name the chat as a whole."""
        return str(self.subject.id)

    @property
    def door(self) -> Door:
        return Door(CHANNEL, str(self.subject.id))

    @property
    def user_id(self) -> int:
        """Whose conversation this is; 0 for all who hide behind the chat."""
        return self.sender.id if self.sender else 0

    async def account(self) -> int:
        """The account of the chat that it is about, made when it is met for the first time."""
        if self._account is None:
            is_operators = (
                self.subject.is_private and self.subject.id in self.desk.access.operators
            )
            self._account = await doors.open_door(
                self.desk.database,
                self.door,
                name=self.subject.title or str(self.subject.id),
                now=self.desk.now(),
                is_operators=is_operators,
            )
        return self._account

    async def operators_account(self) -> int:
        """The account of whoever runs Wireroom. Only for those who were found to be that."""
        assert self.sender is not None
        return await doors.open_door(
            self.desk.database,
            Door(CHANNEL, str(self.sender.id)),
            name=self.sender.name,
            now=self.desk.now(),
            is_operators=True,
        )

    # -- answering ------------------------------------------------------------------------------

    @property
    def place(self) -> Place:
        reply_to = self.message.message_id if self.message and self.chat.is_group else None
        return Place(self.chat.id, self.topic, reply_to)

    def t(self, text: Text, /, **values: object) -> str:
        """A text in the language of this chat, as HTML."""
        return text.html(self.language, **values)

    def plain(self, text: Text, /, **values: object) -> str:
        """The same for buttons and notes, which take no markup."""
        return text.say(self.language, **values)

    def words(self, sentence: str) -> str:
        """What an error or a poll left as its reason, in the language of this chat."""
        return in_words(sentence, self.language)

    def trouble(self, error: str) -> str:
        """The same, as short as errors are shown (FAIL-27)."""
        return self.words(error)[:MOST_ERROR]

    def reasons(self, written: str, names: Mapping[str, str]) -> str:
        """The same for several reasons in a row, with places as they are called here."""
        said = fates.here(written, names)
        return "; ".join(self.words(each) for each in said.split("; "))

    def counted(self, text: Plural, n: int, /, **values: object) -> str:
        return text.html(self.language, n, **values)

    async def say(self, *lines: str, rows: Sequence[Row] = ()) -> int | None:
        return await self._post(lines, rows=rows)

    async def _post(
        self,
        lines: Sequence[str],
        *,
        rows: Sequence[Row] = (),
        markup: dict[str, Any] | None = None,
    ) -> int | None:
        """Where it cannot be posted, whoever asked is told elsewhere, and Refused goes on."""
        self._acknowledge_if_sayable()
        try:
            return await self.desk.replies.say(self.place, lines, rows=rows, markup=markup)
        except Refused as refused:
            if refused.remedy != "unreadable" and not self.chat.is_private:
                await self._tell_elsewhere(refused, lines)
            raise

    async def _tell_elsewhere(self, refused: Refused, lines: Sequence[str]) -> None:
        """In their private chat if they ever spoke with us there, else over the pressed button."""
        if self.sender is not None:
            known = await self.desk.database.read(chats.find_chat, self.sender.id)
            if known is not None and known.left_at is None:
                title, reason = self.chat.title or self.chat.id, self.words(str(refused))
                head = self.t(general.SAID_ELSEWHERE, chat=title, reason=reason)
                try:
                    await self.desk.replies.say(Place(self.sender.id), [head, "", *lines])
                except TelegramError as error:
                    log.info("telegram answer not told in private either", reason=str(error))
                else:
                    return
        if self.press is not None:
            said = " ".join(splitting.visible("\n".join(lines)).split())
            self.desk.wheels.stop(self.press.id, said, alert=True)

    async def show(self, *lines: str, rows: Sequence[Row] = ()) -> None:
        """In place of the message whose button was pressed; as a new one otherwise."""
        self._acknowledge_if_sayable()
        if self.press is not None:
            edited = await self.desk.replies.edit(self.chat.id, self.press.message_id, lines, rows)
            if edited:
                return
        await self.say(*lines, rows=rows)

    def acknowledge(self, text: Text | None = None, /, **values: object) -> None:
        """End the wheel on the button, at most once; a text is shown for a moment."""
        if self.press is not None:
            self.desk.wheels.stop(self.press.id, self.plain(text, **values) if text else "")

    async def note(self, text: Text, /, **values: object) -> None:
        """For a moment over the chat; as a message where the wheel stopped before."""
        if self.press is not None and self.desk.wheels.is_turning(self.press.id):
            self.acknowledge(text, **values)
        else:
            await self.say(self.t(text, **values))

    def _acknowledge_if_sayable(self) -> None:
        """In private what cannot be posted cannot be shown over the chat either: nothing waits."""
        if self.chat.is_private:
            self.acknowledge()

    # -- asking ---------------------------------------------------------------------------------

    async def ask(
        self,
        command: str,
        arguments: str,
        question: str,
        *,
        markup: dict[str, Any] | None = None,
    ) -> None:
        """Ask for what a command lacks: the next text of the same person completes it (TGC-31).

        In groups as a question that the person's app answers by replying, since we see no other
        texts there.
        """
        now = self.desk.now()
        payload = {"command": command, "arguments": arguments}
        await self.forget_question()
        await self.desk.database.write(
            lambda connection: chats.add_memo(
                connection,
                chat_id=self.chat.id,
                user_id=self.user_id,
                kind="question",
                payload=payload,
                now=now,
            )
        )
        if markup is not None:
            await self._post([question], markup=markup)
            return
        if self.chat.is_private:
            cancel = Button(self.plain(general.CANCEL), buttons.data("cancel"))
            await self.say(question, rows=[[cancel]])
            return
        forced = {"force_reply": True, "selective": True}
        await self._post([question], markup=forced)

    async def question(self) -> Memo | None:
        """What we are waiting for."""
        found = await self.desk.database.read(
            chats.find_for, self.chat.id, self.user_id, "question"
        )
        if found is not None and self.desk.now() - found.made_at > QUESTION_LIFE:
            return None
        return found

    async def forget_question(self) -> bool:
        """Wait for nothing any more; whether we did."""
        if (
            await self.desk.database.read(chats.find_for, self.chat.id, self.user_id, "question")
            is None
        ):
            return False
        dropped = await self.desk.database.write(
            chats.drop_memos, self.chat.id, self.user_id, "question"
        )
        return dropped > 0

    def about(self, subject: Chat) -> "Visit":
        """The same visit about another chat; who may do that is the caller's to find out."""
        return replace(self, subject=subject, _account=None)
