"""The log as files: one a day, the newest kept, and never a reason to fall."""

import logging
import os
from datetime import date
from pathlib import Path

import pytest

from wireroom.logfiles import DailyFiles


class Calendar:
    """A date that a test turns."""

    def __init__(self, today: date) -> None:
        self.today = today

    def __call__(self) -> date:
        return self.today


def _line(text: str) -> logging.LogRecord:
    return logging.LogRecord("wireroom.test", logging.INFO, __file__, 1, text, None, None)


def test_the_active_file_carries_todays_date(tmp_path: Path) -> None:
    """LOG-01: each line is in the file of its day, at once and whole; the folder is made."""
    calendar = Calendar(date(2026, 11, 30))
    files = DailyFiles(tmp_path / "logs", 7, calendar)
    files.handle(_line("polled"))
    calendar.today = date(2026, 12, 1)
    files.handle(_line("polled again"))

    written = {path.name: path.read_text() for path in (tmp_path / "logs").iterdir()}
    assert {
        "bot-2026-11-30.log": "polled\n",
        "bot-2026-12-01.log": "polled again\n",
    } == written
    files.close()


def test_a_restart_goes_on_in_the_file(tmp_path: Path) -> None:
    """What was written before is kept."""
    for text in ("before", "after"):
        files = DailyFiles(tmp_path, 7, Calendar(date(2026, 12, 1)))
        files.handle(_line(text))
        files.close()

    assert "before\nafter\n" == (tmp_path / "bot-2026-12-01.log").read_text()


def test_the_newest_files_are_kept(tmp_path: Path) -> None:
    """LOG-02: a new day removes all but the newest so many, and touches no other file."""
    for day in range(1, 6):
        (tmp_path / f"bot-2026-11-0{day}.log").write_text("old\n")
    others = {"bot-notes.log", "bot-2026-11-01.log.gz", "nginx-2026-11-01.log"}
    for name in others:
        (tmp_path / name).write_text("not ours\n")
    files = DailyFiles(tmp_path, 3, Calendar(date(2026, 11, 6)))
    files.handle(_line("new"))
    files.close()

    ours = {"bot-2026-11-04.log", "bot-2026-11-05.log", "bot-2026-11-06.log"}
    assert ours | others == {path.name for path in tmp_path.iterdir()}


def test_a_folder_that_cannot_be_written_costs_lines_only(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """One sentence a day on standard error, no traceback; when it works again it is used."""
    folder = tmp_path / "logs"
    folder.write_text("a file stands where the folder should be")
    files = DailyFiles(folder, 7, Calendar(date(2026, 12, 1)))
    files.handle(_line("lost"))
    files.handle(_line("lost too"))
    told = capsys.readouterr().err.splitlines()
    folder.unlink()
    files.handle(_line("kept"))
    files.close()

    assert 1 == len(told)
    assert told[0].startswith(f"No log is written to {folder}: ")
    assert "kept\n" == (folder / "bot-2026-12-01.log").read_text()


def test_two_processes_may_write_one_file(tmp_path: Path) -> None:
    """Lines are appended, so none overwrites another's."""
    first, second = (DailyFiles(tmp_path, 7, Calendar(date(2026, 12, 1))) for _ in range(2))
    for number in range(3):
        first.handle(_line(f"first {number}"))
        second.handle(_line(f"second {number}"))
    first.close()
    second.close()

    lines = (tmp_path / "bot-2026-12-01.log").read_text().split(os.linesep)
    assert ["first 0", "second 0", "first 1", "second 1", "first 2", "second 2", ""] == lines
