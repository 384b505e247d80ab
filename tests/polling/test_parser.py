"""Large documents are read elsewhere, each within its own time and memory."""

import asyncio
import os
import signal
import time

import pytest

from tests.polling.newsroom import rss
from wireroom.errors import NotAFeed
from wireroom.feeds import parse
from wireroom.feeds.model import ParsedFeed
from wireroom.polling import parser as parser_module
from wireroom.polling.parser import SMALL_BYTES, Parser

URL = "https://news.example/feed"


def large(word: str) -> bytes:
    return rss(word, more=f"<!-- {word} {'x' * SMALL_BYTES} -->")


def read_slowly(body: bytes, **more: object) -> ParsedFeed:
    """Runs in the worker. Large documents take 30 s if they say so, or for ever to wait for."""
    if len(body) > SMALL_BYTES:
        if b" dies " in body:
            os.kill(os.getpid(), signal.SIGKILL)
        if b" eats " in body:
            return parse.read(b"x" * 2**34, url=URL)
        if b" quick " not in body:
            time.sleep(30)
    return parse.read(body, **more)  # type: ignore[arg-type]


async def test_a_large_document_is_read_as_a_small_one() -> None:
    """The worker gives back the same feed, and its refusals arrive as they are."""
    async with Parser() as parser:
        feed = await parser.read(large("1"), url=URL)
        with pytest.raises(NotAFeed) as refusal:
            await parser.read(b"<html><body>" + b"x" * SMALL_BYTES, url=URL)

    assert ["Story 1"] == [item.title for item in feed.items]
    assert "html" == refusal.value.found


async def test_half_a_document_is_no_feed() -> None:
    """What broke off before its first item is a failure, wherever it was read (PRS-05)."""
    async with Parser() as parser:
        with pytest.raises(NotAFeed, match="broken feed without any items"):
            await parser.read(b"<rss version='2.0'><channel><title>T", url=URL)


async def test_one_slow_document_harms_no_other() -> None:
    """While one runs into its limit, others wait; their own time begins after that."""
    async with Parser(time_limit_seconds=1.0, read_document=read_slowly) as parser:
        slow, quick, small = await asyncio.gather(
            parser.read(large("slow"), url=URL),
            parser.read(large("quick"), url=URL),
            parser.read(rss("small"), url=URL),
            return_exceptions=True,
        )

    assert isinstance(slow, NotAFeed)
    assert "could not be read within 1 s" in str(slow)
    assert isinstance(quick, ParsedFeed)
    assert isinstance(small, ParsedFeed)


async def test_a_document_that_kills_its_worker_is_no_feed() -> None:
    """It is tried twice, as the worker may have been ended from outside; the next one is read."""
    async with Parser(read_document=read_slowly) as parser:
        with pytest.raises(NotAFeed, match="ended its worker"):
            await parser.read(large("dies"), url=URL)
        feed = await parser.read(large("quick"), url=URL)

    assert 1 == len(feed.items)


async def test_a_document_that_eats_memory_fails_alone() -> None:
    """The worker may not take more than its limit."""
    async with Parser(read_document=read_slowly) as parser:
        with pytest.raises(NotAFeed, match="too much memory"):
            await parser.read(large("eats"), url=URL)


async def test_a_worker_that_was_ended_while_idle_is_replaced() -> None:
    """Whoever ends our processes costs us nothing but a second."""
    async with Parser(read_document=read_slowly) as parser:
        await parser.read(large("quick"), url=URL)
        assert parser._workers is not None
        for process in parser._workers._processes.values():
            process.kill()
        feed = await parser.read(large("quick"), url=URL)

    assert 1 == len(feed.items)


async def test_a_cancelled_reading_leaves_the_worker_to_others() -> None:
    """The document that nobody waits for any more does not hold up the next one."""
    async with Parser(time_limit_seconds=20, read_document=read_slowly) as parser:
        await parser.read(large("quick"), url=URL)
        reading = asyncio.create_task(parser.read(large("slow"), url=URL))
        await asyncio.sleep(0.2)
        reading.cancel()
        with pytest.raises(asyncio.CancelledError):
            await reading
        async with asyncio.timeout(15):
            await parser.read(large("quick"), url=URL)


def test_the_memory_limit_leaves_room() -> None:
    """The largest document that is fetched fits many times over."""
    assert parser_module.MEMORY_LIMIT_BYTES > 100 * 5_000_000
