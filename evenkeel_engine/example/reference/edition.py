"""Editions: what the guide promises, and what the release does."""

from dataclasses import dataclass

from evenkeel_engine.frame import edition as frame
from evenkeel_engine.frame.line import Line
from evenkeel_engine.frame.switch import switch


@dataclass(frozen=True, kw_only=True)
class Edition(frame.Edition):
    """A frozen record of switches."""

    bounds_rounded: bool = switch(
        "Bounds are rounded, up and down, before servers are compared with them.",
        "SimpleLoadBalancer.needsBalance 2.5.8",
    )
    idle_servers_filled: bool = switch(
        "A server without regions gets some, whatever the slop.",
        "BaseLoadBalancer.idleRegionServerExist 2.5.8",
    )


LINES = {"GUIDE": Line("GUIDE"), "HBASE_2_5": Line("HBASE_2_5", "2.5.8")}
EDITIONS = frame.make_editions(Edition, LINES)
