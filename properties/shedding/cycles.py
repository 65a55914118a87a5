"""The cycles around a manager's strategy."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from itertools import accumulate
from operator import or_
from typing import Any, Final

from evenkeel.properties.names import require_bundle
from evenkeel.properties.shedding.trial_parts import EXACT
from evenkeel.reference.edition import Edition
from evenkeel.reference.shedding import cycling
from evenkeel.reference.shedding.cluster import MINUTE, BrokerId, BundleName, Millis
from evenkeel.reference.shedding.cycling import Cycle, Decided, Outcome, Unloads
from evenkeel.reference.shedding.settings import GraceRules
from evenkeel_engine.frame.settings import same
from evenkeel_engine.kit.clause import in_full
from evenkeel_engine.kit.draw import Draw
from evenkeel_engine.kit.exempt import Exempt
from evenkeel_engine.kit.formatting import display
from evenkeel_engine.kit.judge import AnyCase, monitor
from evenkeel_engine.kit.observations import Broke, Refused
from evenkeel_engine.kit.question import Question
from evenkeel_engine.kit.run import MonitorRun
from evenkeel_engine.kit.trial import OMITTABLE, require, require_bounds, require_different

MOST_BROKERS = 1000
HOUR: Final = 60 * MINUTE


@dataclass(frozen=True, slots=True)
class CyclesTrial:
    """`shedding.cycles`: when is the strategy called, and what is it given?

    Cycles are at whole minutes (`now`, in ms, below 2^53), in the order of time. The strategy, if
    called, decides what the trial says, of each bundle once, and takes no broker off its list. A
    destination may be the source: an unload, after which the broker serves the bundle again.
    `modular`: those of the modular manager; its strategy decides nothing, its metadata store is
    away where `leads` is null.
    """

    grace_minutes: int = same(GraceRules, "grace_minutes")
    cycles: tuple[Cycle, ...] = ()
    modular: bool = field(default=False, metadata=OMITTABLE)

    def __post_init__(self) -> None:
        require_bounds(self)
        times = [cycle.now for cycle in self.cycles]
        require(times == sorted(times), "cycles", "must be in the order of time")
        within = all(0 <= now < EXACT for now in times)
        require(within, "cycles", "must be at 0 ms or more, before 2^53 ms")
        require(all(now % MINUTE == 0 for now in times), "cycles", "must be at whole minutes")
        for cycle in self.cycles:
            possible = cycle.available is None or 0 <= cycle.available <= MOST_BROKERS
            require(possible, "available", "must be 0 to 1000")
            require(not (self.modular and cycle.decided), "decided", "must be empty: modular")
            require_different("decided", (decision.bundle for decision in cycle.decided))
            for decision in cycle.decided:
                require_decision(decision)


def require_decision(decision: Decided) -> None:
    """Require a decision whose names sort alike in every language: answers are sorted."""
    require_bundle("decided", decision.bundle)
    require(bool(decision.source), "decided", "must name a source")
    for name in (decision.bundle, decision.source, decision.destination or ""):
        require(name.isascii(), "decided", "names must be of ASCII characters")


@dataclass(frozen=True, slots=True)
class Ago:
    """Something was unloaded this number of minutes ago."""

    name: str
    minutes: int


@dataclass(frozen=True, slots=True)
class Cycled:
    """What a cycle did: whether the strategy was called, and what it was given, sorted by name.

    `unloaded`: the bundles whose unload was started, in any order: of the decisions that are done
    and of those that fail. While shedding is off it is empty, and nothing of `decided` counts.
    """

    asked: bool
    bundles: tuple[Ago, ...] = ()
    brokers: tuple[Ago, ...] = ()
    unloaded: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class CyclesAnswer:
    """One result for each cycle."""

    cycles: tuple[Cycled, ...]


TODAY: Final = 1_790_000_000_000 // MINUTE * MINUTE
"""Milliseconds since 1970, as real clocks show them."""

BROKERS: Final = tuple(BrokerId(f"broker-{number}:8080") for number in range(1, 4))

BUNDLES: Final = tuple(
    BundleName(f"t/ns/0x{number:x}0000000_0x{number + 1:x}0000000") for number in range(4)
)


def draw_decided(draw: Draw) -> tuple[Decided, ...]:
    """Some bundles, each from some broker."""
    return tuple(
        Decided(
            bundle,
            draw.pick(BROKERS),
            draw.pick((BROKERS[1], None, BROKERS[2])),
            draw.pick((Outcome.DONE, Outcome.DONE, Outcome.DONE, Outcome.FAILS, Outcome.SKIP)),
        )
        for bundle in BUNDLES
        if draw.chance(0.4)
    )


def cycles_trial(draw: Draw) -> CyclesTrial:
    """Cycles about a minute apart, sometimes one that must not run."""
    grace, cycles = draw.pick((1, 0, 3, 30)), list[Cycle]()
    now = TODAY if draw.chance(0.2) else 0
    for _ in draw.items(8, 0.85):
        now += draw.pick((1, 2, 0, 3, 30)) * MINUTE
        enabled, shedding = not draw.chance(0.06), not draw.chance(0.06)
        leads = draw.pick((False, None)) if draw.chance(0.1) else True
        available = draw.pick((1, 0, None)) if draw.chance(0.15) else draw.pick((2, 3))
        cycles.append(Cycle(now, enabled, shedding, leads, available, draw_decided(draw)))
    if draw.chance(0.25):
        return CyclesTrial(grace, tuple(replace(one, decided=()) for one in cycles), True)
    return CyclesTrial(grace, tuple(cycles))


def ages(times: Mapping[Any, Millis], now: Millis) -> tuple[Ago, ...]:
    """How long ago these were, by name."""
    return tuple(Ago(name, (now - times[name]) // MINUTE) for name in sorted(times))


def answer_cycles(trial: CyclesTrial, edition: Edition) -> CyclesAnswer:
    """The results of all cycles."""
    unloads, answers = Unloads(), list[Cycled]()
    for number, cycle in enumerate(trial.cycles):
        before = trial.cycles[:number]
        if trial.modular:
            answers.append(Cycled(cycling.task_calls_strategy(before, cycle, edition)))
            continue
        if not cycling.calls_strategy(cycle):
            answers.append(Cycled(False))
            continue
        unloads = cycling.unloads_in_grace(unloads, cycle, trial.grace_minutes)
        done = cycling.select_executed(cycle.decided)
        answers.append(
            Cycled(
                True,
                ages(unloads.bundles, cycle.now),
                ages(unloads.brokers, cycle.now),
                tuple(decision.bundle for decision in done),
            )
        )
        unloads = cycling.note_unloads(unloads, done, cycle.now)
    return CyclesAnswer(tuple(answers))


def cycles_labels(trial: CyclesTrial) -> Iterator[str]:
    """Which manager it is, and the outcomes that occur in decisions."""
    yield "modular" if trial.modular else "extensible"
    for outcome in Outcome:
        if any(d.outcome is outcome for cycle in trial.cycles for d in cycle.decided):
            yield f"decision: {outcome.value}"


@monitor("shedding.cycles", *(f"SHD-{n}" for n in (92, 93, 94, 95, 104, 105, 106, 108, 110)))
def judge_unload_scheduler(run: MonitorRun, case: AnyCase) -> None:
    """Judge each cycle, given what was unloaded before."""
    observed, cycles = case.observation, case.trial.cycles
    if isinstance(observed, Refused | Broke) or len(observed.cycles) != len(cycles):
        run.require("SHD-92", False, in_full(observed), "shape")
        return
    grace: Millis = case.trial.grace_minutes * MINUTE
    bundles: dict[str, Millis] = {}
    moved: dict[str, Millis] = {}
    brokers: dict[str, Millis] = {}
    due = list_due(case.trial, case.edition)
    for number, (cycle, result) in enumerate(zip(cycles, observed.cycles, strict=True), start=1):
        place, now = f"cycle {number}", due[number - 1]
        why = f"{place}: the strategy must {'' if now else 'not '}be called"
        run.require("SHD-92", result.asked is now, why, "missed" if now else "asked")
        judge_decided(run, place, cycle, result, now)
        if not result.asked:
            require_same(run, "SHD-95", f"{place}: unloaded without a call", result.unloaded, ())
            continue
        bundles = {name: at for name, at in bundles.items() if cycle.now - at <= grace}
        judge_request(run, place, cycle, result, bundles, brokers)
        missing = {name for name, at in moved.items() if cycle.now - at < grace}
        missing -= {one.name for one in result.bundles}
        run.require("SHD-110", not missing, f"{place}: {sorted(missing)} not given")
        on = cycle.enabled and cycle.shedding_enabled  # else what was decided must not be unloaded
        for decision in cycle.decided:
            carried_out = on or decision.bundle in result.unloaded
            if decision.outcome is Outcome.DONE and carried_out:
                bundles[decision.bundle] = brokers[decision.source] = cycle.now
                if decision.destination != decision.source:
                    moved[decision.bundle] = cycle.now
    judge_pauses(run, cycles, observed.cycles, due)


def list_due(trial: CyclesTrial, edition: Edition) -> list[bool]:
    """Of each cycle, whether the strategy is to be called."""
    if not trial.modular:
        return [is_due(cycle) for cycle in trial.cycles]
    away = list(accumulate((cycle.leads is None for cycle in trial.cycles), or_, initial=False))
    return [is_task_due(*one, edition) for one in zip(trial.cycles, away, strict=False)]


def judge_decided(run: MonitorRun, place: str, cycle: Cycle, result: Cycled, due: bool) -> None:
    """Only the leader asks, and only what was decided is unloaded."""
    if cycle.leads is False and not due:
        run.require("SHD-104", not result.asked, f"{place}: the broker does not lead")
    if not (cycle.enabled and cycle.shedding_enabled):
        run.require("SHD-108", not result.unloaded, f"{place}: unloaded, although it is off")
    decided = {d.bundle for d in cycle.decided if d.outcome is not Outcome.SKIP}
    others = sorted(set(result.unloaded) - (decided if result.asked else set()))
    run.require("SHD-106", not others, f"{place}: {others} unloaded, which was not decided")


def judge_pauses(
    run: MonitorRun, cycles: Sequence[Cycle], results: Sequence[Cycled], due: Sequence[bool]
) -> None:
    """Within an hour in which it is always due the strategy is called."""
    begun: Millis | None = None
    last: Millis | None = None
    for number, (cycle, result) in enumerate(zip(cycles, results, strict=True), start=1):
        begun = (cycle.now if begun is None else begun) if due[number - 1] else None
        last = cycle.now if result.asked else last
        if begun is not None and cycle.now - begun >= HOUR:
            right = last is not None and cycle.now - last <= HOUR
            why = f"cycle {number}: the strategy was not called for an hour"
            run.require("SHD-105", right, why)


def is_due(cycle: Cycle) -> bool:
    """`loadBalancerEnabled` ∧ `loadBalancerSheddingEnabled` ∧ leads ∧ |available| > 1."""
    several = cycle.available is not None and cycle.available > 1
    return cycle.enabled and cycle.shedding_enabled and cycle.leads is True and several


def is_task_due(cycle: Cycle, was_away: bool, edition: Edition) -> bool:
    """The same for the modular manager: `leads` is not looked at, or null no obstacle, by edition;
    and nothing is due for good once the store was away.
    """
    if was_away and edition.task_ends_without_store:
        return False
    away, follows = edition.task_goes_on_without_store, edition.former_leaders_shed
    return is_due(replace(cycle, leads={True: True, False: follows, None: away}[cycle.leads]))


def judge_request(
    run: MonitorRun,
    place: str,
    cycle: Cycle,
    result: Cycled,
    bundles: Mapping[str, Millis],
    brokers: Mapping[str, Millis],
) -> None:
    """The strategy is given earlier unloads, and its decisions are carried out."""
    for clause, observed, times in (
        ("SHD-93", result.bundles, bundles),
        ("SHD-94", result.brokers, brokers),
    ):
        right = tuple(Ago(name, (cycle.now - times[name]) // MINUTE) for name in sorted(times))
        require_same(run, clause, f"{place}: given", observed, right)
    expected = sorted(d.bundle for d in cycle.decided if d.outcome is not Outcome.SKIP)
    require_same(run, "SHD-95", f"{place}: unloaded", sorted(result.unloaded), expected)


def require_same(run: MonitorRun, clause: str, what: str, observed: object, right: object) -> None:
    """The observed value is the right one."""
    run.require(
        clause, observed == right, lambda: f"{what} {display(observed)}, must be {display(right)}"
    )


CYCLES: Final = Question(
    "shedding.cycles",
    CyclesTrial,
    CyclesAnswer,
    cycles_trial,
    answer_cycles,
    cycles_labels,
    commands="cycles",
    exempt=Exempt(subjects={"does nothing after 10 rounds": "Trials have fewer rounds."}),
)

QUESTIONS: Final = (CYCLES,)
