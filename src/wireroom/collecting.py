"""Python's search for cycles, set up for a process that polls for months.

Nearly all that a poll makes dies by its reference count. With Python's own threshold of 700
objects the search still runs every few polls, and now and then through all modules and tables of
statements, of which nothing ever goes: a twentieth of a poll's CPU (docs/notes/a-poll.md).
"""

import gc

#: Objects made and not yet gone; some megabytes at most, should all of them be cycles.
_YOUNG = 20_000


def settle() -> None:
    """To be called once all is loaded: what is there now is not looked at again."""
    gc.collect()
    gc.freeze()
    gc.set_threshold(_YOUNG, 10, 10)
