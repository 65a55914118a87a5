"""5.0.1 where shared subscriptions are Key_Shared: what its dispatcher does otherwise."""

from typing import Final

from evenkeel.reference.editions.line import Change, Line

LINE: Final = Line(
    "PULSAR_5_0_1_KEY_SHARED",
    parent="PULSAR_5_0_1",
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
