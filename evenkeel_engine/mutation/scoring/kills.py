"""Every check kills something, and every defect is killed: for each clause and question a mutant
and a trial that show it, for each defect a check and a trial.

They are listed in kills.toml of the clause's chapter. What is listed and is no kill any more, since
a generator, judge or mutant has changed, is searched, which may take minutes. `python -m
evenkeel_engine.mutation.scoring.kills` does that and writes the lists again.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from typing import Final

from evenkeel_engine import spec
from evenkeel_engine.check.seeded import Block
from evenkeel_engine.files import write_file
from evenkeel_engine.kit.catalogue import CLAUSES
from evenkeel_engine.mutation import chapter_files
from evenkeel_engine.mutation.catalogue import DEFECTS
from evenkeel_engine.mutation.mutant import Mutant
from evenkeel_engine.mutation.sampled import sample_mutants
from evenkeel_engine.mutation.scoring.score import (
    BLOCK,
    NO_ANSWER,
    Check,
    alternate_blocks,
    find_failures,
)
from evenkeel_engine.mutation.scoring.score_sampled import mutant_named
from evenkeel_engine.mutation.sites import UnknownSite

FILE: Final = "kills.toml"
SEED: Final = 1
TRIALS: Final = 2000
"""Of each question, until a check must have killed something."""
SAMPLED: Final = 120
HEAD: Final = """\
# By clause and question: mutants that the clause kills, each with the number of a trial with seed 1
# that shows it. Written by `python -m evenkeel_engine.mutation.scoring.kills`.

"""


@dataclass(frozen=True, slots=True)
class Kill:
    """A check violated by a mutant in one trial."""

    check: Check
    mutant: str
    trial: int


@cache
def read_kills() -> tuple[Kill, ...]:
    """The kills of the list."""
    found = []
    for table in chapter_files.read_tables(FILE):
        for key, values in table.items():
            clause, _, question = key.partition(" on ")
            for mutant, _, trial in (value.rpartition(" in ") for value in values):
                found.append(Kill((clause, question), mutant, int(trial)))
    return tuple(found)


def checks_of(chapter: str) -> list[Check]:
    """The checks of a chapter's clauses."""
    return [(one.id, one.question) for one in CLAUSES if one.entry.chapter == chapter]


def idle_checks(chapter: str) -> set[Check]:
    """The checks that neither a mutant written by hand nor a sampled one breaks."""
    missing = {*checks_of(chapter)}
    missing -= {kill.check for kill in read_kills() if kill.check in missing and is_shown(kill)}
    return missing - {kill.check for kill in search(chapter, missing)}


@cache
def is_shown(kill: Kill) -> bool:
    """Whether a check is violated so."""
    try:
        mutant = mutant_named(kill.mutant)
    except UnknownSite:
        return False
    block = Block(kill.check[1], SEED, kill.trial, 1)
    return any(shown.check == kill.check for shown in find_failures(mutant, block, {kill.check}))


def search(chapter: str, missing: set[Check]) -> Iterator[Kill]:
    """A kill of each of these checks of a chapter, if there is one."""
    left = set(missing)
    around = {chapter, *(question.partition(".")[0] for _, question in left)}
    defects = [mutant for mutant in DEFECTS if mutant.chapter in around]
    wide = [(mutant, start) for start in range(BLOCK, TRIALS, BLOCK) for mutant in defects]
    more = sample_mutants(SEED, SAMPLED, [chapter]) if left else []
    for mutant, start in (*((mutant, 0) for mutant in (*defects, *more)), *wide):
        if not left:
            return
        yield from find_kills(mutant, start, left)


def find_kills(mutant: Mutant, start: int, left: set[Check]) -> Iterator[Kill]:
    """The checks that a mutant violates in the blocks that begin here; they are left no more."""
    for question in sorted({question for _, question in left}):
        for shown in find_failures(mutant, Block(question, SEED, start, BLOCK), left):
            if shown.check in left:
                left.discard(shown.check)
                yield Kill(shown.check, mutant.name, start + shown.trials - 1)


def first_kill(mutant: Mutant) -> Kill | None:
    """The first kill of a defect by a clause, if there is one."""
    for block in alternate_blocks(mutant, SEED, TRIALS):
        for shown in find_failures(mutant, block):
            if shown.check[0] != NO_ANSWER:
                return Kill(shown.check, mutant.name, block.start + shown.trials - 1)
    return None


def main() -> None:
    """Write the lists again; a kill that still is one stays."""
    found = [kill for kill in read_kills() if is_shown(kill)]
    for chapter in spec.CHAPTERS:
        found += search(chapter, {*checks_of(chapter)} - {kill.check for kill in found})
    killed = {kill.mutant for kill in found}
    others = (first_kill(mutant) for mutant in DEFECTS if mutant.name not in killed)
    by_check: dict[Check, list[Kill]] = {}
    for kill in (*found, *filter(None, others)):
        by_check.setdefault(kill.check, []).append(kill)
    for chapter in spec.CHAPTERS:
        lines = [HEAD]
        for check in sorted(checks_of(chapter), key=lambda one: (int(one[0][4:]), one[1])):
            shown = [f'"{kill.mutant} in {kill.trial}"' for kill in by_check.get(check, ())]
            text = shown[0] if len(shown) == 1 else "".join(f"\n    {one}," for one in shown) + "\n"
            lines.append(f'"{check[0]} on {check[1]}" = [{text}]\n')
        write_file(chapter_files.path_of(chapter, FILE), "".join(lines))


if __name__ == "__main__":
    main()
