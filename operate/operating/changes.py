"""What-ifs: a snapshot as it would be with a broker more or less, or with other settings.

Also which bundles are too large for any broker, and what splitting them would change.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, fields, replace

from evenkeel.operate.operating.snapshot import BadSnapshot, Resource, SeenBundle, SetTo, Snapshot
from evenkeel.reference.balancing.scenario import Scenario
from evenkeel.reference.balancing.settings import Settings
from evenkeel.reference.bundles.topics import topic_hash
from evenkeel.reference.splitting.algorithms import middle


def with_brokers(seen: Snapshot, count: int) -> Snapshot:
    """The snapshot with idle brokers more, each as large as the first of the snapshot."""
    like = seen.brokers[0]
    idle = {
        one.name: replace(getattr(like, one.name), usage=0.0)
        for one in fields(like)
        if isinstance(getattr(like, one.name), Resource)
    }
    load = None if like.load is None else 0.0
    none = replace(like, msg_rate=0.0, msg_throughput=0.0, load=load, **idle)
    added = [replace(none, id=f"added-{number}:8080") for number in range(1, count + 1)]
    return replace(seen, brokers=(*seen.brokers, *added))


def without_broker(seen: Snapshot, broker: str) -> Snapshot:
    """The snapshot without a broker, whose bundles clients look up again. Raises `BadSnapshot`."""
    left = tuple(one for one in seen.brokers if one.id != broker)
    if len(left) == len(seen.brokers):
        names = ", ".join(one.id for one in seen.brokers)
        raise BadSnapshot(f"--without {broker}: is no broker of the snapshot, which has {names}.")
    if not left:
        raise BadSnapshot(f"--without {broker}: no broker would be left.")
    return replace(seen, brokers=left)


def with_defaults(seen: Snapshot, defaults: Mapping[str, str]) -> Snapshot:
    """The snapshot with what its release has where nothing is set."""
    left = (SetTo(key, value) for key, value in defaults.items() if not seen.value(key))
    return replace(seen, settings=(*(one for one in seen.settings if one.value), *left))


def with_setting(seen: Snapshot, key: str, value: str) -> Snapshot:
    """The snapshot with a setting changed."""
    others = tuple(one for one in seen.settings if one.key != key)
    return replace(seen, settings=(*others, SetTo(key, value)))


@dataclass(frozen=True, slots=True)
class TooLarge:
    """A bundle that alone fills the broker that it would fill least beyond the threshold.

    `usage`: of that broker, a fraction. `halves`: its topics in the lower and the upper half of its
    range, by their hashes.
    """

    bundle: str
    usage: float
    halves: tuple[int, int]

    @property
    def advice(self) -> str:
        """What a split changes."""
        lower, upper = self.halves
        if lower + upper <= 1:
            return "it has one topic, so that a split changes nothing: partition the topic"
        share = self.usage * max(self.halves) / (lower + upper)
        spread = f"halves have {lower:,} and {upper:,} topics"
        if 0 in self.halves:
            return f"{spread}: split by topic_count_equally_divide"
        return f"{spread}; with topics of equal traffic the larger one fills {share:.0%}"


def too_large(seen: Snapshot, scenario: Scenario, settings: Settings) -> list[TooLarge]:
    """The bundles that are too large for any broker, the largest first. Alone they overload it
    (`loadBalancerBrokerOverloadedThresholdPercentage`), wherever they are moved.
    """
    found = []
    for bundle in seen.bundles:
        usage = min(
            max(
                (bundle.msg_rate_in + bundle.msg_rate_out) / broker.messages,
                bundle.msg_throughput_in / broker.bandwidth,
                bundle.msg_throughput_out / broker.bandwidth,
            )
            for broker in scenario.brokers
        )
        if usage * 100 > settings.overloaded_percent:
            found.append(TooLarge(bundle.name, usage, halves_of(bundle)))
    return sorted(found, key=lambda one: -one.usage)


def halves_of(bundle: SeenBundle) -> tuple[int, int]:
    """How many topics are in each half of the bundle's range (SPL-3)."""
    low, _, high = bundle.name.rpartition("/")[2].partition("_")
    cut = middle(int(low, 16), int(high, 16))
    lower = sum(topic_hash(topic) < cut for topic in bundle.topics)
    return lower, len(bundle.topics) - lower
