"""A TCP proxy on loopback that can hold everything back, as a network that is cut does."""

from __future__ import annotations

import asyncio
import threading
from contextlib import suppress
from typing import Any, Final

from evenkeel.operate.cluster.ports import LOOPBACK

BLOCK: Final = 65536


class Gate:
    """Between two ports; open at first."""

    def __init__(self, port: int, to: int) -> None:
        self.port, self.to = port, to
        self.open = asyncio.Event()
        self.open.set()

    async def serve(self) -> None:
        """Accept connections until the end."""
        server = await asyncio.start_server(self.relay_connection, LOOPBACK, self.port)
        async with server:
            await server.serve_forever()

    async def relay_connection(
        self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter
    ) -> None:
        """One connection, and the one behind it."""
        await self.open.wait()
        try:
            other_reader, other_writer = await asyncio.open_connection(LOOPBACK, self.to)
        except OSError:
            writer.close()
            return
        both = [
            asyncio.ensure_future(self.pump(reader, other_writer)),
            asyncio.ensure_future(self.pump(other_reader, writer)),
        ]
        await asyncio.wait(both, return_when=asyncio.FIRST_COMPLETED)
        for task in both:
            task.cancel()
        for one in (writer, other_writer):
            one.close()

    async def pump(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        """Bytes in one direction, held back while the gate is closed."""
        with suppress(OSError):
            while block := await reader.read(BLOCK):
                await self.open.wait()
                writer.write(block)
                await writer.drain()
            await self.open.wait()


class Proxies:
    """Gates by name, in a thread of their own."""

    def __init__(self, ports: dict[str, int], to: int) -> None:
        self.loop = asyncio.new_event_loop()
        self.gates = {name: Gate(port, to) for name, port in ports.items()}
        self._thread = threading.Thread(target=self._run, name="proxies", daemon=True)

    def start(self) -> None:
        """Begin."""
        self._thread.start()

    def _run(self) -> None:
        asyncio.set_event_loop(self.loop)
        for gate in self.gates.values():
            self.loop.create_task(gate.serve())
        self.loop.set_exception_handler(report_unless_cancelled)
        self.loop.run_forever()

    def cut(self, name: str) -> None:
        """Hold everything back."""
        self.loop.call_soon_threadsafe(self.gates[name].open.clear)

    def join(self, name: str) -> None:
        """Let everything through, what was held back first."""
        self.loop.call_soon_threadsafe(self.gates[name].open.set)

    def stop(self) -> None:
        """End."""
        if not self._thread.is_alive():
            return
        done = asyncio.run_coroutine_threadsafe(cancel_all(), self.loop)
        with suppress(Exception):
            done.result(5)
        self.loop.call_soon_threadsafe(self.loop.stop)
        self._thread.join(5)


def report_unless_cancelled(loop: asyncio.AbstractEventLoop, context: dict[str, Any]) -> None:
    """What asyncio complains of, but for connections cancelled at the end (before Python 3.12)."""
    if not isinstance(context.get("exception"), asyncio.CancelledError):
        loop.default_exception_handler(context)


async def cancel_all() -> None:
    """End every task but this one."""
    others = [task for task in asyncio.all_tasks() if task is not asyncio.current_task()]
    for task in others:
        task.cancel()
    await asyncio.gather(*others, return_exceptions=True)
