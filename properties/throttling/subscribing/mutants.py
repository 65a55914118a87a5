"""Mutants of subscribe limiters."""

from __future__ import annotations

from dataclasses import replace
from typing import Final

from evenkeel.properties.mutant_maker import (
    defect,
    equivalent,
    then,
)
from evenkeel.reference.throttling import bucket as buckets
from evenkeel.reference.throttling import subscribing
from evenkeel.reference.throttling.subscribing import SubscribeRate


def _either_part(rate: SubscribeRate) -> bool:
    return rate.attempts > 0 or rate.period > 0


MUTANTS: Final = (
    defect(
        "subscribe-limit-cannot-be-disabled",
        subscribing,
        "limits",
        lambda _: _either_part,
        "A subscribe rate of 0 refuses every consumer, because the period is set by default.",
        "DT21",
    ),
    defect(
        "attempts-are-free",
        buckets,
        "consume",
        lambda _: lambda bucket, tokens: bucket,
        "Consumers may subscribe as often as they like.",
    ),
    equivalent(
        "attempts-come-back-one-by-one",
        subscribing,
        "new_bucket",
        then(lambda bucket: replace(bucket, resolution=1)),
        "Attempts come back evenly, without a resolution of 16 ms.",
    ),
)
