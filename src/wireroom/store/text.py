"""What both engines can keep as text.

Parsers mend nearly everything before it comes here. What is left would make a feed fail at every
poll, and is mended at the last door.
"""

from collections.abc import Sequence


def storable(text: str, limit: int | None = None) -> str:
    """The text cut to `limit` characters, without NUL (PostgreSQL) and half surrogates (UTF-8)."""
    if not text:
        return text
    if limit is not None:
        text = text[:limit]
    if "\0" in text:
        text = text.replace("\0", "\ufffd")
    return text if text.isascii() or _is_encodable(text) else _paired(text)


def storable_column(values: Sequence[str | None], limit: int) -> Sequence[str | None]:
    """`storable` for many texts at once, of which hardly ever one needs anything."""
    texts = [*filter(None, values)]
    whole = "".join(texts)
    sound = "\0" not in whole and (whole.isascii() or _is_encodable(whole))
    if sound and (len(whole) <= limit or max(map(len, texts)) <= limit):
        return values
    return [text if text is None else storable(text, limit) for text in values]


def verbatim(text: str) -> str:
    """The text byte for byte, or nothing where it cannot be kept so: half an ETag is none."""
    return text if storable(text) == text else ""


def _is_encodable(text: str) -> bool:
    try:
        text.encode()
    except UnicodeEncodeError:
        return False
    return True


def _paired(text: str) -> str:
    return text.encode("utf-16", "surrogatepass").decode("utf-16", "replace")
