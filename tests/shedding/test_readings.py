"""Plain readings of the documents accuse nobody of a MUST: they are right, or departures."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Sequence
from contextlib import ExitStack
from dataclasses import dataclass, replace
from itertools import combinations
from types import ModuleType
from typing import Any, TypeAlias
from unittest.mock import patch

import pytest

from evenkeel import spec
from evenkeel.harness.seeded import make_trial
from evenkeel.properties.catalogue import QUESTIONS, clauses_for
from evenkeel.properties.mutant_maker import Make, always, switched
from evenkeel.properties.question import Observation, judge
from evenkeel.properties.shedding.mutants import long_rate, long_throughput
from evenkeel.reference.edition import DOCUMENTED
from evenkeel.reference.load import history, usage
from evenkeel.reference.load.usage import Resource
from evenkeel.reference.shedding import avg, cluster, overload, threshold, transfer, uniform
from evenkeel.reference.shedding.transfer_view import (
    TransferDecision,
    TransferLabel,
    TransferReason,
)

Patch: TypeAlias = tuple[ModuleType, str, Make]

COUNTING: Make = switched(monitoring_bundles_count=True)
SHEDDERS = {"overload": overload, "threshold": threshold, "uniform": uniform, "avg": avg}


@dataclass(frozen=True, slots=True)
class Variant:
    """A balancer that reads the documents plainly, with what it may be told to depart from."""

    question: str
    patches: Sequence[Patch]
    departs: frozenset[str]
    trials: int = 300


def counts_monitoring(name: str) -> Variant:
    return Variant(
        f"shedding.{name}",
        [(SHEDDERS[name], "has_several_bundles", COUNTING)],
        frozenset({"SHD-8"}),
    )


def sheds_monitoring(name: str) -> Variant:
    patches = [*counts_monitoring(name).patches, (cluster, "is_monitoring", always(False))]
    return Variant(f"shedding.{name}", patches, frozenset({"SHD-2", "SHD-8"}))


def by_long_term(name: str) -> Variant:
    """In both dimensions. Where other SHOULDs explain an answer as well, these may be told."""
    patches: list[Patch] = [(SHEDDERS[name], "short_throughput", lambda _: long_throughput)]
    if name in ("uniform", "avg"):
        patches.append((SHEDDERS[name], "short_rate", lambda _: long_rate))
    others = {
        "overload": {"SHD-13"},
        "uniform": {"SHD-21", "SHD-22"},
        "avg": {"SHD-35", "SHD-36", "SHD-100"},
    }.get(name, set())
    return Variant(f"shedding.{name}", patches, frozenset({"SHD-97", *others}), 500)


def together(*variants: Variant) -> Variant:
    """Several departures in one balancer: whoever departs twice is accused of no more."""
    patches = [patch for one in variants for patch in one.patches]
    departs = frozenset().union(*(one.departs for one in variants))
    return Variant(variants[0].question, patches, departs, min(one.trials for one in variants))


def leaves_alone(name: str) -> Variant:
    """What is Pulsar's own stays, whether it monitors or not. Other SHOULDs may explain it, too."""
    others = {"uniform": {"SHD-21", "SHD-22"}, "avg": {"SHD-35", "SHD-36", "SHD-100"}}.get(
        name, {"SHD-13"} if name == "overload" else set()
    )
    return Variant(
        f"shedding.{name}",
        [(cluster, "is_monitoring", lambda _: is_own)],
        frozenset({"SHD-2", "SHD-97", *others}),
    )


def is_own(namespace: str) -> bool:
    return namespace.startswith(("pulsar/", "sla-monitor/"))


def nothing_for_no_number(original: Callable[[Resource], float]) -> Callable[[Resource], float]:
    return lambda one: 0.0 if math.isnan(one.usage) else original(one)


def without_limit(percent: float) -> Make:
    return lambda original: lambda one: percent if one.limit <= 0 else original(one)


def waits_for_all(original: Callable[..., Any]) -> Callable[..., Any]:
    """Nothing is decided while any report is too old, and the row is interrupted."""

    def decide(hits: int, view: Any, rules: Any, edition: Any) -> Any:
        oldest = view.now - rules.ttl_seconds * 1000
        if any(report.updated_at < oldest for report in view.reports):
            return 0, TransferDecision(TransferLabel.SKIP, TransferReason.OUTDATED_DATA)
        return original(hits, view, rules, edition)

    return decide


USAGE = {
    "full without a limit": Variant(
        "load.usage", [(usage, "percent_usage", without_limit(100.0))], frozenset({"LOA-1"})
    ),
    "no number is nothing": Variant(
        "load.usage", [(usage, "percent_usage", nothing_for_no_number)], frozenset({"LOA-1"})
    ),
    "old names ignored": Variant(
        "load.usage",
        [(usage, "bandwidth_weight", lambda _: lambda present, misspelt: present)],
        frozenset({"LOA-7"}),
    ),
    "heap in usage without weights": Variant(
        "load.usage",
        [
            (
                usage,
                "_largest_percentage",
                lambda _: (
                    lambda all_: usage.largest(
                        usage.percent_usage(getattr(all_, name)) for name in all_.__slots__
                    )
                ),
            )
        ],
        frozenset({"LOA-5"}),
    ),
}
HISTORY = {
    "idle brokers keep their history": Variant(
        "load.history",
        [(history, "starts_afresh", always(False))],
        frozenset({"LOA-27"}),
    ),
    "brokers that left keep their history": Variant(
        "load.history",
        [(history, "without_departed", lambda _: lambda histories, active: dict(histories))],
        frozenset({"LOA-26"}),
    ),
}
VARIANTS = {
    **{f"counts monitoring, {name}": counts_monitoring(name) for name in SHEDDERS},
    **{f"sheds monitoring, {name}": sheds_monitoring(name) for name in SHEDDERS},
    **{f"long-term averages, {name}": by_long_term(name) for name in SHEDDERS},
    **{f"leaves Pulsar's own alone, {name}": leaves_alone(name) for name in SHEDDERS},
    **USAGE,
    **HISTORY,
    "waits for all reports": Variant(
        "shedding.transfer", [(transfer, "decide", waits_for_all)], frozenset({"SHD-51", "SHD-52"})
    ),
}
PAIRS = {
    f"{one} and {other}": together(group[one], group[other])
    for group in (USAGE, HISTORY)
    for one, other in combinations(group, 2)
}
SHEDDING_PAIRS = {
    f"{one} and {other}, {name}": together(VARIANTS[f"{one}, {name}"], VARIANTS[f"{other}, {name}"])
    for name in SHEDDERS
    for one, other in (
        ("counts monitoring", "long-term averages"),
        ("sheds monitoring", "long-term averages"),
        ("leaves Pulsar's own alone", "long-term averages"),
        ("leaves Pulsar's own alone", "counts monitoring"),
    )
}
EVERYBODY = {**VARIANTS, **PAIRS, **SHEDDING_PAIRS}


def observed(variant: Variant, trial: Any) -> Observation:
    with ExitStack() as stack:
        for module, function, make in variant.patches:
            stack.enter_context(patch.object(module, function, make(getattr(module, function))))
        return QUESTIONS[variant.question].observe(trial, DOCUMENTED)


def broken(question: str, trial: Any, observation: Observation) -> set[str]:
    clauses = clauses_for(question, DOCUMENTED)
    verdicts = judge(QUESTIONS[question], clauses, trial, observation, DOCUMENTED)
    return {one.clause for one in verdicts if one.failed}


def musts(clauses: Iterable[str]) -> set[str]:
    return {c for c in clauses if spec.clause(c).level_in("DOCUMENTED") is spec.Level.MUST}


@pytest.mark.parametrize("name", EVERYBODY)
def test_who_departs_from_practice_is_accused_of_nothing_else(name: str) -> None:
    variant, found = EVERYBODY[name], set[str]()
    assert not musts(variant.departs)
    for index in range(variant.trials):
        trial = make_trial(QUESTIONS[variant.question], 1, index)
        told = broken(variant.question, trial, observed(variant, trial))
        assert told <= variant.departs, index
        found |= told
    assert found


def tired(question: str, answer: Any) -> Any:
    """Nothing is shed any more from the sixth round on."""
    if question != "shedding.transfer":
        return replace(answer, rounds=(*answer.rounds[:5], *[()] * len(answer.rounds[5:])))
    skip = {"label": TransferLabel.SKIP, "reason": TransferReason.HIT_COUNT, "moves": ()}
    later = (replace(one, **skip) if one.moves else one for one in answer.rounds[5:])
    return replace(answer, rounds=(*answer.rounds[:5], *later))


@pytest.mark.parametrize("name", [*SHEDDERS, "transfer"])
def test_who_tires_after_five_rounds_is_accused_within_500_trials(name: str) -> None:
    question = QUESTIONS[f"shedding.{name}"]
    for index in range(500):
        trial = make_trial(question, 1, index)
        answer = tired(question.name, question.answer(trial, DOCUMENTED))
        if musts(broken(question.name, trial, answer)):
            return
    pytest.fail("never accused")
