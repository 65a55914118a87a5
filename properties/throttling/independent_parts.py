"""How the independent generator draws fields of this chapter, alone and together."""

from __future__ import annotations

from typing import Any, Final, get_args

from evenkeel.properties.independent_parts import MEGABYTE, Production
from evenkeel.reference.throttling.configuration import BY_NAME
from evenkeel_engine.kit.independent.fields import Fields
from evenkeel_engine.kit.independent.maker import Shaper, record_in, trial_hints, wire_hints
from evenkeel_engine.kit.independent.numbers import Whole

FIELDS: Final = Fields(
    wholes={
        "dispatcherMaxReadBatchSize": Whole(100, 1, 1000),
        "dispatcherMaxReadSizeBytes": Whole(5 * MEGABYTE, 1, 10 * MEGABYTE),
        "dispatcherMaxRoundRobinBatchSize": Whole(20, 1, 100),
        "subscription": Whole(0, 0, 3),
        "entry": Whole(0, 0, 12),
        "permits": Whole(1000, 0, 3000),
        "PermitsTrial.chunks": Whole(1, 1, 4),
        "messages": Whole(100, -1, 3000),
        "bytes": Whole(10_000, -1, 10 * MEGABYTE),
        "period": Whole(1, 1, 60),
        "millis": Whole(1000, 0, 120_000),
        "tokens": Whole(1, 0, 5000),
        "updated": Whole(),
        "nanos": Whole(10**9, 0, 10**11),
        "resolution": Whole(16_000_000, 1, 10**9),
        "capacity": Whole(1000, 0, 100_000),
        "initial": Whole(1000, 0, 100_000),
        "average_messages": Whole(1, 0, 500),
        "max_entries": Whole(100, 1, 1000),
        "max_bytes": Whole(5 * MEGABYTE, -1, 10 * MEGABYTE),
        "publish_size": Whole(1024, 0, 100_000),
        "dispatch_size": Whole(1024, 0, 100_000),
        "ledger": Whole(0, -1, 6),
        "attempts": Whole(5, -1, 20),
        "consumer": Whole(0, 0, 3),
        "entries": Whole(10, 1, 500),
        "Entry.messages": Whole(1, 1, 12),
        "Entry.bytes": Whole(100, 1, 2000),
        "InFlightTrial.limit": Whole(20_000, 0, 50_000),
        "InFlightTrial.queue": Whole(5, 1, 5),
        "InFlightTrial.timeout": Whole(60_000, 0, 60_000),
        "Ask.bytes": Whole(10_000, 1, 60_000),
        "read": Whole(0, 0, 6),
        "DispatchRate.messages": Whole(10, -1, 3000),
        "DispatchRate.bytes": Whole(1000, -1, 10 * MEGABYTE),
    },
    yes={"replay": 0.2, "relative": 0.15},
    lengths={"entries": (0, 12), "sends": (1, 10), "subscriptions": (1, 6), "topics": (1, 6)},
    things=frozenset(("subscription", "consumer")),
)


def alike_entries(maker: Production) -> dict[str, Any]:
    """Mostly all entries are the same, and quotas are divided by what is known of each."""
    if maker.draw.chance(0.3):
        return {}
    topic = record_in(maker, "topics")
    entry = get_args(wire_hints(topic)["entries"])[0]
    maker.same[entry] = maker.make_part(entry)
    precise = {"preciseDispatcherFlowControl": True}
    by_message = {"dispatchThrottlingOnBatchMessageEnabled": False}
    return {"settings": maker.make_part(trial_hints(maker)["settings"], **precise, **by_message)}


SHAPERS: Final[dict[str, Shaper]] = {
    "throttling.default/DefaultTrial": lambda maker: {"key": maker.draw.pick(tuple(BY_NAME))},
    "throttling.loop/LoopTrial": alike_entries,
}
