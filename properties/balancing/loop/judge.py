"""A run, moment by moment: BAL-1 to BAL-8, BAL-28 and BAL-29 here, the other clauses in the modules
that it calls.

Nothing is decided here: the cluster follows the events of the trial and the placements and moves
of the observation. Every number, bundle and move is compared with it.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterator, Sequence

from evenkeel.properties.balancing.loop.evenness import judge_evenness, judge_relief
from evenkeel.properties.balancing.loop.placing import judge_placements, knows_reports
from evenkeel.properties.balancing.loop.progress import (
    Pairs,
    Round,
    is_constant,
    throughput,
    uniform_moves,
)
from evenkeel.properties.balancing.loop.replay import LoopReading, alike, unlike_strategies
from evenkeel.properties.balancing.loop.transferring import Rounds
from evenkeel.properties.balancing.loop.trials import BalancingTrial, Cluster, cut, weight
from evenkeel.properties.balancing.loop.triggers import (
    MOST_USAGE,
    ObservedLoad,
    is_quiet,
    must_shed,
    ordinary,
)
from evenkeel.properties.tolerance import tolerance_of
from evenkeel.reference.balancing.balancer import Alone
from evenkeel.reference.balancing.history import Gauge, History, Moment, Move, Placed
from evenkeel.reference.balancing.scenario import (
    Crash,
    DelayReports,
    Join,
    LeaderChange,
    Leave,
    LoseReports,
    Scenario,
    Split,
)
from evenkeel.reference.balancing.settings import Placer, Strategy
from evenkeel.reference.edition import Edition
from evenkeel.reference.shedding.cluster import MINUTE, BrokerId, BundleName, Millis
from evenkeel_engine import spec
from evenkeel_engine.kit.approx import Ternary
from evenkeel_engine.kit.clause import Case, Findings, Violation, in_full
from evenkeel_engine.kit.formatting import display
from evenkeel_engine.kit.judge import is_must, monitor
from evenkeel_engine.kit.observations import Broke, Refused
from evenkeel_engine.kit.run import MonitorRun, Sentence, fill


def judged_rounds(scenario: Scenario) -> bool:
    """Whether the leader knows the gauges: every report arrives at once.

    Changes of leader are excluded: smoothed values start again. So are splits: load jumps.
    """
    others = DelayReports | LoseReports | LeaderChange | Split
    return not any(isinstance(event, others) for event in scenario.events)


class Triggers:
    """What is known of a run in each round, and the verdicts on calm and progress.

    `alone`: whether rounds with a lone broker count. It gives nothing away, or what it likes.
    """

    def __init__(
        self, run: MonitorRun, trial: BalancingTrial, edition: Edition, alone: Alone
    ) -> None:
        self.scenario = trial.scenario
        self.balancer = trial.balancer
        self.edition = edition
        self.alone = alone
        self.run = run
        self.cluster = Cluster(trial.scenario)
        self.known = ObservedLoad(trial.balancer.settings)
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
        counts = len(registered) > 1 or self.alone.sheds
        # Wrong answers may lack the gauge of a registered broker: then nothing is known.
        if due and counts and self.known.latest:
            self.known.step()
            self.calm(moment)
            self.progress(moment, self.round(moment))
            self.pairs.note_moves({move.source for move in moment.moves})
        self.moved |= dict.fromkeys((move.bundle for move in moment.moves), moment.at)

    def round(self, moment: Moment) -> Round:
        """The state when the round begins."""
        grace = self.balancer.settings.grace_minutes * MINUTE
        up = frozenset(gauge.broker for gauge in moment.gauges)
        free = (
            bundle
            for gauge in moment.gauges
            for bundle in ordinary(gauge.bundles, self.edition)
            if bundle not in self.moved or moment.at - self.moved[bundle] > grace
        )
        complete = self.cluster.registered == up
        loads = {one.name: weight(one, moment.at) for one in self.cluster.bundles}
        latest = dict(self.known.latest)
        return Round(moment.at, latest, up, complete, frozenset(free), loads, self.edition)

    def calm(self, moment: Moment) -> None:
        """Where the trigger does not hold, nothing moves."""
        if is_quiet(self.balancer.strategy, self.known, self.edition):
            self.run.require("BAL-9", not moment.moves, lambda: self.moved_at_ease(moment))

    def moved_at_ease(self, moment: Moment) -> str:
        strategy, moved = self.balancer.strategy, len(moment.moves)
        usages = ", ".join(f"{gauge.usage:.3f}" for gauge in self.known.latest.values())
        return f"at {moment.at} ms {strategy} moves {moved} bundles at {usages}"

    def progress(self, moment: Moment, round_: Round) -> None:
        """Where the trigger holds, something moves.

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
                self.run.require("BAL-10", sheds, sentence, strategy)
            if strategy is Strategy.UNIFORM and self.constant:
                self.moves_something(moment, round_)

    def givers(self, round_: Round) -> list[BrokerId]:
        """Brokers of a modular manager that surely give something in this round."""
        strategy = self.balancer.strategy
        if strategy is Strategy.AVG:
            return self.pairs.step(round_) if self.constant else []
        movable = {broker: self.movable(round_, broker) for broker in round_.gauges}
        found = must_shed(strategy, self.known, movable, self.edition)
        return [broker for broker in found if broker in round_.up and len(round_.gauges) > 1]

    def movable(self, round_: Round, broker: BrokerId) -> int:
        """The number of a broker's bundles that may move; for ThresholdShedder, that must: not idle
        ones, nor the only one that is not (SHD-81).
        """
        bundles = round_.gauges[broker].bundles
        if self.balancer.strategy is Strategy.THRESHOLD:
            bundles = tuple(
                bundle
                for bundle in ordinary(bundles, self.edition)
                if throughput(round_.loads[bundle]) > 0
            )
            if len(bundles) < 2:
                return 0
        return sum(bundle in round_.free for bundle in bundles)

    def moves_something(self, moment: Moment, round_: Round) -> None:
        """UniformLoadShedder moves something, from the busiest by rate or by throughput."""
        if uniform_moves(self.balancer.settings, round_):
            sentence = f"at {moment.at} ms uniform moves nothing at {differences(round_)}"
            self.run.require("BAL-10", bool(moment.moves), sentence, Strategy.UNIFORM)

    def transfers(self, moment: Moment, round_: Round) -> None:
        """TransferShedder moves something from the fullest broker (BAL-18)."""
        if not self.constant:
            return
        givers = self.rounds.step(round_)
        if givers:
            sheds = any(move.source in givers for move in moment.moves)
            loads = ", ".join(f"{b} {gauge.usage:.3f}" for b, gauge in round_.gauges.items())
            row = f"after {self.rounds.hits} rounds in a row that count"
            sentence = f"at {moment.at} ms the fullest broker gives nothing, {row}; loads: {loads}"
            self.run.require("BAL-18", sheds, sentence)
        self.rounds.note_moves(moment.at, moment.moves)


def differences(round_: Round) -> str:
    """The loads that UniformLoadShedder compares."""
    return ", ".join(
        f"{gauge.msg_rate:g} msg/s and {gauge.throughput:g} B/s" for gauge in round_.gauges.values()
    )


def follow_triggers(
    run: MonitorRun, trial: BalancingTrial, observed: History, edition: Edition, alone: Alone
) -> None:
    """Judge calm and progress in each round. Which broker serves what does not matter here."""
    if judged_rounds(trial.scenario):
        world = Triggers(run, trial, edition, alone)
        for moment in observed.moments:
            if any(gauge.usage > MOST_USAGE for gauge in moment.gauges):
                break
            world.moment(moment)


LoopCase = Case[BalancingTrial, History]


class LoopMonitor:
    """What is known of a cluster at a moment."""

    def __init__(
        self, run: MonitorRun, trial: BalancingTrial, edition: Edition, alone: Alone
    ) -> None:
        self.scenario = trial.scenario
        self.grace = trial.balancer.settings.grace_minutes * MINUTE
        self.patience = 1 if edition.destination_when_shed else 0
        self.forgets = edition.leader_change_forgets_grace
        transfers = trial.balancer.strategy is Strategy.TRANSFER
        documented = trial.balancer.strategy in (Strategy.THRESHOLD, Strategy.OVERLOAD)
        by_habit = transfers or (not documented and is_must("BAL-29", edition.name))
        self.about_grace = "BAL-29" if by_habit else "BAL-4"
        self.swaps_ignore_grace = transfers and edition.transfer_swaps_unguarded
        self.run = run
        self.tolerance = tolerance_of(edition)
        keeps = transfers and edition.extensible_never_unloads
        self.cluster = Cluster(trial.scenario, keeps, alone.children)
        self.moved_at: dict[BundleName, list[Millis]] = {}
        self.remembered: dict[BundleName, Millis] = {}
        self.waited: Counter[BundleName] = Counter()
        self.reports_come = not any(
            isinstance(event, DelayReports | LoseReports) for event in trial.scenario.events
        )
        self.now = 0
        self.placed_early: Millis | None = None
        run.facts = self.facts

    def facts(self) -> Iterator[str]:
        """The grace period, and when bundles moved."""
        yield f"the grace period is {self.grace} ms"
        for bundle, times in self.moved_at.items():
            yield f"{bundle} moved at {display(times)} ms"

    def moment(self, moment: Moment) -> None:
        """One step of the run."""
        self.now = moment.at
        self.happen()
        for placed in moment.placed:
            self.place(placed)
        self.served_again(moment)
        if self.partition(moment):
            self.gauges(moment.gauges)
        for move in moment.moves:
            self.move(move)

    def happen(self) -> None:
        """Process what has happened since the step before."""
        events = self.cluster.pass_to(self.now)
        if self.forgets and any(isinstance(event, LeaderChange) for event in events):
            self.remembered.clear()

    def place(self, placed: Placed) -> None:
        """Clients looked a bundle up: no broker served it, and the clients were back."""
        ready = self.cluster.away.get(placed.bundle, self.now + 1) <= self.now
        if not ready and self.placed_early is None:
            self.placed_early = self.now
        sentence = "{} is placed with {}, but no client has looked it up"
        self.require("BAL-7", ready, sentence, placed.bundle, placed.broker, kind="nobody asked")
        up = placed.broker in self.cluster.up
        sentence = "{} is placed with {}, which is down"
        self.require("BAL-2", up, sentence, placed.bundle, placed.broker, kind="down")
        if up:
            self.cluster.assign(placed.bundle, placed.broker)

    def served_again(self, moment: Moment) -> None:
        """Bundles whose clients are back are served, unless no broker can serve them (BAL-2)."""
        can = bool(self.cluster.up) and not self.cluster.dying and self.reports_come
        late = [name for name, back_at in self.cluster.away.items() if back_at <= self.now]
        self.waited = Counter({name: self.waited[name] + 1 for name in late if can})
        for name, steps in self.waited.items():
            sentence = "{} is looked up and served by no broker"
            self.require("BAL-2", steps <= self.patience, sentence, name, kind="lost")
        if can and moment.placed:
            self.run.require("BAL-2", True)

    def partition(self, moment: Moment) -> bool:
        """Every bundle is served by one broker or by none, and reported so (BAL-3)."""
        seen = Counter(bundle for gauge in moment.gauges for bundle in gauge.bundles)
        seen.update(moment.away)
        odd = [f"{name} {count} times" for name, count in seen.items() if count > 1]
        existing = self.cluster.owner.keys() | self.cluster.away.keys()
        odd += [f"{name}, which does not exist" for name in seen if name not in existing]
        missing = [name for name in sorted(existing) if name not in seen]
        words = ", ".join(odd) or "none twice", ", ".join(missing) or "none"
        right = not odd and not missing
        kind = "twice" if odd else "missing"
        self.require("BAL-3", right, "counted: {}; missing: {}", *words, kind=kind)
        return right

    def gauges(self, gauges: Sequence[Gauge]) -> None:
        """What the brokers carry is the sum of their bundles, and no bundle moved without cause."""
        right = {gauge.broker: gauge for gauge in self.cluster.gauges()}
        by_broker = {gauge.broker: gauge for gauge in gauges}
        same = by_broker.keys() == right.keys()
        names = sorted(by_broker), sorted(right)
        self.require("BAL-7", same, "{} are up, not {}", *names, kind="brokers")
        for broker, known in right.items():
            if broker not in by_broker:
                continue
            gauge = by_broker[broker]
            same = sorted(gauge.bundles) == list(known.bundles)
            values = broker, sorted(gauge.bundles), list(known.bundles)
            self.require("BAL-7", same, "{} serves {}, not {}", *values, kind="by itself")
            if same:
                same = alike(gauge, known, self.tolerance)
                self.require("BAL-1", same, "{}, not {}", gauge, known)

    def move(self, move: Move) -> None:
        """A bundle leaves its owner."""
        owner = self.cluster.owner.get(move.bundle)
        sentence = "{} leaves {}, but is served by {}"
        self.require("BAL-5", owner == move.source, sentence, move.bundle, move.source, owner)
        names = move.bundle, move.source
        if move.destination is not None:
            values = move.bundle, move.source, move.destination
            other = move.destination != move.source
            self.require("BAL-6", other, "{} goes from {} to {}", *values, kind="itself")
            active = move.destination in self.cluster.registered
            sentence = "{} goes from {} to {}, which is not registered"
            self.require("BAL-6", active, sentence, *values, kind="nobody")
        alone = self.cluster.registered <= {move.source}
        sentence = "{} leaves {}, the only registered broker"
        self.require("BAL-28", not alone, sentence, *names, kind="alone")
        self.within_grace(move)
        if owner is not None:
            self.cluster.carry_out(move, self.now)

    def within_grace(self, move: Move) -> None:
        """Grace, and its consequence for an hour (BAL-4, BAL-29, BAL-8)."""
        before = self.remembered.get(move.bundle)
        if before is not None and not self.swaps_ignore_grace:
            values = move.bundle, self.now - before, self.grace
            sentence = "{} moved {} ms ago, with {} ms of grace"
            over = may_move_again(self.now - before, self.grace, self.tolerance.exact)
            self.require(self.about_grace, over, sentence, *values)
        self.remembered[move.bundle] = self.now
        times = self.moved_at.setdefault(move.bundle, [])
        times.append(self.now)
        if not self.forgets:
            hour = sum(self.now - at < 60 * MINUTE for at in times)
            most = most_unloads(self.grace, self.scenario.timing.shedding)
            self.require("BAL-8", hour <= most, "{} moved {} times in an hour", move.bundle, hour)

    def require(
        self, clause: str, holds: Ternary, template: str, *values: object, kind: str = ""
    ) -> None:
        """Require it, with the template as the sentence."""
        self.run.require(clause, holds, self.at_now(template, *values), kind)

    def at_now(self, template: str, *values: object) -> Sentence:
        """The template filled with these values, with the time."""
        return fill(f"at {self.now} ms: {template}", *values)


def may_move_again(since: Millis, grace: Millis, exact: bool) -> bool:
    """Whether the grace period of a bundle that moved this long ago is over. By the documents its
    last moment may be taken either way; in 4.0 (`exact`) it belongs to the period (BAL-4).
    """
    return since > grace if exact else since >= grace


def most_unloads(grace: Millis, interval: Millis) -> int:
    """The most moves of a bundle within an hour, each in the first round after its grace period."""
    apart = max(math.ceil(grace / interval), 1) * interval
    return math.ceil(60 * MINUTE / apart)


def follow(run: MonitorRun, case: LoopCase, observed: History, alone: Alone) -> int | None:
    """Judge BAL-1 to BAL-8, BAL-28 and BAL-29.

    Returns the number of moments that a replay can follow; None if an unknown bundle, broker or
    moment is named. A bundle placed before its clients ask, by the documents a departure (BAL-7),
    makes a replay diverge; so may a broker that left and returned between two moments.
    """
    trial, timing = case.trial, case.trial.scenario.timing
    world = LoopMonitor(run, trial, case.edition, alone)
    times = [moment.at for moment in observed.moments]
    if times != list(range(0, timing.end + 1, timing.step)):
        run.require("BAL-7", False, world.at_now("the moments are {}", times), "shape")
        return None
    bundles = {bundle.name for bundle in trial.scenario.every_bundle}
    brokers = {broker.id for broker in trial.scenario.brokers}
    known = True
    for moment in observed.moments:
        moved = {*(placed.bundle for placed in moment.placed), *(m.bundle for m in moment.moves)}
        if not bundles.issuperset(moved):
            run.require(
                "BAL-7",
                False,
                world.at_now("there are no bundles {}", sorted(moved - bundles)),
                "shape",
            )
            return None
        known &= bundles.issuperset({bundle for gauge in moment.gauges for bundle in gauge.bundles})
        known &= brokers.issuperset(gauge.broker for gauge in moment.gauges)
        world.moment(moment)
    if not known:
        return None
    if world.tolerance.exact:
        return len(times)
    elsewhere = [world.placed_early] if world.placed_early is not None else []
    moments = [*elsewhere, *unseen_restarts(case.trial.scenario)]
    return min(map(times.index, moments), default=len(times))


def unseen_restarts(scenario: Scenario) -> Iterator[Millis]:
    """The moments before which a broker left and returned since the moment before: its state may be
    forgotten by then, or the absence undetected.
    """
    step, end = scenario.timing.step, scenario.timing.end
    for index, event in enumerate(scenario.events):
        seen = -(-event.at // step) * step
        if isinstance(event, Leave | Crash) and seen <= end:
            later = scenario.events[index + 1 :]
            back = (one for one in later if isinstance(one, Join) and one.broker == event.broker)
            if any(one.at <= seen for one in back):
                yield seen


@monitor(
    "balancing.loop",
    *("BAL-1", "BAL-2", "BAL-3", "BAL-4", "BAL-5", "BAL-6", "BAL-7", "BAL-8", "BAL-9", "BAL-10"),
    *("BAL-11", "BAL-17", "BAL-18", "BAL-22", "BAL-26", "BAL-27", "BAL-28", "BAL-29"),
)
def judge_loop(run: MonitorRun, case: LoopCase) -> None:
    observed = case.observation
    if isinstance(observed, Refused | Broke):
        for clause in ("BAL-7", "BAL-11"):
            run.require(clause, False, fill("the loop {}", in_full(observed)), "failed")
        return
    found = judge(case, observed, Alone(), run.disabled)
    if found.is_violated and is_must("BAL-22", case.edition.name) and has_lone_broker(case.trial):
        found = min((found, *others(case, observed, run.disabled)), key=errors)
    run.findings = found


def others(case: LoopCase, observed: History, disabled: frozenset[str]) -> Iterator[Findings]:
    """The verdicts by other interpretations of a lone broker, which the documents leave open."""
    for children, sheds in ((True, False), (False, True), (True, True)):
        yield judge(case, observed, Alone(children, sheds), disabled)


def errors(found: Findings) -> tuple[int, int]:
    """The number of violated MUST clauses, and of all violated clauses."""
    binding = [id_ for id_ in found.violated if level_of(id_) is not spec.Level.SHOULD]
    return len(binding), len(found.violated)


def level_of(clause: str) -> spec.Level:
    """The level of a clause in DOCUMENTED."""
    return spec.find_clause(clause).level_in("DOCUMENTED")


def has_lone_broker(trial: BalancingTrial) -> bool:
    """Whether there is a moment at which one broker is registered."""
    cluster, timing = Cluster(trial.scenario), trial.scenario.timing
    for now in range(0, timing.end + 1, timing.step):
        cluster.pass_to(now)
        if len(cluster.registered) == 1:
            return True
    return False


def judge(case: LoopCase, observed: History, alone: Alone, disabled: frozenset[str]) -> Findings:
    """The verdicts of all clauses, if a lone broker behaves like this."""
    run = MonitorRun(disabled)
    moments = follow(run, case, observed, alone)
    if moments is None:
        return run.findings
    follow_triggers(run, case.trial, observed, case.edition, alone)
    if is_must("BAL-17", case.edition.name):
        judge_evenness(run, case.trial, observed)
    if is_must("BAL-22", case.edition.name):
        judge_relief(run, case.trial, observed)
    judge_placements(run, case.trial, observed, case.edition, alone)
    if moments > 1:
        strategies_decide(run, *cut(case.trial, observed, moments), case.edition, alone)
    return run.findings


def strategies_decide(
    run: MonitorRun, trial: BalancingTrial, observed: History, edition: Edition, alone: Alone
) -> None:
    """BAL-11. By the documents the last moment of a grace period may be taken either way (SHD-3),
    and placing a bundle elsewhere departs from BAL-27: how histories of usage affect that, its own
    judge does not know.
    """
    arguments = trial, observed, edition
    elsewhere: list[Violation] = []
    objection = unlike_strategies(*arguments, LoopReading(alone), elsewhere)
    if objection is not None and not tolerance_of(edition).exact:
        free = LoopReading(alone, last_moment_free=True)
        if unlike_strategies(*arguments, free, elsewhere := []) is None:
            objection = None
    by_history = trial.balancer.placement is Placer.RESOURCE_USAGE
    if objection is None and elsewhere and by_history and knows_reports(trial):
        run.require("BAL-27", False, elsewhere[0].sentence, elsewhere[0].kind)
    if objection is None:
        run.require("BAL-11", True)
    else:
        run.facts = lambda: objection.facts
        run.require("BAL-11", False, objection.sentence, objection.kind)
