"""AvgShedder as a Hypothesis state machine, over the reference or any other subject.

Hypothesis chooses how full brokers become, who leaves and comes back, how long it takes to the next
round and which unloads fail. After every round all rounds so far are put to the subject and judged
by the clauses.
"""

from __future__ import annotations

from dataclasses import replace

from hypothesis import strategies as st
from hypothesis.stateful import initialize, rule

from evenkeel.properties.kit.machine import GrowingMachine
from evenkeel.properties.shedding.avg import AVG
from evenkeel.properties.shedding.avg.trials import AvgTrial
from evenkeel.properties.shedding.trial_parts import AveragedBundle, ModularRound, ReportedBroker
from evenkeel.reference.load.traffic import Traffic
from evenkeel.reference.load.usage import Resource, Resources
from evenkeel.reference.shedding.avg import AvgRules
from evenkeel.reference.shedding.cluster import MINUTE

BROKERS = ("a", "b", "c", "d")


PER_BROKER = 3


RATES = (4000.0, 3000.0, 1000.0, 500.0)


CONFIG = AvgRules(
    low_threshold=15, high_threshold=40, low_hits=3, high_hits=2, share=0.5, min_msg_rate=0
)


def bundle_of(broker: int, index: int) -> str:
    """The bundle number `index` of a broker."""
    return f"t/ns/0x{broker:x}{index:x}000000_0x{broker:x}{index:x}ffffff"


def cpu(percent: int) -> Resources:
    """Usage of the processor."""
    return Resources(cpu=Resource(float(percent), 100.0))


class AvgMachine(GrowingMachine[AvgTrial, ModularRound]):
    """Four brokers with three bundles each."""

    question = AVG
    steps = "rounds"

    def __init__(self) -> None:
        super().__init__()
        self.brokers: dict[str, ReportedBroker] = {}
        self.averages: tuple[AveragedBundle, ...] = ()
        self.now = 0

    def first(self) -> AvgTrial:
        """No round yet."""
        return AvgTrial(config=CONFIG, rounds=())

    @initialize(first=st.integers(20, 95))
    def start(self, first: int) -> None:
        """Every broker reports; the first is as full as chosen, the others are half full."""
        bundles = []
        for number, (broker, rate) in enumerate(zip(BROKERS, RATES, strict=True)):
            load = Traffic(rate / PER_BROKER + number, 0.0, 0.0, rate)
            names = [bundle_of(number, index) for index in range(PER_BROKER)]
            bundles += [AveragedBundle(name, load, load) for name in names]
            usage = cpu(50 if number else first)
            traffic = Traffic(rate, 0.0, 0.0, rate)
            self.brokers[broker] = ReportedBroker(broker, usage, traffic, tuple(names))
        self.averages = tuple(bundles)

    @rule(
        minutes=st.sampled_from((1, 30, 31)),
        rounds=st.integers(1, 3),
        failing=st.integers(0, PER_BROKER),
    )
    def shed(self, minutes: int, rounds: int, failing: int) -> None:
        """Rounds with the reports as they are."""
        fails = tuple(bundle.bundle for bundle in self.averages[:failing])
        reports = tuple(self.brokers.values())
        times = range(self.now, self.now + rounds * minutes * MINUTE, minutes * MINUTE)
        self.now = times.stop
        self.perform(*(ModularRound(now, reports, self.averages, fails) for now in times))

    @rule(broker=st.sampled_from(BROKERS), percent=st.sampled_from((95, 20, 50, 65, 10, 90)))
    def report(self, broker: str, percent: int) -> None:
        """A broker becomes fuller or emptier."""
        if broker in self.brokers:
            self.brokers[broker] = replace(self.brokers[broker], resources=cpu(percent))

    @rule(broker=st.sampled_from(BROKERS), percent=st.sampled_from((95, 10)))
    def ripple(self, broker: str, percent: int) -> None:
        """A broker becomes fuller or emptier just before a round."""
        self.report(broker, percent)
        self.shed(1, 1, 0)

    @rule(broker=st.sampled_from(BROKERS))
    def leave(self, broker: str) -> None:
        """A broker is gone."""
        if len(self.brokers) > 1:
            self.brokers.pop(broker, None)

    @rule(broker=st.sampled_from(BROKERS), percent=st.sampled_from((10, 95)))
    def join(self, broker: str, percent: int) -> None:
        """A broker comes back, with its own bundles or, being new, idle."""
        self.brokers.setdefault(broker, ReportedBroker(broker, cpu(percent), Traffic(), ()))
