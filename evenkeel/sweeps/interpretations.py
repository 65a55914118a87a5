"""Plain readings of the documents violate no MUST: they are right, or departures."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, replace
from itertools import combinations
from typing import Any, Final

from evenkeel.reference.edition import DOCUMENTED
from evenkeel.reference.shedding.transfer import TransferLabel, TransferReason
from evenkeel.sweeps.departures import objections
from evenkeel_engine import spec
from evenkeel_engine.check.seeded import make_trial
from evenkeel_engine.kit.catalogue import QUESTIONS, list_breaches
from evenkeel_engine.kit.question import Observation
from evenkeel_engine.mutation.patches import Edit, Patch
from evenkeel_engine.sweeps.sweep import (
    SEED,
    JobOutcome,
    Sweep,
    SweepPlan,
    by_chapter,
    make_outcome,
)

SHEDDERS: Final = ("overload", "threshold", "uniform", "avg")
TIRED_TRIALS: Final = 500
PAIRED_TRIALS: Final = 100


@dataclass(frozen=True, slots=True)
class Variant:
    """A balancer that reads the documents plainly, with what it may be reported to depart from."""

    question: str
    changes: tuple[Edit, ...]
    departs: frozenset[str]
    trials: int = 300


def counts_monitoring(name: str) -> Variant:
    """Bundles that monitor count as bundles of a broker."""
    counting = (("monitoring_bundles_count", True),)
    change = Edit("shedding.selecting:has_several_bundles", switch=counting)
    return Variant(f"shedding.{name}", (change,), frozenset({"SHD-8"}))


def sheds_monitoring(name: str) -> Variant:
    """Bundles that monitor count, and are shed."""
    changes = (*counts_monitoring(name).changes, unloads_where("True"))
    return Variant(f"shedding.{name}", changes, frozenset({"SHD-2", "SHD-8"}))


def unloads_where(condition: str) -> Edit:
    """Bundles of these namespaces may be chosen, whether they monitor or not."""
    old = "and not is_monitoring(namespace_of(bundle), edition.clustered_monitors)"
    return Edit("shedding.cluster:movable", old, f"and {condition}")


def by_long_term(name: str) -> Variant:
    """In both dimensions. Where other SHOULDs explain an answer as well, these may be reported."""
    changes = tuple(
        Edit(
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
    """Several departures in one balancer: departing twice violates nothing else."""
    changes = tuple(change for one in variants for change in one.changes)
    departs = frozenset().union(*(one.departs for one in variants))
    return Variant(variants[0].question, changes, departs, PAIRED_TRIALS)


def leaves_alone(name: str) -> Variant:
    """What is Pulsar's own stays, whether it monitors or not. Other SHOULDs may explain it, too."""
    others = {
        "overload": {"SHD-13"},
        "uniform": {"SHD-21", "SHD-22"},
        "avg": {"SHD-35", "SHD-36", "SHD-100", "SHD-103"},
    }.get(name, set())
    others_alone = unloads_where('not bundle.startswith(("pulsar/", "sla-monitor/"))')
    return Variant(f"shedding.{name}", (others_alone,), frozenset({"SHD-2", "SHD-97", *others}))


WITHOUT_LIMIT = "if not resource.limit > 0:"
FULL = f"if resource.limit <= 0:\n    return 100.0\n{WITHOUT_LIMIT}"
NO_NUMBER = f"if math.isnan(resource.usage):\n    return 0.0\n{WITHOUT_LIMIT}"
USAGE = {
    "full without a limit": Variant(
        "load.usage", (Edit("load.usage:percent_usage", WITHOUT_LIMIT, FULL),), frozenset({"LOA-1"})
    ),
    "no number is nothing": Variant(
        "load.usage",
        (Edit("load.usage:percent_usage", WITHOUT_LIMIT, NO_NUMBER),),
        frozenset({"LOA-1"}),
    ),
    "old names ignored": Variant(
        "load.usage",
        (Edit("load.usage:bandwidth_weight", body="return configured"),),
        frozenset({"LOA-7"}),
    ),
    "heap in usage without weights": Variant(
        "load.usage",
        (
            Edit(
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
        (Edit("load.history:starts_afresh", body="return False"),),
        frozenset({"LOA-27"}),
    ),
    "brokers that left keep their history": Variant(
        "load.history",
        (Edit("load.history:without_departed", body="return dict(histories)"),),
        frozenset({"LOA-26"}),
    ),
}
WAITS_FOR_ALL = Edit(
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


def broken(question: str, trial: Any, observation: Observation) -> set[str]:
    """The clauses that object."""
    breaches = list_breaches(QUESTIONS[question], DOCUMENTED, trial, observation)
    return {one.clause for one in breaches}


def musts(clauses: Iterable[str]) -> set[str]:
    """Those of them that are a MUST."""
    return {c for c in clauses if spec.find_clause(c).level_in("DOCUMENTED") is spec.Level.MUST}


def wrongly_judged(name: str) -> list[str]:
    """What is wrong with the verdicts on a variant: it departs somewhere, and does nothing else."""
    variant, found = EVERYBODY[name], set[str]()
    wrong = [f"{clause} is a MUST, and {name} departs" for clause in musts(variant.departs)]
    chapter = QUESTIONS[variant.question].chapter
    balancer = Patch(name=name, chapter=chapter, description=name, changes=variant.changes)
    for clause, place in objections(balancer, [variant.question], variant.trials):
        found.add(clause)
        if clause not in variant.departs:
            wrong.append(f"{clause} flags one who {name} ({place})")
    return wrong if found else [*wrong, f"nothing shows that one {name}"]


def tired(question: str, answer: Any) -> Any:
    """Nothing is shed any more from the sixth round on."""
    if question != "shedding.transfer":
        return replace(answer, rounds=(*answer.rounds[:5], *[()] * len(answer.rounds[5:])))
    skip = {"label": TransferLabel.SKIP, "reason": TransferReason.HIT_COUNT, "moves": ()}
    later = (replace(one, **skip) if one.moves else one for one in answer.rounds[5:])
    return replace(answer, rounds=(*answer.rounds[:5], *later))


def never_flagged(name: str) -> list[str]:
    """That no trial shows a shedder that tires to violate a MUST, if so."""
    question = QUESTIONS[f"shedding.{name}"]
    for index in range(TIRED_TRIALS):
        trial = make_trial(question, SEED, index)
        answer = tired(question.name, question.answer(trial, DOCUMENTED))
        if musts(broken(question.name, trial, answer)):
            return []
    return [f"{question.name} tires, and no clause objects in {TIRED_TRIALS} trials"]


Job = tuple[str, bool]
"""A variant, and whether it is a shedder that tires."""


def groups(_: SweepPlan) -> list[list[Job]]:
    """The variants of a question, which share its trials; the shedders that tire."""
    jobs = [(name, False) for name in EVERYBODY]
    tiring = [[(name, True)] for name in (*SHEDDERS, "transfer")]
    return by_chapter(jobs, lambda job: EVERYBODY[job[0]].question) + tiring


def work(job: Job) -> JobOutcome:
    """One variant."""
    name, tires = job
    if tires:
        return make_outcome("shedding", *never_flagged(name))
    chapter = QUESTIONS[EVERYBODY[name].question].chapter
    return make_outcome(chapter, *wrongly_judged(name))


SWEEP: Final = Sweep(
    "interpretations",
    "interpretations",
    "{passed} plain interpretations of the documents violate no MUST",
    groups,
    work,
)
