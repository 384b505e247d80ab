"""UTF-8 with bytes of other encodings in it, read piece by piece so that no letter is lost.

Such documents come of templates and databases that each write their own encoding, and of programs
that cut texts after so many bytes. A piece is what stands between two tags or line ends. What can
be told is kept: a piece in another encoding, letters and marks of windows-1252, emoji of which
each half was encoded by itself. The rest is left out (PRS-32): halves of characters, and bytes
that no text has.
"""

import codecs
import re
from collections.abc import Callable, Iterator

#: From what is not ASCII to the next tag or line end.
_PIECE_ENDS = re.compile(rb"[\x80-\xff][^\n<>]*")
#: Bytes looked at to see what a document is mostly in.
_SAMPLE_BYTES = 65_536
#: A piece in another encoding has so many bytes that are no UTF-8, and none that are.
_FOREIGN_BYTES = 4
#: How many times more pieces must be UTF-8 than not, where something else was claimed.
_AGAINST_CLAIM = 4
#: For one piece that is UTF-8 so many others may be none, where nothing else was claimed.
_FEW_SUFFICE = 3
#: So few bad bytes tell nothing of an encoding.
_FEW_BYTES = 4

_ENDS_TO_LINES = bytes.maketrans(b"<>", b"\n\n")
#: What stands for bytes that are no UTF-8.
_ESCAPED = re.compile(r"[\udc80-\udcff]")
_NOT_ASCII = re.compile(r"[^\x00-\x7f]")
_HIGH = re.compile(rb"[\x80-\xff]+")
_LONG_HIGH = re.compile(rb"[\x80-\xff]{3,}")
_HALVES = re.compile(rb"\xed[\xa0-\xaf][\x80-\xbf]\xed[\xb0-\xbf][\x80-\xbf]")
#: Characters cut short after two bytes or three, and single halves of pairs: nothing but UTF-8.
_CUT_SHORT = re.compile(
    rb"(?:[\xe1-\xec\xee\xef][\x80-\xbf]|[\xf0-\xf4][\x80-\xbf]{1,2})(?![\x80-\xbf])"
    rb"|\xed[\xa0-\xbf][\x80-\xbf]"
)
_LOST = "\ufffd"

_UPPER = frozenset(range(0xC0, 0xDF)) - {0xD7}
#: Without the last two, which stand for broken bytes far more often than for a letter.
_LOWER = frozenset(range(0xDF, 0xFE)) - {0xF7}
#: Dashes, quotes, dots, signs and the blank that does not break, as windows-1252 has them.
_MARKS = frozenset(
    b"\x82\x84\x85\x91\x92\x93\x94\x95\x96\x97\x99\xa0\xa3\xa7\xa9\xab\xae\xb0\xb7\xbb"
)
#: Those of them that follow a letter at once in French.
_MARKS_AFTER_LETTERS = frozenset(b"\xa0\xbb\x92\x94\x85")
_EURO = 0x80
#: Bytes that no windows-1252 text has, or hardly any.
_NO_LETTERS = re.compile(rb"[\x81\x8d\x8f\x90\x9d\xfe\xff]")
_BEFORE_A_LONE_LETTER = frozenset(b" \t\r\n'(>-\"")
_BEHIND_A_LONE_LETTER = frozenset(b' \t\r\n"')
_BLANKS = frozenset(b" \t\r\n")
#: First bytes of Latin letters in UTF-8, and of their second bytes.
_LATIN_LEADS = frozenset(b"\xc3\xc4\xc5")
_SECOND = range(0x80, 0xC0)


def is_nearly_utf8(body: bytes) -> bool:
    """Whether so much of `body` is UTF-8 that it is, whatever else is said of it."""
    pieces = _not_ascii(body)
    most = len(pieces) // (_AGAINST_CLAIM + 1)
    # In what is another encoding, the first few are broken already.
    return _broken(pieces[: most + most // 4 + 1]) <= most and _broken(pieces) <= most


def is_mixed(body: bytes, *, is_declared: bool) -> bool:
    """Whether `body`, of which nothing but UTF-8 may be said (`is_declared`), is that with other
    bytes in it. Pieces in other encodings are hardly ever UTF-8 by chance.
    """
    pieces = _not_ascii(body)
    broken = _broken(pieces)
    sound = len(pieces) - broken
    return _FEW_SUFFICE * sound >= broken or _has_few_bad_bytes(body, is_declared=is_declared)


def _not_ascii(body: bytes) -> list[bytes]:
    """The pieces in a sample of `body` that are not ASCII."""
    lines = body[:_SAMPLE_BYTES].translate(_ENDS_TO_LINES).split(b"\n")
    return [line for line in lines if not line.isascii()]


def _broken(pieces: list[bytes]) -> int:
    """How many of `pieces` are no UTF-8."""
    # Decoded together, which takes a third of the time; what is broken does not reach over an end.
    read = b"\n".join(pieces).decode("utf-8", "surrogateescape").split("\n")
    return sum(_ESCAPED.search(piece) is not None for piece in read)


def _has_few_bad_bytes(body: bytes, *, is_declared: bool) -> bool:
    sample = _HALVES.sub(b"", body[:_SAMPLE_BYTES])
    if is_declared:
        sample = _CUT_SHORT.sub(b"", sample)
    read = sample.decode("utf-8", "replace")
    bad = read.count(_LOST)
    good = len(_NOT_ASCII.findall(read)) - bad
    if bad <= good:
        return True
    tells_nothing = bad <= _FEW_BYTES and is_western(sample)
    return tells_nothing and (is_declared or _NO_LETTERS.search(sample) is not None)


def _pieces(body: bytes) -> Iterator[tuple[int, int]]:
    """Where each text between tags and line ends lies in which anything is not ASCII."""
    position = 0
    for match in _PIECE_ENDS.finditer(body):
        begin = match.start()
        start = max(body.rfind(mark, position, begin) + 1 for mark in (b"\n", b"<", b">"))
        yield max(start, position), match.end()
        position = match.end()


def text_of(body: bytes, foreign: Callable[[bytes], str]) -> tuple[str, int]:
    """`body` as text, and how many characters were left out.

    `foreign` reads a piece that is in another encoding.
    """
    pieces = []
    position = 0
    for start, end in _pieces(body):
        pieces.append(body[position:start].decode("ascii"))
        piece = body[start:end]
        pieces.append(foreign(piece) if _is_foreign(piece) else piece.decode("utf-8", _HANDLER))
        position = end
    pieces.append(body[position:].decode("ascii"))
    text = "".join(pieces)
    lost = text.count(_LOST)
    return (text.replace(_LOST, "") if lost else text), lost


def _meant(error: UnicodeError) -> tuple[str, int]:
    """What bytes say that are no UTF-8, and where to go on: a handler of Python's codecs."""
    assert isinstance(error, UnicodeDecodeError)
    piece, start, end = error.object, error.start, error.end
    if halves := _HALVES.match(piece, start):
        pair = halves[0].decode("utf-8", "surrogatepass")
        return pair.encode("utf-16", "surrogatepass").decode("utf-16"), halves.end()
    is_one = end - start == 1
    may_be_letter = is_one or (end - start == 2 and piece[start + 1] in _MARKS_AFTER_LETTERS)
    if (is_one and _is_mark(piece, start)) or (may_be_letter and _is_letter(piece, start)):
        return piece[start:end].decode("cp1252"), end
    return _LOST, end


_HANDLER = "wireroom.feeds.mixed"
codecs.register_error(_HANDLER, _meant)


def is_western(piece: bytes) -> bool:
    """Whether what is not ASCII stands alone or in pairs among ASCII, as accents do."""
    high = sum(map(len, _HIGH.findall(piece)))
    return 2 * sum(map(len, _LONG_HIGH.findall(piece))) < high


def _is_foreign(piece: bytes) -> bool:
    """Whether the piece is in another encoding as a whole."""
    read = _HALVES.sub(b"", piece).decode("utf-8", "replace")
    bad = read.count(_LOST)
    return bad >= _FOREIGN_BYTES and bad == len(_NOT_ASCII.findall(read))


def _is_letter(piece: bytes, at: int) -> bool:
    """Whether the byte there is an accented letter of windows-1252 by what stands around it.

    Half a character of UTF-8 looks like one too; it seldom stands within a Latin word.
    """
    before, after = _around(piece, at)
    follows, precedes = _is_latin_before(piece, at), _is_latin_after(piece, at)
    if piece[at] in _UPPER:  # begins a word, or is in one of capitals
        is_start = not follows and precedes
        return is_start or (before < 0x80 and chr(before).isupper()) or before in _UPPER
    if piece[at] not in _LOWER:
        return False
    if follows:
        return True
    is_alone = before in _BEFORE_A_LONE_LETTER
    return is_alone and (precedes or after in _BEHIND_A_LONE_LETTER)


def _is_mark(piece: bytes, at: int) -> bool:
    before, after = _around(piece, at)
    if before >= 0x80 or after in _SECOND:
        return False
    if piece[at] == _EURO:
        return chr(before).isdigit() or chr(after).isdigit() or after in _BLANKS
    return piece[at] in _MARKS


def _around(piece: bytes, at: int) -> tuple[int, int]:
    """The bytes on both sides; a blank where the piece begins or ends."""
    before = piece[at - 1] if at else 0x20
    return before, piece[at + 1] if at + 1 < len(piece) else 0x20


def _is_latin_before(piece: bytes, at: int) -> bool:
    before, _ = _around(piece, at)
    if before < 0x80:
        return chr(before).isalpha()
    return before >= 0xC0 or (at >= 2 and piece[at - 2] in _LATIN_LEADS)


def _is_latin_after(piece: bytes, at: int) -> bool:
    _, after = _around(piece, at)
    if after < 0x80:
        return chr(after).isalpha()
    _, next_after = _around(piece, at + 1)
    return after >= 0xC0 and (after in _LATIN_LEADS or next_after not in _SECOND)
