"""Trials of shedders from a model of the solver: whole weights, one round."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from evenkeel.properties.shedding.trial_parts import AveragedBundle, ModularRound, ReportedBroker
from evenkeel.reference.load.traffic import Traffic
from evenkeel.reference.load.usage import Resource, Resources

SOURCE, OTHER = "a", "b"


def bundle_name(index: int) -> str:
    """The bundle number `index` of 16."""
    return f"t/ns/0x{index:x}0000000_0x{index:x}fffffff"


def round_of(
    usages: Mapping[str, float], traffic: Mapping[str, Traffic], loads: Sequence[Traffic]
) -> ModularRound:
    """Brokers with these usages in percent and this traffic; the first serves all bundles."""
    names = tuple(bundle_name(index) for index in range(len(loads)))
    brokers = tuple(
        ReportedBroker(
            broker,
            Resources(cpu=Resource(usage, 100.0)),
            traffic[broker],
            names if broker == SOURCE else (),
        )
        for broker, usage in usages.items()
    )
    bundles = tuple(
        AveragedBundle(name, load, load) for name, load in zip(names, loads, strict=True)
    )
    return ModularRound(0, brokers, bundles, ())
