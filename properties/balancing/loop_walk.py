"""Following a run moment by moment (BAL-1 to BAL-8).

Nothing here decides: the cluster is followed as the events of the trial and the placements and
moves of the observation make it. Every number, bundle and move is held against that.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Sequence

from evenkeel.properties.balancing.trials import BalancingTrial
from evenkeel.properties.clause import Case, describe
from evenkeel.properties.findings import Findings
from evenkeel.properties.observations import Broke, Refused
from evenkeel.reference.balancing import world as worlds
from evenkeel.reference.balancing.history import Gauge, History, Moment, Move, Placed
from evenkeel.reference.balancing.scenario import DelayReports, LeaderChange, LoseReports
from evenkeel.reference.balancing.settings import WEIGHTS, Strategy
from evenkeel.reference.balancing.world import Away, World
from evenkeel.reference.edition import Edition
from evenkeel.reference.shedding.cluster import MINUTE, BundleName, Millis

CLOSE = 1e-9
"""Sums may be added up in any order."""


class Walk:
    """What is known of a cluster at a moment."""

    def __init__(self, trial: BalancingTrial, edition: Edition) -> None:
        self.scenario = trial.scenario
        self.grace = trial.balancer.settings.grace_minutes * MINUTE
        self.patience = 1 if edition.destination_when_shed else 0
        self.forgets = edition.leader_change_forgets_grace
        transfers = trial.balancer.strategy is Strategy.TRANSFER
        self.swaps_ignore_grace = transfers and edition.transfer_swaps_unguarded
        self.findings = Findings()
        self.world: World = worlds.beginning(trial.scenario)
        self.moved_at: dict[BundleName, list[Millis]] = {}
        self.remembered: dict[BundleName, Millis] = {}
        self.waited: Counter[BundleName] = Counter()
        self.reports_come = not any(
            isinstance(event, DelayReports | LoseReports) for event in trial.scenario.events
        )
        self.now = 0

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
        """What has happened since the step before."""
        for event in self.scenario.events:
            if not self.now - self.scenario.timing.step < event.at <= self.now:
                continue
            if isinstance(event, LeaderChange):
                if self.forgets:
                    self.remembered.clear()
            else:
                self.world = worlds.happen(self.world, event, self.scenario.timing)
        self.world = worlds.pass_time(self.world, self.now)

    def place(self, placed: Placed) -> None:
        """Clients looked a bundle up: nobody served it, and they were back."""
        away = self.world.away.get(placed.bundle)
        told = f"{placed.bundle} is placed with {placed.broker}"
        ready = away is not None and away.back_at <= self.now
        self.note("BAL-7", ready, f"{told}, but no client has looked it up", "nobody asked")
        up = placed.broker in self.world.up
        self.note("BAL-2", up, f"{told}, which is down", "down")
        if up:
            self.world = worlds.assign(self.world, placed.bundle, placed.broker)

    def served_again(self, moment: Moment) -> None:
        """Bundles whose clients are back are served, unless nobody can (BAL-2)."""
        can = bool(self.world.up) and not self.world.dying and self.reports_come
        late = [name for name, away in self.world.away.items() if away.back_at <= self.now]
        self.waited = Counter({name: self.waited[name] + 1 for name in late if can})
        for name, steps in self.waited.items():
            told = f"{name} is looked up and served by nobody"
            self.note("BAL-2", steps <= self.patience, told, "lost")
        if can and moment.placed:
            self.note("BAL-2", True)

    def partition(self, moment: Moment) -> bool:
        """Every bundle is served by one broker or by none, and it is told by which (BAL-3)."""
        seen = Counter(bundle for gauge in moment.gauges for bundle in gauge.bundles)
        seen.update(moment.away)
        odd = [f"{name} {count} times" for name, count in seen.items() if count > 1]
        missing = [bundle.name for bundle in self.scenario.bundles if bundle.name not in seen]
        told = f"counted: {', '.join(odd) or 'none twice'}; missing: {', '.join(missing) or 'none'}"
        self.note("BAL-3", not odd and not missing, told, "twice" if odd else "missing")
        return not odd and not missing

    def gauges(self, gauges: Sequence[Gauge]) -> None:
        """What the brokers carry is what their bundles weigh, and nothing moved by itself."""
        loads = worlds.loads_at(self.scenario.bundles, self.now)
        right = worlds.measure_all(self.world, self.scenario.brokers, loads)
        by_broker = {gauge.broker: gauge for gauge in gauges}
        told = f"{sorted(by_broker)} are up, not {sorted(right)}"
        self.note("BAL-7", set(by_broker) == set(right), told, "brokers")
        for broker, report in right.items():
            if broker not in by_broker:
                continue
            gauge = by_broker[broker]
            same = sorted(gauge.bundles) == sorted(report.bundles)
            told = f"{broker} serves {sorted(gauge.bundles)}, not {sorted(report.bundles)}"
            self.note("BAL-7", same, told, "by itself")
            if same:
                known = worlds.gauge(broker, report, WEIGHTS)
                self.note("BAL-1", alike(gauge, known), f"{gauge}, not {known}")

    def move(self, move: Move) -> None:
        """A bundle leaves its owner."""
        owner = self.world.owner.get(move.bundle)
        told = f"{move.bundle} leaves {move.source}, but is served by {owner}"
        self.note("BAL-5", owner == move.source, told)
        if move.destination is not None:
            self.destination(move)
        self.within_grace(move)
        if owner is not None:
            self.leave(move)

    def destination(self, move: Move) -> None:
        """A destination is another broker, taken for alive (BAL-6)."""
        told = f"{move.bundle} goes from {move.source} to {move.destination}"
        self.note("BAL-6", move.destination != move.source, told, "itself")
        there = move.destination in worlds.registered(self.world)
        self.note("BAL-6", there, f"{told}, which is not there", "nobody")

    def within_grace(self, move: Move) -> None:
        """Grace, and what follows of it for an hour (BAL-4, BAL-8)."""
        before = self.remembered.get(move.bundle)
        if before is not None and not self.swaps_ignore_grace:
            told = f"{move.bundle} moved {self.now - before} ms ago, with {self.grace} ms of grace"
            self.note("BAL-4", self.now - before > self.grace, told)
        self.remembered[move.bundle] = self.now
        times = self.moved_at.setdefault(move.bundle, [])
        times.append(self.now)
        if not self.forgets:
            hour = sum(self.now - at < 60 * MINUTE for at in times)
            most = most_unloads(self.grace, self.scenario.timing.shedding)
            self.note("BAL-8", hour <= most, f"{move.bundle} moved {hour} times in an hour")

    def leave(self, move: Move) -> None:
        """The bundle is with nobody, or with the destination of a transfer."""
        timing = self.scenario.timing
        if not move.transfer:
            back = Away(self.now + timing.reconnect)
            self.world = worlds.unload(self.world, move.bundle, back)
            return
        back = Away(self.now + timing.transfer, move.destination)
        self.world = worlds.unload(self.world, move.bundle, back)
        if timing.transfer == 0 and move.destination in self.world.up and move.destination:
            self.world = worlds.assign(self.world, move.bundle, move.destination)

    def note(self, clause: str, holds: bool, sentence: str = "", kind: str = "") -> None:
        """A clause held, or was violated."""
        self.findings.note(clause, holds, f"at {self.now} ms: {sentence}", kind)


def most_unloads(grace: Millis, interval: Millis) -> int:
    """How often a bundle can be moved within an hour: the next time is after its grace (BAL-8)."""
    apart = (grace // interval + 1) * interval
    return math.ceil(60 * MINUTE / apart)


def alike(gauge: Gauge, known: Gauge) -> bool:
    """The same numbers, but for the order of adding up."""
    return all(
        math.isclose(given, right, rel_tol=CLOSE, abs_tol=CLOSE)
        for given, right in (
            (gauge.usage, known.usage),
            (gauge.msg_rate, known.msg_rate),
            (gauge.throughput, known.throughput),
        )
    )


def walk_loop(case: Case[BalancingTrial, History]) -> Findings:
    """What a history says about every clause of the walk."""
    trial, observed = case.trial, case.observation
    walk = Walk(trial, case.edition)
    timing = trial.scenario.timing
    if isinstance(observed, Refused | Broke):
        walk.note("BAL-7", False, f"the loop {describe(observed)}", "failed")
        return walk.findings
    times = [moment.at for moment in observed.moments]
    if times != list(range(0, timing.end + 1, timing.step)):
        walk.note("BAL-7", False, f"the moments are {times}", "shape")
        return walk.findings
    known = {bundle.name for bundle in trial.scenario.bundles}
    for moment in observed.moments:
        named = [*(placed.bundle for placed in moment.placed), *(m.bundle for m in moment.moves)]
        if not known.issuperset(named):
            walk.note("BAL-7", False, f"there are no bundles {sorted(set(named) - known)}", "shape")
            return walk.findings
        walk.moment(moment)
    return walk.findings
