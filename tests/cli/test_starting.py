"""What a command loads before it answers: people wait for it at each call."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

from wireroom import records
from wireroom.settings import Settings

_SOURCE = Path(__file__).resolve().parents[2] / "src"

#: Each takes a tenth of a second or more, or much memory; none has to do with these commands.
_HEAVY = {
    "aiohttp",
    "alembic",
    "apprise",
    "argon2",
    "cryptography",
    "discord",
    "httpx",
    "litestar",
    "psycopg",
    "telegram",
    "trafilatura",
    "uvicorn",
    "wireroom.channels",
    "wireroom.delivery",
    "wireroom.fetching",
    "wireroom.polling",
    "wireroom.web",
    "wireroom.wiring",
}
_DATABASE = {"asyncio", "sqlalchemy", "structlog", "wireroom.store"}

#: The program itself; what it has loaded at its end goes to standard error.
_PROGRAM = """
import atexit, sys
atexit.register(lambda: sys.stderr.write("\\n".join(sys.modules)))
from wireroom.__main__ import main
main()
"""


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """An installation that has been started before, and a document."""
    made = tmp_path_factory.mktemp("installation")
    records.open_database(Settings(data_dir=made)).close()
    (made / "feed.xml").write_text("<rss><channel><title>Harbour</title></channel></rss>")
    return made


@pytest.mark.parametrize(
    ("arguments", "printed", "unneeded"),
    [
        pytest.param(["--version"], "wireroom ", _HEAVY | _DATABASE | {"lxml"}, id="version"),
        pytest.param(["parse", "feed.xml"], "Harbour", _HEAVY | _DATABASE, id="parse"),
        pytest.param(["feeds"], "You follow no feeds yet", _HEAVY | {"lxml"}, id="feeds"),
        pytest.param(["items"], "No items yet", _HEAVY | {"lxml"}, id="items"),
    ],
)
def test_commands_load_only_what_they_need(
    folder: Path, arguments: list[str], printed: str, unneeded: set[str]
) -> None:
    """Who asks for a list does not wait for bots, network and web reader to be loaded."""
    environment = {"PATH": os.environ["PATH"], "PYTHONPATH": str(_SOURCE)}
    environment |= {"WIREROOM_DATA_DIR": str(folder), "COLUMNS": "200"}

    ran = subprocess.run(
        [sys.executable, "-c", _PROGRAM, *arguments],
        cwd=folder,
        env=environment,
        capture_output=True,
        text=True,
        timeout=60,
        check=False,
    )

    assert 0 == ran.returncode, ran.stderr
    assert printed in ran.stdout
    assert set() == unneeded & set(ran.stderr.split())
