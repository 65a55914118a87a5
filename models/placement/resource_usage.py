"""Theorem: within d points of each other no broker is well below the mean (PLC-10, PLC-11)."""

from __future__ import annotations

from random import Random
from typing import Final

import z3

from evenkeel.properties.placement.resource_usage import (
    Ask,
    ModularUsageTrial,
    Report,
    UsageCommand,
)
from evenkeel.reference.edition import DOCUMENTED
from evenkeel.reference.load.usage import Resource, Resources
from evenkeel.reference.placement import resource_usage
from evenkeel.reference.placement.arithmetic import Number, decimal
from evenkeel.reference.placement.resource_usage import UsageConfig, UsageReport
from evenkeel_engine.proofs.assumptions import Step, case, hypothesis, lemma
from evenkeel_engine.proofs.terms import Model, Scope, Term, number, run
from evenkeel_engine.proofs.theorem import CrossCheck, ReferenceMutant, Theorem

N, SUM, NEXT, LOW, HIGH, D = z3.Ints("n sum next low high d")
BROKERS: Final = ("a", "b")
OFTEN: Final = 64
"""Choices of which a random one of two misses a broker once in 2^63 times."""


def well_below(used: Term, points: Term, total: Term, count: Term) -> Term:
    """At least `points` below the mean of `count` usages that add up to `total`."""
    return count * (used + points) <= total


def steps(scope: Scope) -> tuple[Step, ...]:
    """The mean is at most the highest usage, by induction; so no broker is that far below it."""
    highest = hypothesis("no usage is above the highest", LOW <= HIGH, NEXT <= HIGH)
    some = case("one broker at least", N >= 1)
    summed = lemma(("one broker", "one broker more"), SUM <= N * HIGH)
    return (
        Step("one broker", (highest,), NEXT <= 1 * HIGH),
        Step("one broker more", (some, highest, summed), SUM + NEXT <= (N + 1) * HIGH),
        Step(
            "no broker well below",
            (some, highest, summed, hypothesis("usages are less than d apart", HIGH - LOW < D)),
            z3.Not(well_below(LOW, D, SUM, N)),
        ),
    )


def ignored_step(scope: Scope) -> Step:
    """Two brokers, and each one below the mean counts, by however little."""
    sizes = (0 <= LOW, LOW < HIGH, HIGH <= 100, 1 <= D, D <= 50, HIGH - LOW < D)
    return Step("ignored", sizes, z3.Not(well_below(LOW, z3.IntVal(0), LOW + HIGH, z3.IntVal(2))))


def trial_of(model: Model) -> ModularUsageTrial:
    """Two brokers report, and one is chosen so often that chance would choose both."""
    commands: list[UsageCommand] = [
        Report(name, UsageReport(Resources(cpu=Resource(float(used), 100.0)), 1, rate_in=1.0))
        for name, used in zip(BROKERS, (number(model, LOW), number(model, HIGH)), strict=True)
    ]
    config = UsageConfig(difference=number(model, D))
    return ModularUsageTrial(config, (*commands, Ask(BROKERS, OFTEN)))


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
    statement="If all usages are less than d points apart, no broker is well below the mean, and "
    "any broker may be chosen, also the busiest broker.",
    bound="every number of brokers, every usage and d (exact arithmetic)",
    steps=steps,
    mutant=ReferenceMutant(
        broken="any-difference-counts",
        sentence="A broker below the mean, by however little, is well below it.",
        step=ignored_step,
        trial=trial_of,
        question="placement.least_resource_usage_modular",
    ),
    cross_checks=(
        CrossCheck("well below", arguments, lambda *v: run(well_below, *v), below_in_reference),
    ),
)

THEOREMS: Final = (QUIET,)
