"""The shrinker finds the smallest trial, and only ones that fail in the same way."""

import pytest

from evenkeel.properties.bundles.lookup import HashLookupTrial, TopicLookupTrial
from evenkeel.reference.bundles.ranges import TOP_HASH
from evenkeel.reference.edition import DOCUMENTED, PULSAR_4_0
from evenkeel_engine.check import failure as failures
from evenkeel_engine.check.seeded import Block, make_trial, run_block
from evenkeel_engine.check.shrink import shrink
from evenkeel_engine.cli.failure_report import trial_lines
from evenkeel_engine.cli.render import Paper
from evenkeel_engine.kit.catalogue import QUESTIONS
from evenkeel_engine.subjects.local import ReferenceSubject

SUBJECT = ReferenceSubject(PULSAR_4_0)


def smallest(question: str, signature: str, seed: int) -> object:
    found = run_block(Block(question, seed, 0, 400), SUBJECT, DOCUMENTED).smallest[signature]
    shrunk = shrink(QUESTIONS[question], seed, found.index, signature, SUBJECT, DOCUMENTED)
    assert shrunk is not None
    assert shrunk.verdict.signature == signature
    return shrunk.trial


def test_last_hash_shrinks_to_one_bundle() -> None:
    for seed in range(5):
        trial = smallest("bundles.hash_lookup", "BUN-17:broke instead of answered", seed)
        assert trial == HashLookupTrial((0, TOP_HASH), TOP_HASH)


def test_topic_with_the_last_hash_shrinks_to_a_real_name() -> None:
    trial = smallest("bundles.topic_lookup", "BUN-17:broke instead of answered", 1)
    assert trial == TopicLookupTrial(
        "public/default", (0, TOP_HASH), "persistent://public/default/maaoimoeiiea"
    )


def test_a_trial_that_does_not_fail_is_not_shrunk() -> None:
    question = QUESTIONS["bundles.hash_lookup"]
    same = ReferenceSubject(DOCUMENTED)
    assert shrink(question, 1, 0, "BUN-17:broke instead of answered", same, DOCUMENTED) is None


def test_trial_is_unchanged_without_time() -> None:
    question, signature = QUESTIONS["bundles.hash_lookup"], "BUN-17:broke instead of answered"
    tally = run_block(Block(question.name, 1, 0, 400), SUBJECT, DOCUMENTED)
    index = tally.smallest[signature].index
    shrunk = shrink(question, 1, index, signature, SUBJECT, DOCUMENTED, seconds=0.0)
    assert shrunk is not None
    assert shrunk.is_cut_short
    assert shrunk.trial == make_trial(question, 1, index)


def test_time_is_shared_by_failures_and_reported(monkeypatch: pytest.MonkeyPatch) -> None:
    signature = "BUN-17:broke instead of answered"
    tally = run_block(Block("bundles.hash_lookup", 1, 0, 400), SUBJECT, DOCUMENTED)
    monkeypatch.setattr(failures, "TIME_FOR_ALL", 0.0)
    [cut] = failures.describe_failures([signature], tally, SUBJECT, DOCUMENTED)
    assert "found in the time there was (" in trial_lines(cut, Paper())[0]
    monkeypatch.setattr(failures, "TIME_FOR_ALL", 600.0)
    monkeypatch.setattr(failures, "TIME_FOR_ONE", 600.0)
    [whole] = failures.describe_failures([signature], tally, SUBJECT, DOCUMENTED)
    assert "found (" in trial_lines(whole, Paper())[0]
