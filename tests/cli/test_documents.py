"""`wireroom parse` on documents that nobody trusts."""

import json
from pathlib import Path

from typer.testing import CliRunner

from wireroom.cli import app


def test_no_publisher_steers_the_terminal(tmp_path: Path) -> None:
    """Escape sequences in identifiers, which we keep as they are, are shown and not obeyed."""
    steering = "id\x1b]0;owned\x07\x9b31m"
    version = "https://jsonfeed.org/version/1.1"
    feed = {"version": version, "title": steering, "items": [{"id": steering, "title": "t"}]}
    file = tmp_path / "feed.json"
    file.write_text(json.dumps(feed))
    answer = CliRunner().invoke(app, ["parse", str(file)])

    assert 0 == answer.exit_code, answer.output
    assert [] == [each for each in answer.output if not each.isprintable() and each != "\n"]


_ITEM = "<item><guid>{0}</guid><title>{0}</title><description>{1}</description></item>"


def _feed(path: Path, *items: str) -> str:
    path.write_text(f"<rss><channel><title>t</title>{''.join(items)}</channel></rss>")
    return str(path)


def test_two_versions_are_compared(tmp_path: Path) -> None:
    """`--diff` takes the earlier version and says of each item what became of it."""
    earlier = _feed(tmp_path / "1.xml", _ITEM.format("one", "a"), _ITEM.format("two", "b"))
    later = _feed(tmp_path / "2.xml", _ITEM.format("three", "d"), _ITEM.format("one", "c"))
    table = CliRunner().invoke(app, ["parse", "--diff", earlier, later])
    answer = CliRunner().invoke(app, ["parse", "--diff", earlier, later, "--json"])
    verdicts = {
        each["item"]["title"]: each["verdict"] for each in json.loads(answer.output)["items"]
    }

    assert 0 == table.exit_code, table.output
    assert "1 new, 1 changed, 1 gone" in table.output
    assert {"three": "new", "one": "changed", "two": "gone"} == verdicts


def test_details_name_origins_keys_and_removals(tmp_path: Path) -> None:
    """`--details` explains each item, in a table and as JSON."""
    file = _feed(tmp_path / "1.xml", _ITEM.format("one", "&lt;font&gt;x&lt;/font&gt;"))
    table = CliRunner().invoke(app, ["parse", file, "--details"])
    answer = CliRunner().invoke(app, ["parse", file, "--details", "--json"])
    (detail,) = json.loads(answer.output)["details"]

    assert 0 == table.exit_code, table.output
    assert "taken out: <font>, its text stays" in table.output
    assert ["description"] == detail["origins"]["summary"]
    assert "guid" == detail["keys"][0]["trait"]


def _told(*arguments: str, text: str | None = None) -> str:
    answer = CliRunner().invoke(app, ["parse", *arguments], input=text)
    return " ".join((answer.output or str(answer.exception)).split())


def test_a_date_that_cannot_be_read_is_named(tmp_path: Path) -> None:
    """As an element of no use, with its text and its capitals."""
    file = _feed(tmp_path / "1.xml", "<item><title>a</title><pubDate>31 Foo 2026</pubDate></item>")

    assert "not used: pubDate: 31 Foo 2026" in _told(file, "--details")


def test_a_change_shows_both_values(tmp_path: Path) -> None:
    """From shortly before where they differ."""
    earlier = _feed(tmp_path / "1.xml", _ITEM.format("one", "x" * 200 + " early"))
    later = _feed(tmp_path / "2.xml", _ITEM.format("one", "x" * 200 + " late"))

    told = _told(later, "--diff", earlier)
    assert f"- summary: …{'x' * 23} early" in told
    assert f"+ summary: …{'x' * 23} late" in told


def test_the_encoding_is_told_with_its_reason(tmp_path: Path) -> None:
    """And with what the document claims, where that is another one."""
    file = tmp_path / "1.xml"
    start = "<?xml version='1.0' encoding='windows-1252'?>"
    file.write_text(start + Path(_feed(file, _ITEM.format("é", "ü"))).read_text())

    told = _told(str(file))
    assert "encoding utf-8: all of it is valid UTF-8" in told
    assert "declared as windows-1252" in told


def test_a_page_that_is_no_feed_names_the_feeds_that_it_has() -> None:
    """Whoever debugs the wrong address sees the right one."""
    page = "<html><link rel=alternate type=application/rss+xml title=Posts href=/f>"

    told = _told("-", "--url", "https://x.example/", text=page)
    assert told.endswith("is a web page, not a feed. It names: https://x.example/f Posts")


def test_a_document_that_polling_refuses_is_still_taken_apart(tmp_path: Path) -> None:
    """What can be read of it is shown, and that polling counts it as a failure."""
    broken = tmp_path / "broken.xml"
    broken.write_text("<rss version='2.0'><channel><title>Half</title>")

    told = _told(str(broken))

    assert "Half" in told
    assert "a failure: broken, and without items" in told


def test_a_document_that_breaks_off_says_what_waits(tmp_path: Path) -> None:
    """All that can be read is shown, and that polling does without the half item."""
    broken = tmp_path / "broken.xml"
    broken.write_text("<rss><channel><item><guid>1</guid><title>A</title></item><item><title>Hal")

    told = _told(str(broken))

    assert "Hal" in told
    assert "without the last item, until all of it is there" in told
