"""Every check kills something: for each clause and question a mutant and a trial that show it.

They are listed in kills.toml. A check whose listed kill is none any more, since a generator, judge
or mutant has changed, is searched, which may take minutes. `python -m
evenkeel.mutation.scoring.kills` does that and writes the list again.
"""

from __future__ import annotations

import tomllib
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Final

from evenkeel import spec
from evenkeel.harness.seeded import Block
from evenkeel.mutation.catalogue import DEFECTS
from evenkeel.mutation.mutant import Mutant
from evenkeel.mutation.sampled import sampled
from evenkeel.mutation.scoring.score import BLOCK, Check, failures
from evenkeel.mutation.scoring.score_sampled import mutant_named
from evenkeel.mutation.sites import UnknownSite
from evenkeel.properties.catalogue import CLAUSES

LIST: Final = Path(__file__).parent.parent / "kills.toml"
SEED: Final = 1
TRIALS: Final = 2000
"""Of each question, until a check must have killed something."""
SAMPLED: Final = 120
HEAD: Final = """\
# By clause and question: a mutant that the clause kills, and the number of a trial with seed 1 that
# shows it. Written by `python -m evenkeel.mutation.scoring.kills`.
"""


@dataclass(frozen=True, slots=True)
class Kill:
    """A check violated by a mutant in one trial."""

    check: Check
    mutant: str
    trial: int


@cache
def listed() -> Mapping[Check, Kill]:
    """The kills of the list."""
    found = {}
    for key, value in tomllib.loads(LIST.read_text("utf-8")).items():
        clause, _, question = key.partition(" on ")
        mutant, _, trial = value.rpartition(" in ")
        found[clause, question] = Kill((clause, question), mutant, int(trial))
    return found


def checks_of(chapter: str) -> list[Check]:
    """The checks of a chapter's clauses."""
    return [(one.id, one.question) for one in CLAUSES if one.entry.chapter == chapter]


def idle_checks(chapter: str) -> set[Check]:
    """The checks that kill no mutant written by hand, with the clause or with the question, and no
    sampled one.
    """
    missing = {check for check in checks_of(chapter) if not is_shown(check)}
    missing -= {kill.check for kill in search(chapter, missing)}
    return missing


def is_shown(check: Check) -> bool:
    """Whether the list has a kill of this check, and it is one."""
    kill = listed().get(check)
    if kill is None:
        return False
    try:
        mutant = mutant_named(kill.mutant)
    except UnknownSite:
        return False
    block = Block(check[1], SEED, kill.trial, 1)
    return any(shown.check == check for shown in failures(mutant, block, {check}))


def search(chapter: str, missing: set[Check]) -> Iterator[Kill]:
    """A kill of each of these checks of a chapter, if there is one."""
    left = set(missing)
    around = {chapter, *(question.partition(".")[0] for _, question in left)}
    defects = [mutant for mutant in DEFECTS if mutant.chapter in around]
    wide = [(mutant, start) for start in range(BLOCK, TRIALS, BLOCK) for mutant in defects]
    more = sampled(SEED, SAMPLED, [chapter]) if left else []
    for mutant, start in (*((mutant, 0) for mutant in (*defects, *more)), *wide):
        if not left:
            return
        yield from kills(mutant, start, left)


def kills(mutant: Mutant, start: int, left: set[Check]) -> Iterator[Kill]:
    """The checks that a mutant violates in the blocks that begin here; they are left no more."""
    for question in sorted({question for _, question in left}):
        for shown in failures(mutant, Block(question, SEED, start, BLOCK), left):
            if shown.check in left:
                left.discard(shown.check)
                yield Kill(shown.check, mutant.name, start + shown.trials - 1)


def main() -> None:
    """Write the list again; a kill that still is one stays."""
    lines = [HEAD]
    for chapter in spec.CHAPTERS:
        shown = {check: listed()[check] for check in checks_of(chapter) if is_shown(check)}
        missing = set(checks_of(chapter)) - shown.keys()
        shown |= {kill.check: kill for kill in search(chapter, missing)}
        lines.append(f"\n# {chapter}\n")
        for check in sorted(shown, key=lambda one: (int(one[0][4:]), one[1])):
            kill = shown[check]
            lines.append(f'"{check[0]} on {check[1]}" = "{kill.mutant} in {kill.trial}"\n')
    LIST.write_text("".join(lines), "utf-8")


if __name__ == "__main__":
    main()
