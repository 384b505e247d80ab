"""Characters of broken XML are mended: what stands between tags becomes what XML allows there.

Bare "&", HTML entities, control characters, and CDATA sections that are never closed. It suffices
for most broken feeds and costs little; where tags are wrong too, `nesting` goes on from here. Both
are linear in the size of the document, nothing is fetched and no entity of the document's own
making is expanded.
"""

import re
from html.entities import html5

_ILLEGAL = re.compile("[\0-\x08\x0b\x0c\x0e-\x1f\ud800-\udfff\ufffe\uffff]+")
_REFERENCE = re.compile(r"&(?:#(?:([0-9]+)|[xX]([0-9a-fA-F]+));?|(\w{1,32});)?")
#: As numbers, since libxml2 drops the named ones behind the first mistake that it recovers from.
_XML_ENTITIES = {"amp": "&#38;", "lt": "&#60;", "gt": "&#62;", "quot": "&#34;", "apos": "&#39;"}
_LAST_CODE_POINT = 0x10FFFF
_MAX_DIGITS = 16
_SECTION = b"<![CDATA["
#: The start tag of the element in whose text a CDATA section begins.
_HOLDER = re.compile(rb"<([\w:.-]+)(?:\s[^<>]*)?>[^<>]*\Z")
_TAG_BYTES = 512


def characters(text: str) -> str:
    """Mend everything between tags and outside CDATA that XML does not allow there."""
    text = _ILLEGAL.sub("", text)
    if "&" not in text and "]]>" not in text:
        return text
    pieces = []
    position = 0
    while True:
        opening = text.find("<![CDATA[", position)
        closing = text.find("]]>", opening) if opening >= 0 else -1
        if closing < 0:
            pieces.append(_mended(text[position:]))
            return "".join(pieces)
        pieces += _mended(text[position:opening]), text[opening : closing + 3]
        position = closing + 3


def _mended(text: str) -> str:
    if "]]>" in text:
        text = text.replace("]]>", "]]&#62;")
    return _REFERENCE.sub(_reference, text) if "&" in text else text


def _reference(match: re.Match[str]) -> str:
    decimal, hexadecimal, name = match.groups()
    if name:
        lower = name.lower()
        meant = _XML_ENTITIES.get(lower) or html5.get(f"{name};") or html5.get(f"{lower};")
        return meant.replace("<", "&#60;") if meant else "&#38;" + match[0][1:]
    if decimal or hexadecimal:
        return _character(decimal, 10) if decimal else _character(hexadecimal, 16)
    return _XML_ENTITIES["amp"]


def _character(digits: str, base: int) -> str:
    """The character of a numeric reference, nothing when there is none such in XML."""
    code = int(digits, base) if len(digits) <= _MAX_DIGITS else _LAST_CODE_POINT + 1
    if code > _LAST_CODE_POINT or _ILLEGAL.match(chr(code)):
        return ""
    return f"&#{code};"


def closed_sections(utf8: bytes) -> bytes:
    """`utf8` with every CDATA section that was never closed ending where its element does.

    Otherwise it would go on to the end of the next one and swallow all fields between.
    """
    first, *pieces = utf8.split(_SECTION)
    mended = [first]
    for before, piece in zip((first, *pieces), pieces[:-1], strict=False):
        holder = _HOLDER.search(before[-_TAG_BYTES:])
        end = piece.find(b"</" + holder[1]) if holder and b"]]>" not in piece else -1
        mended.append(piece[:end] + b"]]>" + piece[end:] if end >= 0 else piece)
    return _SECTION.join((*mended, *pieces[-1:]))
