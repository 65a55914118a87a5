"""Known survivors: a chapter's equivalents.toml lists equivalent mutants, each with the reason; its
survivors.toml those that survive in the reference itself, with what is missing to detect them.

An equivalent mutant (one that never differs) is never sampled; a survivor is. An entry names its
change, so that it cannot apply to another one when the function is rewritten. `unasked` in
survivors.toml are modules of the reference that no question runs: worked examples kill their
mutants.

The survivors were found by `score --in-reference --only-drawn`: of all chapters 400 of seed 1, of
each by itself 100 of the seeds 1, 6007, 9203 and 50021, and every site once; 300 trials of each
question, 20 where a question takes long.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache

from evenkeel_engine.mutation.chapter_files import read_tables

SURVIVORS = "survivors.toml"


@dataclass(frozen=True, slots=True)
class Equivalent:
    """A mutant by name, what it changes (`before -> after`), and why it survives."""

    name: str
    change: str
    reason: str


@cache
def read_equivalents() -> Mapping[str, Equivalent]:
    """The known equivalent mutants by name."""
    return read_listed("equivalents.toml", "equivalent")


@cache
def read_survivors() -> Mapping[str, Equivalent]:
    """The mutants of the reference that are known to survive, by name."""
    return read_listed(SURVIVORS, "survivor")


@cache
def read_unasked() -> tuple[str, ...]:
    """The files of the modules that no question runs."""
    return tuple(path for table in read_tables(SURVIVORS) for path in table.get("unasked", ()))


def read_listed(file: str, word: str) -> Mapping[str, Equivalent]:
    """The entries of the files of one name."""
    found = (Equivalent(**entry) for table in read_tables(file) for entry in table.get(word, ()))
    return {entry.name: entry for entry in found}
