"""The picture beside a feed's messages: the site's icon, found by looking at the site itself.

Asked for through the guarded client and the host's lane, like everything that a publisher named.
"""

import re
from datetime import datetime, timedelta
from typing import Final
from urllib.parse import urljoin, urlsplit

from wireroom import subscribing
from wireroom.delivery.richtext import is_web_address
from wireroom.errors import UserError
from wireroom.feeds import urls, webpage
from wireroom.fetching.outcome import Fetched
from wireroom.fetching.request import FetchLimits, Request
from wireroom.polling.lanes import passage
from wireroom.polling.tools import Polling

#: How long what was found, or that there is none, is believed.
BELIEVED: Final = timedelta(days=1)
MOST_REMEMBERED: Final = 2_000
MOST_URL: Final = 2048
_PAGE = FetchLimits(
    wire_bytes=webpage.PAGE_BYTES,
    body_bytes=webpage.PAGE_BYTES,
    connect=timedelta(seconds=4),
    operation=timedelta(seconds=4),
    total=timedelta(seconds=8),
)
_SIZE = re.compile(r"(\d{1,4})x\d{1,4}", re.IGNORECASE)
_ICONS: Final = frozenset(("icon", "apple-touch-icon", "apple-touch-icon-precomposed"))
#: Discord shows no vector graphics, and not every .ico.
_UNSHOWN: Final = (".svg", ".ico")


class Icons:
    """Icons of sites by host, as far as we looked lately. `service` is an address with {host}."""

    def __init__(self, service: str = "") -> None:
        self._service = service
        self._known: dict[str, tuple[datetime, str]] = {}

    async def of(self, tools: Polling, site_url: str, *, owner: str) -> str:
        """The address of a site's icon; "" where none is found, whatever the reason."""
        host = urlsplit(site_url).hostname or ""
        if not host:
            return ""
        if self._service:
            return self._service.replace("{host}", host)
        at, known = self._known.pop(host, (None, ""))
        if at is None or tools.now() - at > BELIEVED:
            at, known = tools.now(), await _looked_for(tools, site_url, owner)
        self._known[host] = (at, known)
        if len(self._known) > MOST_REMEMBERED:
            del self._known[next(iter(self._known))]
        return known


async def _looked_for(tools: Polling, site_url: str, owner: str) -> str:
    try:
        url = urls.checked(site_url)
        async with (
            subscribing.lane_lease(tools, urls.lane(url), owner) as lease,
            passage(tools.lanes, lease) as way,
        ):
            request = Request(url, accept="page", limits=_PAGE)
            outcome = await tools.client.get(request, before_hop=way.enter)
    except UserError:
        return ""
    if not isinstance(outcome, Fetched):
        return ""
    return best(
        webpage.read(outcome.body, content_type=outcome.content_type), outcome.hops.final_url
    )


def best(page: webpage.WebPage, url: str) -> str:
    """Of a page's icons the one that looks best and that Discord can show; "" for none (pure)."""
    base = _web(page.base, url) or url
    rated = [
        (_rating(each), found)
        for each in page.links
        if each.rels & _ICONS
        and (found := _web(each.href, base))
        and not urlsplit(found).path.lower().endswith(_UNSHOWN)
    ]
    return max(rated, key=lambda each: each[0], default=(0, ""))[1]


def _rating(icon: webpage.Link) -> int:
    """Apple's are large and square; of the others those with at least 64 pixels."""
    largest = max((int(size) for size in _SIZE.findall(icon.sizes)), default=0)
    if largest:
        return 1000 - abs(largest - 128) if largest >= 64 else largest
    return 32 if "icon" in icon.rels else 500


def _web(href: str, base: str) -> str:
    try:
        url = urljoin(base, href.strip())
    except ValueError:
        return ""
    return url if is_web_address(url) and len(url) <= MOST_URL else ""
