"""Pictures on disk: a bounded folder of files that may be deleted at any time.

A file is named by the SHA-256 of the publisher's address and begins with a line that says its
media type. What was not asked for in the longest time goes first, and everything goes after a
week, because publishers change pictures, too.
"""

import hashlib
import os
import secrets
import threading
from collections import OrderedDict
from dataclasses import dataclass, field
from pathlib import Path

MAX_BYTES = 256_000_000
MAX_AGE_SECONDS = 7 * 86400.0


@dataclass(frozen=True, slots=True)
class Picture:
    media_type: str
    body: bytes


@dataclass(slots=True)
class Cache:
    """One process's view of the folder; several may share it. Its calls block: use a thread."""

    folder: Path
    max_bytes: int = MAX_BYTES
    max_age_seconds: float = MAX_AGE_SECONDS
    #: Name: size, the one that was used last at the end. None: the folder was not looked at yet.
    _sizes: OrderedDict[str, int] | None = field(default=None, init=False)
    _total: int = field(default=0, init=False)
    #: Around the sizes: calls come from several threads.
    _lock: threading.Lock = field(default_factory=threading.Lock, init=False, repr=False)

    def get(self, url: str, now: float) -> Picture | None:
        """The picture behind an address; `now` in seconds since 1970."""
        name = _name(url)
        file = self.folder / name
        try:
            if now - file.stat().st_mtime > self.max_age_seconds:
                with self._lock:
                    self._drop(name)
                return None
            first, _, body = file.read_bytes().partition(b"\n")
        except OSError:
            return None
        with self._lock:
            sizes = self._known()
            if name in sizes:
                sizes.move_to_end(name)
        return Picture(first.decode("ascii", "replace"), body)

    def put(self, url: str, picture: Picture) -> None:
        """Keep a picture; a disk that is full costs a fetch, nothing else."""
        name, content = _name(url), picture.media_type.encode() + b"\n" + picture.body
        aside = self.folder / f"{name}.{secrets.token_hex(4)}"
        try:
            self.folder.mkdir(parents=True, exist_ok=True, mode=0o700)
            aside.write_bytes(content)
            aside.replace(self.folder / name)
        except OSError:
            aside.unlink(missing_ok=True)
            return
        with self._lock:
            sizes = self._known()
            self._total += len(content) - sizes.pop(name, 0)
            sizes[name] = len(content)
            while self._total > self.max_bytes and len(sizes) > 1:
                self._drop(next(iter(sizes)))

    def _drop(self, name: str) -> None:
        self._total -= self._known().pop(name, 0)
        (self.folder / name).unlink(missing_ok=True)

    def _known(self) -> OrderedDict[str, int]:
        if self._sizes is None:
            found = []
            if self.folder.is_dir():
                with os.scandir(self.folder) as files:
                    found = [(f.stat().st_mtime, f.name, f.stat().st_size) for f in files]
            self._sizes = OrderedDict((name, size) for _, name, size in sorted(found))
            self._total = sum(self._sizes.values())
        return self._sizes


def _name(url: str) -> str:
    return hashlib.sha256(url.encode()).hexdigest()
