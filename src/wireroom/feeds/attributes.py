"""What of attributes is kept: addresses absolute and of known schemes, sizes that are sizes.

This reads the HTML that nh3 wrote. By the HTML standard it has an angle bracket nowhere but around
tags, since they are escaped in texts and in attributes, so a regular expression cannot be led
astray. A callback of nh3 for each attribute would cost twice as much.
"""

import re
from html import escape, unescape

from wireroom.feeds import allowlist, mending
from wireroom.feeds.trackers import is_pixel, may_track
from wireroom.feeds.urls import host, resolve, resolve_any, without_trackers

# Most links may stay as they are, and the pattern of tags does not even find them; of other links
# and of most pictures the same is told by one look at all their attributes.
_HOST = r"[a-z0-9.-]*[a-z]"
_PATH = r"/[!#-%'->@-~]*+"
_QUERY = r"\?(?:[!#-%'-~]++|&amp;)*+"
_BESIDE = r'(?: (?:title|lang|dir)="[^"]*")*+'
_SETTLED_LINK = re.compile(rf'{_BESIDE} href="https?://{_HOST}(?:{_PATH}({_QUERY})?)?"{_BESIDE}')
_SETTLED_PICTURE = re.compile(
    rf'(?: src="https?://({_HOST})({_PATH}(?:{_QUERY})?)"'
    r'| (?:width|height)="(?![0-2]")[0-9]{1,5}%?"'
    r'| (?:alt|title|loading|lang|dir|sizes)="[^"]*")*+'
)
#: A tag with attributes that are looked at, and one of these; the first lookahead passes quickly
#: over most of the others.
_TAG = re.compile(
    r"<(?=[abcdiqstv][efilmnoru ])"
    rf'(a(?= )(?!{_BESIDE} href="https?://{_HOST}(?:{_PATH})?"{_BESIDE}>)'
    r"|img|(?:audio|blockquote|code|del|iframe|ins|q|source|track|video)(?= ))([^>]*)>"
)
_CHECKED = re.compile(r' (cite|class|height|href|poster|src|srcset|width)="([^"]*)"')
_SHOWS_SOMETHING = re.compile(r' (?:src|srcset)="[^"]')
_TINY = re.compile(r' (?:width|height)="[0-2](?:px)?"')
_IMPOSED_ON_LINKS = f"<a {allowlist.IMPOSED['a']} "
_IMPOSED_ON_MEDIA = {tag: words for tag, words in allowlist.IMPOSED.items() if tag != "a"}

#: How an address begins that needs no parsing, as most do; group 1 is the host.
_PLAIN_HOST = re.compile(r"https?://([a-z0-9.-]*[a-z])(?=/|\Z)")
_DATA_IMAGE = re.compile(
    rf"data:image/(?:{'|'.join(allowlist.DATA_IMAGES)});base64,[A-Za-z0-9+/=]+", re.IGNORECASE
)
_SIZE = re.compile(r"([0-9]{1,5}%?)(?:px)?")
_CANDIDATE = re.compile(r"[\s,]*+(\S++)(?:\s++([^,\s]*+)[^,]*+)?")
_DESCRIPTOR = re.compile(r"[0-9]{1,5}(?:\.[0-9]{1,3})?[wxh]")
#: Candidates of one srcset; publishers' image services list up to 20.
_MAX_CANDIDATES = 32


def with_checked_attributes(html: str, base_url: str) -> str:
    """What nh3 wrote without the attributes and pictures that may not be; see `_kept`."""
    checked = _TAG.sub(lambda tag: _checked_tag(tag, base_url), html)
    return checked.replace("<a ", _IMPOSED_ON_LINKS)


def _checked_tag(found: re.Match[str], base_url: str) -> str:
    tag, attributes = found.groups()
    if tag == "a":
        if _is_settled_link(attributes):
            return found[0]
    elif tag == "img":
        if _TINY.search(attributes):
            return ""
        if _is_settled_picture(attributes):
            return found[0]
    checked = _CHECKED.sub(lambda one: _checked(tag, one, base_url), attributes)
    if tag == "img" and not _SHOWS_SOMETHING.search(checked):
        return ""
    if checked and (imposed := _IMPOSED_ON_MEDIA.get(tag)):
        return f"<{tag} {imposed}{checked}>"
    return f"<{tag}{checked}>"


def _is_settled_link(attributes: str) -> bool:
    match = _SETTLED_LINK.fullmatch(attributes)
    return match is not None and not (match[1] and may_track(match[1]))


def _is_settled_picture(attributes: str) -> bool:
    match = _SETTLED_PICTURE.fullmatch(attributes)
    return match is not None and match[1] is not None and not is_pixel(match[1], match[2])


def _checked(tag: str, attribute: re.Match[str], base_url: str) -> str:
    name, written = attribute.groups()
    value = unescape(written) if "&" in written else written
    allowed = _kept(tag, name, value, base_url)
    if allowed is None or allowed == value:
        return "" if allowed is None else attribute[0]
    escaped = escape(allowed, quote=False).replace('"', "&quot;").replace("\xa0", "&nbsp;")
    return f' {name}="{escaped}"'


def _kept(tag: str, name: str, value: str, base: str) -> str | None:
    """The value that attribute `name` of element `tag` may have; None for none.

    The attribute is one that `allowlist.ATTRIBUTES` has; references are resolved against `base`.
    """
    if name == "href":
        return _link(value, base)
    if name == "src":
        return _source(tag, value, base)
    if name == "srcset":
        return srcset(value, base)
    if name in {"poster", "cite"}:
        return _address(value, base)
    if name in {"width", "height"}:
        size = _SIZE.fullmatch(value)
        return size[1] if size else None
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


def srcset(value: str, base: str) -> str | None:
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
