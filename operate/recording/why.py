"""Why a bundle was moved or stayed, round by round, from a recording."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from evenkeel.operate.recording import views
from evenkeel.operate.recording.decisions import GRACE, USUAL_GRACE
from evenkeel.operate.recording.effective import Effective, find_effective
from evenkeel.operate.recording.judge import predict_decisions
from evenkeel.operate.recording.leaderlog import Round
from evenkeel.operate.recording.store import read_about, read_entries
from evenkeel.reference.edition import Edition
from evenkeel.reference.shedding.transfer import TransferReport, TransferRules

SHOWN: Final = 3
"""Other bundles that are named."""
MODULAR: Final = {
    "ThresholdShedder": "SHD-80, SHD-81, SHD-85",
    "UniformLoadShedder": "SHD-20, SHD-21",
    "OverloadShedder": "SHD-10, SHD-11",
    "AvgShedder": "SHD-30, SHD-31",
}


@dataclass(frozen=True, slots=True)
class Explanation:
    """What happened to a bundle at one time, or why nothing did."""

    at: int
    sentence: str

    @property
    def moved(self) -> bool:
        """Whether a round moved it."""
        return self.sentence.startswith(("moved ", "sheds "))

    @property
    def stayed(self) -> bool:
        """Whether a round left it."""
        return self.sentence.startswith("stays: ")


def reasons_of(folder: Path, bundle: str, edition: Edition) -> list[Explanation]:
    """All that a recording tells of a bundle, by time. Raises `RecordingUnusable`, `BadLog`."""
    whole = read_about(folder)
    settings = whole.get("settings", {})
    channel = find_effective(read_entries(folder, ("channel",)), edition)
    found = list(list_owners(channel, bundle))
    if whole.get("manager") == "modular":
        found += explain_modular(folder, bundle, edition)
    else:
        found += explain_extensible(folder, bundle, settings, channel)
    return sorted(found, key=lambda one: one.at)


def list_owners(channel: Effective, bundle: str) -> Iterator[Explanation]:
    """Who owned it since when."""
    last: str | None = ""
    for at, owner in channel.holders.get(bundle, ()):
        if owner is not None and owner != last:
            yield Explanation(at, f"{owner} owns it from here on")
            last = owner


def explain_extensible(
    folder: Path, bundle: str, settings: Mapping[str, str], channel: Effective
) -> Iterator[Explanation]:
    """Every round of TransferShedder. Raises `ValueError` for a setting that is no number."""
    reported = views.sort_heard(read_entries(folder, views.DECIDING))
    rounds = reported.list_rounds()
    known, rules = views.known_of(reported, channel), views.rules_of(TransferRules, settings)
    grace = int(settings.get(GRACE, USUAL_GRACE))
    for now in rounds:
        way = next(views.list_readings(now, rounds, known, rules, grace), None)
        yield Explanation(
            now.at, explain_round(now, bundle, way, rules, known.find_owner(bundle, now.at))
        )


def explain_round(
    now: Round, bundle: str, way: views.Reading | None, rules: TransferRules, owner: str | None
) -> str:
    """Why a round moved it, or did not."""
    for move in now.decided:
        if move.bundle == bundle:
            to = move.destination or "the broker that is chosen"
            return f"moved from {move.source} to {to}: {move.reason.value} (SHD-54, SHD-62, SHD-63)"
    if now.skipped is not None:
        return f"stays: nothing is moved, {now.skipped.value} (SHD-50, SHD-51)"
    if now.hits is not None:
        return (
            f"stays: {now.hits} in a row had a cause, more than {now.threshold} must have one "
            f"(SHD-55); the loads' deviation is {now.deviation}"
        )
    if owner is None:
        return "stays: no broker owned it (SHD-58)"
    if way is None:
        return "stays: no report was recorded before"
    report = next((one for one in way.view.reports if one.broker == owner), None)
    if report is None:
        return f"stays: {owner}, which owns it, had not reported (SHD-50)"
    return f"stays: {why_kept(now, bundle, way, report, rules)}"


def why_kept(
    now: Round, bundle: str, way: views.Reading, report: TransferReport, rules: TransferRules
) -> str:
    """Why its owner kept it in a round that looked at bundles."""
    if bundle in way.view.recent_bundles:
        return "it was unloaded a short while ago (SHD-58, SHD-93)"
    top = report.top or ()
    if all(one.bundle != bundle for one in top):
        return f"{report.broker} does not list it among its largest bundles (SHD-56)"
    if len(top) <= 1:
        return f"{report.broker} lists no other bundle (SHD-61)"
    if others := [str(move.bundle) for move in now.decided if move.source == report.broker]:
        more = f" and {len(others) - SHOWN} more" if len(others) > SHOWN else ""
        return (
            f"what goes from {report.broker} instead is enough: "
            f"{', '.join(others[:SHOWN])}{more} (SHD-63, SHD-66)"
        )
    sources = sorted({str(move.source) for move in now.decided})
    given = f"load is taken from {', '.join(sources)}" if sources else "no bundle fits"
    return (
        f"{report.broker} has a load of {report.load:.1%}, the mean is {now.average:.1%}, the "
        f"target deviation {rules.target_std}; {given} (SHD-62, SHD-63)"
    )


def explain_modular(folder: Path, bundle: str, edition: Edition) -> Iterator[Explanation]:
    """Every round of the modular manager's leader that was logged."""
    for one in predict_decisions(folder, edition):
        clauses = MODULAR.get(one.strategy, "")
        moved = next((text for text in one.made.split("; ") if text.startswith(bundle)), None)
        if moved is not None:
            source = moved.partition(": ")[2].partition(" ")[0]
            yield Explanation(one.at, f"sheds it from {source}: {one.strategy} ({clauses})")
        elif one.made != "nothing":
            yield Explanation(one.at, f"stays: {one.strategy} sheds {one.made} ({clauses})")
