"""Theorem: grace bounds how often a bundle is moved within an hour, whatever happens (BAL-8).

Rounds are `interval` apart, and a bundle moves again in a later round, when `grace` has gone by: so
after max(⌈grace / interval⌉, 1) × interval at least. `count` moves span at least `count` - 1 times
that; so within an hour there are at most ⌈hour / that⌉.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial
from random import Random
from typing import Final

import z3

from evenkeel.models.assumptions import Step, case, hypothesis, shown
from evenkeel.models.balancing.trial_parts import OTHER, SOURCE, trial_with
from evenkeel.models.terms import Model, Scope, Term, number, run
from evenkeel.models.theorem import Mutant, Theorem, Twin
from evenkeel.properties.balancing.loop.judge import may_move_again as may_move_again_by_clause
from evenkeel.properties.balancing.loop.judge import most_unloads
from evenkeel.properties.balancing.loop.trials import BalancingTrial
from evenkeel.properties.kit.observations import Broke, Refused
from evenkeel.reference.balancing import loop
from evenkeel.reference.balancing.balancer import Balancer, Shed
from evenkeel.reference.balancing.history import History
from evenkeel.reference.balancing.leader import View
from evenkeel.reference.balancing.settings import WEIGHTS, Settings, Strategy
from evenkeel.reference.edition import DOCUMENTED
from evenkeel.reference.shedding.cluster import MINUTE, BrokerId, BundleName, Millis

GRACE, INTERVAL, ROUNDS, SINCE = z3.Ints("grace interval rounds since")
COUNT, SPAN, APART, MOST, HOUR, WHOLE = z3.Ints("count span apart most hour whole")


def may_move_again(since: Term, grace: Term) -> Term:
    """Whether a bundle may move so long after it moved last."""
    return since >= grace


def may_move_at_half(since: Term, grace: Term) -> Term:
    """The broken rule: half of the grace period is enough."""
    return 2 * since >= grace


def rounds_of(grace: Term, interval: Term) -> Term:
    """How many rounds a grace period takes: the quotient, rounded up, and one at least."""
    return z3.If(grace > 0, most_in(grace, interval), 1)


def least_apart(grace: Term, interval: Term) -> Term:
    """The time between two moves of a bundle, at least."""
    return rounds_of(grace, interval) * interval


def most_in(hour: Term, apart: Term) -> Term:
    """How often something happens within this time at most: the quotient, rounded up."""
    return (hour + apart - 1) / apart


def most_moves(hour: Term, grace: Term, interval: Term) -> Term:
    """BAL-8's bound."""
    return most_in(hour, least_apart(grace, interval))


def steps(scope: Scope) -> tuple[Step, ...]:
    """Whole rounds; the first move, one move more; and how many fit into an hour."""
    return (*apart_steps(), *count_steps())


def apart_steps() -> tuple[Step, ...]:
    """Two moves of a bundle are whole rounds apart, and so by its grace period at least."""
    settings = hypothesis(
        "an interval above 0, a grace period of 0 or more", INTERVAL > 0, GRACE >= 0
    )
    rounds = hypothesis("rounds are one interval apart", SINCE == ROUNDS * INTERVAL)
    quotient = hypothesis(
        "`whole` is the grace period divided by the interval, rounded up, and 1 at least",
        z3.Or(z3.And(GRACE == 0, WHOLE == 1), (WHOLE - 1) * INTERVAL < GRACE),
        GRACE <= WHOLE * INTERVAL,
        WHOLE >= 1,
    )
    later = case("it moves again, in a later round", may_move_again(SINCE, GRACE), SINCE > 0)
    return (
        Step("quotient", (settings, quotient), WHOLE * INTERVAL > 0),
        Step(
            "more rounds", (settings, rounds, quotient, later), (ROUNDS - WHOLE + 1) * INTERVAL > 0
        ),
        Step(
            "whole rounds",
            (settings, shown("more rounds", (ROUNDS - WHOLE + 1) * INTERVAL > 0)),
            ROUNDS >= WHOLE,
        ),
        Step(
            "rounds are time",
            (settings, shown("whole rounds", ROUNDS >= WHOLE)),
            (ROUNDS - WHOLE) * INTERVAL >= 0,
        ),
        Step(
            "apart",
            (rounds, shown("rounds are time", (ROUNDS - WHOLE) * INTERVAL >= 0)),
            SINCE >= WHOLE * INTERVAL,
        ),
    )


def count_steps() -> tuple[Step, ...]:
    """How many moves that are so far apart fit into an hour."""
    positive = shown("quotient", APART > 0)
    spans = shown(("at first", "one more"), SPAN >= (COUNT - 1) * APART)
    hour = hypothesis("an hour is more than no time", HOUR > 0)
    ceiling = shown("rounded up", MOST * APART >= HOUR, (MOST - 1) * APART < HOUR)
    more = (MOST - COUNT + 1) * APART > 0
    return (
        Step("at first", (positive,), 0 * APART >= (z3.IntVal(1) - 1) * APART),
        Step(
            "one more",
            (positive, spans, shown("apart", SINCE >= APART)),
            SPAN + SINCE >= (COUNT + 1 - 1) * APART,
        ),
        Step(
            "in an hour",
            (positive, spans, hour, ceiling, case("all within an hour", SPAN < HOUR)),
            more,
        ),
        Step("at most", (positive, shown("in an hour", more)), COUNT <= MOST),
        Step(
            "rounded up",
            (
                positive,
                hour,
                hypothesis("`most` is an hour divided, rounded up", MOST == most_in(HOUR, APART)),
            ),
            z3.And(MOST * APART >= HOUR, (MOST - 1) * APART < HOUR),
        ),
    )


def mutant_step(scope: Scope) -> Step:
    """The broken rule with rounds each minute and a grace period of a few minutes."""
    small = (INTERVAL == 1, GRACE >= 1, GRACE <= 5, SINCE == ROUNDS * INTERVAL, ROUNDS >= 1)
    moves = may_move_at_half(SINCE, GRACE)
    return Step("apart", (*small, moves), SINCE >= least_apart(GRACE, INTERVAL))


def trial_of(model: Model) -> BalancingTrial:
    """An hour and ten minutes with a round each minute, and the grace period of a model."""
    settings = Settings(grace_minutes=number(model, GRACE))
    return trial_with(Strategy.NONE, settings, {SOURCE: (10,), OTHER: ()}, steps=70)


Rule = Callable[[Millis, Millis], bool]


class Restless:
    """The worst of all strategies: everything moves to the other broker as soon as it may.

    What may move is what the leader says; or, if a rule is given, what that says.
    """

    def __init__(self, grace: Millis, rule: Rule | None) -> None:
        self._grace, self._rule = grace, rule
        self._moved: dict[BundleName, Millis] = {}

    def decide(self, view: View) -> list[Shed]:
        """Everything that may move."""
        found = []
        for bundle, owner in sorted(view.owners.items()):
            if self.is_free(bundle, view):
                self._moved[bundle] = view.now
                to = OTHER if owner == SOURCE else SOURCE
                found.append(Shed(bundle, owner, to, "restless"))
        return found

    def is_free(self, bundle: BundleName, view: View) -> bool:
        """Whether a bundle's grace period is over."""
        if self._rule is None:
            return bundle not in view.cluster.recently_unloaded
        last = self._moved.get(bundle)
        return last is None or self._rule(view.now - last, self._grace)

    def allowed(self, bundle: BundleName, view: View) -> Sequence[BrokerId]:
        """Nothing has to be placed: destinations are told."""
        return view.active

    def chosen(self, bundle: BundleName, broker: BrokerId, view: View) -> None:
        """Nothing is remembered."""


def moved_by(rule: Rule | None, trial: BalancingTrial) -> History:
    """The run under the restless strategy."""
    minutes = trial.balancer.settings.grace_minutes

    def hire() -> Balancer:
        strategy = Restless(minutes * MINUTE, rule)
        return Balancer(strategy, strategy, True, WEIGHTS, minutes)

    return loop.run(trial.scenario, hire, loop.seeded(trial.seed), DOCUMENTED)


def few_moves(trial: BalancingTrial, answer: History | Refused | Broke) -> bool:
    """No bundle is moved more often in any hour than BAL-8 allows."""
    if not isinstance(answer, History):
        return False
    times: dict[BundleName, list[Millis]] = {}
    for moment in answer.moments:
        for move in moment.moves:
            times.setdefault(move.bundle, []).append(moment.at)
    grace = trial.balancer.settings.grace_minutes * MINUTE
    most = most_unloads(grace, trial.scenario.timing.shedding)
    return all(
        sum(start <= at < start + 60 * MINUTE for at in moves) <= most
        for moves in times.values()
        for start in moves
    )


def rule_at_half(since: Millis, grace: Millis) -> bool:
    """The broken rule executed."""
    return bool(run(may_move_at_half, since, grace))


def rule_at_its_end(since: Millis, grace: Millis) -> bool:
    """The rule of those who take the last moment of the grace period for free."""
    return bool(run(may_move_again, since, grace))


def about_over(random: Random) -> tuple[int, int]:
    """A time since a bundle was moved, and a grace period, in minutes."""
    grace = random.randrange(40)
    return max(grace + random.randint(-2, 2), 0), grace


def free_by_clause(since: int, grace: int) -> bool:
    """Whether a bundle may move by BAL-4, as it is judged in DOCUMENTED."""
    return may_move_again_by_clause(since * MINUTE, grace * MINUTE, exact=False)


def grace_and_interval(random: Random) -> tuple[int, int, int]:
    """An hour, a grace period and the time between two rounds, in minutes."""
    return 60, random.randrange(90), random.randint(1, 30)


def most_by_clause(hour: int, grace: int, interval: int) -> int:
    """BAL-8's bound as it is judged."""
    return most_unloads(grace * MINUTE, interval * MINUTE)


FEW_MOVES: Final = Theorem(
    name="grace-bounds-moves-in-an-hour",
    chapter="balancing",
    clauses=("BAL-4", "BAL-8"),
    statement="If a bundle moves only in rounds, once in each at most, and only when its grace "
    "period has gone by since it moved last, it moves at most "
    "⌈60 min / (max(⌈grace / interval⌉, 1) × interval)⌉ times in any hour, whatever the strategy "
    "and the load.",
    bound="any number of rounds, any grace period and interval (inductive invariant)",
    steps=steps,
    mutant=Mutant(
        name="half-is-enough",
        sentence="A bundle may move again when half of its grace period has gone by.",
        step=mutant_step,
        trial=trial_of,
        broken=partial(moved_by, rule_at_half),
        right=partial(moved_by, None),
        promise=few_moves,
    ),
    twins=(
        Twin("whether a bundle may move", about_over, partial(run, may_move_again), free_by_clause),
        Twin("the bound", grace_and_interval, partial(run, most_moves), most_by_clause),
    ),
)

THEOREMS: Final = (FEW_MOVES,)
