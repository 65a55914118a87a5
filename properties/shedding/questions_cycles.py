"""The question `shedding.cycles`: generator and answer."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from operator import attrgetter
from typing import Any, Final

from evenkeel.properties.draw import Draw
from evenkeel.properties.question import Question
from evenkeel.properties.shedding.trials_cycles import Ago, Cycled, CyclesAnswer, CyclesTrial
from evenkeel.reference.edition import Edition
from evenkeel.reference.shedding import cycling
from evenkeel.reference.shedding.cluster import MINUTE, BrokerId, BundleName, Millis
from evenkeel.reference.shedding.cycling import Cycle, Decided, Outcome, Unloads

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
    """Cycles a minute or so apart; now and then one that is not to run."""
    grace, now, cycles = draw.pick((1, 0, 3, 30)), 0, list[Cycle]()
    for _ in draw.items(8, 0.85):
        now += draw.pick((1, 2, 0, 3, 30)) * MINUTE
        enabled, shedding = not draw.chance(0.06), not draw.chance(0.06)
        leads = draw.pick((False, None)) if draw.chance(0.1) else True
        available = draw.pick((1, 0, None)) if draw.chance(0.15) else draw.pick((2, 3))
        cycles.append(Cycle(now, enabled, shedding, leads, available, draw_decided(draw)))
    return CyclesTrial(grace, tuple(cycles))


def ages(times: Mapping[Any, Millis], now: Millis) -> tuple[Ago, ...]:
    """How long ago these were, by name."""
    return tuple(Ago(name, (now - times[name]) // MINUTE) for name in sorted(times))


def answer_cycles(trial: CyclesTrial, edition: Edition) -> CyclesAnswer:
    """Cycle after cycle."""
    unloads, answers = Unloads(), []
    for cycle in trial.cycles:
        if not cycling.asks(cycle):
            answers.append(Cycled(False))
            continue
        unloads = cycling.told(unloads, cycle, trial.grace_minutes)
        done = cycling.executed(cycle.decided)
        answers.append(
            Cycled(
                True,
                ages(unloads.bundles, cycle.now),
                ages(unloads.brokers, cycle.now),
                tuple(decision.bundle for decision in done),
            )
        )
        unloads = cycling.noted(unloads, done, cycle.now)
    return CyclesAnswer(tuple(answers))


def cycles_labels(trial: CyclesTrial) -> Iterator[str]:
    """Cycles that are not to run, decisions that fail."""
    if not all(cycling.asks(cycle) for cycle in trial.cycles):
        yield "a cycle that does not ask"
    for outcome in Outcome:
        if any(d.outcome is outcome for cycle in trial.cycles for d in cycle.decided):
            yield f"decision: {outcome.value}"


CYCLES: Final = Question(
    "shedding.cycles",
    CyclesTrial,
    CyclesAnswer,
    cycles_trial,
    answer_cycles,
    cycles_labels,
    commands=attrgetter("cycles"),
)
QUESTIONS: Final = (CYCLES,)
