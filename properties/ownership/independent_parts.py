"""How the independent generator draws fields of this chapter, alone and together."""

from __future__ import annotations

from typing import Final

from evenkeel_engine.kit.independent.fields import Fields
from evenkeel_engine.kit.independent.numbers import Whole

FIELDS: Final = Fields(
    wholes={
        "broker": Whole(0, 0, 2),
        "bundle": Whole(),
        "brokers": Whole(3, 2, 3),
        "to": Whole(1, 0, 2),
        "leader": Whole(0, 0, 3),
        "WaitingTrial.permits": Whole(50_000, 0, 4),
        "preferred": Whole(0, 0, 3),
        "version": Whole(1, 0, 5),
        "Elapse.millis": Whole(3_600_001, 0, 10_000_000),
        "PassTime.millis": Whole(30_000, 0, 120_000),
    },
    lists={"advertised": lambda world: world.few_names() if world.draw.chance(0.9) else ()},
    yes={"fails": 0.2, "unread": 0.1},
)
