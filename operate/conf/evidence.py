"""The page about the defaults of 5.0.1: what they change in the closed loop.

`python -m evenkeel.operate.conf.evidence` writes docs/new-defaults.md.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, fields, replace
from pathlib import Path
from typing import Any, Final

from evenkeel.operate.conf.conf import Conf, last_part
from evenkeel.operate.conf.shipped import Values, read_defaults
from evenkeel.operate.simulate import scenario_file
from evenkeel.operate.simulate.running import Job, Run, carry_out
from evenkeel.operate.simulate.scenario_file import ScenarioFile
from evenkeel.reference.balancing.scenario import BrokerSpec, BundleSpec, Scenario, Timing
from evenkeel.reference.balancing.settings import BalancerSpec, Placer, Settings, Strategy
from evenkeel.reference.bundles.topics import topic_hash
from evenkeel.reference.edition import EDITIONS, PULSAR_4_0, Edition
from evenkeel.reference.load.traffic import Traffic
from evenkeel.reference.shedding.cluster import MINUTE, BrokerId, BundleName
from evenkeel_engine.files import write_file

PAGE: Final = Path(__file__).resolve().parents[2] / "docs/new-defaults.md"
OLD, NEW = "4.0.8", "5.0.1"
EVENLY: Final = "loadBalancerDistributeBundlesEvenlyEnabled"
STRATEGIES: Final = {
    "ThresholdShedder": (Strategy.THRESHOLD, Placer.MESSAGE_RATE),
    "AvgShedder": (Strategy.AVG, Placer.AVG),
}
"""The two defaults, each with the placement that is the default next to it."""
SEED: Final = 1
MINUTES: Final = 240
TOPICS: Final = 100
"""Of a namespace."""
LOAD: Final = 0.5
"""Of what all brokers together can do."""
MESSAGES, BANDWIDTH = 100_000.0, 1e9
"""What a broker can do: messages and bytes a second."""
CLUSTERS: Final = ((3, 1), (3, 4), (10, 1))
"""Brokers, and namespaces."""
DIVISIONS: Final = (4, 32)
"""Bundles of a namespace."""
SPREADS: Final = ("equal", "zipf")
"""Topics have the same traffic, or the k-th has 1/k of the first."""


@dataclass(frozen=True, slots=True)
class Defaults:
    """The defaults of a release, perhaps but for one, and the edition that runs with them."""

    name: str
    values: Values
    edition: Edition = PULSAR_4_0

    @property
    def strategies(self) -> tuple[Strategy, Placer]:
        """What sheds, and what places."""
        return STRATEGIES[last_part(self.values["loadBalancerLoadSheddingStrategy"])]

    def make_balancer(self, settings: Settings) -> BalancerSpec:
        """The strategies, with these settings but for what the releases have otherwise."""
        usual = {one.metadata["key"]: one.name for one in fields(Settings)}
        conf = Conf(self.values, read_defaults(OLD), OLD)
        changes: dict[str, Any] = {
            usual[key]: conf.read_typed(key) for key in changed_keys() & usual.keys()
        }
        return BalancerSpec(*self.strategies, replace(settings, **changes))


def changed_keys() -> set[str]:
    """The settings of which the two releases have other defaults."""
    old, new = read_defaults(OLD), read_defaults(NEW)
    return {key for key in old.keys() & new.keys() if old[key] != new[key]}


COMPARED: Final = (
    Defaults(OLD, read_defaults(OLD)),
    Defaults(f"{OLD}, not spread evenly", {**read_defaults(OLD), EVENLY: "false"}),
    Defaults(NEW, read_defaults(NEW), EDITIONS["PULSAR_5_0_1"]),
)
BY_HAND: Final = Defaults(f"{NEW}, set in {OLD}", read_defaults(NEW))
"""An operator of the older release who sets what is the default of the newer one."""
FIGURES: Final = "rests after | moves | before | at worst | after | fullest/mean |"
RULE: Final = "---|" * 6
INTRODUCTION: Final = f"""\
# The new defaults of 5.0.1 in the closed loop

{NEW} has other defaults than {OLD}: AvgShedder sheds and places (#26609; in {OLD}
ThresholdShedder and LeastLongTermMessageRate), a namespace has 32 bundles (#26610; in {OLD} 4),
`maxUnloadPercentage` is 0.5 (0.2), and bundles of a namespace are no longer spread evenly
(`{EVENLY}`). Here the reference runs both in virtual time.

Each runs by its own edition, `PULSAR_4_0` and `PULSAR_5_0_1`: in {NEW} AvgShedder's plan goes by
the names of bundles and ends with the round, and what is looked up is placed at random (PLC-21,
#26246). Everything is one run, of seed {SEED}; bundles are not split.
`python -m evenkeel.operate.conf.evidence` writes this page.

*Rests after*: nothing moves from then on; *never*: bundles move without end; *not within N min*: no
state came back. *Before*, *at worst*, *after*: the standard deviation of the brokers' usages at the
beginning, at its highest and at the end. *Fullest/mean*: the largest usage over the mean at the
end.
"""


def format_outcome(one: Run) -> str:
    """What became of a run: rest, moves, and the deviation of usages."""
    after, measures = one.rests_after, one.measures
    unrest = "never" if one.rest.endless else f"not within {one.rest.looked / MINUTE:g} min"
    figures = (
        unrest if after is None else f"{after / MINUTE:g} min",
        f"{measures.unloads}",
        f"{one.readings[0].deviation:.1%}",
        f"{measures.worst_deviation:.1%}",
        f"{measures.last_deviation:.1%}",
        f"{measures.last_ratio:.2f}",
    )
    return " | ".join(figures)


def run(file: ScenarioFile, one: Defaults) -> Run:
    """A scenario with the settings that it has for the strategy, but for what changed."""
    balancer = one.make_balancer(file.settings[one.strategies[0]])
    return carry_out(Job(file, balancer, SEED, one.edition))


def scenario_rows(name: str) -> Iterator[str]:
    """A shipped scenario under each defaults."""
    file = scenario_file.load(name)
    for one in COMPARED:
        yield f"| {name} | {one.name} | {format_outcome(run(file, one))} |"


def division_rows(brokers: int, namespaces: int, spread: str) -> Iterator[str]:
    """A cluster with 4 and with 32 bundles a namespace, under the other defaults of each."""
    for bundles in DIVISIONS:
        file = divide_namespaces(brokers, namespaces, bundles, spread)
        for one in (COMPARED[0], BY_HAND, COMPARED[-1]):
            where = f"{brokers} | {namespaces} | {spread} | {bundles} | {one.name}"
            yield f"| {where} | {format_outcome(run(file, one))} |"


def build_page() -> Iterator[str]:
    """The lines of the page."""
    yield INTRODUCTION
    yield "## AvgShedder by default\n"
    yield (
        "The shipped scenarios ([what each shows](../operate/simulate/scenarios)); "
        f'"{COMPARED[1].name}" is {OLD} without what else differs.\n'
    )
    yield f"| scenario | defaults of | {FIGURES}\n|---|---|{RULE}"
    for name in scenario_file.list_shipped():
        yield from scenario_rows(name)
    yield "\n## 32 bundles by default\n"
    yield (
        f"Namespaces of {TOPICS} topics, which their hashes put into bundles; together they are "
        f"{LOAD:.0%} of what the brokers can do. All are looked up at the beginning. `equal`: "
        "topics have the same traffic; `zipf`: the k-th has 1/k of the first. "
        f'"{BY_HAND.name}" has the plan of {OLD}: bundles of which nothing is known yet are alike '
        "to it, and the first one's broker, which is chosen at random, gets them all (PLC-21).\n"
    )
    names = "brokers | namespaces | topics | bundles | other defaults of"
    yield f"| {names} | {FIGURES}\n|{'---|' * 5}{RULE}"
    for brokers, namespaces in CLUSTERS:
        for spread in SPREADS:
            yield from division_rows(brokers, namespaces, spread)


def divide_namespaces(brokers: int, namespaces: int, bundles: int, spread: str) -> ScenarioFile:
    """Namespaces of topics, divided into bundles that no broker serves yet."""
    names = [BrokerId(f"broker-{number + 1}") for number in range(brokers)]
    size = 2**32 // bundles
    weights = [1 / (1 + at) if spread == "zipf" else 1.0 for at in range(TOPICS)]
    unit = LOAD * brokers / (namespaces * sum(weights)) / 2  # half of it is sent, half received
    specs = []
    for namespace in (f"tenant/ns-{number}" for number in range(namespaces)):
        shares = [0.0] * bundles
        for at, weight in enumerate(weights):
            shares[topic_hash(f"persistent://{namespace}/topic-{at}") // size] += weight * unit
        for at, share in enumerate(shares):
            upper = min((at + 1) * size, 2**32 - 1)
            messages, bytes_ = share * MESSAGES, share * BANDWIDTH
            traffic = Traffic(messages, messages, bytes_, bytes_)
            specs.append(
                BundleSpec(BundleName(f"{namespace}/0x{at * size:08x}_0x{upper:08x}"), traffic)
            )
    cluster = tuple(BrokerSpec(name, MESSAGES, BANDWIDTH) for name in names)
    scenario = Scenario(cluster, tuple(specs), Timing(MINUTES))
    called = f"{brokers} brokers, {namespaces} namespaces"
    return ScenarioFile(called, called, called, scenario, dict.fromkeys(Strategy, Settings()))


if __name__ == "__main__":
    write_file(PAGE, "\n".join(build_page()) + "\n")
