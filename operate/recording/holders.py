"""Judging the nodes of the modular manager: no hash has two holders."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field

from evenkeel.operate.recording.effective import parse_bounds
from evenkeel.operate.recording.entries import Entry
from evenkeel.operate.recording.findings import Found


@dataclass(slots=True)
class Holders:
    """Who holds which bundle now: its owner, its session, and since when."""

    now: dict[str, tuple[str, int, int]] = field(default_factory=dict)
    events: int = 0
    found: dict[tuple[str, str], Found] = field(default_factory=dict)

    def take(self, entry: Entry) -> None:
        """A node that is there, changed, or went."""
        bundle = entry.subject or ""
        self.events += 1
        if entry.data is None:
            self.now.pop(bundle, None)
            return
        owner = str(entry.data.get("nativeUrl") or entry.data.get("httpUrl"))
        before = self.now.get(bundle)
        since = before[2] if before and before[0] == owner else entry.time
        self.now[bundle] = (owner, int(entry.data.get("session") or 0), since)

    def find_overlapping(self, at: int, margin: int) -> None:
        """Bundles that overlap, and have had different holders for longer than the margin."""
        held = sorted(
            (bundle.rpartition("/")[0], *limits, bundle)
            for bundle in self.now
            if (limits := parse_bounds(bundle)) is not None
        )
        for place, (namespace, low, high, bundle) in enumerate(held):
            for other_namespace, other_low, _, other in held[place + 1 :]:
                if other_namespace != namespace or other_low >= high:
                    break
                one, two = self.now[bundle], self.now[other]
                since = max(one[2], two[2])
                if one[0] != two[0] and at - since > margin and low <= other_low:
                    self.found[bundle, other] = Found(
                        "double",
                        bundle,
                        f"{one[0]} holds it while {two[0]} holds {other}, which overlaps",
                        since,
                        at,
                        "OWN-21",
                    )


def judge_nodes(entries: Iterable[Entry], margin: float) -> Holders:
    """All that nodes tell."""
    holders, milliseconds = Holders(), int(margin * 1000)
    for entry in entries:
        holders.find_overlapping(entry.time, milliseconds)
        holders.take(entry)
    return holders
