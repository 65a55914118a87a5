"""A topic over hours: whether it comes to rest, and at as many segments as it needs."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from functools import partial
from itertools import pairwise
from typing import Final

from evenkeel.properties.scaling import trial_parts as parts
from evenkeel.properties.scaling.decision import (
    BUCKETS,
    NO_ROOM,
    RULES,
    UNREAD,
    DecisionAnswer,
    Room,
    SeenSegment,
    View,
    is_over,
    judge_evaluation,
    require_rules,
    scale_thresholds,
    seen_of,
    stays_below,
)
from evenkeel.properties.scaling.report import is_at_threshold
from evenkeel.reference.edition import Edition
from evenkeel.reference.scaling import loop
from evenkeel.reference.scaling.layout import Budget
from evenkeel.reference.scaling.loop import MINUTE, Load, Phase, World
from evenkeel.reference.scaling.settings import BucketRules, ReportRules, ScaleRules
from evenkeel_engine.frame.replacing import replace
from evenkeel_engine.kit.clause import Case, Violation, in_full, name_shape
from evenkeel_engine.kit.draw import Draw
from evenkeel_engine.kit.exempt import Exempt
from evenkeel_engine.kit.judge import advisory_in, entries_of, findings_of, is_must, monitor
from evenkeel_engine.kit.observations import Broke, Refused
from evenkeel_engine.kit.question import Question
from evenkeel_engine.kit.run import MonitorRun, fill
from evenkeel_engine.kit.trial import require, require_bounds, require_number_of

MOST_MINUTES: Final = 2000
MOST_RATE: Final = 2.0**40
MOST_SEGMENTS: Final = 256
"""At the beginning: each minute looks at all of them."""


@dataclass(frozen=True, slots=True)
class LoopBuckets:
    """The entry buckets of a topic over hours: `budget` is what a new one has, `sharing` says of
    each subscription whether its consumers can share a segment; further ones cannot.
    """

    config: BucketRules
    budget: parts.Bucketed
    sharing: tuple[bool, ...] = ()

    def __post_init__(self) -> None:
        require_bounds(self.config)
        parts.require_buckets("budget", (self.budget,))

    def shared_by(self, consumers: tuple[int, ...]) -> int:
        """The most consumers of a subscription whose consumers can share a segment."""
        pairs = zip(consumers, self.sharing, strict=False)
        return max((count for count, can in pairs if can), default=0)


@dataclass(frozen=True, slots=True)
class LoopTrial:
    """`scaling.loop`: a topic from its creation with `count` segments on, evaluated each minute.

    Each of these has ⌊65536 / count⌋ hashes, the last one also what remains. Of an odd number of
    hashes, the lower half of a split has one more. Answers have the numbers of SCA-9.

    Within a phase nothing changes. A load of `rate` is `rate / 65536` msg/s for
    each hash from `start` to `end`; a segment's messages are the sum over the loads of that times
    the number of hashes it has of it, computed in doubles and in this order. Its bytes in are
    these times `message_bytes`, its messages out times `fan_out`, its bytes out times both.

    At minute m, from 0 on, at m · 60,000 ms: first another broker becomes the controller, if m is
    among `leaders`; then the owner of each live segment writes its rates as of `lag` ms before, if
    the segment was there and the rates have changed enough (SCA-35); then the topic is evaluated,
    with the consumers of this minute, and what was decided is done at once. If m is among
    `failing`, the evaluation cannot read what it needs, and fails. No segment is removed.

    A report has the rates of the phase of that earlier moment, and its age counts from there;
    before 0 ms there are none. A segment is there from the moment at which it is made. Another
    controller knows the layout, and when each segment was made.
    A segment is cold since its last report: a report of another cold rate begins the window again
    (SCA-25). PIP-483 promises that no topic is split and merged in turn: it comes to rest while
    load and consumers stay (SCA-43). So leave out a merge that a split would undo. Both together
    would be above a threshold for splits (SCA-39), or a subscription would have more consumers than
    there are segments (SCA-40). Decisions are those of `scaling.decision`.
    Only 5.0.1 looks at `entry`; null: as in `scaling.decision`.
    """

    config: ScaleRules
    reporting: ReportRules
    count: int
    phases: tuple[Phase, ...]
    message_bytes: int
    fan_out: int
    lag: int
    leaders: tuple[int, ...]
    entry: LoopBuckets | None = None
    failing: tuple[int, ...] = ()

    def __post_init__(self) -> None:
        require_rules(self.config)
        require_bounds(self.reporting)
        parts.require_count("count", self.count, MOST_SEGMENTS)
        require(0 <= self.lag < MINUTE, "lag", f"must be 0 to {MINUTE - 1}")
        require(0 <= self.message_bytes <= 2**20, "message_bytes", "must be 0 to 2^20")
        require(0 <= self.fan_out <= 1000, "fan_out", "must be 0 to 1000")
        for phase in self.phases:
            require(1 <= phase.minutes <= MOST_MINUTES, "minutes", f"must be 1 to {MOST_MINUTES}")
            for load in phase.loads:
                inside = 0 <= load.start <= load.end < parts.HASHES
                require(inside, "loads", "must lie in 0 to 65535")
                require(0.0 <= load.rate <= MOST_RATE, "loads", "must have a rate of 0 to 2^40")
            for count in phase.consumers:
                require_number_of("consumers", count)
        for minute in self.leaders:
            require_number_of("leaders", minute)
        for minute in self.failing:
            require_number_of("failing", minute)


@dataclass(frozen=True, slots=True)
class Acted:
    """What was decided in a minute: the segment to be split, or the two to be merged, or those that
    get other entry buckets, and how many.
    """

    minute: int
    split: int | None
    merge: tuple[int, ...]
    rebucket: tuple[int, ...] = ()
    buckets: int = 0


@dataclass(frozen=True, slots=True)
class LoopAnswer:
    """Everything that was decided, one entry for each minute in which something was."""

    actions: tuple[Acted, ...]


# ------------------------------------------------------------------------------- generator

_RATES: Final = (0.0, 1500.0, 500.0, 11_000.0, 30_000.0, 100.0)


def draw_phase(draw: Draw) -> Phase:
    """Load that is spread evenly, perhaps more on some hashes, perhaps a key that is very hot."""
    rate = draw.pick(_RATES) if draw.chance(0.8) else float(draw.integer(0, 60_000))
    loads = [Load(0, parts.HASHES - 1, rate)]
    if draw.chance(0.15):
        start = draw.integer(0, 7) * 8192
        loads.append(Load(start, start + draw.pick((8191, 1023)), rate * draw.pick((2, 8))))
    if draw.chance(0.1):
        key = draw.pick((0, 1, 40_000, parts.HASHES - 1))
        loads.append(Load(key, key, parts.HASHES * draw.pick((12_000.0, 30_000.0))))
    consumers = tuple(draw.pick((1, 2, 0, 3, 5)) for _ in draw.items(2, 0.4))
    return Phase(draw.pick((20, 10, 40, 60)), tuple(loads), consumers)


def draw_config(draw: Draw) -> ScaleRules:
    """Mostly defaults; thresholds closer to one another, shorter times, lower caps."""
    rules = ScaleRules()
    if draw.chance(0.3):
        merge = draw.pick((5000.0, 6000.0, 4999.0, 9000.0, 100.0))
        rules = replace(rules, merge_msg_in=merge, merge_bytes_in=int(merge) * 5000)
    if draw.chance(0.3):
        rules = scale_thresholds(draw, rules)
    if draw.chance(0.4):
        times = draw.pick(((0, 60, 60), (60, 60, 0), (0, 0, 0), (120, 300, 120)))
        rules = replace(
            rules, split_cooldown=times[0], merge_cooldown=times[1], merge_window=times[2]
        )
    if draw.chance(0.4):
        rules = replace(rules, max_depth=draw.pick((3, 1, 2, 0)))
    if draw.chance(0.3):
        rules = replace(rules, max_segments=draw.pick((4, 8, 2)))
    if draw.chance(0.2):
        rules = replace(rules, min_segments=min(2, rules.max_segments))
    return replace(rules, enabled=False) if draw.chance(0.02) else rules


def loop_trial(draw: Draw) -> LoopTrial:
    """Without entry buckets; else with a few."""
    plain = loop_trial_of(draw)
    if draw.chance(0.1):
        return swinging(draw, plain)
    if draw.chance(0.1):
        return replace(plain, failing=tuple(draw.integer(0, 15) for _ in draw.items(3, 0.4, 1)))
    if not draw.chance(0.3):
        return plain
    rules = BucketRules(
        draw.pick((1024, 2, 4)), draw.pick((1000.0, 250.0, 5000.0)), draw.pick((60, 1800, 0))
    )
    sharing = tuple(draw.chance(0.8) for _ in range(2))
    plain = replace(plain, entry=LoopBuckets(rules, draw.pick((4, 1, 2)), sharing))
    if not draw.chance(0.3):
        return plain
    leaders = range(9, 10 * len(plain.phases) - 1, 10) if draw.chance(0.4) else plain.leaders
    return replace(plain, phases=raise_consumers(plain.phases), leaders=tuple(leaders))


def swinging(draw: Draw, plain: LoopTrial) -> LoopTrial:
    """Load that comes and goes faster than merges, or splits, may follow one another."""
    rates = (30_000.0, 0.0) * 4
    phases = tuple(
        Phase(draw.pick((1, 2, 3)), (Load(0, parts.HASHES - 1, rate),), ()) for rate in rates
    )
    split, merge = draw.pick(((0, 300), (300, 0)))
    rules = replace(ScaleRules(), split_cooldown=split, merge_cooldown=merge, merge_window=0)
    return replace(plain, config=rules, count=1, phases=phases, leaders=(draw.integer(2, 12),))


def raise_consumers(phases: tuple[Phase, ...]) -> tuple[Phase, ...]:
    """More consumers in each phase, soon after the one before."""
    every = zip(phases, (2 * 3**place for place in range(len(phases))), strict=True)
    return tuple(replace(phase, minutes=10, consumers=(count,)) for phase, count in every)


def loop_trial_of(draw: Draw) -> LoopTrial:
    """Up to a few phases of some minutes each."""
    config = draw_config(draw)
    initial = draw.pick((1, 2, 8, 4))
    phases = tuple(draw_phase(draw) for _ in draw.items(4, 0.6, 1))
    total = sum(phase.minutes for phase in phases)
    reporting = ReportRules(draw.pick((0.25, 0.0, 1.0)) if draw.chance(0.2) else 0.25)
    message_bytes, fan_out = draw.pick((1000, 100, 10_000)), draw.pick((1, 0, 4))
    lag = draw.pick((10_000, 0, 59_999))
    changes = (min(total, 12) if draw.chance(0.8) else total for _ in draw.items(3, 0.3))
    leaders = tuple(sorted(draw.integer(0, last) for last in changes))  # mostly amid cooldowns
    if leaders and draw.chance(0.6):
        config = replace(config, split_cooldown=draw.pick((180, 240)))
    return LoopTrial(config, reporting, initial, phases, message_bytes, fan_out, lag, leaders)


def world_of(trial: LoopTrial) -> World:
    """What a trial says of its topic."""
    world = World(
        trial.config,
        trial.reporting,
        trial.count,
        trial.phases,
        trial.message_bytes,
        trial.fan_out,
        trial.lag,
        trial.leaders,
        trial.failing,
    )
    if entry := trial.entry:
        budget = Budget(entry.budget, entry.config.max_buckets)
        world = replace(world, budget=budget, bucketing=entry.config, sharing=entry.sharing)
    return world


def answer_loop(trial: LoopTrial, edition: Edition) -> LoopAnswer:
    """The reference's actions."""
    return LoopAnswer(tuple(map(show_action, loop.run(world_of(trial), edition))))


def show_action(action: loop.Action) -> Acted:
    """An action as an answer shows it."""
    done = action.decision
    return Acted(action.minute, done.split, done.merge, done.rebucket, done.buckets)


def loop_labels(trial: LoopTrial) -> Iterator[str]:
    """What happens."""
    if len(trial.phases) > 1:
        yield "several phases"
    if trial.leaders:
        yield "another controller"
    if trial.failing:
        yield "an evaluation fails"
    if any(load.start == load.end for phase in trial.phases for load in phase.loads):
        yield "a hot key"
    if any(phase.consumers for phase in trial.phases):
        yield "with consumers"
    if trial.entry:
        yield "with entry buckets"


# ----------------------------------------------------------------------------------- judge


def is_another(before: tuple[float, ...], now: tuple[float, ...], share: float) -> bool:
    """Whether an owner writes again."""
    pairs = zip(before, now, strict=True)
    return any(old != new and (old == 0 or abs(new - old) / old > share) for old, new in pairs)


@dataclass(slots=True)
class Watch:
    """A topic as the judge follows it: what was written of each segment and when, when each was
    made, the last split and merge, and what happened since the phase began.

    Since the phase began: `merged` came of a merge of segments of which the true rates were
    written, `fewest` is the least number of segments that a merge left, `layouts` were there.
    """

    trial: LoopTrial
    edition: Edition
    history: parts.History
    at_share: bool = False
    written: dict[int, tuple[tuple[float, ...], int]] = field(default_factory=dict)
    made: dict[int, int] = field(default_factory=dict)
    last_split: int | None = None
    last_merge: int | None = None
    last_rebucket: int | None = None
    since: int = 0
    merged: set[int] = field(default_factory=set)
    fewest: int | None = None
    layouts: set[frozenset[tuple[int, int]]] = field(default_factory=set)

    def rates(self, phase: Phase, segment: parts.Known) -> tuple[float, ...]:
        """The true rates of a segment."""
        messages = 0.0
        for load in phase.loads:
            first, last = max(load.start, segment.start), min(load.end, segment.end)
            if first <= last:
                messages += load.rate / parts.HASHES * (last - first + 1)
        trial = self.trial
        return (
            messages,
            messages * trial.message_bytes,
            messages * trial.fan_out,
            messages * trial.message_bytes * trial.fan_out,
        )

    def write(self, phase: Phase, at: int) -> None:
        """What owners write at a moment (ms)."""
        for number in self.history.live():
            if self.made.get(number, 0) <= at:
                rates = self.rates(phase, self.history.segments[number])
                before = self.written.get(number)
                share = self.trial.reporting.rate_change
                if (
                    before is None
                    or is_another(before[0], rates, share)
                    or (self.at_share and is_at_threshold(before[0], rates, share))
                ):
                    self.written[number] = rates, at

    def view(self, phase: Phase, now: int) -> View:
        """What an evaluation depends on."""
        reports = {number: (rates, now - at) for number, (rates, at) in self.written.items()}
        return View(
            self.trial.config,
            self.edition,
            seen_of(self.history, reports, self.edition),
            phase.consumers,
            now,
            self.last_split,
            self.last_merge,
            self.room(phase),
        )

    def room(self, phase: Phase) -> Room:
        """The entry buckets, where the edition has them."""
        entry = self.trial.entry
        if entry is None or not self.edition.entry_buckets:
            return NO_ROOM
        counts = {number: one.buckets for number, one in self.history.segments.items()}
        config, sharing = entry.config, entry.shared_by(phase.consumers)
        times = (self.last_rebucket, config.rebucket_cooldown)
        return Room(counts, config.max_buckets, sharing, config.split_floor, *times)

    def lacks_room(self, phase: Phase, view: View) -> bool:
        """Whether a subscription has more consumers than can read: a segment has one, or one for
        each entry bucket where they can share it.
        """
        entry = self.trial.entry
        sharing = entry.sharing if entry and self.edition.entry_buckets else ()
        for place, count in enumerate(phase.consumers):
            shares = place < len(sharing) and sharing[place]
            if count > (view.room.has(view.live) if shares else len(view.live)):
                return True
        return False

    def begin(self, minute: int) -> None:
        """A phase begins."""
        self.since, self.fewest = minute, None
        self.merged.clear()
        self.layouts.clear()

    def all_known(self, phase: Phase) -> bool:
        """Whether what is written is true of all live segments."""
        for number in self.history.live():
            rates, _ = self.written.get(number, (None, 0))
            if rates != self.rates(phase, self.history.segments[number]):
                return False
        return True

    def layout(self) -> frozenset[tuple[int, int]]:
        """The ranges of the live segments."""
        segments = self.history.segments
        return frozenset((segments[one].start, segments[one].end) for one in self.history.live())

    def take_over(self) -> None:
        """Another controller has the layout alone: splits have one parent, merges two; a parent
        with other buckets has one child.
        """
        segments, times = self.history.segments, dict[str, int]()
        for number, at in sorted(self.made.items()):
            parents = segments[number].parents
            if len(parents) == 2:
                times["merge"] = at
            else:
                alone = len(segments[parents[0]].children) == 1
                times["rebucket" if alone else "split"] = at
        self.last_split, self.last_merge = times.get("split"), times.get("merge")
        self.last_rebucket = times.get("rebucket")


OVER_HOURS: Final = (*(f"SCA-{number}" for number in range(37, 44)), "SCA-90")
advisory = advisory_in(entries_of((*RULES, *BUCKETS, *OVER_HOURS)))


@monitor("scaling.loop", *RULES, *BUCKETS, *OVER_HOURS)
def judge_loop(run: MonitorRun, case: Case[LoopTrial, LoopAnswer]) -> None:
    """Whether a change of just the threshold is written is left open (SCA-35): one of the two
    explains all minutes.
    """
    follow(run, case, at_share=False)
    if run.findings.violated and not is_must("SCA-31", case.edition.name):
        other = MonitorRun(run.disabled)
        follow(other, case, at_share=True)
        open_ = advisory(case.edition.name)  # fewest MUSTs, then fewest clauses
        ways = (run.findings, other.findings)
        run.findings = min(ways, key=lambda one: (len(one.violated - open_), len(one.violated)))


def follow(run: MonitorRun, case: Case[LoopTrial, LoopAnswer], at_share: bool) -> None:
    """Judge minute after minute; `at_share`: what has changed by just the threshold is written."""
    trial, observed = case.trial, case.observation
    if isinstance(observed, Refused | Broke):
        run.require("SCA-37", False, fill("the topic {}", in_full(observed)), name_shape(observed))
        return
    phases = [phase for phase in trial.phases for _ in range(phase.minutes)]
    minutes = [one.minute for one in observed.actions]
    ordered = minutes == sorted(set(minutes)) and set(minutes) <= set(range(len(phases)))
    if not ordered:
        run.require("SCA-14", False, fill("actions in the minutes {}", minutes), "order")
        return
    decisions = {
        one.minute: DecisionAnswer(one.split, one.merge, one.rebucket, one.buckets)
        for one in observed.actions
    }
    watch = Watch(trial, case.edition, history_of_new(trial, case.edition), at_share)
    begins = {0}
    for phase in trial.phases:
        begins.add(max(begins) + phase.minutes)
    for minute in range(len(phases)):
        if minute in begins:
            if minute:
                judge_end(run, watch, phases[minute - 1], minute)
            watch.begin(minute)
        decided = decisions.get(minute, DecisionAnswer(None, ()))
        if not is_about_live(watch.history, decided):
            run.require("SCA-21", False, fill("minute {}: {}", minute, decided), "not live")
            return
        if minute in trial.failing:
            sentence = fill("minute {}: {}, but the evaluation fails", minute, decided)
            run.require("SCA-90", minute not in decisions, sentence)
            if minute in decisions:
                return
        judge_minute(run, watch, phases, minute, decided)
    if phases:
        judge_end(run, watch, phases[-1], len(phases))


def history_of_new(trial: LoopTrial, edition: Edition) -> parts.History:
    """The layout of a new topic."""
    if trial.entry is None or not edition.entry_buckets:
        return parts.History.of(trial.count)
    return parts.History.of(trial.count, trial.entry.budget, trial.entry.config.max_buckets)


def is_about_live(history: parts.History, decided: DecisionAnswer) -> bool:
    """Whether the topic can be followed further: live segments, and neighbours, are named, and
    as many entry buckets as a segment can have.
    """
    named = {*decided.merge, *decided.rebucket}
    if decided.split is not None:
        named.add(decided.split)
    if not named.issubset(history.live()):
        return False
    if decided.rebucket and not 1 <= decided.buckets <= parts.MOST_BUCKETS:
        return False
    if decided.split is not None or not decided.merge:
        return True
    return len(decided.merge) == 2 and not history.why_not(parts.Merge(*decided.merge))


def judge_minute(
    run: MonitorRun, watch: Watch, phases: list[Phase], minute: int, observed: DecisionAnswer
) -> None:
    """What is written, evaluated and done in a minute."""
    now, phase = minute * MINUTE, phases[minute]
    if minute in watch.trial.leaders:
        watch.take_over()
    sampled = now - watch.trial.lag
    if sampled >= 0:
        watch.write(phases[sampled // MINUTE], sampled)
    if minute in watch.trial.failing:
        return
    view, known = watch.view(phase, now), watch.all_known(phase)
    if known:
        watch.layouts.add(watch.layout())
    evaluation = partial(judge_evaluation, view=view, observed=observed)
    found = findings_of(evaluation, run.disabled, advisory(watch.edition.name))
    for clause, finding in found.by_clause.items():
        if isinstance(finding, Violation):
            run.require(clause, False, f"minute {minute}: {finding.sentence}", finding.kind)
        else:
            run.require(clause, True)
    if found.gave_up:
        run.give_up(found.gave_up)
    known = known and not found.is_violated
    if observed.split is not None:
        judge_split_over_time(run, watch, view, minute, observed.split)
    elif observed.merge:
        carry_out_merge(run, watch, phase, minute, observed.merge)
    else:
        carry_out_rebucket(watch, observed, now)
        return
    if known:
        layout = watch.layout()
        again = layout in watch.layouts
        sentence = "minute {}: {} segments that were there before, in the minutes since {}"
        run.require("SCA-43", not again, fill(sentence, minute, len(layout), watch.since))


def carry_out_rebucket(watch: Watch, observed: DecisionAnswer, now: int) -> None:
    """More entry buckets, if any segment gets some."""
    for number in observed.rebucket:
        if done(watch, parts.Rebucket(number, observed.buckets), now):
            watch.last_rebucket = now


def done(watch: Watch, command: parts.Change, now: int) -> bool:
    """Carry out a command, if it is possible."""
    if watch.history.why_not(command):
        return False
    known = set(watch.history.segments)
    watch.history.apply(command)
    watch.made.update((one, now) for one in watch.history.segments if one not in known)
    return True


def judge_split_over_time(
    run: MonitorRun, watch: Watch, view: View, minute: int, number: int
) -> None:
    """A split, and the merges and splits before it."""
    for_consumers = view.required > len(view.live)
    found = next(one for one in view.live if one.number == number)
    if for_consumers and watch.fewest is not None:
        undone = view.required > watch.fewest
        sentence = "minute {}: segment {} is split for {} consumers; a merge had left {} segments"
        why = fill(sentence, minute, number, view.required, watch.fewest)
        run.require("SCA-40", not undone, why)
    elif not for_consumers and watch.merged:
        lower = tuple(rate * (1 - 1e-9) for rate in found.rates)  # less what rounding added
        undone = number in watch.merged and is_over(lower, view.config)
        sentence = "minute {}: segment {} is split, which came of a merge at the same load"
        run.require("SCA-39", not undone, fill(sentence, minute, number))
    now = minute * MINUTE
    if done(watch, parts.Split(number), now):
        judge_distance(run, watch.last_split, now, view.config.split_cooldown, "splits")
        watch.last_split = now
        count = len(watch.history.live())
        sentence = "{} segments, of {} at most"
        most = view.config.max_segments
        run.require("SCA-37", count <= most, fill(sentence, count, most), "most")


def judge_distance(run: MonitorRun, last: int | None, now: int, cooldown: int, what: str) -> None:
    """SCA-38: the time since the last one."""
    if last is not None:
        apart = now - last
        sentence = fill("two {} are {} ms apart, with a cool-down of {} s", what, apart, cooldown)
        run.require("SCA-38", apart >= cooldown * 1000, sentence, what)


def carry_out_merge(
    run: MonitorRun, watch: Watch, phase: Phase, minute: int, merge: tuple[int, ...]
) -> None:
    """A merge, of which it is noted whether all was known."""
    first, second = merge
    now = minute * MINUTE
    rates = [watch.rates(phase, watch.history.segments[one]) for one in merge]
    known = rates == [watch.written[one][0] for one in merge if one in watch.written]
    done(watch, parts.Merge(first, second), now)
    judge_distance(run, watch.last_merge, now, watch.trial.config.merge_cooldown, "merges")
    watch.last_merge = now
    count, least = len(watch.history.live()), watch.trial.config.min_segments
    run.require("SCA-37", count >= least, fill("{} segments of at least {}", count, least), "least")
    watch.fewest = count if watch.fewest is None else min(watch.fewest, count)
    if known:
        watch.merged.add(max(watch.history.segments))


def judge_end(run: MonitorRun, watch: Watch, phase: Phase, end: int) -> None:
    """At the end of a phase: whether what has been due for long was done."""
    config = watch.trial.config
    view = watch.view(phase, end * MINUTE)
    acted = [at for at in (watch.last_split, watch.last_merge) if at is not None]
    failed = (minute + 1 for minute in watch.trial.failing if minute < end)
    quiet = end - max([watch.since, *(at // MINUTE + 1 for at in acted), *failed])
    if watch.merged:
        run.require("SCA-39", True)
    if watch.fewest is not None and view.required > 1:
        run.require("SCA-40", True)
    if not config.enabled:
        return
    if quiet > config.split_cooldown // 60 + 2:
        judge_high(run, view, quiet, watch.lacks_room(phase, view))
    if quiet > max(config.merge_cooldown, config.merge_window) // 60 + 3:
        judge_low(run, view, watch.history.depths(every=False), quiet)


def judge_high(run: MonitorRun, view: View, quiet: int, lacking: bool) -> None:
    """SCA-42: that nothing is left to be split."""
    divisible = [one for one in view.live if one.size > 1]
    if len(view.live) >= view.config.max_segments or not divisible:
        return
    hot = [one for one in divisible if is_over(one.rates, view.config)]
    left = bool(hot) or lacking
    sentence = "{} minutes without an action: {} segments, {} consumers, above a threshold {}"
    run.require("SCA-42", not left, fill(sentence, quiet, len(view.live), view.required, hot))


def judge_low(run: MonitorRun, view: View, depths: dict[int, int], quiet: int) -> None:
    """SCA-41: that nothing is left to be merged."""
    config = view.config
    if len(view.live) <= config.min_segments or view.required >= len(view.live):
        return
    below = [one for one in view.live if depths[one.number] < config.max_depth]
    cold = [one for one in below if is_cold(one, config)]
    pairs = [
        pair
        for pair in pairwise(view.live)
        if all(one in cold for one in pair) and stays_below(view, pair)
    ]
    sentence = "{} minutes without an action: {} segments are left, of which {} pairs are cold"
    run.require("SCA-41", not pairs, fill(sentence, quiet, len(view.live), len(pairs)))


def is_cold(one: SeenSegment, config: ScaleRules) -> bool:
    """Whether a segment has long been cold."""
    each = zip(one.rates, config.merge_below, strict=True)
    window = config.merge_window * 1000 + MINUTE
    return one.age is not None and one.age >= window and all(rate < most for rate, most in each)


LOOP: Final = Question(
    "scaling.loop",
    LoopTrial,
    LoopAnswer,
    loop_trial,
    answer_loop,
    loop_labels,
    simulates=True,
    exempt=Exempt(
        unmet={r"(Scale|Bucket)Rules\..*": "`scaling.decision` has each threshold at its bounds"},
        unread=UNREAD,
        world="count",
    ),
)

QUESTIONS: Final = (LOOP,)
