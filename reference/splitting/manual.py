"""A split that an operator asks for: by range, `LARGEST` or `HOT` (SPL-55 to SPL-70)."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from evenkeel.reference import java_text
from evenkeel.reference.bundles import lookup, ranges
from evenkeel.reference.bundles.boundaries import bundle_at, bundles_of
from evenkeel.reference.bundles.ranges import HashRange
from evenkeel.reference.edition import Edition
from evenkeel.reference.splitting import algorithms, applying
from evenkeel.reference.splitting.algorithms import Flow, SplitAlgorithm
from evenkeel.reference.splitting.settings import FlowLimits
from evenkeel_engine.frame.clauses import states
from evenkeel_engine.frame.errors import Breakage, Refusal


class UnsupportedAlgorithm(Refusal):
    """The requested algorithm is not in the configured list (SPL-55)."""


class NotOwned(Refusal):
    """No broker owns the bundle, and none takes it (SPL-63)."""


class NothingSelected(Refusal):
    """`LARGEST` or `HOT` found no bundle with topics (SPL-57, SPL-59)."""


class NothingToCut(Refusal):
    """The algorithm yielded no position; the extensible manager says so (SPL-62, SPL-65)."""


class OneCutOnly(Refusal):
    """The extensible manager can make two children only (SPL-66)."""


class WrongOptions(Breakage):
    """Flow limits were needed but the configured default algorithm brings none (SPL-67)."""


@dataclass(frozen=True, slots=True)
class Topic:
    """A persistent topic of the namespace and, if the broker has statistics of it, its traffic."""

    name: str
    hash: int
    flow: Flow | None


@dataclass(frozen=True, slots=True)
class Heat:
    """What the leader knows of a bundle: topics, and long-term throughput in plus out."""

    bundle: HashRange
    topics: int
    throughput: float


@dataclass(frozen=True, slots=True)
class Request:
    """A manual split of one namespace. `algorithm` empty means the configured default; `owned`
    says whether some broker owns the bundle when the request comes.
    """

    extensible: bool
    boundaries: tuple[int, ...]
    selector: str
    algorithm: str
    default_algorithm: str
    supported: tuple[str, ...]
    positions: tuple[int, ...]
    unload: bool
    owned: bool
    topics: tuple[Topic, ...]
    heat: tuple[Heat, ...]
    limits: FlowLimits


@dataclass(frozen=True, slots=True)
class Outcome:
    """Boundaries afterwards, the bundle that was split (None: nothing changed), and the children
    that the request unloads.
    """

    boundaries: tuple[int, ...]
    split: HashRange | None
    unloaded: tuple[HashRange, ...]


@states("SPL-62", "SPL-63", "SPL-64", "SPL-65", "SPL-68", "SPL-69", "SPL-70")
def manual_split(request: Request, edition: Edition) -> Outcome:
    """Carry out a manual split.

    Raises the refusals of its steps, and where the edition breaks, `WrongOptions`,
    `lookup.PastLastBundle`, `applying.NeverCompletes`.
    Source: Pulsar `NamespacesBase.internalSplitNamespaceBundleAsync` 4.0.8.
    """
    check_request(request)
    target = select(request, edition)
    if not request.owned and not may_acquire():
        raise NotOwned(f"{target} has no owner")
    positions = positions_for(request, target, edition)
    if not positions:
        if request.extensible and edition.extensible_needs_a_cut:
            raise NothingToCut(f"no position to cut {target} at")
        return Outcome(request.boundaries, None, ())
    boundaries = cut(request, target, positions, edition)
    unloads = request.unload and not (request.extensible and edition.extensible_never_unloads)
    children = applying.divide_target(target, positions)
    return Outcome(boundaries, target, children if unloads else ())


@states("SPL-55")
def check_request(request: Request) -> None:
    """A named algorithm must be supported; specified positions must be given."""
    if java_text.is_blank(request.algorithm):
        return
    if request.algorithm not in request.supported:
        raise UnsupportedAlgorithm(f"{request.algorithm} is not supported")
    if request.algorithm == SplitAlgorithm.SPECIFIED and not request.positions:
        raise algorithms.NoPositionsGiven("specified_positions_divide needs positions")


@states("SPL-56", "SPL-57", "SPL-59", "SPL-60", "SPL-80")
def select(request: Request, edition: Edition) -> HashRange:
    """The bundle that the selector means."""
    if request.selector == "LARGEST" or (request.selector == "HOT" and request.extensible):
        return largest(request.boundaries, request.topics, edition)
    if request.selector == "HOT":
        return hottest(request.boundaries, request.heat)
    lower, upper = ranges.parse_range(request.selector, edition)
    if lower == ranges.TOP_HASH and edition.last_hash_breaks:
        raise lookup.PastLastBundle("no bundle starts at the last boundary")
    if not 0 <= lower <= upper <= ranges.TOP_HASH:
        raise lookup.NoSuchBundle(f"{request.selector} lies outside the hash space")
    return lookup.member(request.boundaries, HashRange(lower, upper), edition)


@states("SPL-63")
def may_acquire() -> bool:
    """Whether a broker takes an unowned bundle in order to split it: it does."""
    return True


@states("SPL-57", "SPL-58")
def largest(boundaries: Sequence[int], listed: Sequence[Topic], edition: Edition) -> HashRange:
    """The bundle with the most topics; of equals, the first to get there."""
    counts: dict[int, int] = {}
    best: int | None = None
    for topic in listed:
        index = lookup.bundle_index(boundaries, topic.hash, edition)
        counts[index] = counts.get(index, 0) + 1
        if best is None or counts[index] > counts[best]:
            best = index
    if best is None:
        raise NothingSelected("the namespace has no topics")
    return bundle_at(boundaries, best)


@states("SPL-59", "SPL-60")
def hottest(boundaries: Sequence[int], heat: Sequence[Heat]) -> HashRange:
    """The hottest bundle of those with topics; of equals the lowest."""
    known = {entry.bundle: entry for entry in heat if entry.topics > 0}
    best: Heat | None = None
    for bundle in bundles_of(boundaries):
        entry = known.get(bundle)
        if entry is not None and (best is None or entry.throughput > best.throughput):
            best = entry
    if best is None:
        raise NothingSelected("no bundle with topics is known")
    return best.bundle


@states("SPL-61")
def chosen_algorithm(request: Request) -> SplitAlgorithm:
    """The requested algorithm, else the default, else `range_equally_divide`."""
    for name in (request.algorithm, request.default_algorithm):
        if name in list(SplitAlgorithm):
            return SplitAlgorithm(name)
    return SplitAlgorithm.RANGE


@states("SPL-61", "SPL-67")
def positions_for(request: Request, target: HashRange, edition: Edition) -> tuple[int, ...]:
    """Where the chosen algorithm cuts the selected bundle."""
    algorithm = chosen_algorithm(request)
    inside = [topic for topic in request.topics if topic.hash in target]
    if algorithm is SplitAlgorithm.RANGE:
        return algorithms.range_positions(target, edition)
    if algorithm is SplitAlgorithm.TOPIC_COUNT:
        return algorithms.topic_count_positions((topic.hash for topic in inside), edition)
    if algorithm is SplitAlgorithm.SPECIFIED:
        return algorithms.specified_positions(
            target, len(inside), request.positions, False, edition
        )
    if edition.options_follow_default and request.default_algorithm != SplitAlgorithm.FLOW:
        raise WrongOptions("the configured default algorithm brings no flow limits")
    flows = [topic.flow for topic in inside if topic.flow is not None]
    return algorithms.flow_positions(flows, len(inside), request.limits, edition)


@states("SPL-61", "SPL-66", "SPL-70")
def cut(
    request: Request, target: HashRange, positions: tuple[int, ...], edition: Edition
) -> tuple[int, ...]:
    """The boundaries with the positions applied."""
    try:
        boundaries = applying.apply_positions(request.boundaries, target, positions, edition)
    except applying.RepeatedPosition as lost:
        if request.extensible or not edition.failed_splits_hang:
            raise
        raise applying.NeverCompletes(str(lost)) from lost
    if request.extensible and edition.extensible_one_cut and len(positions) != 1:
        raise OneCutOnly(f"{len(positions)} positions would make more than two children")
    return boundaries
