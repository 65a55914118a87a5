"""Every sweep fails where something is wrong: a defect is planted in what it looks at."""

from __future__ import annotations

import sys
from contextlib import closing
from dataclasses import dataclass, replace
from pathlib import Path
from typing import NoReturn

import pytest

from evenkeel.properties.bundles.lookup import HashLookupTrial
from evenkeel.reference.edition import PULSAR_4_0
from evenkeel.releases.adapter import lines
from evenkeel.sweeps import departures, from_documents, released, settings, values_met
from evenkeel_engine import spec
from evenkeel_engine.check import worked_examples as shipped_examples
from evenkeel_engine.content import list_switches
from evenkeel_engine.kit.catalogue import QUESTIONS
from evenkeel_engine.kit.draw import Draw
from evenkeel_engine.kit.exempt import NOTHING, Exempt
from evenkeel_engine.kit.observations import Broke
from evenkeel_engine.mutation.catalogue import BY_NAME, DEFECTS
from evenkeel_engine.mutation.equivalents import read_equivalents
from evenkeel_engine.mutation.noting import Coverage
from evenkeel_engine.mutation.scoring import kills
from evenkeel_engine.mutation.scoring.score_sampled import SampledJob as Trial
from evenkeel_engine.mutation.scoring.stored_checks import StoredChecks
from evenkeel_engine.proofs import catalogue as models
from evenkeel_engine.proofs.graph import Size
from evenkeel_engine.stored import cases as stored_cases
from evenkeel_engine.subjects.process import ProcessSubject, SubjectUnusable
from evenkeel_engine.sweeps import (
    cases,
    clauses,
    faulty_subjects,
    mutants,
    proofs,
    records,
    sampled,
    worked_examples,
)
from evenkeel_engine.sweeps.catalogue import SWEEPS
from evenkeel_engine.sweeps.sweep import JobOutcome, QuestionJob, Swept
from evenkeel_engine.trial_types import met

DEFECT, CONFORMING = "lookup-below", "canonical-ranges-only"
KILLED = "reference/load/usage.py:max_weighted_usage:swap:0"
ASKED = "bundles.hash_lookup"
"""The question that shows the defect."""

Patch = pytest.MonkeyPatch


def test_the_reference_breaks_a_clause() -> None:
    job = QuestionJob(ASKED, "DOCUMENTED", 1, 50)
    with BY_NAME[DEFECT].apply():
        assert any("objects to the reference" in one for one in clauses.check_clauses(job).failures)


def test_a_clause_is_not_exercised() -> None:
    found = clauses.check_clauses(QuestionJob("shedding.uniform", "DOCUMENTED", 1, 1)).failures
    assert any("is not exercised on shedding.uniform in DOCUMENTED" in one for one in found)


def test_a_trial_is_read_as_another(monkeypatch: Patch) -> None:
    monkeypatch.setattr(records, "from_json", lambda *_: None)
    assert (
        len(records.check_records(QuestionJob(ASKED, "DOCUMENTED", 1, 100)).failures)
        >= records.TRIALS
    )


@dataclass(frozen=True, slots=True)
class Frozen(HashLookupTrial):
    """A trial that stays frozen, whatever ran in this process before."""


def test_an_answer_changes_its_trial(monkeypatch: Patch) -> None:
    def answer(trial: HashLookupTrial, _: object) -> None:
        trial.hash = 0  # type: ignore[misc]  # which a frozen record refuses

    def generate(draw: Draw) -> Frozen:
        trial = QUESTIONS[ASKED].generate(draw)
        return Frozen(trial.boundaries, trial.hash)

    question = replace(QUESTIONS[ASKED], answer=answer, generate=generate)
    monkeypatch.setattr(records, "QUESTIONS", {ASKED: question})
    first = records.check_records(QuestionJob(ASKED, "DOCUMENTED", 1, 100)).failures[0]
    assert "bundles.hash_lookup@1:0 in DOCUMENTED: FrozenInstanceError" in first


def test_a_release_breaks_its_edition(monkeypatch: Patch) -> None:
    def put(edition: str) -> JobOutcome:
        command = [sys.executable, "-m", "evenkeel_engine.subjects.serve", "--edition", edition]
        with closing(ProcessSubject(command)) as subject:
            monkeypatch.setattr(released, "open_release", lambda _: subject)
            return released.work(released.ReleaseJob(ASKED, 1, 20))

    assert put("PULSAR_4_0") == JobOutcome("bundles", 20, amount=20)
    assert "bundles.hash_lookup@1:1: violated: BUN-18" in put("DOCUMENTED").failures[0]


def test_every_release_has_an_edition() -> None:
    assert set(lines()) == set(released.EDITION_OF)


def test_an_adapter_does_not_start(monkeypatch: Patch) -> None:
    def unusable(_: str) -> NoReturn:
        raise SubjectUnusable("It is broken.")

    monkeypatch.setattr(released, "open_release", unusable)
    found = Swept(released.SWEEP)
    for question in ("balancing.defaults", "bundles.topic"):
        found.add(released.work(released.ReleaseJob(question, 1, 20)))
    assert found.unknown == ["It is broken."]


def test_a_theorem_is_about_nothing_that_runs(monkeypatch: Patch) -> None:
    name, right = next(iter(proofs.read_theorems().items()))
    wrong = replace(right.cross_checks[0], rule=lambda *_: "another answer")
    for checks, said in (((), "compared with nothing"), ((wrong,), "is another answer, not")):
        monkeypatch.setattr(
            proofs, "read_theorems", lambda c=checks: {name: replace(right, cross_checks=c)}
        )
        assert said in proofs.check_theorem(name).failures[0]


def test_a_graph_has_another_size(monkeypatch: Patch) -> None:
    small = next(g for g in models.GRAPHS if g.size is not None and g.size.states < 200)
    monkeypatch.setattr(models, "GRAPHS", (replace(small, size=Size(1, 1)),))
    assert len(proofs.check_graph(small.name).failures) == 1


def test_a_setting_is_not_read(monkeypatch: Patch) -> None:
    name = "placement.least_resource_usage_modular"
    monkeypatch.setattr(settings, "TRIALS", 20)
    monkeypatch.setattr(settings, "QUESTIONS", {name: replace(QUESTIONS[name], exempt=NOTHING)})
    found = settings.work((name, "DOCUMENTED")).failures
    assert any(one.endswith("memory is read") for one in found)


def test_no_trial_meets_a_value(monkeypatch: Patch) -> None:
    monkeypatch.setattr(met, "TRIALS", 1)
    monkeypatch.setattr(met, "FURTHER", 0)
    assert f"no trial of {ASKED} meets HashLookupTrial.hash: 0" in values_met.work(ASKED).failures


@pytest.mark.parametrize("name", [DEFECT, CONFORMING])
def test_a_departure_is_none(monkeypatch: Patch, name: str) -> None:
    """A MUST objects to a defect; a clause that is not departed from says nothing."""
    monkeypatch.setattr(departures, "TRIALS", 100)
    monkeypatch.setattr(departures, "departs", lambda: {name: {"bundles": ["THR-1"]}})
    found = departures.work(departures.Departure((name,), "bundles")).failures
    assert f"THR-1 binds, and {name} departs" in found
    assert f"THR-1 does not detect that {name} departs from it" in found
    assert (len(found) > 2) is (name == DEFECT)


def test_a_mutant_survives_and_a_variant_is_flagged() -> None:
    assert len(mutants.check_killed(mutants.KillJob("bundles", CONFORMING, 1, 100)).failures) == 1
    flagged = mutants.not_flagged(mutants.KillJob("bundles", DEFECT, 1, 200))
    assert f"flagged {DEFECT}" in flagged.failures[0]


def test_a_check_kills_nothing(monkeypatch: Patch) -> None:
    monkeypatch.setattr(kills, "read_kills", tuple)
    monkeypatch.setattr(kills, "DEFECTS", [])
    monkeypatch.setattr(kills, "SAMPLED", 0)
    found = mutants.check_killed(mutants.KillJob("bundles", "", 1, 0)).failures
    assert f"BUN-17 on {ASKED} kills nothing" in found


def test_every_defect_is_listed_as_killed() -> None:
    missing = {one.name for one in DEFECTS} - {kill.mutant for kill in kills.read_kills()}
    assert not missing, "python -m evenkeel_engine.mutation.scoring.kills"


def test_a_faulty_subject_survives(monkeypatch: Patch) -> None:
    monkeypatch.setattr(faulty_subjects, "TRIALS", 1)
    question = replace(QUESTIONS["bundles.range"], exempt=Exempt(subjects={"refuses": "no reason"}))
    monkeypatch.setattr(faulty_subjects, "QUESTIONS", {question.name: question})
    found = faulty_subjects.check_subjects("bundles.range").failures
    assert any("no clause objects" in one or "listed as a survivor" in one for one in found)


def test_a_balancer_from_the_documents_is_flagged(monkeypatch: Patch) -> None:
    monkeypatch.setattr(ProcessSubject, "questions", ("splitting.life",))
    failure = from_documents.work(("b1+split_attempts=0", 40)).failures[-1]
    assert failure.startswith("SPL-26:refused instead of done flags b1+split_attempts=0, ")


def test_without_examples_balancers_are_left_out(monkeypatch: Patch, tmp_path: Path) -> None:
    assert from_documents.left_out() == ""
    monkeypatch.setattr(from_documents, "ROOT", tmp_path)
    assert from_documents.left_out() == "an installation has no examples/"


def test_a_sampled_mutant_survives() -> None:
    listed = next(name for name in read_equivalents() if "/bundles/" in name)
    assert sampled.check_sampled(Trial(listed, 1, 2, in_reference=False)).passed == 0
    assert sampled.check_endless(Trial(listed, 1, 2, in_reference=False)).passed == 1


@pytest.mark.parametrize("why", ["equivalent", "survivor", "tried"])
def test_a_listed_mutant_is_killed(monkeypatch: Patch, why: str) -> None:
    monkeypatch.setattr(sampled, "stored_examples", lambda: None)
    monkeypatch.setattr(sampled, "find_failing", lambda *_: ("example 1", "is 1, not 2"))
    assert len(sampled.check_listed(sampled.Listed(KILLED, why)).failures) == 1


def test_an_example_is_wrong(monkeypatch: Patch) -> None:
    right = next(one for one in shipped_examples.read_shipped() if one.answer == 110)
    chapter = spec.find_clause(right.clause).chapter
    monkeypatch.setattr(shipped_examples, "read_shipped", lambda: (replace(right, answer=111),))
    assert worked_examples.check_examples(chapter).failures[0].endswith("is 110, not 111")
    monkeypatch.setattr(worked_examples, "stored_models", lambda: StoredChecks((), Coverage(), ()))
    monkeypatch.setattr(worked_examples, "model_items", lambda: iter(range(60)))
    assert worked_examples.check_examples(worked_examples.MODELS).failures == (
        f"60 {worked_examples.MODELS} are wrong",
    )


def test_a_case_is_not_as_stored(tmp_path: Path) -> None:
    [path] = [p for p in stored_cases.case_files() if p.stem == "hash_lookup"]
    file = stored_cases.read_file(path)
    first = file.cases[0]
    other = replace(first.answers[0], observed={"refused": {"reason": "planted"}})
    planted = replace(file, cases=(replace(first, answers=(other, *first.answers[1:])),))
    wrong = tmp_path / path.parent.name / path.name
    wrong.parent.mkdir()
    stored_cases.store_text(wrong, stored_cases.text_of(planted))
    assert any(first.id in one for one in cases.check_file(wrong).failures)


def test_recorded_answers_are_contradicted(monkeypatch: Patch) -> None:
    """By a defect that is said to be a variant of 4.0, and by none where one is to be detected."""
    monkeypatch.setattr(cases, "said_of", lambda _: {"detects": {ASKED: CONFORMING}})
    monkeypatch.setattr(cases, "CONFORMING", [replace(BY_NAME[DEFECT], edition=PULSAR_4_0)])
    said, *others = cases.recorded_answers(ASKED).failures
    assert said == f"no recorded answer of {ASKED} detects {CONFORMING}"
    assert others[0].startswith(f"{DEFECT} conforms to PULSAR_4_0, and contradicts ")
    first, second, *_ = cases.read_recorded(ASKED)
    planted = replace(first, observed=Broke("planted", ""))
    monkeypatch.setattr(cases, "read_recorded", lambda _: [second, planted])
    assert "contradicts what was recorded" in cases.recorded_answers(ASKED).failures[0]


def test_no_answer_deviates_and_no_case_shows_a_switch(monkeypatch: Patch) -> None:
    monkeypatch.setattr(cases, "read_recorded", lambda _: [])
    assert len(cases.recorded_answers("bundles").failures) == 1
    monkeypatch.setattr(cases, "read_described", list)
    assert len(cases.check_switch(next(iter(list_switches()))).failures) == 1
    monkeypatch.undo()
    monkeypatch.setattr(cases, "sides_of", lambda _: iter(()))  # no edition has it otherwise
    assert len(cases.check_switch(next(iter(list_switches()))).failures) == 1


def test_every_sweep_is_here() -> None:
    """Who adds one adds a test that it can fail."""
    assert len(SWEEPS) == 18
