"""Switches of the chapter balancing."""

from __future__ import annotations

from dataclasses import dataclass

from evenkeel_engine.frame.switch import switch


@dataclass(frozen=True, kw_only=True)
class BalancingSwitches:
    """Where the documents and the shipped code disagree about balancing."""

    simple_manager_instead: bool = switch(
        "A broker whose manager cannot be made starts with SimpleLoadManagerImpl.",
        "LoadManager.create 4.0.8 (#26031)",
    )
    simple_manager_unnamed: bool = switch(
        "A broker that a program starts without the name of a manager runs SimpleLoadManagerImpl.",
        "LoadManager.create 4.0.8 (#24570)",
    )
    unnamed_manager_throws: bool = switch(
        "It looks for a class of no name first, and catches the exception.",
        "LoadManager.create 4.0.6 (#24568)",
        released=False,
    )
    destination_when_shed: bool = switch(
        "The leader of the modular manager chooses a shed bundle's destination before it is "
        "unloaded, one bundle after the other without counting the others of the round, and "
        "leaves a bundle where it is if its owner is chosen.",
        "ModularLoadManagerImpl.doLoadShedding 4.0.8 (PR 20822)",
    )
    destination_kept_by_range: bool = switch(
        "The destination of an unload, by an operator or by shedding, is stored under the bundle's "
        "hash range alone: equal ranges of different namespaces take each other's.",
        "NamespacesBase.setNamespaceBundleAffinityAsync, ModularLoadManagerWrapper.getLeastLoaded "
        "4.0.8 (PR 25518)",
    )
    leader_change_forgets_grace: bool = switch(
        "A new leader does not know which bundles were unloaded recently.",
        "LoadData.recentlyUnloadedBundles 4.0.8: memory of the leader alone",
    )
    even_distribution_before_load: bool = switch(
        "Even distribution of a namespace's bundles goes before load where a bundle was unloaded "
        "to relieve a broker, too: the broker that shed it gets it back if it has the fewest.",
        "ModularLoadManagerImpl.selectBroker 4.0.8 (loadBalancerDistributeBundlesEvenlyEnabled)",
    )
    avg_shedder_by_default: bool = switch(
        "Where no strategy is configured, AvgShedder sheds and places under the modular manager.",
        "ServiceConfiguration 5.0.1 (#26609)",
        released=False,
    )
    defaults_otherwise: tuple[tuple[str, str | None], ...] = switch(
        "Settings whose defaults are not those of 4.0.8, with their values; None: no setting.",
        "ServiceConfiguration",
        promised=(),
        released=(),
    )
    unknown_shedder_replaced: bool = switch(
        "Where the modular manager cannot make the strategy that is configured, OverloadShedder "
        "sheds.",
        "ModularLoadManagerImpl.createLoadSheddingStrategy 3.3.6",
        released=False,
    )
    strategies_made_by_name: bool = switch(
        "A manager makes the class that is configured: where that is none of its own strategies, "
        "the modular manager fails to start, and in the extensible one TransferShedder sheds.",
        "ModularLoadManagerImpl.createLoadSheddingStrategy, "
        "UnloadScheduler.createNamespaceUnloadStrategy 4.0.8",
    )
