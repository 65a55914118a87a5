"""No judge reports a violation of a balancer that reads the documents right.

Two people who had the documents and the wire pages alone wrote twelve balancers, which differ
wherever something can be read in two ways. Where a judge flagged one of them, either the judge was
wrong, or the page said too little, or the document had been read past. What was read wrong is
stored: the cases named `read-as-…`.

Each reading is right alone, so any mixture is. A judge that looks for the readings of an answer in
order is right about each of the twelve, and may still be wrong about one that reads this
as the first and that as another.
"""

from __future__ import annotations

import sys
from collections.abc import Iterator, Mapping
from contextlib import closing
from dataclasses import fields
from functools import cache
from importlib import import_module
from pathlib import Path
from random import Random
from typing import Any, Final

from evenkeel.reference.edition import DOCUMENTED
from evenkeel_engine import spec
from evenkeel_engine.check.seeded import Block, run_block
from evenkeel_engine.subjects.base import Subject
from evenkeel_engine.subjects.process import ProcessSubject
from evenkeel_engine.sweeps.sweep import JobOutcome, Sweep, SweepPlan, make_outcome

ROOT: Final = Path(__file__).resolve().parents[2]
"""The checkout, if this is one: a wheel has no `examples/`."""
FAMILIES: Final = ("leading", "owning")
"""The folders of the balancers."""
SEED: Final = 11
TRIALS: Final = 40
BLOCK: Final = 50
MIXED: Final = 10
VARIANTS: Final = 12

RUN: Final = """
import runpy, sys
sys.path.insert(0, {root!r})
runpy.run_module({module!r}, run_name="__main__", alter_sys=True)
"""
"""A balancer's program, wherever it is started."""


def left_out() -> str:
    """Why there is nothing to do, if so."""
    there = (ROOT / "examples" / "from_documents").is_dir()
    return "" if there else "an installation has no examples/"


@cache
def families() -> Mapping[str, Mapping[str, Any]]:
    """The variants by name, by the folder of the balancer."""
    if str(ROOT) not in sys.path:
        sys.path.append(str(ROOT))
    return {
        folder: import_module(f"examples.from_documents.{folder}.interpretations").VARIANTS
        for folder in FAMILIES
    }


def accusations(variant: str, trials: int) -> Iterator[tuple[str, str]]:
    """(Question, signature) of each MUST that is reported as violated in blocks of n trials of each
    question; the variant may have readings changed: `a1+term=long`.
    """
    plain = variant.partition("+")[0]
    folder = next(folder for folder, variants in families().items() if plain in variants)
    module = f"examples.from_documents.{folder}.balancer"
    command = [sys.executable, "-c", RUN.format(root=str(ROOT), module=module), variant]
    with closing(ProcessSubject(command)) as subject:
        for question in sorted(subject.questions):
            for start in range(0, trials, BLOCK):
                block = Block(question, SEED, start, min(BLOCK, trials - start))
                yield from ((question, said) for said in objections(subject, block))


def objections(subject: Subject, block: Block) -> Iterator[str]:
    """The signatures of the MUSTs that are reported as violated, and where there is no answer."""
    tally = run_block(block, subject, DOCUMENTED)
    yield from (f"no answer: {reason}" for _, reason in tally.errored)
    for signature, found in sorted(tally.smallest.items()):
        if spec.find_clause(found.clause).level_in(DOCUMENTED.name) is not spec.Level.SHOULD:
            yield signature


def mixture(variants: Mapping[str, Any], number: int) -> str:
    """The name of mixture `number` of these: of each reading what one of them has."""
    random, (base, plain) = Random(number), next(iter(variants.items()))
    changes = []
    for field in fields(plain):
        had = sorted({getattr(one, field.name) for one in variants.values()}, key=str)
        read = random.choice(had)
        if read != getattr(plain, field.name):
            changes.append(f"{field.name}={read}")
    return "+".join([base, *changes])


Job = tuple[str, int]
"""A variant or a mixture, and how many trials of each question."""


def groups(_: SweepPlan) -> list[list[Job]]:
    """A job for each."""
    balancers = [name for variants in families().values() for name in variants]
    assert len(balancers) == VARIANTS
    mixtures = {mixture(v, number) for v in families().values() for number in range(MIXED)}
    jobs = [(name, TRIALS) for name in balancers]
    jobs += [(name, TRIALS // 2) for name in sorted(mixtures)]
    return [[job] for job in jobs]


def work(job: Job) -> JobOutcome:
    """One balancer."""
    variant, trials = job
    wrong = [
        f"{signature} flags {variant}, written from the documents, on {question}"
        for question, signature in accusations(variant, trials)
    ]
    return make_outcome("balancing", *wrong)


SWEEP: Final = Sweep(
    "balancers from the documents",
    "balancers",
    "{passed} balancers from the documents are flagged for nothing",
    groups,
    work,
    left_out=left_out,
)
