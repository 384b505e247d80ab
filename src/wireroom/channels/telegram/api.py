"""Calls to the Bot API outside of delivery: one method wide, JSON in and JSON out.

The library's own classes are left out on purpose: they refuse a whole batch of updates for one
field that they do not know, and Telegram adds fields several times a year.
"""

from datetime import timedelta
from types import TracebackType
from typing import Any, Final, Self

from wireroom.channels.telegram import errors
from wireroom.channels.telegram.bot import DEFAULT_BASE_URL, open_bot
from wireroom.errors import WireroomError

#: Telegram lets bots load files of at most so many bytes.
LARGEST_FILE: Final = 20_000_000


class TelegramError(WireroomError):
    """A call came to nothing; `str` is one line without a token.

    ::

        TelegramError
        ├── Refused        Telegram said no, and will again; `remedy` says what that means
        ├── ChatMoved      the group has another id by now
        ├── Flooded        ask again `after` so long
        ├── Taken          another program asks for this bot's updates, or a webhook gets them
        ├── TokenRefused   nobody is served until the operator mends it (or: no such method)
        └── Unreachable    no answer, or none of Telegram's; ask again
    """


class Refused(TelegramError):
    def __init__(self, description: str) -> None:
        super().__init__(errors.reason(description))
        self.remedy = errors.remedy(description)


class ChatMoved(TelegramError):
    def __init__(self, chat: int) -> None:
        super().__init__("The group became a supergroup.")
        self.chat = chat


class Flooded(TelegramError):
    def __init__(self, after: timedelta) -> None:
        super().__init__("Telegram's flood control")
        self.after = after


class Taken(TelegramError):
    pass


class TokenRefused(TelegramError):
    pass


class Unreachable(TelegramError):
    pass


class Api:
    """One bot's calls. `async with` closes its connections."""

    def __init__(
        self,
        token: str,
        *,
        base_url: str = DEFAULT_BASE_URL,
        timeout: timedelta = timedelta(seconds=20),
    ) -> None:
        self._bot, self._request = open_bot(token, base_url, timeout)
        self._files = f"{base_url.rstrip('/')}/file/bot{token}"
        self._timeout = timeout.total_seconds()
        #: The number before the colon is the bot's user id.
        self.bot_id = int(token.partition(":")[0])

    def __repr__(self) -> str:
        return f"Api(bot_id={self.bot_id})"

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        at: TracebackType | None,
    ) -> None:
        await self._request.shutdown()

    async def call(self, method: str, /, *, patience: float = 0, **parameters: Any) -> Any:
        """The result of a method, as JSON; parameters that are None are left out.

        `patience` is how many seconds the server itself may wait (getUpdates). Raises
        TelegramError.
        """
        given = {name: value for name, value in parameters.items() if value is not None}
        # In lower case, which the server takes as well: the library warns of methods that it has
        # functions for.
        calling = self._bot.do_api_request(
            method.lower(), api_kwargs=given, read_timeout=self._timeout + patience
        )
        return await self._answer(calling)

    async def load(self, path: str) -> bytes:
        """A file by the `file_path` that getFile gave. Raises TelegramError."""
        content = await self._answer(self._request.retrieve(f"{self._files}/{path}"))
        return bytes(content)

    async def _answer(self, calling: Any) -> Any:
        from telegram import error

        try:
            return await calling
        except error.ChatMigrated as moved:
            raise ChatMoved(moved.new_chat_id) from None
        except error.RetryAfter as flood:
            after = flood.retry_after
            raise Flooded(
                after if isinstance(after, timedelta) else timedelta(seconds=after)
            ) from None
        except error.InvalidToken as refused:
            # No chain, here and below: the library's errors hold the URL, and with it the token.
            raise TokenRefused(errors.reason(str(refused))) from None
        except error.Conflict as conflict:
            raise Taken(errors.reason(str(conflict))) from None
        except (error.BadRequest, error.Forbidden) as refused:
            description = str(refused)
            if "Parsing the server response" in description:  # a proxy's page
                raise Unreachable("The answer was not Telegram's.") from None
            raise Refused(description) from None
        except error.TelegramError as failed:
            raise Unreachable(errors.reason(str(failed))) from None


def upload(content: bytes, name: str) -> Any:
    """A file as a parameter of `call`."""
    from telegram import InputFile

    return InputFile(content, filename=name)
