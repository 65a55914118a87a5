"""Balancers that the documents allow and Pulsar's practice does not: departures, and no error.

`properties/departures.toml` lists them: mutants of the chapters, and *readings*, patches of the
same form that read the documents plainly. Who departs twice violates nothing else.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cache
from itertools import combinations
from typing import Any, Final

from evenkeel_engine.check.pool import group_jobs
from evenkeel_engine.check.seeded import Block
from evenkeel_engine.check.severity import Severity
from evenkeel_engine.kit.catalogue import QUESTIONS
from evenkeel_engine.mutation.catalogue import MUTANTS
from evenkeel_engine.mutation.chapter_files import table_of
from evenkeel_engine.mutation.patches import Patch, patch_of
from evenkeel_engine.mutation.scoring.scope import EVERYTHING
from evenkeel_engine.mutation.scoring.score import BLOCK, find_failures
from evenkeel_engine.sweeps.sweep import SEED, JobOutcome, Sweep, SweepPlan, make_outcome

FILE: Final = "departures.toml"
TRIALS: Final = 300
PAIRED_TRIALS: Final = 200


@dataclass(frozen=True, slots=True)
class Departure:
    """Balancers in one, and where they are asked: a question, or a chapter with all of its own."""

    names: tuple[str, ...]
    asked: str

    @property
    def balancer(self) -> Patch:
        """The reference with the changes of each."""
        changes = tuple(change for name in self.names for change in balancers()[name].changes)
        title = " and ".join(self.names)
        chapter = self.asked.partition(".")[0]
        return Patch(name=title, chapter=chapter, description=title, changes=changes)

    @property
    def questions(self) -> list[str]:
        """The questions that it is asked."""
        known = [self.asked] if self.asked in QUESTIONS else []
        return known or EVERYTHING.questions_about(self.balancer)

    @property
    def clauses(self) -> list[str]:
        """The clauses that may object, by balancer; the first one must."""
        return [id_ for name in self.names for id_ in departs()[name][self.asked]]

    def objections(self) -> Iterator[tuple[str, str]]:
        """The clauses that object, each with a trial."""
        balancer, trials = self.balancer, TRIALS if len(self.names) == 1 else PAIRED_TRIALS
        for question in self.questions:
            for start in range(0, trials, BLOCK):
                for shown in find_failures(balancer, Block(question, SEED, start, BLOCK)):
                    yield shown.check[0], f"{question}@{SEED}:{start + shown.trials - 1}"


@cache
def balancers() -> Mapping[str, Patch]:
    """The mutants written by hand, and the readings."""
    readings = table_of("", FILE)["reading"]
    patches = [patch_of(entry["function"].partition(".")[0], entry) for entry in readings]
    return {one.name: one for one in (*MUTANTS, *patches) if isinstance(one, Patch)}


def departs() -> Mapping[str, Mapping[str, list[str]]]:
    """By balancer and by what it is asked: the clauses from which it departs."""
    table: Mapping[str, Any] = table_of("", FILE)["departs"]
    return table


def list_departures() -> Iterator[Departure]:
    """Each by itself; then two of a group together, where both depart."""
    for name, places in departs().items():
        yield from (Departure((name,), asked) for asked in places)
    for group in table_of("", FILE)["together"]:
        for one, other in combinations(group, 2):
            both = departs()[one].keys() & departs()[other].keys()
            yield from (Departure((one, other), asked) for asked in sorted(both))


def groups(_: SweepPlan) -> list[list[Departure]]:
    """Those that share trials, together."""
    return group_jobs(list_departures(), lambda one: one.asked)


def work(job: Departure) -> JobOutcome:
    """The first of its clauses objects, no clause but these does, and none of these is a MUST."""
    name, clauses, found = job.balancer.name, job.clauses, dict(job.objections())
    failures = [
        f"{clause} objects to {name} ({place}), which departs from {' and '.join(clauses)}"
        for clause, place in found.items()
        if clause not in clauses
    ]
    severity = Severity("DOCUMENTED")
    failures += [f"{id_} binds, and {name} departs" for id_ in clauses if not severity.may(id_)]
    if clauses[0] not in found:
        failures.append(f"{clauses[0]} does not detect that {name} departs from it")
    return make_outcome(job.balancer.chapter, *failures)


SWEEP: Final = Sweep(
    "departures",
    "departures",
    "{passed} variants depart from practice, and break nothing that the documents say",
    groups,
    work,
)
