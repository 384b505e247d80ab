"""What polling works with, handed from the wiring to whoever asks a feed."""

from collections.abc import Awaitable, Callable
from dataclasses import dataclass, field
from datetime import datetime, timedelta

from wireroom.errors import SettingsError
from wireroom.feeds.model import ParsedFeed
from wireroom.fetching import access
from wireroom.fetching.access import NONE, Access
from wireroom.fetching.client import Client
from wireroom.meters import Meters
from wireroom.polling.lanes import Lanes
from wireroom.polling.policies import Policy
from wireroom.store.engine import Database
from wireroom.store.feed_to_poll import FeedToPoll
from wireroom.store.vault import Vault

#: Reads a document: (body, url, content_type, language, met) to a feed, or raises NotAFeed.
Read = Callable[..., Awaitable[ParsedFeed]]


@dataclass(frozen=True, slots=True)
class Pace:
    """How wide and how tight the polling loop runs."""

    concurrency: int = 32
    #: Longest pause between two looks for what is due.
    tick: timedelta = timedelta(seconds=30)
    #: Least time between two requests to one host.
    spacing: timedelta = timedelta(seconds=1)

    @property
    def several(self) -> int:
        """How many results make a commit worth while: most of those that are under way."""
        return max(self.concurrency * 3 // 4, 1)


def _no_vault() -> Vault:
    raise SettingsError("A feed with credentials needs the vault, and there is none here.")


@dataclass(slots=True)
class Polling:
    """What polling needs: where things are kept, how to dial and read, policy and clock.

    `policy`, `pace` and `verbatim` may be replaced at any time: whoever decides by them reads them
    once for each decision.
    """

    database: Database
    client: Client
    read: Read
    policy: Policy
    now: Callable[[], datetime]
    random: Callable[[], float]
    #: Opens what feeds need besides their address.
    vault: Callable[[], Vault] = _no_vault
    #: Both validators go back as they came, instead of the strong ETag alone.
    verbatim: bool = False
    pace: Pace = Pace()
    meters: Meters = field(default_factory=Meters)

    def access(self, feed: FeedToPoll) -> Access:
        """What the feed needs besides its address. Raises SettingsError for another vault's."""
        if feed.sealed_access is None:
            return NONE
        return access.loads(self.vault().open(feed.sealed_access))

    @property
    def lanes(self) -> Lanes:
        """Leases, by the same clock."""
        return Lanes(self.database, self.now)
