"""Telegram chats that speak with the bot, and what it has to remember of conversations."""

from collections.abc import Collection, Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from sqlalchemy import Connection, delete, func, insert, or_, select, update

from wireroom.store.dialects import insert_or
from wireroom.store.schema import telegram_chats, telegram_memos


@dataclass(frozen=True, slots=True)
class KnownChat:
    """A chat as we met it last; `language` is "" while that of whoever writes is spoken."""

    id: int
    kind: str
    title: str
    username: str
    language: str
    managing: int | None
    left_at: datetime | None


_CHAT = (
    telegram_chats.c.id,
    telegram_chats.c.kind,
    telegram_chats.c.title,
    telegram_chats.c.username,
    telegram_chats.c.language,
    telegram_chats.c.managing,
    telegram_chats.c.left_at,
)


def find_chat(connection: Connection, chat_id: int) -> KnownChat | None:
    row = connection.execute(select(*_CHAT).where(telegram_chats.c.id == chat_id)).first()
    return None if row is None else KnownChat(*row)


def note_chat(
    connection: Connection, chat_id: int, *, kind: str, title: str, username: str, now: datetime
) -> None:
    """We met this chat, and are in it."""
    values = {
        "kind": kind,
        "title": title[:256],
        "username": username[:64],
        "left_at": None,
        "seen_at": now,
    }
    adding = insert_or(connection, telegram_chats).values(id=chat_id, **values)
    connection.execute(adding.on_conflict_do_update(index_elements=["id"], set_=values))


def set_language(connection: Connection, chat_id: int, language: str) -> None:
    _change(connection, chat_id, {"language": language})


def set_managing(connection: Connection, chat_id: int, managed: int | None) -> None:
    """Let the commands of a private chat be about another chat; None: about itself again."""
    _change(connection, chat_id, {"managing": managed})


def set_left(connection: Connection, chat_id: int, left_at: datetime | None) -> None:
    _change(connection, chat_id, {"left_at": left_at})


def _change(connection: Connection, chat_id: int, values: Mapping[str, Any]) -> None:
    connection.execute(
        update(telegram_chats).where(telegram_chats.c.id == chat_id).values(**values)
    )


def rename_chat(connection: Connection, old: int, new: int) -> None:
    """A group became a supergroup; calling it again changes nothing."""
    if find_chat(connection, new) is None:
        _change(connection, old, {"id": new, "kind": "supergroup"})
    else:
        connection.execute(delete(telegram_chats).where(telegram_chats.c.id == old))
    managing = telegram_chats.c.managing == old
    connection.execute(update(telegram_chats).where(managing).values(managing=new))


def forget_chats(connection: Connection, chat_ids: Collection[int]) -> None:
    """Nothing is left of these chats, nor of what was asked in them.

    The id of a private chat is that of the person, who may have been asked elsewhere.
    """
    memos = telegram_memos.c
    asked = or_(memos.chat_id.in_(chat_ids), memos.user_id.in_(chat_ids))
    connection.execute(delete(telegram_memos).where(asked))
    managing = telegram_chats.c.managing.in_(chat_ids)
    connection.execute(update(telegram_chats).where(managing).values(managing=None))
    connection.execute(delete(telegram_chats).where(telegram_chats.c.id.in_(chat_ids)))


def count_by_kind(connection: Connection) -> dict[str, int]:
    """How many chats of each kind we are in."""
    rows = connection.execute(
        select(telegram_chats.c.kind, func.count())
        .where(telegram_chats.c.left_at.is_(None))
        .group_by(telegram_chats.c.kind)
        .order_by(telegram_chats.c.kind)
    )
    return {row[0]: row[1] for row in rows}


# -- memos ----------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Memo:
    """Something that waits for somebody's answer."""

    id: int
    user_id: int
    payload: dict[str, Any]
    made_at: datetime


def add_memo(
    connection: Connection,
    *,
    chat_id: int,
    user_id: int,
    kind: str,
    payload: Mapping[str, Any],
    now: datetime,
) -> int:
    made: int = connection.execute(
        insert(telegram_memos)
        .values(chat_id=chat_id, user_id=user_id, kind=kind, payload=dict(payload), made_at=now)
        .returning(telegram_memos.c.id)
    ).scalar_one()
    return made


def find_memo(connection: Connection, memo_id: int, *, chat_id: int, kind: str) -> Memo | None:
    """A memo of this chat, by its number."""
    return _memo(
        connection,
        telegram_memos.c.id == memo_id,
        telegram_memos.c.chat_id == chat_id,
        telegram_memos.c.kind == kind,
    )


def find_for(connection: Connection, chat_id: int, user_id: int, kind: str) -> Memo | None:
    """The newest memo for somebody in a chat."""
    return _memo(
        connection,
        telegram_memos.c.chat_id == chat_id,
        telegram_memos.c.user_id == user_id,
        telegram_memos.c.kind == kind,
    )


def _memo(connection: Connection, *conditions: Any) -> Memo | None:
    row = connection.execute(
        select(
            telegram_memos.c.id,
            telegram_memos.c.user_id,
            telegram_memos.c.payload,
            telegram_memos.c.made_at,
        )
        .where(*conditions)
        .order_by(telegram_memos.c.id.desc())
        .limit(1)
    ).first()
    return None if row is None else Memo(*row)


def drop_memos(connection: Connection, chat_id: int, user_id: int, kind: str) -> int:
    """Forget what was asked of somebody; gives how many questions that were."""
    return connection.execute(
        delete(telegram_memos).where(
            telegram_memos.c.chat_id == chat_id,
            telegram_memos.c.user_id == user_id,
            telegram_memos.c.kind == kind,
        )
    ).rowcount


def drop_old_memos(connection: Connection, before: datetime) -> int:
    """Forget what nobody has answered for long."""
    return connection.execute(
        delete(telegram_memos).where(telegram_memos.c.made_at < before)
    ).rowcount
