"""Making recorded answers: ask a subject many trials, keep the few that tell most.

Kept are a cover (every branch of the reference that is reached and every mutant that shows, twice
where it can be), a sample of the seed, and a few trials that leave a choice.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Any, Final

from evenkeel.harness.covering import Shown, chosen
from evenkeel.harness.recorded import Header, Line, agrees, line_of, text_of
from evenkeel.harness.recording_pool import Candidate, CannotRecord, Pool
from evenkeel.harness.relabel import relabelled
from evenkeel.harness.shrink import Search, Small
from evenkeel.harness.subjects.base import Ask, Observed, Subject
from evenkeel.mutation.catalogue import MUTANTS
from evenkeel.mutation.drawn import drawn
from evenkeel.mutation.mutant import Mutant
from evenkeel.properties.kit.question import Question
from evenkeel.reference.edition import Edition

MOST: Final = 300
"""Lines of a question."""
SAMPLE, SAMPLE_BYTES = 40, 16_000
OPEN, OPEN_BYTES = 10, 12_000
"""Lines that are no part of the cover: of the sample, and of those that leave a choice."""
NAMINGS: Final = 3
"""Other namings under which a trial that is kept is asked once more."""
DRAWN, ELSEWHERE = 2000, 300
"""Drawn mutants that are to be told apart: of the question's chapter (as good as all), and of all
chapters, as a question may run more than its own.
"""
SHRUNK, LONG, ATTEMPTS = 25, 1000, 200
"""So many trials of the cover, the longest of those with so many characters, are made smaller, in
so many attempts each.
"""

Open = Callable[[], Subject]
Told = Callable[[str], None]


@dataclass(frozen=True, slots=True)
class Made:
    """A recording that was made, and how many lines tell each mutant apart that is reached."""

    header: Header
    texts: list[str]
    mutants: dict[str, int]


def make(
    question: Question[Any, Any],
    open_subject: Open,
    edition: Edition,
    seed: int,
    count: int,
    mutants: Sequence[Mutant],
    told: Told = lambda _: None,
) -> Made:
    """The recording of a question, chosen from `count` trials. Raises `CannotRecord`."""
    first = open_subject()
    second = open_subject()
    try:
        pool = Pool(question, edition, (first, second), mutants)
        told("asks, and runs mutants")
        pool.fill(seed, count)
        told("shrinks")
        shrink_cover(pool)
        told("chooses")
        kept = keep(pool, seed)
    finally:
        first.close()
        second.close()
    name, _, version = first.name.partition(" ")
    opened = sum(bool(line.open) for line in kept.values())
    header = Header(
        question=question.name,
        edition=edition.name,
        subject=name,
        version=version,
        seed=seed,
        pool=count,
        mutants=len(pool.mutants),
        lines=len(kept),
        open=opened,
        digest="",
    )
    told_apart = {name: len(indices & set(kept)) for name, indices in pool.killed.items()}
    return Made(header, sorted(text_of(line) for line in kept.values()), told_apart)


def mutants_for(question: Question[Any, Any], seed: int) -> tuple[Mutant, ...]:
    """The mutants kept by hand, and the drawn ones, each once."""
    own = drawn(seed, DRAWN, [question.chapter])
    elsewhere = [one for one in drawn(seed, ELSEWHERE) if one.chapter != question.chapter]
    return (*MUTANTS, *own, *elsewhere)


# ------------------------------------------------------------------------------------ the cover


def cover(pool: Pool) -> dict[int, int]:
    """Trials that show every branch and every mutant, all but the drawn ones twice if they can;
    with what each adds.

    The lowest bits are the mutants, in the pool's order; the branches follow.
    """
    many = len(pool.mutants)
    shown = {
        i: Shown(c.shown.bits << many, c.shown.ran, c.shown.size)
        for i, c in enumerate(pool.candidates)
        if c.only
    }
    drawn = 0
    for number, mutant in enumerate(pool.mutants):
        drawn |= 0 if type(mutant) is Mutant else 1 << number
        for index in pool.killed.get(mutant.name, set()) & set(shown):
            shown[index].bits |= 1 << number
    everything = (1 << many + len(pool.branches.of)) - 1
    once = chosen(shown, everything, MOST)
    others = {index: one for index, one in shown.items() if index not in once}
    return once | chosen(others, everything & ~drawn, MOST - len(once))


def shrink_cover(pool: Pool) -> None:
    """Add smaller trials to the pool that show what the longest of the cover add."""
    many, smaller = len(pool.mutants), []
    long = [(pool.candidates[i], added) for i, added in cover(pool).items()]
    long = [(c, added) for c, added in long if c.shown.size >= LONG]
    for candidate, added in sorted(long, key=lambda pair: -pair[0].shown.size)[:SHRUNK]:
        mutants = [m for number, m in enumerate(pool.mutants) if added >> number & 1]
        smaller.append(shrunk(pool, candidate, added >> many, mutants))
    pool.add([(small.trial, small.choices) for small in smaller])


def shrunk(
    pool: Pool, candidate: Candidate, branches: int, mutants: Sequence[Mutant]
) -> Small[Line]:
    """The smallest trial that still takes these branches and tells these mutants apart."""

    def keeps(trial: Any) -> Line | None:
        if branches & ~pool.branches_of(trial):
            return None
        line = pool.line_from(trial)
        if line is None or pool.is_contradicted(line):
            return None
        for mutant in mutants:
            with mutant.applied():
                if not pool.is_contradicted(line):
                    return None
        return line

    start = Small(candidate.choices, candidate.line.trial, candidate.line)
    return Search(pool.question.generate, keeps, ATTEMPTS).run(start)


# ------------------------------------------------------------------------------ what is kept


def keep(pool: Pool, seed: int) -> dict[int, Line]:
    """The cover, the sample and some that leave a choice, by their index in the pool."""
    while True:
        kept = list(dict.fromkeys([*cover(pool), *sample(pool)]))[:MOST]
        named = depending_on_names(pool, kept, seed)
        if not named:
            break
        for index in named:
            pool.candidates[index].only = False
    lines = {index: replace(pool.candidates[index].line, open="") for index in kept}
    for index in opened(pool, MOST - len(kept)):
        lines[index] = pool.candidates[index].line
    for line in lines.values():
        require_no_objection(pool, line)
    return lines


def sample(pool: Pool) -> Iterator[int]:
    """The first trials of the seed that are not long, up to so many and so many characters."""
    return first(pool, True, SAMPLE, SAMPLE_BYTES)


def opened(pool: Pool, most: int) -> Iterator[int]:
    """The first trials that leave a choice."""
    return first(pool, False, min(OPEN, most), OPEN_BYTES)


def first(pool: Pool, only: bool, most: int, size: int) -> Iterator[int]:
    """The first candidates in the shorter quarter."""
    sizes = sorted(c.shown.size for c in pool.candidates if c.only is only)
    limit = max(sizes[len(sizes) // 4], 500) if sizes else 0
    for index, candidate in enumerate(pool.candidates):
        if candidate.only is only and candidate.shown.size <= limit and most and size > 0:
            most, size = most - 1, size - candidate.shown.size
            yield index


def depending_on_names(pool: Pool, kept: Sequence[int], seed: int) -> list[int]:
    """The trials on which subject and reference part when brokers and bundles swap names."""
    rng, question = random.Random(seed), pool.question
    versions = [
        Ask(index, question, other)
        for index in kept
        for other in relabelled(question, pool.candidates[index].line.trial, rng, NAMINGS)
    ]
    parted = set[int]()
    for ask, reply in pool.first.replies(versions):
        if isinstance(reply, Observed):
            line = line_of(ask.trial, reply.observation)
            if not agrees(line, pool.observe(ask.trial)):
                require_no_objection(pool, line)
                parted.add(ask.key)
    return sorted(parted)


def require_no_objection(pool: Pool, line: Line) -> None:
    """What a clause objects to is a divergence, to be explained before it is recorded."""
    if found := pool.objections(line.trial, line.observation):
        raise CannotRecord(
            f"{pool.question.name}: a clause of {pool.edition.name} objects to what was "
            f"answered: {found[0]}; the trial: {text_of(line)}"
        )
