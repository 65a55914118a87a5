"""The MUSTs that a balancer written from the documents violates."""

from __future__ import annotations

import sys
from collections.abc import Collection, Iterator
from contextlib import closing
from typing import Final

from evenkeel import spec
from evenkeel.harness.seeded import Block, run_block
from evenkeel.harness.subjects.process import ProcessSubject
from evenkeel.reference.edition import DOCUMENTED
from examples.from_documents.leading.interpretations import VARIANTS as LEADING
from examples.from_documents.owning.variants import VARIANTS as OWNING

BALANCERS: Final = {
    **dict.fromkeys(LEADING, "leading"),
    **dict.fromkeys(OWNING, "owning"),
}
SEED: Final = 11


def accusations(variant: str, trials: int, only: Collection[str] = ()) -> Iterator[tuple[str, str]]:
    """(Question, signature) of each MUST that is said to be broken in so many trials of each
    question, or of these; the variant may have interpretations changed: `a1+term=long`.
    """
    module = f"examples.from_documents.{BALANCERS[variant.partition('+')[0]]}.balancer"
    with closing(ProcessSubject([sys.executable, "-m", module, variant])) as subject:
        for question in sorted(only or subject.questions):
            tally = run_block(Block(question, SEED, 0, trials), subject, DOCUMENTED)
            assert not tally.errored, (question, tally.errored)
            for signature, found in sorted(tally.smallest.items()):
                level = spec.clause(found.clause).level_in(DOCUMENTED.name)
                if level is not spec.Level.SHOULD:
                    yield question, signature
