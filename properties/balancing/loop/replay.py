"""Rounds of the loop as trials of the chapter *shedding*, whose clauses judge the decisions."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from copy import copy
from dataclasses import dataclass, replace
from itertools import pairwise, product
from typing import Any, Final

from evenkeel.properties.balancing.loop.trials import BalancingTrial
from evenkeel.properties.shedding.avg.judge import judge_avg_shedder
from evenkeel.properties.shedding.avg.trials import AvgAnswer, AvgTrial, Planned, PlannedShed
from evenkeel.properties.shedding.judge_parts import Measure, msg_rate, throughput
from evenkeel.properties.shedding.overload import OverloadTrial, judge_overload_shedder
from evenkeel.properties.shedding.threshold import (
    Membership,
    ThresholdTrial,
    judge_threshold_shedder,
)
from evenkeel.properties.shedding.transfer import rounds as transfer
from evenkeel.properties.shedding.transfer.judge import judge_transfer
from evenkeel.properties.shedding.transfer.trials import TransferAnswer, TransferTrial
from evenkeel.properties.shedding.trial_parts import (
    AveragedBundle,
    ModularRound,
    ReportedBroker,
    SheddingAnswer,
    Unloaded,
)
from evenkeel.properties.shedding.trial_parts import Shed as BrokerShed
from evenkeel.properties.shedding.uniform import UniformTrial, judge_uniform_load_shedder
from evenkeel.properties.tolerance import SINGLE, Tolerance, largest, tolerance_of
from evenkeel.properties.usage import max_usage
from evenkeel.reference.balancing import loop, strategies
from evenkeel.reference.balancing.balancer import (
    Alone,
    Balancer,
    Choice,
    Hire,
    Placement,
    Shed,
    Shedder,
)
from evenkeel.reference.balancing.curves import Steady
from evenkeel.reference.balancing.history import Gauge, History, Moment, Move
from evenkeel.reference.balancing.leader import View
from evenkeel.reference.balancing.scenario import Crash, LeaderChange, Leave
from evenkeel.reference.balancing.settings import Placer, Settings, Strategy
from evenkeel.reference.balancing.shedders import Avg, Transfer, sheds_of
from evenkeel.reference.edition import Edition
from evenkeel.reference.shedding.avg import AvgRules
from evenkeel.reference.shedding.cluster import MINUTE, BrokerId, BundleName, Millis
from evenkeel.reference.shedding.overload import OverloadRules
from evenkeel.reference.shedding.threshold import ThresholdRules
from evenkeel.reference.shedding.transfer import (
    LastUnload,
    TopBundle,
    TransferDecision,
    TransferLabel,
    TransferMove,
    TransferReason,
    TransferReport,
    TransferRules,
    TransferView,
)
from evenkeel.reference.shedding.uniform import UniformRules
from evenkeel_engine import spec
from evenkeel_engine.frame.errors import Breakage
from evenkeel_engine.frame.settings import rules_from
from evenkeel_engine.kit.clause import Case, Violation
from evenkeel_engine.kit.formatting import display
from evenkeel_engine.kit.judge import Judge
from evenkeel_engine.kit.trial import BadTrial

MODULAR: Final[dict[Strategy, tuple[type[Any], type[Any]]]] = {
    Strategy.OVERLOAD: (OverloadTrial, OverloadRules),
    Strategy.THRESHOLD: (ThresholdTrial, ThresholdRules),
    Strategy.UNIFORM: (UniformTrial, UniformRules),
    Strategy.AVG: (AvgTrial, AvgRules),
}


@dataclass(frozen=True, slots=True)
class SeenRound:
    """One round so far: what the leader knew, and what was to be moved."""

    view: View
    shed: tuple[BundleName, ...]
    failing: tuple[BundleName, ...] = ()


def question_of(strategy: Strategy) -> str:
    """The question of a shedding strategy."""
    return f"shedding.{strategy}"


def modular_trial(strategy: Strategy, settings: Settings, past: Sequence[SeenRound]) -> Any:
    """The rounds of a leader so far as a trial of a modular shedder. A new leader still knows what
    was unloaded before its first round, if it knows it at all (BAL-4).
    """
    kind, rules = MODULAR[strategy]
    more: dict[str, Any] = {}
    if strategy is Strategy.THRESHOLD:
        ends = (0, *(seen.view.now for seen in past))
        stayed = (seen.view.list_stayed(last) for seen, last in zip(past, ends, strict=False))
        more["memberships"] = tuple(Membership(*one) for one in enumerate(stayed))
    before = past[0].view.cluster.recently_unloaded if past else {}
    return kind(
        config=rules_from(rules, settings),
        recently_unloaded=tuple(Unloaded(bundle, at) for bundle, at in before.items()),
        rounds=tuple(map(round_of, past)),
        **more,
    )


def round_of(seen: SeenRound) -> ModularRound:
    """One round. A late report may name a bundle that another broker already reports."""
    cluster = seen.view.cluster
    return ModularRound(
        seen.view.now,
        tuple(
            ReportedBroker(broker, report.resources, report.traffic, report.bundles)
            for broker, report in cluster.brokers.items()
        ),
        tuple(
            AveragedBundle(bundle, load.short_term, load.long_term)
            for bundle, load in cluster.bundles.items()
        ),
        tuple(seen.failing),
    )


def transfer_trial(settings: Settings, views: Sequence[TransferView]) -> TransferTrial:
    """The rounds of TransferShedder as a trial."""
    return TransferTrial(config=rules_from(TransferRules, settings), rounds=tuple(views))


JUDGES: Final[Mapping[Strategy, Judge]] = {
    Strategy.OVERLOAD: judge_overload_shedder,
    Strategy.THRESHOLD: judge_threshold_shedder,
    Strategy.UNIFORM: judge_uniform_load_shedder,
    Strategy.AVG: judge_avg_shedder,
    Strategy.TRANSFER: judge_transfer,
}

MOST_INEFFECTIVE: Final = 4
"""In this number of rounds, alternatives for sheds without effect are tried."""

UNKNOWN: Final = TransferReason.UNKNOWN
REASONS: Final = {reason.value: reason for reason in TransferReason}


@dataclass(frozen=True, slots=True)
class Round:
    """The outcome of one round, the targets of AvgShedder, and the unloads that failed.

    `known`: the input of TransferShedder, and the reference's decision. `perhaps`: sheds of `found`
    without effect, so it is unknown whether the subject decided them; `stale`: others that it may
    have decided, of bundles that have left the brokers whose reports name them.
    """

    view: View
    found: Sequence[Shed]
    targets: Mapping[BundleName, BrokerId]
    failing: tuple[BundleName, ...]
    known: tuple[TransferView, TransferDecision] | None
    perhaps: tuple[Shed, ...] = ()
    stale: tuple[Shed, ...] = ()

    def ways(self) -> list[Round]:
        """The round as it is, and with other sheds without effect."""
        found = [self]
        if self.perhaps:
            found.append(self.without_ineffective())
        if self.stale:
            of_moves = tuple(shed for shed in self.found if shed not in self.perhaps)
            failing = (*self.failing, *(shed.bundle for shed in self.stale))
            found.append(replace(self, found=(*of_moves, *self.stale), failing=failing))
        return found

    def without_ineffective(self) -> Round:
        """The round of a subject that decided none of these."""
        found = tuple(shed for shed in self.found if shed not in self.perhaps)
        return replace(self, found=found, perhaps=())


class ReplayShedder:
    """A shedder that replays the subject's decisions, so that ties and interpretations do not make
    the replay diverge.

    `rounds`: its rounds so far; `others`: whether one differs from the reference's;
    `last_moment_free`: whether a bundle may move at the last moment of its grace period; `ignored`:
    clauses of the strategy's question that do not apply to these rounds.
    """

    def __init__(
        self,
        inner: Shedder,
        trial: BalancingTrial,
        observed: History,
        edition: Edition,
        last_moment_free: bool = False,
        ignored: frozenset[str] = frozenset(),
    ) -> None:
        self._inner, self._spec, self._edition = inner, trial.balancer, edition
        self._plans_end = [
            event.at
            for event in trial.scenario.events
            if isinstance(event, LeaderChange | Leave | Crash)
        ]
        self._last_moment_free = last_moment_free
        self._ignored = ignored
        self._moves = {moment.at: moment.moves for moment in observed.moments}
        self._placed = [
            (moment.at, placed) for moment in observed.moments for placed in moment.placed
        ]
        self.rounds: list[Round] = []
        self.others = False

    def decide(self, view: View) -> Sequence[Shed]:
        """One round."""
        if self._last_moment_free:
            view = without_last_moment(view, self._spec.settings.grace_minutes * MINUTE)
        targets: dict[BundleName, BrokerId] = {}
        decided: tuple[TransferView, TransferDecision] | None = None
        known: Sequence[Shed]
        if isinstance(self._inner, Avg):
            known, plan = self._inner.decisions(view)
            targets = plan if self.plans_count else {}
        elif isinstance(self._inner, Transfer):
            decided = self._inner.decide_moves(view)
            known = sheds_of(decided[1])
        else:
            known = self._inner.decide(view)
        moves = self._moves.get(view.now, ())
        found: Sequence[Shed] = known
        perhaps: tuple[Shed, ...] = ()
        if not self.explains(known, moves, view):
            self.others = True
            perhaps = tuple(s for s in known if not is_served(s, view))
            found = [*map(self.shed_of, moves), *perhaps]
        if isinstance(self._inner, Avg) and self.plans_count:
            destinations = {move.bundle: move.destination for move in moves}
            targets = {
                shed.bundle: to
                for shed in found
                if (
                    to := destinations.get(shed.bundle)
                    or self.target_of(shed, known, targets, view.now)
                )
            }
            self._inner.plans.moves(view, targets, found)
        moved = {move.bundle for move in moves}
        failing = tuple(shed.bundle for shed in found if shed.bundle not in moved)
        stale = tuple(stale_sheds(view)) if self.guesses else ()
        self.rounds.append(Round(view, found, targets, failing, decided, perhaps, stale))
        return found

    @property
    def plans_count(self) -> bool:
        """Whether AvgShedder's plan decides where bundles go: not if another strategy places."""
        return self._spec.placement is Placer.AVG

    @property
    def guesses(self) -> bool:
        """Whether sheds without effect may differ from those of the reference."""
        return not (self._spec.strategy is Strategy.TRANSFER or tolerance_of(self._edition).exact)

    def explains(self, known: Sequence[Shed], moves: Sequence[Move], view: View) -> bool:
        """Whether the reference would make these moves. In 4.0 what is shed may stay there."""
        transfers = self._spec.strategy is Strategy.TRANSFER
        seen = {(m.bundle, m.source, m.destination if transfers else None) for m in moves}
        expected = {(s.bundle, s.source, s.destination) for s in known if is_served(s, view)}
        if self._edition.destination_when_shed and not transfers:
            return seen <= expected
        return seen == expected

    def shed_of(self, move: Move) -> Shed:
        """The shed that led to a move."""
        to = move.destination if self._spec.strategy is Strategy.TRANSFER else None
        return Shed(move.bundle, move.source, to, move.reason)

    def target_of(
        self, shed: Shed, known: Sequence[Shed], targets: Mapping[BundleName, BrokerId], now: Millis
    ) -> BrokerId | None:
        """The target of AvgShedder, if the move does not name it: the reference's, if that sheds
        from the same broker; else the broker that gets the bundle next, unless the plan may have
        been lost by then, or its target may have left.
        """
        of_source = (targets.get(one.bundle) for one in known if one.source == shed.source)
        next_ = (
            placed.broker
            for at, placed in self._placed
            if at > now
            and placed.bundle == shed.bundle
            and not any(now < end <= at for end in self._plans_end)
        )
        return targets.get(shed.bundle) or next(of_source, None) or next(next_, None)

    # The chapter's verdict.

    def objection(self) -> Violation | None:
        """The violation of a clause of the strategy's question by these rounds, if any."""
        if not self.others:
            return None
        objections = (
            self.objection_to(rounds, sampled, remembering, plans, weigh)
            for sampled, remembering, plans in self.left_open()
            for weigh in self.weights()
            for rounds in alternatives(self.rounds)
        )
        first = next(objections)
        return None if first is None or None in objections else first

    def left_open(self) -> Iterator[tuple[bool, bool, bool]]:
        """What is left open of TransferShedder: whether its deviation is that of a sample (SHD-52),
        and whether a new leader knows when brokers last gave something away; and whether the
        targets of AvgShedder are as assumed.
        """
        transfers = self._spec.strategy is Strategy.TRANSFER
        open_ = (False, True) if transfers and not tolerance_of(self._edition).exact else (False,)
        plans = (True, False) if self.targets_are_assumed() else (self.plans_count,)
        return product(open_, open_, plans)

    def weights(self) -> Sequence[Measure]:
        """What bundles may weigh, so that heavier ones are listed first (SHD-12)."""
        either = self._spec.strategy is Strategy.OVERLOAD and self.guesses
        return (throughput, msg_rate) if either else (throughput,)

    def targets_are_assumed(self) -> bool:
        """Whether AvgShedder names no target, and equally full brokers leave it open: where a
        bundle went next need not be where it was to go.
        """
        if not (self.plans_count and self.guesses and self._spec.strategy is Strategy.AVG):
            return False
        named = (move.destination for moves in self._moves.values() for move in moves)
        return not any(named) and any(map(self.has_equals, self.rounds))

    def objection_to(
        self, rounds: Sequence[Round], sampled: bool, remembering: bool, plans: bool, weigh: Measure
    ) -> Violation | None:
        """The same, for rounds without unknown sheds."""
        strategy = self._spec.strategy
        transfers = strategy is Strategy.TRANSFER
        try:
            if transfers:
                trial, answer = self.replay_transfers(rounds, sampled, remembering)
            else:
                trial, answer = self.replay_rounds(rounds, plans, weigh)
        except BadTrial:
            return None  # names or numbers that the strategy's own question does not know
        ignored = self._ignored if plans else self._ignored | OF_PLANS
        case = Case[Any, Any](trial, answer, self._edition, lambda trial, edition: answer, ignored)
        for clause, finding in JUDGES[strategy].judge(case).by_clause.items():
            if isinstance(finding, Violation) and self.is_must(clause):
                said = ROUND.sub(
                    lambda number: f"at {rounds[int(number[1]) - 1].view.now} ms", finding.sentence
                )
                sentence = f"{question_of(strategy)}, {clause}: {said}"
                return Violation(sentence, clause, finding.facts)
        return None

    def is_must(self, clause: str) -> bool:
        """Whether a breach is more than a departure from practice."""
        return spec.find_clause(clause).level_in(self._edition.name) is not spec.Level.SHOULD

    def gave(self, view: TransferView) -> Iterator[LastUnload]:
        """When each broker last gave something away, under any leader."""
        last = {one.broker: one.at for one in view.recent_brokers}
        for at, moves in self._moves.items():
            if at < view.now:
                last |= {move.source: max(at, last.get(move.source, at)) for move in moves}
        return (LastUnload(broker, at) for broker, at in last.items())

    def replay_rounds(self, given: Sequence[Round], plans: bool, weigh: Measure) -> tuple[Any, Any]:
        """The rounds of a modular shedder; `plans`: with the targets of AvgShedder."""
        past = [SeenRound(r.view, tuple(s.bundle for s in r.found), r.failing) for r in given]
        trial = modular_trial(self._spec.strategy, self._spec.settings, past)
        rounds = tuple(tuple(by_broker(one, weigh)) for one in given)
        if self._spec.strategy is not Strategy.AVG:
            sheds = (
                tuple(BrokerShed(broker, bundles) for broker, bundles in one) for one in rounds
            )
            return trial, SheddingAnswer(tuple(sheds))
        planned = (
            tuple(self.replay_plan(known, broker, bundles, plans) for broker, bundles in one)
            for known, one in zip(given, rounds, strict=True)
        )
        return trial, AvgAnswer(tuple(planned))

    def replay_plan(
        self, one: Round, broker: BrokerId, bundles: Sequence[BundleName], plans: bool
    ) -> PlannedShed:
        """What a broker sheds in a round of AvgShedder. What is not placed until the run ends shows
        no target: it has that of the broker's other bundles, or the partner.
        """
        if not plans:
            return PlannedShed(broker, tuple(Planned(bundle, None) for bundle in bundles))
        named = [one.targets[bundle] for bundle in bundles if bundle in one.targets]
        usual = named[0] if named else self.partner_of(broker, one)
        return PlannedShed(broker, tuple(Planned(b, one.targets.get(b, usual)) for b in bundles))

    def partner_of(self, broker: BrokerId, one: Round) -> BrokerId | None:
        """The broker at the opposite place by usage; of equal ones one that no other aims at."""
        usages, near = self.usages(one)
        ranked = sorted(usages, key=lambda name: usages[name])
        if broker not in usages:
            return None
        partner = ranked[-1 - ranked.index(broker)]
        equal = [b for b in ranked if abs(usages[b] - usages[partner]) <= near and b != broker]
        return next((name for name in equal if name not in one.targets.values()), partner)

    def usages(self, one: Round) -> tuple[Mapping[BrokerId, float], float]:
        """The usages of brokers, and how far equal ones may be apart."""
        tolerance, rules = tolerance_of(self._edition), rules_from(AvgRules, self._spec.settings)
        usages = {
            name: max_usage(report.resources, rules.weights, tolerance)
            for name, report in one.view.cluster.brokers.items()
        }
        return usages, tolerance.usage * largest(usages.values())

    def has_equals(self, one: Round) -> bool:
        """Whether two brokers are equally full."""
        usages, near = self.usages(one)
        return any(more - less <= near for less, more in pairwise(sorted(usages.values())))

    def replay_transfers(
        self, given: Sequence[Round], sampled: bool, remembering: bool
    ) -> tuple[Any, Any]:
        """The rounds of TransferShedder. The reason for moving nothing, average and deviation are
        not observed: they are taken from the reference.
        """
        rules = rules_from(TransferRules, self._spec.settings)
        views, decisions = [], []
        for one in given:
            if one.known is None:
                continue
            view, known = one.known
            moves = tuple(
                TransferMove(
                    s.source, s.bundle, s.destination, REASONS.get(s.reason, TransferReason.UNKNOWN)
                )
                for s in one.found
            )
            label, reason = known.label, known.reason
            if moves:
                label, reason = TransferLabel.SUCCESS, None
            elif known.moves:
                label, reason = TransferLabel.SKIP, TransferReason.HIT_COUNT
            if not tolerance_of(self._edition).exact:
                view = with_what_moved(view, one)
            if remembering:
                view = replace(view, recent_brokers=tuple(self.gave(view)))
            if sampled:
                spread = transfer.Round(0, view, rules, self._edition).of_sample().listed_spread
                known = replace(known, deviation=spread.reported_deviation.value)
            views.append(view)
            decisions.append(replace(known, label=label, reason=reason, moves=moves))
        return transfer_trial(self._spec.settings, views), TransferAnswer(tuple(decisions))


def with_what_moved(view: TransferView, one: Round) -> TransferView:
    """The input of TransferShedder, if reports also contain what was moved. How many bundles
    brokers report, and that these are the heaviest and none of Pulsar's own, is practice (LOA-50 to
    LOA-54).
    """

    def more(report: TransferReport) -> TransferReport:
        loads, top = one.view.sent[report.broker].traffic, report.top or ()
        shown = {entry.bundle for entry in top}
        moved = (shed.bundle for shed in one.found if shed.source == report.broker)
        added = tuple(
            TopBundle(bundle, loads[bundle].throughput_in, loads[bundle].throughput_out, True)
            for bundle in sorted(moved)
            if bundle in loads and bundle not in shown
        )
        return replace(report, top=(*top, *added)) if added else report

    return replace(view, reports=tuple(map(more, view.reports)))


def stale_sheds(view: View) -> Iterator[Shed]:
    """Bundles that brokers' reports still name and may be shed, though they have left."""
    for broker, report in view.cluster.brokers.items():
        for bundle in report.bundles:
            left = view.owners.get(bundle) != broker
            if left and bundle not in view.cluster.recently_unloaded:
                yield Shed(bundle, broker, None, "")


def alternatives(rounds: Sequence[Round]) -> Iterator[Sequence[Round]]:
    """The rounds with each combination of alternatives for sheds without effect."""
    uncertain = [place for place, one in enumerate(rounds) if one.perhaps or one.stale]
    places = uncertain[:MOST_INEFFECTIVE]
    for chosen in product(*(rounds[place].ways() for place in places)):
        instead = dict(zip(places, chosen, strict=True))
        yield [instead.get(place, one) for place, one in enumerate(rounds)]


def without_last_moment(view: View, grace: Millis) -> View:
    """The view of a leader for which the last moment is not part of a grace period."""
    unloaded = view.cluster.recently_unloaded
    surely = {bundle: at for bundle, at in unloaded.items() if view.now - at < grace}
    return replace(view, cluster=replace(view.cluster, recently_unloaded=surely))


def is_served(shed: Shed, view: View) -> bool:
    """Whether the bundle is still with the broker that is to shed it."""
    return view.owners.get(shed.bundle) == shed.source


def by_broker(one: Round, weigh: Measure) -> Iterator[tuple[BrokerId, tuple[BundleName, ...]]]:
    """The bundles that each broker sheds, heaviest first: a history does not show the order."""
    loads = one.view.cluster.bundles

    def weight(bundle: BundleName) -> float:
        return -weigh(loads[bundle].short_term) if bundle in loads else 0.0

    for broker in dict.fromkeys(shed.source for shed in one.found):
        bundles = [shed.bundle for shed in one.found if shed.source == broker]
        yield broker, tuple(sorted(bundles, key=weight))


BY_WEIGHT: Final = frozenset(
    f"SHD-{number}"
    for number in (12, 13, 21, 22, 23, 24, 25, 31, 33, 35, 36, 41, 81, 84, 85, 86, 88, 97, 100)
)
"""Clauses of the modular shedders that depend on the weights of bundles. Where load changes, it is
unknown how a leader averages it, and the documents do not say (LOA-20 and after).
"""


ROUND: Final = re.compile(r"\bround (\d+)")
OF_PLANS: Final = frozenset({"SHD-34", "SHD-39"})
"""Clauses of AvgShedder's plan, which nothing shows where another strategy places."""


class Chooser:
    """Makes the choices that are observed in a history."""

    def __init__(self, history: History) -> None:
        self._placed: dict[tuple[Millis, BundleName], BrokerId] = {}
        self._destined: dict[tuple[Millis, BundleName], BrokerId | None] = {}
        self._up: dict[Millis, set[BrokerId]] = {}
        for moment in history.moments:
            at = moment.at
            self._placed |= {(at, placed.bundle): placed.broker for placed in moment.placed}
            self._destined |= {(at, move.bundle): move.destination for move in moment.moves}
            self._up[at] = {gauge.broker for gauge in moment.gauges}

    def __call__(self, choice: Choice) -> BrokerId:
        """The subject's choice; where it had no effect, what it must have been."""
        key = (choice.now, choice.bundle)
        if choice.source is not None:
            seen = self._destined.get(key, choice.source)
        else:
            seen = self._placed.get(key)
        if seen in choice.allowed and seen is not None:
            return seen
        up = self._up.get(choice.now, set())
        dead = [broker for broker in choice.allowed if broker not in up]
        return dead[0] if dead and choice.source is None else choice.allowed[0]


class ObservedPlacement:
    """A placement that places as the subject did. By the documents BAL-22, BAL-26 and BAL-27 say
    where bundles go; other clauses are not blamed for the consequences of a departure there.

    `elsewhere`: placements that the strategy does not allow, as far as known.
    """

    def __init__(self, inner: Placement, observed: History, elsewhere: list[Violation]) -> None:
        self._inner, self._elsewhere = inner, elsewhere
        self._placed = {
            (moment.at, placed.bundle): placed.broker
            for moment in observed.moments
            for placed in moment.placed
        }
        self._up = {m.at: {gauge.broker for gauge in m.gauges} for m in observed.moments}

    def list_allowed(self, bundle: BundleName, view: View) -> Sequence[BrokerId]:
        """The brokers that the strategy allows; or else the observed broker, if that is active. If
        the bundle was not placed, a broker may have been chosen that left unnoticed.
        """
        found = self._inner.list_allowed(bundle, view)
        if bundle in view.relieving:  # load or evenness may count first (PLC-29)
            inner = copy(self._inner)  # a look steps the history of usages, and one is enough
            evenly = inner.list_allowed(bundle, replace(view, relieving=frozenset()))
            found = tuple(dict.fromkeys((*found, *evenly)))
        if (seen := self._placed.get((view.now, bundle))) is None:
            up = self._up.get(view.now, set())
            return (*found, *(b for b in view.active if b not in found and b not in up))
        if seen in found or seen not in view.active:
            return found
        expected = " or ".join(found) or "no broker"
        sentence = f"at {view.now} ms {bundle} goes to {seen}, must go to {expected}"
        self._elsewhere.append(Violation(sentence, "elsewhere"))
        return (seen,)

    def note_choice(self, bundle: BundleName, broker: BrokerId, view: View) -> None:
        """Pass the choice on to the strategy."""
        self._inner.note_choice(bundle, broker, view)


def replay_run(trial: BalancingTrial, observed: History, edition: Edition, hire: Hire) -> History:
    """The run of these balancers, with the observed choices wherever they are open."""
    return loop.run(trial.scenario, hire, Chooser(observed), edition)


def equal_moments(trial: BalancingTrial, observed: History, edition: Edition, hire: Hire) -> int:
    """The number of moments that equal the reference's with the same open choices."""
    right = replay_run(trial, observed, edition, hire)
    pairs = zip(observed.moments, right.moments, strict=False)
    tolerance = tolerance_of(edition)
    return sum(difference(seen, known, tolerance) is None for seen, known in pairs)


@dataclass(frozen=True, slots=True)
class LoopReading:
    """What the documents leave open. `alone`: how a lone broker behaves; `last_moment_free`: a
    bundle may move at the last moment of its grace period.
    """

    alone: Alone
    last_moment_free: bool = False


def unlike_strategies(
    trial: BalancingTrial,
    observed: History,
    edition: Edition,
    interpretation: LoopReading,
    elsewhere: list[Violation],
) -> Violation | None:
    """What the strategies, by this interpretation, do not allow of an observed run. `elsewhere`
    receives what their placements do not allow where these are followed anyway.
    """
    hire, replays = strategies.hiring(trial.balancer, edition), list[ReplayShedder]()
    tolerance = tolerance_of(edition)
    steady = all(isinstance(bundle.curve, Steady) for bundle in trial.scenario.every_bundle)
    ignored = frozenset() if tolerance.exact or steady else BY_WEIGHT

    def hire_replay() -> Balancer:
        balancer = hire()
        seen = (trial, observed, edition, interpretation.last_moment_free, ignored)
        replays.append(ReplayShedder(balancer.shedder, *seen))
        if not tolerance.exact:
            followed = ObservedPlacement(balancer.placement, observed, elsewhere)
            balancer = replace(balancer, placement=followed)
        return replace(balancer, shedder=replays[-1], alone=interpretation.alone)

    try:
        right = replay_run(trial, observed, edition, hire_replay)
    except Breakage as breakage:
        return Violation(f"must break: {breakage}", "no breakage")
    if len(right.moments) != len(observed.moments):
        return Violation(f"{len(observed.moments)} moments, not {len(right.moments)}", "shape")
    objections = (one.objection() for one in replays)
    open_ = not tolerance.exact and trial.balancer.strategy is Strategy.AVG
    compared = without_destinations if open_ else lambda moment: moment
    differences = (
        difference(compared(seen), compared(known), tolerance)
        for seen, known in zip(observed.moments, right.moments, strict=True)
    )
    return next(filter(None, objections), None) or next(filter(None, differences), None)


def alike(gauge: Gauge, known: Gauge, tolerance: Tolerance) -> bool:
    """Whether two gauges are the same but for rounding: another order of addition may round a
    usage, which is in single precision, the other way in every edition.
    """
    return (
        abs(gauge.usage - known.usage) <= SINGLE * max(1.0, abs(known.usage))
        and same_sum(gauge.msg_rate, known.msg_rate, tolerance)
        and same_sum(gauge.throughput, known.throughput, tolerance)
    )


def same_sum(one: float, other: float, tolerance: Tolerance) -> bool:
    """Whether two sums can be the same but for the order of addition."""
    return one == other or tolerance.as_sum(one).may_equal(tolerance.as_sum(other))


def without_destinations(moment: Moment) -> Moment:
    """The moment without destinations of moves: AvgShedder may name them or not. If it does, they
    are compared with the placements (BAL-27).
    """
    return replace(moment, moves=tuple(replace(one, destination=None) for one in moment.moves))


def in_words(moves: Iterable[object]) -> str:
    """Moves in a fixed order, for sentences."""
    return "; ".join(sorted(map(str, map(display, moves)))) or "nothing"


def difference(seen: Moment, known: Moment, tolerance: Tolerance) -> Violation | None:
    """The first difference from the right moment, if any."""
    if seen == known:
        return None
    if set(seen.placed) != set(known.placed):
        wrong = (
            f"at {seen.at} ms placed: must be {display(known.placed)}, not {display(seen.placed)}"
        )
        return Violation(wrong, "placed")
    same = len(seen.gauges) == len(known.gauges) and all(
        one.broker == other.broker and alike(one, other, tolerance)
        for one, other in zip(seen.gauges, known.gauges, strict=True)
    )
    if not same:
        return Violation(
            f"at {seen.at} ms: must be {display(known.gauges)}, not {display(seen.gauges)}",
            "gauges",
        )
    expected = {(move.bundle, move.source, move.destination, move.transfer) for move in known.moves}
    moved = {(move.bundle, move.source, move.destination, move.transfer) for move in seen.moves}
    if moved != expected:
        right, given = in_words(expected - moved), in_words(moved - expected)
        return Violation(f"at {seen.at} ms moved: must be {right}, not {given}", "moved")
    return None
