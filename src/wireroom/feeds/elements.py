"""Reading of single elements: their text, HTML, addresses and dates."""

import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from datetime import datetime
from hashlib import sha256
from html import escape, unescape
from itertools import islice

from lxml import etree

from wireroom.feeds import dates, plaintext, sanitize, urls
from wireroom.feeds.attributes import srcset
from wireroom.feeds.encoding import repair_double_utf8
from wireroom.feeds.limits import MAX_CONTENT, MAX_NAME, MAX_TITLE, MAX_URL, PARSER_VERSION
from wireroom.feeds.model import Digest, SafeHtml
from wireroom.feeds.namespaces import Names, names_for
from wireroom.feeds.xml import Tree

Element = etree._Element  # noqa: SLF001 - the only name lxml has for it
#: An element's children by short name, each list in document order.
Fields = dict[str, list[Element]]

_XML_BASE = "{http://www.w3.org/XML/1998/namespace}base"
_XML_LANG = "{http://www.w3.org/XML/1998/namespace}lang"

_DOUBLE_UTF8 = re.compile(rb"\xc3[\x82-\xb4]\xc2[\x80-\xbf]")
_C1 = re.compile(rb"\xc2[\x80-\x9f]")
_C1_REFERENCE = re.compile(rb"&#(?:0*1[2-5]\d|[xX]0*[89][0-9a-fA-F]);")
_C1_CHARACTER = re.compile("[\x80-\x9f]")
_WINDOWS_1252 = {chr(code): bytes([code]).decode("cp1252", "ignore") for code in range(0x80, 0xA0)}

_PREFIXED_TAG = re.compile(r"(</?)[\w.-]+:")
_SELF_CLOSED = re.compile(r"<([\w.-]+)((?:\s[^<>]*)?)/>")
_VOID = frozenset(
    [
        "area",
        "base",
        "br",
        "col",
        "embed",
        "hr",
        "img",
        "input",
        "link",
        "meta",
        "source",
        "track",
        "wbr",
    ]
)
_ANCHOR = re.compile(r"""\s*<a\s[^<>]*?href\s*=\s*["']([^"'<>]*)""", re.IGNORECASE)
_SCHEME = re.compile(r"\A\s*(?:https?:/{1,3})?(https?):/{1,3}(?![/?#])", re.IGNORECASE)
#: Spelt out, a set of characters is a table; with \w in it each is looked up, at twice the cost.
_OF_PATH = r"[A-Za-z0-9_~!$*+,;=:@?#.()-]"
#: An absolute address that parsing would leave as it is: nine of ten, at a tenth of the cost.
_SETTLED_URL = re.compile(
    rf"https?://(?:(?!xn--)[a-z0-9][a-z0-9-]*\.)+[a-z]{{2,24}}(?=/){_OF_PATH}*+"
    rf"(?:(?:/(?!\.)|%(?!2[eE])|&(?!amp;)){_OF_PATH}*+)*+"
)
_REFERENCES = ("href", "src", "cite", "poster", "longdesc")


@dataclass(frozen=True, slots=True)
class Reading:
    """One tree while it is read.

    `url` is the address of the document. `is_rebuilt` says that its tags were put together anew,
    so that elements may stand anywhere.
    """

    url: str
    root: Element
    names: Names
    has_bases: bool = False
    is_rebuilt: bool = False
    mend: Callable[[str], str] | None = None

    def fields(self, element: Element) -> Fields:
        """The children of `element` by short name."""
        fields: Fields = {}
        names = self.names
        for child in element:
            name = names[child.tag]
            if name in fields:
                fields[name].append(child)
            else:
                fields[name] = [child]
        return fields

    def raw(self, element: Element) -> str:
        """All text in `element` without its markup; only bytes are mended."""
        text = "".join(map(str, element.itertext())) if len(element) else element.text
        if not text:
            return ""
        return self.mend(text) if self.mend is not None else text

    def text(self, element: Element, limit: int = MAX_TITLE) -> str:
        """The plain text that `element` stands for, when it may hold HTML (as in RSS)."""
        raw = self.raw(element)
        return as_text(raw, limit) if raw else ""

    def markup(self, element: Element) -> str:
        """The raw HTML in `element`: escaped text as it is, child elements written out."""
        if len(element):
            html = self._inner(element)
            return self.mend(html) if self.mend is not None else html
        return self.raw(element)

    def html(self, raw: str, base_url: str) -> SafeHtml | None:
        """Sanitised HTML, None when nothing is left of it."""
        if not raw or raw.isspace():
            return None
        return sanitize.html(raw[:MAX_CONTENT], base_url=base_url) or None

    def first_date(self, fields: Fields, names: Sequence[str]) -> datetime | None:
        """The first readable date among the fields called `names`, tried in that order."""
        for name in names:
            for element in fields.get(name, ()):
                raw = self.raw(element)
                if raw and (when := dates.read(raw)):
                    return when
        return None

    def first_text(self, fields: Fields, names: Sequence[str], limit: int = MAX_TITLE) -> str:
        """The first text among the fields called `names` that is not empty, in that order."""
        for name in names:
            for element in fields.get(name, ()):
                if text := self.text(element, limit):
                    return text
        return ""

    def base(self, element: Element) -> str:
        """The address that relative references in `element` start from (XML Base)."""
        if not self.has_bases:
            return self.url
        chain = [element.get(_XML_BASE), *(a.get(_XML_BASE) for a in element.iterancestors())]
        url = self.url
        for base in reversed(chain):
            if base:
                url = urls.resolve(url, base.strip()) or url
        return url

    def url_in(self, element: Element, reference: str | None = None) -> str:
        """`reference`, or else the text of `element`, as an absolute address, or ""."""
        reference = (self.raw(element) if reference is None else reference).strip()
        return reference if _is_settled(reference) else _resolved(self.base(element), reference)

    def first_url(self, fields: Fields, names: Sequence[str]) -> str:
        for name in names:
            for element in fields.get(name, ()):
                if url := self.url_in(element):
                    return url
        return ""

    def html_base(self, element: Element, preferred: str) -> str:
        """The base of the HTML in `element`: xml:base where there is one, else `preferred`."""
        base = self.base(element)
        return preferred if preferred and base == self.url else base

    def _inner(self, element: Element) -> str:
        if self.has_bases:
            self._apply_nested_bases(element)
        parts = [escape(element.text or "", quote=False)]
        parts += (etree.tostring(child, encoding="unicode") for child in element)
        html = _PREFIXED_TAG.sub(r"\1", "".join(parts))
        return _SELF_CLOSED.sub(_opened_and_closed, html)

    def _apply_nested_bases(self, element: Element) -> None:
        """Make references below any xml:base absolute: HTML knows no such attribute.

        `element` may be the div inside of XHTML content, with a base that the content has not.
        """
        if all(_XML_BASE not in inner.attrib for inner in element.iter()):
            return
        waiting = [(child, self.base(element)) for child in element]
        while waiting:  # from the top, so that every base is resolved once
            inner, base = waiting.pop()
            if own := (inner.get(_XML_BASE) or "").strip():
                base = urls.resolve(base, own) or base
            _make_absolute(inner, base)
            waiting += [(child, base) for child in inner]


def _mender(utf8: bytes) -> Callable[[str], str] | None:
    """What to do with every string of a document, None when nothing."""
    has_latin = b"\xc2" in utf8
    if has_latin and _DOUBLE_UTF8.search(utf8):
        return _without_c1_and_double_utf8
    if (has_latin and _C1.search(utf8)) or _C1_REFERENCE.search(utf8):
        return _without_c1
    return None


def as_text(raw: str, limit: int) -> str:
    """Plain text of at most `limit` characters from text that may hold HTML."""
    return sanitize.text(raw[: 16 * limit])[:limit].rstrip()


def as_line(raw: str, limit: int) -> str:
    """Text of at most `limit` characters in which "<" is itself, entities a common mistake."""
    return plaintext.line(unescape(raw[: 16 * limit]))[:limit].rstrip()


def as_url(base: str, reference: str) -> str:
    """An absolute address of at most 2048 characters, "" when `reference` gives none."""
    return reference if _is_settled(reference) else _resolved(base, reference)


def _is_settled(reference: str) -> bool:
    return len(reference) <= MAX_URL and _SETTLED_URL.fullmatch(reference) is not None


def _resolved(base: str, reference: str) -> str:
    if not reference or len(reference) > MAX_URL:
        return ""
    if "&amp;" in reference:
        # Escaped twice; no address has such a thing in it.
        reference = reference.replace("&amp;", "&")
    url = urls.resolve(base, _mended(reference))
    return url if len(url) <= MAX_URL else ""


def _mended(reference: str) -> str:
    """What is meant by a whole anchor, a scheme written twice, and too many slashes or too few."""
    if anchor := _ANCHOR.match(reference):
        reference = anchor[1]
    return _SCHEME.sub(r"\1://", reference, count=1)


def nested(item: Element) -> Iterator[Element]:
    """`item` and the items that a confused publisher put right into it, in document order."""
    waiting = [item]
    while waiting:
        element = waiting.pop()
        yield element
        waiting.extend(element.iterchildren(element.tag, reversed=True))


def language_of(element: Element) -> str:
    return (element.get(_XML_LANG) or "").strip()[:MAX_NAME]


def attribute(element: Element, name: str) -> str:
    """The attribute called `name` whatever its case, stripped; "" when absent."""
    value = element.get(name)
    if value is not None:
        return value.strip()
    for key in element.keys():  # noqa: SIM118 - an element is no dict, and its items() is quadratic
        if key.lower() == name:
            return (element.get(key) or "").strip()
    return ""


def prefixed_attribute(element: Element, name: str) -> str:
    """The attribute called `name` in whatever namespace, or behind an undeclared prefix."""
    for key in element.keys():  # noqa: SIM118 - see `attribute`
        if str(key).endswith((f"}}{name}", f":{name}")):
            return element.get(key) or ""
    return ""


def reading_of(tree: Tree, utf8: bytes, url: str) -> Reading:
    """All that reading the elements of `tree` depends on; it was made of `utf8`."""
    root = tree.root
    return Reading(
        url=url,
        root=root,
        names=names_for(root.tag, (child.tag for child in islice(root, 8)), root.nsmap),
        has_bases=b"xml:base" in utf8,
        is_rebuilt=tree.is_rebuilt,
        mend=_mender(utf8),
    )


def digester(*depends_on: object) -> Callable[[bytes | memoryview], Digest]:
    """What makes digests of the raw items of one document, whose reading `depends_on` this.

    SHA-256 since processors compute it: for an item it takes half the time of BLAKE2.
    """
    seed = sha256(PARSER_VERSION + repr(depends_on).encode("utf-8", "replace"))

    def digest_of(raw_item: bytes | memoryview) -> Digest:
        digest = seed.copy()
        digest.update(raw_item)
        return Digest(digest.digest()[:16])

    return digest_of


def _make_absolute(element: Element, base: str) -> None:
    for name in _REFERENCES:
        if reference := element.get(name):
            element.set(name, urls.resolve(base, reference) or reference)
    if candidates := element.get("srcset"):
        element.set("srcset", srcset(candidates, base) or "")


def _opened_and_closed(match: re.Match[str]) -> str:
    """`<p/>` is an empty paragraph in XML and the start of one in HTML."""
    name, attributes = match.groups()
    return match[0] if name in _VOID else f"<{name}{attributes}></{name}>"


def _without_c1(text: str) -> str:
    """C1 controls are windows-1252 that was taken for Latin-1."""
    if text.isascii():
        return text
    return _C1_CHARACTER.sub(lambda match: _WINDOWS_1252[match[0]], text)


def _without_c1_and_double_utf8(text: str) -> str:
    return _without_c1(repair_double_utf8(text))
