"""The web reader and the reader API, bound to an opened room, on one port."""

import asyncio
import contextlib
import ipaddress
import secrets
import socket
from collections.abc import Awaitable, Callable, Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Any, cast

from wireroom import accounts, outgoing, publishing, routing, subscribing, targets, unlocking
from wireroom.accounts.joining import Registration
from wireroom.accounts.sign_on import Issuer, SignOn, Web
from wireroom.errors import SettingsError
from wireroom.feeds.writing import Written
from wireroom.fetching.decompress import in_words
from wireroom.pictures.addresses import Addresses
from wireroom.pictures.cache import Cache
from wireroom.pictures.proxy import Proxy
from wireroom.polling.cadence import spelled as waits
from wireroom.polling.pushes import Pushes
from wireroom.publishing import Published
from wireroom.records import open_vault
from wireroom.routing import Place, Posting
from wireroom.settings import Settings
from wireroom.subscribing import Choice, Subscribed, Unsubscribed
from wireroom.waking import vapid
from wireroom.waking.devices import Waking
from wireroom.wiring import Room, close, delivering, manners, pages_of, user_agent

if TYPE_CHECKING:
    import uvicorn
    from litestar import Litestar, Router

    from wireroom.channels.discord.bot.interactions import Interactions
    from wireroom.fetching.access import Access

#: Open connections to the web reader and API; more are answered with 503.
MOST_VISITORS = 2_000


def listen(settings: Settings) -> socket.socket:
    """The web reader's socket. Raises SettingsError when the address is taken or not ours."""
    host, port = settings.host_and_port
    family = socket.AF_INET6 if ":" in host else socket.AF_INET
    try:
        return socket.create_server((host, port), family=family, backlog=512)
    except OSError as error:
        raise SettingsError(
            f"The web reader cannot listen on {settings.listen}: {error.strerror or error}. "
            "End the program that uses this port, or set WIREROOM_LISTEN to another one."
        ) from error


def spelled(listening: socket.socket) -> str:
    """Host and port as an address has them."""
    host, port = listening.getsockname()[:2]
    return f"[{host}]:{port}" if ":" in host else f"{host}:{port}"


def server(
    room: Room,
    listening: socket.socket,
    code: str | None,
    pushes: Pushes,
    interactions: "Interactions | None" = None,
    *,
    closing: asyncio.Event,
) -> "uvicorn.Server":
    """The server for this socket, not yet started; `closing` ends its live streams."""
    import uvicorn

    from wireroom.api.native.app import beside
    from wireroom.heads import answering_heads
    from wireroom.patience import LOOPBACK, PatientProtocol

    class Server(uvicorn.Server):
        """Leaves signals to us: all loops end together, and the database last."""

        @contextlib.contextmanager
        def capture_signals(self) -> Iterator[None]:
            yield

    class Protocol(PatientProtocol):
        """Counts nobody twice who comes through a proxy, nor what runs on this machine."""

        uncounted = (
            *LOOPBACK,
            *room.settings.trusted_proxies,
            *room.settings.login_header_from,
        )

    listening_at = f"http://{spelled(listening)}"
    called = [] if interactions is None else [_discord(interactions)]
    web = _web(room, listening_at, code, pushes, closing, called)
    config = uvicorn.Config(
        answering_heads(beside(web, _api(room, listening_at, closing))),
        http=Protocol,
        log_config=None,
        access_log=False,
        server_header=False,
        proxy_headers=False,  # the web side looks at them itself, and believes few
        limit_concurrency=MOST_VISITORS,
        timeout_graceful_shutdown=3,
    )
    return Server(config)


def _published(room: Room) -> Callable[[str], Awaitable[Published | None]]:
    async def published(secret: str) -> Published | None:
        return await publishing.published(room.database, secret, now=room.now())

    return published


def _full_text(room: Room) -> Callable[[int, int], Awaitable[Written | None]]:
    async def full_text(feed_id: int, seq: int) -> Written | None:
        return await publishing.full_text(room.database, feed_id, seq)

    return full_text


def _web(
    room: Room,
    listening_at: str,
    code: str | None,
    pushes: Pushes,
    closing: asyncio.Event,
    called: "Sequence[Router]" = (),
) -> "Litestar":
    """The web reader, with the use cases that it calls bound to this room."""
    from wireroom.web import outlets, texts, websub
    from wireroom.web import pictures as picture_pages
    from wireroom.web.app import build
    from wireroom.web.room import Settings as WebSettings

    settings = room.settings
    base_url = settings.public_url or listening_at

    async def subscribe(account_id: int, typed: str, folder_id: int | None) -> Subscribed | Choice:
        return await subscribing.subscribe_or_choose(
            room.polling, account_id, typed, owner=room.owner, folder_id=folder_id
        )

    async def unsubscribe(account_id: int, subscription_id: int) -> Unsubscribed:
        return await subscribing.unsubscribe(room.polling, account_id, subscription_id)

    async def refresh(account_id: int, feed_id: int | None) -> None:
        await subscribing.request_refresh(room.polling, account_id, feed_id)
        room.bell.ring()

    async def unlock(account_id: int, subscription_id: int, wanted: "Access") -> int:
        return await unlocking.unlock(
            room.polling, account_id, subscription_id, wanted, owner=room.owner
        )

    async def send_to(
        account_id: int, subscription_id: int, place: str, newest: int, is_operator: bool
    ) -> str:
        read = targets.target if is_operator else targets.for_member
        target, told = read(room, account_id, place, newest)
        await subscribing.send_to(room.polling, account_id, subscription_id, target)
        return told

    async def set_template(account_id: int, place: Place, source: str) -> object:
        tools = delivering(room)
        try:
            return await routing.set_template(tools, account_id, place, source)
        finally:
            await close(tools.channels)

    async def show_posting(
        account_id: int, place: Place, changed: Mapping[str, Any]
    ) -> Posting | None:
        tools = delivering(room)
        try:
            return await routing.show_posting(tools, account_id, place, changed)
        finally:
            await close(tools.channels)

    policy = room.polling.policy
    pictures = _pictures(room)
    beside = [websub.router(pushes), outlets.router(_published(room), base_url), *called]
    if (pages := pages_of(settings, open_vault(settings))) is not None:
        beside.append(texts.router(pages, _full_text(room)))
    if pictures is not None:
        cache = Cache(settings.data_dir / "pictures")
        proxy = Proxy(pictures, room.polling.client, room.database, cache, room.now)
        beside.append(picture_pages.router(proxy))
    if settings.metrics_from:
        from wireroom.web import metrics

        beside.append(metrics.router(room.polling.meters, settings.metrics_from))
    if outgoing.is_telegram_calling(settings):
        beside.append(_telegram(room))
    return build(
        database=room.database,
        subscribe=subscribe,
        unsubscribe=unsubscribe,
        refresh=refresh,
        bell=room.bell,
        now=room.now,
        closing=closing,
        beside=beside,
        pictures=pictures,
        waking=waking(room),
        unlock=unlock,
        send_to=send_to,
        set_template=set_template,
        show_posting=show_posting,
        vault=open_vault(settings),
        sign_on=_sign_on(settings, room.polling.client),
        settings=WebSettings(
            base_url=base_url,
            allowed_hosts=settings.allowed_hosts,
            setup_code=code,
            trusted_proxies=settings.trusted_proxies,
            registration=cast("Registration", settings.registration),  # checked when read
            login_header=settings.login_header,
            login_header_from=settings.login_header_from,
            user_agent=user_agent(settings),
            contact=settings.contact,
            shortest_poll=waits(policy.shortest_wish),
            longest_poll=waits(policy.ceiling),
            largest_feed=in_words(settings.max_body_bytes),
            longest_fetch=waits(manners(settings).total),
            egress=settings.egress,
            verbatim=manners(settings).verbatim,
        ),
    )


def waking(room: Room) -> Waking:
    """What wakes browsers, and what they register with."""
    settings = room.settings
    subject = vapid.subject(settings.contact, settings.public_url)
    client, vault = room.polling.client, open_vault(settings)
    return Waking(room.database, client, vault, room.bell, room.now, subject)


def _discord(interactions: "Interactions") -> "Router":
    """The address that Discord calls when somebody uses a command."""
    from wireroom.channels.discord.bot.interactions import PATH
    from wireroom.web import discord

    return discord.router(PATH, interactions.receive)


def _telegram(room: Room) -> "Router":
    """The address that Telegram calls; the bot takes up what was left there."""
    from wireroom.channels.telegram.commands.hook import PATH, Hook
    from wireroom.web import telegram

    hook = Hook(room.settings.telegram_token, room.database, room.bell.ring)
    return telegram.router(PATH, hook.receive)


def _sign_on(settings: Settings, web: Web) -> SignOn | None:
    """Whose word is taken for who somebody is; None: nobody's."""
    if not settings.oidc_issuer:
        return None
    issuer = Issuer(
        settings.oidc_issuer,
        settings.oidc_client_id,
        settings.oidc_client_secret,
        title=settings.oidc_title,
        scopes=settings.oidc_scopes,
        subject="username" if settings.oidc_subject == "username" else "sub",
        audiences=settings.oidc_audiences,
        makes_accounts=settings.oidc_makes_accounts,
    )
    return SignOn(issuer, web)


def _pictures(room: Room, base: str = "") -> Addresses | None:
    if not room.settings.picture_proxy:
        return None
    return Addresses(open_vault(room.settings).derived("pictures"), base)


def _api(room: Room, listening_at: str, closing: asyncio.Event) -> "Litestar":
    """The reader API, with the use cases that it calls bound to this room."""
    from wireroom.api.native.app import build
    from wireroom.api.native.door import Rates, Tools
    from wireroom.throttle import Rate
    from wireroom.watching import Listeners

    async def subscribe(account_id: int, typed: str, folder_id: int | None) -> Subscribed:
        followed = await subscribing.subscribe(
            room.polling, account_id, typed, owner=room.owner, folder_id=folder_id
        )
        room.bell.ring()
        return followed

    async def unsubscribe(account_id: int, subscription_id: int) -> Unsubscribed:
        return await subscribing.unsubscribe(room.polling, account_id, subscription_id)

    settings = room.settings
    pictures = _pictures(room, settings.public_url.rstrip("/") or listening_at)
    tools = Tools(
        room.database,
        subscribe,
        unsubscribe,
        room.bell,
        room.now,
        pictures,
        sign_on=_sign_on(settings, room.polling.client),
        waking=waking(room),
        listeners=Listeners(closing),
        rates=Rates(Rate(settings.api_rate), Rate(settings.address_rate)),
        trusted_proxies=settings.trusted_proxies,
    )
    return build(tools, cors_origins=settings.cors_origins)


async def setup_code(room: Room, listening: socket.socket) -> str | None:
    """A code for the first visit, where more than this machine could make it.

    Behind a proxy we listen on loopback, too; whoever sets one up names it or its host.
    """
    settings = room.settings
    is_loopback = ipaddress.ip_address(listening.getsockname()[0]).is_loopback
    is_known_outside = settings.public_url or settings.allowed_hosts or settings.trusted_proxies
    if is_loopback and not is_known_outside:
        return None
    return secrets.token_hex(4) if await accounts.needs_setup(room.database) else None
