"""Which addresses may be dialled at all: URLs, host names, ports and IP addresses (pure).

`check_url` judges what somebody typed or a publisher sent, `check_address` judges what a name
resolved to. `fetching.dialing` applies the second to every connection it opens, so that nothing
can change between check and use. The lists are those of RFC 6890, RFC 8215, RFC 4291 and the
metadata addresses of the clouds; they are spelled out because `ipaddress.is_global` calls several
of them global (CGNAT is not private, ff02::1 and fec0::1 are global on Python 3.11).
"""

import functools
import re
from dataclasses import dataclass, replace
from ipaddress import (
    IPv4Address,
    IPv4Network,
    IPv6Address,
    IPv6Network,
    ip_address,
    ip_network,
)
from typing import Literal
from urllib.parse import unquote

import ada_url

from wireroom.errors import InvalidURL
from wireroom.feeds import urls
from wireroom.values import value

Address = IPv4Address | IPv6Address
Network = IPv4Network | IPv6Network
Scheme = Literal["http", "https"]

#: The one sentence for every refused address: it must not tell what lives in the inner network.
REFUSED = "This address is not on the public internet, and only public addresses are fetched."

#: To be put behind a comma.
PLAIN_HTTP_REFUSED = (
    "plain http is not fetched here (the operator can allow it with WIREROOM_ALLOW_HTTP=1)"
)

#: Characters. Longer addresses are refused before they are parsed.
MAX_URL_LENGTH = 8192

_SPECIAL: tuple[tuple[Network, str], ...] = tuple(
    (ip_network(network), why)
    for network, why in (
        ("0.0.0.0/8", "this host"),
        ("10.0.0.0/8", "private"),
        ("100.64.0.0/10", "shared by carriers"),
        ("127.0.0.0/8", "loopback"),
        ("169.254.0.0/16", "link-local"),
        ("172.16.0.0/12", "private"),
        ("192.0.0.0/24", "reserved for protocols"),
        ("192.0.2.0/24", "documentation"),
        ("192.88.99.0/24", "6to4 relay"),
        ("192.168.0.0/16", "private"),
        ("198.18.0.0/15", "benchmarking"),
        ("198.51.100.0/24", "documentation"),
        ("203.0.113.0/24", "documentation"),
        ("224.0.0.0/4", "multicast"),
        ("240.0.0.0/4", "reserved"),
        ("::1/128", "loopback"),
        ("::/96", "IPv4-compatible"),
        ("64:ff9b:1::/48", "local NAT64"),
        ("100::/64", "discard"),
        ("2001::/23", "reserved for protocols"),  # Teredo, ORCHID and their siblings
        ("2001:db8::/32", "documentation"),
        ("2002::/16", "6to4"),
        ("3fff::/20", "documentation"),
        ("5f00::/16", "segment routing"),
        ("fc00::/7", "private"),
        ("fe80::/10", "link-local"),
        ("fec0::/10", "site-local"),
        ("ff00::/8", "multicast"),
    )
)

#: RFC 6052. AWS and many mobile networks give every IPv4-only host such an address, so it counts
#: as the IPv4 address inside; the local prefix of RFC 8215 above does not.
_NAT64 = ip_network("64:ff9b::/96")

_GLOBAL_UNICAST = ip_network("2000::/3")

_LOCAL_NAMES = frozenset({"localhost", "local", "internal", "localdomain", "home.arpa", "onion"})

_WEB_PORTS = frozenset({80, 443, 8080, 8443})

#: From 1024 up what speaks no HTTP or should not hear ours: WHATWG's bad ports and databases.
_REFUSED_PORTS = frozenset({
    1433, 1521, 1719, 1720, 1723, 2049, 2375, 2376, 2379, 2380, 3306, 3389, 3659, 4045, 4190,
    5060, 5061, 5432, 5672, 5900, 6000, 6379, 6443, 6566, 6665, 6666, 6667, 6668, 6669, 6679,
    6697, 9042, 9092, 9200, 9300, 10080, 10250, 11211, 27017,
})  # fmt: skip

_DEFAULT_PORTS: dict[str, int] = {"http": 80, "https": 443}
_MAYBE_LITERAL = re.compile(r"[0-9a-fA-F.]*:.*|[0-9.]+", re.DOTALL)
_LABELS = re.compile(r"[^.]{1,63}(?:\.[^.]{1,63})*")
_UNFIT = re.compile(r"[\x00-\x20\x7f\\]")


@dataclass(frozen=True, slots=True)
class Rules:
    """What the operator allows beyond https on the web's ports at public addresses.

    `allowed_networks` are private networks whose feeds may be fetched; a public address still may
    not redirect into them. `denied_networks` are public addresses of our own, such as the database
    host's. `high_ports` opens the ports from 1024 up, save those of databases and other protocols.
    """

    allow_http: bool = False
    allowed_networks: tuple[Network, ...] = ()
    denied_networks: tuple[Network, ...] = ()
    high_ports: bool = False


@dataclass(frozen=True, slots=True)
class Credentials:
    """For HTTP Basic authentication; never shown, not even by `repr`."""

    user: str
    password: str

    def __repr__(self) -> str:
        return "Credentials(***)"


@value
class Target:
    """An address fit to be dialled: WHATWG-normalised, without userinfo and fragment.

    `host` is ASCII, lower case, without brackets and trailing dot; `credentials` are what stood
    before the host.
    """

    scheme: Scheme
    host: str
    port: int
    #: Path and query, beginning with "/".
    path: str
    credentials: Credentials | None = None

    @property
    def authority(self) -> str:
        """Host and port, as the Host field has them."""
        host = f"[{self.host}]" if ":" in self.host else self.host
        return host if self.port == _DEFAULT_PORTS[self.scheme] else f"{host}:{self.port}"

    @property
    def origin(self) -> str:
        return f"{self.scheme}://{self.authority}"

    @property
    def url(self) -> str:
        return self.origin + self.path

    def over_https(self) -> "Target":
        """The same target over https; the default port follows the scheme."""
        port = 443 if self.port == 80 else self.port
        return Target("https", self.host, port, self.path, self.credentials)


@functools.lru_cache(maxsize=4096)  # hosts that are addresses are few, and asked for often
def check_address(address: str | Address, rules: Rules = Rules()) -> str | None:
    """Why `address` must not be dialled, in a word or two for logs; None when it may be.

    IPv4-mapped and NAT64 addresses count as the IPv4 address inside. What cannot be read is
    refused.
    """
    outer = _read_address(address)
    if outer is None:
        return "unreadable"
    inner = _unwrapped(outer)
    if _within(outer, rules.denied_networks) or _within(inner, rules.denied_networks):
        return "denied by the operator"
    if _within(outer, rules.allowed_networks) or _within(inner, rules.allowed_networks):
        return None
    return _why_special(inner)


def is_private_by_permission(address: str | Address, rules: Rules) -> bool:
    """Whether nothing but the operator's allow-list lets this address be dialled."""
    unpermitted = replace(rules, allowed_networks=())
    return (
        check_address(address, rules) is None and check_address(address, unpermitted) is not None
    )


def check_url(url: str, rules: Rules = Rules()) -> Target:
    """The target that `url` means.

    Raises `InvalidURL` (code "invalid_url" or "refused_address") with a sentence that tells the
    person why. Says nothing of where the name leads to: that is asked at connect time. An http
    address passes whatever the rules say, since https is tried in its place.
    """
    text = url.strip(" \t\r\n")
    if len(text) > MAX_URL_LENGTH:
        raise InvalidURL(f"The address is longer than {MAX_URL_LENGTH} characters.")
    if _UNFIT.search(text):
        raise InvalidURL("The address contains blanks, backslashes or control characters.")
    return read_target(text, rules)


def read_target(url: str, rules: Rules = Rules(), base: str | None = None) -> Target:
    """Like `check_url` for links of publishers, whose blanks are escaped as browsers do."""
    parts = urls.split_plain(url) or _parsed(url, base)
    host = parts.host.removeprefix("[").removesuffix("]").rstrip(".")
    scheme: Scheme = "https" if parts.scheme == "https" else "http"
    port = int(parts.port) if parts.port else _DEFAULT_PORTS[scheme]
    _check_host(host, rules)
    _check_port(port, rules)
    return Target(scheme, host, port, parts.path + parts.query, credentials(parts.user_info))


def _parsed(url: str, base: str | None) -> urls.Parts:
    try:
        normalised = ada_url.join_url(base, url) if base else ada_url.normalize_url(url)
    except ValueError:
        raise InvalidURL("This is not a web address.") from None
    parts = urls.split_normalised(normalised)
    if parts is None:
        raise InvalidURL("Only https:// and http:// addresses are fetched.")
    return parts


def is_literal(host: str) -> bool:
    """Whether `host`, as in `Target.host`, is an IP address and not a name."""
    return _read_address(host) is not None


def _check_host(host: str, rules: Rules) -> None:
    match _kind_of_host(host):
        case "address" if check_address(host, rules):
            raise InvalidURL(REFUSED, code="refused_address")
        case "local" if not rules.allowed_networks:
            # With an allow-list, the addresses behind the name decide.
            raise InvalidURL(REFUSED, code="refused_address")
        case "none":
            raise InvalidURL("The address names no host.")
        case "broken":
            raise InvalidURL("The host name is too long or has an empty part.")


@functools.lru_cache(maxsize=4096)  # feeds of a host are asked one behind the other
def _kind_of_host(host: str) -> Literal["name", "address", "local", "none", "broken"]:
    if not host:
        return "none"
    if is_literal(host):
        return "address"
    if len(host) > 253 or not _LABELS.fullmatch(host):
        return "broken"
    return "local" if _is_local_name(host) else "name"


def _is_local_name(host: str) -> bool:
    before, _, last = host.rpartition(".")
    return last in _LOCAL_NAMES or f"{before.rpartition('.')[2]}.{last}" in _LOCAL_NAMES


def _check_port(port: int, rules: Rules) -> None:
    if port in _WEB_PORTS:
        return
    if port < 1024 or port in _REFUSED_PORTS:
        raise InvalidURL(f"Port {port} is not one that feeds are fetched from.")
    if not rules.high_ports:
        raise InvalidURL(f"Port {port} is not fetched from here; 80, 443, 8080 and 8443 are.")


def credentials(user_info: str) -> Credentials | None:
    """Those that stood before the host of an address."""
    user, _, password = user_info.partition(":")
    return Credentials(unquote(user), unquote(password)) if user_info else None


def _read_address(address: str | Address) -> Address | None:
    if not isinstance(address, str):
        return address
    # Most hosts are names, and raising for each of them takes its time.
    return _read_literal(address) if _MAYBE_LITERAL.fullmatch(address) else None


@functools.lru_cache(maxsize=4096)
def _read_literal(address: str) -> Address | None:
    try:
        return ip_address(address)
    except ValueError:
        return None


def _why_special(address: Address) -> str | None:
    for network, why in _SPECIAL:
        if address in network:
            return why
    if isinstance(address, IPv6Address) and address not in _GLOBAL_UNICAST:
        return "not allocated"
    return None if address.is_global else "not global"


def _unwrapped(address: Address) -> Address:
    if isinstance(address, IPv4Address):
        return address
    if address.ipv4_mapped is not None:
        return address.ipv4_mapped
    if address in _NAT64:
        return IPv4Address(int(address) & 0xFFFFFFFF)
    return address


def _within(address: Address, networks: tuple[Network, ...]) -> bool:
    return any(address in network for network in networks)
