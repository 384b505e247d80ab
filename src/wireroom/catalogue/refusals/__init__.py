"""Sentences that are written where things go wrong, in the language of whoever reads them.

Errors, reasons of failed polls and reasons for the next one are English sentences, made far from
any reader and kept in the database like that. The sentence itself is the key to the others, as
with gettext, but with its values filled in::

    in_words("There is no host named feeds.example.", "de")
    → "Einen Host namens feeds.example gibt es nicht."

What a publisher, Telegram or Discord wrote is unknown here and stays as it is.
"""

from wireroom.catalogue.refusals import (
    addresses,
    answers,
    chats,
    documents,
    fates,
    filters,
    paces,
    places,
    settings,
    sites,
)
from wireroom.catalogue.refusals.reading import Phrasebook
from wireroom.catalogue.text import Language
from wireroom.errors import UserError

__all__ = ["in_words", "knows", "said"]

_BOOK = Phrasebook(
    [
        *addresses.SENTENCES,
        *answers.SENTENCES,
        *chats.SENTENCES,
        *documents.SENTENCES,
        *fates.SENTENCES,
        *filters.SENTENCES,
        *paces.SENTENCES,
        *places.SENTENCES,
        *settings.SENTENCES,
        *sites.SENTENCES,
    ]
)


def said(error: UserError, language: Language) -> str:
    """Why something cannot be done: the sentence as it was raised, or the same in `language`."""
    return in_words(str(error), language)


def in_words(sentence: str, language: Language) -> str:
    """An English sentence of ours in `language`; one that is not ours stays as it is."""
    return sentence if language == "en" else _BOOK.translated(sentence, language)


def knows(sentence: str) -> bool:
    """Whether `sentence` can be said in all languages."""
    return _BOOK.knows(sentence)
