"""Literal interpretations of the documents violate no MUST: they hold, or are departures."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from itertools import combinations
from typing import Any

import pytest

from evenkeel import spec
from evenkeel.harness.seeded import make_trial
from evenkeel.mutation.code_swap import swapped
from evenkeel.mutation.patches import Change, codes
from evenkeel.properties.catalogue import QUESTIONS, clauses_for
from evenkeel.properties.kit.question import Observation, judge
from evenkeel.reference.edition import DOCUMENTED
from evenkeel.reference.shedding.transfer import TransferLabel, TransferReason

SHEDDERS = ("overload", "threshold", "uniform", "avg")


@dataclass(frozen=True, slots=True)
class Variant:
    """A balancer by a literal interpretation, and the clauses that it may violate."""

    question: str
    changes: tuple[Change, ...]
    departs: frozenset[str]
    trials: int = 300


def counts_monitoring(name: str) -> Variant:
    counting = (("monitoring_bundles_count", True),)
    change = Change("shedding.selecting:has_several_bundles", switch=counting)
    return Variant(f"shedding.{name}", (change,), frozenset({"SHD-8"}))


def sheds_monitoring(name: str) -> Variant:
    changes = (*counts_monitoring(name).changes, unloads_where("True"))
    return Variant(f"shedding.{name}", changes, frozenset({"SHD-2", "SHD-8"}))


def unloads_where(condition: str) -> Change:
    """Allow bundles of these namespaces to be chosen, monitoring or not."""
    old = "and not is_monitoring(namespace_of(bundle))"
    return Change("shedding.cluster:movable", old, f"and {condition}")


def by_long_term(name: str) -> Variant:
    """In both dimensions. Other SHOULDs that explain an answer as well may be reported."""
    changes = tuple(
        Change(
            f"shedding.selecting:short_{measure}",
            f"return load.short_term.{field}",
            f"return load.long_term.{field}",
        )
        for measure, field in (("throughput", "throughput"), ("rate", "msg_rate"))
    )
    others = {
        "overload": {"SHD-13"},
        "uniform": {"SHD-21", "SHD-22"},
        "avg": {"SHD-35", "SHD-36", "SHD-100"},
    }.get(name, set())
    return Variant(f"shedding.{name}", changes, frozenset({"SHD-97", *others}), 500)


def together(*variants: Variant) -> Variant:
    """Several departures in one balancer: no other clauses are violated."""
    changes = tuple(change for one in variants for change in one.changes)
    departs = frozenset().union(*(one.departs for one in variants))
    return Variant(variants[0].question, changes, departs, min(one.trials for one in variants))


def leaves_alone(name: str) -> Variant:
    """Pulsar's own bundles stay, monitoring or not. Other SHOULDs may explain it, too."""
    others = {"uniform": {"SHD-21", "SHD-22"}, "avg": {"SHD-35", "SHD-36", "SHD-100"}}.get(
        name, {"SHD-13"} if name == "overload" else set()
    )
    others_alone = unloads_where('not bundle.startswith(("pulsar/", "sla-monitor/"))')
    return Variant(f"shedding.{name}", (others_alone,), frozenset({"SHD-2", "SHD-97", *others}))


WITHOUT_LIMIT = "if not resource.limit > 0:"
FULL = f"if resource.limit <= 0:\n    return 100.0\n{WITHOUT_LIMIT}"
NO_NUMBER = f"if math.isnan(resource.usage):\n    return 0.0\n{WITHOUT_LIMIT}"
USAGE = {
    "full without a limit": Variant(
        "load.usage",
        (Change("load.usage:percent_usage", WITHOUT_LIMIT, FULL),),
        frozenset({"LOA-1"}),
    ),
    "no number is nothing": Variant(
        "load.usage",
        (Change("load.usage:percent_usage", WITHOUT_LIMIT, NO_NUMBER),),
        frozenset({"LOA-1"}),
    ),
    "old names ignored": Variant(
        "load.usage",
        (Change("load.usage:bandwidth_weight", body="return configured"),),
        frozenset({"LOA-7"}),
    ),
    "heap in usage without weights": Variant(
        "load.usage",
        (
            Change(
                "load.usage:_largest_percentage",
                "percent_usage(resources.cpu),",
                "percent_usage(resources.cpu),\npercent_usage(resources.memory),",
            ),
        ),
        frozenset({"LOA-5"}),
    ),
}
HISTORY = {
    "idle brokers keep their history": Variant(
        "load.history",
        (Change("load.history:starts_afresh", body="return False"),),
        frozenset({"LOA-27"}),
    ),
    "brokers that left keep their history": Variant(
        "load.history",
        (Change("load.history:without_departed", body="return dict(histories)"),),
        frozenset({"LOA-26"}),
    ),
}
WAITS_FOR_ALL = Change(
    "shedding.transfer:decide",
    "if view.registered is None:",
    """
    if any(report.updated_at < view.now - rules.ttl_seconds * 1000 for report in view.reports):
        return 0, TransferDecision(TransferLabel.SKIP, TransferReason.OUTDATED_DATA)
    if view.registered is None:""",
)
"""Nothing is decided while any report is too old, and the row is interrupted."""
VARIANTS = {
    **{f"counts monitoring, {name}": counts_monitoring(name) for name in SHEDDERS},
    **{f"sheds monitoring, {name}": sheds_monitoring(name) for name in SHEDDERS},
    **{f"long-term averages, {name}": by_long_term(name) for name in SHEDDERS},
    **{f"leaves Pulsar's own alone, {name}": leaves_alone(name) for name in SHEDDERS},
    **USAGE,
    **HISTORY,
    "waits for all reports": Variant(
        "shedding.transfer", (WAITS_FOR_ALL,), frozenset({"SHD-51", "SHD-52"})
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


def observed(variant: Variant, trials: Sequence[Any]) -> list[Observation]:
    question = QUESTIONS[variant.question]
    with swapped(codes(variant.changes)):
        return [question.observe(trial, DOCUMENTED) for trial in trials]


def broken(question: str, trial: Any, observation: Observation) -> set[str]:
    clauses = clauses_for(question, DOCUMENTED)
    verdicts = judge(QUESTIONS[question], clauses, trial, observation, DOCUMENTED)
    return {one.clause for one in verdicts if one.failed}


def musts(clauses: Iterable[str]) -> set[str]:
    return {c for c in clauses if spec.clause(c).level_in("DOCUMENTED") is spec.Level.MUST}


@pytest.mark.parametrize("name", EVERYBODY)
def test_departures_from_practice_violate_only_their_clauses(name: str) -> None:
    variant, all_violated = EVERYBODY[name], set[str]()
    assert not musts(variant.departs)
    trials = [make_trial(QUESTIONS[variant.question], 1, index) for index in range(variant.trials)]
    for index, (trial, observation) in enumerate(
        zip(trials, observed(variant, trials), strict=True)
    ):
        violated = broken(variant.question, trial, observation)
        assert violated <= variant.departs, index
        all_violated |= violated
    assert all_violated


def without_later_sheds(question: str, answer: Any) -> Any:
    """The answer without sheds from the sixth round on."""
    if question != "shedding.transfer":
        return replace(answer, rounds=(*answer.rounds[:5], *[()] * len(answer.rounds[5:])))
    skip = {"label": TransferLabel.SKIP, "reason": TransferReason.HIT_COUNT, "moves": ()}
    later = (replace(one, **skip) if one.moves else one for one in answer.rounds[5:])
    return replace(answer, rounds=(*answer.rounds[:5], *later))


@pytest.mark.parametrize("name", [*SHEDDERS, "transfer"])
def test_shedding_that_stops_after_five_rounds_is_detected(name: str) -> None:
    question = QUESTIONS[f"shedding.{name}"]
    for index in range(500):
        trial = make_trial(question, 1, index)
        answer = without_later_sheds(question.name, question.answer(trial, DOCUMENTED))
        if musts(broken(question.name, trial, answer)):
            return
    pytest.fail("no clause was violated")
