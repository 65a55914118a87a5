"""Stored cases: each is as it says, and the recorded ones notice what they are kept for."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from functools import cache
from pathlib import Path
from typing import Any, Final

from evenkeel_engine import spec
from evenkeel_engine.content import EDITIONS, LINES, PROMISED, RELEASED, Edition, list_switches
from evenkeel_engine.kit.catalogue import QUESTIONS, find_objections
from evenkeel_engine.kit.question import AnyQuestion, Observation
from evenkeel_engine.mutation.catalogue import BY_NAME, CONFORMING
from evenkeel_engine.mutation.chapter_files import table_of
from evenkeel_engine.mutation.mutant import Mutant
from evenkeel_engine.mutation.noting import Coverage, note_statements, spots_of
from evenkeel_engine.mutation.patches import FILE
from evenkeel_engine.mutation.switches import DIFFERING
from evenkeel_engine.stored import case_upkeep, cases
from evenkeel_engine.stored.cases import StoredCase
from evenkeel_engine.subjects.essence import same_observation
from evenkeel_engine.sweeps.sweep import JobOutcome, Sweep, SweepPlan, make_outcome


def largest_first(_: SweepPlan) -> list[list[Path]]:
    """A job for each file."""
    return [[path] for path in sorted(cases.case_files(), key=lambda path: -path.stat().st_size)]


def check_file(path: Path) -> JobOutcome:
    """What is wrong with a file."""
    problems = [f"{path.name}: {problem}" for problem in case_upkeep.lint(path)]
    if problems:
        return make_outcome(path.parent.name, *problems)
    file = cases.read_file(path)
    return make_outcome(QUESTIONS[file.question].chapter, passed=len(file.cases))


STORED: Final = Sweep("cases", "cases", "{passed} cases are as stored", largest_first, check_file)


TABLE: Final = "recorded"
"""The table in mutants.toml of a chapter of which answers of the release were recorded. `detects`
has a real defect by the question whose answers detect it; `deviates`: not all answers are those of
the documents.
"""


def said_of(chapter: str) -> Mapping[str, Any]:
    """What that file says of recorded answers."""
    found: Mapping[str, Any] = table_of(chapter, FILE).get(TABLE, {})
    return found


@dataclass(frozen=True, slots=True)
class RecordedAnswer:
    """What the release answered to a trial with one answer."""

    case: StoredCase
    trial: Any
    observed: Observation
    edition: Edition

    def is_contradicted(self, edition: Edition) -> bool:
        """Whether the reference, as it is now, answers otherwise than recorded, or fails."""
        try:
            answered = QUESTIONS[self.case.question].observe(self.trial, edition)
        except Exception:  # a mutant's failure is its answer
            return True
        return not same_observation(answered, self.observed)


def read_recorded(question: str) -> list[RecordedAnswer]:
    """Those of a question."""
    found = (
        one for one in cases.read_cases(question) if one.kind == "recorded" and one.answers[0].only
    )
    decoded = ((case, *cases.decode_case(case)) for case in found)
    return [RecordedAnswer(c, trial, seen[0], EDITIONS[c.edition]) for c, trial, seen in decoded]


def recorded_groups(_: SweepPlan) -> list[list[str]]:
    """A job a question, and one for each chapter of which some answer is not the documents'."""
    deviating = (name for name in spec.CHAPTERS if said_of(name).get("deviates", False))
    return [[name] for name in (*QUESTIONS, *deviating)]


def recorded_answers(name: str) -> JobOutcome:
    """The recorded answers of a question; or that some of a chapter deviate from the documents."""
    if name in spec.CHAPTERS:
        asked = (q.name for q in QUESTIONS.values() if q.chapter == name)
        deviates = any(one.is_contradicted(PROMISED) for q in asked for one in read_recorded(q))
        said = f"no recorded answer of {name} deviates from the documents"
        return make_outcome(name, *([] if deviates else [said]), passed=0)
    found, reached = read_recorded(name), Coverage()
    with note_statements(reached.note):
        for number, one in enumerate(found):
            if one.is_contradicted(one.edition):
                said = f"the reference contradicts what was recorded in {one.case.id}"
                return make_outcome(QUESTIONS[name].chapter, said)
            reached.assign_noted(number)
    failures = []
    defect = said_of(QUESTIONS[name].chapter).get("detects", {}).get(name)
    if defect is not None:
        with BY_NAME[defect].apply():
            if not any(one.is_contradicted(one.edition) for one in found):
                failures = [f"no recorded answer of {name} detects {defect}"]
    for variant in CONFORMING:
        met = [found[number] for number in reached.find_by(spots_of(variant).functions)]
        failures += find_unexplained(variant, met)
    return make_outcome(QUESTIONS[name].chapter, *failures, passed=len(found))


def find_unexplained(variant: Mutant, met: list[RecordedAnswer]) -> Iterator[str]:
    """Where a conforming variant answers otherwise than recorded and no clause of the case's
    edition objects: it conforms to others. One of that edition itself answers as recorded.
    """
    if not met:
        return
    with variant.apply():
        others = [one for one in met if one.is_contradicted(one.edition)]
        answers = [QUESTIONS[o.case.question].observe(o.trial, o.edition) for o in others]
    for one, answer in zip(others, answers, strict=True):
        if variant.edition is one.edition:
            yield f"{variant.name} conforms to {one.case.edition}, and contradicts {one.case.id}"
        elif not find_objections(one.case.question, one.edition, one.trial, answer):
            yield f"{variant.name} contradicts {one.case.id}, and no clause objects"


RECORDED: Final = Sweep(
    "recorded answers",
    "recorded answers",
    "{passed} answers of the release are the reference's, and any other is objected to",
    recorded_groups,
    recorded_answers,
)


@cache
def read_described() -> list[tuple[AnyQuestion, Any]]:
    """The trials that people described."""
    return [
        (QUESTIONS[c.question], c.decode_trial()) for c in cases.read_stored_cases(cases.DESCRIBED)
    ]


@cache
def observe_described(number: int, edition: str) -> Observation:
    """What the reference of an edition observes in one of them."""
    question, trial = read_described()[number]
    return question.observe(trial, EDITIONS[edition])


def check_switch(name: str) -> JobOutcome:
    """A switch that no case distinguishes would be a disagreement that no example shows."""
    kinds: tuple[type, ...] = type(PROMISED).__mro__
    [file] = [one.__module__ for one in kinds if name in vars(one).get("__annotations__", ())]
    found = [find_distinguished(sides, file.rpartition(".")[2]) for sides in sides_of(name)]
    if not found or None in found:
        return make_outcome("", f"the switch {name} makes no difference to any case")
    return make_outcome(str(found[0]))


def sides_of(name: str) -> Iterator[tuple[tuple[Edition, Edition], ...]]:
    """Editions, each with what it is with the other value of a switch: the base editions, if they
    have it otherwise; and the parent of each line that has it otherwise than its parent.
    """
    if name in DIFFERING:
        on = replace(PROMISED, **{name: getattr(RELEASED, name)})
        off = replace(RELEASED, **{name: getattr(PROMISED, name)})
        yield (PROMISED, on), (RELEASED, off)
    for line in LINES.values():
        for change in line.changes:
            if change.switch == name and line.parent is not None:
                parent = EDITIONS[line.parent]
                yield ((parent, replace(parent, **{name: change.value})),)


def find_distinguished(sides: tuple[tuple[Edition, Edition], ...], home: str) -> str | None:
    """The chapter of a case that tells one of these pairs apart, or None; first `home` is searched,
    the chapter in whose file the switch is.
    """
    for number, (question, trial) in sorted(
        enumerate(read_described()), key=lambda one: one[1][0].chapter != home
    ):
        for edition, other in sides:
            if observe_described(number, edition.name) != question.observe(trial, other):
                return question.chapter
    return None


SWITCHES: Final = Sweep(
    "switches",
    "switches",
    "each of {passed} switches makes a difference to some case",
    lambda _: [list(list_switches())[half::2] for half in (0, 1)],  # each group reads all cases
    check_switch,
)
