"""Balancers from their names: a shedder and a placement, created for every leader."""

from __future__ import annotations

from evenkeel.reference.balancing.balancer import Balancer, Hire, Placement, Shedder
from evenkeel.reference.balancing.placements import (
    AvgPlacement,
    ExtensibleUsage,
    MessageRate,
    ResourceUsage,
    RoundRobin,
)
from evenkeel.reference.balancing.settings import WEIGHTS, BalancerSpec, Placer, Strategy
from evenkeel.reference.balancing.shedders import (
    Averages,
    Avg,
    NoShedder,
    Overload,
    Threshold,
    Transfer,
    Uniform,
)
from evenkeel.reference.edition import Edition


def hiring(spec: BalancerSpec, edition: Edition) -> Hire:
    """What makes the balancers of one run; the averages that brokers keep outlive leaders."""
    averages = Averages(spec.settings)

    def hire() -> Balancer:
        shedder = shedder_of(spec, averages, edition)
        return Balancer(
            shedder,
            placement_of(spec, shedder, averages, edition),
            spec.strategy is Strategy.TRANSFER,
            WEIGHTS,
            spec.settings.grace_minutes,
            sends=averages.sends,
        )

    return hire


def shedder_of(spec: BalancerSpec, averages: Averages, edition: Edition) -> Shedder:
    """A shedder without memory."""
    match spec.strategy:
        case Strategy.NONE:
            return NoShedder()
        case Strategy.OVERLOAD:
            return Overload(spec.settings, edition)
        case Strategy.THRESHOLD:
            return Threshold(spec.settings, edition)
        case Strategy.UNIFORM:
            return Uniform(spec.settings, edition)
        case Strategy.TRANSFER:
            return Transfer(spec.settings, averages, edition)
        case Strategy.AVG:
            return Avg(spec.settings, edition)


def placement_of(
    spec: BalancerSpec, shedder: Shedder, averages: Averages, edition: Edition
) -> Placement:
    """A placement without memory."""
    if spec.strategy is Strategy.TRANSFER:
        return ExtensibleUsage(spec.settings, averages, edition)
    if isinstance(shedder, Avg) and spec.placement is Placer.AVG:
        return AvgPlacement(spec.settings, shedder, edition)
    match spec.placement:
        case Placer.RESOURCE_USAGE:
            return ResourceUsage(spec.settings, edition)
        case Placer.ROUND_ROBIN:
            return RoundRobin(spec.settings, edition)
        case _:
            return MessageRate(spec.settings, edition)
