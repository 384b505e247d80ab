"""What goes wrong is said in the language of whoever asked, values and all."""

import ast
from collections.abc import Iterator
from itertools import product
from pathlib import Path

import pytest

import wireroom
from wireroom.catalogue.refusals import in_words, knows, said
from wireroom.errors import UserError
from wireroom.fetching.guard import PLAIN_HTTP_REFUSED

SOURCE = Path(wireroom.__file__).parent

#: Packages and modules whose errors no chat ever sees: they answer browsers, apps and terminals.
ELSEWHERE = (
    *("api", "web", "cli", "accounts", "publishing.py", "syncing.py", "settings"),
    *("leaving.py", "waking", "channels/apprise"),
    *("store/backup.py", "store/portable_file.py", "store/transfer.py", "histories"),
    *("channels/mail", "channels/telegram/commands/visit.py", "targets.py", "unlocking.py"),
    *("labelling.py", "taking_over.py"),
)
#: Modules that give reasons as values, which chats show as well.
OF_REASONS = (
    *("fetching/reasons.py", "fetching/reading.py", "fetching/redirects.py"),
    *("fetching/decompress.py", "fetching/asking.py", "fetching/client.py", "fetching/guard.py"),
    *("fetching/bot_walls.py", "feeds/refusal.py", "feeds/opml.py", "feeds/opml_text.py"),
    *("feeds/filters/language.py", "feeds/filters/patterns.py", "polling/parser.py"),
    *("polling/articles.py", "polling/judging.py", "channels/discord/webhook_url.py"),
)
#: Ends of sentences that stand in the source by themselves.
_ENDS = frozenset({"url, feed, lang and has."})
#: Errors that carry the sentence of another module, by what their argument is.
_CARRIED = (ast.Name, ast.Attribute, ast.Call)


def _families() -> set[str]:
    tree = ast.parse((SOURCE / "errors.py").read_text())
    family = {"UserError"}
    for node in tree.body:
        if isinstance(node, ast.ClassDef) and any(
            isinstance(base, ast.Name) and base.id in family for base in node.bases
        ):
            family.add(node.name)
    return family


def _raised() -> Iterator[tuple[str, ast.expr]]:
    """The sentences of errors that somebody in a chat can meet."""
    family = _families()
    for path in sorted(SOURCE.rglob("*.py")):
        name = path.relative_to(SOURCE).as_posix()
        if name.startswith(ELSEWHERE):
            continue
        for node in ast.walk(ast.parse(path.read_text())):
            match node:
                case ast.Call(func=ast.Name(id=error), args=[sentence, *_]) if error in family:
                    if not isinstance(sentence, _CARRIED):
                        yield f"{name}:{node.lineno}", sentence


def _reasons() -> Iterator[tuple[str, ast.expr]]:
    """Everything that reads like a sentence in modules that tell why."""
    for name in OF_REASONS:
        tree = ast.parse((SOURCE / name).read_text())
        own = {id(node.value) for node in ast.walk(tree) if isinstance(node, ast.Expr)}
        own |= {
            id(part)
            for node in ast.walk(tree)
            if isinstance(node, ast.JoinedStr)
            for part in ast.walk(node)
            if part is not node
        }
        for node in ast.walk(tree):
            is_whole = isinstance(node, ast.Constant | ast.JoinedStr) and id(node) not in own
            if is_whole and any(_is_sentence(text) for text, _ in _spelled(node)):
                yield f"{name}:{node.lineno}", node


def _is_sentence(text: str) -> bool:
    return " " in text and text.endswith(".") and text not in _ENDS


def _spelled(node: ast.expr) -> Iterator[tuple[str, list[str]]]:
    """What an expression may say, with a number of its own for each value in it."""
    match node:
        case ast.Constant(value=str(text)):
            yield text, []
        case ast.JoinedStr(values=parts):
            choices = [_choices(part, 71 + number) for number, part in enumerate(parts)]
            for chosen in product(*choices):
                values = [text for text, is_value in chosen if is_value]
                yield "".join(text for text, _ in chosen), values


def _choices(part: ast.expr, number: int) -> list[tuple[str, bool]]:
    match part:
        case ast.Constant(value=str(text)):
            return [(text, False)]
        case ast.FormattedValue(value=ast.IfExp(body=body, orelse=other)):
            fixed = [each.value for each in (body, other) if isinstance(each, ast.Constant)]
            return [(str(each), False) for each in fixed] or [(str(number), True)]
        case ast.FormattedValue(value=ast.Name(id="PLAIN_HTTP_REFUSED")):
            return [(PLAIN_HTTP_REFUSED, False)]
    return [(str(number), True)]


def _is_said(text: str) -> bool:
    """Values alone, such as "{host} {why}.", say nothing by themselves."""
    return any(letter.isalpha() for letter in text)


CASES = dict((*_raised(), *_reasons()))


def test_the_walk_finds_errors() -> None:
    """The table below would be green without any case, too."""
    assert len(CASES) > 150


@pytest.mark.parametrize("where", CASES)
def test_every_error_that_chats_meet_is_known(where: str) -> None:
    """Each has its text, and the German one holds all values of the English one."""
    for text, values in filter(lambda each: _is_said(each[0]), _spelled(CASES[where])):
        assert knows(text), text
        german = in_words(text, "de")
        assert [] == [value for value in values if value not in german]


def _why_it_is_no_news() -> Iterator[str]:
    """The reasons that stand at the head of the modules which decide it."""
    for name in ("feeds/changes.py", "polling/moving.py"):
        for node in ast.parse((SOURCE / name).read_text()).body:
            match node:
                case ast.Assign(value=ast.Constant(value=str(reason))) if " " in reason:
                    yield reason


@pytest.mark.parametrize("reason", list(_why_it_is_no_news()))
def test_every_reason_of_an_entry_is_known(reason: str) -> None:
    """Why an entry is no news, as the ledger keeps it."""
    assert knows(reason)


@pytest.mark.parametrize(
    ("german", "english"),
    [
        ("Einen Host namens a.example gibt es nicht.", "There is no host named a.example."),
        ("Das TLS-Zertifikat von a.b ist abgelaufen.", "The TLS certificate of a.b has expired."),
        ("media schreibt man als auto, all oder none.", "media is written as auto, all or none."),
        (
            "alle 2 Std. 30 Min.: etwa 6 Einträge am Tag, meist abends (UTC)",
            "every 2 h 30 min: about 6 items a day, mostly evenings UTC",
        ),
        (
            (
                "Die Adresse leitet auf eine um, die nicht abgerufen wird: "
                "In der Adresse steht kein Host."
            ),
            "The address redirects to one that is not fetched: The address names no host.",
        ),
        ("der Bot ist blockiert", "Forbidden: bot was blocked by the user"),
        ('Filter der Route: passt nicht zu "a; b"', 'filter of the route: does not match "a; b"'),
        (
            'Filter des Abos: ausgelassen wegen "storm"; Filter des Kontos: frei von title:ad',
            (
                'filter of the subscription: left out by "storm"; '
                "filter of the account: free of title:ad"
            ),
        ),
        (
            "Filter „rust -jobs“ dieses Chats: passt nicht zu rust",
            "filter “rust -jobs” of this chat: does not match rust",
        ),
        (
            "in einer Zusammenfassung; Regel für alle: a -> tag b; Filter des Ziels: passt zu c",
            "digest; rule for everyone: a -> tag b; filter of the destination: matches c",
        ),
        (
            "übergangen: nur die neuesten 2 von 9 wartenden werden gesendet",
            "passed over: only the newest 2 of 9 that waited are sent",
        ),
        ("Harbour erzählte dieselbe Geschichte", "Harbour told the same story"),
    ],
    ids=[
        *(
            "host",
            "phrase",
            "words",
            "pace",
            "inner",
            "telegram",
            "filter",
            "left out",
            "named",
            "side by side",
        ),
        *("burst", "story"),
    ],
)
def test_values_and_inner_sentences(german: str, english: str) -> None:
    """Values stay what they are, and sentences inside of others are translated with them."""
    assert german == in_words(english, "de")


@pytest.mark.parametrize(
    "sentence",
    ["Missing Access", "", "5 weeks or so they say", "disabled" * 500],
    ids=["foreign", "empty", "alike", "long"],
)
def test_what_is_not_ours_stays(sentence: str) -> None:
    """Words of publishers and platforms are shown as they came."""
    assert sentence == in_words(sentence, "de")


def test_inner_phrases_keep_no_full_stop() -> None:
    """A reason within a longer sentence lost its full stop, and gets none back."""
    assert "a.b legt ohne Antwort auf" == in_words("a.b hangs up without an answer", "de")


def test_english_is_said_as_raised() -> None:
    """Nothing is looked up for those who read what was written."""
    error = UserError("A pause ends in the future.", code="invalid_time")
    assert "A pause ends in the future." == said(error, "en")
    assert "Eine Pause endet in der Zukunft." == said(error, "de")
