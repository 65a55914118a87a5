"""What `evenkeel operate trace` prints of logs and of recordings alike."""

from __future__ import annotations

from evenkeel.properties.ownership.trace import Status
from evenkeel_engine import spec
from evenkeel_engine.cli.output import print_line

SHOWN = 10
"""At most this many bundles of a sort are shown as text; JSON has all."""
EXIT = {Status.EXPLAINED: 0, Status.VIOLATED: 1, Status.UNKNOWN: 2}


def print_clause(clause: str | None, edition: str) -> None:
    """The rule that failed."""
    if clause is not None:
        entry = spec.find_clause(clause)
        print_line(f"  {entry.id} ({entry.level_in(edition)}), {entry.title}: {entry.sentence}")
