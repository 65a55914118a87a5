"""The smallest trial on which a mutant answers otherwise, from one that was met."""

from __future__ import annotations

from time import process_time
from typing import Any, Final

from evenkeel_engine.check.limits import TooLong, compute_allowance, limit_time
from evenkeel_engine.check.shrink import search_smaller
from evenkeel_engine.content import EDITIONS
from evenkeel_engine.kit.catalogue import QUESTIONS
from evenkeel_engine.kit.draw import Generator
from evenkeel_engine.mutation.mutant import Mutant
from evenkeel_engine.mutation.scoring.detection import DifferingTrial, as_difference

MOST: Final = 400
"""Trials that are tried at most."""


def shrink_difference(mutant: Mutant, found: DifferingTrial, seed: int) -> DifferingTrial:
    """A trial that is as small as the search can make it, and still answered otherwise."""
    question, edition = QUESTIONS[found.question], EDITIONS[found.edition]

    def differs(trial: Any) -> bool | None:
        began = process_time()
        expected = question.observe(trial, edition)
        most = compute_allowance(process_time() - began)
        try:
            with mutant.apply(), limit_time(most):
                return question.observe(trial, edition) != expected or None
        except (TooLong, Exception):  # a mutant may fail in any way
            return True

    best = search_smaller(question, seed, found.index, Generator.OWN, differs, most=MOST)
    if best is None:
        return found
    return as_difference(found.question, found.edition, best[0].trial, found.index)
