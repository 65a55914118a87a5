"""By how much a broker's load has changed (LOA-33, LOA-43)."""

from __future__ import annotations

import math
from typing import Final

from evenkeel.properties.judging.tolerance import SINGLE
from evenkeel.reference.load.traffic import Traffic

EDGE: Final = 100 * SINGLE
"""Changes this close to the threshold may count as above it or not: they are in percent, and
usages are known up to single precision.
"""


def percent_change(before: float, after: float) -> float:
    """How much a number has changed, in percent of what it was; from 0 to anything: infinite."""
    if before == 0:
        return 0.0 if after == 0 else math.inf
    return 100 * abs((before - after) / before)


def largest_change(
    before: Traffic, after: Traffic, bundles_before: int, bundles_after: int
) -> float:
    """Of message rate, throughput and number of bundles."""
    return max(
        percent_change(
            before.msg_rate_in + before.msg_rate_out, after.msg_rate_in + after.msg_rate_out
        ),
        percent_change(
            before.throughput_in + before.throughput_out,
            after.throughput_in + after.throughput_out,
        ),
        percent_change(bundles_before, bundles_after),
    )
