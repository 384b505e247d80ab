"""Bodies written for a page with scripts are mended so that they show without them.

Lazy images get the address that a script would have given them, the fallback in ``noscript`` takes
the place of what it stands in for, and players become an embed of an allowed host or a link. This
is tree work before the allow-list, which it never replaces: nothing here is trusted afterwards.
"""

import re

from selectolax.lexbor import LexborHTMLParser, LexborNode

from wireroom.feeds.allowlist import EMBEDS, YOUTUBE
from wireroom.feeds.urls import host, resolve

#: Elements that are always looked at.
PLAYERS = ("iframe", "noscript", "embed", "object")
#: How attributes for scripts begin, in any case; the hyphen is sought first since it is rare.
_LAZY = re.compile(r"-(?<=[dD][aA][tT][aA]-)(?=[sSlLoOuU])(?i:src|lazy|orig|url)")
_LAZY_SOURCES = (
    "data-src",
    "data-lazy-src",
    "data-original",
    "data-original-src",
    "data-lazy",
    "data-url",
    "data-orig-file",
)
_LAZY_SETS = ("data-srcset", "data-lazy-srcset", "data-original-set")
_PLACEHOLDER = re.compile(
    r"data:|about:|.*(?:placeholder|spacer|blank|transparent|pixel|lazy|loading|grey|1x1)"
    r"[^/]*\.(?:gif|png|svg|jpe?g|webp)(?:[?#]|$)",
    re.IGNORECASE,
)
_YOUTUBE_ID = re.compile(r"/(?:embed|v)/([\w-]{6,20})", re.ASCII)


def is_lazy(raw: str) -> bool:
    """Whether a body may have images that wait for a script; cheap."""
    return _LAZY.search(raw) is not None


def mended(raw: str, *, players: frozenset[str], base_url: str) -> str:
    """`raw`, which has elements of the names `players`, with all of the above put right."""
    tree = LexborHTMLParser(raw, is_fragment=True)
    for image in tree.css("img, source, video, audio, iframe, embed"):
        _wake(image)
    for fallback in tree.css("noscript:not(noscript noscript)") if "noscript" in players else ():
        _use_fallback(fallback)
    for player in tree.css("object:not(object object)") if "object" in players else ():
        _replace_player(tree, player, _object_source(player), base_url)
    for player in tree.css("iframe, embed") if players else ():
        _replace_player(tree, player, player.attributes.get("src") or "", base_url)
    return tree.html or ""


def embeddable(url: str) -> str:
    """`url` as the address of an allowed player, cookieless where there is a choice; or ""."""
    name = host(url)
    if name in YOUTUBE and (video := _YOUTUBE_ID.search(url)):
        _, mark, query = url.partition("?")
        return f"https://www.youtube-nocookie.com/embed/{video[1]}{mark}{query}"
    path = EMBEDS.get(name)
    return url if path and url.startswith(f"https://{name}{path}") else ""


def _wake(node: LexborNode) -> None:
    """Give a lazy element the address that its page's script would give it."""
    attributes = node.attributes
    source = _first(attributes, _LAZY_SOURCES)
    candidates = _first(attributes, _LAZY_SETS)
    if source and " " not in source and _is_placeholder(attributes.get("src")):
        node.attrs["src"] = source
    if candidates and _is_placeholder(attributes.get("srcset")):
        node.attrs["srcset"] = candidates


def _first(attributes: dict[str, str | None], names: tuple[str, ...]) -> str:
    return next((value for name in names if (value := (attributes.get(name) or "").strip())), "")


def _is_placeholder(address: str | None) -> bool:
    return not address or _PLACEHOLDER.match(address) is not None


def _use_fallback(fallback: LexborNode) -> None:
    """Put an image of ``noscript`` in the place of the lazy one beside it, or where it stands."""
    image = fallback.css_first("img, iframe")
    if image is None:
        fallback.decompose()
        return
    for beside in (fallback.prev, fallback.next):
        lazy = beside.css_first("img, iframe") if beside and beside.is_element_node else None
        if lazy is not None and lazy.tag == image.tag:
            _complete(lazy, image.attributes)
            fallback.decompose()
            return
    fallback.unwrap()


def _complete(lazy: LexborNode, attributes: dict[str, str | None]) -> None:
    """Give a lazy element what its fallback has and it lacks."""
    own = lazy.attributes
    for name, value in attributes.items():
        if value and (not own.get(name) or (name == "src" and _is_placeholder(own.get(name)))):
            lazy.attrs[name] = value


def _object_source(node: LexborNode) -> str:
    inner = node.css_first("embed[src], iframe[src]")
    own = node.attributes.get("data") or ""
    return own or (inner.attributes.get("src") or "" if inner is not None else "")


def _replace_player(tree: LexborHTMLParser, node: LexborNode, source: str, base_url: str) -> None:
    """An allowed player as an empty iframe, another as a link, one without address not at all."""
    url = resolve(base_url, source)
    if not url:
        node.decompose()
        return
    embed = embeddable(url)
    attributes = node.attributes
    new = tree.create_node("iframe" if embed else "a")
    if embed:
        new.attrs["src"] = embed
        for name in ("width", "height", "title"):
            if value := attributes.get(name):
                new.attrs[name] = value
    else:
        new.attrs["href"] = url
        new.insert_child((attributes.get("title") or "").strip() or host(url))
    node.replace_with(new)
