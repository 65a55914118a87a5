"""Theorem: within d points of each other nobody is well below the mean (PLC-10, PLC-11)."""

from __future__ import annotations

from random import Random
from typing import Final

import z3

from evenkeel.models.assumptions import Step, case, hypothesis, shown
from evenkeel.models.terms import Model, Scope, Term, number, run
from evenkeel.models.theorem import Mutant, Theorem, Twin
from evenkeel.properties.kit.observations import Broke, Refused
from evenkeel.properties.placement.resource_usage import (
    Ask,
    ModularUsageTrial,
    Report,
    UsageCommand,
    answer_modular_usage,
)
from evenkeel.properties.placement.trial_parts import Chosen, PlacementAnswer
from evenkeel.reference.edition import DOCUMENTED
from evenkeel.reference.load.usage import Resource, Resources
from evenkeel.reference.placement import resource_usage
from evenkeel.reference.placement.arithmetic import Number, decimal
from evenkeel.reference.placement.resource_usage import UsageConfig, UsageReport

N, SUM, NEXT, LOW, HIGH, D = z3.Ints("n sum next low high d")
BROKERS: Final = ("a", "b")


def well_below(used: Term, points: Term, total: Term, count: Term) -> Term:
    """At least so many points below the mean of `count` usages that add up to `total`."""
    return count * (used + points) <= total


def steps(scope: Scope) -> tuple[Step, ...]:
    """The mean is at most the highest usage, by induction; then nobody is that far below it."""
    highest = hypothesis("nobody's usage is above the highest", LOW <= HIGH, NEXT <= HIGH)
    some = case("one broker at least", N >= 1)
    summed = shown(("one broker", "one broker more"), SUM <= N * HIGH)
    return (
        Step("one broker", (highest,), NEXT <= 1 * HIGH),
        Step("one broker more", (some, highest, summed), SUM + NEXT <= (N + 1) * HIGH),
        Step(
            "nobody well below",
            (some, highest, summed, hypothesis("usages are less than d apart", HIGH - LOW < D)),
            z3.Not(well_below(LOW, D, SUM, N)),
        ),
    )


def ignored_step(scope: Scope) -> Step:
    """Two brokers, and everybody below the mean counts, by whatever little."""
    sizes = (0 <= LOW, LOW < HIGH, HIGH <= 100, 1 <= D, D <= 50, HIGH - LOW < D)
    return Step("ignored", sizes, z3.Not(well_below(LOW, z3.IntVal(0), LOW + HIGH, z3.IntVal(2))))


def trial_of(model: Model) -> ModularUsageTrial:
    """Two brokers report, and one is chosen twice."""
    usages = (number(model, LOW), number(model, HIGH))
    commands: list[UsageCommand] = [
        Report(name, UsageReport(Resources(cpu=Resource(float(used), 100.0)), 1, rate_in=1.0))
        for name, used in zip(BROKERS, usages, strict=True)
    ]
    config = UsageConfig(difference=number(model, D))
    return ModularUsageTrial(config, (*commands, Ask(BROKERS, 2)))


def ignored(trial: ModularUsageTrial) -> PlacementAnswer:
    """The same strategy without a difference."""
    return answer_modular_usage(
        ModularUsageTrial(UsageConfig(difference=0), trial.commands), DOCUMENTED
    )


def both_chosen(trial: ModularUsageTrial, answer: PlacementAnswer | Refused | Broke) -> bool:
    """Anybody is chosen: the reference, which takes turns, chooses each once."""
    if isinstance(answer, Refused | Broke):
        return False
    last = answer.results[-1]
    return isinstance(last, Chosen) and set(last.choices) == set(BROKERS)


def arguments(random: Random) -> tuple[int, int, int, int]:
    """A usage, a difference, the sum and the number of the usages: one and one other."""
    used = random.randint(0, 20)
    return used, random.randint(0, 12), used + random.randint(0, 40), 2


def below_in_reference(used: int, points: int, total: int, count: int) -> bool:
    """Whether the reference counts a broker as well below the mean of two."""
    usages: dict[str, Number] = {"a": decimal(float(used)) / 100}
    mean = decimal(float(total)) / 100 / count
    return "a" in resource_usage.well_below(usages, mean, points, DOCUMENTED)


QUIET: Final = Theorem(
    name="quiet-cluster",
    chapter="placement",
    clauses=("PLC-10", "PLC-11"),
    statement="If all usages are less than d points apart, nobody is well below the mean, and "
    "anybody may be chosen, also the busiest broker.",
    bound="every number of brokers, every usage and d (exact arithmetic)",
    steps=steps,
    mutant=Mutant(
        name="ignored",
        sentence="The difference is taken for 0.",
        step=ignored_step,
        trial=trial_of,
        broken=ignored,
        right=lambda trial: answer_modular_usage(trial, DOCUMENTED),
        promise=both_chosen,
    ),
    twins=(Twin("well below", arguments, lambda *v: run(well_below, *v), below_in_reference),),
)

THEOREMS: Final = (QUIET,)
