"""The metadata store of `ownership.locks`, and the state of each broker.

Followed: document 001, "Assigning topics to brokers dynamically": an ownership "creates an
ephemeral lock in the metadata store, and the lock is automatically released if the owner
becomes unavailable".
"""

from __future__ import annotations

from collections import deque
from dataclasses import dataclass, field


@dataclass(frozen=True)
class Node:
    """An ephemeral lock: its broker, its session, and its number among all nodes."""

    holder: int
    session: int
    identity: int


@dataclass(frozen=True)
class Waiting:
    """A lookup that has not ended."""

    number: int
    authoritative: bool
    read_only: bool
    preferred: int


@dataclass
class Keeping:
    """A broker's state of one bundle."""

    standing: str = "none"
    node: int | None = None
    waiting: list[Waiting] = field(default_factory=list)
    operations: deque[str] = field(default_factory=deque)
    events: deque[int] = field(default_factory=deque)
    cached: int | None = None
    unloads: list[int] = field(default_factory=list)
    closing: bool = False


@dataclass
class Broker:
    """A broker's process, its connection and its session."""

    number: int
    keeps: list[Keeping]
    session: int | None
    leader: int | None
    running: bool = True
    connected: bool = True
    stopping: bool = False
    orphans: list[int] = field(default_factory=list)
    retries: list[int] = field(default_factory=list)
    lost: list[int] = field(default_factory=list)


class Store:
    """The nodes of all bundles, and pending notifications of their changes."""

    def __init__(self, brokers: int, bundles: int, leader: int | None) -> None:
        self.nodes: list[Node | None] = [None] * bundles
        self.sessions = 0
        self.identities = 0
        self.brokers: list[Broker] = []
        for number in range(brokers):
            keeps = [Keeping() for _ in range(bundles)]
            self.brokers.append(Broker(number, keeps, self.new_session(), leader))

    def new_session(self) -> int:
        """A new session."""
        self.sessions += 1
        return self.sessions

    def create(self, broker: Broker, bundle: int) -> Node | None:
        """Create a node if there is none; return the new one."""
        if self.nodes[bundle] is not None or broker.session is None:
            return None
        self.identities += 1
        node = Node(broker.number, broker.session, self.identities)
        self.nodes[bundle] = node
        self.notify_all(bundle, node)
        return node

    def delete(self, bundle: int) -> None:
        """Deletes a node."""
        node = self.nodes[bundle]
        if node is not None:
            self.nodes[bundle] = None
            self.notify_all(bundle, node)

    def notify_all(self, bundle: int, node: Node) -> None:
        """Notify all connected brokers of a change."""
        for broker in self.brokers:
            if broker.running and broker.connected:
                broker.keeps[bundle].events.append(node.identity)

    def end_session(self, session: int) -> None:
        """A session ends, and its nodes with it."""
        for bundle, node in enumerate(self.nodes):
            if node is not None and node.session == session:
                self.delete(bundle)
