"""Following what the strategy's documented trigger said, round by round (BAL-9, BAL-10, BAL-18)."""

from __future__ import annotations

from evenkeel.properties.balancing.loop.cluster import Cluster, weight
from evenkeel.properties.balancing.loop.progress import (
    Pairs,
    Round,
    is_constant,
    throughput,
    uniform_moves,
)
from evenkeel.properties.balancing.loop.transferring import Rounds
from evenkeel.properties.balancing.loop.trial import BalancingTrial
from evenkeel.properties.balancing.loop.triggers import (
    MOST_USAGE,
    Carried,
    is_quiet,
    must_shed,
    ordinary,
)
from evenkeel.properties.findings import Findings
from evenkeel.reference.balancing.history import History, Moment
from evenkeel.reference.balancing.scenario import (
    DelayReports,
    LeaderChange,
    LoseReports,
    Scenario,
    Split,
)
from evenkeel.reference.balancing.settings import Strategy
from evenkeel.reference.edition import Edition
from evenkeel.reference.shedding.cluster import MINUTE, BrokerId, BundleName, Millis


def judged(scenario: Scenario) -> bool:
    """Whether the leader knows what the gauges say: every report arrives, and at once.

    Changes of leader are left out: what is smoothed begins anew. So are splits: load jumps.
    """
    others = DelayReports | LoseReports | LeaderChange | Split
    return not any(isinstance(event, others) for event in scenario.events)


class Triggers:
    """What is known of a run round by round, and what that says about calm and progress."""

    def __init__(self, trial: BalancingTrial, edition: Edition, findings: Findings) -> None:
        self.scenario = trial.scenario
        self.balancer = trial.balancer
        self.edition = edition
        self.findings = findings
        self.cluster = Cluster(trial.scenario)
        self.known = Carried(trial.balancer.settings)
        self.pairs = Pairs(trial.balancer.settings)
        self.rounds = Rounds(trial.balancer.settings, edition)
        self.constant = is_constant(trial.scenario)
        self.loads = {bundle.name: bundle.traffic for bundle in trial.scenario.bundles}
        self.moved: dict[BundleName, Millis] = {}

    def moment(self, moment: Moment) -> None:
        """One step of the run, perhaps with a round of shedding."""
        self.cluster.pass_to(moment.at)
        registered = self.cluster.registered
        self.known.look(moment, registered)
        due = moment.at and moment.at % self.scenario.timing.shedding == 0
        # Wrong answers may have no gauge of anybody who is taken for alive: nothing is known then.
        if due and len(registered) > 1 and self.known.latest:
            self.known.step()
            self.calm(moment)
            self.progress(moment, self.round(moment))
            self.pairs.moved({move.source for move in moment.moves})
        self.moved |= dict.fromkeys((move.bundle for move in moment.moves), moment.at)

    def round(self, moment: Moment) -> Round:
        """What there is when the round begins."""
        grace = self.balancer.settings.grace_minutes * MINUTE
        up = frozenset(gauge.broker for gauge in moment.gauges)
        free = (
            bundle
            for gauge in moment.gauges
            for bundle in ordinary(gauge.bundles)
            if bundle not in self.moved or moment.at - self.moved[bundle] > grace
        )
        complete = self.cluster.registered == up
        loads = {one.name: weight(one, moment.at) for one in self.cluster.bundles}
        return Round(moment.at, dict(self.known.latest), up, complete, frozenset(free), loads)

    def calm(self, moment: Moment) -> None:
        """Where the trigger is absent, nothing moves."""
        strategy = self.balancer.strategy
        if is_quiet(strategy, self.known, self.edition):
            self.findings.note("BAL-9", not moment.moves, lambda: self.moved_at_ease(moment))

    def moved_at_ease(self, moment: Moment) -> str:
        strategy, moved = self.balancer.strategy, len(moment.moves)
        usages = ", ".join(f"{gauge.usage:.3f}" for gauge in self.known.latest.values())
        return f"at {moment.at} ms {strategy} moves {moved} bundles at {usages}"

    def progress(self, moment: Moment, round_: Round) -> None:
        """Where the trigger is there, something moves.

        Not where a modular leader of 4.0 may leave a bundle with its owner.
        """
        strategy = self.balancer.strategy
        if strategy is Strategy.TRANSFER:
            self.transfers(moment, round_)
        elif not self.edition.destination_when_shed:
            for broker in self.givers(round_):
                sheds = any(move.source == broker for move in moment.moves)
                usage = f"{self.known.latest[broker].usage:.3f}"
                sentence = f"at {moment.at} ms {broker} is at {usage} and keeps all"
                self.findings.note("BAL-10", sheds, sentence, strategy)
            if strategy is Strategy.UNIFORM and self.constant:
                self.moves_something(moment, round_)

    def givers(self, round_: Round) -> list[BrokerId]:
        """Brokers of a modular manager that surely give something in this round."""
        strategy = self.balancer.strategy
        if strategy is Strategy.AVG:
            return self.pairs.step(round_) if self.constant else []
        movable = {broker: self.movable(round_, broker) for broker in round_.gauges}
        found = must_shed(strategy, self.known, movable, self.edition)
        return [broker for broker in found if broker in round_.up]

    def movable(self, round_: Round, broker: BrokerId) -> int:
        """How many of a broker's bundles may go; of ThresholdShedder's those that must: not idle
        ones, nor the only one that is not (SHD-81).
        """
        bundles = round_.gauges[broker].bundles
        if self.balancer.strategy is Strategy.THRESHOLD:
            bundles = tuple(b for b in ordinary(bundles) if throughput(round_.loads[b]) > 0)
            if len(bundles) < 2:
                return 0
        return sum(bundle in round_.free for bundle in bundles)

    def moves_something(self, moment: Moment, round_: Round) -> None:
        """UniformLoadShedder moves something, from the busiest by rate or by throughput."""
        if uniform_moves(self.balancer.settings, round_):
            sentence = f"at {moment.at} ms uniform moves nothing at {differences(round_)}"
            self.findings.note("BAL-10", bool(moment.moves), sentence, Strategy.UNIFORM)

    def transfers(self, moment: Moment, round_: Round) -> None:
        """TransferShedder takes something from the fullest broker (BAL-18)."""
        if not self.constant:
            return
        givers = self.rounds.step(round_)
        if givers:
            sheds = any(move.source in givers for move in moment.moves)
            usages = ", ".join(f"{gauge.usage:.3f}" for gauge in round_.gauges.values())
            sentence = f"at {moment.at} ms the fullest of {usages} keeps all"
            self.findings.note("BAL-18", sheds, sentence)
        self.rounds.moved(moment.at, moment.moves)


def differences(round_: Round) -> str:
    """What UniformLoadShedder looks at."""
    return ", ".join(
        f"{gauge.msg_rate:g} msg/s and {gauge.throughput:g} B/s" for gauge in round_.gauges.values()
    )


def follow_triggers(
    trial: BalancingTrial, observed: History, edition: Edition, findings: Findings
) -> None:
    """What the rounds say about calm and progress. Who serves what does not matter here."""
    if judged(trial.scenario):
        world = Triggers(trial, edition, findings)
        for moment in observed.moments:
            if any(gauge.usage > MOST_USAGE for gauge in moment.gauges):
                break
            world.moment(moment)
