"""From the bytes of an uploaded list to an element tree: unpacked, decoded, mended, and harmless.

Entities declared in the document are refused before anything is parsed (OPML-08); nothing outside
the document is ever loaded.
"""

import re
import zipfile
import zlib
from html.entities import html5
from io import BytesIO

from lxml import etree

from wireroom.errors import UserError
from wireroom.feeds import encoding

_DECLARATION = re.compile(r"\A\s*+<\?xml\b[^>]*+>")
_ENTITY_DECLARATION = re.compile(r"<!\s*ENTITY\b", re.IGNORECASE)
#: What XML 1.0 §2.2 leaves out; lone surrogates cannot be encoded either.
ILLEGAL = re.compile(r"[\x00-\x08\x0b\x0c\x0e-\x1f\ud800-\udfff\ufffe\uffff]")
_AMPERSAND = re.compile(r"&(?:(#[0-9]{1,7}|#[xX][0-9a-fA-F]{1,6}|[A-Za-z][A-Za-z0-9]{1,31});)?")
_OF_XML = frozenset({"amp", "lt", "gt", "quot", "apos"})
_VALUE = r"\s*+[^\s=<>\"'/]++\s*+=\s*+(?:\"[^\"]*+\"|'[^']*+')"
# An outline up to its last well-written attribute, for escaping the angle brackets in them.
_OUTLINE = re.compile(rf"<outline\b(?:{_VALUE})++", re.IGNORECASE)
_BARE_VALUE = r"\s++[^\s=<>\"'/]++\s*+=\s*+[^\s\"'<>]++"
# An outline up to its last attribute, with or without quotes.
_LOOSE_OUTLINE = re.compile(rf"<outline\b(?:{_VALUE}|{_BARE_VALUE})++", re.IGNORECASE)
_QUOTED_OR_BARE = re.compile(r"\"[^\"]*+\"|'[^']*+'|=\s*+([^\s\"'<>]++)")
# libxml2 is quadratic in the attributes of an element: 150,000 in 2 MB kept it busy for 4 minutes.
_TOO_MANY_ATTRIBUTES = re.compile(rf"<[^\s<>]++(?:{_VALUE}){{256}}")
_ROOTS = frozenset({"opml", "outline", "body", "outlinedocument"})


def parsed(document: bytes, *, most_bytes: int) -> etree._Element:
    """The root element; raises UserError (`invalid_opml`) for anything that cannot be a list."""
    text = encoding.read(_unpacked(document, most_bytes)).text
    if _ENTITY_DECLARATION.search(text):
        raise _invalid("The file declares entities, which lists never need; it was not read.")
    text = mended(_DECLARATION.sub("", text, count=1))
    if _TOO_MANY_ATTRIBUTES.search(text):
        raise _invalid("An element in the file has hundreds of attributes; it was not read.")
    parser = etree.XMLParser(
        recover=True, resolve_entities=False, no_network=True, load_dtd=False, huge_tree=False,
        remove_comments=True, remove_pis=True, encoding="utf-8",
    )  # fmt: skip
    try:
        root = etree.fromstring(text.encode("utf-8"), parser)
    except etree.XMLSyntaxError as error:
        raise _invalid("The file is no OPML: it cannot be read as XML.") from error
    if any(each.type == etree.ErrorTypes.ERR_RESOURCE_LIMIT for each in parser.error_log):
        # libxml2 ends there, and would silently lose all that follows.
        raise _invalid("Outlines in the file lie in each other more than 250 deep.")
    if root is None or local_name(root) not in _ROOTS:
        raise _invalid("The file is no OPML: its first element is not <opml>.")
    return root


def local_name(element: etree._Element) -> str:
    """An element's name in small letters, without its namespace.

    Not by lxml's `QName`: it refuses names such as ":opml", which libxml2's recovery lets through.
    """
    return str(element.tag).rpartition("}")[2].lower()


def mended(text: str) -> str:
    """`text` without what makes XML parsers drop attributes: see each step. Line ends stay."""
    text = ILLEGAL.sub("", text).lstrip()
    if "&" in text:
        text = _AMPERSAND.sub(_as_xml, text)
    text = _LOOSE_OUTLINE.sub(_with_values_quoted, text)
    return _OUTLINE.sub(_with_angles_escaped, text)


def _as_xml(reference: re.Match[str]) -> str:
    """A reference that XML knows; HTML's names become characters, a bare ampersand is escaped."""
    name = reference[1]
    if name is None:
        return "&amp;"
    if name.startswith("#"):
        number = int("0" + name[1:], 16 if name[1] in "xX" else 10)
        legal = number <= 0x10FFFF and not ILLEGAL.match(chr(number))
        return f"&#{number};" if legal else ""
    if name in _OF_XML:
        return reference[0]
    return html5.get(f"{name};") or f"&amp;{name};"


def _with_values_quoted(tag: re.Match[str]) -> str:
    return _QUOTED_OR_BARE.sub(lambda each: f'="{each[1]}"' if each[1] else each[0], tag[0])


def _with_angles_escaped(tag: re.Match[str]) -> str:
    return "<" + tag[0][1:].replace("<", "&lt;")


def _unpacked(document: bytes, most_bytes: int) -> bytes:
    """The file itself, or what is compressed in it; never more than `most_bytes`."""
    try:
        if document.startswith(b"\x1f\x8b"):
            document = zlib.decompressobj(wbits=31).decompress(document, most_bytes + 1)
        elif document.startswith(b"PK\x03\x04"):
            document = _unzipped(document, most_bytes)
    except (zlib.error, zipfile.BadZipFile, NotImplementedError, RuntimeError, EOFError) as error:
        raise _invalid("The compressed file is damaged or needs a password.") from error
    if len(document) > most_bytes:
        raise _invalid(f"The file is larger than {most_bytes // 1024:,} KB.")
    return document


def _unzipped(document: bytes, most_bytes: int) -> bytes:
    with zipfile.ZipFile(BytesIO(document)) as archive:
        files = [entry for entry in archive.infolist() if not entry.is_dir()]
        if len(files) != 1:
            raise _invalid("The zip file must hold one OPML file and nothing else.")
        with archive.open(files[0]) as file:
            return file.read(most_bytes + 1)


def _invalid(sentence: str) -> UserError:
    return UserError(sentence, code="invalid_opml")
