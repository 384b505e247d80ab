"""What the pages need from the rest of the program, handed in by whoever builds them."""

from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any, Protocol

from litestar import Request

from wireroom.accounts.joining import Registration
from wireroom.accounts.sign_on import SignOn
from wireroom.feeds.limits import MAX_ITEMS
from wireroom.fetching.access import Access
from wireroom.fetching.request import FetchLimits
from wireroom.pictures.addresses import Addresses
from wireroom.routing import Posting
from wireroom.store.bell import Bell
from wireroom.store.engine import Database
from wireroom.store.places import Place
from wireroom.store.vault import Vault
from wireroom.subscribing import Choice
from wireroom.throttle import Throttle
from wireroom.waking.devices import Waking
from wireroom.watching import Listeners


class Subscribed(Protocol):
    """What subscribing came to; `existing`: the account followed this feed already."""

    @property
    def subscription_id(self) -> int: ...
    @property
    def feed_id(self) -> int: ...
    @property
    def title(self) -> str: ...
    @property
    def existing(self) -> bool: ...


#: (account, typed address, folder) -> what came of it. Raises UserError with the sentence to show.
#: A page with several feeds gives a choice, and nothing is followed.
Subscribe = Callable[[int, str, int | None], Awaitable[Subscribed | Choice]]
#: (account, subscription). Raises NotFound.
Unsubscribe = Callable[[int, int], Awaitable[object]]
#: (account, feed or None for all it follows): poll soon. Raises NotFound.
Refresh = Callable[[int, int | None], Awaitable[object]]
#: (account, subscription, way): ask the feed so; gives the subscription that this holds for.
#: Raises UserError.
Unlock = Callable[[int, int, Access], Awaitable[int]]
#: (account, subscription, place as typed, newest entries to begin with, whether an operator asks):
#: send a feed there; gives what has to be told once. Raises UserError, NotAllowed, NotFound.
SendTo = Callable[[int, int, str, int, bool], Awaitable[str]]
#: (account, place, template): send a sample in it, and set it once that was taken. Raises
#: UserError.
SetTemplate = Callable[[int, Place, str], Awaitable[object]]
#: (account, place, wishes changed): how its newest entry would be posted. Raises UserError.
ShowPosting = Callable[[int, Place, Mapping[str, Any]], Awaitable[Posting | None]]
#: The time, aware and in UTC.
Now = Callable[[], datetime]


@dataclass(frozen=True, slots=True)
class Settings:
    """What the operator says about the web side."""

    #: Where browsers find us, such as https://reader.example.org. https makes cookies Secure.
    base_url: str = "http://127.0.0.1:8080"
    #: Host names answered to besides the one of `base_url` and loopback's; "*" answers to any.
    allowed_hosts: tuple[str, ...] = ()
    #: Asked for on the first visit; None where only this machine can visit.
    setup_code: str | None = None
    #: Addresses or networks of proxies whose X-Forwarded-For is believed.
    trusted_proxies: tuple[str, ...] = ()
    #: Who may get an account without an operator's doing.
    registration: Registration = "invited"
    #: The header in which a reverse proxy names who is logged in, and where it may come from.
    login_header: str = ""
    login_header_from: tuple[str, ...] = ()
    #: For the public page about our polling.
    user_agent: str = "Wireroom/0.1"
    contact: str = ""
    #: How often feeds are asked, in words for publishers.
    shortest_poll: str = "5 min"
    longest_poll: str = "6 h"
    #: The limits of a fetch, and where requests come from, in words for publishers.
    largest_feed: str = "5 MB"
    longest_fetch: str = "1 min"
    egress: str = ""
    #: Both validators go back as they came.
    verbatim: bool = False
    most_redirects: int = FetchLimits().redirects
    most_items: int = MAX_ITEMS

    @property
    def is_https(self) -> bool:
        return self.base_url.startswith("https://")


@dataclass(frozen=True, slots=True)
class Room:
    """One value that every page finds in the application's state."""

    database: Database
    subscribe: Subscribe
    unsubscribe: Unsubscribe
    refresh: Refresh
    bell: Bell
    now: Now
    settings: Settings
    #: Seals what browsers keep for us, and the keys of second factors.
    vault: Vault
    #: Whose word is taken for who somebody is; None: nobody's.
    sign_on: SignOn | None = None
    #: Where pictures are loaded from; None: from their publishers.
    pictures: Addresses | None = None
    #: Wakes browsers; None: nobody does.
    waking: Waking | None = None
    #: Keeps what feeds need besides their address; None: nothing is kept here.
    unlock: Unlock | None = None
    #: Leads a feed to a place; None: nothing is sent from here.
    send_to: SendTo | None = None
    #: Shows a template where it is to count, and sets it; None: nothing is sent from here.
    set_template: SetTemplate | None = None
    #: Shows how messages would look; None: nothing is sent from here.
    show_posting: ShowPosting | None = None
    throttle: Throttle = field(default_factory=Throttle)
    #: Open live connections. Whoever sets their end rings the bell, so that they see it.
    listeners: Listeners = field(default_factory=Listeners)
    #: When somebody had a feed asked by hand, or all of theirs (None).
    asked: dict[tuple[int, int | None], datetime] = field(default_factory=dict)


#: A request whose state we know the shape of; see `session.gate`.
WebRequest = Request[Any, Any, Any]


def room_of(request: WebRequest) -> Room:
    room: Room = request.app.state.room
    return room
