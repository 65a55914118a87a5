"""A decision of TransferShedder: its moves, their pairs, and sentences about them."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from enum import Enum, auto
from functools import partial
from itertools import permutations, product
from typing import Final

from evenkeel.properties.shedding.transfer.rounds import Round, Spread, in_turn
from evenkeel.properties.tolerance import Tolerance
from evenkeel.reference.shedding.cluster import BrokerId
from evenkeel.reference.shedding.transfer import (
    SWAP_LIMIT,
    TopBundle,
    TransferDecision,
    TransferMove,
    TransferReason,
    TransferReport,
)
from evenkeel_engine.kit.approx import Approx, Ternary, both, either, every, some
from evenkeel_engine.kit.formatting import display
from evenkeel_engine.kit.run import Run, fill


def in_words(moves: Iterable[TransferMove]) -> str:
    """Moves, in a fixed order."""
    return "; ".join(
        sorted(
            f"{move.bundle} from {move.source} to {move.destination or 'anyone'}, "
            f"{move.reason.value}"
            for move in moves
        )
    )


def in_short(decision: TransferDecision) -> str:
    """A decision: its moves, or the reason why there are none."""
    reason = decision.reason.value if decision.reason else "none"
    return in_words(decision.moves) or f"{decision.label.value} ({reason})"


MOST_ORDERED: Final = 4
"""With more pairs than this, their orders are not tried."""

CAUSES: Final = (TransferReason.OVERLOADED, TransferReason.UNDERLOADED)


@dataclass(frozen=True, slots=True)
class Listed:
    """A move whose bundle is on its source's list; `to` is None if no broker is named."""

    bundle: TopBundle
    source: TransferReport
    to: TransferReport | None


@dataclass(frozen=True, slots=True)
class Deal:
    """What a giver gives, and a known taker gives back; `to_idle`: it may take as an idle one."""

    giver: TransferReport
    taker: TransferReport | None
    going: tuple[TopBundle, ...]
    coming: tuple[TopBundle, ...]
    to_idle: bool = False

    def loss(self, now: Round) -> Approx:
        """The giver's net loss of traffic."""
        return self.net(now, lambda bundle: bundle.throughput)

    def net(self, now: Round, amount: Callable[[TopBundle], float]) -> Approx:
        """The amounts of what goes, less those of what comes back."""
        going, coming = (in_turn(map(amount, moved)) for moved in (self.going, self.coming))
        return now.tolerance.as_sum(going) - now.tolerance.as_sum(coming)

    def is_backward(self, now: Round) -> bool:
        """Whether more comes back than goes: in one direction, and no less in the other."""
        zero = Approx(0.0)
        incoming = self.net(now, lambda bundle: bundle.throughput_in)
        outgoing = self.net(now, lambda bundle: bundle.throughput_out)
        both_ways = both(incoming.at_most(zero), outgoing.at_most(zero))
        return bool(both(both_ways, either(incoming.below(zero), outgoing.below(zero))))


def traffic(bundles: Sequence[TopBundle]) -> float:
    """The sum of their throughput."""
    return in_turn(bundle.throughput for bundle in bundles)


def judge_moves(run: Run, now: Round, spread: Spread, moves: tuple[TransferMove, ...]) -> None:
    """Judge the moves of one round."""
    for move in moves:
        if move.reason not in CAUSES:
            sentence = f"{now.name}: moved for {move.reason.value}"
            run.require("SHD-51", False, sentence, "moves")
    if (listed := proper_moves(now, moves)) is None:
        sentence = f"{now.name}: {in_words(moves)}: impossible moves"
        run.require("SHD-56", False, sentence, "shape")
        return
    run.require("SHD-56", True)
    deals = deals_of(run, listed)
    deals = [replace(one, to_idle=is_to_idle(now, spread, one, deals)) for one in deals]
    few_pairs(run, now, deals)
    back = {(d.taker.broker, b.bundle) for d in deals if d.taker for b in d.coming}
    for one in listed:
        returns = (one.source.broker, one.bundle.bundle) in back
        may_move(run, now, one, "SHD-59" if returns else "SHD-58")
    ways = in_turn_from_more(now, spread, deals)
    for deal in deals:
        not_too_much(run, now, deal, ways)
    from_most_to_least(run, now, deals, ways)
    if len(deals) == 1:
        for move in moves:
            allowed = now.may_be_reported(spread, move.reason)
            sentence = "{}: {} moves for {}, but no broker is"
            why = fill(sentence, now.name, move.bundle, move.reason)
            run.require("SHD-51", allowed, why, "cause")
    none_needless(run, now, spread, deals, ways)


def proper_moves(now: Round, moves: tuple[TransferMove, ...]) -> list[Listed] | None:
    """The moves with their bundles and brokers; None if one is impossible (SHD-56)."""
    found = []
    for move in moves:
        source = now.reports.get(move.source)
        to = now.reports.get(move.destination) if move.destination else None
        if source is None or not is_destined(now, move):
            return None
        listed = [bundle for bundle in source.top or () if bundle.bundle == move.bundle]
        if not listed:
            return None
        found.append(Listed(listed[0], source, to))
    return found if len(set(map(now.mover, moves))) == len(moves) else None


def is_destined(now: Round, move: TransferMove) -> bool:
    """Whether a move names another registered broker; without transfers, none."""
    if not now.rules.transfer:
        return move.destination is None
    return move.destination in now.registered and move.destination != move.source


def deals_of(run: Run, listed: list[Listed]) -> list[Deal]:
    """The pairs of brokers."""
    pairs: dict[frozenset[str], list[Listed]] = {}
    for move in listed:
        ends = {move.source.broker, move.to.broker} if move.to else {move.source.broker}
        pairs.setdefault(frozenset(ends), []).append(move)
    return [deal_of(run, moves) for moves in pairs.values()]


def deal_of(run: Run, moves: list[Listed]) -> Deal:
    """The deal of a pair. If both give, the more loaded one is the giver; of equals, either."""
    sources = list({move.source.broker: move.source for move in moves}.values())
    sources.sort(key=lambda report: -report.load)
    giver = sources[0]
    if len(sources) > 1 and sources[1].load == giver.load:
        giver = sources[run.pick(2)]
    taker = moves[0].to if moves[0].source is giver else moves[0].source
    going = tuple(move.bundle for move in moves if move.source is giver)
    coming = tuple(move.bundle for move in moves if move.source is not giver)
    return Deal(giver, taker, going, coming)


def few_pairs(run: Run, now: Round, deals: list[Deal]) -> None:
    """SHD-57: no more pairs than allowed, and no broker in two of them; in PULSAR_3_0 without those
    that move bundles without traffic alone.
    """
    deals = with_traffic(now, deals)
    most = now.rules.max_pairs
    sources = {deal.giver.broker for deal in deals}
    why = f"{now.name}: {len(sources)} sources in {len(deals)} pairs of brokers, at most {most}"
    run.require("SHD-109", not 0 <= most < len(sources), why)
    run.require("SHD-57", len(deals) <= most, why)
    twice = in_several(deals)
    run.require(
        "SHD-57", not twice, lambda: f"{now.name}: {display(twice)} in several pairs", "twice"
    )


def with_traffic(now: Round, deals: list[Deal]) -> list[Deal]:
    """The deals that count as pairs (SHD-57): all, or those that move traffic."""
    if not now.edition.transfer_moves_idle_bundles:
        return deals
    return [deal for deal in deals if traffic(deal.going) > 0]


def may_move(run: Run, now: Round, move: Listed, clause: str) -> None:
    """Whether one bundle may move (SHD-58; SHD-59 if it comes back), and to this broker."""
    name, source = move.bundle.bundle, move.source
    if clause == "SHD-58":
        run.require(
            "SHD-98", move.bundle.owned, lambda: f"{now.name}: {name} is not {source.broker}'s"
        )
    run.require(
        clause,
        now.is_free(move.bundle),
        lambda: f"{now.name}: {name} was unloaded recently, or its broker does not serve it",
    )
    bound = now.is_bound(move.bundle) and not now.rules.policies_movable
    if now.is_bound(move.bundle):
        why = f"{now.name}: the namespace of {name} has policies, and these bundles stay"
        run.require("SHD-107", not bound, why)
    others = [move.to] if move.to else [r for r in now.view.reports if r is not source]
    allowed = any(now.may_go(move.bundle, source.broker, other.broker) for other in others)
    why = f"{now.name}: policies or filters forbid that {name} moves"
    if move.to and not (move.bundle.filter_fails or bound):
        run.require("SHD-111", allowed, why)
    run.require("SHD-60", allowed, why)
    stale = [end.broker for end in (source, move.to) if end and end not in now.young]
    run.require(
        "SHD-53", not stale, lambda: f"{now.name}: the reports of {display(stale)} are too old"
    )


def not_too_much(run: Run, now: Round, deal: Deal, ways: Ways | None) -> None:
    """SHD-61, SHD-63 to SHD-65: a giver keeps something, and gives no more than allowed."""
    giver, going, coming = deal.giver, deal.going, deal.coming
    keeps = len(giver.top or ()) > len(going)
    run.require("SHD-61", keeps, lambda: f"{now.name}: {giver.broker} keeps none of its bundles")
    taker = deal.taker or min(now.paired, key=lambda report: report.load)
    if giver.load < taker.load or (coming and giver.load == taker.load):
        return  # SHD-62 covers the former, no clause the latter
    limit, loss = now.half_gap(giver, taker), deal.loss(now)
    within = loss.at_most(limit)
    if ways is not None:  # what the pairs before have moved may count
        mine = [turn for way, _ in ways for turn in way if turn.deal is deal]
        limits = (now.half_gap(giver, taker, turn.before.loads) for turn in mine)
        within = either(within, some(map(loss.at_most, limits)) if ways else None)

    def why() -> str:
        swap = ", and they are not even after the swap" if coming else ""
        half = f"half the gap to {taker.broker} is {limit}{swap}"
        return f"{now.name}: {giver.broker} loses {loss} bytes/s, but {half}"

    if coming:
        run.require("SHD-64", either(within, is_even(now, giver, taker, loss)), why)
    else:
        run.require("SHD-63" if giver.load > 0 else "SHD-65", within, why)


def is_even(now: Round, giver: TransferReport, taker: TransferReport, loss: Approx) -> Ternary:
    """After a swap the giver has less than three quarters of its traffic, the taker no more."""
    left = now.tolerance.as_sum(giver.throughput) - loss
    gained = now.tolerance.as_sum(taker.throughput) + loss
    return both(gained.at_most(left), left.below(Approx(giver.throughput * SWAP_LIMIT)))


def from_most_to_least(run: Run, now: Round, deals: list[Deal], ways: Ways | None) -> None:
    """SHD-62: the more loaded give; where any could take any bundle, the least loaded take."""
    once = ways is None and not now.tolerance.exact  # no broker is in several pairs
    idle = any(deal.to_idle for deal in deals)
    if once and not idle:
        none_passed_over(run, now, deals)
    deals = with_traffic(now, deals)
    givers = [deal.giver.load for deal in deals]
    takers = sorted(deal.taker.load for deal in deals if deal.taker)
    if not takers:
        return
    who = f"{now.name}: brokers with loads"
    right: Ternary = min(givers) >= takers[-1]
    if idle:
        right = all(deal.giver.load >= deal.taker.load for deal in deals if deal.taker)
    if not right and ways is not None:
        right = some(fits for _, fits in ways) if ways else None
    run.require(
        "SHD-62",
        right,
        lambda: f"{who} {display(givers)} give to brokers with loads {display(takers)}",
    )
    if once:
        not_back(run, now, deals)
    if now.first_fits and not idle:
        run.require(
            "SHD-62",
            now.most in givers,
            lambda: f"{who} {display(givers)} give, and the one with {now.most} none",
            "givers",
        )
    if now.admits_all:
        to_the_least(run, now, deals, ways)


def is_to_idle(now: Round, spread: Spread, deal: Deal, deals: list[Deal]) -> bool:
    """Whether an idle broker takes where, after the less loaded ones, nothing else is a cause."""
    if now.tolerance.exact or deal.taker is None or now.is_idle(deal.taker, deal.taker) is False:
        return False
    load = deal.taker.load
    before = [other for other in deals if other.taker and other.taker.load < load]
    idle = now.least_idle if not before else False
    behind = [expect(now, spread, before, follows) for follows in Follows]
    return load > now.least and not all(one and is_caused(now, one, idle) for one in behind)


def is_caused(now: Round, behind: Expected, idle: Ternary) -> Ternary:
    """Whether there is a cause with these loads."""
    loads = behind.loads.values()
    return now.cause(behind.spread, min(loads), max(loads), idle)


def none_passed_over(run: Run, now: Round, deals: list[Deal]) -> None:
    """SHD-62: no broker that surely gives is passed over for a less loaded one.

    At most as many brokers take before its turn as are no less loaded, itself left out.
    """
    if now.has_stale or not now.admits_all:
        return
    given = min(deal.giver.load for deal in deals)
    in_a_pair = brokers_in(deals)
    for report in now.by_load:
        if report.load <= given or report.broker in in_a_pair:
            continue
        taker = now.by_load[sum(other.load >= report.load for other in now.by_load) - 1]
        passed = taker.load < report.load and now.surely_gives(report, taker)
        sentence = "{}: {} with {} can give and does not, one with {} gives"
        why = fill(sentence, now.name, report.broker, report.load, given)
        run.require("SHD-62", not passed, why, "passed")


def not_back(run: Run, now: Round, deals: list[Deal]) -> None:
    """SHD-62: what comes from a less loaded broker is no more than what goes there."""
    for deal in deals:
        if deal.taker and deal.taker.load < deal.giver.load:
            why = partial(why_not_back, now, deal)
            run.require("SHD-62", not deal.is_backward(now), why, "swap")


def to_the_least(run: Run, now: Round, deals: list[Deal], ways: Ways | None) -> None:
    """SHD-62: the least loaded brokers take, where any could; idle ones may take as well."""
    aside = {deal.taker.broker for deal in deals if deal.taker and deal.to_idle}
    reports = (deal.taker for deal in deals if deal.taker and deal.taker.broker not in aside)
    needed = [(report.broker, report.load) for report in reports]
    takers, passed = sorted(load for _, load in needed), 0
    if not now.tolerance.exact:
        passed = passed_over(now, [*{d.giver.broker: d.giver.load for d in deals}.values()])
        passed += len(passed_for_a_swap(now, deals))
        takers = sorted(dict(needed).values())
    left = [report.load for report in now.by_load if report.broker not in aside]
    least = left[: len(takers) + passed]
    to_least: Ternary = takers == least if not passed else not takers or takers[-1] <= least[-1]
    if not to_least and ways is not None:
        found = (both(fits, every(t.is_to_least(passed) for t in way)) for way, fits in ways)
        to_least = some(found) if ways else None
    run.require(
        "SHD-62",
        to_least,
        lambda: (
            f"{now.name}: brokers with loads {display(takers)} take, the least are {display(least)}"
        ),
        "takers",
    )


def why_not_back(now: Round, deal: Deal) -> str:
    return (
        f"{now.name}: {deal.giver.broker} gives {traffic(deal.going)} bytes/s, and takes "
        f"{traffic(deal.coming)} from a less loaded broker"
    )


def in_turn_from_more(now: Round, spread: Spread, deals: list[Deal]) -> Ways | None:
    """The orders of deals in which, by what is expected, those with more may give, each with
    whether they do; empty if that is unknown. None where what was moved does not count: no broker
    is in several pairs, or in 4.0.
    """
    if now.tolerance.exact or not in_several(deals):
        return None
    if len(deals) > MOST_ORDERED:
        return []
    found = []
    for order, follows in product(permutations(deals), Follows):
        if (way := turns(now, spread, list(order), follows)) is None:
            return []
        found.append((way, every(turn.from_more for turn in way)))
    return found


def passed_over(now: Round, givers: Sequence[float]) -> int:
    """How many of those as loaded as a giver gave nothing: by the documents each may have been
    paired with one of the least loaded in vain, and the next of them with the next.
    """
    as_loaded = [report.load for report in now.by_load if report.load >= min(givers)]
    return max(0, len(as_loaded) - len(givers))


def passed_for_a_swap(now: Round, deals: list[Deal]) -> set[BrokerId]:
    """Less loaded brokers that a giver may have been paired with in vain, before one that can swap:
    what fits with a broker without a swap fits with all that are less loaded.
    """
    in_a_pair = brokers_in(deals)
    return {
        report.broker
        for deal in deals
        for report in now.by_load
        if deal.coming and deal.taker and report.load < deal.taker.load
        if report.broker not in in_a_pair and not now.surely_gives(deal.giver, report)
    }


def brokers_in(deals: list[Deal]) -> set[BrokerId]:
    """Those that give or take."""
    return {end.broker for deal in deals for end in (deal.giver, deal.taker) if end}


def in_several(deals: list[Deal]) -> list[str]:
    """The brokers that are in several pairs (SHD-57)."""
    named = Counter(end.broker for deal in deals for end in (deal.giver, deal.taker) if end)
    return [broker for broker, times in named.items() if times > 1]


class Follows(Enum):
    """Which traffic load follows; the documents do not say."""

    NOW = auto()
    """The source's of now."""
    AVERAGE = auto()
    """The source's average."""
    OWN = auto()
    """Each broker's of now: a byte costs the destination what its own bytes do."""

    def rate(self, report: TransferReport) -> float:
        """The broker's traffic, in bytes/s."""
        return report.throughput_average if self is Follows.AVERAGE else report.throughput

    def compute_gain(self, moved: float, loss: float, load: float, rate: float) -> float:
        """The load gained by a broker where the source loses `moved`, by `loss` bytes/s."""
        return loss * load / rate if self is Follows.OWN and rate > 0 else moved


@dataclass(frozen=True, slots=True)
class Expected:
    """The expected spread and loads after some pairs have moved load."""

    spread: Spread
    loads: dict[str, float]


def expect(
    now: Round, spread: Spread, deals: list[Deal], follows: Follows = Follows.NOW
) -> Expected | None:
    """The expectation; None where it is unknown: without a taker, a load, or traffic."""
    loads: dict[str, float] = {report.broker: report.load for report in now.paired}
    for deal in deals:
        giver, taker, loss = deal.giver, deal.taker, deal.loss(now).value
        if taker is None or giver.load == 0 or follows.rate(giver) == 0:
            return None
        moved = loss * giver.load / follows.rate(giver)
        gained = follows.compute_gain(moved, loss, taker.load, taker.throughput)
        spread = spread.after(giver.load, taker.load, moved, gained)
        loads[giver.broker] = max(0.0, giver.load - moved)
        loads[taker.broker] = taker.load + gained
    return Expected(spread, loads)


@dataclass(frozen=True, slots=True)
class Turn:
    """A deal whose place in the order matters: whether the giver has as much as the taker by then,
    and what is expected before it.
    """

    deal: Deal
    from_more: Ternary
    before: Expected
    tolerance: Tolerance

    def is_to_least(self, passed: int) -> Ternary:
        """Whether the taker has least by then, or as many as this have less."""
        if self.deal.to_idle:
            return True
        loads = self.before.loads
        taker = loads[self.deal.taker.broker] if self.deal.taker else 0.0
        least = sorted(loads.values())[min(passed, len(loads) - 1)]
        return self.tolerance.as_usage(taker).at_most(self.tolerance.as_usage(least))


Ways = list[tuple[list[Turn], Ternary]]
"""Orders of deals, each with whether those with more give."""


def turns(now: Round, spread: Spread, deals: list[Deal], follows: Follows) -> list[Turn] | None:
    """The deals in order; None where the order is unknown."""
    loads: dict[str, float] = {report.broker: report.load for report in now.paired}
    rates = {report.broker: follows.rate(report) for report in now.paired}
    found = []
    for deal in deals:
        giver, taker = deal.giver.broker, deal.taker.broker if deal.taker else None
        if taker is None or not {giver, taker} <= loads.keys() or rates[giver] <= 0:
            return None
        fuller, emptier = map(now.tolerance.as_usage, (loads[giver], loads[taker]))
        before = Expected(spread, dict(loads))
        found.append(Turn(deal, fuller.at_least(emptier), before, now.tolerance))
        loss = deal.loss(now).value
        moved = loads[giver] * loss / rates[giver]
        gained = follows.compute_gain(moved, loss, loads[taker], rates[taker])
        spread = spread.after(loads[giver], loads[taker], moved, gained)
        loads[giver], loads[taker] = max(0.0, loads[giver] - moved), loads[taker] + gained
        rates[giver], rates[taker] = rates[giver] - loss, rates[taker] + loss
    return found


def none_needless(
    run: Run, now: Round, spread: Spread, deals: list[Deal], ways: Ways | None
) -> None:
    """SHD-67: no further pair once the loads can be expected to be close enough.

    Where brokers are equally loaded, their order is unknown.
    """
    if len(deals) < 2 or len({report.load for report in now.paired}) < len(now.paired):
        return
    rows = [
        ([is_needed(now, *further) for further in row], fits)
        for row, fits in further_pairs(now, spread, deals, ways)
    ]
    for enough in range(1, len(deals)):
        needed = some(both(fits, every(needs[:enough])) for needs, fits in rows)
        wrong = f"{now.name}: of {len(deals)} pairs {enough} were enough"
        run.require("SHD-67", needed if rows else None, wrong)
        if needed is False:
            return


def further_pairs(
    now: Round, spread: Spread, deals: list[Deal], ways: Ways | None
) -> Iterator[tuple[list[tuple[Deal, Expected | None]], Ternary]]:
    """The pairs after the first, each with what is expected before it, in the orders of `ways`, or
    those with more first; and whether those with more give.
    """
    if ways is not None:
        for way, fits in ways:
            yield [(turn.deal, turn.before) for turn in way[1:]], fits
        return
    ordered = sorted(deals, key=lambda deal: -deal.giver.load)
    for follows in Follows:
        behind = (expect(now, spread, ordered[:done], follows) for done in range(1, len(deals)))
        yield list(zip(ordered[1:], behind, strict=True)), True


def is_needed(now: Round, deal: Deal, behind: Expected | None) -> Ternary:
    """Whether there is still a cause before a further pair; None where that is unknown."""
    if behind is None or deal.taker is None or deal.giver.load == 0:
        return None
    others = None if now.any_idle is not False else False
    return is_caused(now, behind, either(now.is_idle(deal.taker, deal.giver), others))
