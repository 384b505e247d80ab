"""A web page reduced to what finding feeds needs: links, anchors and the facts in its head.

HTML tree builders are quadratic in the depth of nesting (100,000 open elements keep one busy for
14 s). So the tree builder never sees a nested page: everything but the handful of elements that
matter is taken out of the source first, in linear time, and what is left cannot nest.
"""

import codecs
import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from html import unescape
from itertools import islice

from selectolax.lexbor import LexborHTMLParser, LexborNode

#: How much of a page is looked at: 512 KB (HTTP-36). Heads longer than that have not been met.
PAGE_BYTES = 512 * 1024
#: A tag longer than this many characters is ignored: a tag's attributes cost quadratic time, too.
TAG_CHARACTERS = 4096
#: How many elements of a page are looked at.
MOST_ELEMENTS = 20_000

_KEPT = "base|link|meta|a|img"
# In this order: over-long tags, comments, elements whose content is no markup, all other tags.
# Each branch runs to the end of the page where its end is missing, so that none is scanned twice.
_UNWANTED = re.compile(
    rf"""
    </?[a-z] [^>]{{{TAG_CHARACTERS},}}+ (?:>|\Z)
    | <!--(?:-?>|.*?(?:--!?>|\Z))
    | <(script|style|textarea|title|iframe|noembed|noframes|xmp)(?=[\s/>])
        .*? (?:</\1(?=[\s/>])[^>]*(?:>|\Z)|\Z)
    | </?(?!(?:{_KEPT})(?=[\s/>]))[a-z] [^>]*(?:>|\Z)
    """,
    re.VERBOSE | re.IGNORECASE | re.DOTALL,
)
_BODY = re.compile(r"<(?:body|svg)[\s>]", re.IGNORECASE)
_TITLE = re.compile(r"<title(?:\s[^<>]{0,200})?>([^<]{1,1000})", re.IGNORECASE)
_HTML = re.compile(rf"<html\s[^<>]{{0,{TAG_CHARACTERS}}}", re.IGNORECASE)
_LANGUAGE = re.compile(r"\s(?:xml:)?lang\s*=\s*[\"']?([a-z]{2,3}(?:[-_]\w{2,8})*)", re.IGNORECASE)
_META_CHARSET = re.compile(
    rb"<meta[^>]{0,200}?charset\s*=\s*[\"']?\s*([\w.:-]{1,40})", re.IGNORECASE
)
_HEADER_CHARSET = re.compile(r"charset\s*=\s*[\"']?\s*([\w.:-]{1,40})", re.IGNORECASE)
_XML_ENCODING = re.compile(
    rb"^\s*<\?xml[^>]{0,100}?encoding\s*=\s*[\"']([\w.:-]{1,40})", re.IGNORECASE
)
_MARKS = (
    (codecs.BOM_UTF8, "utf-8"),
    (codecs.BOM_UTF16_LE, "utf-16-le"),
    (codecs.BOM_UTF16_BE, "utf-16-be"),
)
# Names that mean more on the web than they say (WHATWG encoding standard).
_WEB_NAMES = {
    "iso-8859-1": "cp1252",
    "latin1": "cp1252",
    "us-ascii": "cp1252",
    "ascii": "cp1252",
    "gb2312": "gb18030",
    "gbk": "gb18030",
    "shift_jis": "cp932",
    "x-sjis": "cp932",
    "euc-kr": "cp949",
    "ks_c_5601-1987": "cp949",
}


@dataclass(frozen=True, slots=True)
class Link:
    """A link element, or an anchor (then `title` falls back on its text). `href` is as written.

    `rels` are the lower-case tokens of rel; `media_type` is lower case and without parameters.
    """

    href: str
    rels: frozenset[str] = frozenset()
    media_type: str = ""
    title: str = ""
    language: str = ""
    #: Of icons: "32x32 64x64", "any".
    sizes: str = ""


@dataclass(frozen=True, slots=True)
class WebPage:
    """What was found, in document order; `base` is the href of the first base element with one.

    `title` is that of the head, `language` what the page says that it is written in ("de-AT").
    """

    source: str
    base: str
    links: tuple[Link, ...]
    anchors: tuple[Link, ...]
    metas: Mapping[str, str]
    title: str = ""
    language: str = ""


def read(html: bytes, *, content_type: str = "") -> WebPage:
    """Read the first `PAGE_BYTES` of a page; never raises."""
    source = decoded(html[:PAGE_BYTES], content_type=content_type)
    tree = LexborHTMLParser(_UNWANTED.sub(" ", source.replace("\0", "")))
    base = ""
    links: list[Link] = []
    anchors: list[Link] = []
    metas: dict[str, str] = {}
    for node in _elements(tree):
        if node.tag == "base":
            base = base or (node.attributes.get("href") or "").strip()
        elif node.tag == "meta":
            for name, content in _meta(node):
                metas.setdefault(name, content)
        elif link := _link(node):
            (links if node.tag == "link" else anchors).append(link)
    title, language = _facts(source)
    return WebPage(
        source,
        base,
        tuple(links),
        tuple(anchors),
        metas,
        title,
        language or metas.get("og:locale", ""),
    )


def _facts(source: str) -> tuple[str, str]:
    """Title and language, from what stands before the body: pictures in it have titles, too."""
    body = _BODY.search(source)
    head = source[: body.start()] if body else source
    title = _TITLE.search(head)
    html = _HTML.search(head)
    language = _LANGUAGE.search(html[0]) if html else None
    told = " ".join(unescape(title[1]).split()) if title else ""
    return told, language[1] if language else ""


def decoded(html: bytes, *, content_type: str = "") -> str:
    """The text of a page: by BOM, as UTF-8, as header or page say, or as Windows-1252 at last.

    Mistakes only cost titles: addresses are ASCII in nearly all of them.
    """
    for mark, encoding in _MARKS:
        if html.startswith(mark):
            return html.decode(encoding, "replace").removeprefix("\ufeff")
    told = _told(html, content_type)
    try:
        # A page cut at the limit may end within a character: that alone is no fault.
        return codecs.getincrementaldecoder("utf-8")().decode(html)
    except UnicodeDecodeError:
        return html.decode(told or "cp1252", "replace")


def _told(html: bytes, content_type: str) -> str:
    """The codec that the header or the page names; "" without one, or when it is unknown."""
    head = html[:4096]
    in_header = _HEADER_CHARSET.search(content_type)
    in_page = _META_CHARSET.search(head) or _XML_ENCODING.search(head)
    names = [
        in_header[1] if in_header else "",
        in_page[1].decode("ascii", "ignore") if in_page else "",
    ]
    for name in names:
        try:
            codec = codecs.lookup(_WEB_NAMES.get(name.lower(), name)) if name else None
        except LookupError:
            continue
        if codec is not None and codec._is_text_encoding:  # noqa: SLF001 - rot13 and zip are codecs too
            return codec.name
    return ""


def _elements(tree: LexborHTMLParser) -> Iterator[LexborNode]:
    if tree.root is not None:
        wanted = (
            node for node in tree.root.traverse() if node.tag in ("base", "meta", "link", "a")
        )
        yield from islice(wanted, MOST_ELEMENTS)


def _meta(node: LexborNode) -> Iterator[tuple[str, str]]:
    attributes = node.attributes
    content = attributes.get("content")
    for key in ("name", "property", "itemprop", "http-equiv"):
        name = attributes.get(key)
        if name and content:
            yield name.strip().lower(), content.strip()


def _words(anchor: LexborNode) -> str:
    """What an anchor is called: its text, its label, or the words for the picture in it."""
    told = anchor.text().strip() or anchor.attributes.get("aria-label")
    if not told and (picture := anchor.css_first("img")) is not None:
        told = picture.attributes.get("alt")
    return told or ""


def _link(node: LexborNode) -> Link | None:
    attributes = node.attributes
    href = (attributes.get("href") or "").strip()
    if not href:
        return None
    title = attributes.get("title") or (_words(node) if node.tag == "a" else "")
    return Link(
        href=href,
        rels=frozenset((attributes.get("rel") or "").lower().split()),
        media_type=(attributes.get("type") or "").partition(";")[0].strip().lower(),
        title=" ".join(title.split())[:200],
        language=(attributes.get("hreflang") or "").strip(),
        sizes=(attributes.get("sizes") or "").strip(),
    )
