"""4.0.8 where shared subscriptions are Key_Shared: what its dispatcher does otherwise."""

from typing import Final

from evenkeel_engine.frame.line import Change, Line

LINE: Final = Line(
    "PULSAR_4_0_KEY_SHARED",
    parent="PULSAR_4_0",
    changes=(
        Change(
            switch="permits_taken_for_entries",
            since="4.0.8",
            source="PersistentStickyKeyDispatcherMultipleConsumers.getAvailablePermits",
            questions=("throttling.loop",),
        ),
        Change(
            switch="reads_overtaken",
            since="4.0.8",
            source="PersistentStickyKeyDispatcherMultipleConsumers.trySendMessagesToConsumers",
            questions=("throttling.loop",),
        ),
    ),
)
