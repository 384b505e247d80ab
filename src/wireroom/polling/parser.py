"""Reading documents without ever standing still: small ones here, large ones under a time limit.

Parsing is linear, so a small document cannot take long. A large one is read by a worker process
that is ended when it takes too long or too much memory: one document never stalls polling.
"""

import asyncio
import contextlib
import functools
import multiprocessing
from collections.abc import Callable, Collection
from concurrent.futures import BrokenExecutor, ProcessPoolExecutor
from typing import Any, TypeVar

from wireroom.errors import NotAFeed
from wireroom.feeds import article, parse, refusal, torn
from wireroom.feeds.model import Digest, ParsedFeed, SafeHtml

T = TypeVar("T")

#: Read in the event loop's own thread: some milliseconds, or 200 at the very worst, for what is
#: written to be slow (thousands of srcset candidates took 3 ms a kilobyte).
SMALL_BYTES = 64 * 1024
TIME_LIMIT_SECONDS = 10.0
#: Address space of the worker. A document of the largest size takes a tenth of it.
MEMORY_LIMIT_BYTES = 2 * 1024**3

#: Starting the worker takes seconds on a busy machine, which no document has to answer for.
_START_SECONDS = 60.0


class Parser:
    """Reads documents; use as an async context manager. `read_document` is `feeds.parse.read`."""

    def __init__(
        self,
        *,
        time_limit_seconds: float = TIME_LIMIT_SECONDS,
        read_document: Callable[..., ParsedFeed] = parse.read,
    ) -> None:
        self._time_limit = time_limit_seconds
        self._read_document = read_document
        self._workers: ProcessPoolExecutor | None = None
        # One large document at a time, so that each one's time is its own.
        self._turn = asyncio.Lock()

    async def __aenter__(self) -> "Parser":
        return self

    async def __aexit__(self, *_: object) -> None:
        self._end_workers()

    async def read(
        self,
        body: bytes,
        *,
        url: str,
        content_type: str = "",
        language: str = "",
        met: Collection[Digest] = (),
    ) -> ParsedFeed:
        """See `feeds.parse.read`.

        A document that takes too long is no feed, nor is one that is broken and holds no items; of
        one that breaks off, the item waits that it breaks off in.
        """
        work = functools.partial(
            self._read_document,
            body,
            url=url,
            content_type=content_type,
            language=language,
            met=frozenset(met),
        )
        feed = work() if len(body) <= SMALL_BYTES else await self._elsewhere(work)
        feed = torn.whole_items(feed)
        if ruin := refusal.of_ruin(feed):
            raise ruin
        return feed

    async def extract(
        self, page: bytes, *, url: str, content_type: str, title: str, least: int
    ) -> SafeHtml | None:
        """See `feeds.article.extract`; always elsewhere.

        Raises NotAFeed when it takes too long.
        """
        return await self._elsewhere(
            functools.partial(
                article.extract,
                page,
                url=url,
                content_type=content_type,
                title=title,
                least=least,
            )
        )

    async def _elsewhere(self, work: Callable[[], T]) -> T:
        async with self._turn:
            try:
                return await self._in_worker(work)
            except BrokenExecutor:
                # The worker was ended from outside, perhaps while it was idle: once more.
                self._end_workers()
            try:
                return await self._in_worker(work)
            except BrokenExecutor as error:
                self._end_workers()
                raise NotAFeed("Reading the document ended its worker.", found="xml") from error

    async def _in_worker(self, work: Callable[[], T]) -> T:
        workers = await self._started()
        try:
            async with asyncio.timeout(self._time_limit):
                return await asyncio.get_running_loop().run_in_executor(workers, work)
        except TimeoutError as error:
            self._end_workers()
            raise NotAFeed(
                f"The document could not be read within {self._time_limit:g} s.", found="xml"
            ) from error
        except MemoryError as error:
            self._end_workers()
            raise NotAFeed("Reading the document takes too much memory.", found="xml") from error
        except asyncio.CancelledError:
            self._end_workers()  # whoever comes next must not wait for this document
            raise

    async def _started(self) -> ProcessPoolExecutor:
        """The worker, up and running: only then does a document's time begin."""
        if self._workers is None:
            # spawn: forking a process that has threads may leave locks held for ever
            self._workers = ProcessPoolExecutor(
                1,
                mp_context=multiprocessing.get_context("spawn"),
                initializer=_limit_memory,
            )
            try:
                async with asyncio.timeout(_START_SECONDS):
                    await _ready(self._workers, self._read_document)
            except TimeoutError:
                self._end_workers()
                raise
        return self._workers

    def _end_workers(self) -> None:
        workers, self._workers = self._workers, None
        if workers is None:
            return
        with contextlib.suppress(AttributeError):
            for process in list((workers._processes or {}).values()):  # noqa: SLF001 - no public way
                process.kill()
        workers.shutdown(wait=False, cancel_futures=True)


async def _ready(workers: ProcessPoolExecutor, used: Callable[..., ParsedFeed]) -> None:
    await asyncio.get_running_loop().run_in_executor(workers, _import, used)


def _import(_used: Callable[..., ParsedFeed]) -> None:
    """Runs in the worker, which has imported everything when it has got here."""


def _limit_memory(*_: Any) -> None:
    """In the worker: a document that grows beyond all bounds fails alone (not on Windows)."""
    with contextlib.suppress(ImportError, ValueError, OSError):
        import resource

        resource.setrlimit(resource.RLIMIT_AS, (MEMORY_LIMIT_BYTES, MEMORY_LIMIT_BYTES))
