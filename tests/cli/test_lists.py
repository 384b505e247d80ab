"""`wireroom import` and `wireroom export`, run as a person runs them."""

from pathlib import Path

import pytest
from typer.testing import CliRunner

from wireroom.cli import app
from wireroom.errors import UserError

LIST = """<opml version="2.0"><body>
<outline text="News"><outline text="Good" xmlUrl="https://good.example/feed"/></outline>
BAD</body></opml>"""
BAD = '<outline text="Bad" xmlUrl="gopher://old.example/"/>'


@pytest.fixture
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A working directory with an empty Wireroom."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("WIREROOM_DATABASE", f"sqlite:///{tmp_path / 'room.sqlite3'}")
    monkeypatch.setenv("WIREROOM_DATA_DIR", str(tmp_path))
    return tmp_path


def test_what_is_imported_is_exported(home: Path) -> None:
    """A list goes in from a file and comes out to one, folders included."""
    (home / "in.opml").write_text(LIST.replace("BAD", ""))
    taken = CliRunner().invoke(app, ["import", "in.opml"])
    given = CliRunner().invoke(app, ["export", "out.opml"])

    assert (0, "Feeds: 1 newly followed. New folders: 1.\n") == (taken.exit_code, taken.stdout)
    assert (0, "") == (given.exit_code, given.stdout)
    assert 'xmlUrl="https://good.example/feed"' in (home / "out.opml").read_text()
    assert 'text="News"' in (home / "out.opml").read_text()


def test_a_refused_feed_is_named(home: Path) -> None:
    """From standard input, too; the exit code says that not all went well."""
    taken = CliRunner().invoke(app, ["import", "-"], input=LIST.replace("BAD", BAD))
    given = CliRunner().invoke(app, ["export"])

    assert 1 == taken.exit_code
    assert taken.stdout.startswith("gopher://old.example/: ")
    assert taken.stdout.endswith("Feeds: 1 newly followed, 1 refused. New folders: 1.\n")
    assert "good.example" in given.stdout
    assert "old.example" not in given.stdout


def test_another_bots_feeds_are_taken_over(home: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """With its chats, and the second time they are there already; what is refused is named."""
    monkeypatch.setenv("WIREROOM_TELEGRAM_TOKEN", "1:" + "a" * 35)
    table = "url\tchat_id\tlast_entry\nhttps://good.example/feed\t-1001\tguid\n"
    (home / "rssbot.tsv").write_text(table)
    first = CliRunner().invoke(app, ["take-over", "rssbot.tsv"])
    (home / "rssbot.tsv").write_text(table + "gopher://old.example/\t-1001\t\n")
    second = CliRunner().invoke(app, ["take-over", "rssbot.tsv"])

    assert (
        0,
        "Feeds: 1 newly followed, 0 followed already, 0 refused. Routes: 1.\n",
    ) == (first.exit_code, first.stdout)
    assert 1 == second.exit_code
    assert second.stdout.startswith("gopher://old.example/: ")
    assert second.stdout.endswith("0 newly followed, 1 followed already, 1 refused. Routes: 1.\n")


def test_a_place_that_is_none_keeps_its_feed_only(
    home: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Others are taken over; a topic that cannot be read never becomes the chat around it."""
    monkeypatch.setenv("WIREROOM_TELEGRAM_TOKEN", "1:" + "a" * 35)
    (home / "monitorro.csv").write_text(
        "url,chat_id,thread_id,content_hash\n"
        "https://bad.example/feed,-1001,5.0,\nhttps://good.example/feed,-1001,5,\n"
    )
    ran = CliRunner().invoke(app, ["take-over", "monitorro.csv"])

    assert 1 == ran.exit_code
    assert ran.stdout.startswith("https://bad.example/feed: '-1001/5.0' is no chat: ")
    assert ran.stdout.endswith("1 newly followed, 0 followed already, 1 refused. Routes: 1.\n")


def test_files_that_are_not_there(home: Path) -> None:
    """One sentence that names the file."""
    taken = CliRunner().invoke(app, ["import", "missing.opml"])
    given = CliRunner().invoke(app, ["export", "no/such/folder.opml"])

    assert isinstance(taken.exception, UserError)
    assert "missing.opml cannot be read" in str(taken.exception)
    assert isinstance(given.exception, UserError)
    assert "no/such/folder.opml cannot be written" in str(given.exception)
