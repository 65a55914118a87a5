"""A bundle in two brokers' reports, which every unload causes for some seconds (SHD-96)."""

from __future__ import annotations

from dataclasses import replace

import pytest

from evenkeel.properties.shedding.transfer.trials import TransferTrial
from evenkeel.reference.edition import DOCUMENTED, PULSAR_4_0
from evenkeel.reference.shedding.transfer import TransferRules
from evenkeel_engine.check.seeded import make_trial
from evenkeel_engine.kit.catalogue import QUESTIONS, find_objections
from evenkeel_engine.kit.trial import BadTrial
from evenkeel_engine.stored.cases import find_case

LABELS = {"a bundle in two reports", "a bundle on two lists"}


def test_a_bundle_on_two_lists_counts_once() -> None:
    case = find_case("a-bundle-on-the-lists-of-two-brokers-is-transferred-one-way")
    assert case is not None
    [view] = case.decode_trial().rounds
    a, b = view.reports
    first, *others = b.top
    for wrong in (replace(first, owned=True), replace(first, filter_fails=True)):
        reports = (a, replace(b, top=(wrong, *others)))
        with pytest.raises(BadTrial, match=r"owners|filters"):
            TransferTrial(config=TransferRules(), rounds=(replace(view, reports=reports),))


@pytest.mark.parametrize(
    "question", ["overload", "uniform", "avg", "threshold", "transfer", "transfer_debug"]
)
def test_generated_shared_bundles_are_judged_right_for_the_reference(question: str) -> None:
    asked = QUESTIONS[f"shedding.{question}"]
    trials = (make_trial(asked, 5, index) for index in range(400))
    shared = [trial for trial in trials if LABELS & {*asked.labels(trial)}]
    assert len(shared) > 10
    for trial in shared:
        for edition in (DOCUMENTED, PULSAR_4_0):
            assert not [*find_objections(asked.name, edition, trial, asked.observe(trial, edition))]
