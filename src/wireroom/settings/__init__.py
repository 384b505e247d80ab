"""What an operator may set, where it comes from, and what is wrong with it.

`model` has all settings with their defaults; `reading` makes them of `sources` (environment and
`.env`) and `values` (what a text means), and `checks` what no kind tells. `docs/settings.md` lists
them all; a test holds the two together.
"""

from wireroom.settings.listing import described, is_secret
from wireroom.settings.model import Settings
from wireroom.settings.reading import read
from wireroom.settings.values import duration, time_and_zone

__all__ = ["Settings", "described", "duration", "is_secret", "read", "time_and_zone"]
