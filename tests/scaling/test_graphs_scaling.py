"""The graphs of the chapter *scaling*: what they find is what judges find in trials."""

from __future__ import annotations

from dataclasses import replace
from itertools import islice

import pytest

from evenkeel.models.scaling.loop import (
    LOADED,
    SHARED,
    TWICE,
    Part,
    Scope,
    Topic,
    endless,
    layout_of,
    starts,
    trial_of,
)
from evenkeel.properties.scaling.loop import OVER_HOURS
from evenkeel.reference.edition import DOCUMENTED, EDITIONS
from evenkeel.reference.scaling.layout import HASHES, merge_depth
from evenkeel_engine.kit.catalogue import QUESTIONS, clauses_for
from evenkeel_engine.kit.question import judge

PULSAR = EDITIONS["PULSAR_5_0"]


def list_broken(scope: Scope, topic: Topic) -> set[str]:
    """What the reference of 5.0 breaks of the documents with this topic, by the loop's judge."""
    question, trial = QUESTIONS["scaling.loop"], trial_of(scope, topic)
    clauses = clauses_for(question.name, DOCUMENTED, frozenset(OVER_HOURS))
    verdicts = judge(question, clauses, trial, question.answer(trial, PULSAR), DOCUMENTED)
    return {one.clause for one in verdicts if one.failed}


@pytest.mark.parametrize(("scope", "consumers", "count"), [(LOADED, 0, 74), (SHARED, 3, 16)])
def test_an_endless_cycle_is_a_trial_that_fails(scope: Scope, consumers: int, count: int) -> None:
    of_5_0 = replace(scope, edition=PULSAR)
    found = [one for one in starts(scope, (1,), (consumers,)) if endless(of_5_0, one)]
    assert len(found) == count
    assert all(list_broken(scope, one) & {"SCA-39", "SCA-40"} for one in found)


def test_with_twice_the_threshold_5_0_rests() -> None:
    of_5_0 = replace(TWICE, edition=PULSAR)
    for topic in islice(starts(TWICE, (1, 2)), 0, None, 8):
        assert endless(of_5_0, topic) == ()
        assert list_broken(TWICE, topic) == set()


def test_merges_behind_a_segment_are_those_of_the_layout() -> None:
    """Two pairs and what they became: two merges on a line, three in all."""
    pair = ((), ())
    topic = Topic((0,), 0, (Part(0, HASHES - 1, True, (pair, pair)),))
    assert merge_depth(layout_of(topic), 0, DOCUMENTED) == 2
    assert merge_depth(layout_of(topic), 0, PULSAR) == 3
