"""`wireroom refresh`: all lanes side by side, each feed of a lane after the other."""

import asyncio
from collections import defaultdict
from collections.abc import Sequence
from typing import TYPE_CHECKING

from wireroom import subscribing, wiring
from wireroom.errors import UserError
from wireroom.feeds import urls

if TYPE_CHECKING:
    from wireroom.store.following import Followed
    from wireroom.wiring import Room


async def ask_all(room: "Room", followed: "Sequence[Followed]") -> int:
    """Ask for each feed with a progress bar; gives how many did not answer as feeds."""
    from rich.console import Console
    from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn

    lanes: defaultdict[str, list[Followed]] = defaultdict(list)
    for each in followed:
        lanes[urls.lane(each.url)].append(each)
    at_once = asyncio.Semaphore(wiring.manners(room.settings).concurrency)
    failed = 0
    console = Console()
    columns = (TextColumn("{task.description}"), BarColumn(), MofNCompleteColumn())
    with Progress(*columns, console=console, transient=True) as progress:
        bar = progress.add_task("Asking", total=len(followed))

        async def ask(lane: "list[Followed]") -> None:
            nonlocal failed
            async with at_once:
                for number, each in enumerate(lane):
                    if number:
                        await asyncio.sleep(room.settings.fetch_spacing.total_seconds())
                    ok, words = await _ask(room, each)
                    failed += not ok
                    console.print(
                        f"{each.title}: {words}", markup=False, highlight=False, soft_wrap=True
                    )
                    progress.advance(bar)

        await asyncio.gather(*(ask(lane) for lane in lanes.values()))
    return failed


async def _ask(room: "Room", followed: "Followed") -> tuple[bool, str]:
    try:
        finished = await subscribing.refresh_now(room.polling, followed.feed_id, owner=room.owner)
    except UserError as error:
        return False, str(error)
    if not finished.succeeded:
        return False, finished.error or finished.outcome
    new = len(finished.reading.changes.new) if finished.reading else 0
    changed = len(finished.reading.changes.changed) if finished.reading else 0
    words = f"{new} new" if new else "nothing new"
    return True, words + (f", {changed} edited" if changed else "")
