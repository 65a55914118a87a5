"""Mutants and equivalent mutants of the chapter *balancing*."""

from __future__ import annotations

from dataclasses import replace
from typing import Any, Final, cast

from evenkeel.properties.mutant import Mutant
from evenkeel.properties.mutant_maker import (
    Function,
    always,
    defect,
    equivalent,
    first,
    switched,
)
from evenkeel.reference.balancing import leader, loop, placements, world
from evenkeel.reference.balancing.balancer import Choice, Choose
from evenkeel.reference.balancing.leader import Leader
from evenkeel.reference.balancing.world import Away, World
from evenkeel.reference.edition import PULSAR_4_0
from evenkeel.reference.shedding import avg, overload, threshold, transfer, transfer_pair, uniform
from evenkeel.reference.shedding.cluster import BrokerId, BundleName, Millis

# ------------------------------------------------------------------------------- the cluster


def _stays_with_owner(original: Function) -> Function:
    def unload(before: World, bundle: BundleName, away: Away) -> World:
        return replace(before, away={**before.away, bundle: away})

    return unload


def _at_once(original: Function) -> Function:
    def unload(before: World, bundle: BundleName, away: Away) -> World:
        after: World = original(before, bundle, replace(away, back_at=0))
        return after

    return unload


def _full_speed(original: Function) -> Function:
    return lambda broker, carried, speed: original(broker, carried, 1.0)


CLUSTER: Final[tuple[Mutant, ...]] = (
    defect(
        "unloaded-bundle-stays",
        world,
        "unload",
        _stays_with_owner,
        "A bundle that is unloaded keeps loading its old owner: load is counted twice.",
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
)

# -------------------------------------------------------------------------------- the leader


def _no_grace(original: Function) -> Function:
    return lambda before, now, grace_minutes: replace(before, recently_unloaded={})


def _last_moment_free(original: Function) -> Function:
    def forget_old(before: Leader, now: Millis, grace_minutes: int) -> Leader:
        return cast(Leader, original(before, now + 1, grace_minutes))

    return forget_old


def _kept(original: Function) -> Function:
    return lambda before, arrived, active, edition: before.preallocated


def _everything_is_planned(original: Function) -> Function:
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
        "grace-without-its-last-moment-PULSAR_4_0",
        leader,
        "forget_old",
        _last_moment_free,
        "Other than 4.0, a bundle goes again when its grace period has just ended.",
        edition=PULSAR_4_0,
    ),
    equivalent(
        "grace-without-its-last-moment",
        leader,
        "forget_old",
        _last_moment_free,
        "The last moment of the grace period does not belong to it.",
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
        "destination-used-again",
        leader,
        "planned_for",
        _everything_is_planned,
        "A bundle goes for ever to where it was once sent, even if that broker is gone.",
        "SH45",
        edition=PULSAR_4_0,
    ),
)

# ---------------------------------------------------------------------------------- the loop


def _without_trigger(original: Function) -> Function:
    return lambda usage, rules: usage > 0.2


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
    equivalent(
        "a-lone-broker-gives-children-up",
        loop,
        "unloads_children",
        first(3, lambda brokers: (*brokers, "nobody:1")),
        "Where nobody else can serve the children of a split, unloading them is left open.",
    ),
    defect(
        "a-lone-broker-sheds",
        loop,
        "may_shed",
        always(True),
        "An overloaded broker that is alone cuts its clients off, and serves them again.",
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


def _one_round_more(original: Function) -> Function:
    def enough(hits: avg.Hits, rules: avg.AvgRules) -> bool:
        return hits.high > rules.high_hits or hits.low > rules.low_hits

    return enough


STUCK: Final[tuple[Mutant, ...]] = (
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
)

# --------------------------------------------------------------------------------- swinging


def _any_weight(original: Function) -> Function:
    return lambda weight, left, edition: weight > 0


def _all_of_it(original: Function) -> Function:
    return lambda fuller, emptier, rules: (fuller - emptier) * 1.5


def _three_halves(original: Function) -> Function:
    return lambda pair, edition: 3 * original(pair, edition)


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
)


def _relieves_nobody(original: Function) -> Function:
    def split(*arguments: Any) -> tuple[World, Leader]:
        after, _ = original(*arguments)
        return after, arguments[1]

    return split


RELIEF: Final[tuple[Mutant, ...]] = (
    defect(
        "evenness-before-load",
        placements,
        "relieving",
        switched(even_distribution_before_load=True),
        "The broker that was too full gets its bundle back: its namespace has the fewest there.",
    ),
    defect(
        "load-before-evenness",
        placements,
        "relieving",
        switched(even_distribution_before_load=False),
        "Not 4.0: even distribution is left out where a bundle is shed.",
        edition=PULSAR_4_0,
    ),
    defect(
        "evenness-forgotten",
        placements,
        "relieving",
        lambda _: lambda config, *_rest: replace(config, distribute_evenly=False),
        "After a crash all bundles of a namespace go to the same few brokers.",
    ),
    defect(
        "halves-stay",
        world,
        "divide",
        first(2, lambda stays: True),
        "A hot bundle is split, and the same broker goes on serving both halves.",
    ),
    defect(
        "halves-by-evenness",
        loop,
        "split",
        _relieves_nobody,
        "The halves of a hot bundle go back to its broker: their namespace has the fewest there.",
    ),
)

MUTANTS: Final[tuple[Mutant, ...]] = (*CLUSTER, *LEADER, *LOOP, *STUCK, *SWINGING, *RELIEF)
