"""4.0.8 with `subscriptionSharedUseClassicPersistentImplementation`: the dispatcher before 4.0."""

from typing import Final

from evenkeel_engine.frame.line import Change, Line

LINE: Final = Line(
    "PULSAR_4_0_CLASSIC",
    parent="PULSAR_4_0",
    changes=(
        Change(
            switch="turns_rounded_down",
            since="4.0.8",
            source="PersistentDispatcherMultipleConsumersClassic.trySendMessagesToConsumers",
            questions=("throttling.loop",),
        ),
        Change(
            switch="replays_pass_bytes",
            since="4.0.8",
            source="PersistentDispatcherMultipleConsumersClassic.getMessagesToReplayNow",
            questions=("throttling.loop",),
        ),
    ),
)
