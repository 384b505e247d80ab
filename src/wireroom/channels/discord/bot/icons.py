"""The picture beside a feed's messages: the site's icon, found by looking at the site itself.

Asked for through the guarded client and the host's lane, like everything that a publisher named.
What was found outlives a restart, and is looked for again once a week as long as it is shown.
"""

import asyncio
import re
from dataclasses import replace
from datetime import timedelta
from typing import Final
from urllib.parse import urljoin, urlsplit

import structlog

from wireroom import subscribing
from wireroom.delivery.richtext import is_web_address
from wireroom.errors import StoreError, UserError
from wireroom.feeds import urls, webpage
from wireroom.fetching.outcome import Fetched
from wireroom.fetching.request import FetchLimits, Request
from wireroom.polling.lanes import Passage
from wireroom.polling.tools import Polling
from wireroom.store import icons
from wireroom.store.icons import SiteIcon

log = structlog.get_logger(__name__)

#: How long what was found is believed, and that there is none.
BELIEVED: Final = timedelta(days=7)
NONE_BELIEVED: Final = timedelta(days=1)
#: Sites that are looked at again in one go, and the seconds between two of them.
MOST_AT_ONCE: Final = 20
_TICK_SECONDS: Final = 3600.0
MOST_URL: Final = 2048
MOST_HOST: Final = 255
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
    """Icons of sites by host. `service` is an address with {host}, asked instead of the sites."""

    def __init__(self, service: str = "") -> None:
        self._service = service

    async def of(self, tools: Polling, site_url: str, *, owner: str) -> str:
        """The address of a site's icon; "" where none is found, whatever the reason."""
        host = _host(site_url)
        if not host:
            return ""
        if self._service:
            return self._service.replace("{host}", host)
        known = await tools.database.read(icons.find, host)
        if known is None:
            known = SiteIcon(host, site_url, "", tools.now())
        elif tools.now() - known.looked_at <= (BELIEVED if known.url else NONE_BELIEVED):
            return known.url
        return await _look(tools, known, owner)

    async def freshen(self, tools: Polling, *, owner: str) -> None:
        """Look again for a few icons that are shown and were not looked for lately."""
        if self._service:
            return
        before = tools.now() - BELIEVED
        for known in await tools.database.read(
            lambda connection: icons.list_old(connection, before=before, most=MOST_AT_ONCE)
        ):
            if await tools.database.read(icons.is_shown, known.url):
                await _look(tools, known, owner)
            else:
                await tools.database.write(icons.forget, known.host)
        for page, shown in await tools.database.read(
            lambda connection: icons.list_unknown(connection, most=MOST_AT_ONCE)
        ):
            await self._meet(tools, SiteIcon(_host(page), page, shown, before), owner)

    async def _meet(self, tools: Polling, shown: SiteIcon, owner: str) -> None:
        """An icon of which nothing was kept; its host may have been looked at for another feed."""
        known = await tools.database.read(icons.find, shown.host)
        if known is None or known.looked_at <= shown.looked_at:
            await _look(tools, shown, owner)
            return
        await tools.database.write(
            lambda connection: icons.note(connection, known, before=shown.url)
        )


def _host(site_url: str) -> str:
    return urls.host(site_url)[:MOST_HOST] if is_web_address(site_url) else ""


async def freshen_forever(found: Icons, tools: Polling, *, owner: str) -> None:
    """Until cancelled: an icon is not worth the bot's end, whatever a site answers."""
    while True:
        try:
            await found.freshen(tools, owner=owner)
        except StoreError as error:
            log.warning("icons not looked for", error=str(error))
        except Exception:
            log.exception("icons not looked for")
        await asyncio.sleep(_TICK_SECONDS)


async def _look(tools: Polling, known: SiteIcon, owner: str) -> str:
    """An icon is not lost when its site cannot be read for once."""
    found = await _looked_for(tools, known.page_url, owner)
    new = replace(known, url=known.url if found is None else found, looked_at=tools.now())
    await tools.database.write(lambda connection: icons.note(connection, new, before=known.url))
    if known.url and new.url != known.url:
        log.info("a site has another icon", host=known.host)
    return new.url


async def _looked_for(tools: Polling, site_url: str, owner: str) -> str | None:
    """What a page names, "" for nothing; None where it could not be read."""
    try:
        url = urls.checked(site_url)
        async with (
            subscribing.lane_lease(tools, urls.lane(url), owner) as lease,
            Passage(tools.lanes, lease) as way,
        ):
            request = Request(url, accept="page", limits=_PAGE)
            outcome = await tools.client.get(request, before_hop=way.enter)
    except UserError:
        return None
    if not isinstance(outcome, Fetched):
        return None
    page = webpage.read(outcome.body, content_type=outcome.content_type)
    return best(page, outcome.hops.final_url)


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
