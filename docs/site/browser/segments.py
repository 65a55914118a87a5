"""A scalable topic of Pulsar 5: its segments over days, in both editions that have them."""

from __future__ import annotations

from dataclasses import asdict
from typing import Any, Final

from evenkeel.operate.plan.segments import Days, Stretch, plan
from evenkeel.properties.kit.codec import from_json, to_json
from evenkeel.reference.edition import EDITIONS
from evenkeel.reference.scaling.settings import ScaleRules

DECIDING: Final = ("DOCUMENTED", "PULSAR_5_0")
MOST_MINUTES: Final = 2880
MOST_SEGMENTS: Final = 64


def answer(request: Any) -> Any:
    """`stretches`: the parts of a day, each minutes, msg/s and consumers; `days`, `segments`,
    `message_bytes`, `fan_out`; `settings`: by Pulsar's names. The answer has a plan by edition.
    """
    asked = days_of(request)
    planned = {name: plan(asked, EDITIONS[name]) for name in DECIDING}
    return {
        "minutes": asked.days * sum(one.minutes for one in asked.stretches),
        "runs": {
            name: {
                "rows": [asdict(row) for row in one.rows],
                "counts": one.counts,
                "broken": one.broken,
                "splits": one.splits,
                "merges": one.merges,
            }
            for name, one in planned.items()
        },
    }


def days_of(request: Any) -> Days:
    """What is asked. Raises ValueError."""
    for part in request["stretches"]:
        if len(part) != 3 or not all(isinstance(value, int | float) for value in part):
            raise ValueError("A part of a day must be three numbers: minutes, msg/s, consumers.")
    stretches = tuple(
        Stretch(int(minutes), float(rate), int(consumers))
        for minutes, rate, consumers in request["stretches"]
    )
    days, segments = request["days"], request["segments"]
    minutes = days * sum(one.minutes for one in stretches)
    if not 1 <= minutes <= MOST_MINUTES:
        raise ValueError(f"The days must be from 1 to {MOST_MINUTES:,} minutes together.")
    if not 1 <= segments <= MOST_SEGMENTS:
        raise ValueError(f"The segments at first must be from 1 to {MOST_SEGMENTS}.")
    rules = from_json(ScaleRules, {**to_json(ScaleRules()), **request.get("settings", {})})
    return Days(stretches, days, segments, request["message_bytes"], request["fan_out"], rules)
