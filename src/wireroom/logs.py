"""Logging: one line for each thing that happened, for people or for machines, free of secrets.

Redaction works on the finished line, tracebacks included, so that no library can slip a token past
it: HTTP libraries put whole URLs into their exceptions.
"""

import logging
import re
import sys
from pathlib import Path
from typing import Any

import structlog

from wireroom.logfiles import DailyFiles

_HIDDEN = "[secret]"
#: What must never be written, wherever it comes from (security rules, "Tokens and secrets").
_SECRETS = (
    (re.compile(r"bot\d+:[A-Za-z0-9_-]{20,}"), f"bot{_HIDDEN}"),
    (re.compile(r"(/(?:webhooks|interactions)/\d+/)[\w-]+"), rf"\1{_HIDDEN}"),
    # Paths of ours whose last part is the proof: published feeds, entries in full, hubs' calls.
    (re.compile(r"(/out/|/websub/|/text/\d+/\d+/)[\w-]{16,}"), rf"\1{_HIDDEN}"),
    (
        re.compile(r"(?i)(authorization['\"]?\s*[:=]\s*['\"]?(?:\w+\s+)?)[^\s'\",}]+"),
        rf"\1{_HIDDEN}",
    ),
    (
        re.compile(r"(?i)((?:api_key|apikey|token|passwd|password|secret)=)[^\s&'\"]+"),
        rf"\1{_HIDDEN}",
    ),
    (re.compile(r"(?i)((?:set-)?cookie['\"]?\s*[:=]\s*['\"]?)[^\s'\"]+"), rf"\1{_HIDDEN}"),
    (re.compile(r"(://)[^/\s@'\"]+:[^/\s@'\"]+@"), rf"\1{_HIDDEN}@"),
)
_LINE_BREAKS = str.maketrans(
    {"\r": "\\r", "\x1b": "\\x1b", "\u2028": "\\u2028", "\u2029": "\\u2029"}
)


def redacted(text: str) -> str:
    """The text without anything that looks like a secret, and without tricks for terminals."""
    for pattern, replacement in _SECRETS:
        text = pattern.sub(replacement, text)
    return text


class _Redacting(structlog.stdlib.ProcessorFormatter):
    def format(self, record: logging.LogRecord) -> str:
        return redacted(super().format(record))


def configure(level: str, style: str, *, folder: Path | None = None, kept: int = 7) -> None:
    """Send everything to standard error in this style, console or json; and into a `folder`, one
    file a day of which the newest `kept` stay.
    """
    shared: list[Any] = [
        structlog.contextvars.merge_contextvars,
        structlog.stdlib.add_logger_name,
        structlog.stdlib.add_log_level,
        structlog.processors.TimeStamper(fmt="iso", utc=True),
        _without_nothing,
        _one_line_values,
    ]
    structlog.configure(
        processors=[
            structlog.stdlib.filter_by_level,
            *shared,
            structlog.stdlib.ProcessorFormatter.wrap_for_formatter,
        ],
        logger_factory=structlog.stdlib.LoggerFactory(),
        wrapper_class=structlog.stdlib.BoundLogger,
        cache_logger_on_first_use=True,
    )
    screen = logging.StreamHandler()
    screen.setFormatter(_formatter(style, shared, colors=sys.stderr.isatty()))
    root = logging.getLogger()
    root.handlers = [screen]
    if folder is not None:
        files = DailyFiles(folder, kept)
        files.setFormatter(_formatter(style, shared, colors=False))
        root.addHandler(files)
    root.setLevel(level.upper())
    for chatty in (
        "httpx",
        "httpcore",
        "alembic",
        "aiohttp.access",
        "discord.client",
        "telegram",
        "uvicorn",
    ):
        logging.getLogger(chatty).setLevel(logging.WARNING)


def _formatter(style: str, shared: list[Any], *, colors: bool) -> logging.Formatter:
    last: list[Any] = [structlog.stdlib.ProcessorFormatter.remove_processors_meta]
    if style == "json":
        last += [structlog.processors.format_exc_info, structlog.processors.JSONRenderer()]
    else:
        # Not rich's tracebacks: they print local variables, and break secrets over two lines.
        plain = structlog.dev.plain_traceback
        last.append(structlog.dev.ConsoleRenderer(colors=colors, exception_formatter=plain))
    return _Redacting(foreign_pre_chain=shared, processors=last)


def _without_nothing(_: Any, __: str, event: dict[str, Any]) -> dict[str, Any]:
    return {name: value for name, value in event.items() if value is not None}


def _one_line_values(_: Any, __: str, event: dict[str, Any]) -> dict[str, Any]:
    """A title with a line break must not look like a second line of the log."""
    return {
        name: value.translate(_LINE_BREAKS).replace("\n", "\\n")
        if isinstance(value, str) and name != "exception"
        else value
        for name, value in event.items()
    }
