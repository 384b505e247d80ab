"""Where the shared corpus of real feeds lies; tests that need it skip where it is absent."""

import os
from pathlib import Path

import pytest

_BESIDE_THE_PROJECT = Path(__file__).resolve().parents[2] / "shared" / "corpus"


def corpus_folder(name: str) -> Path:
    """The corpus folder `name` (wild, conformance, discovery, opml); skips the calling test
    without one."""
    root = Path(os.environ.get("WIREROOM_CORPUS") or _BESIDE_THE_PROJECT)
    folder = root / name
    if not folder.is_dir():
        pytest.skip(f"no corpus at {folder} (set WIREROOM_CORPUS to its folder)")
    return folder
