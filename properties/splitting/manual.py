"""Splits requested by an operator (SPL-55 to SPL-70)."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from enum import StrEnum
from typing import Final

from evenkeel.properties.bundles.trial_parts import (
    NAMESPACES,
    draw_boundaries,
    draw_hash,
    require_boundaries,
)
from evenkeel.properties.names import require_ordinary_namespace, require_topic_of
from evenkeel.properties.splitting.applying import not_quite, target_alone
from evenkeel.properties.splitting.positions import (
    BY_TOPICS,
    PositionsTrial,
    TopicLoad,
    draw_limits,
    draw_load,
    draw_names,
    draw_positions,
    judge_cuts,
    just_above_the_margin,
    require_rates,
)
from evenkeel.properties.splitting.trial_parts import (
    all_legal,
    ascend,
    has_room,
    inside,
    is_bundle,
    span,
    spans,
    spans_between,
)
from evenkeel.reference.bundles.boundaries import bundles_of
from evenkeel.reference.bundles.ranges import TOP_HASH, HashRange, parse_range
from evenkeel.reference.bundles.topics import topic_hash
from evenkeel.reference.edition import Edition
from evenkeel.reference.java_text import is_blank
from evenkeel.reference.splitting import manual
from evenkeel.reference.splitting.algorithms import MIN_TOPICS, SplitAlgorithm
from evenkeel.reference.splitting.settings import FlowLimits
from evenkeel_engine.frame.errors import Breakage, Refusal
from evenkeel_engine.kit.approx import Ternary
from evenkeel_engine.kit.clause import Case, describe, name_shape
from evenkeel_engine.kit.draw import Draw
from evenkeel_engine.kit.formatting import display
from evenkeel_engine.kit.judge import decision, is_must, require_equal
from evenkeel_engine.kit.observations import Broke, Refused, Span
from evenkeel_engine.kit.question import Question
from evenkeel_engine.kit.run import Run, Sentence, format_sentence
from evenkeel_engine.kit.trial import (
    require_bounds,
    require_different,
    require_longs,
    require_number_of,
)


class Manager(StrEnum):
    """The two load managers, whose rules for splits differ."""

    MODULAR = "modular"
    EXTENSIBLE = "extensible"


@dataclass(frozen=True, slots=True)
class BundleHeat:
    """The leader's data about a bundle: long-term throughput (in plus out, bytes/s), topic
    count.
    """

    bundle: HashRange
    topics: int
    throughput: float

    def __post_init__(self) -> None:
        require_number_of("topics", self.topics)
        require_rates(self.throughput)


@dataclass(frozen=True, slots=True)
class ManualTrial:
    """`splitting.manual`: an operator requests a split of a bundle of one namespace, `tenant/name`,
    which is not a broker's heartbeat or SLA monitor.

    `selector` is a range name, `LARGEST` (of the most `topics`) or `HOT` (of the most `heat`, among
    bundles with topics by it). `algorithm` is the requested name (blank: the default). `topics` are
    the namespace's persistent topics in listing order; the hash of one is the CRC-32 of its
    complete name in UTF-8 (BUN-3): a subject that hashes otherwise skips this question. `heat` has
    each bundle once. `owned` says whether some broker owns the bundle at the time of the request.
    `positions` are for `specified_positions_divide` alone; other algorithms ignore them.
    """

    manager: Manager
    namespace: str
    boundaries: tuple[int, ...]
    selector: str
    algorithm: str
    default_algorithm: str = field(metadata={"wire": "defaultNamespaceBundleSplitAlgorithm"})
    supported: tuple[str, ...] = field(metadata={"wire": "supportedNamespaceBundleSplitAlgorithms"})
    positions: tuple[int, ...]
    unload: bool
    owned: bool
    topics: tuple[TopicLoad, ...]
    heat: tuple[BundleHeat, ...]
    limits: FlowLimits

    def __post_init__(self) -> None:
        require_ordinary_namespace("namespace", self.namespace)
        require_boundaries(self.boundaries)
        require_bounds(self.limits)
        require_longs("positions", self.positions)
        for place, topic in enumerate(self.topics):
            require_topic_of(f"topics[{place}].topic", topic.topic, self.namespace)
        require_different("topics", (topic.topic for topic in self.topics))
        require_different("heat", (entry.bundle for entry in self.heat))


@dataclass(frozen=True, slots=True)
class ManualAnswer:
    """All boundaries afterwards; the bundle that was split (null: nothing changed), and the
    children that the request itself unloads, in ascending order.
    """

    boundaries: tuple[int, ...]
    split: Span | None
    unloaded: tuple[Span, ...]


_ALL: Final = tuple(algorithm.value for algorithm in SplitAlgorithm)
_REQUESTED: Final = ("", *_ALL, *_ALL, "thirds", " ")
_DEFAULTS: Final = (*_ALL, SplitAlgorithm.FLOW.value, SplitAlgorithm.RANGE.value, "thirds")
_EVERYWHERE: Final = HashRange(0, TOP_HASH)
_BELOW_LAST: Final = HashRange(0, TOP_HASH - 1)


def draw_heat(draw: Draw, bundles: tuple[HashRange, ...]) -> tuple[BundleHeat, ...]:
    """The leader's data about the bundles, also of some without topics."""
    heat = []
    for bundle in bundles:
        if draw.chance(0.85):
            heat.append(BundleHeat(bundle, draw.pick((2, 1, 0)), float(draw.integer(0, 4) * 1000)))
    return tuple(heat)


def draw_selector(draw: Draw, target: HashRange, boundaries: tuple[int, ...]) -> str:
    """The bundle by range, by size, by heat, or a range that is no bundle."""
    sort = draw.integer(0, 10)
    if sort <= 4:
        return target.name
    if sort <= 6:
        return "LARGEST"
    if sort <= 8:
        return "HOT"
    other = not_quite(draw, target, boundaries)
    if draw.chance(0.7):
        return other.name
    return draw.pick((f"{target.name}0", "0xffffffff_0xffffffff", "0x0"))


def draw_supported(draw: Draw) -> tuple[str, ...]:
    """Mostly all algorithms; sometimes one is missing, sometimes there is one more."""
    if draw.chance(0.8):
        return _ALL
    missing = draw.pick(_ALL)
    return (*(name for name in _ALL if name != missing), "thirds")


def draw_partitions(draw: Draw, namespace: str) -> tuple[TopicLoad, ...]:
    """The partitions of one topic, each a topic of its own (BUN-4), and some other topics."""
    topic = f"persistent://{namespace}/topic"
    parts = tuple(TopicLoad(f"{topic}-partition-{part}") for part in range(draw.integer(2, 6)))
    return (*(TopicLoad(f"{topic}-{one}") for one in range(draw.integer(0, 3))), *parts)


def manual_trial(draw: Draw) -> ManualTrial:
    """Every selector, algorithm and manager; topics close to the boundaries."""
    manager = draw.pick((Manager.MODULAR, Manager.EXTENSIBLE))
    namespace = draw.pick(NAMESPACES)
    boundaries = draw_boundaries(draw, 3)
    bundles = bundles_of(boundaries)
    target = draw.pick(bundles)
    selector = draw_selector(draw, target, boundaries)
    limits = draw_limits(draw)
    if selector in ("LARGEST", "HOT") or draw.chance(0.3):
        area = _EVERYWHERE if draw.chance(0.2) else _BELOW_LAST
        names = draw_names(draw, area, namespace, 6, boundaries)
    else:
        names = draw_names(draw, target, namespace, 6)
    positions = draw_positions(draw, target, 3) if draw.chance(0.7) else (draw_hash(draw),)
    algorithm, default = draw.pick(_REQUESTED), draw.pick(_DEFAULTS)
    supported, unload, owned = draw_supported(draw), draw.chance(0.5), not draw.chance(0.2)
    topics = tuple(draw_load(draw, name, limits) for name in names)
    heat = draw_heat(draw, bundles)
    if (algorithm or default) == SplitAlgorithm.FLOW and len(names) > 1 and draw.chance(0.5):
        topics = just_above_the_margin(draw, names, limits)
    if selector == "LARGEST" and draw.chance(0.2):
        topics = draw_partitions(draw, namespace)
    return ManualTrial(
        manager=manager,
        namespace=namespace,
        boundaries=boundaries,
        selector=selector,
        algorithm=algorithm,
        default_algorithm=default,
        supported=supported,
        positions=positions,
        unload=unload,
        owned=owned,
        topics=topics,
        heat=heat,
        limits=limits,
    )


def request_of(trial: ManualTrial) -> manual.Request:
    """An operator's request."""
    return manual.Request(
        extensible=trial.manager is Manager.EXTENSIBLE,
        boundaries=trial.boundaries,
        selector=trial.selector,
        algorithm=trial.algorithm,
        default_algorithm=trial.default_algorithm,
        supported=trial.supported,
        positions=trial.positions,
        unload=trial.unload,
        owned=trial.owned,
        topics=tuple(
            manual.Topic(load.topic, topic_hash(load.topic), load.flow if load.reported else None)
            for load in trial.topics
        ),
        heat=tuple(manual.Heat(heat.bundle, heat.topics, heat.throughput) for heat in trial.heat),
        limits=trial.limits,
    )


def answer_manual(trial: ManualTrial, edition: Edition) -> ManualAnswer:
    """The result of the request."""
    outcome = manual.manual_split(request_of(trial), edition)
    return ManualAnswer(
        outcome.boundaries,
        None if outcome.split is None else span(outcome.split),
        spans(outcome.unloaded),
    )


def manual_labels(trial: ManualTrial) -> Iterator[str]:
    """Manager, selector and algorithm."""
    yield trial.manager.value
    yield trial.selector if trial.selector in ("LARGEST", "HOT") else "by range"
    yield trial.algorithm or "default algorithm"
    if not trial.owned:
        yield "not owned"


ManualCase = Case[ManualTrial, ManualAnswer]

CANONICAL: Final = re.compile("0x[0-9a-f]{8}_0x[0-9a-f]{8}")
"""The canonical form of ranges."""

SELECTED_BY: Final = {"LARGEST": "SPL-57", "HOT": "SPL-59"}
"""The clause by which a selector is resolved; a range: SPL-56."""


@decision(
    "splitting.manual", "SPL-6", *(f"SPL-{number}" for number in range(55, 71)), "SPL-77", "SPL-80"
)
def judge_manual(run: Run, case: ManualCase) -> None:
    trial, observed = case.trial, case.observation
    if fault := request_fault(trial):
        run.require("SPL-55", *is_refused(observed, fault))
        return
    exact = is_must("SPL-69", case.edition.name)
    if (targets := targets_of(trial, case.edition)) is None:
        require_equal(run, case, "SPL-69", what=trial.selector)
        return
    if not targets and trial.selector not in SELECTED_BY:
        why = f"{trial.selector} is no bundle of the namespace"
        run.require("SPL-56", *is_refused(observed, why))
        if (named := range_of(trial, case.edition)) is not None:
            target_alone(run, named, trial.boundaries, boundaries_after(trial, observed))
        return
    by_range = trial.selector not in SELECTED_BY and has_room(targets[0])
    halves = chosen_algorithm(trial) is SplitAlgorithm.RANGE and (exact or is_supported(trial))
    answered = isinstance(observed, ManualAnswer)
    if by_range and not trial.owned and halves and (exact or answered):
        run.require("SPL-63", answered, "an unowned bundle is taken and split")
    if exact:
        judge_exactly(run, case, targets)
    elif isinstance(observed, Broke):
        clause = "SPL-61" if targets else "SPL-62"
        run.require(clause, False, f"the split of {trial.selector} must not break", "broke")
        return
    if isinstance(observed, ManualAnswer) and observed.split is not None:
        judge_split(run, trial, observed, observed.split, targets, exact)
    elif not exact and targets and not may_select_nothing(trial):
        judge_silence(run, trial, observed, targets[run.pick(len(targets))])
    if isinstance(observed, ManualAnswer) and observed.split is None:
        target_alone(run, None, trial.boundaries, observed.boundaries)
        run.require(
            "SPL-62",
            observed.boundaries == trial.boundaries and not observed.unloaded,
            lambda: f"nothing was split, but the subject {describe(observed)}",
        )
        judge_rest(run, trial, observed, None)


def boundaries_after(trial: ManualTrial, observed: object) -> tuple[int, ...]:
    """All boundaries after the request; without an answer nothing has changed."""
    return observed.boundaries if isinstance(observed, ManualAnswer) else trial.boundaries


def is_refused(observed: object, why: str) -> tuple[bool, str, str]:
    """Whether the subject refused, and the sentence and kind of a violation if it did not."""
    sentence = f"{why}, but the subject {describe(observed)}"
    return isinstance(observed, Refused), sentence, f"{name_shape(observed)} instead of refused"


# ------------------------------------------------------------------------------ selection


def request_fault(trial: ManualTrial) -> str:
    """SPL-55: why the request itself is refused; empty if it is legal."""
    if not is_blank(trial.algorithm):
        if trial.algorithm not in trial.supported:
            return f"{trial.algorithm} is not supported"
        if trial.algorithm == SplitAlgorithm.SPECIFIED and not trial.positions:
            return "specified_positions_divide needs positions"
    return ""


def targets_of(trial: ManualTrial, edition: Edition) -> list[HashRange] | None:
    """The bundles that the selector may select; None if 4.0 fails to read it."""
    largest = largest_of(trial)
    if not largest and not is_must("SPL-69", edition.name):
        largest = ranges_of(trial)
    if trial.selector == "LARGEST":
        return largest
    if trial.selector == "HOT":
        hot = hottest_of(trial)
        return hot if trial.manager is Manager.MODULAR else [*hot, *largest]
    try:
        range_ = range_of(trial, edition)
    except Breakage:
        return None
    if range_ is not None and range_.lower == TOP_HASH and edition.last_hash_breaks:
        return None
    return [range_] if range_ is not None and is_bundle(trial.boundaries, range_) else []


def range_of(trial: ManualTrial, edition: Edition) -> HashRange | None:
    """The range that the selector names; None if it names none. Raises `Breakage`."""
    try:
        return HashRange(*parse_range(trial.selector, edition))
    except Refusal:
        return None


def ranges_of(trial: ManualTrial) -> list[HashRange]:
    return [HashRange(bundle.lower, bundle.upper) for bundle in spans_between(trial.boundaries)]


def largest_of(trial: ManualTrial) -> list[HashRange]:
    """SPL-57: the bundles with the most topics; none if there are no topics."""
    hashes = [topic_hash(load.topic) for load in trial.topics]
    counts = {bundle: sum(hash_ in bundle for hash_ in hashes) for bundle in ranges_of(trial)}
    most = max(counts.values())
    return [bundle for bundle, count in counts.items() if count == most > 0]


def hottest_of(trial: ManualTrial) -> list[HashRange]:
    """SPL-59: the bundles with the highest throughput among those with topics."""
    bundles = ranges_of(trial)
    known = [heat for heat in trial.heat if heat.topics > 0 and heat.bundle in bundles]
    most = max((heat.throughput for heat in known), default=0.0)
    return [heat.bundle for heat in known if heat.throughput == most]


def may_select_nothing(trial: ManualTrial) -> bool:
    """Whether the selector may be interpreted so that it selects no bundle: a range in another form
    than its canonical name, the largest without any topics, the hottest without any data on heat.
    """
    if trial.selector not in SELECTED_BY:
        return not CANONICAL.fullmatch(trial.selector)
    if trial.selector == "LARGEST":
        return not largest_of(trial)
    if trial.manager is Manager.MODULAR:
        return False
    return not (hottest_of(trial) and largest_of(trial))


# --------------------------------------------------------------------------------- cutting


def chosen_algorithm(trial: ManualTrial) -> SplitAlgorithm:
    """SPL-61: the requested algorithm, else the default, else `range_equally_divide`."""
    for name in (trial.algorithm, trial.default_algorithm):
        if name in list(SplitAlgorithm):
            return SplitAlgorithm(name)
    return SplitAlgorithm.RANGE


def judge_split(
    run: Run,
    trial: ManualTrial,
    observed: ManualAnswer,
    split: Span,
    targets: Sequence[HashRange],
    exact: bool,
) -> None:
    """Check that the right bundle was split, at the right places, and nothing else was changed."""
    selected = [target for target in targets if span(target) == split]
    named = " or ".join(map(str, targets)) or "nothing"
    clause = SELECTED_BY.get(trial.selector, "SPL-56")
    run.require(clause, bool(selected), lambda: f"{trial.selector} selects {named}, not {split}")
    cuts = tuple(sorted(set(observed.boundaries) - set(trial.boundaries)))
    if selected and not exact:
        run.require("SPL-61", bool(cuts), f"{split} is reported as split, but is not", "no cut")
        require_cuts(run, trial, selected[0], cuts)
        ascend = observed.boundaries == tuple(sorted({*observed.boundaries}))
        run.require("SPL-61", ascend, f"{observed.boundaries} do not ascend", "order")
    judge_rest(run, trial, observed, split)


def judge_rest(run: Run, trial: ManualTrial, observed: ManualAnswer, split: Span | None) -> None:
    """Check that nothing but this bundle was changed, and which bundles were unloaded."""
    after = spans_between(observed.boundaries)
    lost = sorted(set(trial.boundaries) - set(observed.boundaries))
    run.require("SPL-70", not lost, lambda: f"the boundaries {lost} were removed", "lost boundary")
    others = [bundle for bundle in spans_between(trial.boundaries) if bundle != split]
    changed = [str(bundle) for bundle in others if bundle not in after]
    also = f" as well as {split}" if split else ""
    run.require("SPL-70", not changed, lambda: f"{', '.join(changed)} changed{also}")
    children = tuple(
        b for b in after if split and split.lower <= b.lower and b.upper <= split.upper
    )
    expected = children if trial.unload else ()
    served = trial.owned or bool(observed.unloaded)  # what no broker serves needs no unload
    run.require(
        "SPL-64",
        observed.unloaded == (expected if served else ()),
        lambda: (
            f"unload {display(trial.unload)}: {len(expected)} children must be unloaded, "
            f"not {', '.join(map(str, observed.unloaded)) or 'none'}"
        ),
    )


def require_cuts(run: Run, trial: ManualTrial, target: HashRange, cuts: tuple[int, ...]) -> None:
    """SPL-61: require that the chosen algorithm may cut the target there (SPL-2 to SPL-14)."""

    def require(clause: str, holds: Ternary, why: Sentence = "", sort: str = "") -> None:
        run.require("SPL-61", holds, why, f"{clause} {sort}".strip())

    if has_too_few(trial, target):
        run.require("SPL-6", not cuts, f"{target} has too few topics to be parted")
    elif chosen_algorithm(trial) is SplitAlgorithm.SPECIFIED and not trial.positions:
        require("no positions", not cuts, "no positions were given")
    else:
        judge_cuts(require, positions_trial_of(trial, target), cuts)
        if is_disordered(trial, target):
            run.require("SPL-77", True)


def positions_trial_of(trial: ManualTrial, target: HashRange) -> PositionsTrial:
    """The trial of `splitting.positions` for the chosen algorithm."""
    topics = tuple(load for load in trial.topics if topic_hash(load.topic) in target)
    algorithm = chosen_algorithm(trial)
    return PositionsTrial(algorithm, target, topics, trial.positions, False, trial.limits)


def has_too_few(trial: ManualTrial, target: HashRange) -> bool:
    """SPL-6: whether the algorithm divides by topics, of which there are fewer than two."""
    asked = positions_trial_of(trial, target)
    return asked.algorithm in BY_TOPICS and len(asked.topics) < MIN_TOPICS


def is_disordered(trial: ManualTrial, target: HashRange) -> bool:
    """SPL-77: whether the bundle is cut at legal positions that do not ascend."""
    specified = chosen_algorithm(trial) is SplitAlgorithm.SPECIFIED
    return specified and all_legal(target, trial.positions) and not ascend(trial.positions)


# ------------------------------------------------------------------------ nothing was split


def judge_silence(run: Run, trial: ManualTrial, observed: object, target: HashRange) -> None:
    """Check that nothing had to be split: the algorithm need not cut, or may be refused."""
    if has_too_few(trial, target):
        run.require("SPL-6", True)
        return
    why = why_cut(trial, target)
    if not why or (isinstance(observed, Refused) and may_refuse(run, trial, target)):
        return
    hot = trial.selector == "HOT"
    if hot and not run.rule(True, so="SPL-59", why=f"HOT selects {target}"):
        return
    sentence = f"{trial.selector} must be split, but {describe(observed)}: {why}"
    run.require("SPL-61", False, sentence, f"{name_shape(observed)} without a split")


def why_cut(trial: ManualTrial, target: HashRange) -> str:
    """Why the chosen algorithm must cut the target; empty if it need not."""
    faults = []

    def require(clause: str, holds: Ternary, why: Sentence = "", sort: str = "") -> None:
        if holds is False:
            faults.append(format_sentence(why))

    asked = positions_trial_of(trial, target)
    if asked.algorithm is not SplitAlgorithm.SPECIFIED or trial.positions:
        judge_cuts(require, asked, ())
    return faults[0] if faults else ""


def may_refuse(run: Run, trial: ManualTrial, target: HashRange) -> bool:
    """Whether a legal request may be refused, by the documents or by a departure."""
    if not is_supported(trial):
        return True
    specified = chosen_algorithm(trial) is SplitAlgorithm.SPECIFIED
    if specified and not all_legal(target, trial.positions):
        return True
    departures = (
        ("SPL-55", bool(trial.algorithm) and is_blank(trial.algorithm), "a blank name is none"),
        ("SPL-63", not trial.owned, "an unowned bundle is taken and split"),
        ("SPL-77", is_disordered(trial, target), "positions may come in any order"),
    )
    return any(met and not run.rule(True, so=clause, why=why) for clause, met, why in departures)


def is_supported(trial: ManualTrial) -> bool:
    """Whether the requested or else the default algorithm exists and is supported."""
    name = trial.default_algorithm if is_blank(trial.algorithm) else trial.algorithm
    return name in list(SplitAlgorithm) and name in trial.supported


# ------------------------------------------------------------------------- as 4.0 does it


def judge_exactly(run: Run, case: ManualCase, targets: Sequence[HashRange]) -> None:
    """SPL-6, SPL-58, SPL-60, SPL-65 to SPL-69, SPL-77: check single parts of 4.0's answer, then all
    of it.
    """
    trial, observed, right = case.trial, case.observation, case.expected
    extensible = trial.manager is Manager.EXTENSIBLE
    reason = right.reason if isinstance(right, Refused | Broke) else ""
    why = f"must be {describe(right)}, but the subject {describe(observed)}"
    if trial.selector in SELECTED_BY and (len(targets) > 1 or reason == "PastLastBundle"):
        clause = "SPL-58" if trial.selector == "LARGEST" else "SPL-60"
        run.require(clause, same_target(observed, right), f"{trial.selector} {why}")
    is_split = isinstance(right, ManualAnswer) and right.split is not None
    for target in targets if len(targets) == 1 else ():
        if is_split and is_disordered(trial, target):
            taken = not isinstance(observed, Refused)
            run.require("SPL-77", taken, f"positions in any order: {why}")
        elif not is_split and has_too_few(trial, target):
            cut = isinstance(observed, ManualAnswer) and observed.split is not None
            run.require("SPL-6", not cut, f"{target} has too few topics to be parted: {why}")
    if nothing_to_cut(trial, targets):
        run.require(
            "SPL-65", name_shape(observed) == name_shape(right), f"no position to cut at: {why}"
        )
    if reason == "OneCutOnly":
        several = "several positions under the extensible manager"
        run.require("SPL-66", isinstance(observed, Refused), f"{several}: {why}")
    if reason == "WrongOptions":
        run.require("SPL-67", isinstance(observed, Broke), f"another default than flow: {why}")
    if extensible and trial.unload and is_split and isinstance(observed, ManualAnswer):
        unloaded = observed.unloaded
        run.require("SPL-68", not unloaded, f"nothing is unloaded, not {unloaded}")
    require_equal(run, case, "SPL-69", what=f"split of {trial.selector}")


def same_target(observed: object, right: object) -> bool:
    """Whether the same bundle was split as by the reference, or both broke."""
    if isinstance(right, Broke):
        return isinstance(observed, Broke)
    if not isinstance(right, ManualAnswer) or not isinstance(observed, ManualAnswer):
        return True
    return observed.split == right.split or None in (observed.split, right.split)


def nothing_to_cut(trial: ManualTrial, targets: Sequence[HashRange]) -> bool:
    """Whether none of the specified positions lies inside the bundle by range."""
    by_range = trial.selector not in SELECTED_BY
    return (
        by_range
        and trial.algorithm == SplitAlgorithm.SPECIFIED
        and not inside(targets[0], trial.positions)
    )


MANUAL: Final = Question(
    "splitting.manual", ManualTrial, ManualAnswer, manual_trial, answer_manual, manual_labels
)

QUESTIONS: Final = (MANUAL,)
