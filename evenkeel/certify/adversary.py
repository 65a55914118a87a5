"""A search for loads, delays and events that keep a balancer moving, or leave it uneven.

A few trials are sampled; else one of the worst so far is changed a little, as a few trials
of every check are (`kit/varied.py`). All is made of choices, so it can be shrunk.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from random import Random
from typing import Final

from evenkeel.certify.part import Part, Worst, count
from evenkeel.certify.report import save
from evenkeel.properties.contract.rebalance import REBALANCE
from evenkeel.properties.contract.rebalance.measures import Measured
from evenkeel.properties.contract.rebalance.trials import Rebalance
from evenkeel_engine.check.seeded import trial_seed
from evenkeel_engine.check.shrink import Choices, ShrinkSearch, Small
from evenkeel_engine.kit.draw import CHANCES, Draw, RecordingDraw, SeededDraw
from evenkeel_engine.kit.varied import vary_trial
from evenkeel_engine.subjects.base import Observed, Request, Subject, reply_to

RANDOM: Final = 8
"""One in this many trials is sampled again."""
KEPT: Final = 4
MOST: Final = 40
"""Changes of a trial."""
SHRINKS: Final = 300
"""Trials in which one that was found is made smaller."""


@dataclass(frozen=True, slots=True)
class Load:
    """A trial with the choices that make it, and what the balancer did."""

    choices: Choices
    trial: Rebalance
    measured: Measured

    @property
    def apart(self) -> float:
        """How uneven it rests, in units of the largest load."""
        largest = max((unit.load for unit in self.trial.units), default=0)
        return self.measured.rests * self.measured.apart / max(1, largest)


Goal = Callable[[Load], tuple[float, ...]]
GOALS: Final[tuple[Goal, ...]] = (
    lambda one: (not one.measured.rests, one.measured.rounds, one.measured.moves),
    lambda one: (one.measured.back, one.measured.rounds),
    lambda one: (one.apart, one.measured.rounds),
)
"""What is to be large: rounds until rest, moves back, how uneven it rests."""


class Onward(Draw):
    """Choices from a list, then those of another draw."""

    __slots__ = ("_inner", "_values")

    def __init__(self, values: Iterable[int], inner: Draw) -> None:
        self._values = iter(values)
        self._inner = inner

    def choice(self, lo: int, hi: int) -> int:
        """The next value of the list."""
        value = next(self._values, None)
        return self._inner.choice(lo, hi) if value is None else value


def generate(draw: Draw) -> Rebalance:
    """A trial of the question's own generator, and changes to it."""
    trial = REBALANCE.generate(draw)
    for _ in draw.items(MOST, 1 / 4):
        trial = vary_trial(draw, trial)
    return trial


@dataclass(slots=True)
class Hunt:
    """What was found: what came of all trials, and the worst of them for each goal."""

    part: Part
    worst: tuple[list[Load], ...]
    failing: dict[str, Load]


def hunt(subject: Subject, trials: int, seed: int, tell: Callable[[int], None]) -> Hunt:
    """Ask trials, each made of what those before showed; `tell` is called after each."""
    found = Hunt(Part(), tuple([] for _ in GOALS), {})
    random = Random(seed)
    for index in range(trials):
        best = random.choice((found.worst[0], *found.worst))
        values = change(random.choice(best)) if best and index % RANDOM else []
        seeded = SeededDraw(trial_seed(REBALANCE.name, seed, index))
        draw = RecordingDraw(Onward(values, seeded))
        ask(subject, Request(index, REBALANCE, generate(draw)), draw.record, found)
        tell(1)
    for name in list(found.failing):
        shrink(subject, name, found)
    found.part.notes = tell_worst(found, trials)
    return found


def ask(subject: Subject, request: Request, choices: Choices, found: Hunt) -> None:
    """Put a trial to the subject, and keep it if it is among the worst, or the first that fails."""
    reply = reply_to(subject, REBALANCE, request.trial)
    if not isinstance(reply, Observed):
        found.part.unanswered = found.part.unanswered or reply.reason
        return
    before = set(found.part.worst)
    measured = count(found.part, request, reply.observation)
    if measured is None:
        return
    load = Load(choices, request.trial, measured)
    found.failing |= dict.fromkeys(set(found.part.worst) - before, load)
    for goal, best in zip(GOALS, found.worst, strict=True):
        best.append(load)
        best.sort(key=goal, reverse=True)
        del best[KEPT:]


def change(load: Load) -> list[int]:
    """The choices of a trial up to the flag that there is no change more, and the other flag."""
    return [*(value for _, _, value in load.choices[:-1]), CHANCES - 1]


def shrink(subject: Subject, name: str, found: Hunt) -> None:
    """The smallest trial that shows the same."""

    def accepts(trial: Rebalance) -> Worst | None:
        reply, part = reply_to(subject, REBALANCE, trial), Part()
        if isinstance(reply, Observed):
            count(part, Request(place, REBALANCE, trial), reply.observation)
        return part.worst.get(name)

    load, place = found.failing[name], found.part.worst[name].place
    search = ShrinkSearch(generate, accepts, SHRINKS)
    small = Small(load.choices, load.trial, found.part.worst[name])
    found.part.worst[name] = search.run(small).why


def tell_worst(found: Hunt, trials: int) -> tuple[str, ...]:
    """What the worst load did, and what it is."""
    if not found.worst[0]:
        return (f"no load was answered in {trials:,} trials",)
    worst, uneven = found.worst[0][0], found.worst[2][0]
    one, rest = worst.measured, "" if worst.measured.rests else ", and no rest"
    return (
        f"worst load found: {one.rounds} rounds{rest}, {one.moves} moves, {one.back} of them back; "
        f"uneven by {uneven.measured.apart:g} at rest in another, after {trials:,} trials",
        f"again: evenkeel replay {save(Worst(trials, 'worst load', '', worst.trial))}",
    )
