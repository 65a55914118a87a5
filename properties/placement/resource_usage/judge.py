"""PLC-10 to PLC-15: a broker well below the mean usage, else anybody.

What an ask may choose follows from the reports and the asks before it alone. Which clause a wrong
choice breaks depends on what the candidates' history is: none yet, some, some of an idle broker,
or forgotten because the broker left; but where a candidate is right at the edge of being well below
the mean, it is the arithmetic of the edge that is wrong (PLC-10).
"""

from __future__ import annotations

import sys
from collections import Counter
from collections.abc import Collection, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from functools import lru_cache
from typing import Any, Final

from evenkeel.properties.clause import Case
from evenkeel.properties.judging.judge import decision
from evenkeel.properties.judging.run import Run
from evenkeel.properties.judging.tolerance import SINGLE
from evenkeel.properties.placement.asks import AskResult, AsksAnswer, ChoicesAnswer
from evenkeel.properties.placement.chances import Chances
from evenkeel.properties.placement.following import (
    breaking,
    breaks_or_not,
    choices_in,
    choices_observed,
    has_nobody,
    is_candidate,
    is_done,
    results_of,
)
from evenkeel.properties.placement.numbers import Number, decimal, usage
from evenkeel.properties.placement.resource_usage.trial import (
    Active,
    Ask,
    ExtensibleUsageTrial,
    ModularUsageTrial,
    Report,
)
from evenkeel.properties.plain import plain
from evenkeel.reference.edition import Edition
from evenkeel.reference.placement.resource_usage import UsageConfig, UsageReport

MANY: Final = 10
"""Of more doubles than this the sums are not tried out in every order, but bounded."""

Sets = list[frozenset[str]]


@lru_cache(512)
def sums(values: tuple[float, ...]) -> frozenset[float]:
    """Every result of adding these doubles, which are sorted, one after the other."""
    if not values:
        return frozenset((0.0,))
    return frozenset(
        before + value
        for place, value in enumerate(values)
        if not place or value != values[place - 1]
        for before in sums(values[:place] + values[place + 1 :])
    )


def means(values: Sequence[float], points: float) -> list[float]:
    """The mean in every order of adding that can make a difference."""
    count, total = len(values), sum(sorted(values))
    error = count * sys.float_info.epsilon * sum(map(abs, values))
    mean = total / count
    if not any(abs(value + points - mean) <= 2 * error for value in values):
        return [mean]
    if count > MANY:
        return [mean - error / count, mean, mean + error / count]
    return [one / count for one in sums(tuple(sorted(values)))]


def allowed_sets(
    candidates: Collection[str], usages: dict[str, Number], difference: int, edition: Edition
) -> Sets:
    """Those at least so far below the mean, else all; several sets where the order of adding
    decides.
    """
    if not usages:
        return [frozenset(candidates)]
    if edition.placement_in_floating_point:
        points = difference / 100.0
        values = [float(used) for used in usages.values()]
        found = [
            frozenset(b for b, used in usages.items() if used + points <= mean)
            for mean in means(values, points)
        ]
    else:
        total = sum(usages.values(), Fraction(0))
        least = total / len(usages) - Fraction(difference, 100)
        found = [frozenset(b for b, used in usages.items() if used <= least)]
    return list(dict.fromkeys(one or frozenset(candidates) for one in found))


def at_the_edge(usages: dict[str, Number], difference: int) -> bool:
    """Whether single precision can decide on which side of the mean a broker is."""
    values = [float(used) for used in usages.values()]
    least = sum(values) / len(values) - difference / 100.0 if values else 0.0
    return any(abs(used - least) < SINGLE for used in values)


@dataclass(slots=True)
class Known:
    """What is known between two commands."""

    config: UsageConfig
    edition: Edition
    history: dict[str, Number] = field(default_factory=dict)
    present: dict[str, tuple[Number, bool]] = field(default_factory=dict)
    """What each broker reported: its usage, and whether it is idle."""
    forgotten: set[str] = field(default_factory=set)
    vague: set[str] = field(default_factory=set)
    """Brokers that were looked at without a report: the documents do not say as what they count,
    then and in their history."""

    def report(self, broker: str, report: UsageReport) -> None:
        idle = not report.bundles or report.rate_in == report.rate_out == 0
        used = usage(report.resources, self.config.weights, self.edition)
        self.present[broker] = (used, idle)

    def leave(self, active: Collection[str]) -> None:
        """Only these brokers remain."""
        gone = self.history.keys() - set(active)
        self.forgotten |= gone
        for broker in gone:
            del self.history[broker]
        self.vague.intersection_update(active)

    def clause(self, ask: Ask) -> str:
        """What clause the next choice is about."""
        if not self.forgotten.isdisjoint(ask.candidates):
            return "PLC-14"
        known = [broker for broker in ask.candidates if broker in self.history]
        if any(broker in self.present and self.present[broker][1] for broker in known):
            return "PLC-13"
        return "PLC-12" if known else "PLC-10"

    def look(self, ask: Ask) -> dict[str, Number]:
        """One more look at each candidate; 4.0 looks at no more behind one without a report."""
        usages: dict[str, Number] = {}
        for broker in ask.candidates:
            if broker not in self.present:
                if self.edition.unreported_candidates_break:
                    return usages
                self.vague.add(broker)
                continue
            used, idle = self.present[broker]
            if idle:
                self.vague.discard(broker)
            elif broker in self.history:
                used = self.smoothed(self.history[broker], used)
            self.history[broker] = usages[broker] = used
        self.forgotten.difference_update(ask.candidates)
        return usages

    def smoothed(self, before: Any, used: Any) -> Number:
        weight = self.config.history
        if self.edition.placement_in_floating_point:
            smooth: Number = before * weight + (1 - weight) * used
        else:
            smooth = used + (before - used) * decimal(weight)
        return smooth


@decision(
    "placement.least_resource_usage_modular",
    "PLC-1", "PLC-3", "PLC-4", "PLC-5", "PLC-10", "PLC-11", "PLC-12", "PLC-13", "PLC-14",
    "PLC-53",
)  # fmt: skip
def modular(run: Run, case: Case[ModularUsageTrial, AsksAnswer]) -> None:
    trial = case.trial
    known, chances = Known(trial.config, case.edition), Chances()
    results = results_of(run, case, len(trial.commands), breaking(case.edition))
    for command, result in zip(trial.commands, results, strict=False):
        if isinstance(command, Ask):
            asked(run, known, command, result, chances)
            continue
        is_done(run, result, command)
        if isinstance(command, Report):
            known.report(command.broker, command.report)
        elif isinstance(command, Active):
            known.leave(command.brokers)
    chances.judge(run)


def asked(run: Run, known: Known, ask: Ask, result: AskResult, chances: Chances) -> None:
    edition = known.edition
    unknown = any(broker not in known.present for broker in ask.candidates)
    must_break = unknown and edition.unreported_candidates_break
    if breaks_or_not(run, edition, result, must_break, ask):
        known.look(ask)
        return
    may_refuse = has_nobody(edition, ask.candidates)
    for chosen in choices_in(run, result, ask.times, ask, may_refuse):
        clause = known.clause(ask)
        usages = known.look(ask)
        if chooses_nobody(run, chosen, ask.candidates, usages):
            continue
        is_one = is_candidate(run, chosen, ask.candidates)
        if not ask.candidates or not known.vague.isdisjoint(ask.candidates):
            continue
        difference = known.config.difference
        sets = allowed_sets(ask.candidates, usages, difference, edition)
        kind = "choice"
        if at_the_edge(usages, difference):
            clause, kind = "PLC-10", "edge of the mean"
        judge_choice(run, sets, ask.candidates, chosen, clause, kind)
        if len(sets) == 1 and is_one:
            chances.see(tuple(sets[0]), chosen)


def chooses_nobody(
    run: Run, chosen: str | None, candidates: Collection[str], usages: dict[str, Number]
) -> bool:
    """PLC-11: nothing is known of any candidate, and nobody was chosen."""
    if chosen is not None or not candidates or usages:
        return False
    run.require("PLC-11", False, lambda: f"nobody chosen of {plain(candidates)}", "nobody")
    return True


def judge_choice(
    run: Run,
    sets: Sets,
    candidates: Collection[str],
    chosen: str | None,
    clause: str,
    kind: str = "choice",
) -> None:
    """One choice, held against the sets of allowed brokers."""
    everybody = sets == [frozenset(candidates)]
    run.require(
        "PLC-11" if everybody else clause,
        any(chosen in allowed for allowed in sets),
        lambda: (
            f"{chosen or 'nobody'} chosen of {plain(candidates)}; "
            f"must be of {' or '.join(map(listed, sets))}"
        ),
        "choice" if everybody else kind,
    )


def listed(brokers: Collection[str]) -> str:
    return ", ".join(sorted(brokers))


@decision(
    "placement.least_resource_usage_extensible",
    "PLC-1", "PLC-3", "PLC-4", "PLC-10", "PLC-11", "PLC-15", "PLC-53",
)  # fmt: skip
def extensible(run: Run, case: Case[ExtensibleUsageTrial, ChoicesAnswer]) -> None:
    trial, edition, chances = case.trial, case.edition, Chances()
    names = [broker.name for broker in trial.candidates]
    usages: dict[str, Number] = {
        broker.name: broker.usage if edition.placement_in_floating_point else decimal(broker.usage)
        for broker in trial.candidates
        if broker.usage is not None
    }
    sets = allowed_sets(names, usages, trial.difference, edition)
    answering = "PLC-1" if edition.unreported_candidates_break else "PLC-4"
    without_data_last = len(usages) < len(names) and frozenset(names) not in sets
    for chosen, times in Counter(choices_observed(run, case, trial.times, answering)).items():
        if chooses_nobody(run, chosen, names, usages):
            continue
        is_candidate(run, chosen, names)
        if not names:
            continue
        judge_choice(run, sets, names, chosen, "PLC-10")
        if without_data_last:
            known = chosen not in names or chosen in usages
            run.require("PLC-15", known, f"{chosen} chosen, without load data", "no load data")
        if len(sets) == 1 and chosen in sets[0]:
            chances.see(tuple(sets[0]), chosen, times)
    chances.judge(run)
