"""`evenkeel operate trace DIR`: what the specification says of a recording."""

from __future__ import annotations

from dataclasses import asdict
from pathlib import Path

import typer

from evenkeel.operate.cli.predict_command import show_clock
from evenkeel.operate.cli.trace_output import EXIT, SHOWN, print_clause
from evenkeel.operate.recording.decisions import count_matches
from evenkeel.operate.recording.findings import Margins
from evenkeel.operate.recording.judge import JudgedRecording, judge_recording
from evenkeel.properties.ownership.trace import Status
from evenkeel.reference.edition import Edition
from evenkeel_engine.cli.options import Format
from evenkeel_engine.cli.output import finish, print_line
from evenkeel_engine.kit.codec import Json


def trace_recording(folder: Path, edition: Edition, skew: int, format_: Format) -> None:
    """Judge, print, and end."""
    judged = judge_recording(folder, edition, skew, Margins())
    if format_ is Format.TEXT:
        print_judgement(judged, edition.name)
    data: dict[str, Json] = {
        "folder": str(folder),
        "edition": edition.name,
        "skew": skew,
        "verdict": judged.status.value,
        **judgement_data(judged),
    }
    raise typer.Exit(finish(format_, summary_of(judged, edition), EXIT[judged.status], data))


def judgement_data(judged: JudgedRecording) -> dict[str, Json]:
    """For programs."""
    bundles: list[Json] = [
        {
            "bundle": verdict.bundle,
            "status": verdict.status.value,
            "events": verdict.events,
            "findings": [asdict(finding) for finding in verdict.findings],
        }
        for verdict in judged.verdicts
    ]
    return {
        "manager": judged.manager,
        "entries": dict(judged.counts),
        "bundles": bundles,
        "passed": judged.passed,
        "splits": judged.splits,
        "nodes": judged.nodes,
        "rounds": len(judged.predicted),
        "rounds_explained": judged.followed,
        "dispatch": {"windows": judged.windows, "nearest": judged.nearest},
        "decisions": [{**asdict(one), "match": one.match.value} for one in judged.predicted],
        "found": [asdict(one) for one in judged.found],
    }


def print_judgement(judged: JudgedRecording, edition: str) -> None:
    """What was found, violations first."""
    reported = [verdict for verdict in judged.verdicts if verdict.findings]
    reported.sort(key=lambda verdict: verdict.status is not Status.VIOLATED)
    for verdict in reported[:SHOWN]:
        for finding in verdict.findings[:3]:
            word = "violated" if finding.clause else "unknown"
            print_line(f"{verdict.bundle}: {word}: {finding.kind}: {finding.sentence}")
            print_clause(finding.clause, edition)
    for one in judged.found[:SHOWN]:
        word = "violated" if one.violated else "known" if one.clause else "unknown"
        print_line(f"{show_clock(one.began)} UTC {one.subject}: {word}: {one.kind}: {one.sentence}")
        print_clause(one.clause, edition)
    left = max(len(reported) - SHOWN, 0) + max(len(judged.found) - SHOWN, 0)
    if left:
        print_line(f"{left:,} more; --format json has all")


def tell_dispatched(judged: JudgedRecording) -> str:
    """What was compared with dispatch limits, if there were any."""
    if not judged.windows:
        return ""
    share = f"{judged.nearest:.0%} of a bound"
    return f"deliveries of {judged.windows:,} windows under a limit, {share} at most; "


def summary_of(judged: JudgedRecording, edition: Edition) -> str:
    """The last line."""
    events = sum(verdict.events for verdict in judged.verdicts)
    explained = sum(verdict.status is Status.EXPLAINED for verdict in judged.verdicts)
    violated = sum(one.violated for one in judged.found)
    known = sum(one.known for one in judged.found)
    doubles = len({one.subject for one in judged.found if one.known and one.kind == "double"})
    decisions = count_matches(one.match for one in judged.predicted)
    of_these = f" (two owners of {doubles:,})" if doubles else ""
    return (
        f"{judged.status.value}: {explained} of {len(judged.verdicts)} bundles explained by "
        f"{edition.name}, {events:,} records that took effect, {judged.passed:,} passed over, "
        f"{judged.splits:,} splits, {judged.nodes:,} events of nodes; decisions {decisions}; "
        f"{tell_dispatched(judged)}"
        f"{sum(judged.counts.values()):,} entries; besides {violated} violated, "
        f"{known} known of the edition{of_these}, {len(judged.found) - violated - known} unknown"
    )
