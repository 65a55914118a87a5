"""Mutants and equivalent mutants of the chapter *balancing*."""

from __future__ import annotations

from dataclasses import replace
from typing import Any, Final

from evenkeel.properties.mutant import Mutant
from evenkeel.properties.mutant_maker import (
    Function,
    always,
    defect,
    equivalent,
    switched,
)
from evenkeel.reference.balancing import leader, loop, world
from evenkeel.reference.balancing.balancer import Choice, Choose
from evenkeel.reference.balancing.leader import Leader
from evenkeel.reference.balancing.world import Away, World
from evenkeel.reference.edition import PULSAR_4_0
from evenkeel.reference.shedding import avg, overload, threshold, transfer, transfer_pair, uniform
from evenkeel.reference.shedding.cluster import BrokerId, BundleName

# ------------------------------------------------------------------------------- the cluster


def _stays_with_owner(original: Function) -> Function:
    """The bundle is away and still with its owner."""

    def unload(before: World, bundle: BundleName, away: Away) -> World:
        return replace(before, away={**before.away, bundle: away})

    return unload


def _forgotten(original: Function) -> Function:
    """The bundles of a broker that is gone are nowhere."""

    def lose(before: World, broker: BrokerId, back_at: int) -> World:
        after: World = original(before, broker, back_at)
        return replace(after, away=before.away)

    return lose


def _at_once(original: Function) -> Function:
    def unload(before: World, bundle: BundleName, away: Away) -> World:
        after: World = original(before, bundle, replace(away, back_at=0))
        return after

    return unload


def _full_speed(original: Function) -> Function:
    return lambda broker, carried, speed: original(broker, carried, 1.0)


def _half(original: Function) -> Function:
    """Only what comes in is measured."""
    return lambda traffics: replace(original(traffics), msg_rate_out=0.0, throughput_out=0.0)


CLUSTER: Final[tuple[Mutant, ...]] = (
    defect(
        "unloaded-bundle-stays",
        world,
        "unload",
        _stays_with_owner,
        "A bundle that is unloaded keeps loading its old owner: load is counted twice.",
    ),
    defect(
        "bundles-of-a-crash-forgotten",
        world,
        "lose",
        _forgotten,
        "The bundles of a broker that is gone are served by nobody ever again.",
    ),
    defect(
        "clients-back-too-soon",
        world,
        "unload",
        _at_once,
        "Bundles are served before their clients are there.",
    ),
    defect(
        "slow-brokers-look-idle",
        world,
        "resources_of",
        _full_speed,
        "A broker with a slow processor reports the usage of a fast one.",
    ),
    defect(
        "half-of-the-traffic",
        world,
        "total",
        _half,
        "A broker's report leaves out what it sends.",
    ),
)

# -------------------------------------------------------------------------------- the leader


def _no_grace(original: Function) -> Function:
    return lambda before, now, grace_minutes: replace(before, recently_unloaded={})


def _one_minute_less(original: Function) -> Function:
    return lambda before, now, grace_minutes: original(before, now, grace_minutes - 1)


def _kept(original: Function) -> Function:
    return lambda before, arrived, active, edition: before.preallocated


def _first_report_only(original: Function) -> Function:
    return lambda sent, latest: sent.broker in latest and sent.sent_at % 120_000 == 0


def _nobody_leaves(original: Function) -> Function:
    """Brokers that are gone are still candidates, with their last reports."""

    def receive(before: Leader, now: int, active: frozenset[BrokerId], edition: Any) -> Leader:
        after: Leader = original(before, now, active | set(before.latest), edition)
        return after

    return receive


def _everything_is_planned(original: Function) -> Function:
    """A fixed destination is used again and again."""

    def planned_for(before: Leader, bundle: BundleName, edition: Any) -> Any:
        _, broker = original(before, bundle, edition)
        return before, broker

    return planned_for


LEADER: Final[tuple[Mutant, ...]] = (
    defect(
        "grace-unknown",
        leader,
        "forget_old",
        _no_grace,
        "Bundles are unloaded again a minute later.",
    ),
    defect(
        "grace-a-minute-short",
        leader,
        "forget_old",
        _one_minute_less,
        "Bundles are unloaded again a minute before their grace period is over.",
    ),
    defect(
        "new-leader-forgets-grace",
        leader,
        "succeed",
        switched(leader_change_forgets_grace=True),
        "After a change of leader bundles are unloaded again at once.",
    ),
    defect(
        "preallocations-never-end",
        leader,
        "still_preallocated",
        _kept,
        "What was once given to a broker counts for it for ever.",
        "SH44",
    ),
    defect(
        "preallocations-not-counted",
        leader,
        "preallocate",
        lambda original: lambda before, bundle, broker: before,
        "All bundles that are looked up at once go to the same broker.",
    ),
    defect(
        "reports-dropped",
        leader,
        "is_outdated",
        _first_report_only,
        "The leader decides with reports that were replaced long ago.",
    ),
    defect(
        "mean-of-departed-brokers",
        leader,
        "receive",
        _nobody_leaves,
        "The mean usage counts brokers that are no longer there.",
    ),
    defect(
        "destination-used-again",
        leader,
        "planned_for",
        _everything_is_planned,
        "A bundle goes for ever to where it was once sent, even if that broker is gone.",
        "SH45",
        edition=PULSAR_4_0,
    ),
    defect(
        "destinations-by-range",
        leader,
        "plan_key",
        lambda original: lambda bundle, edition: bundle,
        "Destinations are kept by bundle, unlike 4.0.",
        edition=PULSAR_4_0,
    ),
)

# ---------------------------------------------------------------------------------- the loop


def _one_of_two(original: Function) -> Function:
    """Half of what is wanted is done."""

    def decided(state: Any, wanted: Any, *rest: Any) -> Any:
        return original(state, wanted, *rest) if wanted.bundle < "tenant/two" else None

    return decided


def _without_trigger(original: Function) -> Function:
    return lambda usage, rules: usage > 0.2


def _far_too_late(original: Function) -> Function:
    return lambda usage, rules: usage > 2.0


def _any_above_mean(original: Function) -> Function:
    return lambda score, average, config: score > average


def _hysteresis(original: Function) -> Function:
    return lambda score, average, config: original(score - 0.1, average, config)


def _last_choice(original: Function) -> Function:
    def seeded(seed: int) -> Choose:
        return lambda choice: choice.allowed[-1]

    return seeded


def _cycling(original: Function) -> Function:
    def seeded(seed: int) -> Choose:
        counts: dict[str, int] = {}

        def choose(choice: Choice) -> BrokerId:
            turn = counts[choice.bundle] = counts.get(choice.bundle, seed) + 1
            return choice.allowed[turn % len(choice.allowed)]

        return choose

    return seeded


def _added_up_backwards(original: Function) -> Function:
    return lambda traffics: original(traffics[::-1])


LOOP: Final[tuple[Mutant, ...]] = (
    defect(
        "moves-to-itself",
        loop,
        "makes_sense",
        always(True),
        "A bundle is unloaded every minute and comes back to the broker that it left.",
        "SH30",
        edition=PULSAR_4_0,
    ),
    defect(
        "old-reports-obeyed",
        loop,
        "still_serves",
        lambda original: lambda cluster, wanted: wanted.bundle in cluster.owner,
        "A bundle is taken from a broker because of what another one reported earlier.",
        "SH18",
    ),
    defect(
        "one-namespace-never-sheds",
        loop,
        "decided",
        _one_of_two,
        "Bundles of one namespace stay where they are, however full the broker is.",
    ),
    defect(
        "nothing-is-shed",
        loop,
        "shed",
        lambda original: lambda state, scenario, now, choose, edition: (state, ()),
        "Brokers stay overloaded for ever.",
        "SH3",
    ),
    defect(
        "sheds-without-trigger",
        overload,
        "is_overloaded",
        _without_trigger,
        "A cluster that is not busy at all moves bundles all day.",
    ),
    defect(
        "sheds-far-too-late",
        overload,
        "is_overloaded",
        _far_too_late,
        "An overloaded broker gets no help.",
    ),
    defect(
        "sheds-all-above-mean",
        threshold,
        "is_above",
        _any_above_mean,
        "A balanced cluster is never left alone.",
    ),
    defect(
        "sheds-late",
        threshold,
        "is_above",
        _hysteresis,
        "A broker far above the mean is left alone.",
        "SH3",
    ),
    equivalent(
        "other-choices",
        loop,
        "seeded",
        _last_choice,
        "Of several allowed brokers the last one is always chosen.",
    ),
    equivalent(
        "choices-in-turn",
        loop,
        "seeded",
        _cycling,
        "Allowed brokers are chosen in turn.",
        edition=PULSAR_4_0,
    ),
    equivalent(
        "added-up-backwards",
        world,
        "total",
        _added_up_backwards,
        "Sums are added up in another order.",
    ),
)

# ------------------------------------------------------------------------- without progress


def _ten_times(original: Function) -> Function:
    return lambda dimension, rules: 10 * original(dimension, rules) + 1_000_000_000


def _fits_with_room(original: Function) -> Function:
    """Only bundles of half of what is left are thought to fit."""
    return lambda weight, left, edition: original(weight * 2, left, edition)


def _only_far_apart(original: Function) -> Function:
    """However long a difference lasts, only the high threshold counts."""
    return lambda hits, rules: hits.high >= rules.high_hits


def _one_round_more(original: Function) -> Function:
    """The pair acts a round too late."""

    def enough(hits: avg.Hits, rules: avg.AvgRules) -> bool:
        return hits.high > rules.high_hits or hits.low > rules.low_hits

    return enough


def _share_of_taker(original: Function) -> Function:
    """Half of the gap of the loads, but of the taker's traffic."""

    def amount(pair: transfer_pair.Pair, edition: object) -> float:
        return pair.taker.throughput * (pair.giver.load - pair.taker.load) / 2

    return amount


STUCK: Final[tuple[Mutant, ...]] = (
    defect(
        "uniform-never-worth-it",
        uniform,
        "minimum_for",
        _ten_times,
        "The busiest broker keeps everything: no share of its lead is enough.",
    ),
    defect(
        "uniform-wants-room",
        uniform,
        "fits",
        _fits_with_room,
        "Bundles that fit into the share of the lead stay.",
    ),
    defect(
        "avg-low-threshold-unused",
        avg,
        "enough",
        _only_far_apart,
        "A pair that is somewhat apart is left so for ever.",
    ),
    defect(
        "avg-a-round-late",
        avg,
        "enough",
        _one_round_more,
        "A pair waits for one round more than is configured.",
    ),
    defect(
        "transfer-never-counts",
        transfer,
        "counted",
        always(0),
        "Whatever the deviation, nothing is transferred where more than one round is wanted.",
        edition=PULSAR_4_0,
    ),
    defect(
        "transfer-measures-the-taker",
        transfer_pair,
        "traffic_to_move",
        _share_of_taker,
        "An empty broker gets nothing, because it has no traffic.",
        edition=PULSAR_4_0,
    ),
)

# --------------------------------------------------------------------------------- swinging


def _any_weight(original: Function) -> Function:
    return lambda weight, left, edition: weight > 0


def _all_of_it(original: Function) -> Function:
    """The whole difference is moved, and half of it again."""
    return lambda fuller, emptier, rules: (fuller - emptier) * 1.5


def _three_halves(original: Function) -> Function:
    return lambda pair, edition: 3 * original(pair, edition)


def _unbounded(original: Function) -> Function:
    """What comes back is as much as can be had, not what makes up for what goes."""
    return lambda giver, taker, most, offered: tuple(offered)


SWINGING: Final[tuple[Mutant, ...]] = (
    defect(
        "uniform-sheds-whatever-there-is",
        uniform,
        "fits",
        _any_weight,
        "The busiest broker gives everything away, and another is the busiest.",
    ),
    defect(
        "avg-reverses-pairs",
        avg,
        "traffic_budget",
        _all_of_it,
        "The emptier broker of a pair becomes the fuller one, and so on for ever.",
    ),
    defect(
        "transfer-reverses-pairs",
        transfer_pair,
        "traffic_to_move",
        _three_halves,
        "The taker of a round is the giver of the next one.",
    ),
    defect(
        "swaps-everything-back",
        transfer_pair,
        "swap",
        _unbounded,
        "For one bundle all those of the taker come back.",
    ),
)

MUTANTS: Final[tuple[Mutant, ...]] = (*CLUSTER, *LEADER, *LOOP, *STUCK, *SWINGING)
