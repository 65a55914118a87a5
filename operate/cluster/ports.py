"""Free ports on loopback."""

from __future__ import annotations

import socket
from contextlib import ExitStack
from typing import Final

LOOPBACK: Final = "127.0.0.1"


def free_ports(count: int) -> list[int]:
    """`count` ports that are free now; all are held until all are found."""
    with ExitStack() as held:
        sockets = [held.enter_context(socket.socket()) for _ in range(count)]
        for one in sockets:
            one.bind((LOOPBACK, 0))
        return [one.getsockname()[1] for one in sockets]


def listens(port: int) -> bool:
    """Whether a process accepts connections there."""
    with socket.socket() as probe:
        probe.settimeout(1)
        return probe.connect_ex((LOOPBACK, port)) == 0
