"""The folder of pictures is bounded in bytes and in age, and may be deleted at any time."""

import shutil
from pathlib import Path

from wireroom.pictures.cache import Cache, Picture

NOW = 10.0


def picture(size: int = 100) -> Picture:
    return Picture("image/png", b"\n" + b"x" * (size - 1))


def later(cache: Cache, seconds: float) -> float:
    """So many seconds after the file was written."""
    return next(cache.folder.iterdir()).stat().st_mtime + seconds


def test_a_picture_comes_back_byte_for_byte(tmp_path: Path) -> None:
    """With its media type, also from another process's view of the folder."""
    Cache(tmp_path / "pictures").put("https://a.example/1", picture())

    assert picture() == Cache(tmp_path / "pictures").get("https://a.example/1", NOW)


def test_what_was_not_looked_at_goes_first(tmp_path: Path) -> None:
    """The folder holds at most so many bytes."""
    cache = Cache(tmp_path, max_bytes=350)
    for name in "abc":
        cache.put(name, picture())
    cache.get("a", NOW)
    cache.put("d", picture())

    assert ["a", "c", "d"] == [name for name in "abcd" if cache.get(name, NOW)]
    assert sum(file.stat().st_size for file in tmp_path.iterdir()) <= 350


def test_files_of_an_earlier_run_count(tmp_path: Path) -> None:
    """The bound is the folder's."""
    first = Cache(tmp_path, max_bytes=350)
    for name in "abc":
        first.put(name, picture())
    Cache(tmp_path, max_bytes=350).put("d", picture())

    assert len(list(tmp_path.iterdir())) <= 3


def test_after_a_week_a_picture_is_asked_for_again(tmp_path: Path) -> None:
    """Publishers change pictures behind one address."""
    cache = Cache(tmp_path, max_age_seconds=60)
    cache.put("a", picture())

    assert picture() == cache.get("a", later(cache, 59))
    assert cache.get("a", later(cache, 61)) is None
    assert [] == list(tmp_path.iterdir())


def test_a_folder_that_went_away_costs_nothing_but_fetches(tmp_path: Path) -> None:
    """Whoever needs the space deletes it."""
    cache = Cache(tmp_path / "pictures")
    cache.put("a", picture())
    shutil.rmtree(cache.folder)

    assert cache.get("a", NOW) is None
    cache.put("a", picture())
    assert picture() == cache.get("a", NOW)
