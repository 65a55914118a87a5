"""Recording cases, with the reference as the subject: no JVM is needed for that."""

from collections.abc import Iterable, Iterator
from dataclasses import replace
from pathlib import Path

import pytest

from evenkeel.reference.edition import EDITIONS, PULSAR_4_0, Edition
from evenkeel_engine.errors import UserError
from evenkeel_engine.kit.catalogue import QUESTIONS
from evenkeel_engine.mutation.catalogue import MUTANTS
from evenkeel_engine.stored import cases
from evenkeel_engine.stored.case_recording import (
    Pool,
    Recorded,
    against_another,
    id_of,
    make_recorded,
    merge_recorded,
)
from evenkeel_engine.stored.cases import CaseFile
from evenkeel_engine.subjects.base import Errored, Observed, Reply, Request
from evenkeel_engine.subjects.local import ReferenceSubject

OWN = [m for m in MUTANTS if m.chapter == "bundles"]


@pytest.fixture(autouse=True)
def nothing_stored(monkeypatch: pytest.MonkeyPatch) -> None:
    """Chosen from trials of the seed alone."""
    monkeypatch.setattr(cases, "read_cases", lambda _: ())


def made(question: str, seed: int = 1) -> Recorded:
    return make_recorded(QUESTIONS[question], subject, PULSAR_4_0, seed, 200, OWN)


def subject() -> ReferenceSubject:
    return ReferenceSubject(PULSAR_4_0)


def test_the_same_seed_makes_the_same_cases(tmp_path: Path) -> None:
    first, again, other = made("bundles.range"), made("bundles.range"), made("bundles.range", 2)
    assert first == again
    assert first.cases != other.cases
    assert first.by == "PULSAR_4_0"
    file = merge_recorded(CaseFile("bundles.range"), first, PULSAR_4_0)
    path = tmp_path / "bundles" / "range.jsonl"
    cases.store_text(path, cases.text_of(file))
    assert cases.read_file(path) == file
    for case in file.cases:
        assert case.id == id_of("PULSAR_4_0", "bundles.range", case.trial)
        assert list(cases.find_problems(case)) == []
        assert case.others


def test_earlier_answers_of_a_subject_are_replaced() -> None:
    """A second subject that answers alike is named with the first; a trial is stored once."""
    first, other = made("bundles.range"), made("bundles.range", 2)
    file = merge_recorded(CaseFile("bundles.range"), first, PULSAR_4_0)
    assert merge_recorded(file, first, PULSAR_4_0) == file
    renewed = merge_recorded(file, other, PULSAR_4_0)
    assert {case.id for case in renewed.cases} == {case.id for case in other.cases}
    both = merge_recorded(file, replace(first, cases=as_if_by(first, "a 2"), by="a 2"), PULSAR_4_0)
    assert {case.answers[0].by for case in both.cases} == {("PULSAR_4_0", "a 2")}
    assert [case.id for case in both.cases] == [case.id for case in file.cases]


def as_if_by(made: Recorded, by: str) -> tuple[cases.StoredCase, ...]:
    return tuple(
        replace(case, answers=(replace(case.answers[0], by=(by,)), *case.answers[1:]))
        for case in made.cases
    )


def test_stored_cases_detect_all_mutants_of_the_pool() -> None:
    reached = made("bundles.topic").mutants
    assert len(reached) >= 5
    own = {name: count for name, count in reached.items() if not name.endswith(":DOCUMENTED")}
    assert all(count >= 2 for count in own.values()), reached


def test_trials_are_generated_until_each_clause_is_exercised() -> None:
    """SPL-65 is met by one trial of 300."""
    pool = Pool(QUESTIONS["splitting.manual"], PULSAR_4_0, (subject(), subject()), [])
    pool.fill(1, 100)
    assert "SPL-65" not in pool.list_missing()
    assert len(pool.candidates) < 300


class Fickle(ReferenceSubject):
    """Answers hash lookups by turns with the right bundle and with none."""

    def __init__(self) -> None:
        super().__init__(PULSAR_4_0)
        self._turn = 0

    def replies(self, requests: Iterable[Request]) -> Iterator[tuple[Request, Reply]]:
        for request, reply in super().replies(requests):
            self._turn += 1
            wrong = Observed(request.question.observe(replace(request.trial, hash=0), PULSAR_4_0))
            yield request, wrong if self._turn % 3 == 0 else reply


def test_a_divergence_is_not_recorded() -> None:
    question = QUESTIONS["bundles.hash_lookup"]
    with pytest.raises(UserError, match=r"a clause of PULSAR_4_0 objects .* BUN-"):
        make_recorded(question, Fickle, PULSAR_4_0, 1, 60, OWN)


class Silent(ReferenceSubject):
    """Fails as a process."""

    def replies(self, requests: Iterable[Request]) -> Iterator[tuple[Request, Reply]]:
        yield from ((request, Errored("it crashed", definite=False)) for request in requests)


def test_a_subject_that_fails_is_not_recorded() -> None:
    question = QUESTIONS["bundles.hash_lookup"]
    with pytest.raises(UserError, match="it crashed"):
        make_recorded(question, lambda: Silent(PULSAR_4_0), PULSAR_4_0, 1, 60, OWN)


class Release(ReferenceSubject):
    """Is taken for a release that does what an edition says."""

    def __init__(self, release: str, edition: Edition) -> None:
        super().__init__(edition)
        self.name = f"apache-pulsar {release}"


def recorded_of_4_0(question: str) -> CaseFile:
    """A file with what 4.0.8 would answer, as the reference says."""
    by = "apache-pulsar 4.0.8"
    found = made(question)
    answered = tuple(replace(case, kind="recorded") for case in as_if_by(found, by))
    return merge_recorded(CaseFile(question), replace(found, cases=answered, by=by), PULSAR_4_0)


def against_4_0(file: CaseFile, *subjects: ReferenceSubject) -> CaseFile:
    first, again = subjects
    return against_another(file, "apache-pulsar 4.0.8", (first, again), EDITIONS["PULSAR_4_2"])


def release() -> Release:
    return Release("4.2.4", EDITIONS["PULSAR_4_2"])


def test_another_release_is_stored_where_it_differs(tmp_path: Path) -> None:
    """And what is stored is read as it was; recording the first one again forgets the others."""
    both = against_4_0(recorded_of_4_0("bundles.topic"), release(), release())
    assert against_4_0(both, release(), release()) == both
    path = tmp_path / "bundles" / "topic.jsonl"
    cases.store_text(path, cases.text_of(both))
    assert cases.read_file(path) == both
    otherwise = [case for case in both.cases if len(case.answers) > 1 and case.answers[1].by]
    assert 0 < len(otherwise) < len(both.cases) / 2
    assert path.read_text("utf-8").count('"apache-pulsar 4.2.4"') == 1 + len(otherwise)
    assert [problem for case in both.cases for problem in cases.find_problems(case)] == []
    assert all(case.answers[1].verdict.startswith("BUN-") for case in otherwise)
    by_4_0 = replace(made("bundles.topic"), by="apache-pulsar 4.0.8")
    assert "apache-pulsar 4.2.4" not in cases.text_of(merge_recorded(both, by_4_0, PULSAR_4_0))


def test_what_changes_from_run_to_run_is_not_known(tmp_path: Path) -> None:
    fickle = against_4_0(recorded_of_4_0("bundles.topic"), release(), Release("4.2.4", PULSAR_4_0))
    text = cases.text_of(fickle)
    differing = len([case for case in fickle.cases if "4.2.4" not in str(case.answers)])
    assert text.count('"unknown":["apache-pulsar 4.2.4"]') == differing > 0
    path = tmp_path / "bundles" / "topic.jsonl"
    cases.store_text(path, text)
    assert cases.read_file(path) == fickle


def test_a_release_must_follow_its_edition() -> None:
    """When it is recorded, and when what is stored is looked at again."""
    file, wrong = recorded_of_4_0("bundles.topic"), Release("4.2.4", PULSAR_4_0)
    with pytest.raises(UserError, match="PULSAR_4_2 objects to what apache-pulsar"):
        against_4_0(file, wrong, wrong)
    claimed = replace(file, notes={**file.notes, "apache-pulsar 4.2.4": {"against": file_by(file)}})
    read = [
        replace(
            case, answers=(replace(case.answers[0], by=(file_by(file), "apache-pulsar 4.2.4")),)
        )
        for case in claimed.cases
    ]
    found = [problem for case in read for problem in cases.find_problems(case)]
    assert "the reference of PULSAR_4_2 answers otherwise" in found
    assert any(text.startswith("PULSAR_4_2 objects to what its own release") for text in found)


def file_by(file: CaseFile) -> str:
    return file.cases[0].answers[0].by[0]
