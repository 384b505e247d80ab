"""What counts as the same word, and what of a text is shown."""

import pytest

from wireroom.store.words import Term, marked, snippet, words


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("The Harbour, re-opened!", ["the", "harbour", "re", "opened"]),
        ("Élan façade Straße ΣΊΣΥΦΟΣ", ["elan", "facade", "strasse", "σισυφοσ"]),
        ("e\u0301lan", ["elan"]),
        ("ﬁne ＷＩＤＥ", ["fine", "wide"]),
        ("東京タワー news", ["東", "京", "タ", "ワ", "ー", "news"]),
        ("C++ v2.1 a_b", ["c", "v2", "1", "a", "b"]),
        ("x" * 65 + " y", ["y"]),
        ("", []),
    ],
)
def test_words_have_no_case_and_no_accents(text: str, expected: list[str]) -> None:
    """Whatever a publisher and a reader type for the same word, it is one word."""
    assert expected == words(text)


def shown(pieces: object) -> str:
    return "".join(f"[{p.text}]" if p.is_hit else p.text for p in pieces)  # type: ignore[attr-defined]


@pytest.mark.parametrize(
    ("terms", "expected"),
    [
        ([Term(("elan",))], "[Élan] vital, the [élan]-vital of a Façade"),
        ([Term(("elan", "vital"))], "[Élan vital], the [élan-vital] of a Façade"),
        ([Term(("fac",), is_prefix=True)], "Élan vital, the élan-vital of a [Façade]"),
        ([Term(("fac",))], "Élan vital, the élan-vital of a Façade"),
        ([Term(("vital",), negated=True)], "Élan vital, the élan-vital of a Façade"),
    ],
    ids=["a word", "a phrase", "a beginning", "no beginning", "not wanted"],
)
def test_hits_are_marked_in_the_text_as_written(terms: list[Term], expected: str) -> None:
    """Marks are around the publisher's own letters."""
    title = "Élan vital, the élan-vital of a Façade"

    assert expected == shown(marked(title, terms))


def test_a_snippet_is_the_part_around_the_first_hit() -> None:
    """Cut between words, with dots where something is left out."""
    text = "before " * 50 + "the Harbour opened " + "after " * 100

    pieces = shown(snippet(text, [Term(("harbour",))], 100))
    assert pieces.startswith("…before")
    assert pieces.endswith("after…")
    assert "the [Harbour] opened" in pieces
    assert len(pieces) < 130


def test_a_text_without_a_hit_shows_its_beginning() -> None:
    """The hit may be in the title alone."""
    assert "one two three" == shown(snippet("one two three", [Term(("nine",))]))
