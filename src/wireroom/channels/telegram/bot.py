"""The library's bot, set up as all our uses of it need: no token in any log, timeouts of ours.

python-telegram-bot is imported with the first bot that is opened, because it costs half a second
and 35 MB; who sets no token pays neither.
"""

import functools
import logging
import os
import ssl
from datetime import timedelta
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from telegram import Bot
    from telegram.request import HTTPXRequest

DEFAULT_BASE_URL: Final = "https://api.telegram.org"
#: Connections held to the Bot API.
CONNECTIONS: Final = 32


def open_bot(token: str, base_url: str, timeout: timedelta) -> "tuple[Bot, HTTPXRequest]":
    """A bot that calls no network by itself, and its connections, to be `shutdown` when done."""
    # The library's own switch: without it, each flood answer comes with a deprecation warning.
    os.environ.setdefault("PTB_TIMEDELTA", "true")
    from telegram import Bot
    from telegram.request import HTTPXRequest

    # httpx writes every URL, and with it the token, at INFO; the library does at DEBUG.
    for name in ("httpx", "httpcore", "telegram"):
        logging.getLogger(name).setLevel(logging.WARNING)
    seconds = timeout.total_seconds()
    request = HTTPXRequest(
        connection_pool_size=CONNECTIONS,
        connect_timeout=min(10, seconds),
        read_timeout=seconds,
        write_timeout=seconds,
        pool_timeout=seconds,
        media_write_timeout=2 * seconds,
        httpx_kwargs={"verify": _tls()},
    )
    base = base_url.rstrip("/")
    bot = Bot(
        token,
        base_url=f"{base}/bot",
        base_file_url=f"{base}/file/bot",
        request=request,
        get_updates_request=request,
    )
    return bot, request


@functools.cache
def _tls() -> ssl.SSLContext:
    """Whom all bots trust; reading the certificates takes some 40 ms."""
    import httpx

    return httpx.create_ssl_context()
