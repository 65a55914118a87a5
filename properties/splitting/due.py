"""What the trials of both managers about due bundles share: configuration, loads, counts.

JSON names are the field names, except for configuration keys, which keep Pulsar's spelling
(`field(metadata={"wire": ...})`). Rates are messages per second, throughput bytes per second,
each split in what comes in and what goes out.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from functools import lru_cache

from evenkeel.properties.names import require_bundle, require_namespace
from evenkeel.properties.splitting.positions.trial import require_rates
from evenkeel.properties.trial import require, require_different, require_number_of
from evenkeel.reference.bundles import ranges
from evenkeel.reference.bundles.ranges import HashRange
from evenkeel.reference.edition import DOCUMENTED
from evenkeel.reference.splitting.due import BundleName, Load, Sample


@dataclass(frozen=True, slots=True)
class BundleLoad:
    """What a broker reports about one bundle: clients, msg/s, bytes/s.

    `bundle` is the full name, `t/ns/0x…_0x…`.
    """

    bundle: str
    broker: str
    topics: int
    producers: int
    consumers: int
    msg_rate_in: float
    msg_rate_out: float
    throughput_in: float
    throughput_out: float

    def __post_init__(self) -> None:
        require_bundle("bundle", self.bundle)
        require_rates(self.msg_rate_in, self.msg_rate_out, self.throughput_in, self.throughput_out)
        for count in (self.topics, self.producers, self.consumers):
            require(0 <= count < 2**30, "counts", "must be 0 or more, below 2^30")


@dataclass(frozen=True, slots=True)
class NamespaceCount:
    """How many bundles a namespace has."""

    namespace: str
    bundles: int

    def __post_init__(self) -> None:
        require_namespace("namespace", self.namespace)
        require_number_of("bundles", self.bundles)


def require_counted(
    reports: tuple[tuple[str, str], ...], counts: tuple[NamespaceCount, ...]
) -> None:
    """No broker reports a bundle twice, (broker, bundle), and every namespace is counted once."""
    require_different("loads", reports)
    known = [count.namespace for count in counts]
    require_different("counts", known)
    for _, bundle in reports:
        namespace = bundle.rpartition("/")[0]
        require(namespace in known, "counts", f"must count the bundles of {namespace}")


@lru_cache(maxsize=4096)
def bundle_name(text: str) -> BundleName:
    """A bundle's full name, `tenant/namespace/0x…_0x…`, taken apart."""
    namespace, _, name = text.rpartition("/")
    lower, upper = ranges.parse_range(name, DOCUMENTED)
    return BundleName(namespace, HashRange(lower, upper))


def load_of(load: BundleLoad) -> Load:
    """A report about one bundle."""
    return Load(
        bundle_name(load.bundle),
        load.topics,
        load.producers + load.consumers,
        Sample(load.msg_rate_in, load.msg_rate_out, load.throughput_in, load.throughput_out),
    )


def counts_of(counts: Iterable[NamespaceCount]) -> dict[str, int]:
    """Bundles by namespace."""
    return {count.namespace: count.bundles for count in counts}
