"""Switches of the chapter placement."""

from __future__ import annotations

from dataclasses import dataclass

from evenkeel_engine.frame.switch import switch


@dataclass(frozen=True, kw_only=True)
class PlacementSwitches:
    """Where the documents and the shipped code disagree about placement."""

    placement_in_floating_point: bool = switch(
        "Usages, thresholds, means and scores are compared in floating point, percentages in "
        "single precision: 30 of 100 is more than 30 %.",
        "LeastResourceUsageWithWeight, LeastLongTermMessageRate, ResourceUsage.percentUsage 4.0.8",
    )
    unreported_candidates_break: bool = switch(
        "A candidate without a report breaks a placement that asks for reports.",
        "LeastLongTermMessageRate, LeastResourceUsageWithWeight, ModularLoadManagerImpl."
        "selectBroker 4.0.8",
    )
    round_robin_by_counter: bool = switch(
        "The round robin counts its asks: the counter's remainder is a place in a list that is "
        "renewed only when its length or the chosen broker is wrong.",
        "RoundRobinBrokerSelector 4.0.8",
    )
    plans_keyed_by_value: bool = switch(
        "AvgShedder keeps its plan by the values of the bundle's statistics.",
        "BundleData.equals 4.0.8",
    )
    plans_stay: bool = switch(
        "AvgShedder keeps its plan when it was carried out.", "AvgShedder.selectBroker 4.0.8"
    )
    random_choices_planned: bool = switch(
        "A broker that AvgShedder chooses at random becomes its plan.",
        "AvgShedder.selectBroker 4.0.8",
    )
    plans_end_with_round: bool = switch(
        "AvgShedder's plan ends with the round of shedding that made it: what is looked up later "
        "is placed at random.",
        "AvgShedder.findBundlesForUnloading, onUnloadAttemptCompleted 5.0.1 (#26246)",
        released=False,
    )
    plans_avoid_overload: bool = switch(
        "AvgShedder replaces a planned broker that is overloaded by a candidate that is not, if "
        "there is one, and one that is no candidate by any other than the broker that sheds.",
        "AvgShedder.selectBrokerWithBundleName 5.0.1 (#26246)",
        released=False,
    )
    planned_placement_needs_candidates: bool = switch(
        "AvgShedder breaks where there are no candidates.",
        "AvgShedder.getExpectedBroker 4.0.8 (defect SH27, #26246)",
    )
    lone_planned_placement_replaced: bool = switch(
        "Where AvgShedder is to place what another strategy sheds, LeastLongTermMessageRate does.",
        "ModularLoadManagerImpl.initialize 5.0.1 (#26246)",
        released=False,
    )
    planned_placement_refused: bool = switch(
        "The modular manager compares its shedder with loadBalancerPlacementStrategy, a setting of "
        "another manager: with AvgShedder as its placement it fails to start.",
        "ModularLoadManagerImpl.initialize 3.0.7 (#23156)",
        released=False,
    )
    spread_counts_bundles: bool = switch(
        "The extensible manager keeps an anti-affinity group apart by counting bundles, not "
        "namespaces.",
        "LoadManagerShared.getAntiAffinityNamespaceOwnedBrokers (second form) 4.0.8",
    )
    unreadable_namespaces_stored: bool = switch(
        "An isolation policy whose expressions for namespaces cannot be read is stored.",
        "NamespaceIsolationDataImpl.validate 4.0.8 (defect SH39, #8804)",
    )
    policies_name_ports: bool = switch(
        "An expression with a colon in an isolation policy also matches a broker's host and port.",
        "NamespaceIsolationPolicyImpl.isPrimaryBrokerId, isSecondaryBrokerId 5.0.1",
        released=False,
    )
    versions_in_32_bits: bool = switch(
        "Numbers in versions have 32 bits: of a greater major, minor or patch number a version "
        "cannot be read, and words after the hyphen are numbers only if both fit, else texts.",
        "BrokerVersionFilter of both managers 4.0.8 with java-semver 0.9.0",
    )
    builds_make_newer: bool = switch(
        "What follows the + of a version makes it newer, and two words are compared as numbers if "
        "both are, else as texts.",
        "BrokerVersionFilter of both managers 5.0.1 with java-semver 0.10.2",
        released=False,
    )
    any_report_ends_preallocations: bool = switch(
        "A preallocation counts until any broker's next report, not until that of its broker.",
        "ModularLoadManagerImpl.updateBundleData 4.0.8",
    )
    destinations_given_once: bool = switch(
        "The destination of an unload is given to one lookup, even if that broker has left, and "
        "nothing is remembered of that lookup.",
        "ModularLoadManagerWrapper.getLeastLoaded 4.0.8 (#24884)",
    )
