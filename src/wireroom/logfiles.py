"""The log as files: one a day by the local calendar, the newest kept, the rest thrown away."""

import logging
import sys
from collections.abc import Callable
from contextlib import suppress
from datetime import date
from pathlib import Path
from typing import Final, TextIO

_NAME: Final = "bot-{day}.log"
_NAMES: Final = "bot-[0-9][0-9][0-9][0-9]-[0-9][0-9]-[0-9][0-9].log"


class DailyFiles(logging.Handler):
    """Appends to `folder/bot-YYYY-MM-DD.log`; the first line of a new day opens its file and
    removes all but the newest `kept`.

    Any number of processes may write into one folder. A full disk costs lines, never the program:
    the log on standard error goes on, and says so once for each day.
    """

    def __init__(self, folder: Path, kept: int, today: Callable[[], date] = date.today) -> None:
        super().__init__()
        self._folder = folder
        self._kept = kept
        self._today = today
        self._day: date | None = None
        self._file: TextIO | None = None
        self._complained_on: date | None = None

    def emit(self, record: logging.LogRecord) -> None:
        """Write the line into the file of today; the logging module holds our lock meanwhile."""
        try:
            self._file_of_today().write(f"{self.format(record)}\n")
        except (OSError, ValueError) as error:
            self._complain(error)

    def close(self) -> None:
        """Close the file."""
        self._leave()
        super().close()

    def _file_of_today(self) -> TextIO:
        today = self._today()
        if self._file is None or today != self._day:
            self._leave()
            self._folder.mkdir(parents=True, exist_ok=True)
            path = self._folder / _NAME.format(day=today.isoformat())
            # Line by line, so that whoever follows the file sees each line whole.
            self._file = path.open("a", encoding="utf-8", errors="replace", buffering=1)
            self._day = today
            self._remove_surplus()
        return self._file

    def _remove_surplus(self) -> None:
        for path in sorted(self._folder.glob(_NAMES))[: -self._kept]:
            # Another process of ours may have been faster.
            path.unlink(missing_ok=True)

    def _leave(self) -> None:
        file, self._file = self._file, None
        if file is not None:
            with suppress(OSError):
                file.close()

    def _complain(self, error: Exception) -> None:
        self._leave()
        if self._complained_on != (today := self._today()):
            self._complained_on = today
            print(f"No log is written to {self._folder}: {error}", file=sys.stderr)
