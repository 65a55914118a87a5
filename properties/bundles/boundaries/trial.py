"""`bundles.boundaries` and `bundles.creation`: how the hash space is divided."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from evenkeel.properties.bundles.division import spans
from evenkeel.properties.observations import Span
from evenkeel.properties.trial import require
from evenkeel.reference.bundles import boundaries
from evenkeel.reference.edition import Edition


@dataclass(frozen=True, slots=True)
class BoundariesTrial:
    """`bundles.boundaries`: which bundles does this list of boundaries make? It may be illegal."""

    boundaries: tuple[int, ...]

    def __post_init__(self) -> None:
        require(
            all(-(2**63) <= b < 2**63 for b in self.boundaries),
            "boundaries",
            "must be 64-bit integers",
        )


@dataclass(frozen=True, slots=True)
class BoundariesAnswer:
    """The bundles in ascending order."""

    bundles: tuple[Span, ...]


@dataclass(frozen=True, slots=True)
class CreationTrial:
    """`bundles.creation`: a namespace is created; which boundaries does it get?

    `count` is the requested number of bundles (0: not given), `boundaries` the explicit boundary
    texts or null, `default_count` the broker's `defaultNumberOfNamespaceBundles`.
    """

    count: int
    boundaries: tuple[str, ...] | None
    default_count: int

    def __post_init__(self) -> None:
        require(-(2**31) <= self.count < 2**31, "count", "must be a 32-bit integer")
        require(self.count <= 2**16, "count", "above 65536 makes an answer too large to send")
        require(1 <= self.default_count <= 2**16, "default_count", "must be 1 to 65536")


@dataclass(frozen=True, slots=True)
class CreationAnswer:
    """The stored boundaries, in stored order."""

    boundaries: tuple[int, ...]


def answer_boundaries(trial: BoundariesTrial, edition: Edition) -> BoundariesAnswer:
    boundaries.check_boundaries(trial.boundaries, edition)
    return BoundariesAnswer(spans(trial.boundaries))


def answer_creation(trial: CreationTrial, edition: Edition) -> CreationAnswer:
    return CreationAnswer(
        boundaries.creation_boundaries(trial.count, trial.boundaries, trial.default_count, edition)
    )


def boundaries_labels(trial: BoundariesTrial) -> Iterator[str]:
    yield f"{min(len(trial.boundaries), 3)} or more boundaries"


def creation_labels(trial: CreationTrial) -> Iterator[str]:
    if trial.boundaries is not None:
        yield "explicit boundaries"
    yield "count given" if trial.count > 0 else "default count"
