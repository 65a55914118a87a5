"""Checking a subject: blocks of every question, in order."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Callable, Collection, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import count
from operator import attrgetter
from typing import Final

from evenkeel_engine.check.fast_dataclasses import unfreeze
from evenkeel_engine.check.seeded import Block, run_block
from evenkeel_engine.check.tally import Tally
from evenkeel_engine.content import Edition
from evenkeel_engine.kit.draw import Generator
from evenkeel_engine.kit.question import AnyQuestion
from evenkeel_engine.subjects.base import Subject

BLOCK: Final = 500
ROUND: Final = 50
"""Trials of one question in a round over all of them: some questions take long."""

Progress = Callable[[str, int], None]
"""Called with a question's name and how many more of its trials are done."""


@dataclass(frozen=True, slots=True)
class Part:
    """A number of trials of one question."""

    question: AnyQuestion
    trials: int


def run_check(
    parts: Sequence[Part],
    seed: int,
    subject: Subject,
    edition: Edition,
    only: Collection[str] | None,
    progress: Progress,
    generator: Generator = Generator.OWN,
) -> Tally:
    """Put all parts to the subject and judge them."""
    return run_blocks(blocks_of(parts, seed, generator), subject, edition, only, progress)


def run_blocks(
    blocks: Iterable[Block],
    subject: Subject,
    edition: Edition,
    only: Collection[str] | None,
    progress: Progress,
    total: Tally | None = None,
    enough: Callable[[Tally], bool] = lambda _: False,
) -> Tally:
    """Run blocks, counting in `total` as it goes, until there is `enough`."""
    total = Tally() if total is None else total
    for block in blocks:
        unfreeze(block.question)
        total.merge(run_block(block, subject, edition, only))
        progress(block.question, block.count)
        if enough(total):
            break
    return total


def blocks_of(
    parts: Sequence[Part], seed: int, generator: Generator = Generator.OWN
) -> Iterator[Block]:
    """One part after the other."""
    for part in parts:
        for start in range(0, part.trials, BLOCK):
            yield Block(part.question.name, seed, start, min(BLOCK, part.trials - start), generator)


def rounds_of(
    parts: Sequence[Part], seed: int, generator: Generator = Generator.OWN
) -> Iterator[Block]:
    """A block of every question, then the next of every question, and so on."""
    for start in count(0, ROUND) if parts else ():
        for part in parts:
            yield Block(part.question.name, seed, start, ROUND, generator)


def left_of(blocks: Iterable[Block], done: Iterable[Block]) -> Iterator[Block]:
    """What is left of blocks when some trials are done, in their order."""
    ranges: dict[tuple[str, int, Generator], list[tuple[int, int]]] = {}
    for one in sorted(done, key=attrgetter("start")):
        place = one.question, one.seed, one.generator
        ranges.setdefault(place, []).append((one.start, one.start + one.count))
    for block in blocks:
        begin, end = block.start, block.start + block.count
        known = ranges.get((block.question, block.seed, block.generator), [])
        for first, last in known[max(bisect_right(known, (begin, end)) - 1, 0) :]:
            if first >= end:
                break
            if first > begin:
                yield replace(block, start=begin, count=first - begin)
            begin = max(begin, last)
        if begin < end:
            yield replace(block, start=begin, count=end - begin)
