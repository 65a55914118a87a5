"""What is found in a recording besides ownership records: violations, and what is unknown."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

SESSION: Final = 30.0
IN_FLIGHT: Final = 30.0
MONITOR: Final = 60.0


@dataclass(frozen=True, slots=True)
class Found:
    """A finding. Without a clause nothing failed: the recording cannot tell."""

    kind: str
    subject: str
    sentence: str
    began: int
    ended: int
    clause: str | None = None
    known: bool = False
    """The clause is none of the edition: what was seen is known of it, and no violation there."""

    @property
    def violated(self) -> bool:
        """Whether a clause of the edition is violated."""
        return self.clause is not None and not self.known


@dataclass(frozen=True, slots=True)
class Margins:
    """For how long something must last before it counts against a cluster, in seconds.

    A probe sees a state some time after it came, and some time before it ends; so only what two
    probes saw counts, from the end of the first to the beginning of the last.
    """

    double: float = 30.0
    """Two brokers that have one topic open, with clients: hand-overs take less."""
    gap: float = SESSION + IN_FLIGHT + MONITOR + 30.0
    """No broker is named: the session of a lost owner, states in flight, the leader's next look at
    them, and as long again as a session for a broker that must become the leader first."""
    broken: float = 10.0
    """Two probes of a broker that are further apart do not belong together."""
