"""What in a broker.conf cannot work: a function for each rule of rules.toml, with its trial.

A trial has the operator's own values; what the reference answers in the edition of the release must
be what the sentence says, and with the defaults it must not be: a test holds both for every rule
and release.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any, Final

from evenkeel.operate.conf import names, segments, trials
from evenkeel.operate.conf.conf import Conf
from evenkeel.operate.conf.readers import PLACES, SHEDS, is_default
from evenkeel.operate.conf.rule import DECLARED, TABLE, moves_nothing, rule
from evenkeel.operate.conf.shipped import edition_of
from evenkeel.operate.conf.trials import MEBIBYTE, Json, pick_settings, two_brokers
from evenkeel.reference.edition import EDITIONS
from evenkeel.reference.load.usage import bandwidth_weight
from evenkeel.reference.shedding.cluster import MINUTE
from evenkeel_engine.kit.observations import Broke, Refused

AVG: Final = "AvgShedder"
BOTH: Final = (AVG, "UniformLoadShedder")
"""The strategies that move a share of a difference."""
FULL: Final = [(90.0, 10.0)]
"""The usages of a full and an empty broker, in percent."""
HITS: Final = "loadBalancerAvgShedderHitCount"
BALANCING: Final = ("modular", "extensible")
"""The managers that have strategies."""
LONGEST: Final = 60
"""Rounds of a trial, at most."""
OWN_WEIGHTS: Final = (
    "loadBalancerCPUResourceWeight",
    "loadBalancerDirectMemoryResourceWeight",
    "loadBalancerBandwidthInResourceWeight",
    "loadBalancerBandwidthOutResourceWeight",
)
"""The weights that the modular manager reads."""
OLD_NAMES: Final = {key: key.replace("Bandwidth", "Bandwith") for key in OWN_WEIGHTS[2:]}
"""What the weights of bandwidths were called before, which counts, too (LOA-7)."""


# ------------------------------------------------------------------ which strategy, which manager


def strategy_trial(conf: Conf) -> Json:
    """What is configured; the extensible manager's own default is no class of its own."""
    extensible = conf.manager == "extensible"
    unset = extensible and not conf.sets(SHEDS)
    return {
        "manager": conf.manager or "modular",
        "strategy": None if unset else conf.strategy,
        "placement": conf.placement if conf.sets(PLACES) or not extensible else None,
    }


@rule(
    "other-manager",
    strategy_trial,
    lambda seen, conf: isinstance(seen, Refused | Broke) or seen.sheds != conf.strategy,
)
def other_manager(conf: Conf) -> str:
    """The shedder is the other manager's."""
    ours = (conf.strategy == "TransferShedder") is (conf.manager == "extensible")
    known = conf.manager in BALANCING and conf.strategy in trials.STRATEGY_QUESTIONS
    if not known or ours or not conf.sets(SHEDS):
        return ""
    instead = "; TransferShedder sheds instead" if conf.manager == "extensible" else ""
    return f"{conf.strategy} is no strategy of the {conf.manager} manager: it never sheds{instead}"


@rule(
    "avg-places-alone",
    strategy_trial,
    lambda seen, conf: isinstance(seen, Refused | Broke) or seen.places != conf.placement,
)
def avg_places_alone(conf: Conf) -> bool:
    """AvgShedder is set to place, and not to shed."""
    misspelt = any(meant and choice.key == SHEDS for choice, _, meant in names.find_others(conf))
    return conf.is_plan_alone and conf.sets(PLACES) and not misspelt


@rule("avg-sheds-alone", strategy_trial, lambda seen, conf: seen.sheds == AVG != seen.places)
def avg_sheds_alone(conf: Conf) -> bool:
    """AvgShedder is set to shed, and not to place."""
    return conf.manager == "modular" and conf.strategy == AVG != conf.placement


EVENLY: Final = "loadBalancerDistributeBundlesEvenlyEnabled"


@rule("plan-dropped")
def plan_dropped(conf: Conf) -> bool:
    """What AvgShedder plans goes elsewhere, since brokers are dropped before it is asked."""
    return conf.sheds == AVG == conf.placement and conf.flag(EVENLY)


@rule("placement-unread", strategy_trial, lambda seen, conf: seen.places != conf.placement)
def placement_unread(conf: Conf) -> bool:
    """A placement is set, and the extensible manager has its own."""
    other = conf.placement != "LeastResourceUsageWithWeight"
    return conf.manager == "extensible" and other and conf.sets(PLACES)


# ------------------------------------------------------------------ thresholds and amounts


def rule_of_value(
    name: str,
    wrong: Callable[[float], bool],
    trial: Callable[[Json], Json],
    shows: Callable[[Any, Conf], bool] = moves_nothing,
) -> None:
    """A rule about a number that one strategy reads; `trial` is given the setting."""
    strategy, key = TABLE[name]["strategy"], TABLE[name]["setting"]
    declare = rule(name, lambda conf: trial(pick_settings(conf, key)), shows)
    declare(lambda conf: conf.sheds == strategy and wrong(conf.number(key)))


def avg_trial(conf: Conf, apart: float) -> Json:
    """Brokers `apart` points apart, for as many rounds as the low threshold asks for."""
    config = pick_settings(
        conf,
        *("loadBalancerAvgShedderLowThreshold", "loadBalancerAvgShedderHighThreshold"),
        *(f"{HITS}LowThreshold", f"{HITS}HighThreshold"),
    )
    rounds = min(max(conf.whole(f"{HITS}LowThreshold"), 1), LONGEST)
    return two_brokers(config, [(apart, 0.0)] * rounds)


@rule(
    "avg-thresholds-crossed",
    lambda conf: avg_trial(conf, min(conf.number("loadBalancerAvgShedderHighThreshold"), 100.0)),
)
def thresholds_crossed(conf: Conf) -> bool:
    """The high threshold is below the low one."""
    low, high = (conf.whole(f"loadBalancerAvgShedder{one}Threshold") for one in ("Low", "High"))
    return conf.sheds == AVG and low > high


@rule(
    "avg-hits-crossed",
    lambda conf: avg_trial(conf, 100.0),
    lambda seen, conf: bool(seen.rounds) and bool(seen.rounds[-1]) and not any(seen.rounds[:-1]),
)
def hits_crossed(conf: Conf) -> bool:
    """A very different pair waits as long as one that is a little different."""
    low, high = (f"{HITS}{one}Threshold" for one in ("Low", "High"))
    return conf.sheds == AVG and conf.whole(low) <= conf.whole(high)


def largest_bundle(conf: Conf) -> tuple[float, float]:
    """Messages and bytes a second of a bundle that is not split yet."""
    return conf.number("loadBalancerNamespaceBundleMaxMsgRate"), conf.number(LARGEST) * MEBIBYTE


def share_trial(conf: Conf) -> Json:
    """Brokers that differ by such a bundle, for as long as AvgShedder may want."""
    keys = ["maxUnloadPercentage", "minUnloadMessage", "minUnloadMessageThroughput"]
    return two_brokers(pick_settings(conf, *keys), FULL * 2, *largest_bundle(conf))


@rule("share-too-small", share_trial)
def share_too_small(conf: Conf) -> bool:
    """A share of a whole bundle is less than what is worth moving."""
    rate, size = largest_bundle(conf)
    share = conf.number("maxUnloadPercentage")
    enough = share * rate > conf.number("minUnloadMessage")
    enough |= share * size > conf.number("minUnloadMessageThroughput")
    return conf.sheds in BOTH and not enough


@rule("share-of-more")
def share_of_more(conf: Conf) -> bool:
    """A share that was meant in percent."""
    return conf.sheds in BOTH and conf.number("maxUnloadPercentage") > 1


rule_of_value(
    "cap-of-none", lambda cap: cap != -1 and cap <= 0, lambda config: two_brokers(config, FULL)
)
DIFFERENCES: Final = (
    "loadBalancerMsgRateDifferenceShedderThreshold",
    "loadBalancerMsgThroughputMultiplierDifferenceShedderThreshold",
)


@rule("both-thresholds-off", lambda conf: two_brokers(pick_settings(conf, *DIFFERENCES), FULL))
def both_thresholds_off(conf: Conf) -> bool:
    """UniformLoadShedder looks at neither of its two differences."""
    return conf.sheds == BOTH[1] and not any(conf.number(key) > 0 for key in DIFFERENCES)


@rule("weights-of-nothing", lambda conf: two_brokers(weights_read(conf), FULL * 2))
def weights_of_nothing(conf: Conf) -> bool:
    """No resource counts, so that every broker is as good as idle."""
    counted = any(weight > 0 for weight in weights_read(conf).values())
    return conf.sheds in ("ThresholdShedder", "OverloadShedder", AVG) and not counted


def weights_read(conf: Conf) -> Json:
    """The weights that count, of a bandwidth under either name (LOA-7)."""
    weights, edition = pick_settings(conf, *OWN_WEIGHTS), EDITIONS[edition_of(conf.release)]
    for new, old in OLD_NAMES.items():
        if old in conf.defaults:
            weights[new] = bandwidth_weight(weights.get(new, 1.0), conf.number(old), edition)
    return weights


def full_and_idle(config: Json) -> Json:
    """A broker that is as full as can be, and an idle one."""
    return two_brokers(config, [(100.0, 0.0)])


rule_of_value("threshold-unreachable", lambda points: points >= 100, full_and_idle)
rule_of_value("overload-unreachable", lambda percent: percent > 100, full_and_idle)
rule_of_value(
    "history-frozen",
    lambda share: share >= 1,
    lambda config: two_brokers(config, [(50.0, 50.0)] + [(100.0, 0.0)] * 20),
)
LEAST: Final = "loadBalancerBundleUnloadMinThroughputThreshold"
LARGEST: Final = "loadBalancerNamespaceBundleMaxBandwidthMbytes"


def minimum_trial(conf: Conf) -> Json:
    """A broker that is to shed half of what it carries: the largest bundle."""
    # 90 and 10 points: half of the traffic is to go, so the broker carries twice the bundle.
    throughput = conf.number(LARGEST) * MEBIBYTE * 2
    return two_brokers(pick_settings(conf, LEAST), FULL, throughput=throughput)


@rule("minimum-above-a-bundle", minimum_trial)
def minimum_above_a_bundle(conf: Conf) -> bool:
    """What is worth shedding is more than the largest bundle."""
    return conf.sheds == "ThresholdShedder" and conf.number(LEAST) > conf.number(LARGEST)


# ------------------------------------------------------------------ TransferShedder


def transfers(seen: Any, conf: Conf) -> bool:
    """A bundle is moved."""
    return any(decision.moves for decision in seen.rounds)


def transfers_nothing(seen: Any, conf: Conf) -> bool:
    """None is."""
    return not transfers(seen, conf)


rule_of_value(
    "deviation-unreachable",
    lambda target: target >= 0.5,  # as where half of the brokers are full, and the others idle
    lambda config: trials.build_transfer_trial(config, loads=(1.0, 0.34), traffic=(6e6, 5e6)),
    transfers_nothing,
)
rule_of_value(
    "deviation-of-nothing",
    lambda target: target <= 0,
    lambda config: trials.build_transfer_trial(config, loads=(0.6, 0.2), traffic=(6e6, 2e6)),
    transfers,
)
rule_of_value(
    "pairs-of-none", lambda pairs: pairs <= 0, trials.build_transfer_trial, transfers_nothing
)

# ------------------------------------------------------------------ time

GRACE: Final = "loadBalancerSheddingGracePeriodMinutes"
INTERVAL: Final = "loadBalancerSheddingIntervalMinutes"


def same_again(seen: Any, conf: Conf) -> bool:
    """What is shed in the second round was shed in the first."""
    first, second = ({one for shed in round_ for one in shed.bundles} for round_ in seen.rounds)
    return bool(first & second)


@rule(
    "grace-undercut",
    lambda conf: two_brokers(
        pick_settings(conf, GRACE), FULL * 2, every=conf.whole(INTERVAL) * MINUTE
    ),
    same_again,
)
def grace_undercut(conf: Conf) -> bool:
    """The grace period is over before the next round."""
    if not conf.sheds or not conf.flag("loadBalancerSheddingEnabled"):
        return False
    return conf.whole(GRACE) < conf.whole(INTERVAL) or conf.whole(GRACE) <= 0


@rule("period-of-none")
def period_of_none(conf: Conf) -> str:
    """Something is to be repeated without a pause."""
    return "; ".join(
        f"{key} is {conf.text(key)}: {becomes}"
        for key, becomes in TABLE["period-of-none"]["becomes"].get(conf.manager, {}).items()
        if key in conf.defaults and conf.whole(key) <= 0
    )


TTL: Final = "loadBalancerBrokerLoadDataTTLInSeconds"
SILENCE: Final = "loadBalancerReportUpdateMaxIntervalMinutes"


@rule(
    "reports-too-old",
    lambda conf: trials.build_transfer_trial(
        pick_settings(conf, TTL), conf.whole(SILENCE) * MINUTE
    ),
    transfers_nothing,
)
def reports_too_old(conf: Conf) -> bool:
    """A broker whose load is steady is forgotten before it reports again."""
    return conf.sheds == "TransferShedder" and conf.whole(TTL) < conf.whole(SILENCE) * 60


def asked_trial(conf: Conf) -> Json:
    """One cycle of a leader with two brokers."""
    cycle = {
        "now": 0,
        "enabled": conf.flag("loadBalancerEnabled"),
        "shedding_enabled": conf.flag("loadBalancerSheddingEnabled"),
        "leads": True,
        "available": 2,
        "decided": [],
    }
    return {"cycles": [cycle]}


@rule("never-asked", asked_trial, lambda seen, conf: not any(cycle.asked for cycle in seen.cycles))
def never_asked(conf: Conf) -> str:
    """A strategy is set, or something else about shedding, and shedding is off."""
    switches = ("loadBalancerEnabled", "loadBalancerSheddingEnabled")
    off = [key for key in switches if not conf.flag(key)]
    about = [key for key in conf.values if "Shedd" in key and conf.sets(key)]
    idle = [key for key in about if key not in switches and not is_default(conf, key)]
    if not off or not conf.sheds or not (idle or SHEDS in about):
        return ""
    unused = f"; without effect: {', '.join(idle)}" if idle else ""
    return f"{' and '.join(off)} is false: {conf.sheds} is never asked{unused}"


# ------------------------------------------------------------------ reports and splits

TOP: Final = "loadBalancerMaxNumberOfBundlesInBundleLoadReport"


def top_trial(conf: Conf) -> Json:
    """Two bundles with traffic, the heavier one last."""
    loads = zip(trials.BUNDLES, (100_000.0, 300_000.0), strict=False)
    named = [{"bundle": one, "traffic": {"throughput_in": load}} for one, load in loads]
    return {"bundles": named, "rules": {"most": conf.whole(TOP)}}


@rule(
    "no-bundle-reported",
    top_trial,
    lambda seen, conf: isinstance(seen, Refused | Broke) or not seen.bundles,
)
def no_bundle_reported(conf: Conf) -> bool:
    """Brokers name none of their bundles, and only named ones can move."""
    return conf.sheds == "TransferShedder" and conf.whole(TOP) <= 0


SPLITS: Final = "loadBalancerAutoBundleSplitEnabled"
MOST: Final = "loadBalancerNamespaceMaximumBundles"
USUAL: Final = "defaultNumberOfNamespaceBundles"


@rule(
    "born-at-maximum",
    lambda conf: trials.build_due_trial(pick_settings(conf, MOST, SPLITS), conf.whole(USUAL)),
)
def born_at_maximum(conf: Conf) -> bool:
    """A namespace has as many bundles as it may have from the beginning."""
    return conf.flag(SPLITS) and conf.whole(USUAL) >= conf.whole(MOST)


CHILDREN: Final = "loadBalancerAutoUnloadSplitBundlesEnabled"


@rule(
    "children-stay",
    lambda conf: trials.build_children_trial(
        conf.manager or "modular", pick_settings(conf, CHILDREN)
    ),
    lambda seen, conf: not any(seen.unloads),
)
def children_stay(conf: Conf) -> bool:
    """The extensible manager does not unload the halves of a bundle, although it is set to.

    What a file leaves out is not reported: no setting would change it.
    """
    asked = conf.sets(CHILDREN) and conf.flag(CHILDREN)
    return conf.manager == "extensible" and conf.flag(SPLITS) and asked


# ------------------------------------------------------------------ throttling

LEVELS: Final = {
    "broker": "dispatchThrottlingRateIn",
    "topic": "dispatchThrottlingRatePerTopicIn",
    "subscription": "dispatchThrottlingRatePerSubscriptionIn",
}
"""The settings of the levels, without their unit; a higher level comes first."""


def limits_of(conf: Conf, unit: str) -> dict[str, int]:
    """The limits that are set, by level."""
    found = {level: conf.whole(f"{key}{unit}") for level, key in LEVELS.items()}
    return {level: limit for level, limit in found.items() if limit > 0}


def levels_limited(conf: Conf) -> set[str]:
    """The levels that have a limit, in messages or in bytes."""
    return {level for unit in ("Msg", "Byte") for level in limits_of(conf, unit)}


def find_shadowed(conf: Conf) -> Iterator[tuple[str, str, str]]:
    """Levels whose limit a higher level's makes idle: unit, the level, the higher one."""
    for unit in ("Msg", "Byte"):
        limits = list(limits_of(conf, unit).items())
        for at, (level, limit) in enumerate(limits):
            for higher, other in limits[:at]:
                if other <= limit:
                    yield unit, level, higher


def shadow_trial(conf: Conf) -> Json:
    """A read with the limits of one unit, all of them still unused, as messages."""
    unit = next((unit for unit, _, _ in find_shadowed(conf)), "Msg")
    return trials.build_read_trial(conf, limits_of(conf, unit))


def bounded_above(seen: Any, conf: Conf) -> bool:
    """The read is within the higher level's limit, and so below the other one."""
    if (found := next(iter(find_shadowed(conf)), None)) is None:
        return False
    unit, _, higher = found
    asked = conf.whole("dispatcherMaxReadBatchSize")
    return bool(seen.entries <= min(limits_of(conf, unit)[higher], asked))


@rule("limits-shadowed", shadow_trial, bounded_above)
def limits_shadowed(conf: Conf) -> str:
    """A limit that never decides."""
    return "; ".join(
        f"{LEVELS[level]}{unit} decides nothing: {LEVELS[higher]}{unit} is no higher"
        for unit, level, higher in find_shadowed(conf)
    )


@rule(
    "unlimited-without-backlog",
    lambda conf: trials.build_read_trial(
        conf, dict.fromkeys(levels_limited(conf) or ("topic",), 1), backlog=False
    ),
    lambda seen, conf: bool(seen.entries > 1),
)
def unlimited_without_backlog(conf: Conf) -> bool:
    """Limits are set, and do not hold for consumers that keep up."""
    held = conf.flag("dispatchThrottlingOnNonBacklogConsumerEnabled")
    return not held and bool(levels_limited(conf))


MODES: Final = ("preciseDispatcherFlowControl", "dispatchThrottlingOnBatchMessageEnabled")


@rule("two-modes")
def two_modes(conf: Conf) -> bool:
    """Both modes of throttling are on, of which only one should be."""
    return all(conf.flag(key) for key in MODES)


rule("segments-refused", segments.undone_trial, segments.flips)(segments.explain_refusal)
rule("merges-undone", segments.undone_trial, segments.flips)(segments.merges_undone)
rule("consumers-undone", segments.consumers_trial, segments.flips)(segments.consumers_undone)

# ------------------------------------------------------------------ names of settings


def spelling_trial(conf: Conf) -> Json:
    """The weights of a broker."""
    given = {
        f"misspelt_{way.lower()}": conf.number(f"loadBalancerBandwith{way}ResourceWeight")
        for way in ("In", "Out")
    }
    return trials.idle_usage({}, **given)


@rule(
    "two-spellings",
    spelling_trial,
    lambda seen, conf: bool(seen.weight_in != 1.0 or seen.weight_out != 1.0),
)
def two_spellings(conf: Conf) -> str:
    """1.0 under the present name does not count next to the old name."""
    return "; ".join(
        f"{new} 1.0 is overruled by {old} {conf.text(old)}"
        for new, old in OLD_NAMES.items()
        if conf.sets(new) and conf.sets(old) and conf.number(new) == 1.0 != conf.number(old)
    )


RULES: Final = tuple(DECLARED)
"""All of them, in the order in which they are reported."""
