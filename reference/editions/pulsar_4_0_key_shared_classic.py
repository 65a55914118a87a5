"""4.0.8 with `subscriptionKeySharedUseClassicPersistentImplementation`, and Key_Shared."""

from typing import Final

from evenkeel_engine.frame.line import Change, Line

LINE: Final = Line(
    "PULSAR_4_0_KEY_SHARED_CLASSIC",
    parent="PULSAR_4_0_KEY_SHARED",
    changes=(
        Change(
            switch="replays_pass_bytes",
            since="4.0.8",
            source="PersistentDispatcherMultipleConsumersClassic.getMessagesToReplayNow",
            questions=("throttling.loop",),
        ),
        Change(
            switch="replays_passed_over",
            since="4.0.8",
            source="PersistentStickyKeyDispatcherMultipleConsumersClassic.trySendMessagesToConsumers",
            questions=("throttling.loop",),
        ),
    ),
)
