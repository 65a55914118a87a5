"""What Apache Pulsar's 4.0 line does, its defects included."""

from typing import Final

from evenkeel_engine.frame.line import Line

LINE: Final = Line("PULSAR_4_0", "4.0.8")
