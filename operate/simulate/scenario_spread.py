"""How load is spread over the bundles of a namespace: most have little, a few have much.

A spread is sampled by a seed, and changes no sum: the rates in the file are the bundles' mean.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from random import Random
from typing import Final

from evenkeel.operate.simulate.reading import Reader

Draw = Callable[[Random, int], list[float]]
STEEPEST: Final = 10.0
FLATTEST_TAIL: Final = 0.1
"""Below this alpha one bundle has nearly everything."""
WIDEST: Final = 5.0


def draw_shares(table: Reader, count: int, name: str, seed: int) -> list[float]:
    """What each of `count` bundles has, in units of their mean; 1 each without a `kind`.

    The table's own seed draws the same for all runs, else the run's does.
    """
    if (kind := table.text("kind", "equal")) not in KINDS:
        raise table.bad("kind", f"must be one of {', '.join(KINDS)}, not {kind}")
    draw = KINDS[kind](table)
    own = table.whole("seed", seed)
    table.finish()
    found = draw(Random(f"{own} {name}"), count)
    mean = math.fsum(found) / count
    return [one / mean for one in found]


def draw_zipf(table: Reader) -> Draw:
    """The k-th has 1/k^exponent of the first; which bundle is the k-th is sampled."""
    exponent = table.number("exponent", 1.0, most=STEEPEST)

    def draw(random: Random, count: int) -> list[float]:
        found = [rank**-exponent for rank in range(1, count + 1)]
        random.shuffle(found)
        return found

    return draw


def draw_pareto(table: Reader) -> Draw:
    """A share of x^-alpha has more than x times the least: the smaller alpha, the heavier."""
    alpha = table.number("alpha", 1.5, least=FLATTEST_TAIL, most=STEEPEST)
    return lambda random, count: [random.paretovariate(alpha) for _ in range(count)]


def draw_lognormal(table: Reader) -> Draw:
    """The logarithm is normal, with this deviation."""
    sigma = table.number("sigma", 1.0, most=WIDEST)
    return lambda random, count: [random.lognormvariate(0.0, sigma) for _ in range(count)]


KINDS: Final[dict[str, Callable[[Reader], Draw]]] = {
    "equal": lambda table: lambda random, count: [1.0] * count,
    "zipf": draw_zipf,
    "pareto": draw_pareto,
    "lognormal": draw_lognormal,
}
