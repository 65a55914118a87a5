"""A second generator for every question, by other hands, from `spec/wire.md` alone.

It imports none of the generators of `properties/<chapter>`: what they never thought of, this one
may. Its trials look like production: 20 to 100 brokers at times, many bundles, heavy tails, the
defaults of `broker.conf`, names as they are in the wild; and numbers one unit in the last place
beside others, settings at their extremes, and any Unicode.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from typing import Any

from evenkeel.properties.kit.draw import Draw


@cache
def independent_generator(question: str) -> Callable[[Draw], Any]:
    """The other generator of a question."""
    from evenkeel.properties.catalogue import QUESTIONS  # noqa: PLC0415 - nobody else needs it
    from evenkeel.properties.kit.independent.maker import trial_of  # noqa: PLC0415 - the same

    trial_type = QUESTIONS[question].trial_type

    def generate(draw: Draw) -> Any:
        return trial_of(draw, question, trial_type)

    return generate
