"""The closed loop: load, reports, shedding, unloading and placement, moment by moment."""

from __future__ import annotations

from typing import Final

from evenkeel.properties.balancing.loop import trials
from evenkeel.reference.balancing.history import History
from evenkeel_engine.kit.exempt import Exempt
from evenkeel_engine.kit.question import Question

LOOP: Final = Question(
    "balancing.loop",
    trials.BalancingTrial,
    History,
    trials.balancing_trial,
    trials.answer_loop,
    trials.balancing_labels,
    cut=trials.cut,
    simulates=True,
    exempt=Exempt(
        unmet={
            r"Settings\..*": "the questions of the strategies have each setting at its bounds",
            r"(BrokerSpec|Drift|Spike|Slow)\.\w+: (0|whole|with a fraction|1|negative)": (
                "capacities and factors are round, so that sums are exact"
            ),
            r"Split\.children: .*": "a bundle is split in halves",
            r"\w+\.at: half .*": "what comes after the last round does nothing",
            r"Scenario\.events: 9–11 items": "there are fewer, or a hundred",
            r"Scenario\.brokers: 1 item": (
                "others join or leave, so that one is alone for some rounds"
            ),
        },
        unread={
            "max_pairs": "there are too few brokers for several pairs; `shedding.transfer` asks",
            "min_unload_throughput": "loads are far from it; `shedding.uniform` asks",
            "ttl_seconds": "no report is that old when it counts; `shedding.transfer` asks",
        },
        unjudged={
            "max_unload_bundles": "in no document",
            "top_bundles": "practice (LOA-50, LOA-54); `load.top_bundles` asks",
        },
        world="seed",
        unrecorded="Apache Pulsar's adapter does not answer it: a run over hours is simulated",
    ),
)
QUESTIONS: Final = (LOOP,)
