"""What a baseline knows: a failure by its signature, by how often it occurs and in which words."""

import json
from collections import Counter
from dataclasses import replace
from math import inf
from pathlib import Path
from typing import Final

import pytest

from evenkeel.reference.edition import DOCUMENTED, PULSAR_4_0
from evenkeel_engine import version
from evenkeel_engine.check.blocks import Part, run_check
from evenkeel_engine.check.tally import Found, Tally
from evenkeel_engine.cli.baseline import Baseline, Counts, KnownFailure, chance_of, read_baseline
from evenkeel_engine.cli.options import Unusable
from evenkeel_engine.kit.catalogue import QUESTIONS
from evenkeel_engine.kit.draw import Generator
from evenkeel_engine.mutation.catalogue import BY_NAME
from evenkeel_engine.mutation.mutant import Mutant
from evenkeel_engine.subjects.base import Reply, Request, Subject
from evenkeel_engine.subjects.local import MutantSubject, ReferenceSubject

FAR = 10**400
"""Beyond every double."""


def lookups() -> Tally:
    """4.0 against the documents: one signature."""
    part = Part(QUESTIONS["bundles.hash_lookup"], 300)
    return run_check([part], 1, ReferenceSubject(PULSAR_4_0), DOCUMENTED, None, lambda *_: None)


def test_baseline_separates_new_known_and_removed() -> None:
    tally = lookups()
    [signature] = tally.smallest
    failed = {pattern: times for (_, _, pattern), times in tally.failing.items()}
    entry = KnownFailure("", {"bundles.hash_lookup": Counts(300, failed)})
    lookup = {signature: entry, "BUN-16:never": entry, "SHD-81": entry}
    known = Baseline(Path(), "DOCUMENTED", lookup)
    assert known.list_new(tally) == []
    assert known.list_seen(tally) == [signature]
    assert known.list_removed(tally) == ["BUN-16:never"]  # SHD-81 was not asked
    updated = known.include_failures(tally, ["BUN-15", "BUN-16", "BUN-17"])
    assert set(updated.known) == {signature, "SHD-81"}
    assert Baseline(Path(), "DOCUMENTED", {}).list_new(tally) == [signature]


class Both(MutantSubject):
    """The reference with two mutants."""

    def __init__(self, one: Mutant, other: Mutant) -> None:
        super().__init__(one)
        self._other = other

    def _reply(self, request: Request) -> Reply:
        with self._other.apply():
            return super()._reply(request)


ONE, OTHER, LOOP = "charged-to-some-levels", "writes-not-charged", "throttling.loop"
SHARED: Final = "THR-40:not charged"


def loop_with(subject: Subject, seed: int) -> Tally:
    part = Part(QUESTIONS[LOOP], 300)
    return run_check([part], seed, subject, DOCUMENTED, ["THR-40"], lambda *_: None)


def test_a_second_defect_of_a_known_signature_is_new_and_the_first_is_not() -> None:
    one, other = BY_NAME[ONE], BY_NAME[OTHER]
    empty = Baseline(Path(), "DOCUMENTED", {})
    known = empty.include_failures(loop_with(MutantSubject(one), 1), ["THR-40"])
    assert set(known.known) == {SHARED}
    for seed in (2, 3):
        assert known.list_new(loop_with(MutantSubject(one), seed)) == []
    for second in (MutantSubject(other), Both(one, other)):
        tally = loop_with(second, 2)
        assert tally.smallest.keys() == {SHARED}
        assert known.list_new(tally) == [SHARED]
        assert known.list_seen(tally) == []
        [more] = known.more_often(tally)
        assert (more.question, more.before) == (LOOP, (0, 300))
        assert more.pattern.startswith("at # ms: # units and # bytes are not charged to the ")
        assert f"with 0 of 300 trials of {LOOP} as in '{more.pattern}'" in more.sentence
        assert known.include_failures(tally, ["THR-40"]).list_new(tally) == []


def test_a_rare_known_failure_does_not_hide_a_common_one() -> None:
    def run_of(failing: int) -> Tally:
        tally = Tally(trials=Counter({LOOP: 500}))
        for index in range(failing):
            found = Found(1, index, LOOP, 1, "THR-40", "not charged", f"{index} units")
            tally.count_failure(SHARED, found)
        return tally

    known = Baseline(Path(), "DOCUMENTED", {}).include_failures(run_of(1), ["THR-40"])
    assert known.known[SHARED].questions[LOOP] == Counts(500, {"": 1, "# units": 1})
    assert [failing for failing in (1, 10, 20, 40) if known.list_new(run_of(failing))] == [40]
    nowhere = replace(
        known, known={SHARED: KnownFailure("", {"throttling.other": Counts(500, {"": 1})})}
    )
    assert nowhere.list_new(run_of(1)) == [SHARED]  # not recorded on this question


def test_chance_is_the_tail_of_the_binomial_distribution() -> None:
    assert chance_of((3, 100), (0, 100)) == pytest.approx(1 / 8)
    assert chance_of((2, 100), (1, 100)) == pytest.approx(1 / 2)
    assert chance_of((2, 50), (1, 100)) == pytest.approx(7 / 27)
    assert chance_of((1, 100), (1, 100)) == 1
    assert chance_of((1, 100), (0, 0)) == 0


def test_an_update_with_some_questions_keeps_what_is_known_of_others() -> None:
    tally = lookups()
    [signature] = tally.smallest
    elsewhere = Counts(100, {"": 3})
    known = Baseline(Path(), "DOCUMENTED", {signature: KnownFailure("", {"another": elsewhere})})
    updated = known.include_failures(tally, ["BUN-17"]).known[signature]
    assert updated.questions.keys() == {"another", "bundles.hash_lookup"}
    holds = Counter({("BUN-17", "holds"): 100})
    mended = Tally(holds, trials=Counter({"bundles.hash_lookup": 100}))
    kept = Baseline(Path(), "DOCUMENTED", {signature: updated}).include_failures(mended, ["BUN-17"])
    assert kept.known[signature].questions == {"another": elsewhere}


@pytest.mark.parametrize("kind", ["skipped", "errored"])
def test_an_update_keeps_what_no_answer_speaks_of(kind: str) -> None:
    tally, counts = Tally(trials=Counter({"bundles.hash_lookup": 9})), Counts(9, {"": 9})
    tally.count_unanswered(getattr(tally, kind), "bundles.hash_lookup", "it hangs", 9)
    known = {"BUN-16": KnownFailure("", {"bundles.hash_lookup": counts})}
    assert Baseline(Path(), "DOCUMENTED", known).include_failures(tally, ["BUN-16"]).known == known


def test_baseline_is_read_as_it_was_written(tmp_path: Path) -> None:
    path, tally = tmp_path / "known.json", lookups()
    empty = Baseline(path, "DOCUMENTED", {}, Generator.INDEPENDENT)
    written = empty.include_failures(tally, ["BUN-17"])
    written.write()
    assert read_baseline(path, DOCUMENTED, Generator.INDEPENDENT) == written
    with pytest.raises(Unusable, match="generator: is independent, but the trials are of own"):
        read_baseline(path, DOCUMENTED)


def test_an_update_keeps_what_another_run_wrote_meanwhile(tmp_path: Path) -> None:
    path, tally = tmp_path / "known.json", lookups()
    read = read_baseline(path, DOCUMENTED, made_now=True)
    replace(read, known={"BUN-7": KnownFailure("", {"bundles.range": Counts(1, {"": 1})})}).write()
    read.update(tally, ["BUN-17"])
    assert read_baseline(path, DOCUMENTED).known.keys() == {"BUN-7", *tally.smallest}


def test_a_baseline_says_which_evenkeel_made_it(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = tmp_path / "known.json"
    Baseline(path, "DOCUMENTED", {}).include_failures(lookups(), ["BUN-17"]).write()
    read_baseline(path, DOCUMENTED)
    assert capsys.readouterr().err == ""
    data = json.loads(path.read_text())
    assert data["evenkeel"] == version.find_version()
    for made, said in (("1.0.0.post1+g1", "evenkeel 1.0.0.post1+g1"), (None, "an older evenkeel")):
        path.write_text(json.dumps({**data, "evenkeel": made}))
        read_baseline(path, DOCUMENTED)
        text = " ".join(capsys.readouterr().err.split())
        assert (
            f"made by {said}, and this is {version.find_version()}: trials and judges may be"
            in text
        )


@pytest.mark.parametrize(
    "entry",
    [
        {},
        {"signature": "BUN-17"},
        {"signature": "BUN-17", "sentence": 1, "questions": {}},
        {"signature": "BUN-17", "sentence": "", "questions": []},
        {"signature": "BUN-17", "sentence": "", "questions": {"a": {"trials": "x", "failed": {}}}},
        {"signature": "BUN-17", "sentence": "", "questions": {"a": {"trials": inf, "failed": {}}}},
        {"signature": "BUN-17", "sentence": "", "questions": {"a": {"trials": FAR, "failed": {}}}},
        {"signature": "BUN-17", "sentence": "", "questions": {}, "\ud800": 1},
        "BUN-17",
    ],
)
def test_a_spoilt_entry_is_refused(entry: object, tmp_path: Path) -> None:
    path = tmp_path / "known.json"
    head = {"format": "evenkeel baseline 2", "edition": "DOCUMENTED", "generator": "own"}
    path.write_text(json.dumps({**head, "known": [entry]}))
    with pytest.raises(Unusable, match=r"known: must be objects with signature|it has Infinity"):
        read_baseline(path, DOCUMENTED)
