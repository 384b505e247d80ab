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
