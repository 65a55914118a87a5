"""Records that are not frozen: faster, and otherwise the same."""

from __future__ import annotations

import pickle
import subprocess
import sys
from pathlib import Path

from evenkeel.reference.edition import PULSAR_4_0
from evenkeel_engine.check.blocks import run_blocks
from evenkeel_engine.check.seeded import Block
from evenkeel_engine.kit.catalogue import QUESTIONS
from evenkeel_engine.subjects.local import ReferenceSubject

RUN = """
import pickle, sys
sys.path.insert(0, {folder!r})
from test_fast_dataclasses import tally_trials
from dataclasses import FrozenInstanceError
from evenkeel_engine.check import blocks
from evenkeel_engine.check.seeded import Block, generate_requests
blocks.unfreeze = lambda _: None
pickle.dump(tally_trials(), sys.stdout.buffer)
[request] = generate_requests(Block("bundles.range", 1, 0, 1))
try:
    request.trial.text = ""
except FrozenInstanceError:
    sys.exit(0)
sys.exit("records are not frozen")
"""
REFUSED = """
from dataclasses import replace
from evenkeel_engine.check.seeded import Block, generate_requests
from evenkeel_engine.check.fast_dataclasses import unfreeze
from evenkeel_engine.kit.trial import BadTrial
unfreeze()
[request] = generate_requests(Block("shedding.threshold", 1, 0, 1))
request.trial.memberships = request.trial.memberships
first = request.trial.rounds[0]
assert hash(replace(first)) == hash(first)
try:
    replace(first, at=-1)
except BadTrial as bad:
    print(bad)
"""


def tally_trials() -> object:
    """The tally of some trials of every question, as a campaign's process makes it."""
    blocks = [Block(name, 5, 0, 8) for name in QUESTIONS]
    return run_blocks(blocks, ReferenceSubject(PULSAR_4_0), PULSAR_4_0, None, lambda *_: None)


def in_a_process(script: str) -> bytes:
    """What a process prints that runs nothing before."""
    return subprocess.run([sys.executable, "-c", script], stdout=subprocess.PIPE, check=True).stdout


def test_run_has_the_result_that_it_has_with_the_classes_as_they_are_written() -> None:
    run = RUN.format(folder=str(Path(__file__).parent))
    assert pickle.loads(in_a_process(run)) == tally_trials()


def test_other_trials_are_still_checked() -> None:
    assert in_a_process(REFUSED).decode().startswith("at: ")
