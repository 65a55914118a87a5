"""Following the leader's rounds by what a subject decided.

`DOCUMENTED` does not say how rates are averaged, nor which of several due bundles are taken when
the namespace's maximum bites. So all samples of a bundle are kept: what any average of them
exceeds is certain.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field

from evenkeel.properties.clause import Case, describe
from evenkeel.properties.findings import Findings
from evenkeel.properties.splitting.answers import loads_of
from evenkeel.properties.splitting.convert import (
    bundle_name,
    counts_of,
    exceeded_by,
    thresholds_of,
)
from evenkeel.properties.splitting.trials_due import (
    BundleLoad,
    DueBundle,
    DueConfig,
    ModularDueAnswer,
    ModularDueTrial,
    ModularRound,
)
from evenkeel.reference.edition import DOCUMENTED
from evenkeel.reference.splitting import algorithms, due
from evenkeel.reference.splitting.algorithms import MIN_TOPICS
from evenkeel.reference.splitting.due import BundleName, Reason

ROUNDING = 1e-9
ModularCase = Case[ModularDueTrial, ModularDueAnswer]


def rounds_of(case: ModularCase) -> Iterator[tuple[ModularRound, Sequence[DueBundle]]]:
    """Each round in which something may be decided, and what was."""
    trial = case.trial
    if (
        trial.config.split_enabled
        and trial.leader
        and isinstance(case.observation, ModularDueAnswer)
    ):
        yield from zip(trial.rounds, case.observation.rounds, strict=False)


def walk_any(case: ModularCase) -> Findings:
    """What every edition asks."""
    findings, trial, observed = Findings(), case.trial, case.observation
    if not isinstance(observed, ModularDueAnswer) or len(observed.rounds) != len(trial.rounds):
        sentence = f"{len(trial.rounds)} rounds must be answered, but the subject "
        findings.note("SPL-31", False, sentence + describe(observed), "no answer")
        return findings
    if not (trial.config.split_enabled and trial.leader):
        decided = [named for chosen in observed.rounds for named in chosen]
        findings.note("SPL-31", not decided, f"{decided} although nothing may be decided")
    for round_, chosen in rounds_of(case):
        judge_choice(findings, trial.config, round_, chosen)
    return findings


def judge_choice(
    findings: Findings,
    config: DueConfig,
    round_: ModularRound,
    chosen: Sequence[DueBundle],
) -> None:
    """What every edition asks of a round."""
    loads = {load.bundle: load for load in round_.loads}
    for named in chosen:
        load = loads.get(named.bundle)
        brokers = load is not None and load.broker == named.broker
        once = sum(other.bundle == named.bundle for other in chosen) == 1
        findings.note("SPL-40", brokers and once, f"{named} is asked of the wrong broker or twice")
        if load is not None:
            small = not algorithms.can_split(bundle_name(load.bundle).range)
            sentence = f"{load.bundle} has {load.topics} topics or no room for a cut"
            findings.note("SPL-33", load.topics >= MIN_TOPICS and not small, sentence)
    for namespace, count in counts_of(round_.counts).items():
        gained = sum(bundle_name(named.bundle).namespace == namespace for named in chosen)
        sentence = (
            f"{namespace} with {count} bundles gets {gained} more, at most {config.max_bundles}"
        )
        if gained:
            findings.note("SPL-36", count + gained <= config.max_bundles, sentence)


# ----------------------------------------------------------------------------- documented


@dataclass(slots=True)
class Extremes:
    """The lowest and highest samples of a bundle so far, and whether all were alike."""

    samples: set[tuple[float, float, float, float]] = field(default_factory=set)

    def add(self, load: BundleLoad) -> None:
        """One more sample."""
        sample = (load.msg_rate_in, load.msg_rate_out, load.throughput_in, load.throughput_out)
        self.samples.add(sample)

    def surely_above(self, config: DueConfig) -> bool:
        """Whether any average of the samples exceeds a limit."""
        return any(
            min(values) > limit * (1 + slack) for values, limit, slack in self._measured(config)
        )

    def surely_not_above(self, config: DueConfig) -> bool:
        """Whether no average of the samples exceeds a limit."""
        return all(
            max(values) <= limit * (1 - slack) for values, limit, slack in self._measured(config)
        )

    def _measured(self, config: DueConfig) -> Iterable[tuple[list[float], int, float]]:
        slack = 0.0 if len(self.samples) == 1 else ROUNDING
        rates = [rate_in + rate_out for rate_in, rate_out, _, _ in self.samples]
        throughputs = [flow_in + flow_out for _, _, flow_in, flow_out in self.samples]
        yield rates, config.max_msg_rate, slack
        limit = due.bandwidth_limit(config.max_bandwidth_mbytes, DOCUMENTED)
        yield throughputs, limit, slack


def walk_documented(case: ModularCase) -> Findings:
    """What the documents ask, if the leader knows of another broker."""
    findings = Findings()
    seen: dict[str, Extremes] = {}
    for round_, chosen in rounds_of(case) if case.trial.known_brokers > 1 else ():
        judge_round(findings, case.trial.config, round_, chosen, seen)
    return findings


def judge_round(
    findings: Findings,
    config: DueConfig,
    round_: ModularRound,
    chosen: Sequence[DueBundle],
    seen: dict[str, Extremes],
) -> None:
    """What the documents ask of a round."""
    named = {entry.bundle for entry in chosen}
    room = {count.namespace: config.max_bundles - count.bundles for count in round_.counts}
    for bundle in named:
        room[bundle_name(bundle).namespace] -= 1
    for load in round_.loads:
        extremes = seen.setdefault(load.bundle, Extremes())
        extremes.add(load)
        counted = exceeded_by(load, config) & {Reason.TOPICS, Reason.SESSIONS}
        if load.bundle in named:
            may = bool(counted) or not extremes.surely_not_above(config)
            findings.note("SPL-34", may, f"{load.bundle} exceeds no threshold: {load}")
        name = bundle_name(load.bundle)
        splittable = load.topics >= MIN_TOPICS and algorithms.can_split(name.range)
        if splittable and room[name.namespace] > 0 and (counted or extremes.surely_above(config)):
            sentence = f"{load.bundle} exceeds a threshold and is not split: {load}"
            findings.note("SPL-35", load.bundle in named, sentence)


# -------------------------------------------------------------------------------- exactly


def walk_exactly(case: ModularCase) -> Findings:
    """What 4.0 does, up to the order in which it meets the bundles."""
    findings = Findings()
    averages: due.Averages = {}
    for round_, chosen in rounds_of(case):
        if case.trial.known_brokers <= 1:
            findings.note("SPL-32", not chosen, f"{chosen} although there is one broker only")
        else:
            averages = exact_round(findings, case, averages, round_, chosen)
    return findings


def exact_round(
    findings: Findings,
    case: ModularCase,
    averages: due.Averages,
    round_: ModularRound,
    chosen: Sequence[DueBundle],
) -> due.Averages:
    """One round; the averages afterwards."""
    trial, edition = case.trial, case.edition
    loads, thresholds = loads_of(round_), thresholds_of(trial.config)
    now = due.updated_averages(averages, loads)
    candidates = due.modular_candidates(loads, now, thresholds, edition)
    named = [bundle_name(entry.bundle) for entry in chosen]
    for namespace, count in counts_of(round_.counts).items():
        mine = [name for name in candidates if name.namespace == namespace]
        taken = [name for name in named if name.namespace == namespace]
        places = max(thresholds.max_bundles - count, 0)
        fault = places_fault(mine, taken, places)
        small = any(not algorithms.can_split(name.range) for name in mine)
        for clause, exercised in (
            ("SPL-37", True),
            ("SPL-38", trial.config.max_bandwidth_mbytes >= 2048),
            ("SPL-39", small and len(mine) > places > 0),
        ):
            if exercised and mine + taken:
                findings.note(clause, fault is None, f"{namespace}: {fault}", clause)
    return due.without_due(now, named)


def places_fault(
    candidates: Sequence[BundleName], taken: Sequence[BundleName], places: int
) -> str | None:
    """Why these bundles cannot be the ones that 4.0 takes of the candidates."""
    splittable = [name for name in candidates if algorithms.can_split(name.range)]
    small = len(candidates) - len(splittable)
    extra = [str(name) for name in taken if name not in splittable]
    if extra:
        return f"{', '.join(extra)} is not due"
    least = min(len(splittable), max(places - small, 0))
    most = min(len(splittable), places)
    if not least <= len(taken) <= most:
        return f"{len(taken)} bundles are split, not {least} to {most} of {len(splittable)}"
    return None
