"""What one round's moves must be like (SHD-53, SHD-56 to SHD-67)."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass

from evenkeel.properties.findings import Findings
from evenkeel.properties.shedding.transfer_orders import words
from evenkeel.properties.shedding.transfer_sight import EPSILON, Sight
from evenkeel.reference.adding import added
from evenkeel.reference.shedding.transfer_pair import SWAP_LIMIT, is_free
from evenkeel.reference.shedding.transfer_view import (
    TopBundle,
    TransferDecision,
    TransferMove,
    TransferReport,
)


@dataclass(frozen=True, slots=True)
class Dealt:
    """A bundle that moves, from whom, and to whom if that is said."""

    bundle: TopBundle
    source: TransferReport
    destination: TransferReport | None


@dataclass(frozen=True, slots=True)
class Dealing:
    """What a giver gives and, where the pair is known, what the taker gives back for it."""

    giver: TransferReport
    taker: TransferReport | None
    going: tuple[TopBundle, ...]
    coming: tuple[TopBundle, ...]

    @property
    def net(self) -> float:
        """The traffic that the giver loses in the end."""
        return traffic(self.going) - traffic(self.coming)


def traffic(bundles: Iterable[TopBundle]) -> float:
    """Their throughput together."""
    return added(bundle.throughput for bundle in bundles)


def judge_moves(place: int, sight: Sight, decision: TransferDecision, findings: Findings) -> None:
    """All that is to be said about the moves of one round."""
    moves = [dealt_of(sight, move) for move in decision.moves]
    known = [move for move in moves if move is not None]
    right = len(known) == len(moves) and is_proper(sight, decision.moves)
    findings.note(
        "SHD-56", right, f"round {place}: {words(decision.moves)}: these moves cannot be", "shape"
    )
    if not right:
        return
    dealings = dealings_of(known, sight)
    count_is_right(place, sight, dealings, findings)
    for move in known:
        judge_move(place, sight, move, move_comes_back(move, dealings), findings)
    for dealing in dealings:
        judge_dealing(place, sight, dealing, findings)
    judge_partners(place, sight, dealings, findings)
    judge_reasons(place, sight, decision, len(dealings), findings)
    judge_need(place, sight, dealings, findings)


def dealt_of(sight: Sight, move: TransferMove) -> Dealt | None:
    """A move with what it is about; None if the source does not list such a bundle."""
    source, destination = sight.report_of(move.source), sight.report_of(move.destination)
    if source is None or (move.destination is not None and destination is None):
        return None
    for bundle in source.top or ():
        if bundle.bundle == move.bundle:
            return Dealt(bundle, source, destination)
    return None


def is_proper(sight: Sight, moves: tuple[TransferMove, ...]) -> bool:
    """Each bundle once, to a registered broker that is not its own, or to nobody in particular."""
    names = [move.bundle for move in moves]
    if len(set(names)) != len(names):
        return False
    if not sight.rules.transfer:
        return all(move.destination is None for move in moves)
    registered = sight.view.registered or ()
    return all(move.destination in registered and move.destination != move.source for move in moves)


def dealings_of(moves: list[Dealt], sight: Sight) -> list[Dealing]:
    """The pairs of brokers."""
    pairs: dict[frozenset[str], list[Dealt]] = {}
    for move in moves:
        ends = {move.source.broker} | ({move.destination.broker} if move.destination else set())
        pairs.setdefault(frozenset(ends), []).append(move)
    return [dealing_of(pair, sight) for pair in pairs.values()]


def dealing_of(moves: list[Dealt], sight: Sight) -> Dealing:
    """What happens between two brokers; where both give, the more loaded one is the giver.

    Of two equally loaded ones it may be either: whoever gives what is free to go.
    """

    def gives(move: Dealt) -> tuple[float, bool]:
        own = [other.bundle for other in moves if other.source is move.source]
        return move.source.load, all(is_free(bundle, sight.view) for bundle in own)

    first = max(moves, key=gives)
    giver, taker = first.source, first.destination
    going = tuple(move.bundle for move in moves if move.source is giver)
    coming = tuple(move.bundle for move in moves if move.source is not giver)
    return Dealing(giver, taker, going, coming)


def count_is_right(place: int, sight: Sight, dealings: list[Dealing], findings: Findings) -> None:
    """No more pairs than allowed, and no broker in two of them."""
    most = sight.rules.max_pairs
    sentence = f"round {place}: {len(dealings)} pairs of brokers, at most {most}"
    findings.note("SHD-57", len(dealings) <= most, sentence)
    named = Counter(
        report.broker for deal in dealings for report in (deal.giver, deal.taker) if report
    )
    twice = [broker for broker, times in named.items() if times > 1]
    findings.note("SHD-57", not twice, f"round {place}: {twice} in several pairs", "twice")


def move_comes_back(move: Dealt, dealings: list[Dealing]) -> bool:
    """Whether the move is one for which something larger goes the other way."""
    return any(move.bundle in dealing.coming for dealing in dealings)


def judge_move(place: int, sight: Sight, move: Dealt, returns: bool, findings: Findings) -> None:
    """One bundle: is it free to go, and to go there?"""
    name = move.bundle.bundle
    sentence = f"round {place}: {name} was unloaded recently, or is not its broker's"
    findings.note("SHD-59" if returns else "SHD-58", is_free(move.bundle, sight.view), sentence)
    sentence = f"round {place}: policies or filters forbid that {name} moves"
    findings.note("SHD-60", may_go(sight, move), sentence)
    reports = [report for report in (move.source, move.destination) if report]
    stale = [report.broker for report in reports if report not in sight.counting]
    findings.note("SHD-53", not stale, f"round {place}: the reports of {stale} are too old")


def may_go(sight: Sight, move: Dealt) -> bool:
    """Whether policies and filters let the bundle go to its destination, or anywhere."""
    if move.destination is not None:
        return sight.movable(move.bundle, move.source, move.destination)
    others = (report for report in sight.view.reports if report is not move.source)
    return any(sight.movable(move.bundle, move.source, other) for other in others)


def judge_dealing(place: int, sight: Sight, dealing: Dealing, findings: Findings) -> None:
    """What one giver gives: it keeps something, and gives no more than it should."""
    giver = dealing.giver
    keeps = len(giver.top or ()) > len(dealing.going) or could_be_taker(dealing)
    findings.note("SHD-61", keeps, f"round {place}: {giver.broker} keeps none of its bundles")
    taker = dealing.taker or min(sight.paired(), key=lambda report: report.load)
    if giver.load < taker.load:
        return  # SHD-62 says so
    limit = sight.limit(giver, taker)
    room = EPSILON * (giver.throughput + traffic(dealing.going)) + EPSILON
    sentence = (
        f"round {place}: {giver.broker} loses {dealing.net:.6g} bytes/s, but half the gap to "
        f"{taker.broker} stands for {limit:.6g}"
    )
    if not dealing.coming:
        clause = "SHD-63" if giver.load > 0 else "SHD-65"
        findings.note(clause, dealing.net <= limit + room, sentence)
    elif giver.load > taker.load:
        evens = dealing.net <= limit + room or is_even(dealing, taker, room)
        findings.note("SHD-64", evens, f"{sentence}, and they are not even after the swap")


def could_be_taker(dealing: Dealing) -> bool:
    """Whether, of two equally loaded brokers that both give, the other one is the giver."""
    taker = dealing.taker
    if taker is None or not dealing.coming or taker.load != dealing.giver.load:
        return False
    return len(taker.top or ()) > len(dealing.coming)


def is_even(dealing: Dealing, taker: TransferReport, room: float) -> bool:
    """After a swap the giver has less than three quarters of its traffic, the taker no more."""
    left = dealing.giver.throughput - dealing.net
    gained = taker.throughput + dealing.net
    return gained <= left + room and left < dealing.giver.throughput * SWAP_LIMIT + room


def judge_partners(place: int, sight: Sight, dealings: list[Dealing], findings: Findings) -> None:
    """The more loaded give; where any broker could take any bundle, the least loaded take."""
    takers = sorted(deal.taker.load for deal in dealings if deal.taker)
    givers = [deal.giver.load for deal in dealings]
    if not takers:
        return
    sentence = f"round {place}: brokers with loads {givers} give to brokers with loads {takers}"
    findings.note("SHD-62", min(givers) >= max(takers), sentence)
    if sight.first_fits():
        most = max(report.load for report in sight.paired())
        sentence = f"round {place}: brokers with loads {givers} give, and the one with {most} none"
        findings.note("SHD-62", most in givers, sentence, "givers")
    if all(is_open(sight, bundle) for r in sight.view.reports for bundle in r.top or ()):
        least = sorted(report.load for report in sight.paired())[: len(takers)]
        sentence = f"round {place}: brokers with loads {takers} take, the least are {least}"
        findings.note("SHD-62", takers == least or not sight.is_whole(), sentence, "takers")


def judge_reasons(
    place: int, sight: Sight, decision: TransferDecision, pairs: int, findings: Findings
) -> None:
    """Where there is one pair, its reason is a condition that is met."""
    if pairs > 1:
        return
    for move in decision.moves:
        right = sight.may_be_told(move.reason)
        sentence = f"round {place}: {move.bundle} moves for {move.reason.value}, and nobody is"
        findings.note("SHD-51", right, sentence, "cause")


def is_open(sight: Sight, bundle: TopBundle) -> bool:
    """Whether nothing restricts where the bundle may be."""
    return bundle.admits is None and not bundle.filter_fails


def judge_need(place: int, sight: Sight, dealings: list[Dealing], findings: Findings) -> None:
    """No further pair once the loads can be expected to be close enough (SHD-67).

    Where brokers are equally loaded nobody can tell who came first.
    """
    if len(dealings) < 2 or any(deal.taker is None for deal in dealings):
        return
    loads = {report.broker: report.load for report in sight.paired()}
    if len(set(loads.values())) < len(loads) or any(d.giver.load == 0 for d in dealings):
        return
    ordered = sorted(dealings, key=lambda deal: -deal.giver.load)
    for deal in ordered[:-1]:
        if deal.taker is None or deal.giver.throughput == 0:
            return
    needed = needs_another(sight, ordered[:-1], ordered[-1])
    sentence = f"round {place}: the pairs before {ordered[-1].giver.broker} were enough"
    findings.note("SHD-67", needed, sentence)


def needs_another(sight: Sight, done: list[Dealing], last: Dealing) -> bool:
    """Whether there still may be a cause after these, for the pair that comes last or anybody."""
    if last.taker is None:
        return True
    loads = {report.broker: report.load for report in sight.paired()}
    squares = added(report.load**2 for report in sight.counting)
    for deal in done:
        taker = deal.taker or deal.giver
        moved = deal.net * deal.giver.load / deal.giver.throughput
        squares -= deal.giver.load**2 + taker.load**2
        loads[deal.giver.broker] = max(0.0, deal.giver.load - moved)
        loads[taker.broker] = taker.load + moved
        squares += loads[deal.giver.broker] ** 2 + loads[taker.broker] ** 2
    deviation = abs(squares / len(sight.counting) - sight.average**2) ** 0.5
    if deviation > sight.rules.target_std - sight.room:
        return True
    return (
        sight.is_below(min(loads.values()), sight.room)
        or sight.is_above(max(loads.values()), sight.room)
        or sight.is_idle(last.taker, last.giver, sight.room, True)
        or (not sight.edition.transfer_idle_by_share and sight.may_be_idle())
    )
