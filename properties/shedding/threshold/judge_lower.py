"""What ThresholdShedder's judge says of the lower boundary (SHD-83, SHD-87, SHD-88)."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, TypeAlias

from evenkeel.properties.judging.near import Near, both, some
from evenkeel.properties.judging.run import Run
from evenkeel.properties.shedding.observed import Broker
from evenkeel.properties.shedding.threshold.judge_scores import (
    History,
    Scores,
    named,
    too_little,
    unwarranted,
)
from evenkeel.reference.shedding.threshold import LOWER_MARGIN

if TYPE_CHECKING:
    from evenkeel.properties.shedding.threshold.judge import Rounds

Brokers: TypeAlias = Sequence[Broker]
NOBODY = "for a broker below the boundary"


class LowerBoundary:
    """Who draws load from whom in one round."""

    def __init__(self, rounds: Rounds) -> None:
        self.rounds = rounds
        self.threshold, self.tolerance = rounds.threshold, rounds.tolerance

    def draw(self, run: Run, brokers: Brokers, right: History, wrong: History) -> None:
        """A broker below the boundary draws load from the most loaded one."""
        scores = self.rounds.counting(run, brokers, right, wrong, self.drawn)
        boundary = scores.average - self.threshold
        shedding = [broker for broker in brokers if broker.shed]
        highest = self.highest(brokers, scores)
        below = some(score.below(boundary) for score in scores.of)
        if highest is None or not run.rule(both(below, highest.above(boundary))):
            if any(broker.weights for broker in brokers):
                self.rounds.demand(
                    run,
                    "SHD-87",
                    not shedding,
                    lambda: f"{named(shedding)} without a broker below {boundary}",
                )
            return
        sources = [
            broker
            for broker, score in zip(brokers, scores.of, strict=True)
            if broker.several and score.may_equal(highest)
        ]
        if not (shedding or self.tolerance.exact) and self.led_by_a_sole(brokers, scores, highest):
            return
        source = sources[run.pick(len(sources))]
        others = [broker for broker in shedding if broker is not source]
        if len(brokers) > 1:
            self.rounds.demand(
                run,
                "SHD-87",
                not others,
                lambda: f"{named(others)}, but {source.place} is most loaded",
                "source",
            )
        if not others and source.weights:
            self.draw_from(run, source)

    def led_by_a_sole(self, brokers: Brokers, scores: Scores, highest: Near) -> bool:
        """Whether the most loaded of all may have one bundle: document 003 skips its unload."""
        return any(
            not broker.several and score.at_least(highest) is not False
            for broker, score in zip(brokers, scores.of, strict=True)
        )

    def draw_from(self, run: Run, source: Broker) -> None:
        """need = T · t · 0.5; nothing if that is less than m."""
        need = self.tolerance.as_traffic(source.traffic * self.threshold.value * LOWER_MARGIN)
        if run.rule(self.rounds.is_worth_it(need)):
            self.rounds.sheds(run, source, need, "SHD-88", ("SHD-88", "SHD-88"), NOBODY)
        else:
            why = unwarranted(source, too_little(need))
            self.rounds.demand(run, "SHD-83", not source.shed, why)

    def highest(self, brokers: Brokers, scores: Scores) -> Near | None:
        """The largest score of a broker with several bundles."""
        able = [s for b, s in zip(brokers, scores.of, strict=True) if b.several]
        return max(able, key=lambda score: score.value, default=None)

    def drawn(self, brokers: Brokers, scores: Scores) -> object:
        """Whether somebody is below the boundary, and who is the most loaded."""
        boundary = scores.average - self.threshold
        highest = self.highest(brokers, scores)
        if highest is None:
            return None
        below = some(score.below(boundary) for score in scores.of)
        return both(below, highest.above(boundary)), scores.of.index(highest)
