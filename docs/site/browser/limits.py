"""A dispatch limit: the worst case that it allows, as a time line."""

from __future__ import annotations

from typing import Any, Final

from evenkeel.operate.plan import planning
from evenkeel.operate.plan.planning import RequestedLimit
from evenkeel.reference.throttling import overdelivery

MOST: Final = 10**9
BATCH: Final = 10_000
LONGEST: Final = 24
"""Periods that are shown at most."""


def answer(request: Any) -> Any:
    """`quota` per `period` seconds, `batch`, `entries` of one read, `reads` at once. The answer
    has what each period delivers, the bounds, and the worst schedule step by step.
    """
    for name in ("quota", "period", "batch", "entries", "reads"):
        if not (isinstance(request[name], int) and 1 <= request[name] <= MOST):
            raise ValueError(f"The {name} must be a whole number from 1 to {MOST:,}.")
    options = RequestedLimit(
        messages=request["quota"],
        bytes=None,
        period=request["period"],
        batch=request["batch"],
        average_bytes=1,
        largest_bytes=1,
        entries=request["entries"],
        reads=request["reads"],
        partitions=1,
        by_entry=False,
        precise=False,
    )
    setting = planning.setting_of(options)
    excess = overdelivery.excess(setting)
    idle = excess // setting.quota
    shown = min(LONGEST, idle + 4)
    return {
        "excess": excess,
        "span": setting.span,
        "idle": idle,
        # A quota at the end of the first period, the burst as the second begins, then the debt.
        "delivered": [setting.quota, *planning.compute_timeline(options, shown - 1)],
        "window": overdelivery.most_in_window(setting, 1),
        "bounds": [
            {
                "periods": periods,
                "limit": periods * setting.quota,
                "aligned": overdelivery.most_in_periods(setting, periods),
                "window": overdelivery.most_in_window(setting, periods),
                "bucket": overdelivery.most_of_bucket(setting, periods),
                "forgotten": overdelivery.most_if_forgotten(setting, periods),
            }
            for periods in planning.WINDOWS
        ],
        "schedule": planning.worst_schedule(options),
    }
