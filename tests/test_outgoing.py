"""What the profile and the operator want of messages, and what stops the start."""

from pathlib import Path

import pytest

from wireroom import outgoing
from wireroom.errors import SettingsError
from wireroom.settings import read

_GO = '<b>{{.Title}}</b>{{if ne .Content ""}}\n{{.Content}}{{end}}'


def test_the_operators_layout_is_telegrams() -> None:
    """It counts beside what the profile wants."""
    chosen = read({"WIREROOM_PROFILE": "rssbot", "POST_TEMPLATE": _GO})

    wanted = outgoing.defaults(chosen)["telegram"]
    assert (270, _GO) == (wanted["content"], wanted["template"])


@pytest.mark.parametrize("profile", ["wireroom", "rssbot"])
def test_the_file_of_rss_bot(
    profile: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """post.gohtml in the working directory counts for its profile alone (TGD-18)."""
    monkeypatch.chdir(tmp_path)
    Path("post.gohtml").write_text(_GO)
    template = outgoing.defaults(read({"WIREROOM_PROFILE": profile}))["telegram"].get("template")

    assert (_GO if profile == "rssbot" else None) == template


@pytest.mark.parametrize("as_file", [True, False], ids=["file", "setting"])
def test_a_broken_layout_stops_the_start(
    as_file: bool, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The sentence says where it stands (TGD-19)."""
    monkeypatch.chdir(tmp_path)
    given = {"WIREROOM_PROFILE": "rssbot"}
    if as_file:
        Path("post.gohtml").write_text("{{.Title")
    else:
        given["POST_TEMPLATE"] = "{{.Title"
    with pytest.raises(SettingsError, match=r"post.gohtml" if as_file else "POST_TEMPLATE"):
        outgoing.defaults(read(given))
