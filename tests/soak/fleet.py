"""Processes of Wireroom on machines of their own, and what befalls them."""

import asyncio
import contextlib
import os
import random
import signal
import sys
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from types import TracebackType
from typing import Self

from tests.soak.machine import set_clock

_ROOT = Path(__file__).resolve().parents[2]
#: How far a machine's clock jumps: a badly set one, a daylight-saving mistake, an empty battery.
_STEPS = (-86_400.0, -3_600.0, -200.0, 0.0, 5.0, 200.0, 3_600.0, 86_400.0)


@dataclass
class Machine:
    """One process, with a clock and a log of its own."""

    name: str
    part: str
    folder: Path
    environment: Mapping[str, str]
    kills: int = 0
    _process: asyncio.subprocess.Process | None = None

    @property
    def clock(self) -> Path:
        return self.folder / f"{self.name}.clock"

    @property
    def log(self) -> Path:
        return self.folder / f"{self.name}.log"

    async def start(self) -> None:
        if not self.clock.exists():
            set_clock(self.clock, 0)
        with self.log.open("ab") as log:
            self._process = await asyncio.create_subprocess_exec(
                sys.executable,
                *("-m", "tests.soak.machine", self.part, str(self.clock)),
                cwd=_ROOT,
                env=dict(self.environment),
                stdout=log,
                stderr=log,
            )

    async def kill(self) -> None:
        """SIGKILL."""
        self.kills += 1
        await self._end(signal.SIGKILL)

    async def stop(self) -> int:
        """SIGTERM; gives the exit code."""
        return await self._end(signal.SIGTERM)

    async def _end(self, how: signal.Signals) -> int:
        process, self._process = self._process, None
        if process is None:
            return 0
        with contextlib.suppress(ProcessLookupError):
            process.send_signal(how)
        try:
            async with asyncio.timeout(30):
                return await process.wait()
        except TimeoutError:
            process.kill()
            await process.wait()
            raise AssertionError(f"{self.name} did not end within 30 seconds") from None

    @property
    def is_dead(self) -> bool:
        """Ended by itself, which it never should."""
        return self._process is not None and self._process.returncode is not None


@dataclass
class Fleet:
    """All machines of one run; every process ends with the context."""

    folder: Path
    parts: Sequence[str]
    settings: Mapping[str, str]
    machines: list[Machine] = field(default_factory=list)

    async def __aenter__(self) -> Self:
        environment = {
            **{name: value for name, value in os.environ.items() if "WIREROOM_" not in name},
            "PYTHONPATH": f"{_ROOT / 'src'}{os.pathsep}{_ROOT}",
            **{f"WIREROOM_{name}": value for name, value in self.settings.items()},
        }
        for number, part in enumerate(self.parts):
            machine = Machine(f"{number}-{part}", part, self.folder, environment)
            self.machines.append(machine)
            await machine.start()
        return self

    async def __aexit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        at: TracebackType | None,
    ) -> None:
        await asyncio.gather(*(machine.stop() for machine in self.machines))
        if error is not None:
            for machine in self.machines:
                end = machine.log.read_text(errors="replace")[-3_000:]
                sys.stderr.write(f"\n--- {machine.name}\n{end}")

    async def kill_one(self, chance: random.Random) -> None:
        """End one without a word, and start it again."""
        machine = chance.choice(self.machines)
        await machine.kill()
        await machine.start()

    def step_a_clock(self, chance: random.Random) -> None:
        """Set one machine's clock."""
        set_clock(chance.choice(self.machines).clock, chance.choice(_STEPS))

    @property
    def kills(self) -> int:
        return sum(machine.kills for machine in self.machines)

    def dead(self) -> list[str]:
        """Machines that ended by themselves."""
        return [machine.name for machine in self.machines if machine.is_dead]

    def complaints(self) -> list[str]:
        """What their logs hold that none of this may cause: errors with a traceback."""
        return [
            f"{machine.name}: {line}"
            for machine in self.machines
            for line in machine.log.read_text(errors="replace").splitlines()
            if "Traceback" in line or '"level": "error"' in line or "[error" in line
        ]
