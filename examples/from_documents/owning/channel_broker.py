"""One broker of the channel: its view, its bundles, its pending lookups."""

from __future__ import annotations

from collections import deque
from dataclasses import dataclass, field

from examples.from_documents.owning.channel_records import Record

HASHES: dict[str, tuple[str, ...]] = {
    "parent": ("left", "right"),
    "left": ("left",),
    "right": ("right",),
    "other": ("other",),
}


@dataclass
class Work:
    """Work that takes time: the closing of a bundle's topics, or a division."""

    bundle: str
    kind: str


@dataclass
class Ticket:
    """A lookup or an assignment that has not ended."""

    number: int
    bundle: str
    after: int
    deadline: int


@dataclass
class Broker:
    """A broker's process and its session."""

    number: int
    running: bool = True
    session: bool = True
    leaving: bool = False
    view: dict[str, Record] = field(default_factory=dict)
    position: int = 0
    must_reach: int = 0
    open: set[str] = field(default_factory=set)
    works: list[Work] = field(default_factory=list)
    tickets: list[Ticket] = field(default_factory=list)
    news: deque[tuple[int, bool]] = field(default_factory=deque)
    gone: dict[int, int] = field(default_factory=dict)

    def hashes(self) -> list[str]:
        """The parts of the hash space whose topics are open here."""
        return sorted({part for bundle in self.open for part in HASHES[bundle]})

    def version(self, bundle: str) -> int:
        """The version that this broker has seen of a bundle's record."""
        record = self.view.get(bundle)
        return 0 if record is None else record.version

    def works_on(self, bundle: str) -> bool:
        """Whether work on the bundle is under way."""
        return any(work.bundle == bundle for work in self.works)
