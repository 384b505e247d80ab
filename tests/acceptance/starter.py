"""Starts `wireroom` many times without importing it each time.

One process for each test worker imports Wireroom and forks whenever a program is wanted: a process
of its own with its own environment and folder, that can be killed like any other. What is saved is
a second of imports; a `Program` without a starter starts Python anew.
"""

import asyncio
import contextlib
import functools
import json
import os
import signal
import socket
import subprocess
import sys
import threading
import traceback
from collections.abc import Mapping, Sequence
from concurrent.futures import Future
from pathlib import Path
from typing import Any

import wireroom.__main__

_MESSAGE_BYTES = 65_536
_ROOT = Path(__file__).resolve().parents[2]


class Child:
    """A program that runs, in the words of `asyncio.subprocess.Process`."""

    def __init__(self, pid: int, ended: Future[int], stdout: asyncio.StreamReader) -> None:
        self.pid = pid
        self.stdout = stdout
        self._ended = ended

    @property
    def returncode(self) -> int | None:
        """The exit code, or the negative number of the signal that ended it; None: it runs."""
        return self._ended.result() if self._ended.done() else None

    async def wait(self) -> int:
        """Its exit code, at its end."""
        return await asyncio.wrap_future(self._ended)

    async def communicate(self) -> tuple[bytes, None]:
        """All that it prints until its end."""
        printed = await self.stdout.read()
        await self.wait()
        return printed, None

    def send_signal(self, number: signal.Signals) -> None:
        """Raises ProcessLookupError when it has ended."""
        if self._ended.done():
            raise ProcessLookupError
        os.kill(self.pid, number)


class Starter:
    """The process that forks, as seen by the tests."""

    def __init__(self) -> None:
        ours, theirs = socket.socketpair(socket.AF_UNIX, socket.SOCK_SEQPACKET)
        self._socket = ours
        self._lock = threading.Lock()
        self._born: Future[int] | None = None
        self._ended: dict[int, Future[int]] = {}
        environment = {**os.environ, "PYTHONPATH": f"{_ROOT / 'src'}{os.pathsep}{_ROOT}"}
        self._process = subprocess.Popen(
            [sys.executable, "-m", __name__, str(theirs.fileno())],
            pass_fds=[theirs.fileno()],
            env=environment,
            stdin=subprocess.DEVNULL,
            stdout=subprocess.DEVNULL,
        )
        theirs.close()
        threading.Thread(target=self._listen, daemon=True).start()

    async def start(
        self, arguments: Sequence[str], environment: Mapping[str, str], folder: Path
    ) -> Child:
        """Run `wireroom ARGUMENTS` with just this environment in this folder."""
        reading, writing = os.pipe()
        asked = {"arguments": [*arguments], "environment": {**environment}, "folder": str(folder)}
        pid, ended = await asyncio.to_thread(self._ask, json.dumps(asked).encode(), writing)
        stream = asyncio.StreamReader()
        await asyncio.get_running_loop().connect_read_pipe(
            lambda: asyncio.StreamReaderProtocol(stream), os.fdopen(reading, "rb")
        )
        return Child(pid, ended, stream)

    def stop(self) -> None:
        """End the process that forks; programs that run end with their tests."""
        self._socket.shutdown(socket.SHUT_RDWR)
        self._process.wait(timeout=10)
        self._socket.close()

    def _ask(self, asked: bytes, writing: int) -> tuple[int, Future[int]]:
        with self._lock:
            self._born = Future()
            socket.send_fds(self._socket, [asked], [writing])
            os.close(writing)
            pid = self._born.result(timeout=30)
            return pid, self._ended[pid]

    def _listen(self) -> None:
        """Hear of births and deaths until the other side is gone."""
        with contextlib.suppress(OSError):
            while told := self._socket.recv(_MESSAGE_BYTES):
                match json.loads(told):
                    case {"born": pid}:
                        self._ended[pid] = Future()
                        assert self._born is not None
                        self._born.set_result(pid)
                    case {"ended": pid, "code": code}:
                        self._ended[pid].set_result(code)


# -- the process that forks -----------------------------------------------------------------------


def _main(number: int) -> None:
    """Import what programs use, then fork one for each message, and tell when it ends."""
    import wireroom.bots
    import wireroom.cli.following
    import wireroom.running
    import wireroom.serving
    import wireroom.subscribing
    import wireroom.web.app  # noqa: F401

    asking = socket.socket(fileno=number)
    signal.signal(signal.SIGCHLD, functools.partial(_tell_ends, asking))
    while True:
        asked, files, _, _ = socket.recv_fds(asking, _MESSAGE_BYTES, 1)
        if not asked:
            return
        signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGCHLD})
        pid = os.fork()
        if not pid:
            asking.detach()
            os.close(number)
            _become(json.loads(asked), files[0])
        os.close(files[0])
        asking.send(json.dumps({"born": pid}).encode())
        signal.pthread_sigmask(signal.SIG_UNBLOCK, {signal.SIGCHLD})


def _tell_ends(asking: socket.socket, *_: Any) -> None:
    with contextlib.suppress(ChildProcessError):
        while True:
            pid, status = os.waitpid(-1, os.WNOHANG)
            if not pid:
                return
            code = os.waitstatus_to_exitcode(status)
            asking.send(json.dumps({"ended": pid, "code": code}).encode())


def _become(asked: dict[str, Any], output: int) -> None:
    """Be the program, to its end."""
    signal.signal(signal.SIGCHLD, signal.SIG_DFL)
    signal.pthread_sigmask(signal.SIG_UNBLOCK, {signal.SIGCHLD})
    os.dup2(output, 1)
    os.dup2(output, 2)
    os.close(output)
    os.chdir(asked["folder"])
    os.environ.clear()
    os.environ.update(asked["environment"])
    sys.argv = ["wireroom", *asked["arguments"]]
    code = 0
    try:
        wireroom.__main__.main()
    except SystemExit as end:
        code = end.code if isinstance(end.code, int) else int(end.code is not None)
    except BaseException:  # noqa: BLE001 - the last thing that this process does
        traceback.print_exc()
        code = 1
    with contextlib.suppress(OSError, ValueError):
        sys.stdout.flush()
        sys.stderr.flush()
    os._exit(code)


if __name__ == "__main__":
    _main(int(sys.argv[1]))
