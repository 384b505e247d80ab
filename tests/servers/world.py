"""A small internet on loopback: names, public addresses, and the servers that stand behind them.

The guard lets nobody dial 127.0.0.0/8, so tests of what may happen on public addresses give the
client this world's names and sockets. The sockets connect to the real address of the server that
was put at the dialled one and note each attempt; where nobody stands, the connection is refused.
"""

import errno
import socket
from collections.abc import Sequence
from dataclasses import dataclass, field

from tests.servers.scripted import ScriptedServer


@dataclass
class World:
    """`names` may be changed at any time; `dialled` are (address, port) in order of connecting."""

    names: dict[str, list[str]] = field(default_factory=dict)
    dialled: list[tuple[str, int]] = field(default_factory=list)
    looked_up: list[str] = field(default_factory=list)
    _places: dict[tuple[str, int], tuple[str, int]] = field(default_factory=dict)

    def put(
        self, server: ScriptedServer, name: str, address: str, port: int | None = None
    ) -> None:
        """Let `server` answer at `address`, which `name` resolves to; port 443 or 80 if None."""
        self.names[name] = [address]
        at = port or (443 if server.tls else 80)
        self._places[address, at] = (server.host, server.port)

    async def lookup(self, name: str) -> Sequence[str]:
        self.looked_up.append(name)
        if name not in self.names:
            raise socket.gaierror(socket.EAI_NONAME, "Name or service not known")
        return list(self.names[name])

    def make_socket(self, family: int, kind: int, protocol: int) -> socket.socket:
        made = _Socket(family, kind, protocol)
        made.world = self
        return made

    def place(self, address: str, port: int) -> tuple[str, int]:
        self.dialled.append((address, port))
        try:
            return self._places[address, port]
        except KeyError:
            raise ConnectionRefusedError(errno.ECONNREFUSED, "Connection refused") from None


class _Socket(socket.socket):
    world: World

    def connect(self, address: tuple[str, int]) -> None:  # type: ignore[override]
        super().connect(self.world.place(address[0], address[1]))
