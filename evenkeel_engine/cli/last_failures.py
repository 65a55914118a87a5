"""The trials on which a subject failed last time; the next check begins with them."""

from __future__ import annotations

import json
import re
from collections import defaultdict
from collections.abc import Collection
from hashlib import blake2b
from pathlib import Path
from typing import Any, Final

from evenkeel_engine.check.seeded import Block
from evenkeel_engine.check.tally import Tally
from evenkeel_engine.cli.failure_files import cache_folder
from evenkeel_engine.cli.output import warn
from evenkeel_engine.files import Unreadable, read_json, write_file
from evenkeel_engine.kit.draw import Generator

MOST: Final = 20
"""Trials that are stored of a question."""
INDICES: Final = 1 << 40
SEEDS: Final = 1 << 31

Stored = dict[str, list[tuple[str, int, int]]]
"""The generator, seed and index of each trial, by question."""


def locate_file(subject: str, edition: str) -> Path:
    """The file of a subject, of whichever build (`1+5f0c1a9e77d2`), and an edition."""
    subject = re.sub(r"\+[0-9a-f]+$", "", subject)
    words = re.sub(r"[^A-Za-z0-9]+", "-", subject).strip("-")[:60]
    digest = blake2b(f"{subject}\n{edition}".encode(), digest_size=4).hexdigest()
    return cache_folder().with_name("last-failures") / f"{words}-{edition}-{digest}.json"


def read(path: Path) -> Stored:
    """The stored trials; empty if there is no file, or, with a warning, an unusable one."""
    if not path.exists():
        return {}
    try:
        found = read_json(path)
    except Unreadable:
        found = None
    if not isinstance(found, dict) or not all(map(is_usable, found.values())):
        warn(f"{path}: holds no readable failures; it is written again.")
        return {}
    return {
        name: [(generator, seed, index) for generator, seed, index in trials]
        for name, trials in found.items()
    }


def is_usable(trials: Any) -> bool:
    """Whether these are generators, each with a seed and an index."""
    return isinstance(trials, list) and all(
        isinstance(one, list)
        and len(one) == 3
        and one[0] in list(Generator)
        and all(type(number) is int for number in one[1:])
        and 0 <= one[1] < SEEDS
        and 0 <= one[2] < INDICES
        for one in trials
    )


def make_blocks(stored: Stored, questions: Collection[str]) -> list[Block]:
    """The trials of the checked questions, a block each."""
    return [
        Block(name, seed, index, 1, Generator(generator))
        for name in questions
        for generator, seed, index in dict.fromkeys(stored.get(name, []))
    ]


def update_stored(
    stored: Stored, tally: Tally, questions: Collection[str], complete: bool
) -> Stored:
    """The smallest trial of each failure; earlier ones stay only where not all was tried again."""
    failed: dict[str, list[tuple[str, int, int]]] = defaultdict(list)
    for _, found in sorted(tally.smallest.items(), key=lambda item: item[1]):
        failed[found.question].append((found.generator, found.seed, found.index))
    result = dict(stored)
    for name in questions:
        before = [] if complete else stored.get(name, [])
        result[name] = list(dict.fromkeys([*failed[name], *before]))[:MOST]
    return {name: trials for name, trials in sorted(result.items()) if trials}


def write(path: Path, stored: Stored) -> None:
    """Write the file as a whole; without failures it is removed."""
    try:
        if not stored:
            path.unlink(missing_ok=True)
            return
        write_file(path, json.dumps(stored) + "\n", folders=True)
    except OSError as error:
        warn(f"{path}: the last failures cannot be stored there ({error.strerror}).")
