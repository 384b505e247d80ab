"""What every answer says to browsers, and which requests are turned away unread."""

from urllib.parse import urlsplit

from litestar.datastructures import MutableScopeHeaders
from litestar.types import Message, Scope

from wireroom.feeds.allowlist import EMBEDS
from wireroom.throttle import address_behind, is_among
from wireroom.web.room import Room, Settings, WebRequest

#: No inline script or style anywhere. Media, and pictures unless they come through us, come from
#: wherever publishers keep them; nothing else leaves this host.
#: (Trusted types are left out: htmx writes fragments as HTML.)
_POLICY = (
    "default-src 'none'; script-src 'self'; style-src 'self'; font-src 'self'; "
    "connect-src 'self'; img-src 'self' data:{pictures}; "
    "media-src 'self' https:{plain}; manifest-src 'self'; "
    "frame-src {players}; form-action 'self'; base-uri 'none'; "
    "frame-ancestors 'none'; object-src 'none'"
)
_PLAYERS = " ".join(f"https://{name}" for name in sorted(EMBEDS))
_HEADERS = {
    "X-Content-Type-Options": "nosniff",
    "X-Frame-Options": "DENY",
    "Referrer-Policy": "no-referrer",
    "Cross-Origin-Opener-Policy": "same-origin",
    "Cross-Origin-Resource-Policy": "same-origin",
    "Permissions-Policy": "camera=(), geolocation=(), microphone=(), payment=(), usb=()",
}
_LOOPBACK = frozenset({"localhost", "127.0.0.1", "::1"})
UNSAFE = frozenset({"POST", "PUT", "PATCH", "DELETE"})


async def add_headers(message: Message, scope: Scope) -> None:
    """Called before any answer leaves, errors and files included."""
    if message["type"] != "http.response.start":
        return
    room = scope["litestar_app"].state.room
    settings = room.settings
    headers = MutableScopeHeaders.from_message(message)
    for name, value in _HEADERS.items():
        headers.setdefault(name, value)
    plain = "" if settings.is_https else " http:"
    policy = _POLICY.format(
        plain=plain, players=_PLAYERS, pictures="" if room.pictures else f" https:{plain}"
    )
    headers.setdefault("Content-Security-Policy", policy)
    headers.setdefault("Cache-Control", "no-store")
    if settings.is_https:
        headers.setdefault("Strict-Transport-Security", "max-age=31536000")


def host_is_ours(request: WebRequest, settings: Settings) -> bool:
    """Against DNS rebinding: a page of a stranger's name is no page of ours."""
    if "*" in settings.allowed_hosts:
        return True
    name = _host_name(request.headers.get("host", ""))
    own = _host_name(urlsplit(settings.base_url).netloc)
    return name == own or name in _LOOPBACK or name in settings.allowed_hosts


def _host_name(netloc: str) -> str:
    try:
        return (urlsplit(f"//{netloc}").hostname or "").rstrip(".")
    except ValueError:
        return ""


def comes_from_us(request: WebRequest) -> bool:
    """Was an unsafe request sent by one of our own pages? Browsers say so in two ways.

    A program that sends neither header still needs the token of its session.
    """
    site = request.headers.get("sec-fetch-site")
    if site is not None:
        return site == "same-origin"
    origin = request.headers.get("origin")
    if origin is None:
        return True
    # Without parsing it: an origin is a scheme and a host (RFC 6454 §7), and strangers write it.
    return origin.partition("://")[2] == request.headers.get("host", "")


def client_address(request: WebRequest, room: Room) -> str:
    """Where the request came from: behind known proxies the last hop that none of them is."""
    peer = request.client.host if request.client else ""
    forwarded = request.headers.get("x-forwarded-for", "")
    return address_behind(peer, forwarded, room.settings.trusted_proxies)


def named_by_proxy(request: WebRequest, room: Room) -> str:
    """Who is logged in, by the word of a proxy that is trusted with that; "" for nobody.

    What counts is the address that the connection comes from, never what a header says about it.
    """
    settings = room.settings
    peer = request.client.host if request.client else ""
    if not settings.login_header or not is_among(peer, settings.login_header_from):
        return ""
    return request.headers.get(settings.login_header, "").strip()[:256]


def local_path(target: str | None, default: str = "/") -> str:
    """Where to go next, if that is a path of ours; otherwise the default (open redirects)."""
    if not target or not target.startswith("/") or target.startswith(("//", "/\\")):
        return default
    if any(ord(character) <= 0x20 or character in "\\\x7f" for character in target):
        return default
    return target
