"""Judging a whole log: bundle by bundle, then the bundles that overlap."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace

from evenkeel.operate.trace.lines import Damage
from evenkeel.operate.trace.rows import (
    Amount,
    EventRow,
    LoggedBundles,
    events_of,
    seldom_collecting,
)
from evenkeel.operate.trace.source import Source, first_damage, read_task
from evenkeel.properties.ownership.trace import (
    Finding,
    Rules,
    Status,
    TraceVerdict,
    double_ownership,
    judge_bundle,
    overlapping,
    with_finding,
)


@dataclass(frozen=True, slots=True)
class Judged:
    """What was found about a log: a verdict for each bundle, by name; where it is cut off."""

    verdicts: tuple[TraceVerdict, ...]
    cut: Damage | None = None

    @property
    def events(self) -> int:
        """How many events were judged."""
        return sum(verdict.events for verdict in self.verdicts)

    def count(self, status: Status) -> int:
        """How many bundles have this status."""
        return sum(verdict.status is status for verdict in self.verdicts)

    @property
    def status(self) -> Status:
        """Violated if a bundle is; else unknown if one is or the log is cut off."""
        if self.count(Status.VIOLATED):
            return Status.VIOLATED
        if self.cut is not None or self.count(Status.UNKNOWN):
            return Status.UNKNOWN
        return Status.EXPLAINED


def read_log(source: Source, reported: Amount) -> tuple[dict[str, list[EventRow]], Damage | None]:
    """All rows by bundle, and where the log is cut off. Raises `BadLog`."""
    bundles, damages = LoggedBundles(), []
    for task in source.tasks:
        damages.append(read_task(task, bundles, reported))
        if damages[-1] is not None:
            break
    return bundles.rows, first_damage(source, damages, len(bundles.rows))


def judge_rows(
    rows: Mapping[str, list[EventRow]], rules: Rules, reported: Amount
) -> tuple[TraceVerdict, ...]:
    """Judge all bundles in this process."""
    pairs = list(overlapping(rows))
    verdicts = judge_each(rows, rules, names_in(pairs), reported)
    found = overlap_findings(verdicts, pairs, rules)
    again = {name: rows[name] for name in found}
    return finish_verdicts(verdicts, add_findings(again, verdicts, found))


@seldom_collecting()
def judge_each(
    rows: Mapping[str, list[EventRow]], rules: Rules, overlap: Collection[str], reported: Amount
) -> dict[str, TraceVerdict]:
    """Judge each bundle for itself; spans are kept of those that overlap others."""
    verdicts = {}
    for bundle, of_bundle in rows.items():
        verdict = judge_bundle(bundle, events_of(of_bundle), rules)
        verdicts[bundle] = verdict if bundle in overlap else replace(verdict, spans=())
        reported(len(of_bundle))
    return verdicts


def names_in(pairs: Iterable[tuple[str, str]]) -> frozenset[str]:
    """All bundles that overlap some other."""
    return frozenset(name for pair in pairs for name in pair)


def overlap_findings(
    verdicts: Mapping[str, TraceVerdict], pairs: Iterable[tuple[str, str]], rules: Rules
) -> dict[str, Finding]:
    """The first double ownership by overlapping bundles, of each bundle that brought one about."""
    found: dict[str, Finding] = {}
    for one, two in pairs:
        double = double_ownership((one, verdicts[one].spans), (two, verdicts[two].spans), rules)
        if double is not None:
            name, finding = double
            known = found.get(name)
            if known is None or (finding.at, finding.sentence) < (known.at, known.sentence):
                found[name] = finding
    return found


def add_findings(
    rows: Mapping[str, list[EventRow]],
    verdicts: Mapping[str, TraceVerdict],
    found: Mapping[str, Finding],
) -> list[TraceVerdict]:
    """The verdicts of these bundles with what was found as well."""
    return [
        with_finding(verdicts[name], events_of(of_bundle), found[name])
        for name, of_bundle in rows.items()
    ]


def finish_verdicts(
    verdicts: Mapping[str, TraceVerdict], again: Sequence[TraceVerdict]
) -> tuple[TraceVerdict, ...]:
    """All verdicts by name, those judged again in place of the first."""
    whole = {**verdicts, **{verdict.bundle: verdict for verdict in again}}
    return tuple(replace(whole[name], spans=()) for name in sorted(whole))
