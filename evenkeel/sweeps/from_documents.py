"""No judge reports a violation of a balancer that reads the documents right.

Two people who had the documents and the wire pages alone wrote twelve balancers, which differ
wherever something can be read in two ways. Where a judge flagged one of them, either the judge was
wrong, or the page said too little, or the document had been read past. Of the latter two sorts the
interpretations are kept as `WRONG`: each is flagged by the clause that says otherwise.

Each reading is right alone, so any mixture is. A judge that looks for the readings of an answer in
order is right about each of the twelve, and may still be wrong about one that reads this
as the first and that as another.
"""

from __future__ import annotations

import sys
from collections.abc import Collection, Generator, Iterator, Mapping
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
from evenkeel_engine.kit.catalogue import QUESTIONS
from evenkeel_engine.subjects.base import Subject
from evenkeel_engine.subjects.process import ProcessSubject
from evenkeel_engine.sweeps.sweep import JobOutcome, Sweep, SweepPlan, make_outcome

ROOT: Final = Path(__file__).resolve().parents[2]
"""The checkout, if this is one: a wheel has no `examples/`."""
FAMILIES: Final = {"leading": "leading.interpretations", "owning": "owning.variants"}
"""By the folder of a balancer: the module with its variants."""
SEED: Final = 11
TRIALS: Final = 40
MORE: Final = 900
BLOCK: Final = 50
NO_ANSWER: Final = "no answer"
MIXED: Final = 10
VARIANTS: Final = 12

WRONG: Final = {
    # 002: "either message rate […] or throughput": the second where the first finds nothing, too.
    "a1+uniform_tries_other=False": ("shedding.uniform", "SHD-25:masked"),
    # 002: the plan is a bundle's, whatever its traffic has become since.
    "a2+plan_by_name=False": ("placement.avg_shedder", "PLC-20:plan"),
    # The page says since which reports a round goes by.
    "a1+report=first": ("balancing.loop", "BAL-10:overload"),
    # 002 has a crashed broker's bundle reassigned; the page, those of one that shuts down given to
    # others.
    "b1+cleanup_assigns=False": ("ownership.channel", "OWN-47"),
    "b1+shut_down_transfers=False": ("ownership.channel", "OWN-47"),
    # The page says since what an unload without a destination leads to, and that sessions which
    # were lost stay lost; that `other` is another namespace's.
    "b1+unload_chooses=True": ("ownership.channel", "OWN-44"),
    "b1+settling_regains=True": ("ownership.channel", "OWN-8"),
    "b1+other_shares_namespace=True": ("ownership.channel", "OWN-47"),
    # A broker that shuts down is not registered any more; halves stay.
    "b1+shut_down=announced": ("ownership.channel", "OWN-8"),
    "b1+unloads_halves=True": ("ownership.channel", "OWN-45"),
    # OWNER is how clients are sent to the owner.
    "b1+redirects_to_owner=True": ("ownership.locks", "OWN-48"),
    # A policy that is set takes effect, and -1 "means no limit"; what waits is a backlog, whatever
    # the storage's flag says.
    "b1+empty_policies_do_not_count=True": ("throttling.policy", "THR-3:topic"),
    "b1+charges_without_backlog=False": ("throttling.loop", "THR-40:not charged"),
    # The page says since that the consumer stays, with its permits.
    "b1+seek_ends_permits=True": ("throttling.loop", "THR-66:not read"),
    # 004: "the quota for the next period will be reduced accordingly", however it is called.
    "b1+forgets_on_request=True": ("throttling.quota", "THR-56:messages, too much"),
    # There are no permits below 0.
    "b1+shows_debts=True": ("throttling.counter", "THR-22:too little"),
    # PIP-483 derives the depth from the layout as it is.
    "b1+depth_counts_removed=True": ("scaling.layout", "SCA-11:depth"),
}
"""Readings that are wrong, with the question and the signature of what tells so."""


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
        folder: import_module(f"examples.from_documents.{module}").VARIANTS
        for folder, module in FAMILIES.items()
    }


def accusations(
    variant: str, trials: int, only: Collection[str] = ()
) -> Generator[tuple[str, str], None, None]:
    """(Question, signature) of each MUST that is reported as violated in blocks of n trials of each
    question, or of these; the variant may have readings changed: `a1+term=long`.
    """
    plain = variant.partition("+")[0]
    folder = next(folder for folder, variants in families().items() if plain in variants)
    module = f"examples.from_documents.{folder}.balancer"
    command = [sys.executable, "-c", RUN.format(root=str(ROOT), module=module), variant]
    with closing(ProcessSubject(command)) as subject:
        for question in sorted(only or subject.questions):
            for start in range(0, trials, BLOCK):
                block = Block(question, SEED, start, min(BLOCK, trials - start))
                yield from ((question, said) for said in objections(subject, block))


def objections(subject: Subject, block: Block) -> Iterator[str]:
    """The signatures of the MUSTs that are reported as violated, and where there is no answer."""
    tally = run_block(block, subject, DOCUMENTED)
    yield from (f"{NO_ANSWER}: {reason}" for _, reason in tally.errored)
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
"""A variant or a mixture and how many trials of each question; or a wrong reading and none."""


def groups(_: SweepPlan) -> list[list[Job]]:
    """A job for each."""
    balancers = [name for variants in families().values() for name in variants]
    assert len(balancers) == VARIANTS
    mixtures = {mixture(v, number) for v in families().values() for number in range(MIXED)}
    jobs = [(name, TRIALS) for name in balancers]
    jobs += [(name, TRIALS // 2) for name in sorted(mixtures)]
    return [[job] for job in [*jobs, *((name, 0) for name in WRONG)]]


def work(job: Job) -> JobOutcome:
    """One balancer."""
    variant, trials = job
    if trials:
        wrong = [
            f"{signature} flags {variant}, written from the documents, on {question}"
            for question, signature in accusations(variant, trials)
        ]
        chapter = "balancing"
    else:
        question, signature = WRONG[variant]
        chapter = QUESTIONS[question].chapter
        with closing(accusations(variant, MORE, [question])) as said:
            decide = (one for one in said if one == WRONG[variant] or one[1].startswith(NO_ANSWER))
            right = next(decide, None) == WRONG[variant]
        wrong = [] if right else [f"{signature} does not flag {variant}, a wrong reading"]
    return make_outcome(chapter, *wrong)


SWEEP: Final = Sweep(
    "balancers from the documents",
    "balancers",
    "{passed} balancers from the documents are flagged for nothing, or for what they misread",
    groups,
    work,
    left_out=left_out,
)
