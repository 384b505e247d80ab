"""Reading documents without ever standing still: small ones here, large ones under a time limit.

Parsing is linear, so a small document cannot take long. A large one is read by a worker process
that is ended when it takes too long: one document never stalls polling.
"""

import asyncio
import contextlib
import functools
import multiprocessing
from collections.abc import Collection
from concurrent.futures import BrokenExecutor, ProcessPoolExecutor

from wireroom.errors import NotAFeed
from wireroom.feeds import parse
from wireroom.feeds.model import Digest, ParsedFeed

#: Read in the event loop's own thread: at most some 10 ms.
SMALL_BYTES = 256 * 1024
TIME_LIMIT_SECONDS = 10.0


class Parser:
    """Reads documents; use as an async context manager."""

    def __init__(self, *, time_limit_seconds: float = TIME_LIMIT_SECONDS) -> None:
        self._time_limit = time_limit_seconds
        self._workers: ProcessPoolExecutor | None = None

    async def __aenter__(self) -> "Parser":
        return self

    async def __aexit__(self, *_: object) -> None:
        self._end_workers()

    async def read(
        self, body: bytes, *, url: str, content_type: str = "", met: Collection[Digest] = ()
    ) -> ParsedFeed:
        """See `feeds.parse.read`; a document that takes too long is no feed, either."""
        work = functools.partial(
            parse.read, body, url=url, content_type=content_type, met=frozenset(met)
        )
        if len(body) <= SMALL_BYTES:
            return work()
        return await self._read_elsewhere(work)

    async def _read_elsewhere(self, work: "functools.partial[ParsedFeed]") -> ParsedFeed:
        if self._workers is None:
            # spawn: forking a process that has threads may leave locks held for ever
            self._workers = ProcessPoolExecutor(
                1, mp_context=multiprocessing.get_context("spawn"), max_tasks_per_child=500
            )
        workers = self._workers
        try:
            async with asyncio.timeout(self._time_limit):
                return await asyncio.get_running_loop().run_in_executor(workers, work)
        except TimeoutError as error:
            self._end_workers()
            raise NotAFeed(
                f"The document could not be read within {self._time_limit:g} s.", found="xml"
            ) from error
        except BrokenExecutor as error:
            self._end_workers()
            raise NotAFeed("Reading the document ended its worker.", found="xml") from error

    def _end_workers(self) -> None:
        workers, self._workers = self._workers, None
        if workers is None:
            return
        with contextlib.suppress(AttributeError):
            for process in list(workers._processes.values()):  # noqa: SLF001 - no public way
                process.kill()
        workers.shutdown(wait=False, cancel_futures=True)
