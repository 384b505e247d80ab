"""The documentation says what the code does, or these tests fail."""

import re
from pathlib import Path

import click
import pytest
import typer.main

from wireroom.cli import app
from wireroom.settings import described

_ROOT = Path(__file__).resolve().parent.parent
_PAGES = sorted([*_ROOT.glob("*.md"), *_ROOT.glob("docs/**/*.md")])

_SETTING = re.compile(r"^\| `(WIREROOM_\w+)` \| (?:`([^`]*)`)? ?\| (.+) \|$", re.MULTILINE)
_LINK = re.compile(r"\]\((?!https?://|mailto:)([^)#\s]+)(?:#[^)]*)?\)|<img[^>]+src=\"([^\"]+)\"")
_TREE_WORD = re.compile(r"`((?:src|tests|docs|bench|scripts)/[\w./-]+\w/?)`")


def test_settings_page_and_code_agree() -> None:
    """Names, defaults and help of all settings stand in docs/settings.md as the code has them."""
    page = (_ROOT / "docs/settings.md").read_text()

    assert sorted(described()) == sorted(_SETTING.findall(page))


def commands() -> dict[str, click.Command]:
    """All commands of the program by what one types: "feeds", "account token"."""

    def below(group: click.Group, typed: str) -> dict[str, click.Command]:
        found: dict[str, click.Command] = {}
        for name, command in group.commands.items():
            # typer brings a click of its own, so its groups are told by what they have
            if hasattr(command, "commands"):
                found |= below(command, f"{typed}{name} ")  # type: ignore[arg-type]
            else:
                found[f"{typed}{name}"] = command
        return found

    return below(typer.main.get_command(app), "")  # type: ignore[arg-type]


def section(name: str) -> str:
    """What docs/commands.md says about a command or the group it is in; empty if nothing."""
    page = (_ROOT / "docs/commands.md").read_text()
    heading = rf"^### `wireroom {name.partition(' ')[0]}\b.*?(?=^##|\Z)"
    found = re.search(heading, page, re.MULTILINE | re.DOTALL)
    return found[0] if found else ""


@pytest.mark.parametrize("name", sorted(commands()))
def test_every_command_is_documented(name: str) -> None:
    """Each command is shown as one types it, with each of its options and arguments."""
    text = section(name)

    assert f"wireroom {name}" in text
    for parameter in commands()[name].params:
        if parameter.param_type_name == "option":
            missing = [each for each in parameter.opts if not re.search(rf"[`\s]{each}\b", text)]
            assert [] == missing
        elif " " not in name:
            assert parameter.name.upper() in text.splitlines()[0]


def test_no_command_is_documented_that_does_not_exist() -> None:
    """Sections of removed commands go with them; so do rows of removed options."""
    page = (_ROOT / "docs/commands.md").read_text()
    first_words = sorted({name.partition(" ")[0] for name in commands()})
    options = {each for command in commands().values() for p in command.params for each in p.opts}

    assert first_words == sorted(re.findall(r"^### `wireroom (\S+?)[ `]", page, re.MULTILINE))
    assert set() == set(re.findall(r"^\| `(--[\w-]+)`", page, re.MULTILINE)) - options


@pytest.mark.parametrize("page", _PAGES, ids=lambda page: str(page.relative_to(_ROOT)))
def test_links_between_pages_lead_somewhere(page: Path) -> None:
    """Every relative link and picture is there."""
    links = [first or second for first, second in _LINK.findall(page.read_text())]

    assert [] == [link for link in links if not (page.parent / link).exists()]


@pytest.mark.parametrize("page", _PAGES, ids=lambda page: str(page.relative_to(_ROOT)))
def test_named_files_exist(page: Path) -> None:
    """A path of the tree that a page names in code is there; a renamed module shows here."""
    named = _TREE_WORD.findall(page.read_text())

    assert [] == [path for path in named if not (_ROOT / path).exists()]


_PACKAGE = _ROOT / "src/wireroom"
_IN_TREE = sorted(
    path.stem
    for path in _PACKAGE.iterdir()
    if (path.is_dir() or path.suffix == ".py") and not path.stem.startswith("__")
)


def drawn_tree() -> str:
    """The drawing of src/wireroom in docs/ARCHITECTURE.md."""
    page = (_ROOT / "docs/ARCHITECTURE.md").read_text()
    return page.partition("src/wireroom/\n")[2].partition("```")[0]


@pytest.mark.parametrize("name", _IN_TREE)
def test_the_drawn_tree_is_complete(name: str) -> None:
    """Every package and module right under src/wireroom is on the map."""
    assert re.search(rf"^  {name}\b", drawn_tree(), re.MULTILINE)


def test_the_walk_names_modules_that_exist() -> None:
    """`polling/refresh` and the like, wherever a page names one, are there."""
    named = {
        word
        for page in _PAGES
        for word in re.findall(r"`((?:[a-z_]+/)+[a-z_]+)(?:\.py)?`", page.read_text())
        if word.split("/")[0] in _IN_TREE
    }
    gone = [
        word
        for word in sorted(named)
        if not (_PACKAGE / f"{word}.py").exists() and not (_PACKAGE / word).is_dir()
    ]

    assert "polling/refresh" in named
    assert [] == gone
