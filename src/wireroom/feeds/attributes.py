"""What of one attribute is kept: addresses absolute and of known schemes, sizes that are sizes."""

import re

from wireroom.feeds import allowlist, mending
from wireroom.feeds.trackers import is_pixel
from wireroom.feeds.urls import host, resolve, resolve_any, without_trackers

#: How an address begins that needs no parsing, as most do; group 1 is the host.
_PLAIN_HOST = re.compile(r"https?://([a-z0-9.-]*[a-z])(?=/|\Z)")
#: As `_plain`, without parameters: what is neither resolved nor rid of anything.
_SETTLED = re.compile(r"https?://[a-z0-9.-]*[a-z](?:/[!->@-~]*+)?")
_DATA_IMAGE = re.compile(
    rf"data:image/(?:{'|'.join(allowlist.DATA_IMAGES)});base64,[A-Za-z0-9+/=]+", re.IGNORECASE
)
_SIZE = re.compile(r"[0-9]{1,5}%?")
_CANDIDATE = re.compile(r"[\s,]*+(\S++)(?:\s++([^,\s]*+)[^,]*+)?")
_DESCRIPTOR = re.compile(r"[0-9]{1,5}(?:\.[0-9]{1,3})?[wxh]")
#: Candidates of one srcset; publishers' image services list up to 20.
_MAX_CANDIDATES = 32


def kept(tag: str, name: str, value: str, base: str) -> str | None:
    """The value that attribute `name` of element `tag` may have; None for none.

    The attribute is one that `allowlist.ATTRIBUTES` has; references are resolved against `base`.
    """
    if name == "href":
        return value if _SETTLED.fullmatch(value) else _link(value, base)
    if name == "src":
        return _source(tag, value, base)
    if name == "srcset":
        return _srcset(value, base)
    if name in {"poster", "cite"}:
        return _address(value, base)
    if name in {"width", "height"}:
        return value if _SIZE.fullmatch(value) else None
    if name == "class":
        return " ".join(c for c in value.split() if c.startswith("language-")) or None
    return value


def _link(value: str, base: str) -> str | None:
    if not _plain(value):
        value = resolve_any(base, value, allowlist.LINK_SCHEMES)
    return (without_trackers(value) if "?" in value else value) or None


def _address(value: str, base: str) -> str | None:
    return (value if _plain(value) else resolve(base, value)) or None


def _source(tag: str, value: str, base: str) -> str | None:
    if tag == "iframe":
        return mending.embeddable(resolve(base, value)) or None
    if tag != "img":
        return _address(value, base)
    if value[:5].lower() == "data:":
        small = len(value) <= allowlist.MAX_DATA_IMAGE
        return value if small and _DATA_IMAGE.fullmatch(value) else None
    return _picture(value, base)


def _picture(value: str, base: str) -> str | None:
    if plain := _plain(value):
        return None if is_pixel(plain[1], value[plain.end() :]) else value
    url = resolve(base, value)
    name = host(url)
    return None if not url or is_pixel(name, url.partition(name)[2]) else url


def _srcset(value: str, base: str) -> str | None:
    found = []
    for candidate in _CANDIDATE.finditer(value):
        address, descriptor = candidate[1], candidate[2] or ""
        if address.endswith(","):  # the standard: then no descriptor follows
            address, descriptor = address.rstrip(","), ""
        url = _picture(address, base)
        if url and (not descriptor or _DESCRIPTOR.fullmatch(descriptor)):
            found.append(f"{url} {descriptor}".rstrip())
    return ", ".join(found[:_MAX_CANDIDATES]) or None


def _plain(value: str) -> re.Match[str] | None:
    """A match (of the host) for an address that may stay as it is written."""
    if value.isascii() and value.isprintable() and " " not in value:
        return _PLAIN_HOST.match(value)
    return None
