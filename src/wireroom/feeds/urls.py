"""Addresses: what a person typed, what a document refers to, and what counts as the same feed.

The parser is ada-url, the WHATWG rules that browsers follow; no regular expression here decides
what a URL means. Except for `checked`, nothing raises: an address that cannot be read comes out
as "".
"""

import re
from functools import cache, lru_cache
from typing import NamedTuple
from urllib.parse import unquote_plus

from ada_url import join_url, normalize_url
from publicsuffixlist import PublicSuffixList

from wireroom.errors import InvalidURL
from wireroom.feeds.trackers import is_tracking_parameter

#: Characters of a feed's address (IDN-06).
MAX_LENGTH = 2048
_TOO_LONG = f"The address is longer than {MAX_LENGTH} characters."
#: Characters of a reference inside a document; longer ones are mistakes or attacks.
MAX_REFERENCE = 16_384
#: RFC 1035 §2.3.4.
_MAX_HOST, _MAX_LABEL = 253, 63
_WEB = frozenset({"http", "https"})
_DEFAULT_PORTS = frozenset({"", "80", "443"})

_CONTROL = re.compile(r"[\x00-\x1f\x7f-\x9f\u2028\u2029]")
_QUOTES_AND_ANGLES = re.compile(r"[\"'`<>\\\u00ab\u00bb\u2018-\u201f]")
_SCHEME = re.compile(r"([a-z][a-z0-9+.-]*):", re.IGNORECASE)
_HOST_AND_PORT = re.compile(r"[^/?#@:\[\]]+:\d+(?:[/?#]|$)")
#: Blanks at the ends of a reference, the invisible ones included.
_BLANKS = (
    "\t\n\v\f\r\x1c\x1d\x1e\x1f \x85\xa0\u1680\u2000\u2001\u2002\u2003\u2004\u2005\u2006\u2007"
    "\u2008\u2009\u200a\u2028\u2029\u202f\u205f\u3000\u200b\u200c\u200d\u200e\u200f\u2060\ufeff"
)


class Parts(NamedTuple):
    scheme: str  # without the colon
    host: str  # lower case; IPv6 in brackets
    port: str  # "" for the scheme's own
    path: str
    query: str  # with the "?", or ""
    user_info: str  # still percent-encoded, without the "@"


#: A normalised http(s) URL, in which no mark can stand where it means something else.
_NORMALISED = re.compile(
    r"(https?)://(?:([^/?#@]*)@)?(\[[^\]]*\]|[^/?#:]*)(?::(\d+))?(/[^?#]*)(\?[^#]+)?"
)


#: What the parser gives back as it is, and so need not be asked for: names of plain letters that
#: cannot be read as numbers, no default port, no "." and ".." in the path, and no character that
#: it would escape. Most addresses of feeds are such.
_AS_IT_IS = re.compile(
    r"(https?)://((?![^/]*xn--)(?:[a-z0-9-]+\.)+[a-z][a-z0-9-]*)"
    r"(?::(?!(?:80|443)/)([1-9]\d{1,3}|[1-5]\d{4}))?"
    r"((?:/(?!\.)[\w!$&()*+,;=:@~.-]*)+)(\?[\w!$&()*+,;=:@~.%/?-]+)?",
    re.ASCII,
)


@lru_cache(maxsize=4096)
def split(url: str) -> Parts | None:
    """The parts of an absolute http(s) URL; None for anything else."""
    parts = split_plain(url)
    if parts is not None:
        return parts
    try:
        return split_normalised(normalize_url(url))
    except (ValueError, UnicodeError):
        return None


def split_plain(url: str) -> Parts | None:
    """As `split`, without the parser, of a URL that it would leave as it is; None for others,
    whatever they may be."""
    match = _AS_IT_IS.fullmatch(url)
    if match is None:
        return None
    scheme, name, port, path, query = match.groups("")
    return Parts(scheme, name, port, path, query, "")


def split_normalised(url: str) -> Parts | None:
    """As `split`, of a URL that the parser gave us: taking it apart costs a fifth of asking."""
    match = _NORMALISED.match(url)
    if match is None:
        return None
    scheme, user_info, name, port, path, query = match.groups("")
    return Parts(scheme, name, port, path, query, user_info)


def without_user_info(typed: str) -> tuple[str, str]:
    """What somebody typed, without the user name and password in it; and these, still encoded."""
    if "@" not in typed:
        return typed, ""
    typed = typed.strip()
    try:
        found = split(_with_scheme(typed))
    except InvalidURL:
        return typed, ""
    if found is None or not found.user_info:
        return typed, ""
    port = f":{found.port}" if found.port else ""
    return f"{found.scheme}://{found.host}{port}{found.path}{found.query}", found.user_info


def checked(typed: str) -> str:
    """The absolute http(s) URL that somebody means who typed `typed`.

    No scheme, and the schemes of feed buttons (``feed:``), mean https. The fragment goes, as
    servers never see it. Private addresses and refused ports are not looked at here: the guard
    does, when dialling. Raises InvalidURL with a sentence for whoever typed (IDN-06).
    """
    typed = typed.strip()
    _refuse_impossible(typed)
    url = _with_scheme(typed)
    parts = split(url)
    if parts is None:
        raise InvalidURL("That is not a web address: host or port cannot be read.")
    if parts.user_info:
        raise InvalidURL(
            "Addresses must not hold a user name or password; give them as the feed's credentials."
        )
    _refuse_host(parts)
    whole = normalize_url(url).partition("#")[0]
    if not canonical(whole):  # percent-encoding makes one letter up to twelve characters
        raise InvalidURL(_TOO_LONG)
    return whole


def _refuse_impossible(typed: str) -> None:
    """Refuse what needs no parsing: nothing, too much, or characters that no address has."""
    if not typed:
        raise InvalidURL("No address was given.")
    if len(typed) > MAX_LENGTH:
        raise InvalidURL(_TOO_LONG)
    if _CONTROL.search(typed) or " " in typed:
        raise InvalidURL("The address holds blanks or control characters.")
    if found := _QUOTES_AND_ANGLES.search(typed):
        raise InvalidURL(
            f"The address holds the character {found[0]}; "
            "if it belongs there, write it percent-encoded."
        )


def _with_scheme(typed: str) -> str:
    """`typed` with an http(s) scheme in front; refuses every other scheme."""
    scheme = _SCHEME.match(typed)
    if scheme and scheme[1].lower() in {"feed", "rss", "pcast", "itpc", "podcast"}:
        typed = typed[scheme.end() :].lstrip("/")
        scheme = _SCHEME.match(typed)
    if scheme is None or _HOST_AND_PORT.match(typed):
        return "https://" + typed.lstrip("/")
    if scheme[1].lower() not in _WEB:
        raise InvalidURL(
            f"Addresses must begin with https:// or http://, not with {scheme[1][:20]}:."
        )
    return typed


def _refuse_host(parts: Parts) -> None:
    if parts.port == "0":
        raise InvalidURL("Port 0 cannot be dialled.")
    name = parts.host.removesuffix(".")
    if name == "localhost" or _is_ip(name):
        return
    labels = name.split(".")
    if len(labels) == 1:
        raise InvalidURL(f"The host name {name[:_MAX_LABEL]} has no domain, such as .org.")
    if len(name) > _MAX_HOST or not all(0 < len(label) <= _MAX_LABEL for label in labels):
        raise InvalidURL("The host name has an empty or overlong part.")


def _is_ip(name: str) -> bool:
    """Whether a parsed host is an address: WHATWG makes every numeric last label one."""
    return name.startswith("[") or name.rpartition(".")[2].isdigit()


def canonical(url: str) -> str:
    """The key under which a feed is known: URLs with equal keys are one feed (IDN-02 to IDN-05).

    Always https (C14, HTTP-33). The host loses its trailing dot, a default port, and ``www.``
    where the rest is a registrable domain. The public suffixes of ICANN and the private ones both
    count as suffixes: ``www.x.github.io`` is ``x.github.io``, and ``www.github.io`` stays.
    Parameters are sorted by name, then value, each kept as it is spelled. What can have no key
    (other schemes, user-info, overlong) gets "".
    """
    parts = split(url.strip()) if len(url) <= MAX_LENGTH else None
    if parts is None or parts.user_info:
        return ""
    name = _without_www(parts.host.rstrip("."))  # one dot is the root; more are a slip
    if not name:
        return ""
    port = "" if parts.port in _DEFAULT_PORTS else f":{parts.port}"
    key = f"https://{name}{port}{parts.path}{_sorted_query(parts.query)}"
    return key if len(key) <= MAX_LENGTH else ""


def _without_www(name: str) -> str:
    rest = name.removeprefix("www.")
    return rest if rest != name and registrable(rest) == rest else name


def registrable(name: str) -> str:
    """The part of a host name that somebody registered: "bbc.co.uk" of "news.bbc.co.uk"; or ""."""
    return "" if _is_ip(name) else str(_suffixes().privatesuffix(name) or "")


def site(url: str) -> str:
    """Whose site an address is on: what was registered, or the host where nothing was."""
    name = host(url)
    return registrable(name) or name


@cache
def _suffixes() -> PublicSuffixList:
    # 36 ms to read, so it waits until somebody needs it.
    return PublicSuffixList()


def _sorted_query(query: str) -> str:
    """`query` in a fixed order; "?" and empty pairs mean nothing to any server seen."""
    if len(query) < 2:
        return ""
    pairs = [pair for pair in query[1:].split("&") if pair]
    pairs.sort(key=lambda pair: (*_name_and_value(pair), pair))
    return "?" + "&".join(pairs) if pairs else ""


def _name_and_value(pair: str) -> tuple[str, str]:
    name, _, value = pair.partition("=")
    return unquote_plus(name), unquote_plus(value)


def host(url: str) -> str:
    """The host of an http(s) URL in lower case, without a trailing dot; IPv6 in brackets."""
    parts = split(url)
    return parts.host.removesuffix(".") if parts else ""


def shares_secrets(typed: str, url: str) -> bool:
    """Whether `url` may be told what was given for `typed`: the same host and port, as somebody
    else may be behind another port, and plain http only where that was typed."""
    given, asked = split(typed), split(url)
    if given is None or asked is None or _door(given) != _door(asked):
        return False
    return asked.scheme == "https" or given.scheme == "http"


def _door(parts: Parts) -> tuple[str, str]:
    return parts.host.removesuffix("."), parts.port


def over_https(url: str, page: str) -> str:
    """A link to plain http at the host and port of a page that came over https, as https."""
    there, here = split(url), split(page)
    if there is None or here is None or there.scheme != "http" or here.scheme != "https":
        return url
    return "https" + url[4:] if _door(there) == _door(here) else url


def lane(url: str) -> str:
    """The unit of politeness that `url` belongs to: its host, whatever the scheme and port."""
    return host(url)


def resolve(base: str, reference: str) -> str:
    """`reference` as an absolute http(s) URL seen from `base`; "" when it is none.

    Blanks around and control characters inside go. ``//host`` becomes https, whatever the base is.
    An empty reference is no link at all, although it would be one to `base` for a browser.
    """
    return resolve_any(base, reference, _WEB)


def resolve_any(base: str, reference: str, schemes: frozenset[str]) -> str:
    """As `resolve`, for a given set of lower-case schemes, such as mailto and magnet."""
    if len(reference) > MAX_REFERENCE:
        return ""
    reference = reference.strip(_BLANKS)
    if not reference.isprintable():
        reference = _CONTROL.sub("", reference)
    if not reference:
        return ""
    if reference.startswith("//"):
        reference = "https:" + reference
    elif _names_host(reference, base):  # many forget the scheme
        reference = "https://" + reference
    url = _joined(base, reference)
    return url if url.partition(":")[0] in schemes else ""


def _names_host(reference: str, base: str) -> bool:
    """Whether a reference without a scheme begins with "www." or with the host of `base`: no site
    has a folder of that name."""
    first, slash, _ = reference.partition("/")
    if "." not in first:
        return False
    first = first.lower()
    return first[:4] == "www." or (
        bool(slash) and first[:1] != "." and first == host(base).removeprefix("www.")
    )


def _joined(base: str, reference: str) -> str:
    try:
        return join_url(base, reference) if base else normalize_url(reference)
    except (ValueError, UnicodeError):
        pass
    try:
        return normalize_url(reference)
    except (ValueError, UnicodeError):
        return ""


def loose(url: str) -> str:
    """What of a link stays the same when a site moves to https, adds www. or drops a slash.

    For comparing items, not for dialling. Text that is no http(s) URL is only trimmed.
    """
    parts = split(url.strip())
    if parts is None:
        return url.strip()
    name = parts.host.removesuffix(".").removeprefix("www.")
    port = "" if parts.port in _DEFAULT_PORTS else f":{parts.port}"
    return f"{name}{port}{parts.path.rstrip('/')}{parts.query}"


def without_trackers(url: str) -> str:
    """`url` without the parameters that only follow readers around; for links that are shown.

    Never for keys: a publisher may change his campaign names without changing an item.
    """
    before, mark, rest = url.partition("?")
    if not mark:
        return url
    query, hash_sign, fragment = rest.partition("#")
    pairs = query.split("&")
    kept = [pair for pair in pairs if not is_tracking_parameter(pair.partition("=")[0])]
    if len(kept) == len(pairs):
        return url
    return before + ("?" + "&".join(kept) if kept else "") + hash_sign + fragment
