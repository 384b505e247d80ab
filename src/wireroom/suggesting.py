"""What somebody may have meant who wrote a name that there is none of (pure)."""

import difflib
from collections.abc import Iterable

#: How much of two names must be the same, of short ones and of others. One slip of the hand
#: leaves more; below that names only happen to share letters ("bogus", "burst").
_SHORT, _ALIKE_IF_SHORT, _ALIKE = 4, 0.66, 0.75
_FEWEST_BEGUN = 3


def nearest(typed: str, known: Iterable[str]) -> str:
    """The name that `typed` begins or misspells, "" when it looks like none of them."""
    typed, known = typed.lower(), sorted(known)
    if len(typed) >= _FEWEST_BEGUN:
        begun = [name for name in known if name.startswith(typed)]
        if begun:
            return min(begun, key=len)
    alike = _ALIKE_IF_SHORT if len(typed) <= _SHORT else _ALIKE
    return next(iter(difflib.get_close_matches(typed, known, n=1, cutoff=alike)), "")
