"""No secret reaches a log, whichever way it tries."""

import json
import logging
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
import structlog

from wireroom import logs

#: Made for these tests; each is what the platform's real ones look like.
BOT_TOKEN = "123456789:AAcanaryTelegram-Token_0123456789abc"
WEBHOOK_TOKEN = "canaryDiscordWebhookToken-0123456789_abcdefghijklmnopqrstuvwxyz"

_CASES = [
    pytest.param(
        f"POST https://api.telegram.org/bot{BOT_TOKEN}/sendMessage failed",
        BOT_TOKEN,
        "/sendMessage failed",
        id="bot token in a URL",
    ),
    pytest.param(
        f"https://discord.com/api/webhooks/42/{WEBHOOK_TOKEN}?wait=true",
        WEBHOOK_TOKEN,
        "/webhooks/42/",
        id="webhook token in a URL",
    ),
    pytest.param(
        "POST https://discord.com/api/v10/interactions/42/aW50ZXJhY3Rpb246/callback",
        "aW50ZXJhY3Rpb246",
        "/interactions/42/",
        id="interaction token in a URL",
    ),
    pytest.param(
        "headers: {'Authorization': 'Basic Y2FuYXJ5OmNhbmFyeQ=='}",
        "Y2FuYXJ5OmNhbmFyeQ==",
        "headers",
        id="authorization in a repr",
    ),
    pytest.param(
        "authorization: Bearer canary.bearer.token",
        "canary.bearer.token",
        "authorization",
        id="bearer",
    ),
    pytest.param(
        "GET https://feeds.example/rss?format=xml&token=canary-in-query&page=2",
        "canary-in-query",
        "page=2",
        id="token in a query",
    ),
    pytest.param(
        "GET https://feeds.example/rss?api_key=canary-key", "canary-key", "api_key", id="API key"
    ),
    pytest.param(
        "a page failed path=/out/canaryPublished_feed-0123.atom",
        "canaryPublished_feed-0123",
        ".atom",
        id="published feed",
    ),
    pytest.param(
        "a page failed path=/text/3/14/0123456789abcdef0123456789abcdef",
        "0123456789abcdef",
        "/text/3/14/",
        id="signed entry",
    ),
    pytest.param(
        "Set-Cookie: session=canary-cookie; HttpOnly", "canary-cookie", "Cookie", id="cookie"
    ),
    pytest.param(
        "https://reader:canary-password@feeds.example/private.xml",
        "canary-password",
        "feeds.example/private.xml",
        id="credentials in an address",
    ),
    pytest.param(
        "postgresql+psycopg://wire:canary-db@db.example/wire",
        "canary-db",
        "db.example/wire",
        id="password of the database",
    ),
]


class _Standing(Exception):
    """Raised by the tests with a secret in its words."""


def _message(text: str) -> None:
    structlog.get_logger("wireroom.test").info(text)


def _value(text: str) -> None:
    structlog.get_logger("wireroom.test").info("asked", url=text)


def _nested_value(text: str) -> None:
    structlog.get_logger("wireroom.test").info("asked", request={"lines": [text]})


def _library_message(text: str) -> None:
    logging.getLogger("some.library").warning("trouble with %s", text)


def _fail(text: str) -> None:
    raise _Standing(text)


def _traceback(text: str) -> None:
    try:
        _fail(text)
    except _Standing:
        structlog.get_logger("wireroom.test").exception("turn ended early")


def _library_traceback(text: str) -> None:
    try:
        _fail(text)
    except _Standing:
        logging.getLogger("some.library").exception("unexpected")


def _fail_and_wrap(text: str) -> None:
    try:
        _fail(text)
    except _Standing as cause:
        raise ValueError("wrapped") from cause


def _chained_traceback(text: str) -> None:
    try:
        _fail_and_wrap(text)
    except ValueError:
        structlog.get_logger("wireroom.test").exception("turn ended early")


def _warning(text: str) -> None:
    logging.getLogger("asyncio").error("Task exception was never retrieved: %r", _Standing(text))


_WAYS = [
    _message,
    _value,
    _nested_value,
    _library_message,
    _traceback,
    _library_traceback,
    _chained_traceback,
    _warning,
]


@pytest.fixture(autouse=True)
def _as_before() -> Iterator[None]:
    """Give the process its logging back."""
    root = logging.getLogger()
    handlers, level = list(root.handlers), root.level
    yield
    for added in set(root.handlers) - set(handlers):
        added.close()
    root.handlers, root.level = handlers, level
    structlog.reset_defaults()


def configure(style: str) -> None:
    """Set logging up afresh, so that loggers of earlier tests are not reused."""
    structlog.reset_defaults()
    logs.configure("DEBUG", style)
    structlog.configure(cache_logger_on_first_use=False)


@pytest.mark.parametrize("style", ["console", "json"])
@pytest.mark.parametrize("way", _WAYS, ids=lambda way: way.__name__.strip("_"))
@pytest.mark.parametrize(("text", "secret", "kept"), _CASES)
def test_no_way_leads_a_secret_into_the_log(
    capsys: pytest.CaptureFixture[str],
    style: str,
    way: Callable[[str], None],
    text: str,
    secret: str,
    kept: str,
) -> None:
    """Messages, values, libraries and tracebacks: the secret is gone, what helps is left."""
    configure(style)
    way(text)
    written = capsys.readouterr().err

    assert secret not in written
    assert kept in written
    assert "[secret]" in written


@pytest.mark.parametrize("style", ["console", "json"])
def test_tracebacks_show_no_local_variables(
    capsys: pytest.CaptureFixture[str], style: str
) -> None:
    """A password in a variable looks like any word: only frames and errors are written."""
    configure(style)
    word = "horse, " * 4
    try:
        _fail(f"{len(word)} characters")
    except _Standing:
        structlog.get_logger("wireroom.test").exception("turn ended early")
    written = capsys.readouterr().err

    assert word not in written
    assert "28 characters" in written


@pytest.mark.parametrize("style", ["console", "json"])
def test_a_title_with_line_breaks_stays_one_line(
    capsys: pytest.CaptureFixture[str], style: str
) -> None:
    """A publisher cannot write lines of our log, nor colour them."""
    configure(style)
    title = "News\r\n2026-11-30 [info] all is well\x1b[31m\u2028more"
    structlog.get_logger("wireroom.test").info("polled", title=title)
    written = capsys.readouterr().err

    assert 1 == len(written.splitlines())
    assert "\x1b[31m" not in written


def test_json_lines_are_json(capsys: pytest.CaptureFixture[str]) -> None:
    """One object a line, redaction included; nothing that is None."""
    configure("json")
    structlog.get_logger("wireroom.test").info(
        "polled", url=f"https://x/bot{BOT_TOKEN}/", why=None
    )
    written = json.loads(capsys.readouterr().err)

    assert "polled" == written["event"]
    assert "https://x/bot[secret]/" == written["url"]
    assert ("info", "wireroom.test") == (written["level"], written["logger"])
    assert "why" not in written


def test_the_level_holds_for_libraries_too(capsys: pytest.CaptureFixture[str]) -> None:
    """What is below the level is not written; libraries that log each request are kept quiet."""
    configure("json")
    logging.getLogger("httpx").info("HTTP Request: POST https://api.telegram.org/")
    logs.configure("error", "json")
    structlog.get_logger("wireroom.test").warning("not loud enough")

    assert "" == capsys.readouterr().err


def test_plain_words_stay_as_they_are() -> None:
    """What is no secret is not touched."""
    text = "feed 17 polled: 3 new, next in 30 min (tokens: 5, https://a.example/b@c)"

    assert text == logs.redacted(text)


def test_nothing_goes_to_standard_output(capsys: pytest.CaptureFixture[str]) -> None:
    """Standard output belongs to what a command prints."""
    configure("console")
    structlog.get_logger("wireroom.test").info("polled")
    captured = capsys.readouterr()

    assert "" == captured.out
    assert "polled" in captured.err


def test_files_hold_what_the_screen_shows(
    capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    """The same lines, and no secret in them either."""
    logs.configure("INFO", "json", folder=tmp_path)
    structlog.configure(cache_logger_on_first_use=False)
    structlog.get_logger("wireroom.test").info("polled", url=f"https://x/bot{BOT_TOKEN}/")
    (file,) = tmp_path.iterdir()

    assert capsys.readouterr().err == file.read_text()
    assert BOT_TOKEN not in file.read_text()
