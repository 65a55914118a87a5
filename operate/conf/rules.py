"""What in a broker.conf cannot work: one `Rule` each, with a trial in which that is seen.

A rule says a sentence of a configuration, or nothing. Its trial has the operator's own values; what
the reference answers in the edition of the release must be what the sentence says, and with the
defaults it must not be: a test holds both for every rule and release.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any, Final

from evenkeel.operate.conf import (
    names,  # noqa: F401 - declares the rules about names and values
    segments,
    trials,
)
from evenkeel.operate.conf.conf import Conf
from evenkeel.operate.conf.readers import is_default
from evenkeel.operate.conf.rule import DECLARED, Severity, moves_nothing, rule
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
SHEDS: Final = "loadBalancerLoadSheddingStrategy"
PLACES: Final = "loadBalancerLoadPlacementStrategy"
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


def ask_about_strategy(conf: Conf) -> str:
    """The question about the strategy that sheds."""
    return trials.STRATEGY_QUESTIONS[conf.sheds]


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
    Severity.ERROR,
    ("BAL-23", "BAL-25"),
    "ModularLoadManagerImpl.createLoadSheddingStrategy, "
    "UnloadScheduler.createNamespaceUnloadStrategy; document 002",
    "balancing.strategy",
    strategy_trial,
    lambda seen, conf: isinstance(seen, Refused | Broke) or seen.sheds != conf.strategy,
)
def other_manager(conf: Conf) -> str:
    """The shedder is the other manager's."""
    ours = (conf.strategy == "TransferShedder") is (conf.manager == "extensible")
    known = conf.manager in BALANCING and conf.strategy in trials.STRATEGY_QUESTIONS
    if ours or not known or not conf.sets(SHEDS):
        return ""
    return f"{conf.strategy} is no strategy of the {conf.manager} manager: it never sheds"


@rule(
    "avg-places-alone",
    Severity.ERROR,
    ("PLC-6", "PLC-51"),
    "ModularLoadManagerImpl.initialize; document 002, AvgShedder",
    "balancing.strategy",
    strategy_trial,
    lambda seen, conf: isinstance(seen, Refused | Broke) or seen.places != conf.placement,
)
def avg_places_alone(conf: Conf) -> str:
    """AvgShedder is set to place, and not to shed."""
    wrong = conf.manager == "modular" and conf.placement == AVG != conf.strategy
    if not wrong or not conf.sets(PLACES):
        return ""
    return f"AvgShedder cannot place what {conf.strategy} sheds: set both settings, or neither"


@rule(
    "avg-sheds-alone",
    Severity.ERROR,
    ("PLC-6", "PLC-51", "SHD-34"),
    "ModularLoadManagerImpl.initialize; document 002, AvgShedder",
    "balancing.strategy",
    strategy_trial,
    lambda seen, conf: seen.sheds == AVG != seen.places,
)
def avg_sheds_alone(conf: Conf) -> str:
    """AvgShedder is set to shed, and not to place."""
    if conf.manager != "modular" or conf.strategy != AVG or conf.placement == AVG:
        return ""
    return (
        f"AvgShedder sheds and {conf.placement} places: what it sheds for the emptier broker of a "
        "pair may go to any other, and back"
    )


EVENLY: Final = "loadBalancerDistributeBundlesEvenlyEnabled"


@rule(
    "plan-dropped",
    Severity.WARNING,
    ("PLC-29", "SHD-34"),
    "LoadManagerShared.removeMostServicingBrokersForNamespace, before AvgShedder.selectBroker",
)
def plan_dropped(conf: Conf) -> str:
    """What AvgShedder plans goes elsewhere, since brokers are dropped before it is asked."""
    if conf.sheds != AVG or conf.placement != AVG or not conf.flag(EVENLY):
        return ""
    return (
        f"{EVENLY} is true: a broker with more bundles of a namespace than another is dropped "
        "before AvgShedder places, so that what it sheds may stay where it was; 5.0.1 sets it to "
        "false by default"
    )


@rule(
    "placement-unread",
    Severity.WARNING,
    ("PLC-50",),
    "ExtensibleLoadManagerImpl.createBrokerSelectionStrategy",
    "balancing.strategy",
    strategy_trial,
    lambda seen, conf: seen.places != conf.placement,
)
def placement_unread(conf: Conf) -> str:
    """A placement is set, and the extensible manager has its own."""
    own = conf.placement == "LeastResourceUsageWithWeight"
    if conf.manager != "extensible" or own or not conf.sets(PLACES):
        return ""
    return f"{conf.placement} places nothing: the extensible manager has one placement of its own"


# ------------------------------------------------------------------ thresholds and amounts


def rule_of_value(
    name: str,
    severity: Severity,
    clauses: tuple[str, ...],
    source: str,
    read: tuple[str, str],
    wrong: Callable[[float], bool],
    sentence: str,
    trial: Callable[[Json], Json],
    shows: Callable[[Any, Conf], bool] = moves_nothing,
) -> None:
    """A rule about the number of a setting: `read` has the strategy that reads it, and its key;
    `sentence` a place for the number, and `trial` is given the setting.
    """
    strategy, key = read

    def says(conf: Conf) -> str:
        reads = conf.sheds == strategy and wrong(conf.number(key))
        return sentence.format(conf.number(key)) if reads else ""

    question = trials.STRATEGY_QUESTIONS[strategy]
    declare = rule(
        name,
        severity,
        clauses,
        source,
        question,
        lambda conf: trial(pick_settings(conf, key)),
        shows,
    )
    declare(says)


@rule(
    "avg-thresholds-crossed",
    Severity.ERROR,
    ("SHD-30", "SHD-31"),
    "AvgShedder.findBundlesForUnloading; document 002, AvgShedder",
    "shedding.avg",
    lambda conf: avg_trial(conf, min(conf.number("loadBalancerAvgShedderHighThreshold"), 100.0)),
)
def thresholds_crossed(conf: Conf) -> str:
    """The high threshold is below the low one."""
    low, high = (conf.whole(f"loadBalancerAvgShedder{one}Threshold") for one in ("Low", "High"))
    if conf.sheds != AVG or low <= high:
        return ""
    return (
        f"brokers {high} to {low} points apart are left alone: the high threshold is below the low"
    )


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
    "avg-hits-crossed",
    Severity.WARNING,
    ("SHD-31",),
    "AvgShedder.findBundlesForUnloading; document 002, AvgShedder",
    "shedding.avg",
    lambda conf: avg_trial(conf, 100.0),
    lambda seen, conf: bool(seen.rounds) and bool(seen.rounds[-1]) and not any(seen.rounds[:-1]),
)
def hits_crossed(conf: Conf) -> str:
    """A very different pair waits as long as one that is a little different."""
    low, high = (f"{HITS}{one}Threshold" for one in ("Low", "High"))
    if conf.sheds != AVG or conf.whole(low) > conf.whole(high):
        return ""
    return f"the high threshold decides nothing: {conf.text(low)} rounds at the low one come first"


def share_trial(conf: Conf) -> Json:
    """Brokers that differ by such a bundle, for as long as AvgShedder may want."""
    keys = ["maxUnloadPercentage", "minUnloadMessage", "minUnloadMessageThroughput"]
    return two_brokers(pick_settings(conf, *keys), FULL * 2, *largest_bundle(conf))


@rule(
    "share-too-small",
    Severity.ERROR,
    ("SHD-21", "SHD-23", "SHD-33", "SHD-36"),
    "ServiceConfiguration.maxUnloadPercentage; UniformLoadShedder, AvgShedder",
    ask_about_strategy,
    share_trial,
)
def share_too_small(conf: Conf) -> str:
    """A share of a whole bundle is less than what is worth moving."""
    rate, size = largest_bundle(conf)
    share = conf.number("maxUnloadPercentage")
    enough = share * rate > conf.number("minUnloadMessage")
    enough |= share * size > conf.number("minUnloadMessageThroughput")
    if conf.sheds not in BOTH or enough:
        return ""
    return (
        f"maxUnloadPercentage {share:g} is too small: brokers that differ by a bundle of "
        f"{rate:,.0f} msg/s and {size / MEBIBYTE:,.0f} MiB/s, which is not split yet, stay as they "
        "are"
    )


@rule(
    "share-of-more",
    Severity.WARNING,
    ("SHD-21", "SHD-33"),
    "ServiceConfiguration.maxUnloadPercentage; UniformLoadShedder, AvgShedder",
)
def share_of_more(conf: Conf) -> str:
    """A share that was meant in percent."""
    share = conf.number("maxUnloadPercentage")
    said = f"maxUnloadPercentage {share:g} is a share, not percent: brokers change places"
    return said if conf.sheds in BOTH and share > 1 else ""


def largest_bundle(conf: Conf) -> tuple[float, float]:
    """Messages and bytes a second of a bundle that is not split yet."""
    rate = conf.number("loadBalancerNamespaceBundleMaxMsgRate")
    return rate, conf.number("loadBalancerNamespaceBundleMaxBandwidthMbytes") * MEBIBYTE


rule_of_value(
    "cap-of-none",
    Severity.ERROR,
    ("SHD-24", "SHD-25"),
    "ServiceConfiguration.maxUnloadBundleNumPerShedding (#16409); UniformLoadShedder",
    ("UniformLoadShedder", "maxUnloadBundleNumPerShedding"),
    lambda cap: cap != -1 and cap <= 0,
    "maxUnloadBundleNumPerShedding {:g} lets no bundle go; -1 is no limit",
    lambda config: two_brokers(config, FULL),
)


DIFFERENCES: Final = (
    "loadBalancerMsgRateDifferenceShedderThreshold",
    "loadBalancerMsgThroughputMultiplierDifferenceShedderThreshold",
)


@rule(
    "both-thresholds-off",
    Severity.ERROR,
    ("SHD-20",),
    "UniformLoadShedder.findBundlesForUnloading",
    "shedding.uniform",
    lambda conf: two_brokers(pick_settings(conf, *DIFFERENCES), FULL),
)
def both_thresholds_off(conf: Conf) -> str:
    """UniformLoadShedder looks at neither of its two differences."""
    if conf.sheds != "UniformLoadShedder" or any(conf.number(key) > 0 for key in DIFFERENCES):
        return ""
    return f"{' and '.join(DIFFERENCES)} are both 0, which is off: UniformLoadShedder never sheds"


@rule(
    "weights-of-nothing",
    Severity.ERROR,
    ("LOA-3", "SHD-81"),
    "LocalBrokerData.getMaxResourceUsageWithWeight; document 003",
    ask_about_strategy,
    lambda conf: two_brokers(weights_read(conf), FULL * 2),
)
def weights_of_nothing(conf: Conf) -> str:
    """No resource counts, so that every broker is as good as idle."""
    counted = any(weight > 0 for weight in weights_read(conf).values())
    if conf.sheds not in ("ThresholdShedder", "OverloadShedder", AVG) or counted:
        return ""
    return (
        f"every weight that the modular manager reads is 0: {conf.sheds} takes all brokers for idle"
    )


def weights_read(conf: Conf) -> Json:
    """The weights that count, of a bandwidth under either name (LOA-7)."""
    weights, edition = pick_settings(conf, *OWN_WEIGHTS), EDITIONS[edition_of(conf.release)]
    for new, old in OLD_NAMES.items():
        if old in conf.defaults:
            configured = weights.get(new, 1.0)
            weights[new] = bandwidth_weight(configured, conf.number(old), edition)
    return weights


rule_of_value(
    "threshold-unreachable",
    Severity.ERROR,
    ("SHD-80", "SHD-81"),
    "ThresholdShedder.findBundlesForUnloading; document 002, ThresholdShedder",
    ("ThresholdShedder", "loadBalancerBrokerThresholdShedderPercentage"),
    lambda points: points >= 100,
    "no broker is {:g} points above the average: ThresholdShedder never sheds",
    lambda config: two_brokers(config, [(100.0, 0.0)]),
)


rule_of_value(
    "overload-unreachable",
    Severity.ERROR,
    ("SHD-10", "SHD-11"),
    "OverloadShedder.findBundlesForUnloading; document 002, OverloadShedder",
    ("OverloadShedder", "loadBalancerBrokerOverloadedThresholdPercentage"),
    lambda percent: percent > 100,
    "no broker uses {:g} % of a resource: OverloadShedder never sheds",
    lambda config: two_brokers(config, [(100.0, 0.0)]),
)


rule_of_value(
    "history-frozen",
    Severity.ERROR,
    ("SHD-82", "LOA-25"),
    "ThresholdShedder.updateAvgResourceUsage; document 003",
    ("ThresholdShedder", "loadBalancerHistoryResourcePercentage"),
    lambda share: share >= 1,
    "with a history of {:g} the first usage of a broker counts for ever",
    lambda config: two_brokers(config, [(50.0, 50.0)] + [(100.0, 0.0)] * 20),
)


LEAST: Final = "loadBalancerBundleUnloadMinThroughputThreshold"
LARGEST: Final = "loadBalancerNamespaceBundleMaxBandwidthMbytes"


def minimum_trial(conf: Conf) -> Json:
    """A broker that is to shed half of what it carries: the largest bundle."""
    # 90 and 10 points: half of the traffic is to go, so the broker carries twice the bundle.
    throughput = conf.number(LARGEST) * MEBIBYTE * 2
    return two_brokers(pick_settings(conf, LEAST), FULL, throughput=throughput)


@rule(
    "minimum-above-a-bundle",
    Severity.WARNING,
    ("SHD-83",),
    "ThresholdShedder.filterAndSelectBundle; document 003, 1.3",
    "shedding.threshold",
    minimum_trial,
)
def minimum_above_a_bundle(conf: Conf) -> str:
    """What is worth shedding is more than the largest bundle."""
    least, most = conf.number(LEAST), conf.number(LARGEST)
    if conf.sheds != "ThresholdShedder" or least <= most:
        return ""
    return (
        f"a broker that is too full by a bundle of {most:g} MiB/s, which is not split yet, keeps "
        f"it: less than {least:g} MiB/s is not shed"
    )


# ------------------------------------------------------------------ TransferShedder


def transfers(seen: Any) -> bool:
    """Whether a bundle is moved."""
    return any(decision.moves for decision in seen.rounds)


TARGET: Final = "loadBalancerBrokerLoadTargetStd"
PAIRS: Final = "loadBalancerMaxNumberOfBrokerSheddingPerCycle"


rule_of_value(
    "deviation-unreachable",
    Severity.WARNING,
    ("SHD-51", "SHD-54"),
    'TransferShedder.findBundlesForUnloading; document 002, "TransferShedder"',
    ("TransferShedder", TARGET),
    lambda target: target >= 0.5,  # as where half of the brokers are full, and the others idle
    f"{TARGET} is {{:g}}, and loads deviate by 0.5 at most (0.25 is 25 %): TransferShedder acts on "
    "a broker alone that has less than half of the average load, or less than half of the fullest "
    "one's traffic",
    lambda config: trials.build_transfer_trial(config, loads=(1.0, 0.34), traffic=(6e6, 5e6)),
    lambda seen, conf: not transfers(seen),
)


rule_of_value(
    "deviation-of-nothing",
    Severity.WARNING,
    ("SHD-51", "SHD-54"),
    'TransferShedder.findBundlesForUnloading; document 002, "TransferShedder"',
    ("TransferShedder", TARGET),
    lambda target: target <= 0,
    f"{TARGET} is {{:g}}: loads always deviate more, so no round is at rest",
    lambda config: trials.build_transfer_trial(config, loads=(0.6, 0.2), traffic=(6e6, 2e6)),
    lambda seen, conf: transfers(seen),
)


rule_of_value(
    "pairs-of-none",
    Severity.ERROR,
    ("SHD-57",),
    "TransferShedder.findBundlesForUnloading",
    ("TransferShedder", PAIRS),
    lambda pairs: pairs <= 0,
    f"{PAIRS} {{:g}} lets no broker give: TransferShedder never sheds",
    trials.build_transfer_trial,
    lambda seen, conf: not transfers(seen),
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
    Severity.WARNING,
    ("SHD-3", "BAL-4", "BAL-8"),
    "ModularLoadManagerImpl.doLoadShedding, UnloadScheduler.execute",
    "shedding.threshold",
    lambda conf: two_brokers(
        pick_settings(conf, GRACE), FULL * 2, every=conf.whole(INTERVAL) * MINUTE
    ),
    same_again,
)
def grace_undercut(conf: Conf) -> str:
    """The grace period is over before the next round."""
    if not conf.sheds or not conf.flag("loadBalancerSheddingEnabled"):
        return ""
    if conf.whole(GRACE) >= conf.whole(INTERVAL) and conf.whole(GRACE) > 0:
        return ""
    return (
        f"rounds are {conf.text(INTERVAL)} min apart and the grace period is {conf.text(GRACE)} "
        "min: the same bundle may move in every round"
    )


UNSTARTED: Final = "the broker does not start"
PERIODS: Final[dict[tuple[str, str], str]] = {
    ("modular", INTERVAL): "the leader sheds without a pause, and fills its log",
    ("extensible", INTERVAL): "no broker can take the leader's role",
    ("extensible", "loadBalancerSplitIntervalMinutes"): UNSTARTED,
    ("modular", "loadBalancerResourceQuotaUpdateIntervalMinutes"): "no leader writes averages",
    ("modular", "loadBalancerReportUpdateMinIntervalMillis"): UNSTARTED,
    ("extensible", "loadBalancerReportUpdateMinIntervalMillis"): UNSTARTED,
    ("modular", "loadBalancerHostUsageCheckIntervalMinutes"): UNSTARTED,
    ("extensible", "loadBalancerHostUsageCheckIntervalMinutes"): UNSTARTED,
}
"""What becomes of a task that is to be repeated without a pause, as brokers of 4.0.8 showed."""


@rule(
    "period-of-none",
    Severity.ERROR,
    ("SHD-92", "SPL-35"),
    "LoadSheddingTask.start, UnloadScheduler.start, SplitScheduler.start, LinuxBrokerHostUsageImpl",
)
def period_of_none(conf: Conf) -> str:
    """Something is to be repeated without a pause."""
    return "; ".join(
        f"{key} is {conf.text(key)}: {becomes}"
        for (manager, key), becomes in PERIODS.items()
        if manager == conf.manager and key in conf.defaults and conf.whole(key) <= 0
    )


TTL: Final = "loadBalancerBrokerLoadDataTTLInSeconds"
SILENCE: Final = "loadBalancerReportUpdateMaxIntervalMinutes"


@rule(
    "reports-too-old",
    Severity.ERROR,
    ("SHD-53", "SHD-68", "LOA-42"),
    "TransferShedder.findBundlesForUnloading, BrokerLoadDataReporter.needBrokerDataUpdate",
    "shedding.transfer",
    lambda conf: trials.build_transfer_trial(
        pick_settings(conf, TTL), conf.whole(SILENCE) * MINUTE
    ),
    lambda seen, conf: not transfers(seen),
)
def reports_too_old(conf: Conf) -> str:
    """A broker whose load is steady is forgotten before it reports again."""
    if conf.sheds != "TransferShedder" or conf.whole(TTL) >= conf.whole(SILENCE) * 60:
        return ""
    return (
        f"a broker whose load does not change reports every {conf.text(SILENCE)} min, and after "
        f"{conf.text(TTL)} s its report is too old: it takes no part in shedding"
    )


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


@rule(
    "never-asked",
    Severity.WARNING,
    ("SHD-92",),
    "UnloadScheduler.execute, ModularLoadManagerImpl.doLoadShedding",
    "shedding.cycles",
    asked_trial,
    lambda seen, conf: not any(cycle.asked for cycle in seen.cycles),
)
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
    Severity.ERROR,
    ("LOA-56", "LOA-57", "SHD-72"),
    "TopKBundles.partitionSort",
    "load.top_bundles",
    top_trial,
    lambda seen, conf: isinstance(seen, Refused | Broke) or not seen.bundles,
)
def no_bundle_reported(conf: Conf) -> str:
    """Brokers name none of their bundles, and only named ones can move."""
    if conf.sheds != "TransferShedder" or conf.whole(TOP) > 0:
        return ""
    return f"with {TOP} {conf.text(TOP)} brokers name none of their bundles, and none can be moved"


SPLITS: Final = "loadBalancerAutoBundleSplitEnabled"
MOST: Final = "loadBalancerNamespaceMaximumBundles"
USUAL: Final = "defaultNumberOfNamespaceBundles"


@rule(
    "born-at-maximum",
    Severity.ERROR,
    ("SPL-35", "SPL-36"),
    'BundleSplitterTask.findBundlesToSplit; document 001, "Section 2: Finding target bundles"',
    "splitting.due_modular",
    lambda conf: trials.build_due_trial(pick_settings(conf, MOST, SPLITS), conf.whole(USUAL)),
)
def born_at_maximum(conf: Conf) -> str:
    """A namespace has as many bundles as it may have from the beginning."""
    if not conf.flag(SPLITS) or conf.whole(USUAL) < conf.whole(MOST):
        return ""
    return (
        f"a new namespace has {conf.text(USUAL)} bundles and may have {conf.text(MOST)}: none of "
        "its bundles is ever split, however hot"
    )


CHILDREN: Final = "loadBalancerAutoUnloadSplitBundlesEnabled"


@rule(
    "children-stay",
    Severity.WARNING,
    ("SPL-73", "SPL-74"),
    'DefaultNamespaceBundleSplitStrategyImpl.findBundlesToSplit; document 002, "Bundle splitting"',
    "splitting.unloading",
    lambda conf: trials.build_children_trial(
        conf.manager or "modular", pick_settings(conf, CHILDREN)
    ),
    lambda seen, conf: not any(seen.unloads),
)
def children_stay(conf: Conf) -> str:
    """The extensible manager does not unload the halves of a bundle, although it is set to.

    What a file leaves out is not reported: no setting would change it.
    """
    asked = conf.sets(CHILDREN) and conf.flag(CHILDREN)
    if conf.manager != "extensible" or not conf.flag(SPLITS) or not asked:
        return ""
    return f"{CHILDREN} is true, and the extensible manager does not read it: halves stay"


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
    found = next(iter(find_shadowed(conf)), None)
    if found is None:
        return False
    unit, _, higher = found
    asked = conf.whole("dispatcherMaxReadBatchSize")
    return bool(seen.entries <= min(limits_of(conf, unit)[higher], asked))


@rule(
    "limits-shadowed",
    Severity.WARNING,
    ("THR-25",),
    'document 004, "Throttling levels"',
    "throttling.read_limits",
    shadow_trial,
    bounded_above,
)
def limits_shadowed(conf: Conf) -> str:
    """A limit that never decides."""
    return "; ".join(
        f"{LEVELS[level]}{unit} decides nothing: {LEVELS[higher]}{unit} is no higher"
        for unit, level, higher in find_shadowed(conf)
    )


NON_BACKLOG: Final = "dispatchThrottlingOnNonBacklogConsumerEnabled"


@rule(
    "unlimited-without-backlog",
    Severity.WARNING,
    ("THR-29",),
    "ServiceConfiguration.dispatchThrottlingOnNonBacklogConsumerEnabled; document 004",
    "throttling.read_limits",
    lambda conf: trials.build_read_trial(
        conf, dict.fromkeys(levels_limited(conf) or ("topic",), 1), backlog=False
    ),
    lambda seen, conf: bool(seen.entries > 1),
)
def unlimited_without_backlog(conf: Conf) -> str:
    """Limits are set, and do not hold for consumers that keep up."""
    if conf.flag(NON_BACKLOG) or not levels_limited(conf):
        return ""
    return f"{NON_BACKLOG} is false: a subscription without backlog is not limited"


MODES: Final = ("preciseDispatcherFlowControl", "dispatchThrottlingOnBatchMessageEnabled")


@rule(
    "two-modes",
    Severity.WARNING,
    ("THR-7", "THR-42"),
    'document 004, "Throttling configurations"; erratum E8',
)
def two_modes(conf: Conf) -> str:
    """Both modes of throttling are on, of which only one should be."""
    if not all(conf.flag(key) for key in MODES):
        return ""
    return (
        f"{' and '.join(MODES)} are both on, of which only one should be: permits are divided by "
        "the messages of an entry, and deliveries are charged by entries"
    )


rule(
    "segments-refused",
    Severity.ERROR,
    ("SCA-37",),
    "ScalableTopicController.resolveAutoScaleConfig, AutoScaleConfig.validated",
    "scaling.loop",
    segments.undone_trial,
    segments.flips,
)(segments.explain_refusal)


rule(
    "merges-undone",
    Severity.ERROR,
    ("SCA-39", "SCA-43"),
    "AutoScalePolicyEvaluator.tryMerge; PIP-483",
    "scaling.loop",
    segments.undone_trial,
    segments.flips,
)(segments.merges_undone)


rule(
    "consumers-undone",
    Severity.WARNING,
    ("SCA-40", "SCA-43"),
    "AutoScalePolicyEvaluator.tryConsumerScale, tryMerge; PIP-483",
    "scaling.loop",
    segments.consumers_trial,
    segments.flips,
)(segments.consumers_undone)


# ------------------------------------------------------------------ names of settings


def find_misspelt(conf: Conf) -> list[tuple[str, str]]:
    """Bandwidth weights that are set under both names, the present one to 1.0."""
    return [
        (new, old)
        for new, old in OLD_NAMES.items()
        if conf.sets(new) and conf.sets(old) and conf.number(new) == 1.0 != conf.number(old)
    ]


def spelling_trial(conf: Conf) -> Json:
    """The weights of a broker."""
    given = {
        f"misspelt_{way.lower()}": conf.number(f"loadBalancerBandwith{way}ResourceWeight")
        for way in ("In", "Out")
    }
    return trials.idle_usage({}, **given)


@rule(
    "two-spellings",
    Severity.WARNING,
    ("LOA-7",),
    "ServiceConfiguration.getLoadBalancerBandwidthInResourceWeight (#22824)",
    "load.usage",
    spelling_trial,
    lambda seen, conf: bool(seen.weight_in != 1.0 or seen.weight_out != 1.0),
)
def two_spellings(conf: Conf) -> str:
    """1.0 under the present name does not count next to the old name."""
    return "; ".join(
        f"{new} 1.0 is overruled by {old} {conf.text(old)}" for new, old in find_misspelt(conf)
    )


RULES: Final = tuple(DECLARED)
"""All of them, in the order in which they are reported."""
