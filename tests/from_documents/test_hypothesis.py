"""A Python balancer under Hypothesis in pytest: a question with commands, and single decisions."""

from __future__ import annotations

import re
from functools import partial
from pathlib import Path
from typing import Any

import pytest
from hypothesis import Phase, given, settings
from hypothesis.stateful import run_state_machine_as_test

from evenkeel_engine.kit.catalogue import QUESTIONS
from evenkeel_engine.kit.codec import Json
from evenkeel_engine.kit.strategies import strategy
from evenkeel_engine.pytest_hypothesis import Disobeyed, machine_for, require_obeyed
from examples.from_documents.owning import balancer
from examples.from_documents.owning.interpretations import VARIANTS
from tests.command_line import cached_in, run

FEW = settings(max_examples=20, stateful_step_count=8)
LOCKS = QUESTIONS["ownership.locks"]
LOOKUP = QUESTIONS["bundles.hash_lookup"]
answer_locks, look_up = (
    partial(balancer.QUESTIONS[one.name], VARIANTS["b1"]) for one in (LOCKS, LOOKUP)
)

TestLocks = machine_for(LOCKS, observe=answer_locks).TestCase
TestLocks.settings = FEW


@FEW
@given(strategy(LOOKUP.generate))
def test_lookup(trial: Any) -> None:
    require_obeyed(LOOKUP, trial, look_up)


def test_a_violation_is_shown_as_by_check_and_replays(tmp_path: Path) -> None:
    unshrunk = settings(FEW, phases=[Phase.generate])

    def forget(form: Any) -> Json:
        return answer_locks({**form, "commands": form["commands"][:1]})

    with pytest.raises(Disobeyed) as failure:
        run_state_machine_as_test(machine_for(LOCKS, observe=forget), settings=unshrunk)
    with cached_in(tmp_path):
        screen = str(failure.value)
    assert re.match(r"OWN-\d+.* · ownership.locks, 1 trial\n", screen)
    assert "the subject" in screen
    assert "made smaller" not in screen
    [path] = re.findall(r"replay (\S+\.json) shows it", screen)
    assert run("replay", path).returncode == 0
