"""A second generator for every question, written independently from `spec/wire.md` alone.

It imports none of the generators of `properties/<chapter>`, so that it reaches trials that they
miss. Its trials look like production: 20 to 100 brokers at times, many bundles, heavy tails, the
defaults of `broker.conf`, realistic names; and numbers one unit in the last place from others,
settings at their extremes, and any Unicode.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from typing import Any

from evenkeel_engine.kit.draw import Draw


@cache
def independent_generator(question: str) -> Callable[[Draw], Any]:
    """The independent generator of a question."""
    from evenkeel_engine.kit.catalogue import QUESTIONS  # noqa: PLC0415 - needed here only
    from evenkeel_engine.kit.independent.maker import trial_of  # noqa: PLC0415 - the same

    trial_type = QUESTIONS[question].trial_type

    def generate(draw: Draw) -> Any:
        return trial_of(draw, question, trial_type)

    return generate
