"""Helpers that build clusters: loads by bundle, brokers by usage and bundles."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from evenkeel.properties.shedding.trial_parts import AveragedBundle, ModularRound, ReportedBroker
from evenkeel.reference.load.traffic import Traffic
from evenkeel.reference.load.usage import Resource, Resources
from evenkeel.reference.shedding.cluster import MINUTE

MIB = 2**20


def name(index: int, namespace: str = "t/ns") -> str:
    """The full name of a namespace's bundle number `index` of 256."""
    lower = index * 2**24
    return f"{namespace}/0x{lower:08x}_0x{min(lower + 2**24, 2**32 - 1):08x}"


def cpu(percent: float) -> Resources:
    """Usage of the processor, of 100."""
    return Resources(cpu=Resource(percent, 100.0))


def bytes_per_second(throughput: float) -> Traffic:
    """Traffic without messages, half in, half out."""
    return Traffic(throughput_in=throughput / 2, throughput_out=throughput - throughput / 2)


def messages(rate: float) -> Traffic:
    """Traffic without bytes."""
    return Traffic(msg_rate_in=rate)


@dataclass(frozen=True, slots=True)
class Node:
    """A broker: its usage, its bundles by number; its traffic is their sum, or as given."""

    resources: Resources
    bundles: Mapping[int, Traffic] = field(default_factory=dict)
    traffic: Traffic | None = None
    monitoring: tuple[str, ...] = ()

    def total(self) -> Traffic:
        """The traffic that the broker reports."""
        if self.traffic is not None:
            return self.traffic
        loads = self.bundles.values()
        return Traffic(
            sum(load.msg_rate_in for load in loads),
            sum(load.msg_rate_out for load in loads),
            sum(load.throughput_in for load in loads),
            sum(load.throughput_out for load in loads),
        )


def round_of(nodes: Mapping[str, Node], minute: int = 0) -> ModularRound:
    """A round in this minute. Every bundle is known."""
    brokers = tuple(
        ReportedBroker(
            broker,
            node.resources,
            node.total(),
            (*(name(index) for index in node.bundles), *node.monitoring),
        )
        for broker, node in nodes.items()
    )
    bundles = tuple(
        AveragedBundle(name(index), load, load)
        for node in nodes.values()
        for index, load in node.bundles.items()
    )
    return ModularRound(minute * MINUTE, brokers, bundles, ())


def rounds_of(nodes: Mapping[str, Node], count: int) -> tuple[ModularRound, ...]:
    """The same reports in each of `count` minutes."""
    return tuple(round_of(nodes, minute) for minute in range(count))
