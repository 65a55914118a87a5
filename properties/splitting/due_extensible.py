"""Which of its bundles a broker of the extensible manager splits (SPL-41 to SPL-54)."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from operator import attrgetter
from typing import Final, NamedTuple

from evenkeel.properties.splitting import due_parts as parts
from evenkeel.properties.splitting.trial_parts import inside, spans
from evenkeel.reference.bundles.ranges import TOP_HASH, HashRange
from evenkeel.reference.edition import Edition
from evenkeel.reference.splitting import due
from evenkeel.reference.splitting.algorithms import middle
from evenkeel.reference.splitting.due import BundleName, Reason
from evenkeel.reference.splitting.settings import SplitRules
from evenkeel_engine.kit.approx import Ternary
from evenkeel_engine.kit.clause import Case, describe
from evenkeel_engine.kit.draw import Draw, seldom_large, seldom_repeated
from evenkeel_engine.kit.exempt import Exempt
from evenkeel_engine.kit.formatting import display
from evenkeel_engine.kit.judge import is_must, rounds
from evenkeel_engine.kit.observations import Span
from evenkeel_engine.kit.question import Question
from evenkeel_engine.kit.run import Program, Run, fill
from evenkeel_engine.kit.trial import require_bounds, require_longs


@dataclass(frozen=True, slots=True)
class OwnLoad:
    """A broker's data about one bundle: its load, whether the broker owns it, and where it would
    cut.

    `positions` is the result of the default split algorithm for the bundle (empty: none).
    """

    load: parts.BundleLoad
    owned: bool
    positions: tuple[int, ...]

    def __post_init__(self) -> None:
        require_longs("positions", self.positions)


@dataclass(frozen=True, slots=True)
class ExtensibleCycle:
    """One split cycle of one broker; `splitting` names all bundles that are in state Splitting."""

    loads: tuple[OwnLoad, ...]
    counts: tuple[parts.NamespaceCount, ...]
    splitting: tuple[str, ...]

    def __post_init__(self) -> None:
        parts.require_counted(tuple(("", own.load.bundle) for own in self.loads), self.counts)


@dataclass(frozen=True, slots=True)
class ExtensibleDueTrial:
    """`splitting.due_extensible`: which of its bundles does a broker split, cycle after cycle?

    Cycles above different thresholds may count together, or each threshold by itself (SPL-43).
    """

    config: SplitRules
    cycles: tuple[ExtensibleCycle, ...]

    def __post_init__(self) -> None:
        require_bounds(self.config)


@dataclass(frozen=True, slots=True)
class SplitDecision:
    """One decision: the bundle, why, and the ranges of its children in ascending order."""

    bundle: str
    reason: Reason
    children: tuple[Span, ...]


@dataclass(frozen=True, slots=True)
class CycleDecisions:
    """The decisions of one cycle, in any order; `broke` says why the cycle was aborted, or null."""

    decisions: tuple[SplitDecision, ...]
    broke: str | None


@dataclass(frozen=True, slots=True)
class ExtensibleDueAnswer:
    """One entry for each cycle of the trial."""

    cycles: tuple[CycleDecisions, ...]


def draw_positions(draw: Draw, range_: HashRange) -> tuple[int, ...]:
    """Positions of an algorithm: mostly the middle, sometimes none or illegal ones."""
    lower, upper = range_.lower, range_.upper
    half = middle(lower, upper)
    if upper == TOP_HASH and draw.chance(0.3):
        return (TOP_HASH,)
    if not draw.chance(0.35):
        return (half,)
    quarter = middle(lower, half)
    return draw.pick(
        (
            (),
            (quarter, half),
            (quarter, half, middle(half, upper)),
            (lower,),
            (upper,),
            (half, half),
            (lower, half),
            (lower + 1,),
        )
    )


@seldom_repeated("cycles")
@seldom_large(0.012)
def extensible_trial(draw: Draw, large: bool) -> ExtensibleDueTrial:
    """One to seven cycles; in a large one many bundles are due, in some others all."""
    config = parts.draw_config(draw)
    bundles = parts.draw_many(draw) if large else parts.draw_bundles(draw, 4)
    crowded = not large and draw.chance(0.1)
    if large or crowded:
        config = parts.with_many_due(draw, config)
    base = {bundle: own_load(draw, bundle, config) for bundle in bundles}
    if crowded:
        base = {bundle: cut_twice(own) for bundle, own in base.items()}
    if large:
        first = draw.pick((0, 0, 11, 13))
        base = {
            bundle: busy(draw, own) if place >= first else idle(own)
            for place, (bundle, own) in enumerate(base.items())
        }
    counts = dict.fromkeys(parts.NAMESPACES, 20) if large else {}
    cycles = []
    for _ in draw.items(7, 0.75, least=1):
        loads = []
        for bundle, own in base.items():
            change = draw.integer(0, 9)
            if change <= 6:
                loads.append(own)
            elif change == 7:
                loads.append(OwnLoad(own.load, False, own.positions))
            elif change == 8:
                loads.append(own_load(draw, bundle, config))
        splitting = draw_splitting(draw, bundles) if draw.chance(0.2) else ()
        counted = parts.draw_counts(draw, [] if large else bundles, config, counts)
        cycles.append(ExtensibleCycle(tuple(loads), counted, splitting))
    return ExtensibleDueTrial(config, tuple(cycles))


def busy(draw: Draw, own: OwnLoad) -> OwnLoad:
    """The same bundle, mostly with more topics than fit, and where it is to be cut."""
    if draw.chance(0.1):
        return own
    range_ = parts.bundle_name(own.load.bundle).range
    return OwnLoad(replace(own.load, topics=100), True, (middle(range_.lower, range_.upper),))


def cut_twice(own: OwnLoad) -> OwnLoad:
    """The same bundle with more topics than fit, to be cut into three."""
    range_ = parts.bundle_name(own.load.bundle).range
    half = middle(range_.lower, range_.upper)
    return OwnLoad(replace(own.load, topics=100), True, (middle(range_.lower, half), half))


def idle(own: OwnLoad) -> OwnLoad:
    """The same bundle without load."""
    calm = parts.BundleLoad(own.load.bundle, own.load.broker, 2, 0, 0, 0.0, 0.0, 0.0, 0.0)
    return replace(own, load=calm)


def own_load(draw: Draw, bundle: str, config: SplitRules) -> OwnLoad:
    """The broker's data about a bundle, which it mostly owns."""
    load = parts.draw_load(draw, bundle, parts.BROKERS[0], config)
    positions = draw_positions(draw, parts.bundle_name(bundle).range)
    return OwnLoad(load, not draw.chance(0.07), positions)


def draw_splitting(draw: Draw, bundles: list[str]) -> tuple[str, ...]:
    """Bundles in state Splitting: reported ones, and parents of reported ones."""
    pool = (*bundles, *parts.PARENT_BUNDLES) if draw.chance(0.5) else tuple(bundles)
    return tuple(draw.sample(pool, 2))


def answer_extensible(trial: ExtensibleDueTrial, edition: Edition) -> ExtensibleDueAnswer:
    """The decisions of each cycle."""
    if not due.broker_decides(trial.config.split_enabled):
        return ExtensibleDueAnswer((CycleDecisions((), None),) * len(trial.cycles))
    hits: due.Hits = {}
    cycles = []
    for cycle in trial.cycles:
        hits, decisions, abortion = cycle_of(hits, cycle, trial.config, edition)
        cycles.append(CycleDecisions(decisions, None if abortion is None else str(abortion)))
    return ExtensibleDueAnswer(tuple(cycles))


def cycle_of(
    hits: due.Hits, cycle: ExtensibleCycle, rules: SplitRules, edition: Edition
) -> tuple[due.Hits, tuple[SplitDecision, ...], due.CycleAborted | None]:
    """One cycle: hit counts afterwards, decisions, and why it was aborted."""
    after, decisions, abortion = due.extensible_cycle(
        hits,
        [due.Candidate(parts.load_of(own.load), own.owned, own.positions) for own in cycle.loads],
        parts.counts_of(cycle.counts),
        [parts.bundle_name(text) for text in cycle.splitting],
        rules,
        edition,
    )
    stated = tuple(
        SplitDecision(str(decision.bundle), decision.reason, spans(decision.children))
        for decision in decisions
    )
    return after, stated, abortion


def extensible_labels(trial: ExtensibleDueTrial) -> Iterator[str]:
    """The length of the trial, and what prevents splits."""
    if not trial.config.split_enabled:
        yield "switched off"
    if any(cycle.splitting for cycle in trial.cycles):
        yield "bundles in state Splitting"
    if any(len(own.positions) > 1 for cycle in trial.cycles for own in cycle.loads):
        yield "several positions"
    enough = len(trial.cycles) > trial.config.hit_count_threshold
    yield "enough cycles" if enough else "too few cycles"


def judge_exactly(
    run: Run, trial: ExtensibleDueTrial, place: int, got: CycleDecisions, want: CycleDecisions
) -> bool:
    """Whether the cycle is that of 4.0; if not, a clause that says so is violated."""
    same = (got.broke is None) == (want.broke is None) and (
        got.decisions == want.decisions
        or sorted(got.decisions, key=by_bundle) == sorted(want.decisions, key=by_bundle)
    )
    fault = "" if same else clause_of_difference(trial, place, got, want)

    def why() -> str:
        return f"cycle {place + 1}: {display(got)}; must be {display(want)}"

    for clause in telling(trial, place, want):
        run.require(clause, clause != fault, why)
    if fault:
        run.require(fault, False, why)
    if trial.cycles[place].loads:
        run.require("SPL-48", same, why)
    return same


by_bundle = attrgetter("bundle")


def hot(own: OwnLoad, config: SplitRules, wraps: bool = True) -> bool:
    """Whether the broker may split the bundle, and it exceeds a threshold."""
    return (
        own.owned
        and parts.can_be_due(own.load)
        and bool(parts.exceeded_by(own.load, config, wraps))
    )


def guarded_by_prefix(own: OwnLoad, cycle: ExtensibleCycle) -> bool:
    """Whether a bundle of a namespace with a longer name, which shares an end, is being split."""
    name = parts.bundle_name(own.load.bundle)
    return any(
        text.startswith(name.namespace)
        and other.namespace != name.namespace
        and (other.range.lower == name.range.lower or other.range.upper == name.range.upper)
        for text, other in ((text, parts.bundle_name(text)) for text in cycle.splitting)
    )


def cuts_last_hash(children: Sequence[Span]) -> bool:
    return children[-1:] == (Span(TOP_HASH, TOP_HASH, True),)


def had_gap(bundle: str, config: SplitRules, earlier: Sequence[ExtensibleCycle]) -> bool:
    """Whether the bundle was hot, and could not be split by its broker later."""
    was_hot = False
    for cycle in earlier:
        for own in cycle.loads:
            if own.load.bundle == bundle:
                gap = not (own.owned and parts.can_be_due(own.load))
                if gap and was_hot:
                    return True
                was_hot = was_hot or hot(own, config)
    return False


def telling(trial: ExtensibleDueTrial, place: int, want: CycleDecisions) -> Iterator[str]:
    """The clauses without which the cycle would have other decisions."""
    cycle, config = trial.cycles[place], trial.config
    if want.decisions and config.max_splits_per_cycle <= 0:
        yield "SPL-51"
    if want.broke is not None:
        yield "SPL-53"
    if any(decision.reason is Reason.UNKNOWN for decision in want.decisions):
        yield "SPL-71"
    if any(cuts_last_hash(decision.children) for decision in want.decisions):
        yield "SPL-54"
    for own in cycle.loads:
        is_hot = hot(own, config)
        if config.max_bandwidth_mbytes >= 2048 and is_hot != hot(own, config, wraps=False):
            yield "SPL-38"
        if not is_hot:
            continue
        if len(own.positions) > 1:
            yield "SPL-52"
        if cycle.splitting and guarded_by_prefix(own, cycle):
            yield "SPL-50"
        if place > 1 and had_gap(own.load.bundle, config, trial.cycles[:place]):
            yield "SPL-49"


def clause_of_difference(
    trial: ExtensibleDueTrial, place: int, got: CycleDecisions, want: CycleDecisions
) -> str:
    """The clause that concerns the first differing bundle; empty if it is SPL-48 alone."""
    cycle, config = trial.cycles[place], trial.config
    if (got.broke is None) != (want.broke is None):
        return "SPL-53"
    decided = {decision.bundle: decision for decision in got.decisions}
    expected = {decision.bundle: decision for decision in want.decisions}
    for own in cycle.loads:
        bundle = own.load.bundle
        one, right = decided.get(bundle), expected.get(bundle)
        if one == right:
            continue
        if any(said is not None and cuts_last_hash(said.children) for said in (one, right)):
            return "SPL-54"
        if Reason.UNKNOWN in {said.reason for said in (one, right) if said is not None}:
            return "SPL-71"
        if one is not None and right is not None:
            return ""
        if right is not None and config.max_splits_per_cycle <= 0:
            return "SPL-51"
        if hot(own, config) != hot(own, config, wraps=False):
            return "SPL-38"
        if one is not None and len(own.positions) > 1:
            return "SPL-52"
        if one is not None and guarded_by_prefix(own, cycle):
            return "SPL-50"
        return "SPL-49" if had_gap(bundle, config, trial.cycles[:place]) else ""
    return ""


ExtensibleCase = Case[ExtensibleDueTrial, ExtensibleDueAnswer]


class Hits(NamedTuple):
    """The number of cycles in a row in which a bundle met a condition, at most `high`; `rows`: the
    same of each threshold by itself that it certainly exceeds, at least.
    """

    rows: tuple[tuple[Reason, int], ...] = ()
    high: int = 0

    @property
    def low(self) -> int:
        """The cycles that count for certain: those of one threshold."""
        return max((count for _, count in self.rows), default=0)

    def after(self, bundle: Bundle, counted: bool) -> Hits:
        """The hits after one more cycle, which need not be `counted`."""
        known, certain = dict(self.rows), [r for r, above in bundle.reasons.items() if above]
        rows = tuple((reason, known.get(reason, 0) + counted) for reason in certain)
        return Hits(rows, self.high + 1)


NO_HITS: Final = Hits()

State = tuple[tuple[str, Hits], ...] | None
"""The hit counts; None: a cycle was not that of 4.0, and the following ones are not judged."""


class Bundle(NamedTuple):
    """A reported bundle; `able`: this broker may split it; `reasons`: thresholds it exceeds, or may
    exceed (None); `hot`: it is able and certainly exceeds one; `bad`: no algorithm answers its
    positions (SPL-2).
    """

    own: OwnLoad
    name: BundleName
    able: bool
    reasons: dict[Reason, Ternary]
    hot: bool
    bad: bool


def see_bundle(own: OwnLoad, config: SplitRules) -> Bundle:
    name = parts.bundle_name(own.load.bundle)
    able, reasons = (
        own.owned and parts.can_be_due(own.load),
        parts.above_in_documents(own.load, config),
    )
    bad = inside(name.range, own.positions) != list(own.positions)
    return Bundle(own, name, able, reasons, able and True in reasons.values(), bad)


class Cycle:
    """One cycle and its decisions."""

    def __init__(
        self, config: SplitRules, cycle: ExtensibleCycle, observed: CycleDecisions
    ) -> None:
        self.config = config
        self.bundles = [see_bundle(own, config) for own in cycle.loads]
        self.splitting = [parts.bundle_name(text) for text in cycle.splitting]
        self.decided = {decision.bundle: decision for decision in observed.decisions}
        self.lost = observed.broke is not None
        # A broker may stop after a decision, even with fewer splits than the cap allows, and until
        # a split of its own is done (SPL-43).
        own = {own.load.bundle for own in cycle.loads if own.owned}
        busy = bool(self.decided) or not own.isdisjoint(cycle.splitting)
        self.unseen = self.lost or busy or config.max_splits_per_cycle <= 0
        # The number of bundles that each namespace may still get after the decisions.
        self.left = {count.namespace: config.max_bundles - count.bundles for count in cycle.counts}
        # The bundles that may have exceeded a threshold in this or an earlier cycle.
        self.exceeding: set[str] = set()
        self.skipped = {namespace for namespace, left in self.left.items() if left <= 0}
        for name, decision in self.decided.items():
            namespace = name.rpartition("/")[0]
            self.left[namespace] = self.left.get(namespace, 0) - (len(decision.children) - 1)

    def is_blocked(self, bundle: BundleName) -> bool:
        """SPL-45: whether a bundle of the namespace that shares an end with this one splits."""
        return any(
            other.namespace == bundle.namespace
            and (other.range.lower == bundle.range.lower or other.range.upper == bundle.range.upper)
            for other in self.splitting
        )

    def is_overlapped(self, bundle: BundleName) -> bool:
        """Whether a bundle that overlaps this one is being split."""
        return any(
            other.namespace == bundle.namespace
            and other.range.lower < bundle.range.upper
            and bundle.range.lower < other.range.upper
            for other in self.splitting
        )


@rounds(
    "splitting.due_extensible",
    "SPL-31",
    "SPL-33",
    "SPL-36",
    "SPL-38",
    *(f"SPL-{number}" for number in (*range(40, 55), 71, 76, 78, 81, 84)),
)
def judge_due_extensible(case: ExtensibleCase) -> Program:
    trial, observed = case.trial, case.observation
    config = trial.config
    if not isinstance(observed, ExtensibleDueAnswer) or len(observed.cycles) != len(trial.cycles):
        return Program(None, 1, lambda run, place, state: no_answer(run, case))
    exact = is_must("SPL-48", case.edition.name)
    exceeding = [
        {own.load.bundle for own in cycle.loads if parts.above_in_documents(own.load, config)}
        for cycle in trial.cycles
    ]

    def step(run: Run, place: int, state: State) -> State:
        said = observed.cycles[place]
        cycle = Cycle(config, trial.cycles[place], said)
        cycle.exceeding = set().union(*exceeding[: place + 1])
        if not config.split_enabled:
            if said.decisions or any(bundle.hot for bundle in cycle.bundles):
                run.require(
                    "SPL-31",
                    not said.decisions,
                    lambda: f"{display(said.decisions)} although splits are switched off",
                )
            ends(run, cycle, said, "SPL-53" if exact else "SPL-47")
            return state
        if place + 1 < config.hit_count_threshold:
            why = fill("cycle {} splits, and {} are needed", place + 1, config.hit_count_threshold)
            run.require("SPL-84", not said.decisions, why)
        judge_decisions(run, cycle, said)
        if not exact:
            return judge_cycle(run, cycle, said, dict(state or ()))
        right = case.expected
        if state is None or not isinstance(right, ExtensibleDueAnswer):
            return None
        return state if judge_exactly(run, trial, place, said, right.cycles[place]) else None

    return Program((), len(trial.cycles), step)


def ends(run: Run, cycle: Cycle, observed: CycleDecisions, clause: str) -> None:
    """Require that the cycle ends without a failure."""
    if cycle.lost or any(bundle.bad for bundle in cycle.bundles):
        run.require(clause, not cycle.lost, f"the cycle was lost: {observed.broke}", "lost cycle")


def no_answer(run: Run, case: ExtensibleCase) -> None:
    expected, observed = len(case.trial.cycles), describe(case.observation)
    run.require("SPL-31", False, f"{expected} cycles must be answered, but {observed}", "no answer")


def judge_decisions(run: Run, cycle: Cycle, observed: CycleDecisions) -> None:
    """Check the rules of a cycle that all editions have."""
    names = [decision.bundle for decision in observed.decisions]
    reported = {bundle.own.load.bundle for bundle in cycle.bundles} if names else set()
    for name in cycle.decided:
        once = name in reported and names.count(name) == 1
        run.require("SPL-40", once, f"{name} is decided twice, or was not reported")
    for bundle in cycle.bundles:
        name = bundle.own.load.bundle
        if not bundle.own.owned:
            run.require("SPL-76", name not in cycle.decided, f"{name} is not the broker's own")
        elif not bundle.able:
            sentence = f"{name} has too few topics, or no room for a cut"
            run.require("SPL-33", name not in cycle.decided, sentence)
        elif cycle.splitting and cycle.is_blocked(bundle.name):
            sentence = f"{name} has an end of one of {list(map(str, cycle.splitting))}"
            run.require("SPL-45", name not in cycle.decided, sentence)
    for namespace, left in cycle.left.items():
        if left <= 0:
            gaining = any(name.rpartition("/")[0] == namespace for name in names)
            if gaining or any(bundle.name.namespace == namespace for bundle in cycle.bundles):
                sentence = f"{namespace} gets {-left} bundles too many"
                if namespace in cycle.skipped:
                    run.require("SPL-36", not gaining, sentence)
                else:
                    run.require("SPL-78", left == 0, sentence)


# ----------------------------------------------------------------------------- documented


def judge_cycle(
    run: Run, cycle: Cycle, observed: CycleDecisions, hits: dict[str, Hits]
) -> tuple[tuple[str, Hits], ...]:
    """Check a cycle by the documents; return the hit counts afterwards."""
    run.note("hits before the cycle, from and to: {}", hits)
    ends(run, cycle, observed, "SPL-47")
    cap = cycle.config.max_splits_per_cycle
    hot = sum(bundle.hot for bundle in cycle.bundles)
    if cap >= 0 and max(hot, len(cycle.decided)) > cap:
        sentence = f"{len(cycle.decided)} decisions in one cycle, at most {cap}"
        run.require("SPL-44", len(cycle.decided) <= cap, sentence)
    after = []
    for bundle in cycle.bundles:
        name = bundle.own.load.bundle
        before = hits.get(name, NO_HITS)
        decision = cycle.decided.get(name)
        judged = (
            judge_silence(run, cycle, bundle, before)
            if decision is None
            else judge_decision(run, cycle, bundle, decision, before)
        )
        after.append((name, judged))
    return tuple(after)


def judge_decision(
    run: Run, cycle: Cycle, bundle: Bundle, decision: SplitDecision, before: Hits
) -> Hits:
    """Check that a bundle that is split has met a condition for long enough."""
    name, threshold, reasons = bundle.name, cycle.config.hit_count_threshold, bundle.reasons
    sentence = f"{name} is split for {decision.reason}, but exceeds {sorted(reasons)}"
    run.require("SPL-41", decision.reason in reasons, sentence)
    exceeded = decision.bundle in cycle.exceeding
    run.require("SPL-81", exceeded, f"{name} is split, but has exceeded no threshold so far")
    most = before.high + 1 if reasons else 0
    if reasons:
        sentence = f"{name} met a condition {most} times in a row at most, not {threshold + 1}"
        run.require("SPL-42", most > threshold, sentence)
    if before.after(bundle, counted=True).low > threshold:
        run.require("SPL-43", True)
    judge_children(run, cycle, bundle, decision.children)
    return Hits(high=most)


def judge_children(run: Run, cycle: Cycle, bundle: Bundle, children: tuple[Span, ...]) -> None:
    """SPL-46: check that the children are those of the positions."""
    name = bundle.name
    expected = inside(name.range, bundle.own.positions)
    cuts = [child.lower for child in children[1:]]
    tile = (
        len(children) > 1
        and children[0].lower == name.range.lower
        and (children[-1].upper, children[-1].upper_included)
        == (name.range.upper, name.range.upper_included)
        and cuts == [child.upper for child in children[:-1]]
        and not any(child.upper_included for child in children[:-1])
    )
    legal = tile and set(cuts) <= set(expected) and cuts == sorted(set(cuts))
    made = ", ".join(map(str, children))
    run.require("SPL-46", legal, lambda: f"{name} is cut into {made}, not at {expected}")
    complete = cuts == expected or cycle.left[name.namespace] <= 0 or bundle.bad
    run.require(
        "SPL-46",
        complete,
        lambda: f"{name} is cut at {display(cuts)} only, although there is room for {expected}",
    )


def judge_silence(run: Run, cycle: Cycle, bundle: Bundle, before: Hits) -> Hits:
    """Check that a bundle that is not split is prevented from it, or needs more hits."""
    name, threshold = bundle.name, cycle.config.hit_count_threshold
    if not bundle.hot:
        if bundle.able and bundle.reasons:
            return Hits(high=before.high + 1)
        if bundle.able:
            run.require("SPL-41", True)
            if bundle.own.load.bundle not in cycle.exceeding:
                run.require("SPL-81", True)
        return Hits(high=before.high if cycle.unseen else 0)
    expected = len(inside(name.range, bundle.own.positions))
    stopped = (cycle.splitting and cycle.is_overlapped(name)) or cycle.left[name.namespace] < max(
        expected, 1
    )
    if stopped:
        return Hits(high=before.high + 1)
    after = before.after(bundle, counted=not cycle.unseen)
    if expected and not bundle.bad and not cycle.unseen:
        if after.low > threshold:
            sentence = f"{name} met a condition {after.low} times in a row and is not split"
            run.require("SPL-43", False, sentence)
        elif before.high < threshold:
            run.require("SPL-42", True)
    return after


DUE_EXTENSIBLE: Final = Question(
    "splitting.due_extensible",
    ExtensibleDueTrial,
    ExtensibleDueAnswer,
    extensible_trial,
    answer_extensible,
    extensible_labels,
    parts="cycles",
    exempt=Exempt(
        unmet={r"BundleLoad\.broker: one begins another": "a broker looks at what it serves itself"}
    ),
)

QUESTIONS: Final = (DUE_EXTENSIBLE,)
