"""Ownership records and their storage.

Followed: document 002, "Bundle assignment", Workflow, step 2 ("bundle ranges and broker-bundle
ownership mappings are stored in a metadata space, and brokers look up them"), and the wire page
of `ownership.channel` for the names of states and storages.
A record follows another one only if its version is the next, so that of two writers that saw
the same record one wins, wherever the records are stored.
"""

from __future__ import annotations

from dataclasses import dataclass, field

from examples.from_documents.owning.wire import Json

TRANSITIONS: dict[str, frozenset[str]] = {
    "Init": frozenset({"Assigning", "Owned", "Free"}),
    "Free": frozenset({"Assigning", "Owned"}),
    "Assigning": frozenset({"Owned", "Free", "Assigning"}),
    "Owned": frozenset({"Releasing", "Splitting", "Free", "Assigning", "Owned"}),
    "Releasing": frozenset({"Free", "Assigning", "Owned"}),
    "Splitting": frozenset({"Deleted", "Owned", "Free", "Assigning"}),
    "Deleted": frozenset({"Init"}),
}


def name_of(broker: int) -> str:
    """A broker's name in a record."""
    return f"b{broker}"


def number_of(text: str | None) -> int | None:
    """The broker with this name."""
    if text is None or not text.strip():
        return None
    return int(text[1:])


@dataclass(frozen=True)
class Record:
    """The owner, or the next owner, of a bundle."""

    state: str
    destination: int | None = None
    source: int | None = None
    version: int = 1
    force: bool = False

    @property
    def keeper(self) -> int | None:
        """The broker that has to act: while it is active, no other writes the next record."""
        if self.state in ("Owned", "Assigning"):
            return self.destination
        if self.state in ("Releasing", "Splitting"):
            return self.source
        return None

    def to_wire(self) -> Json:
        """The record in its wire form."""
        return {
            "state": self.state,
            "destination": None if self.destination is None else name_of(self.destination),
            "source": None if self.source is None else name_of(self.source),
            "version": self.version,
            "force": self.force,
        }


@dataclass(frozen=True)
class Change:
    """One change of one record; no record: it was removed."""

    bundle: str
    record: Record | None


@dataclass
class Storage:
    """All accepted changes, in order, and the current records."""

    changes: list[Change | None] = field(default_factory=list)
    standing: dict[str, Record] = field(default_factory=dict)

    def take(self, bundle: str, record: Record | None) -> bool:
        """Accept a record if it follows the current one."""
        current = self.standing.get(bundle)
        if record is None:
            if current is None or current.state != "Deleted":
                return False
            del self.standing[bundle]
        elif not follows(current, record):
            return False
        else:
            self.standing[bundle] = record
        self.changes.append(Change(bundle, record))
        return True

    def compact(self) -> None:
        """Keep only the last change of each record, in place."""
        last = {change.bundle: i for i, change in enumerate(self.changes) if change is not None}
        kept = set(last.values())
        self.changes = [c if i in kept else None for i, c in enumerate(self.changes)]


def follows(current: Record | None, update: Record) -> bool:
    """Whether a record may replace another: the next version, and a legal transition."""
    before = "Init" if current is None else current.state
    version = 0 if current is None else current.version
    return update.version == version + 1 and update.state in TRANSITIONS[before]
