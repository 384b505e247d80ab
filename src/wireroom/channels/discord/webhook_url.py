"""Webhook URLs as people paste them (pure). The URL is a secret: whoever has it can post."""

import re
from typing import Final
from urllib.parse import parse_qs, urlsplit

from wireroom.delivery.channel import Address
from wireroom.errors import InvalidURL

_HOSTS: Final = frozenset(
    prefix + host
    for host in ("discord.com", "discordapp.com")
    for prefix in ("", "ptb.", "canary.")
)
_PATH = re.compile(
    r"/api(?:/v\d{1,2})?/webhooks/(?P<id>\d{15,21})/(?P<token>[A-Za-z0-9_-]{20,128})"
    r"(?:/slack|/github)?/?"
)
_THREAD = re.compile(r"\d{1,21}")
# Every sentence stands on its own and repeats nothing of what was typed.
_NOT_ONE = (
    "That is not a Discord webhook address; it looks like "
    "https://discord.com/api/webhooks/<number>/<token>."
)


def parse(typed: str) -> Address:
    """The address behind a pasted webhook URL, with the webhook's token as its secret.

    Raises InvalidURL with one sentence that repeats nothing of the URL.
    """
    try:
        url = urlsplit(typed.strip().strip("<>"))
        port = url.port
    except ValueError:
        raise InvalidURL(_NOT_ONE, code="invalid_webhook") from None
    if url.scheme != "https" or port not in (None, 443) or url.username is not None:
        raise InvalidURL("A webhook address begins with https://.", code="invalid_webhook")
    if (url.hostname or "") not in _HOSTS:
        raise InvalidURL("A webhook address is on discord.com.", code="invalid_webhook")
    found = _PATH.fullmatch(url.path)
    if found is None:
        raise InvalidURL(_NOT_ONE, code="invalid_webhook")
    return Address(found["id"] + _thread(url.query), found["token"])


def _thread(query: str) -> str:
    thread = parse_qs(query, max_num_fields=20).get("thread_id", [""])[-1]
    if not thread:
        return ""
    if not _THREAD.fullmatch(thread):
        raise InvalidURL("The thread_id of a webhook address is a number.", code="invalid_webhook")
    return f"?thread_id={thread}"


def read(address: Address) -> tuple[str, str]:
    """Webhook id and thread id ("" for none) of an address that `parse` made."""
    webhook, _, query = address.public.partition("?")
    return webhook, query.removeprefix("thread_id=")


def shown(address: Address) -> str:
    """How an address is called in pages and logs: enough to recognise it, useless to post."""
    webhook, thread = read(address)
    return f"webhook {webhook}" + (f", thread {thread}" if thread else "")
