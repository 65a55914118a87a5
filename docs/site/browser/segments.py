"""A scalable topic of Pulsar 5: its segments over days, in the editions that have them."""

from __future__ import annotations

from dataclasses import asdict
from typing import Any, Final

from evenkeel.operate.plan.segments import Days, Stretch, find_resting_changes, plan
from evenkeel.reference.edition import EDITIONS

DECIDING: Final = ("DOCUMENTED", "PULSAR_5_0", "PULSAR_5_0_1")
MOST_MINUTES: Final = 2880
MOST_SEGMENTS: Final = 64


def answer(request: Any) -> Any:
    """`stretches`: the parts of a day, each minutes, msg/s, consumers and perhaps checkpoint
    consumers; `days`, `segments`, `message_bytes`, `fan_out`; `settings`: by Pulsar's names. The
    answer has a plan by edition; with `resting`, an edition, also the settings that let it rest.
    """
    asked = days_of(request)
    resting_in = request.get("resting")
    changes = find_resting_changes(asked, EDITIONS[resting_in]) if resting_in in DECIDING else ()
    return {
        "minutes": asked.days * sum(one.minutes for one in asked.stretches),
        "runs": {name: asdict(plan(asked, EDITIONS[name])) for name in DECIDING},
        "resting": resting_in,
        "changes": [asdict(one) for one in changes],
    }


def days_of(request: Any) -> Days:
    """What is asked. Raises ValueError."""
    for part in request["stretches"]:
        if len(part) not in (3, 4) or not all(isinstance(value, int | float) for value in part):
            raise ValueError(
                "A part of a day must be three or four numbers: minutes, msg/s, consumers, "
                "checkpoint consumers."
            )
    stretches = tuple(
        Stretch(int(minutes), float(rate), *map(int, consumers))
        for minutes, rate, *consumers in request["stretches"]
    )
    days, segments = request["days"], request["segments"]
    minutes = days * sum(one.minutes for one in stretches)
    if not 1 <= minutes <= MOST_MINUTES:
        raise ValueError(f"The days must be from 1 to {MOST_MINUTES:,} minutes together.")
    if not 1 <= segments <= MOST_SEGMENTS:
        raise ValueError(f"The segments at first must be from 1 to {MOST_SEGMENTS}.")
    size, copies = request["message_bytes"], request["fan_out"]
    return Days(stretches, days, segments, size, copies, request.get("settings", {}))
