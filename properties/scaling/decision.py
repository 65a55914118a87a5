"""One evaluation: what is split or merged, if anything (SCA-13 to SCA-34)."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import pairwise
from typing import Annotated, Final

from evenkeel.properties.scaling import trial_parts as parts
from evenkeel.properties.scaling.layout import change_layout
from evenkeel.properties.tolerance import DOUBLE
from evenkeel.reference.edition import Edition
from evenkeel.reference.scaling import buckets, deciding, layout
from evenkeel.reference.scaling.settings import LIMIT, BucketRules, Rates, ScaleRules
from evenkeel_engine.frame.replacing import replace
from evenkeel_engine.kit.approx import add_in_order
from evenkeel_engine.kit.clause import Case, in_full, name_shape
from evenkeel_engine.kit.draw import Draw, seldom_large
from evenkeel_engine.kit.exempt import Exempt
from evenkeel_engine.kit.judge import decision, is_must
from evenkeel_engine.kit.observations import Broke, Refused
from evenkeel_engine.kit.question import Question
from evenkeel_engine.kit.run import Run, fill
from evenkeel_engine.kit.trial import (
    Within,
    require,
    require_bounds,
    require_different,
    require_number_of,
)

MOST_MILLIS: Final = 10**15
Millis = Annotated[int, Within(0, MOST_MILLIS)]


PAIR: Final = {
    "max_segments": "min_segments",
    **{f"split_{one}": f"merge_{one}" for one in ("msg_in", "bytes_in", "msg_out", "bytes_out")},
}
"""Settings of which the first must not be below the second."""


def require_rules(config: ScaleRules) -> None:
    """Settings that a controller accepts: else it does nothing."""
    require_bounds(config)
    require(not contradiction(config), "config", f"must not have {contradiction(config)}")


def contradiction(config: ScaleRules) -> str:
    """Which of the settings, each in its bounds, contradict one another; empty if none do."""
    if config.min_segments > config.max_segments:
        return "a minimum above its maximum"
    pairs = zip(config.split_above, config.merge_below, strict=True)
    above = all(split > merge for split, merge in pairs)
    return "" if above else "a threshold for splits that is not above that for merges"


@dataclass(frozen=True, slots=True)
class SegmentReport:
    """What was last written about a live segment, and when (ms)."""

    segment: int
    rates: Rates
    written: int

    def __post_init__(self) -> None:
        require(0 <= self.written <= MOST_MILLIS, "written", f"must be 0 to {MOST_MILLIS}")
        for rate in self.rates.each:
            require(LIMIT[0] <= rate <= LIMIT[1], "rates", f"must be 0 to {LIMIT[1]:.0f}")


@dataclass(frozen=True, slots=True)
class EntryBuckets:
    """The entry buckets of a topic.

    `counts` are those of the live segments, by hash; further ones have one. `sharing` says of each
    subscription whether its consumers can share a segment; further ones cannot. `last_rebucket` is
    in ms; null: buckets were never added.
    """

    config: BucketRules
    counts: tuple[parts.Bucketed, ...] = ()
    sharing: tuple[bool, ...] = ()
    last_rebucket: Millis | None = None

    def __post_init__(self) -> None:
        require_bounds(self.config)
        parts.require_buckets("counts", self.counts)
        millis = self.last_rebucket or 0
        require(0 <= millis <= MOST_MILLIS, "last_rebucket", f"must be 0 to {MOST_MILLIS}")

    def sharing_of(self, consumers: Sequence[int]) -> Iterator[int]:
        """How many consumers each subscription has whose consumers can share a segment."""
        return (count for count, can in zip(consumers, self.sharing, strict=False) if can)


@dataclass(frozen=True, slots=True)
class DecisionTrial:
    """`scaling.decision`: one evaluation of a topic.

    The layout is what `history` makes of a new topic with `count` segments, as in `scaling.layout`,
    all numbered by SCA-9, in answers, too; the hashes are divided as in `scaling.loop`. `config` is
    what counts for the topic; it may contradict itself (SCA-86) once an inherited setting has
    changed. `consumers` are the numbers of consumers of each stream subscription. `now`,
    `last_split` and `last_merge` are in ms; null: there was none. Only 5.0.1 looks at `entry`;
    null: each segment has one entry bucket and can have no more, and no rate is too low for a
    split.

    An evaluation takes one action at most, a split before a merge (PIP-483). If a subscription has
    more consumers than there are live segments, the one with most messages in is split (SCA-20);
    otherwise of those above a threshold the most overloaded one (SCA-22). A merge is of the coldest
    pair by the rates of both together (SCA-28). What is higher, or lower, in all four rates is that
    for certain. A segment is cold since its last report, and has the depth of `scaling.layout`.
    """

    config: ScaleRules
    count: int
    history: tuple[parts.Command, ...]
    reports: tuple[SegmentReport, ...]
    consumers: tuple[int, ...]
    now: int
    last_split: int | None = None
    last_merge: int | None = None
    entry: EntryBuckets | None = None

    def __post_init__(self) -> None:
        require_bounds(self.config)
        parts.require_count("count", self.count)
        live = parts.history_of("history", self.count, self.history).live()
        for report in self.reports:
            require(report.segment in live, "reports", f"segment {report.segment} is not live")
        require_different("reports", (report.segment for report in self.reports))
        for count in self.consumers:
            require_number_of("consumers", count)
        for millis in (self.now, self.last_split or 0, self.last_merge or 0):
            require(0 <= millis <= MOST_MILLIS, "now", f"must be 0 to {MOST_MILLIS}")


@dataclass(frozen=True, slots=True)
class DecisionAnswer:
    """The segment that is split (null: none), or the two that are merged (empty: none), or those
    that get other entry buckets (empty: none), and how many they get.
    """

    split: int | None
    merge: tuple[int, ...]
    rebucket: tuple[int, ...] = ()
    buckets: int = 0

    @property
    def idle(self) -> bool:
        """Whether nothing is done."""
        return self.split is None and not self.merge and not self.rebucket


# ------------------------------------------------------------------------------- generator


_SHARES: Final = (0.0, 0.5, 1.0, 0.999, 1.001, 2.0)
_STEPS: Final = (0, 1, -1, 1000, -1000, 60_000)


def draw_rates(draw: Draw, rules: ScaleRules) -> Rates:
    """Around the thresholds; mostly cold, or two are together just at those for splits."""
    sort = draw.integer(0, 6)
    limits = rules.split_above if sort >= 5 else rules.merge_below
    shares = [draw.pick(_SHARES) if draw.chance(0.3) else 0.25 for _ in limits]
    if sort < 3:
        shares = [draw.pick((0.0, 0.25, 0.5))] * 4
    close = 2 * rules.merge_msg_in > rules.split_msg_in
    if sort == 6 or (close and sort >= 3):
        limits, shares = rules.split_above, [0.5] * 4
    if draw.chance(0.2):
        shares[draw.integer(0, 3)] = draw.real(0.0, 2.0)
    return Rates(*(limit * share for limit, share in zip(limits, shares, strict=True)))


def draw_rates_of(draw: Draw, rules: ScaleRules, segment: parts.Known) -> Rates:
    """As of any segment; one of a single hash often has most of the load, since one key has."""
    if segment.start == segment.end and draw.chance(0.5):
        return Rates(*(3 * limit for limit in rules.split_above))
    return draw_rates(draw, rules)


def draw_rules(draw: Draw, live: int, deepest: int) -> ScaleRules:
    """Settings close to what the layout has."""
    rules = ScaleRules()
    if draw.chance(0.5):
        rules = replace(rules, max_segments=max(1, draw.pick((live + 1, live, live - 1, live + 2))))
    if draw.chance(0.3):
        least = draw.pick((live, live - 1, live + 1))
        rules = replace(rules, min_segments=min(max(1, least), rules.max_segments))
    if draw.chance(0.5):
        rules = replace(rules, max_depth=max(0, deepest + draw.pick((0, 1, -1, 2))))
    if draw.chance(0.3):
        rules = replace(
            rules,
            split_cooldown=draw.pick((0, 1, 60)),
            merge_cooldown=draw.pick((0, 1, 300)),
            merge_window=draw.pick((0, 1, 300)),
        )
    if draw.chance(0.4):
        rules = draw_thresholds(draw, rules)
    return replace(rules, enabled=False) if draw.chance(0.03) else rules


def contradicting(draw: Draw, rules: ScaleRules) -> ScaleRules:
    """A pair of settings that contradict one another, or just do not."""
    high, low = draw.pick(tuple(PAIR.items()))
    if draw.chance(0.2) and high != "max_segments":
        rules = replace(rules, **{high: type(getattr(rules, high))(0)})
    least, value = int(low == "min_segments"), getattr(rules, high)
    return replace(rules, **{low: type(value)(max(least, value + draw.pick((0, 1, -1))))})


def draw_thresholds(draw: Draw, rules: ScaleRules) -> ScaleRules:
    """Other thresholds; those for merges from half of those for splits on, or 0."""
    if draw.chance(0.7):
        rules = scale_thresholds(draw, rules)
    share = draw.pick((0.5, 0.6, 0.75, 0.9, 0.0))
    for name in ("msg_in", "bytes_in", "msg_out", "bytes_out"):
        split = getattr(rules, f"split_{name}")
        rules = replace(rules, **{f"merge_{name}": type(split)(split * share)})
    return rules


def scale_thresholds(draw: Draw, rules: ScaleRules) -> ScaleRules:
    """Each pair of thresholds smaller or larger, so that another one is reached first."""
    for name in ("msg_in", "bytes_in", "msg_out", "bytes_out"):
        split, merge = getattr(rules, f"split_{name}"), getattr(rules, f"merge_{name}")
        kind, factor = type(split), draw.pick((1.0, 0.25, 4.0))
        both = {f"split_{name}": kind(split * factor), f"merge_{name}": kind(merge * factor)}
        rules = replace(rules, **both)
    return rules


def draw_last(draw: Draw, now: int, cooldown: int) -> int | None:
    """When it was done last: mostly not, or about one cool-down ago; seldom at the beginning."""
    if draw.chance(0.5):
        return None
    if draw.chance(0.02):
        return draw.integer(0, 1)
    return max(0, now - cooldown * 1000 + draw.pick(_STEPS))


@seldom_large()
def decision_trial(draw: Draw, large: bool) -> DecisionTrial:
    """A few segments, around every threshold; seldom many."""
    initial = draw.integer(20, 80) if large else parts.draw_count(draw)
    commands = parts.draw_history(draw, initial, 10)
    history = parts.History.of(initial)
    for command in commands:
        history.apply(command)
    live = history.live()
    depths = history.depths(every=draw.chance(0.5))
    rules = draw_rules(draw, len(live), max(depths[number] for number in live))
    now = 10_000_000
    reports = tuple(
        SegmentReport(
            number,
            draw_rates_of(draw, rules, history.segments[number]),
            draw_written(draw, now, rules),
        )
        for number in live
        if not draw.chance(0.07)
    )
    numbers = (0, len(live), len(live) + 1, len(live) - 1, 1, 2 * len(live) + 1)
    consumers = tuple(draw.pick(numbers) for _ in draw.items(3, 0.4))
    last_split = draw_last(draw, now, rules.split_cooldown)
    last_merge = draw_last(draw, now, rules.merge_cooldown)
    entry = draw_entry(draw, now, len(live)) if draw.chance(0.5) else None
    if draw.chance(0.05):
        reports = tuple(replace(one, rates=draw_alike(draw, rules)) for one in reports)
    if not large and draw.chance(0.005):
        return merged_pairwise(draw.pick((3, 2)))
    if draw.chance(0.05):
        rules = contradicting(draw, rules)
    return DecisionTrial(
        rules, initial, commands, reports, consumers, now, last_split, last_merge, entry
    )


def merged_pairwise(max_depth: int) -> DecisionTrial:
    """Idle halves of what came of four segments: on a line of ancestors are two merges, in all
    three. A threshold has a fraction, which in other trials is left to chance.
    """
    history = (parts.Merge(0, 1), parts.Merge(2, 3), parts.Merge(4, 5), parts.Split(6))
    reports = tuple(SegmentReport(number, Rates(), 0) for number in (7, 8))
    rules = replace(ScaleRules(), max_depth=max_depth, split_msg_out=50_000.5)
    return DecisionTrial(rules, 4, history, reports, (), 10_000_000)


def draw_alike(draw: Draw, rules: ScaleRules) -> Rates:
    """As large by all four thresholds: of two segments one is above the other throughout."""
    share = draw.pick((1.0, 1.25, 2.0, 0.5))
    return Rates(*(limit * share for limit in rules.split_above))


def draw_entry(draw: Draw, now: int, live: int) -> EntryBuckets:
    """Buckets of most segments, about as many as there are consumers, and about the maximum."""
    most = draw.pick((1024, 2, 4, 1, 3, 8))
    rules = BucketRules(most, draw.pick((1000.0, 0.0, 250.0, 10_000.0)), draw.pick((60, 0, 1)))
    counts = tuple(draw.pick((1, 2, 1, 4, most, 3)) for _ in range(live))
    if draw.chance(0.5):
        counts = counts[: draw.integer(0, 1)]
    sharing = tuple(draw.chance(0.8) for _ in range(3))
    return EntryBuckets(rules, counts, sharing, draw_last(draw, now, rules.rebucket_cooldown))


def draw_written(draw: Draw, now: int, rules: ScaleRules) -> int:
    """When a report was written: mostly long ago, else about one window ago."""
    if draw.chance(0.75):
        return 0
    return max(0, now - rules.merge_window * 1000 + draw.pick(_STEPS))


def snapshot_of(trial: DecisionTrial) -> deciding.Snapshot:
    """A trial as the reference sees it."""
    state = layout.initial(trial.count)
    for command in trial.history:
        state = change_layout(state, command)
    reports = {one.segment: deciding.Report(one.rates, one.written) for one in trial.reports}
    return deciding.Snapshot(
        state,
        reports,
        trial.consumers,
        trial.now,
        trial.last_split,
        trial.last_merge,
        buckets_of(trial.entry, trial.consumers, state),
    )


def buckets_of(
    entry: EntryBuckets | None, consumers: tuple[int, ...], state: layout.Layout
) -> buckets.Buckets:
    """A topic's entry buckets as the reference sees them."""
    if entry is None:
        return buckets.Buckets()
    counts = zip((one.number for one in state.live), entry.counts, strict=False)
    sharing = tuple(entry.sharing_of(consumers))
    return buckets.Buckets(entry.config, dict(counts), sharing, entry.last_rebucket)


def answer_decision(trial: DecisionTrial, edition: Edition) -> DecisionAnswer:
    """The reference's decision."""
    decided = deciding.decide(snapshot_of(trial), trial.config, edition)
    return DecisionAnswer(decided.split, decided.merge, decided.rebucket, decided.buckets)


def decision_labels(trial: DecisionTrial) -> Iterator[str]:
    """What could be due."""
    live = parts.history_of("history", trial.count, trial.history).live()
    if max(trial.consumers, default=0) > len(live):
        yield "more consumers than segments"
    if any(is_over(one.rates.each, trial.config) for one in trial.reports):
        yield "a segment above a threshold"
    if trial.history:
        yield "with ancestors"
    if trial.entry is not None:
        yield "with entry buckets"
    if contradiction(trial.config):
        yield "with settings that contradict themselves"


# ----------------------------------------------------------------------------------- judge


def is_over(rates: Sequence[float], config: ScaleRules) -> bool:
    """Whether one of the rates is above its threshold for splits."""
    return any(rate > limit for rate, limit in zip(rates, config.split_above, strict=True))


@dataclass(frozen=True, slots=True)
class SeenSegment:
    """A live segment as the judge sees it: how many hashes and merges it has, its rates, and the
    age of its report (ms; None: there is none).
    """

    number: int
    size: int
    depth: int
    rates: tuple[float, ...]
    age: int | None


Two = tuple[SeenSegment, SeenSegment]
Failing = tuple[str, str]
"""A clause that forbids an action, and why."""


Written = Mapping[int, tuple[tuple[float, ...], int]]
"""By segment: the rates that were written last, and how old that is (ms)."""


def seen_of(history: parts.History, reports: Written, edition: Edition) -> list[SeenSegment]:
    """The live segments, by hash."""
    depths = history.depths(edition.all_merges_counted)
    found = []
    for number in history.live():
        segment = history.segments[number]
        rates, age = reports.get(number, ((0.0,) * 4, None))
        found.append(
            SeenSegment(number, segment.end - segment.start + 1, depths[number], rates, age)
        )
    return found


RULES: Final = (*(f"SCA-{number}" for number in range(13, 35) if number != 30), "SCA-44")
"""The clauses about one evaluation, also of a topic over hours."""
BUCKETS: Final = tuple(f"SCA-{number}" for number in range(45, 49))
"""Those about its entry buckets."""


@decision("scaling.decision", *RULES, *BUCKETS)
def judge_decision(run: Run, case: Case[DecisionTrial, DecisionAnswer]) -> None:
    trial, observed = case.trial, case.observation
    if isinstance(observed, Refused | Broke):
        run.require(
            "SCA-14", False, fill("the evaluation {}", in_full(observed)), name_shape(observed)
        )
        return
    history = parts.history_of("history", trial.count, trial.history)
    reports = {one.segment: (one.rates.each, trial.now - one.written) for one in trial.reports}
    view = View(
        trial.config,
        case.edition,
        seen_of(history, reports, case.edition),
        trial.consumers,
        trial.now,
        trial.last_split,
        trial.last_merge,
        room_of(trial, history.live()) if case.edition.entry_buckets else NO_ROOM,
    )
    judge_evaluation(run, view, observed)


def judge_evaluation(run: Run, view: View, observed: DecisionAnswer) -> None:
    """One evaluation."""
    known = view.edition.entry_buckets or not observed.rebucket
    if not known or bool(observed.buckets) != bool(observed.rebucket):
        run.require("SCA-14", False, fill("entry buckets: {}", observed), "buckets")
    off = contradiction(view.config) if view.config.enabled else "switched off"
    if off:
        run.require("SCA-13", observed.idle, fill("{}, but {}", off, observed))
        return
    if view.edition.entry_buckets and adds_buckets(run, view, observed):
        return
    if is_blocked(run, view, observed):
        return
    split_due = judge_split(run, view, observed)
    if observed.split is not None:
        run.require("SCA-14", not observed.merge, "something is split, and something merged")
    else:
        judge_merge(run, view, observed, split_due)


@dataclass(frozen=True, slots=True)
class Room:
    """Entry buckets as the judge sees them: of which segments, of how many; the most consumers of a
    subscription that shares segments; the rate below which nothing is split for consumers; the last
    time, and the cool-down (s).
    """

    each: Mapping[int, int] = field(default_factory=dict)
    most: int = 1
    sharing: int = 0
    floor: float = 0.0
    last: int | None = None
    cooldown: int = 0

    def has(self, segments: Sequence[SeenSegment]) -> int:
        """The buckets of these segments."""
        return sum(self.each.get(one.number, 1) for one in segments)


NO_ROOM: Final = Room()


def room_of(trial: DecisionTrial, live: Sequence[int]) -> Room:
    """The entry buckets of a trial."""
    entry = trial.entry
    if entry is None:
        return NO_ROOM
    return Room(
        dict(zip(live, entry.counts, strict=False)),
        entry.config.max_buckets,
        max(entry.sharing_of(trial.consumers), default=0),
        entry.config.split_floor,
        entry.last_rebucket,
        entry.config.rebucket_cooldown,
    )


@dataclass(frozen=True, slots=True)
class View:
    """What a decision depends on, as the judge sees it. `live` is by hash."""

    config: ScaleRules
    edition: Edition
    live: list[SeenSegment]
    consumers: tuple[int, ...]
    now: int
    last_split: int | None
    last_merge: int | None
    room: Room = NO_ROOM

    @property
    def is_slow(self) -> bool:
        """Whether no segment has messages enough to be split for consumers."""
        return all(one.rates[0] < self.room.floor for one in self.live)

    @property
    def for_consumers(self) -> bool:
        """Whether consumers are what a segment is split for."""
        return self.required > len(self.live) and not self.is_slow

    @property
    def may_split(self) -> bool:
        """Whether neither the number of segments nor the last split forbids one."""
        below = len(self.live) < self.config.max_segments
        return below and not self.within(self.last_split, self.config.split_cooldown)

    @property
    def required(self) -> int:
        """The consumers of the subscription with most of them."""
        return max(self.consumers, default=0)

    def within(self, last: int | None, cooldown: int) -> bool:
        """Whether the last action is less than a cool-down (s) ago."""
        return last is not None and self.now < last + cooldown * 1000

    def share(self) -> float:
        """By which share a score may be off the best one."""
        return 0.0 if is_must("SCA-31", self.edition.name) else DOUBLE


# --------------------------------------------------------------------------- entry buckets


def adds_buckets(run: Run, view: View, observed: DecisionAnswer) -> bool:
    """Whether segments get more entry buckets, or should: then nothing else is done."""
    room, count = view.room, len(view.live)
    enough = next(1 << power for power in range(64) if (1 << power) * count >= room.sharing)
    requested = min(enough, room.most)
    fewer = [one.number for one in view.live if room.has([one]) < requested]
    why = fill("{} segments with {} buckets, {} can share", count, room.each, room.sharing)
    if clause := not_added(view, bool(fewer)):
        if view.required > count or observed.rebucket:
            run.require(clause, not observed.rebucket, why, "some")
        return bool(observed.rebucket)
    alone = observed.split is None and not observed.merge and bool(observed.rebucket)
    run.require("SCA-46", alone, why, "none")
    right = sorted(observed.rebucket) == sorted(fewer) and observed.buckets == requested
    run.require("SCA-48", right, fill("{}, not {} to {}", observed, requested, fewer), "target")
    return True


def not_added(view: View, any_fewer: bool) -> str:
    """The clause by which no segment gets more entry buckets; empty if one does."""
    room, count = view.room, len(view.live)
    stays = count >= view.config.max_segments or view.is_slow
    if view.required <= count or not stays or room.sharing <= room.has(view.live):
        return "SCA-46"
    if view.within(room.last, room.cooldown):
        return "SCA-47"
    return "" if any_fewer else "SCA-48"


# ----------------------------------------------------------------------------------- split


def judge_split(run: Run, view: View, observed: DecisionAnswer) -> bool:
    """Check what is split; return whether a split is due and allowed."""
    known = observed.split is None or observed.split in [one.number for one in view.live]
    run.require("SCA-21", known, f"segment {observed.split} is split, and is not live", "target")
    candidates = splittable(run, view)
    clause, due = due_of(view, candidates)
    failing: list[Failing] = []
    if len(view.live) >= view.config.max_segments:
        failing.append(("SCA-15", f"{len(view.live)} segments of {view.config.max_segments}"))
    if view.within(view.last_split, view.config.split_cooldown):
        failing.append(("SCA-17", f"the last split was at {view.last_split} ms"))
    if not due:
        failing.append((clause, f"{view.required} consumers, none is above a threshold"))
    if failing:
        if len(failing) == 1 or observed.split is not None:
            clause, why = failing[0]
            why = f"{why}, {len(view.live)} segments: segment {observed.split} is split"
            run.require(clause, observed.split is None, why, "some")
        return False
    sentence = f"{view.required} consumers, {len(view.live)} segments: {len(due)} of them are due"
    run.require(clause, observed.split is not None, sentence, "none")
    for found in view.live:
        if found.number == observed.split:
            judge_target(run, view, found, candidates, due)
    return True


def is_blocked(run: Run, view: View, observed: DecisionAnswer) -> bool:
    """Whether a segment of one hash is chosen, where that ends the evaluation."""
    if not (view.edition.single_hashes_block and view.may_split):
        return False
    best = best_of(view, view.live) if any(one.size == 1 for one in view.live) else []
    single = [one.number for one in best if one.size == 1]
    if not single:
        return False
    if not observed.idle and len(single) < len(best) and observed.split not in single:
        return False
    sentence = "{} has one hash, and is the one to be split: nothing is done, but {}"
    run.require("SCA-33", observed.idle, fill(sentence, single, observed), "blocks")
    return True


def splittable(run: Run, view: View) -> list[SeenSegment]:
    """Those that may be chosen: SCA-32 or SCA-33, where that makes a difference."""
    divisible = [one for one in view.live if one.size > 1]
    if divisible == view.live or best_of(view, divisible) == best_of(view, view.live):
        return divisible
    every = run.rule(view.edition.single_hashes_chosen, so="SCA-33", not_so="SCA-32")
    return view.live if every else divisible


def due_of(view: View, candidates: list[SeenSegment]) -> tuple[str, list[SeenSegment]]:
    """The segments that may be split, and the clause that demands it, or that none is."""
    if candidates and view.for_consumers:
        return "SCA-19", candidates
    hot = [one for one in candidates if is_over(one.rates, view.config)]
    if view.required > len(view.live) and view.is_slow and not hot:
        return "SCA-45", hot
    summed = sum(view.consumers) > len(view.live)
    return "SCA-19" if summed and not hot else "SCA-21", hot


def best_of(view: View, candidates: list[SeenSegment]) -> list[SeenSegment]:
    """Those that may be split, as exactly as the edition says."""
    due = due_of(view, candidates)[1]
    if not due:
        return []
    if view.for_consumers:
        most = max(one.rates[0] for one in due)
        return [one for one in due if one.rates[0] == most]
    least = max(score(one.rates, view.config) for one in due) * (1 - view.share())
    return [one for one in due if score(one.rates, view.config) >= least]


def judge_target(
    run: Run, view: View, found: SeenSegment, candidates: list[SeenSegment], due: list[SeenSegment]
) -> None:
    """Which segment is split."""
    best = best_of(view, candidates)
    if len(best) < len(view.live):
        sentence = fill("{} is split; the best are {}", found, best)
        if view.for_consumers:
            run.require("SCA-20", found in best, sentence)
            return
        run.require("SCA-21", found in due, sentence, "cold")
        worse = any(dominates(one.rates, found.rates) for one in due)
        if len(due) > 1:
            run.require("SCA-22", not worse, sentence)
            run.require("SCA-23", found in best, sentence)


def dominates(more: Sequence[float], less: Sequence[float]) -> bool:
    """Whether all four are larger."""
    return all(one > two for one, two in zip(more, less, strict=True))


def score(rates: Sequence[float], config: ScaleRules) -> float:
    """The largest ratio of a rate to its threshold."""
    return max(rate / limit for rate, limit in zip(rates, config.split_above, strict=True))


# ----------------------------------------------------------------------------------- merge


def judge_merge(run: Run, view: View, observed: DecisionAnswer, split_due: bool) -> None:
    """Whether a merge is due and allowed, and of which pair; a split that is due goes before."""
    buckets = view.room.has(view.live)
    possible: list[Two] = []
    merged: Two | None = None
    for pair in pairwise(view.live):
        chosen = sorted(observed.merge) == sorted(one.number for one in pair)
        merged = pair if chosen else merged
        failing = list(against(run, view, pair, buckets))
        if not failing:
            possible.append(pair)
        elif chosen or len({clause for clause, _ in failing}) == 1:
            clause, why = failing[0]
            run.require(clause, not chosen, fill("{} is merged: {}", pair, why), "merged")
    neighbours = merged is not None or not observed.merge
    run.require("SCA-24", neighbours, f"segments {observed.merge} are no neighbours", "pair")
    demanded = [pair for pair in possible if is_demanded(view, pair)]
    if demanded and not split_due:
        clause = "SCA-27" if any(lasts(view, pair) for pair in demanded) else "SCA-31"
        run.require(clause, merged is not None, f"{len(demanded)} pairs are cold", "none")
    if merged in possible:
        judge_coldest(run, view, merged, demanded if merged in demanded else possible)


def against(run: Run, view: View, pair: Two, buckets: int) -> Iterator[Failing]:
    """What forbids the merge of two neighbours; `buckets`: of all live segments."""
    config, used = view.config, min(view.required, buckets)
    left = buckets - max(0, view.room.has(pair) - view.room.most)
    if view.edition.entry_buckets and left < used:
        yield "SCA-44", f"{view.required} consumers, {left} buckets are left"
    if len(view.live) <= config.min_segments:
        yield "SCA-16", f"{len(view.live)} segments of at least {config.min_segments}"
    if view.within(view.last_merge, config.merge_cooldown):
        yield "SCA-18", f"the last merge was at {view.last_merge}"
    for one in pair:
        if any(rate >= most for rate, most in zip(one.rates, config.merge_below, strict=True)):
            yield "SCA-24", f"{one.number} is not cold"
        elif one.age is None:
            if run.rule(True, so="SCA-34"):
                yield "SCA-34", f"{one.number} has no report"
        elif one.age < config.merge_window * 1000:
            yield "SCA-25", f"the report of {one.number} is {one.age} ms old"
        if one.depth >= config.max_depth:
            yield "SCA-26", f"{one.number} has depth {one.depth}"


def is_demanded(view: View, pair: Two) -> bool:
    """Whether a pair that may be merged is one of those of which one must be."""
    free = view.edition.merges_ignore_consumers or view.edition.entry_buckets
    fits = view.required < len(view.live) or free
    return fits and (stays_below(view, pair) or view.edition.merges_ignore_sums)


def lasts(view: View, pair: Two) -> bool:
    """Whether nothing is to be split once the two are merged."""
    return view.required < len(view.live) and stays_below(view, pair)


def stays_below(view: View, pair: Two) -> bool:
    """Whether the rates of both together are above no threshold for splits."""
    together = [one + two for one, two in zip(pair[0].rates, pair[1].rates, strict=True)]
    return not is_over(together, view.config)


def judge_coldest(run: Run, view: View, merged: Two, others: list[Two]) -> None:
    """Whether no other pair is colder."""
    if len(others) < 2:
        return
    sums = [[one + two for one, two in zip(a.rates, b.rates, strict=True)] for a, b in others]
    own = sums[others.index(merged)]
    sentence = fill("{} is merged; the sums of pairs are {}", merged, sums)
    run.require("SCA-28", not any(dominates(own, other) for other in sums), sentence)
    least = min(warmth(pair) for pair in others) * (1 + view.share())
    run.require("SCA-29", warmth(merged) <= least, sentence)


def warmth(pair: Two) -> float:
    """All rates of both in one sum, each segment's first."""
    return add_in_order([add_in_order(pair[0].rates), add_in_order(pair[1].rates)])


UNREAD: Final = dict.fromkeys(
    ("max_buckets", "split_floor", "rebucket_cooldown"), "of entry buckets, which 5.0.1 alone has"
)

DECISION: Final = Question(
    "scaling.decision",
    DecisionTrial,
    DecisionAnswer,
    decision_trial,
    answer_decision,
    decision_labels,
    exempt=Exempt(
        unmet={
            r"ScaleRules\.\w+RateOut\w+: equal to scalableTopicMerge\w+RateIn\w+": (
                "thresholds for rates out and in are never compared"
            ),
            r"ScaleRules\.\w+Bytes\w+: 1": (
                "a threshold of one byte in a second decides as any other above 0"
            ),
        },
        unread=UNREAD,
        world=r"history.*|reports\[\]\.segment",
    ),
)

QUESTIONS: Final = (DECISION,)
