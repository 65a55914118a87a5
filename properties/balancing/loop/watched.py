"""The shedder of a replayed run: it does what the observed one did, if the chapter allows it.

A strategy leaves choices open that only the chapter *shedding* knows: ties, the order of brokers,
readings of the documents, rounding. So wherever other bundles leave than the reference would have
chosen, the observed ones leave in the replay, too, and the clauses of the strategy's own question
judge all of a leader's rounds.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import product
from typing import Any, Final

from evenkeel import spec
from evenkeel.properties.balancing.loop.asked import (
    Seen,
    modular_trial,
    question_of,
    transfer_trial,
)
from evenkeel.properties.clause import Case, Violation
from evenkeel.properties.judging.judge import Judge
from evenkeel.properties.judging.tolerance import tolerance_of
from evenkeel.properties.shedding.avg.judge import avg_shedder
from evenkeel.properties.shedding.avg.trial import AvgAnswer, Planned, PlannedShed
from evenkeel.properties.shedding.observed import throughput
from evenkeel.properties.shedding.overload.judge import overload_shedder
from evenkeel.properties.shedding.rounds import Shed as BrokerShed
from evenkeel.properties.shedding.rounds import SheddingAnswer
from evenkeel.properties.shedding.threshold.judge import threshold_shedder
from evenkeel.properties.shedding.transfer import judge_round as transfer
from evenkeel.properties.shedding.transfer.judge import judge_transfer
from evenkeel.properties.shedding.transfer.trial import TransferAnswer
from evenkeel.properties.shedding.uniform.judge import uniform_load_shedder
from evenkeel.properties.trial import BadTrial
from evenkeel.reference.balancing.balancer import Shed, Shedder
from evenkeel.reference.balancing.history import History, Move
from evenkeel.reference.balancing.leader import View
from evenkeel.reference.balancing.settings import BalancerSpec, Strategy
from evenkeel.reference.balancing.shedders import Avg, Transfer, sheds_of
from evenkeel.reference.edition import Edition
from evenkeel.reference.settings import rules_from
from evenkeel.reference.shedding.cluster import MINUTE, BrokerId, BundleName, Millis
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

JUDGES: Final[Mapping[Strategy, Judge]] = {
    Strategy.OVERLOAD: overload_shedder,
    Strategy.THRESHOLD: threshold_shedder,
    Strategy.UNIFORM: uniform_load_shedder,
    Strategy.AVG: avg_shedder,
    Strategy.TRANSFER: judge_transfer,
}


MOST_WISHFUL: Final = 4
"""In so many rounds it is tried whether the subject had wishes that came to nothing."""

UNKNOWN: Final = TransferReason.UNKNOWN
REASONS: Final = {reason.value: reason for reason in TransferReason}


@dataclass(frozen=True, slots=True)
class Round:
    """What one round came to, for whom it was meant, and which unloads did not happen.

    `known`: what TransferShedder was shown, and what the reference made of it. `perhaps`: wishes of
    `found` of which nothing could come, so that nobody knows whether the subject had them; `stale`:
    others that it may have had, of bundles that have left the brokers whose reports name them.
    """

    view: View
    found: Sequence[Shed]
    meant: Mapping[BundleName, BrokerId]
    failing: tuple[BundleName, ...]
    known: tuple[TransferView, TransferDecision] | None
    perhaps: tuple[Shed, ...] = ()
    stale: tuple[Shed, ...] = ()

    def ways(self) -> list[Round]:
        """The round as it is, and with other wishes that came to nothing."""
        found = [self]
        if self.perhaps:
            found.append(self.without_wishes())
        if self.stale:
            of_moves = tuple(shed for shed in self.found if shed not in self.perhaps)
            failing = (*self.failing, *(shed.bundle for shed in self.stale))
            found.append(replace(self, found=(*of_moves, *self.stale), failing=failing))
        return found

    def without_wishes(self) -> Round:
        """The round of a subject that had none of these."""
        found = tuple(shed for shed in self.found if shed not in self.perhaps)
        return replace(self, found=found, perhaps=())


class Watched:
    """A leader's shedder. `rounds` are its rounds so far, `others` whether one was another;
    `last_moment_free`: whether a bundle may go at the last moment of its grace period; `excused`:
    clauses of the strategy's question by which these rounds are not judged.
    """

    def __init__(
        self,
        inner: Shedder,
        spec_: BalancerSpec,
        observed: History,
        edition: Edition,
        last_moment_free: bool = False,
        excused: frozenset[str] = frozenset(),
    ) -> None:
        self._inner, self._spec, self._edition = inner, spec_, edition
        self._last_moment_free, self._excused = last_moment_free, excused
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
        meant: dict[BundleName, BrokerId] = {}
        decided: tuple[TransferView, TransferDecision] | None = None
        known: Sequence[Shed]
        if isinstance(self._inner, Avg):
            known, meant = self._inner.wanted(view)
        elif isinstance(self._inner, Transfer):
            decided = self._inner.decided(view)
            known = sheds_of(decided[1])
        else:
            known = self._inner.decide(view)
        moves = self._moves.get(view.now, ())
        found: Sequence[Shed] = known
        perhaps: tuple[Shed, ...] = ()
        if not self.explains(known, moves, view):
            self.others = True
            perhaps = tuple(s for s in known if not served(s, view))
            found = [*map(self.shed_of, moves), *perhaps]
        if isinstance(self._inner, Avg):
            told = {move.bundle: move.destination for move in moves}
            meant = {
                shed.bundle: to
                for shed in found
                if (to := told.get(shed.bundle) or self.meant(shed, known, meant, view.now))
            }
            for bundle, broker in meant.items():
                self._inner.plans.move(view, bundle, broker)
        gone = {move.bundle for move in moves}
        failing = tuple(shed.bundle for shed in found if shed.bundle not in gone)
        stale = tuple(stale_wishes(view)) if self.guesses else ()
        self.rounds.append(Round(view, found, meant, failing, decided, perhaps, stale))
        return found

    @property
    def guesses(self) -> bool:
        """Whether wishes that came to nothing need not be those of the reference."""
        transfers = self._spec.strategy is Strategy.TRANSFER
        return not (transfers or tolerance_of(self._edition).exact)

    def explains(self, known: Sequence[Shed], moves: Sequence[Move], view: View) -> bool:
        """Whether the moves are what the reference would do. In 4.0 what a modular leader sheds
        may stay where it is.
        """
        transfers = self._spec.strategy is Strategy.TRANSFER
        seen = {(m.bundle, m.source, m.destination if transfers else None) for m in moves}
        wanted = {(s.bundle, s.source, s.destination) for s in known if served(s, view)}
        if self._edition.destination_when_shed and not transfers:
            return seen <= wanted
        return seen == wanted

    def shed_of(self, move: Move) -> Shed:
        """The decision behind a move."""
        transfers = self._spec.strategy is Strategy.TRANSFER
        to = move.destination if transfers else None
        return Shed(move.bundle, move.source, to, move.reason)

    def meant(
        self,
        shed: Shed,
        known: Sequence[Shed],
        meant: Mapping[BundleName, BrokerId],
        now: Millis,
    ) -> BrokerId | None:
        """For whom AvgShedder means a bundle, if the move does not tell: as the reference says, if
        it sheds from the same broker; else whoever gets it next.
        """
        of_source = (meant.get(one.bundle) for one in known if one.source == shed.source)
        next_ = (
            placed.broker
            for at, placed in self._placed
            if at > now and placed.bundle == shed.bundle
        )
        return meant.get(shed.bundle) or next(of_source, None) or next(next_, None)

    # What the chapter says.

    def objection(self) -> Violation | None:
        """What a clause of the strategy's question says against these rounds."""
        if not self.others:
            return None
        objections = (
            self.objection_to(rounds, sampled, remembering)
            for sampled, remembering in self.left_open()
            for rounds in readings(self.rounds)
        )
        first = next(objections)
        return None if first is None or None in objections else first

    def left_open(self) -> Iterator[tuple[bool, bool]]:
        """What is left open of TransferShedder: whether its deviation is that of a sample (SHD-52);
        whether a new leader remembers who gave something away when.
        """
        transfers = self._spec.strategy is Strategy.TRANSFER
        open_ = (False, True) if transfers and not tolerance_of(self._edition).exact else (False,)
        return product(open_, open_)

    def objection_to(
        self, rounds: Sequence[Round], sampled: bool, remembering: bool
    ) -> Violation | None:
        """The same, against rounds of which all wishes are known."""
        strategy = self._spec.strategy
        transfers = strategy is Strategy.TRANSFER
        try:
            if transfers:
                trial, answer = self.transferred(rounds, sampled, remembering)
            else:
                trial, answer = self.shed(rounds)
        except BadTrial:
            return None  # names or numbers that the strategy's own question does not know
        case = Case[Any, Any](
            trial, answer, self._edition, lambda trial, edition: answer, self._excused
        )
        found = case.found(JUDGES[strategy].judge)
        for clause, finding in found.by_clause.items():
            if isinstance(finding, Violation) and self.binds(clause):
                sentence = f"{question_of(strategy)}, {clause}: {finding.sentence}"
                return Violation(sentence, clause)
        return None

    def binds(self, clause: str) -> bool:
        """Whether a breach is more than a departure from practice."""
        return spec.clause(clause).level_in(self._edition.name) is not spec.Level.SHOULD

    def gave(self, view: TransferView) -> Iterator[LastUnload]:
        """When each broker last gave something away, whoever was the leader then."""
        last = {one.broker: one.at for one in view.recent_brokers}
        for at, moves in self._moves.items():
            if at < view.now:
                last |= {move.source: max(at, last.get(move.source, at)) for move in moves}
        return (LastUnload(broker, at) for broker, at in last.items())

    def shed(self, given: Sequence[Round]) -> tuple[Any, Any]:
        """The rounds of a modular shedder."""
        past = [Seen(r.view, tuple(s.bundle for s in r.found), r.failing) for r in given]
        trial = modular_trial(self._spec.strategy, self._spec.settings, past)
        rounds = tuple(tuple(by_broker(one)) for one in given)
        if self._spec.strategy is not Strategy.AVG:
            sheds = (
                tuple(BrokerShed(broker, bundles) for broker, bundles in one) for one in rounds
            )
            return trial, SheddingAnswer(tuple(sheds))
        planned = (
            tuple(
                PlannedShed(broker, tuple(Planned(b, known.meant.get(b)) for b in bundles))
                for broker, bundles in one
            )
            for known, one in zip(given, rounds, strict=True)
        )
        return trial, AvgAnswer(tuple(planned))

    def transferred(
        self, given: Sequence[Round], sampled: bool, remembering: bool
    ) -> tuple[Any, Any]:
        """The rounds of TransferShedder. Why nothing was moved, and average and deviation, are not
        observed: they are taken from the reference.
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
                known = replace(known, deviation=spread.told_deviation.value)
            views.append(view)
            decisions.append(replace(known, label=label, reason=reason, moves=moves))
        return transfer_trial(self._spec.settings, views), TransferAnswer(tuple(decisions))


def with_what_moved(view: TransferView, one: Round) -> TransferView:
    """What TransferShedder was shown, if brokers report what was moved, too: how many bundles they
    report, and that these are the heaviest and none of Pulsar's own, is practice (LOA-50 to
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


def stale_wishes(view: View) -> Iterator[Shed]:
    """What brokers' reports still name and may be shed, though it has left them."""
    for broker, report in view.cluster.brokers.items():
        for bundle in report.bundles:
            left = view.owners.get(bundle) != broker
            if left and bundle not in view.cluster.recently_unloaded:
                yield Shed(bundle, broker, None, "")


def readings(rounds: Sequence[Round]) -> Iterator[Sequence[Round]]:
    """The rounds with wishes that may have been there, with others, and without: some, or all."""
    places = [place for place, one in enumerate(rounds) if one.perhaps or one.stale][:MOST_WISHFUL]
    for chosen in product(*(rounds[place].ways() for place in places)):
        instead = dict(zip(places, chosen, strict=True))
        yield [instead.get(place, one) for place, one in enumerate(rounds)]


def without_last_moment(view: View, grace: Millis) -> View:
    """What a leader sees for whom the last moment of a grace period does not belong to it."""
    unloaded = view.cluster.recently_unloaded
    surely = {bundle: at for bundle, at in unloaded.items() if view.now - at < grace}
    return replace(view, cluster=replace(view.cluster, recently_unloaded=surely))


def served(shed: Shed, view: View) -> bool:
    """Whether the bundle is still with the broker that is to shed it."""
    return view.owners.get(shed.bundle) == shed.source


def by_broker(one: Round) -> Iterator[tuple[BrokerId, tuple[BundleName, ...]]]:
    """What each broker sheds, heaviest first: a history does not tell the order."""
    loads = one.view.cluster.bundles

    def weight(bundle: BundleName) -> float:
        return -throughput(loads[bundle].short_term) if bundle in loads else 0.0

    for broker in dict.fromkeys(shed.source for shed in one.found):
        bundles = [shed.bundle for shed in one.found if shed.source == broker]
        yield broker, tuple(sorted(bundles, key=weight))
