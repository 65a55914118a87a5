"""What the commands of `ownership.locks` do to the brokers' processes and sessions."""

from __future__ import annotations

from evenkeel.properties.ownership.locks import commands as do
from evenkeel.properties.ownership.locks.commands import LocksCommand, OfBroker, OfBundle


class Processes:
    """Which brokers run, are stopping, reach the store, have a session that lives, and whom they
    take for the leader.

    `well`, `there`, `sure`: which run and reach the store, can be assigned bundles, know who
    decides, themselves or a registered other broker.
    """

    def __init__(self, brokers: int, leader: int | None) -> None:
        self.leader = [None if leader is None else leader % brokers] * brokers
        self.running = [True] * brokers
        self.stopping = [False] * brokers
        self.session = [True] * brokers
        self.connected = [True] * brokers
        self.lingering = [0] * brokers
        self.look()

    def look(self) -> None:
        """Which brokers are well, there, and sure now."""
        everybody = range(len(self.running))
        self.well = frozenset(filter(self.is_well, everybody))
        self.there = frozenset(filter(self.registered, everybody))
        leads = (b for b in everybody if self.leader[b] == b)
        led = (b for b in everybody if self.led_by(b) is not None)
        self.sure = frozenset((*leads, *led))

    def command(self, command: LocksCommand) -> None:
        if isinstance(command, OfBundle) and not isinstance(command, do.Find):
            return  # most commands: nothing happens to processes
        self.happen(command)
        self.look()

    def happen(self, command: LocksCommand) -> None:
        if isinstance(command, do.Settle | do.Find | do.Views):
            self.session = list(self.running)
            self.connected = list(self.running)
            self.lingering = [0] * len(self.running)
            able = [b for b, r in enumerate(self.running) if r and not self.stopping[b]]
            self.leader = [able[0] if able else None] * len(self.running)
        if not isinstance(command, OfBroker):
            return
        broker = command.broker % len(self.running)
        match command:
            case do.Expire() if self.lingering[broker]:
                self.lingering[broker] -= 1
            case do.Expire():
                self.session[broker] = self.connected[broker] = False
            case do.Disconnect():
                self.connected[broker] = False
            case do.Reconnect() if self.running[broker]:
                self.session[broker] = self.connected[broker] = True
            case do.Crash():
                self.running[broker] = self.connected[broker] = False
            case do.Restart() if not self.running[broker]:
                self.lingering[broker] += self.session[broker]
                self.running[broker] = self.session[broker] = self.connected[broker] = True
                self.stopping[broker] = False
                self.leader[broker] = None
            case do.Elect(_, leader):
                self.leader[broker] = None if leader is None else leader % len(self.running)
            case do.Stop() if self.running[broker]:
                self.stopping[broker] = True
            case _:
                pass

    def registered(self, broker: int) -> bool:
        """Bundles can be assigned to it."""
        return self.session[broker] and not self.stopping[broker]

    def led_by(self, broker: int) -> int | None:
        """The registered other broker that this one takes for the leader."""
        leader = self.leader[broker]
        other = leader is not None and leader != broker and self.registered(leader)
        return leader if other else None

    def is_well(self, broker: int) -> bool:
        """It runs, is not stopping, and reaches the store."""
        return self.running[broker] and self.connected[broker] and self.registered(broker)

    @property
    def any_stopping(self) -> bool:
        """A running broker is stopping."""
        return any(r and s for r, s in zip(self.running, self.stopping, strict=True))
