"""What a balancer may promise. What it promises it is held to."""

from __future__ import annotations

from dataclasses import dataclass, field
from enum import StrEnum
from typing import Any, Final

from evenkeel_engine.frame.settings import out_of_bounds

LATER: Final = {"omittable": True}
NUMBERS: Final = ("trigger", "most_moves", "evenness")


class BadPromise(ValueError):
    """A number that no balancer can mean."""


class Measure(StrEnum):
    """What a balancer evens out: units of a node, their load, or their load by capacity."""

    COUNT = "count"
    LOAD = "load"
    USAGE = "usage"


class Trigger(StrEnum):
    """How far from even: the fullest node less the emptiest, the fullest less the mean; or the
    fullest as a multiple of the emptiest, or of the mean, less one.
    """

    DIFFERENCE = "difference"
    ABOVE_MEAN = "above mean"
    RATIO = "ratio"
    RATIO_TO_MEAN = "ratio to mean"


class Lessens(StrEnum):
    """What lessens the measure: every move, or a round as a whole."""

    MOVE = "move"
    ROUND = "round"


class Repeats(StrEnum):
    """Whether the same cluster gets the same answer: not promised, if listed in the same order, or
    in whatever order it is listed.
    """

    NO = "no"
    AS_LISTED = "as listed"
    ANY_ORDER = "any order"


class Feature(StrEnum):
    """What a trial may have. A balancer that does not know a feature is asked without it. UNSERVED:
    no node serves some units at first; where nodes leave or join, there are such units without it.
    """

    CAPACITY = "capacity"
    ZONES = "zones"
    GROUPS = "groups"
    LIMITS = "limits"
    PINNED = "pinned"
    UNSERVED = "unserved"
    JOINS = "joins"
    LEAVES = "leaves"
    CHANGES = "changes"
    GRACE = "grace"
    DELAY = "delay"
    FAILURES = "failures"
    LATE = "late"
    UNREPORTED = "unreported"


def _make_field(default: Any) -> Any:
    return field(default=default, metadata=LATER)


def _make_rounds(name: str, default: Any, most: int) -> Any:
    """A number of rounds: the harness asks for as many."""
    return field(default=default, metadata={**LATER, "wire": name, "bounds": (0, most)})


@dataclass(frozen=True, slots=True)
class Promises:
    """What a balancer promises; what is left out it does not promise.

    `measure` names what it evens out. Where that is uneven by at most `trigger`, as `trigger_by`
    says (`difference`, if left out), nothing moves. Above it (of counts, above it rounded up to
    whole units) no cluster rests in which moves from a fullest to an emptiest node would lessen
    that (CON-21). If left out, `evenness` stands for it, or 0; a balancer that rests otherwise
    names no measure. Nodes that are not up do not count.
    `lessens` says what lessens it: where the measures of all nodes, the fullest first, begin to
    differ, they get less, or the sum of their squares does. `fullest_first`: the fullest node that
    can help gives first; `most_moves`: how many units move in a round, apart from units that no
    node serves, or one that is not up.
    `grace`: a unit that arrived rests for the trial's grace period.
    It may watch an uneven cluster for `waits` rounds (3 if left out) before it acts, and moves no
    unit of more than `share`, above 0, of the difference of two nodes.
    It is at rest within `rests_within` + `rests_per_unit` (0 if left out) × units rounds; at rest
    the fullest node is above the emptiest by at most `evenness`, unless no free unit could help.
    `emptiest`: a unit that no node serves is placed on the node that is the emptiest with it,
    where all loads are reported. `minimal`: where a node joins, units move to it alone. `repeats`
    says when the same cluster gets the same answer; `scales`, that all loads times a number change
    nothing; `renames`, that names do not matter for whether it comes to rest, and how even.
    `memory`: it remembers something from turn to turn (so if left out).
    `places`: it is asked for the node of each unit that none serves. Else it gives these a node
    in its rounds, by moves without `from`. `knows` are the features that it looks at: all, if left
    out. `waits` and `rests_within` are 1,000 at most, `rests_per_unit` 100; no number is below 0.
    """

    measure: Measure | None = _make_field(None)
    trigger: float | None = _make_field(None)
    trigger_by: Trigger = _make_field(Trigger.DIFFERENCE)
    lessens: Lessens | None = _make_field(None)
    fullest_first: bool = _make_field(False)
    most_moves: int | None = _make_field(None)
    grace: bool = _make_field(False)
    waits: int = _make_rounds("waits", 3, 1_000)
    share: float | None = _make_field(None)
    rests_within: int | None = _make_rounds("rests_within", None, 1_000)
    rests_per_unit: int = _make_rounds("rests_per_unit", 0, 100)
    evenness: float | None = _make_field(None)
    emptiest: bool = _make_field(False)
    minimal: bool = _make_field(False)
    repeats: Repeats = _make_field(Repeats.NO)
    scales: bool = _make_field(False)
    renames: bool = _make_field(False)
    memory: bool = _make_field(True)
    places: bool = _make_field(False)
    knows: tuple[Feature, ...] = _make_field(tuple(Feature))

    def __post_init__(self) -> None:
        """Refuse a number that means nothing."""
        for name, sentence in out_of_bounds(self):
            raise BadPromise(f"{name}: {sentence}")
        if self.share is not None and not self.share > 0:
            raise BadPromise(f"a share of {self.share:g} is none: it must be above 0")
        for name in NUMBERS:
            value = getattr(self, name)
            if value is not None and value < 0:
                raise BadPromise(f"{name} is {value:g}: it must not be below 0")
