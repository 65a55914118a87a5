"""Where the four algorithms cut a bundle (SPL-2 to SPL-15)."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import reduce
from itertools import pairwise
from typing import Final, NamedTuple

from evenkeel.properties.bundles.trial_parts import (
    NAMESPACES,
    VARIANTS,
    draw_boundaries,
    draw_hash,
    pick_bundle,
    topic_with_hash,
)
from evenkeel.properties.names import require_topic
from evenkeel.properties.splitting.trial_parts import all_legal, ascend, has_room, inside
from evenkeel.properties.tolerance import tolerance_of
from evenkeel.reference.bundles.ranges import TOP_HASH, HashRange
from evenkeel.reference.bundles.topics import topic_hash
from evenkeel.reference.edition import DOCUMENTED, Edition
from evenkeel.reference.splitting import algorithms
from evenkeel.reference.splitting.algorithms import MIN_TOPICS, Flow, SplitAlgorithm
from evenkeel.reference.splitting.settings import MEBIBYTE, FlowLimits
from evenkeel_engine.kit.approx import Approx, Ternary, both, either
from evenkeel_engine.kit.clause import Case, describe, name_shape
from evenkeel_engine.kit.draw import Draw, seldom_large
from evenkeel_engine.kit.exempt import Exempt
from evenkeel_engine.kit.formatting import display
from evenkeel_engine.kit.judge import decision, is_must, require_equal
from evenkeel_engine.kit.observations import Refused
from evenkeel_engine.kit.question import Question
from evenkeel_engine.kit.run import Run, Sentence, format_sentence
from evenkeel_engine.kit.trial import require, require_bounds, require_different, require_longs

MOST_RATE: Final = 2.0**53


def require_rates(*rates: float) -> None:
    """Rates in a trial are not negative, and their sums are finite."""
    require(all(0 <= rate < MOST_RATE for rate in rates), "rates", "must be 0 or more, below 2^53")


@dataclass(frozen=True, slots=True)
class TopicLoad:
    """One topic of a bundle by its complete name, msg/s and bytes/s; `reported`: the broker has
    statistics of it.
    """

    topic: str
    msg_rate_in: float = 0.0
    msg_rate_out: float = 0.0
    throughput_in: float = 0.0
    throughput_out: float = 0.0
    reported: bool = True

    def __post_init__(self) -> None:
        require_topic("topic", self.topic)
        require_rates(self.msg_rate_in, self.msg_rate_out, self.throughput_in, self.throughput_out)

    @property
    def flow(self) -> Flow:
        """In plus out."""
        return Flow(
            topic_hash(self.topic),
            self.msg_rate_in + self.msg_rate_out,
            self.throughput_in + self.throughput_out,
        )


@dataclass(frozen=True, slots=True)
class PositionsTrial:
    """`splitting.positions`: at which hashes does this algorithm cut this bundle?

    `topics` lie in the bundle, in listing order, each once; the hash of one is the CRC-32 of its
    complete name in UTF-8 (BUN-3): a subject that hashes otherwise skips this question. `positions`
    is the argument of `specified_positions_divide`, which may refuse illegal ones; `forced` is its
    variant that ignores the topics.
    """

    algorithm: SplitAlgorithm
    bundle: HashRange
    topics: tuple[TopicLoad, ...]
    positions: tuple[int, ...]
    forced: bool
    limits: FlowLimits

    def __post_init__(self) -> None:
        require_bounds(self.limits)
        require_longs("positions", self.positions)
        names = [load.topic for load in self.topics]
        require_different("topics", names)
        for name in names:
            require(topic_hash(name) in self.bundle, "topics", f"{name} is not in the bundle")


@dataclass(frozen=True, slots=True)
class PositionsAnswer:
    """The positions in any order, each once; empty if the bundle is not cut."""

    positions: tuple[int, ...]


ALGORITHMS: Final = (
    SplitAlgorithm.RANGE,
    SplitAlgorithm.TOPIC_COUNT,
    SplitAlgorithm.FLOW,
    SplitAlgorithm.SPECIFIED,
    SplitAlgorithm.FLOW,
    SplitAlgorithm.TOPIC_COUNT,
)

NO_LIMITS: Final = FlowLimits(1000, 100, 10)
_RATES: Final = (1000, 450, 1, 30000, 0, 10)
_MEGABYTES: Final = (100, 90, 2048, 2047, 4096, 1, 0)
_SIXTEENTHS: Final = (0, 8, 4, 16, 12, 2, 1, 17, 32, 80)
_PERCENTS: Final = (10, 0, 50, 100, 25, 1)
_SMALL_STARTS: Final = (0, TOP_HASH - 1, 1, TOP_HASH - 2, TOP_HASH - 3, 0x7FFFFFFE, 0x40000000)


def draw_bundle(draw: Draw) -> HashRange:
    """All hashes, a bundle of some namespace, or one of a few hashes at an edge."""
    sort = draw.integer(0, 2)
    if sort == 0:
        return HashRange(0, TOP_HASH)
    if sort == 1:
        return pick_bundle(draw, draw_boundaries(draw, 3))
    lower = draw.pick(_SMALL_STARTS)
    return HashRange(lower, min(lower + draw.integer(1, 6), TOP_HASH))


def draw_hash_in(draw: Draw, bundle: HashRange, near: Sequence[int]) -> int:
    """A hash of the bundle; often at one of its ends, often one of `near` or next to it."""
    last = TOP_HASH if bundle.upper_included else bundle.upper - 1
    sort = draw.integer(0, 3)
    if sort == 0:
        return draw.integer(bundle.lower, last)
    if sort == 1 and near:
        hash_ = draw.pick(near) + draw.pick((0, 1, -1, 2, -2))
    else:
        hash_ = draw.pick((bundle.lower, last, bundle.lower + 1, last - 1))
    return min(max(hash_, bundle.lower), last)


def draw_names(
    draw: Draw, bundle: HashRange, namespace: str, most: int, near: Sequence[int] = ()
) -> list[str]:
    """Different topics of the bundle, some with one hash, some close to `near`."""
    hashes: list[int] = []
    for _ in draw.items(most):
        hashes.append(draw_hash_in(draw, bundle, (*near, *hashes)))
    seen: dict[int, int] = {}
    names = []
    for hash_ in hashes:
        variant = seen.get(hash_, 0)
        seen[hash_] = variant + 1
        if variant < VARIANTS:
            names.append(topic_with_hash(hash_, namespace, variant))
    return names


def draw_amount(draw: Draw, limit: int) -> float:
    """Traffic in tenths or sixteenths of a limit, often none, seldom far above."""
    if limit % 10 == 0 and draw.chance(0.3):
        part, parts = draw.integer(0, 22), 10
    else:
        part, parts = draw.pick(_SIXTEENTHS), 16
    return limit * part / parts if limit else float(part)


def draw_load(draw: Draw, name: str, limits: FlowLimits) -> TopicLoad:
    """A topic with traffic, in and out."""
    if draw.chance(0.1):
        return TopicLoad(name, reported=draw.chance(0.5))
    rate = draw_amount(draw, limits.max_msg_rate)
    throughput = 0.0
    if draw.chance(0.08):  # exactly the limit with its margin
        margin = 1 + limits.difference_percent / 100.0
        heavy = draw.chance(0.5)
        rate = 0.0 if heavy else limits.max_msg_rate * margin
        throughput = limits.max_bandwidth_mbytes * MEBIBYTE * margin if heavy else 0.0
    elif draw.chance(0.5):
        throughput = draw_amount(draw, limits.max_bandwidth_mbytes * MEBIBYTE)
    if draw.chance(0.3):
        return TopicLoad(name, rate / 2, rate / 2, throughput / 2, throughput / 2)
    return TopicLoad(name, rate, 0.0, 0.0, throughput)


def just_above_the_margin(
    draw: Draw, names: Sequence[str], limits: FlowLimits
) -> tuple[TopicLoad, ...]:
    """Two busy topics that are together at a limit with its margin or above it, but not with a
    larger one: a subject that uses the default instead of the setting does not cut.
    """
    percent = limits.difference_percent + draw.pick((0, 0.5, 5, 20, 60))
    rate, throughput = limits.max_msg_rate * (1 + percent / 100), 0.0
    if draw.chance(0.5):
        rate, throughput = 0.0, limits.max_throughput * (1 + percent / 100)
    share = draw.pick((2, 4))
    shares = {names[0]: 1 / share, names[-1]: 1 - 1 / share}
    return tuple(
        TopicLoad(name, rate * part, throughput_out=throughput * part)
        for name in names
        for part in (shares.get(name, 0.0),)
    )


def draw_limits(draw: Draw) -> FlowLimits:
    """FlowLimits as in the documents' examples, and at the edges of 32 bits."""
    return FlowLimits(draw.pick(_RATES), draw.pick(_MEGABYTES), draw.pick(_PERCENTS))


def draw_positions(draw: Draw, bundle: HashRange, most: int, least: int = 0) -> tuple[int, ...]:
    """Positions inside the bundle, at its ends, outside it, and given twice."""
    positions: list[int] = []
    for _ in draw.items(most, 0.5, least):
        sort = draw.integer(0, 9)
        if sort == 8:
            positions.append(draw.pick((bundle.lower, bundle.upper, -1, 2**32)))
        elif sort == 9:
            positions.append(draw_hash(draw, (bundle.lower, bundle.upper)))
        else:
            position = draw_hash_in(draw, bundle, positions)
            positions.append(max(min(position, bundle.upper - 1), bundle.lower + 1))
    return tuple(positions)


def many_topics_trial(draw: Draw) -> PositionsTrial:
    """Two to 40 topics anywhere in a bundle of all hashes. Each has more than half of the traffic
    that a part may have, or is not reported; two or three together are within some margins.
    """
    algorithm = draw.pick((SplitAlgorithm.FLOW, SplitAlgorithm.FLOW, SplitAlgorithm.TOPIC_COUNT))
    few = algorithm is SplitAlgorithm.FLOW and draw.chance(0.5)
    hashes = {
        draw.integer(0, TOP_HASH) for _ in draw.items(3 if few else 40, 0.95, 2 if few else 11)
    }
    names = [topic_with_hash(hash_, NAMESPACES[0], 0) for hash_ in sorted(hashes)]
    bundle = HashRange(0, TOP_HASH)
    if algorithm is SplitAlgorithm.TOPIC_COUNT:
        topics = tuple(TopicLoad(name) for name in names)
        return PositionsTrial(algorithm, bundle, topics, (), False, NO_LIMITS)
    limits = FlowLimits(1000, 100, draw.pick((0, 25, 50, 100, 1, 10)))
    topics = tuple(
        TopicLoad(
            name,
            draw.pick((600.0, 550.0, 300.0)),
            throughput_out=1000.0,
            reported=not draw.chance(0.25),
        )
        for name in names
    )
    return PositionsTrial(algorithm, bundle, topics, (), False, limits)


@seldom_large(0.012)
def positions_trial(draw: Draw, large: bool) -> PositionsTrial:
    """Every algorithm on every kind of bundle."""
    if large:
        return many_topics_trial(draw)
    algorithm = draw.pick(ALGORITHMS)
    bundle = draw_bundle(draw)
    if algorithm is SplitAlgorithm.RANGE:
        return PositionsTrial(algorithm, bundle, (), (), False, NO_LIMITS)
    namespace = draw.pick(NAMESPACES)
    if algorithm is SplitAlgorithm.SPECIFIED:
        names = draw_names(draw, bundle, namespace, 3)
        positions = draw_positions(draw, bundle, 4, 0 if draw.chance(0.15) else 1)
        topics = tuple(TopicLoad(name) for name in names)
        return PositionsTrial(algorithm, bundle, topics, positions, draw.chance(0.5), NO_LIMITS)
    names = draw_names(draw, bundle, namespace, 8)
    if algorithm is SplitAlgorithm.TOPIC_COUNT:
        topics = tuple(TopicLoad(name) for name in names)
        return PositionsTrial(algorithm, bundle, topics, (), False, NO_LIMITS)
    limits = draw_limits(draw)
    topics = tuple(draw_load(draw, name, limits) for name in names)
    if len(topics) > 1 and draw.chance(0.2):
        topics = just_above_the_margin(draw, names, limits)
    return PositionsTrial(algorithm, bundle, topics, (), False, limits)


def answer_positions(trial: PositionsTrial, edition: Edition) -> PositionsAnswer:
    """The positions at which the algorithm cuts."""
    algorithm = trial.algorithm
    if algorithm is SplitAlgorithm.RANGE:
        positions = algorithms.range_positions(trial.bundle, edition)
    elif algorithm is SplitAlgorithm.TOPIC_COUNT:
        hashes = [topic_hash(load.topic) for load in trial.topics]
        positions = algorithms.topic_count_positions(hashes, edition)
    elif algorithm is SplitAlgorithm.SPECIFIED:
        positions = algorithms.specified_positions(
            trial.bundle, len(trial.topics), trial.positions, trial.forced, edition
        )
    else:
        flows = [load.flow for load in trial.topics if load.reported]
        positions = algorithms.flow_positions(flows, len(trial.topics), trial.limits, edition)
    return PositionsAnswer(positions)


def positions_labels(trial: PositionsTrial) -> Iterator[str]:
    """Algorithm, number of topics, and properties of their hashes."""
    yield trial.algorithm.value
    if not has_room(trial.bundle):
        yield "too small to be cut"
    if trial.bundle.upper_included:
        yield "last bundle"
    if trial.algorithm in (SplitAlgorithm.TOPIC_COUNT, SplitAlgorithm.FLOW):
        hashes = sorted(topic_hash(load.topic) for load in trial.topics)
        yield f"{min(len(hashes), 2)}{' or more' if len(hashes) >= 2 else ''} topics"
        gaps = {right - left for left, right in pairwise(hashes)}
        if 0 in gaps:
            yield "colliding topics"
        if 1 in gaps:
            yield "neighbouring topics"
        if TOP_HASH in hashes:
            yield "topic with the last hash"


TOLERANCE: Final = tolerance_of(DOCUMENTED)

EXACT: Final = {
    SplitAlgorithm.RANGE: "SPL-4",
    SplitAlgorithm.TOPIC_COUNT: "SPL-7",
    SplitAlgorithm.SPECIFIED: "SPL-9",
    SplitAlgorithm.FLOW: "SPL-15",
}

BY_TOPICS: Final = (SplitAlgorithm.TOPIC_COUNT, SplitAlgorithm.FLOW)

Require = Callable[..., None]
"""`Run.require`, or the same for a rule that refers to these clauses (SPL-61)."""


@decision("splitting.positions", *(f"SPL-{number}" for number in range(2, 16)), "SPL-77")
def judge_positions(run: Run, case: Case[PositionsTrial, PositionsAnswer]) -> None:
    trial, observed = case.trial, case.observation
    exact = EXACT[trial.algorithm]
    if trial.algorithm is SplitAlgorithm.SPECIFIED and not trial.positions:
        uncut = isinstance(observed, Refused)
        uncut |= not is_must(exact, case.edition.name) and observed == PositionsAnswer(())
        run.require("SPL-10", uncut, lambda: f"no positions were given: {describe(observed)}")
    elif trial.algorithm in BY_TOPICS and len(trial.topics) < MIN_TOPICS:
        refused = isinstance(observed, Refused) and not is_must(exact, case.edition.name)
        uncut = observed == PositionsAnswer(()) or refused
        run.require("SPL-6", uncut, lambda: f"too few topics to divide: {describe(observed)}")
    elif is_must(exact, case.edition.name):
        if in_another_order(trial):
            taken = not isinstance(observed, Refused)
            run.require("SPL-77", taken, lambda: f"positions in any order: {describe(observed)}")
        require_equal(run, case, exact, what=f"{trial.algorithm} on {trial.bundle}")
    elif isinstance(observed, PositionsAnswer):
        judge_cuts(run.require, trial, sorted(observed.positions))
        if in_another_order(trial):
            run.require("SPL-77", True)
    elif isinstance(observed, Refused):
        judge_refusal(run, trial, observed)
    else:
        run.require(
            "SPL-2",
            False,
            lambda: (
                f"{trial.algorithm} must answer where it cuts {trial.bundle}, but the "
                f"subject {describe(observed)}"
            ),
            name_shape(observed),
        )


def judge_refusal(run: Run, trial: PositionsTrial, observed: Refused) -> None:
    """DOCUMENTED: check a refusal, which is right if nothing is to be cut."""
    specified = trial.algorithm is SplitAlgorithm.SPECIFIED
    if specified and not all_legal(trial.bundle, trial.positions):
        return
    if in_another_order(trial):
        run.require("SPL-77", False, lambda: f"positions in any order: {describe(observed)}")
        return

    def require(clause: str, holds: Ternary, why: Sentence = "", sort: str = "") -> None:
        run.require(
            clause, holds, lambda: f"{format_sentence(why)}: {describe(observed)}", "refused"
        )

    judge_cuts(require, trial, ())


def in_another_order(trial: PositionsTrial) -> bool:
    """SPL-77: whether the bundle is to be cut at legal positions that do not ascend."""
    specified = trial.algorithm is SplitAlgorithm.SPECIFIED and must_cut(trial)
    return specified and all_legal(trial.bundle, trial.positions) and not ascend(trial.positions)


def must_cut(trial: PositionsTrial) -> bool:
    """SPL-8: bundles with fewer than two topics may be left alone."""
    return trial.forced or len(trial.topics) >= MIN_TOPICS


def judge_cuts(require: Require, trial: PositionsTrial, cuts: Sequence[int]) -> None:
    """DOCUMENTED: require that the trial's algorithm may cut its bundle there; `cuts` ascend."""
    bundle = trial.bundle
    for cut in cuts:
        if not bundle.lower < cut < bundle.upper:
            outside = f"position {cut:#010x} does not lie inside {bundle}"
            require("SPL-2", False, outside, "outside")
    for left, right in pairwise(cuts):
        require("SPL-2", left < right, f"position {right:#010x} is answered twice", "repeated")
    if cuts or has_room(bundle):
        require("SPL-2", True)
    if trial.algorithm is SplitAlgorithm.RANGE:
        halves_of_the_range(require, trial, cuts)
    elif trial.algorithm is SplitAlgorithm.TOPIC_COUNT:
        halves_of_the_topics(require, trial, cuts)
    elif trial.algorithm is SplitAlgorithm.FLOW:
        parts_by_traffic(require, trial, cuts)
    elif must_cut(trial) and (cuts or all_legal(bundle, trial.positions)):
        expected = inside(bundle, trial.positions)
        require(
            "SPL-8",
            list(cuts) == expected,
            lambda: (
                f"of {display(trial.positions)} those inside {bundle} are {display(expected)}, "
                f"not {display(cuts)}"
            ),
        )


def halves_of_the_range(require: Require, trial: PositionsTrial, cuts: Sequence[int]) -> None:
    bundle = trial.bundle
    if not has_room(bundle):
        require(
            "SPL-3",
            not cuts,
            lambda: f"{bundle} is too small to be cut, but was at {display(cuts)}",
        )
        return
    once = len(cuts) == 1
    require(
        "SPL-3", once, lambda: f"{bundle} must be cut once, not {len(cuts)} times", "number of cuts"
    )
    if once:
        left, right = cuts[0] - bundle.lower, bundle.upper - cuts[0] + bundle.upper_included
        require(
            "SPL-3",
            abs(left - right) <= 2,
            lambda: f"{bundle} cut at {cuts[0]:#010x} has parts of {left} and {right} hashes",
        )


def halves_of_the_topics(require: Require, trial: PositionsTrial, cuts: Sequence[int]) -> None:
    hashes = sorted(topic_hash(load.topic) for load in trial.topics)
    half = len(hashes) // 2
    halves = {half, len(hashes) - half}
    if half == 0 or any(hashes[n - 1] >= min(hashes[n], TOP_HASH - 1) for n in halves):
        return
    once = len(cuts) == 1
    require("SPL-5", once, lambda: f"{len(hashes)} topics need one cut, not {len(cuts)}", "cuts")
    if once:
        left = sum(hash_ < cuts[0] for hash_ in hashes)
        require(
            "SPL-5",
            left in halves,
            lambda: f"a cut at {cuts[0]:#010x} leaves {left} of {len(hashes)} topics to its left",
        )


# ------------------------------------------------------------------------------ by traffic


class Unit(NamedTuple):
    """Busy topics that no cut can separate: the lowest hash, and the traffic of each."""

    hash: int
    rates: tuple[float, ...]
    throughputs: tuple[float, ...]

    def gathering(self, other: Unit) -> Unit:
        """Both together."""
        lowest = min(self.hash, other.hash)
        return Unit(lowest, self.rates + other.rates, self.throughputs + other.throughputs)


def traffic_of(load: TopicLoad) -> tuple[float, float]:
    """A topic's message rate and throughput."""
    if not load.reported:
        return 0.0, 0.0
    return load.msg_rate_in + load.msg_rate_out, load.throughput_in + load.throughput_out


def units_of(topics: Sequence[TopicLoad]) -> list[Unit]:
    """The units, ascending; topics with one of the last two hashes stay together (SPL-2)."""
    merged: dict[int, Unit] = {}
    for load in topics:
        rate, throughput = traffic_of(load)
        if rate > 0 or throughput > 0:
            unit = Unit(topic_hash(load.topic), (rate,), (throughput,))
            key = min(unit.hash, TOP_HASH - 1)
            merged[key] = merged[key].gathering(unit) if key in merged else unit
    return [merged[key] for key in sorted(merged)]


def total(values: Sequence[float]) -> Approx:
    """A sum; of numbers of few digits it is exact in any order of adding."""
    value = math.fsum(values)
    if len(values) == 1 or (value < 2**42 and all((one * 1024).is_integer() for one in values)):
        return Approx(value)
    return TOLERANCE.as_traffic(value)


def exceeds(unit: Unit, limits: FlowLimits, margin: int = 0) -> Ternary:
    """Whether the traffic of these topics exceeds a limit, by `margin` percent."""
    rate, throughput = limits.max_msg_rate, limits.max_bandwidth_mbytes * MEBIBYTE
    if not margin:
        bounds = Approx(rate), Approx(throughput)
    else:
        factor, near = 1 + margin / 100, TOLERANCE.as_traffic
        bounds = near(rate * factor), near(throughput * factor)
    return either(total(unit.rates).above(bounds[0]), total(unit.throughputs).above(bounds[1]))


def parts_by_traffic(require: Require, trial: PositionsTrial, cuts: Sequence[int]) -> None:
    """SPL-11 to SPL-14: check the cuts in the order of the hashes."""
    units, limits = units_of(trial.topics), trial.limits
    if len(units) > 1 and exceeds(reduce(Unit.gathering, units), limits, limits.difference_percent):
        heavy = f"{trial.bundle} carries too much, but is not cut"
        require("SPL-11", bool(cuts), heavy, "no cut")
    if not cuts:
        return
    idle = [topic_hash(load.topic) for load in trial.topics if not any(traffic_of(load))]
    part: Unit | None = None
    for left, right in pairwise((None, *units, None)):
        low, high = left.hash if left else -1, right.hash if right else TOP_HASH + 1
        gap = Gap(
            [cut for cut in cuts if low < cut <= high],
            [hash_ for hash_ in idle if low < hash_ < high],
        )
        if part is None or right is None:
            judge_end(require, limits, part, right, gap)
            part = right
            continue
        part = judge_gap(require, limits, part, right, gap)
        if gap.cuts and not gap.idle:
            require(
                "SPL-14",
                is_half_way(gap.cuts[0], low, high),
                lambda at=gap.cuts[0], low=low, high=high: (
                    f"the cut between {low:#010x} and {high:#010x} lies half-way, not at {at:#010x}"
                ),
            )


def is_half_way(cut: int, low: int, high: int) -> bool:
    """By the formula of document 002, or by its results: hexadecimal digits read as decimal."""
    ways = [[cut, low, high]]
    texts = [f"{hash_:08x}" for hash_ in ways[0]]
    if all(map(str.isdecimal, texts)):
        ways.append([*map(int, texts)])
    return any(abs(2 * at - left - right) <= 1 for at, left, right in ways)


class Gap(NamedTuple):
    """Cuts and topics without traffic between two neighbouring units, or outside the outermost."""

    cuts: list[int]
    idle: list[int]


def judge_end(
    require: Require, limits: FlowLimits, part: Unit | None, right: Unit | None, gap: Gap
) -> None:
    """Check the cuts below all busy topics, or above them: a lone heavy one may be separated."""
    if not gap.cuts:
        return
    cut, unit = gap.cuts[0], part or right
    parted = unit is not None and any((hash_ >= cut) == (right is None) for hash_ in gap.idle)
    alone: Ternary = unit is not None and parted and exceeds(unit, limits)
    kept = both(len(gap.cuts) == 1, alone)
    require(
        "SPL-13",
        kept,
        lambda: f"a cut of {display(gap.cuts)} separates no busy topics",
        "needless cut",
    )


def judge_gap(require: Require, limits: FlowLimits, part: Unit, right: Unit, gap: Gap) -> Unit:
    """Check the cuts between a part and the next topics; return the part that these belong to.

    Two cuts are one too many, unless they leave topics without traffic between two that each exceed
    a limit alone.
    """
    together, here = part.gathering(right), gap.cuts
    over = exceeds(together, limits)
    if over:
        require(
            "SPL-12",
            bool(here),
            lambda: (
                f"the part up to {right.hash:#010x} gathers {len(together.rates)} topics with "
                f"{sum(together.rates)} msg/s and {sum(together.throughputs)} byte/s"
            ),
        )
    elif over is False:
        require("SPL-13", not here, lambda: f"no cut is needed at {display(here)}", "needless cut")
    if not here:
        return together
    single: Ternary = len(here) == 1
    if len(here) == 2 and any(here[0] <= hash_ < here[1] for hash_ in gap.idle):
        single = both(exceeds(part, limits), exceeds(right, limits))
    require("SPL-13", single, lambda: f"{display(here)} separate the same topics", "empty part")
    return right


POSITIONS: Final = Question(
    "splitting.positions",
    PositionsTrial,
    PositionsAnswer,
    positions_trial,
    answer_positions,
    positions_labels,
    one_decision=True,
    exempt=Exempt(world=r"bundle\.lower"),
)

QUESTIONS: Final = (POSITIONS,)
