"""A second generator for every question, written independently from `spec/wire.md` alone.

It imports none of the generators of `properties/<chapter>`, so that it reaches trials that they
miss. It follows a trial's types: at times with very many names, with heavy tails, numbers one unit
in the last place from others, extremes, and any Unicode. What production looks like (names, sizes,
defaults, fields that depend on one another) a specification may say in `independent_parts` of its
properties and of each chapter: `FIELDS`, `SHAPERS` and `MAKER`.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import cache, partial
from typing import Any

from evenkeel_engine.kit.draw import Draw


@cache
def independent_generator(question: str) -> Callable[[Draw], Any]:
    """The independent generator of a question."""
    from evenkeel_engine.kit.catalogue import QUESTIONS  # noqa: PLC0415 - needed here only
    from evenkeel_engine.kit.independent.maker import trial_of  # noqa: PLC0415 - the same

    return partial(trial_of, question=question, trial_type=QUESTIONS[question].trial_type)
