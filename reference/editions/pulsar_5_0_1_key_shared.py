"""5.0.1 where shared subscriptions are Key_Shared: its dispatcher does what that of 4.0 does."""

from typing import Final

from evenkeel.reference.editions import pulsar_4_0_key_shared
from evenkeel_engine.frame.line import Line

LINE: Final = Line(
    "PULSAR_5_0_1_KEY_SHARED", parent="PULSAR_5_0_1", changes=pulsar_4_0_key_shared.LINE.changes
)
