"""Everything Wireroom raises, on one page.

::

    WireroomError
    ├── UserError                what somebody asked for cannot be done; the sentence says why and
    what to do
    │   ├── InvalidURL           the address is not one that Wireroom would ever dial
    │   ├── FeedUnavailable      the address was dialled and no feed came back
    │   ├── NotFound             no such thing, or not yours: the two are never told apart
    │   ├── Conflict             it exists already, or changed meanwhile
    │   └── NotAllowed           known caller, insufficient rights; or the login is wrong
    ├── SettingsError            the operator's configuration cannot work; stops the start
    ├── StoreError               the database refused
    │   ├── StoreUnavailable     try again later: locked, full, restarting, unreachable
    │   ├── StoreCorrupt         give up: the file is damaged; the sentence names the way out
    │   └── StoreTooNew          give up: written by a newer Wireroom
    ├── LeaseLost                our claim expired and somebody else works there now; drop the work
    └── NotAFeed                 a document was read and is no feed (see its `found`)

Outcomes that a caller plans for are values, not exceptions: see `fetching.outcome` for HTTP
and `delivery.channel` for messages.
"""

import functools
from collections.abc import Callable
from typing import Literal


class WireroomError(Exception):
    """Root of the tree; `str(error)` is one sentence fit to be shown, free of secrets."""


class UserError(WireroomError):
    """What somebody asked for cannot be done.

    `code` is the stable machine-readable name that APIs return beside the sentence.
    """

    code = "invalid_request"

    def __init__(self, sentence: str, *, code: str | None = None) -> None:
        super().__init__(sentence)
        if code is not None:
            self.code = code


class InvalidURL(UserError):
    """The address is not one that Wireroom would ever dial: scheme, host, port or characters."""

    code = "invalid_url"


class FeedUnavailable(UserError):
    """The address was dialled and no feed came back; the sentence says what did."""

    code = "unreachable"


class NotFound(UserError):
    """No such thing, or not yours: both get this same answer."""

    code = "not_found"


class Conflict(UserError):
    """It exists already, or changed while you looked."""

    code = "conflict"


class NotAllowed(UserError):
    """The caller is known and may not do this, or the login is wrong."""

    code = "not_allowed"


class SettingsError(WireroomError):
    """The operator's configuration cannot work; raised at start, before anything is touched."""


class StoreError(WireroomError):
    """The database refused; the driver's error is chained as the cause."""


class StoreUnavailable(StoreError):
    """Locked, full, restarting or unreachable: the same statement may succeed later."""


class StoreCorrupt(StoreError):
    """The database file is damaged; the sentence names the way out."""


class StoreTooNew(StoreError):
    """The database was migrated by a newer Wireroom; downgrades are refused."""


class LeaseLost(WireroomError):
    """Our claim expired and somebody else may work there now; the work must be dropped."""


#: What a document is when it is no feed.
Found = Literal["empty", "html", "bot_wall", "json", "xml", "text", "binary"]


class NotAFeed(WireroomError):
    """A document was read and is no feed; `found` says what it is instead."""

    def __init__(self, sentence: str, *, found: Found) -> None:
        super().__init__(sentence)
        self.found = found

    def __reduce__(self) -> tuple[Callable[..., "NotAFeed"], tuple[str]]:
        # Documents are read in worker processes, too, and errors must find the way back.
        return functools.partial(NotAFeed, found=self.found), (str(self),)
