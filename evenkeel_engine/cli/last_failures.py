"""The trials on which a subject failed last time; the next check begins with them."""

from __future__ import annotations

import json
import re
from collections import defaultdict
from collections.abc import Collection
from hashlib import blake2b
from pathlib import Path
from typing import Annotated, Final, TypeAlias

from msgspec import Meta, ValidationError, convert

from evenkeel_engine.check.seeded import Block
from evenkeel_engine.check.tally import Tally
from evenkeel_engine.cli.failure_files import cache_folder
from evenkeel_engine.cli.output import warn
from evenkeel_engine.files import Unreadable, read_json, write_file
from evenkeel_engine.kit.draw import Generator

MOST: Final = 20
"""Trials that are stored of a question."""
TrialAt: TypeAlias = tuple[
    Generator, Annotated[int, Meta(ge=0, lt=2**31)], Annotated[int, Meta(ge=0, lt=2**40)]
]
"""The generator, seed and index of a trial."""
Stored: TypeAlias = dict[str, list[TrialAt]]
"""By question."""


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
        return convert(read_json(path), Stored)
    except (Unreadable, ValidationError, UnicodeEncodeError):
        warn(f"{path}: holds no readable failures; it is written again.")
        return {}


def make_blocks(stored: Stored, questions: Collection[str]) -> list[Block]:
    """The trials of the checked questions, a block each."""
    return [
        Block(name, seed, index, 1, generator)
        for name in questions
        for generator, seed, index in dict.fromkeys(stored.get(name, []))
    ]


def update_stored(
    stored: Stored, tally: Tally, questions: Collection[str], complete: bool
) -> Stored:
    """The smallest trial of each failure; earlier ones stay only where not all was tried again."""
    failed: defaultdict[str, list[TrialAt]] = defaultdict(list)
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
