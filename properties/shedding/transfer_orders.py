"""The answers that Pulsar 4.0 can give on TransferShedder's rounds (SHD-68, SHD-70).

The order in which the store lists the reports is a hash map's. It decides between equally loaded
brokers, which of several things that are wrong is told, and the last bits of sums; so every order
of the reports makes an allowed answer.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import islice, permutations, product
from typing import Final

from evenkeel.properties.clause import HOLDS, UNEXERCISED, Finding, Violation
from evenkeel.properties.paths import some_path
from evenkeel.properties.shedding.trials_transfer import TransferTrial
from evenkeel.reference.edition import Edition
from evenkeel.reference.shedding import transfer
from evenkeel.reference.shedding.transfer import Hits
from evenkeel.reference.shedding.transfer_load import Spread, by_load, cause, measure, spread_from
from evenkeel.reference.shedding.transfer_view import (
    TransferDecision,
    TransferMove,
    TransferReason,
    TransferReport,
    TransferRules,
    TransferView,
)

FEW: Final = 5
"""Of so many reports every order is tried; of more, the orders among equally loaded ones."""
MOST_ORDERS: Final = 2000
ROUNDING: Final = 1e-12
"""By what share two sums of the same numbers can differ."""


def orders(reports: tuple[TransferReport, ...]) -> Iterator[tuple[TransferReport, ...]]:
    """Orders in which a store may list the reports, the trial's own first."""
    yield reports
    if len(reports) <= FEW:
        yield from permutations(reports)
        return
    by_load: dict[float, list[TransferReport]] = {}
    for report in reports:
        by_load.setdefault(report.load, []).append(report)
    yield from islice(arranged(list(by_load.values())), MOST_ORDERS)


def arranged(
    groups: Sequence[Sequence[TransferReport]],
) -> Iterator[tuple[TransferReport, ...]]:
    """Every order in which the groups stay one after the other, made one by one."""
    if not groups:
        yield ()
        return
    for first in permutations(groups[0]):
        for others in arranged(groups[1:]):
            yield first + others


def all_orders_tried(view: TransferView, rules: TransferRules, edition: Edition) -> bool:
    """Whether no order of the reports is left out that could make another answer."""
    if len(view.reports) <= FEW:
        return True
    tied = Counter(report.load for report in view.reports)
    few = math.prod(math.factorial(count) for count in tied.values()) <= MOST_ORDERS
    return few and not hangs_on_rounding(view, rules, edition)


def hangs_on_rounding(view: TransferView, rules: TransferRules, edition: Edition) -> bool:
    """Whether the last bits of sums decide; another order of the loads has other last bits."""
    spread = measure(view, rules, edition)
    if isinstance(spread, TransferReason):
        return False
    order = by_load(view, rules, edition)
    answers = {
        (
            cause(nearby, order[0], order[-1], rules, edition),
            transfer.move(nearby, order, view, rules, edition),
        )
        for nearby in around(spread, edition)
    }
    return len(answers) > 1


def around(spread: Spread, edition: Edition) -> Iterator[Spread]:
    """The spread, and what it can be at most and at least if its sums are rounded otherwise."""
    yield spread
    for less, more in product((1 - ROUNDING, 1 + ROUNDING), repeat=2):
        yield spread_from(spread.squares * less, spread.count, spread.average * more, edition)


def possible(
    hits: Hits, view: TransferView, rules: TransferRules, edition: Edition
) -> Iterator[tuple[Hits, TransferDecision]]:
    """Counts and decisions that can come out of a round, that of the trial's order first."""
    for reports in orders(view.reports):
        yield transfer.decide(hits, replace(view, reports=reports), rules, edition)


def close(observed: float | None, right: float | None, by: float) -> bool:
    """Equal but for the order of a sum; a deviation of nearly 0 may not be a number."""
    if observed is None or right is None:
        return observed is right or (observed or right or 0.0) < by
    return math.isclose(observed, right, rel_tol=1e-9, abs_tol=by)


def same(observed: TransferDecision, right: TransferDecision) -> bool:
    """The same moves, in any order, for the same reasons, and the same spread."""
    return (
        (observed.label, observed.reason) == (right.label, right.reason)
        and len(observed.moves) == len(right.moves)
        and set(observed.moves) == set(right.moves)
        and (observed.average is None) == (right.average is None)
        and close(observed.average, right.average, 1e-12)
        and close(observed.deviation, right.deviation, 1e-6 * max(1.0, right.average or 0.0))
    )


def as_some_order(
    trial: TransferTrial,
    observed: tuple[TransferDecision, ...],
    rules: TransferRules,
    edition: Edition,
) -> Finding:
    """Whether every round's answer is one that some order of its reports makes."""
    if len(observed) != len(trial.rounds):
        return Violation(f"{len(observed)} rounds of {len(trial.rounds)}", "shape")
    search = Search(trial.rounds, observed, rules, edition)
    if search.explains():
        return HOLDS
    place, hits = search.deepest
    if not all(all_orders_tried(view, rules, edition) for view in trial.rounds[: place + 1]):
        return UNEXERCISED
    right = next(possible(hits, trial.rounds[place], rules, edition))[1]
    sentence = f"round {place}: must be {told(right)}, not {told(observed[place])}"
    return Violation(sentence, kind(observed[place], right))


@dataclass(slots=True)
class Search:
    """A search for orders that explain all decisions; `deepest` is the round it never got past."""

    rounds: tuple[TransferView, ...]
    observed: tuple[TransferDecision, ...]
    rules: TransferRules
    edition: Edition
    deepest: tuple[int, Hits] = (0, 0)

    def explains(self) -> bool:
        """Whether the decisions can be made, from no hits on."""
        return some_path(0, self.nexts, len(self.rounds))

    def nexts(self, place: int, hits: Hits) -> Iterator[Hits]:
        """The counts with which a round can end as observed if it begins with this one."""
        self.deepest = max(self.deepest, (place, hits))
        for after, right in possible(hits, self.rounds[place], self.rules, self.edition):
            if same(self.observed[place], right):
                yield after


def kind(observed: TransferDecision, right: TransferDecision) -> str:
    """What is wrong, in a word."""
    if (observed.label, observed.reason) != (right.label, right.reason):
        words = [right.label.value, right.reason.value if right.reason else "moves"]
        return f"not {' '.join(words)}"
    return "moves" if set(observed.moves) != set(right.moves) else "spread"


def depends_on_order(view: TransferView, rules: TransferRules, edition: Edition) -> bool:
    """Whether brokers are equally loaded, or sums close, so that the order of reports matters."""
    tied = len({report.load for report in view.reports}) < len(view.reports)
    return tied or hangs_on_rounding(view, rules, edition)


def told(decision: TransferDecision) -> str:
    """A decision in a few words."""
    if not decision.moves:
        return f"{decision.label.value} ({decision.reason.value if decision.reason else 'none'})"
    return words(decision.moves)


def words(moves: tuple[TransferMove, ...]) -> str:
    """Moves in a few words, in a fixed order."""
    return "; ".join(
        sorted(
            f"{move.bundle} from {move.source} to {move.destination or 'anyone'}, "
            f"{move.reason.value}"
            for move in moves
        )
    )
