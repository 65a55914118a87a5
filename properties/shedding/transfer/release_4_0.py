"""The rounds of 4.0, exactly (SHD-68, SHD-70).

The order in which the store lists the reports is a hash map's: it decides between equally loaded
brokers and about the last bits of sums, so both are open choices.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from dataclasses import replace

from evenkeel.properties.kit.approx import Ternary
from evenkeel.properties.kit.run import Run
from evenkeel.properties.shedding.transfer.pairs import in_short
from evenkeel.properties.shedding.transfer.rounds import Exchange, Excuse, Round, Spread, in_turn
from evenkeel.reference.shedding.transfer import (
    SWAP_LIMIT,
    TopBundle,
    TransferDecision,
    TransferLabel,
    TransferMove,
    TransferReason,
    TransferReport,
)

Flow = tuple[float, float]
"""What two brokers have, giver and taker: bytes/s."""


def exchange(now: Round, giver: TransferReport, taker: TransferReport) -> Exchange:
    """The giver's list in the order of the report, up to the first bundle that moves too much and
    cannot be swapped; one bundle of the list stays.
    """
    moves: list[tuple[TransferReport, TopBundle, TransferReport]] = []
    going = coming = 0.0
    limit = now.half_gap(giver, taker).value if giver.load else math.inf  # 0 / 0 in 4.0
    left, top = giver.throughput, giver.top or ()
    keeps = len(top)
    offered = (
        bundle
        for bundle in taker.top or ()
        if now.may_go(bundle, taker.broker, giver.broker) and bundle.throughput != 0
    )
    for bundle in top if keeps > 1 else ():
        if not (now.is_free(bundle) and now.may_go(bundle, giver.broker, taker.broker)):
            continue
        if keeps <= 1:
            break
        if bundle.throughput == 0:
            continue
        back: tuple[TopBundle, ...] = ()
        if going - coming + bundle.throughput > limit:
            after = (
                left - going + coming - bundle.throughput,
                taker.throughput + going - coming + bundle.throughput,
            )
            back = swapped(after, left, offered) if now.rules.transfer else ()
            if not back:
                break
        moves += [(taker, item, giver) for item in back]
        moves.append((giver, bundle, taker))
        going += bundle.throughput
        coming += in_turn(item.throughput for item in back) if now.rules.debug else 0.0
        keeps -= 1
    return Exchange(tuple(moves), going, coming)


def swapped(after: Flow, most: float, offered: Iterator[TopBundle]) -> tuple[TopBundle, ...]:
    """Bundles of the taker, as they come, while both brokers stay below what the giver has now:
    until the giver has no less than the taker, and less than three quarters of it. None if that
    is never so.
    """
    back: list[TopBundle] = []
    giver, taker = after
    for bundle in offered:
        if giver + bundle.throughput < most and taker - bundle.throughput < most:
            back.append(bundle)
            giver, taker = giver + bundle.throughput, taker - bundle.throughput
            if taker <= giver < most * SWAP_LIMIT:
                return tuple(back)
    return ()


class Pairing:
    """The pairs of one round: the most loaded broker that is left gives to the least loaded one.

    `taker` and `giver` are the two whose turn it is, `reason` the cause to move load from one to
    the other; a broker alone is both. `clause` demands that the moves be theirs.
    """

    def __init__(
        self, run: Run, now: Round, spread: Spread, said: TransferDecision, clause: str
    ) -> None:
        self.run, self.now, self.spread, self.said, self.clause = run, now, spread, said, clause
        self.left = list(now.by_load)
        self.observed = frozenset(said.moves)
        self.dealt = {(move.source, move.destination) for move in said.moves}
        self.ends = {end for move in said.moves for end in (move.source, move.destination)}
        self.taker = self.next_taker()
        self.giver = self.next_giver()
        self.reason = self.cause(self.giver)
        run.require(clause, self.reason is not None, f"{now.name}: these two are not out of line")

    def next_taker(self) -> TransferReport:
        """One of the least loaded that are left: it stays until it is given something, so it is
        one of those that still have to deal, if any has.
        """
        tied = [report for report in self.left if report.load == self.left[0].load]
        if len(tied) > 1 and self.now.rules.transfer:
            tied = [report for report in tied if report.broker in self.ends] or tied
        return tied[self.run.pick(len(tied))]

    def next_giver(self) -> TransferReport:
        """One of the most loaded that are left.

        Of equally loaded ones that have nothing to give to this taker the order is all one, but
        for those that deal with somebody later, and for those with little traffic, which may be
        what ends the round; so they come last. If nothing moves it is told whether somebody without
        bundles was among them, so that one of either sort may come first.
        """
        others = [report for report in self.left if report is not self.taker] or [self.taker]
        tied = [report for report in others if report.load == others[-1].load]
        if len(tied) > 1 and self.now.rules.transfer:
            passed = self.passed_over(tied)
            names = {report.broker for report in passed}
            tied = [report for report in tied if report.broker not in names]
            for has_some in (True, False):
                sort = [report for report in passed if bool(report.top) is has_some]
                if sort:
                    last = min(sort, key=lambda r: (r.broker in self.ends, -r.throughput_average))
                    tied.append(last)
            # Who did give to this taker comes first: so the first run is mostly the right one.
            tied.sort(key=lambda report: (report.broker, self.taker.broker) not in self.dealt)
        return tied[self.run.pick(len(tied))]

    def passed_over(self, tied: Sequence[TransferReport]) -> list[TransferReport]:
        """Those of equally loaded brokers from which there is a cause to take load, and which have
        nothing that they can give.
        """
        now, load = self.now, self.taker.load
        causes: dict[Ternary, Ternary] = {}
        found = []
        for giver in tied:
            if self.exchange_with(giver).going > 0:
                continue
            idle = now.is_idle(self.taker, giver)
            if idle not in causes:
                causes[idle] = now.cause(self.spread, load, giver.load, idle)
            if causes[idle] is True:
                found.append(giver)
        return found

    def exchange_with(self, giver: TransferReport) -> Exchange:
        """What this broker gives to the taker, worked out once."""
        known, ends = self.now.exchanges, (giver.broker, self.taker.broker)
        if ends not in known:
            known[ends] = exchange(self.now, giver, self.taker)
        return known[ends]

    def cause(self, giver: TransferReport) -> TransferReason | None:
        """Why load is to go from this broker to the taker: the first of the three conditions."""
        run, now, spread, taker = self.run, self.now, self.spread, self.taker
        if run.rule(now.is_spread(spread)):
            return TransferReason.OVERLOADED
        if run.rule(now.is_underloaded(spread, taker.load)) or now.is_idle(taker, giver):
            return TransferReason.UNDERLOADED
        return (
            TransferReason.OVERLOADED if run.rule(now.is_overloaded(spread, giver.load)) else None
        )

    def is_another_way(self) -> bool:
        """Whether something was chosen otherwise than in the first run, which is for sentences."""
        return any(chosen for chosen, _ in self.run.taken)

    def carried_out(self) -> None:
        """Pair after pair, until there is no cause any more."""
        now, moves, pairs = self.now, frozenset[TransferMove](), 0
        unknown = few = False
        while pairs < now.rules.max_pairs and len(self.left) > 1 and self.reason:
            giver, taker, reason = self.giver, self.taker, self.reason
            self.left = [report for report in self.left if report is not giver]
            dealt = self.exchange_with(giver)
            if dealt.going > 0:
                moves |= named(now, dealt, reason)
                if self.is_another_way() and not moves <= self.observed:
                    break  # a wrong one
                self.left = [report for report in self.left if report is not taker]
                moved = dealt.going - dealt.coming
                throughput = giver.throughput
                moved = moved * giver.load / throughput if throughput else math.nan
                self.spread = self.spread.after(giver.load, taker.load, moved)
                pairs += 1
            elif giver.top:
                few = True
            else:
                unknown = True
            if len(self.left) > 1:
                self.taker = self.next_taker() if dealt.going > 0 else taker
                self.giver = self.next_giver()
                self.reason = self.cause(self.giver)
        reason = TransferReason.NO_BUNDLES if few else TransferReason.HIT_COUNT
        skip = TransferLabel.SKIP, TransferReason.NO_LOAD_DATA if unknown else reason
        require_decision(self.run, now, self.said, self.clause, moves, skip)


def named(now: Round, dealt: Exchange, reason: TransferReason) -> frozenset[TransferMove]:
    """Moves as they are answered; with transfers off nobody is named."""
    return frozenset(
        TransferMove(
            source.broker, bundle.bundle, to.broker if now.rules.transfer else None, reason
        )
        for source, bundle, to in dealt.moves
    )


def require_decision(
    run: Run,
    now: Round,
    said: TransferDecision,
    clause: str,
    moves: frozenset[TransferMove],
    skip: Excuse,
) -> None:
    """The decision is this one; without moves, skipped for this reason."""
    label, reason = (TransferLabel.SUCCESS, None) if moves else skip
    same = said.label is label and said.reason is reason
    if same and len(said.moves) == len(moves) and moves == set(said.moves):
        run.require(clause, True)
        return
    right = replace(said, label=label, reason=reason, moves=tuple(moves))
    kind = "moves" if same else f"not {label.value} {reason.value if reason else 'moves'}"
    run.require(
        clause, False, lambda: f"{now.name}: must be {in_short(right)}, not {in_short(said)}", kind
    )
