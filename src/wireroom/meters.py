"""What this process has done since it started: counted where it happens, read by whoever watches.

Plain counts, since every poll makes some; `web.metrics` turns them into what monitors read.
"""

from collections import Counter
from dataclasses import dataclass, field


@dataclass(slots=True)
class Meters:
    """Counts that only grow; a restart begins at nought."""

    #: By what became of them: news, unchanged, not_modified, failed, throttled, gone, postponed.
    polls: Counter[str] = field(default_factory=Counter)
    new_items: int = 0
    changed_items: int = 0
    #: Of documents, as unpacked.
    fetched_bytes: int = 0
    lanes: int = 0
    #: By channel and by what became of them: sent, skipped, refused, edited and other errands.
    messages: Counter[tuple[str, str]] = field(default_factory=Counter)

    def message(self, channel: str, outcome: str, count: int = 1) -> None:
        """So many messages of a channel ended so."""
        self.messages[channel, outcome] += count
