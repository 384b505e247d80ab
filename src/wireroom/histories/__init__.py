"""What other systems knew: their feeds, where and how news of each went, what was announced.

Two kinds of files are read. The SQLite database of a Discord bot ("rss.sqlite3") is taken as it
is (`discord_bot`). Of the Telegram bots, whose databases are servers, it is a table with a header,
separated by commas or tabs (`tables`).
"""

import csv
import sqlite3
from pathlib import Path

from wireroom.errors import UserError
from wireroom.histories import discord_bot, tables
from wireroom.histories.past import History, Past, There

__all__ = ["History", "Past", "There", "read"]

_SQLITE = b"SQLite format 3\0"


def read(path: Path) -> History:
    """What a file holds. Raises UserError."""
    try:
        with path.open("rb") as file:
            is_database = file.read(len(_SQLITE)) == _SQLITE
        return discord_bot.read(path) if is_database else tables.read(path)
    except OSError as error:
        raise UserError(f"{path} cannot be read: {error.strerror or error}.") from error
    except (sqlite3.Error, csv.Error, UnicodeDecodeError) as error:
        raise UserError(f"{path} cannot be understood: {error}.") from error
    except IndexError as error:  # of a sqlite3.Row
        raise UserError(f"{path} is no database of the Discord bot: it lacks columns.") from error
