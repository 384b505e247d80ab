"""The command line as a whole."""

from typer.testing import CliRunner

from wireroom import __version__
from wireroom.cli import app


def test_version() -> None:
    """A bug report can say which Wireroom it is about."""
    result = CliRunner().invoke(app, ["--version"])

    assert (0, f"wireroom {__version__}\n") == (result.exit_code, result.output)


def test_without_a_command_the_help_is_shown() -> None:
    """Somebody who types only the name learns how to start it."""
    result = CliRunner().invoke(app, [])

    assert "Start it with wireroom run" in result.output
