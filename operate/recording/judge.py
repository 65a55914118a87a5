"""Judging a recording: ownership records as a log, and what the probes saw."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Final

from evenkeel.operate.recording.decisions import (
    Match,
    Predicted,
    findings_of,
    judge_counts,
    predict,
)
from evenkeel.operate.recording.effective import (
    Effective,
    find_effective,
    judge_splits,
    judge_unowned,
)
from evenkeel.operate.recording.findings import Found, Margins
from evenkeel.operate.recording.holders import judge_nodes
from evenkeel.operate.recording.modular_decisions import predict_modular
from evenkeel.operate.recording.probes import judge_probes
from evenkeel.operate.recording.rates import judge_rates
from evenkeel.operate.recording.store import RecordingUnusable, read_about, read_entries
from evenkeel.operate.recording.views import DECIDING
from evenkeel.operate.trace.judging import judge_rows
from evenkeel.properties.ownership.trace import Rules, Status, TraceVerdict
from evenkeel.reference.edition import Edition
from evenkeel.reference.ownership.records import Storage
from evenkeel_engine import spec
from evenkeel_engine.content import list_lineage

PROBING: Final = ("serving", "lookup", "session", "client", "note", "fault")
"""What probes are judged from."""
DECIDING_MODULAR: Final = ("log", "load", "session", "average", "fault")
"""What decisions are predicted from."""


@dataclass(frozen=True, slots=True)
class JudgedRecording:
    """What was found. `verdicts` are of bundles' records, `found` of all else."""

    manager: str
    counts: dict[str, int]
    verdicts: tuple[TraceVerdict, ...]
    passed: int
    splits: int
    nodes: int
    """Events of the modular manager's nodes."""
    found: tuple[Found, ...]
    predicted: tuple[Predicted, ...] = ()
    """The leader's decisions and those that follow from the reports."""
    windows: int = 0
    """Times between two probes in which a dispatch limit held, and deliveries were counted."""
    nearest: float = 0.0
    """The largest share of its bound that came in one of them."""

    @property
    def followed(self) -> int:
        """The decisions that follow from the reports."""
        return sum(one.match in (Match.AGREED, Match.EXPLAINED) for one in self.predicted)

    @property
    def status(self) -> Status:
        """Violated if anything is; else unknown if anything is."""
        of_bundles = {verdict.status for verdict in self.verdicts}
        if Status.VIOLATED in of_bundles or any(one.violated for one in self.found):
            return Status.VIOLATED
        if Status.UNKNOWN in of_bundles or any(not one.clause for one in self.found):
            return Status.UNKNOWN
        return Status.EXPLAINED


def tally_sources(folder: Path) -> tuple[Counter[str], int]:
    """The entries of each source, and the time of the last. Raises `RecordingUnusable`."""
    counts: Counter[str] = Counter()
    end = 0
    for entry in read_entries(folder):
        counts[entry.source] += 1
        end = max(end, entry.time)
    if not counts:
        raise RecordingUnusable(f"{folder} holds no entries.")
    return counts, end


def judge_recording(folder: Path, edition: Edition, skew: int, margins: Margins) -> JudgedRecording:
    """Judge a recording. Raises `RecordingUnusable`, `BadLog`."""
    whole = read_about(folder)
    manager = whole.get("manager", "extensible")
    counts, end = tally_sources(folder)
    channel = find_effective(read_entries(folder, ("channel",)), edition)
    verdicts = judge_rows(channel.bundles.rows, Rules(Storage.TOPIC, edition, skew), lambda _: None)
    probes = judge_probes(read_entries(folder, PROBING), manager, margins)
    rates = judge_rates(read_entries(folder, ("limit", "serving")), whole.get("batch"), edition)
    nodes = judge_nodes(read_entries(folder, ("node",)), margins.double)
    predicted = predicted_in(folder, channel, edition)
    found = [
        *judge_counts(read_entries(folder, ("log",)), whole.get("settings", {})),
        *findings_of(predicted),
        *judge_splits(channel, margins.gap),
        *judge_unowned(channel, end, margins.gap),
        *probes.found.values(),
        *nodes.found.values(),
        *rates.list_findings(),
    ]
    if not counts["channel"] and not counts["node"]:
        found.append(Found("records", "", "no ownership record or node was recorded", 0, 0))
    lineage = list_lineage(edition.name)
    for at, one in enumerate(found):
        if one.clause is not None and not spec.find_clause(one.clause).holds_in(*lineage):
            found[at] = replace(one, known=True)  # of this edition
    found.sort(key=lambda one: (not one.violated, one.clause is None, one.began))
    return JudgedRecording(
        manager,
        dict(counts),
        verdicts,
        channel.passed,
        len(channel.splits),
        nodes.events,
        tuple(found),
        tuple(predicted),
        rates.windows,
        rates.worst,
    )


def predict_decisions(folder: Path, edition: Edition) -> list[Predicted]:
    """The leader's decisions and the predicted ones. Raises `RecordingUnusable`, `BadLog`."""
    return predicted_in(
        folder, find_effective(read_entries(folder, ("channel",)), edition), edition
    )


def predicted_in(folder: Path, channel: Effective, edition: Edition) -> list[Predicted]:
    """The same, the channel's records being known."""
    whole = read_about(folder)
    settings = whole.get("settings", {})
    if whole.get("manager") == "modular":
        return predict_modular(read_entries(folder, DECIDING_MODULAR), settings, edition)
    return predict(read_entries(folder, DECIDING), channel, settings, edition)
