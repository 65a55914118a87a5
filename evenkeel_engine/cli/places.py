"""Places of trials: of a run, the id of a stored case, files with cases."""

from __future__ import annotations

import os
import re
from collections.abc import Iterable
from pathlib import Path
from typing import Any, Final

from evenkeel_engine.check.seeded import make_trial
from evenkeel_engine.cli.options import Unusable, resolve_name
from evenkeel_engine.kit.catalogue import QUESTIONS
from evenkeel_engine.kit.draw import Generator
from evenkeel_engine.kit.question import AnyQuestion
from evenkeel_engine.stored import cases
from evenkeel_engine.stored.cases import StoredCase

OLD: Final = 1 << 31
"""Seeds from here on said, before the generator had a word, that it is the independent one."""
NAMED: Final = "QUESTION@SEED:INDEX or QUESTION@independent:SEED:INDEX"
"""How a trial of a run is named."""
PLACE: Final = re.compile(r"([a-z_]+\.[a-z_]+)@(independent:)?(\d{1,10}):(\d{1,12})")


def trial_at(place: re.Match[str]) -> tuple[AnyQuestion, Any]:
    """The question and the trial of a place. Raises `Unusable`."""
    name = resolve_name("There is no question", place[1], QUESTIONS)
    seed, index = int(place[3]), int(place[4])
    generator = Generator.INDEPENDENT if place[2] or seed >= OLD else Generator.OWN
    return QUESTIONS[name], make_trial(QUESTIONS[name], seed % OLD, index, generator)


def cases_at(place: str) -> tuple[StoredCase, ...]:
    """The cases of a file or folder, or the case of this id. Raises `Unusable`, `BadCase`."""
    path = Path(place)
    if os.path.exists(path):  # which says no, too, of a name that is too long
        return tuple(case for file in cases.files_under([path]) for case in cases.read_any(file))
    if (found := cases.find_case(place)) is None:
        raise Unusable(f"{place}: no such file, and no stored case has this id.")
    return (found,)


def case_at(place: str) -> StoredCase:
    """The only case of a place. Raises `Unusable`, `BadCase`."""
    if len(found := cases_at(place)) != 1:
        raise Unusable(f"{place} has {len(found)} cases: name one by its id.")
    return found[0]


def stored_at(places: Iterable[Path] | None) -> list[Path]:
    """The files under these paths, or those of evenkeel itself. Raises `Unusable`, `BadCase`."""
    given = list(places or ())
    found = list(cases.files_under(given)) if given else cases.case_files()
    if not found:
        raise Unusable(f"There are no cases under {', '.join(map(str, given))}.")
    return found
