"""Lookups by clients of other advertised listeners."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Final

from evenkeel.reference.edition import Edition
from evenkeel.reference.ownership import listeners
from evenkeel.reference.ownership.listeners import Address, Arrival
from evenkeel_engine.kit.clause import Case
from evenkeel_engine.kit.draw import Draw
from evenkeel_engine.kit.judge import answers, decision, require_equal
from evenkeel_engine.kit.observations import Broke, Refused
from evenkeel_engine.kit.question import Question
from evenkeel_engine.kit.run import Run, fill
from evenkeel_engine.kit.trial import OMITTABLE, require


@dataclass(frozen=True, slots=True)
class ListenersTrial:
    """`ownership.listeners`: at which address do clients of a broker find a bundle?

    `advertised`: the names of the broker's listeners, each once and none empty; each has an address
    of its own, next to the broker's default one. A lookup names a listener, or null for the
    default. The lookups of `together` arrive before any of them is answered, while no broker owns
    the bundle; the broker then takes it. Those of `later` arrive one after another, each when the
    one before is answered. A subject without listeners skips a trial with any. `starting`: what
    arrived before all these, while the broker started, in this order; it has started since.
    """

    advertised: tuple[str, ...]
    together: tuple[str | None, ...]
    later: tuple[str | None, ...]
    starting: tuple[Arrival, ...] = field(default=(), metadata=OMITTABLE)

    def __post_init__(self) -> None:
        once = len(set(self.advertised)) == len(self.advertised)
        require(once, "advertised", "must name each listener once")
        for place in ("advertised", "together", "later"):
            named = all(name != "" for name in getattr(self, place))
            require(named, place, "must not have an empty name")


@dataclass(frozen=True, slots=True)
class ListenersAnswer:
    """What each lookup was given; of `starting` nothing, or the default address, if it waited."""

    together: tuple[Address, ...]
    later: tuple[Address, ...]
    starting: tuple[Address, ...] = field(default=(), metadata=OMITTABLE)


NAMES: Final = ("internal", "external", "external-tls", "Internal", "internal ")


def listeners_trial(draw: Draw) -> ListenersTrial:
    advertised = draw.sample(NAMES, 3)

    def listener() -> str | None:
        if draw.chance(0.3):
            return None
        return draw.pick(advertised if advertised and draw.chance(0.85) else NAMES)

    together = tuple(listener() for _ in draw.items(4, 0.7, 1))
    later = tuple(listener() for _ in draw.items(3, 0.6))
    starting = [draw.pick((*Arrival,)) for _ in draw.items(3, 0.6)] if draw.chance(0.3) else []
    return ListenersTrial(tuple(advertised), together, later, tuple(starting))


def answer_listeners(trial: ListenersTrial, edition: Edition) -> ListenersAnswer:
    together = listeners.given_together(trial.advertised, trial.together, edition)
    later = tuple(listeners.give_address(trial.advertised, one) for one in trial.later)
    return ListenersAnswer(together, later, listeners.given_early(trial.starting, edition))


def listeners_labels(trial: ListenersTrial) -> Iterator[str]:
    if len(set(trial.together)) > 1:
        yield "several listeners together"
    if not set(trial.together + trial.later) <= {*trial.advertised, None}:
        yield "unknown listener"
    if trial.starting:
        yield "while it starts"


@decision("ownership.listeners", "OWN-56", "OWN-57", "OWN-60", "OWN-67")
def judge_listeners(run: Run, case: Case[ListenersTrial, ListenersAnswer]) -> None:
    trial, observed = case.trial, case.observation
    every = {*trial.advertised, None}.issuperset((*trial.together, *trial.later))
    clause = "OWN-67" if trial.starting else "OWN-56" if every else "OWN-60"
    if answers(run, case, clause) and not isinstance(observed, Refused | Broke):
        if trial.starting:
            early, lookups = observed.starting, trial.starting.count(Arrival.LOOKUP)
            fits = len(early) == lookups and all(one.listener is None for one in early)
            why = fill("while it starts: {} lookups, given {}", lookups, early)
            run.require("OWN-67", fits, why, "starting")
        for when in ("together", "later"):
            asked, found = getattr(trial, when), getattr(observed, when)
            run.require("OWN-56", len(found) == len(asked), f"{when}: not one answer each", when)
            for place, (name, one) in enumerate(zip(asked, found, strict=False), 1):
                known = name is None or name in trial.advertised
                right = Address(True, name) if known else Address(False, None)
                sentence = "{} {}: asked for {}, given {}"
                clause = "OWN-56" if known else "OWN-60"
                run.require(clause, one == right, fill(sentence, when, place, name, one), when)
    require_equal(run, case, "OWN-57", what="the addresses")


LISTENERS: Final = Question(
    "ownership.listeners",
    ListenersTrial,
    ListenersAnswer,
    listeners_trial,
    answer_listeners,
    listeners_labels,
)

QUESTIONS: Final = (LISTENERS,)
