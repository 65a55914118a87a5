"""Trials and answers about averages of bundles: `load.bundle_averages`, `load.leader`."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum
from typing import ClassVar, Final

from evenkeel.properties.load.numbers import (
    require_count,
    require_different,
    require_traffic,
)
from evenkeel.properties.names import require_bundle, require_name
from evenkeel.properties.trial import require
from evenkeel.reference.load.averages import BundleAverages
from evenkeel.reference.load.leader import BrokerAverages, BundleSample
from evenkeel.reference.load.traffic import Traffic

MOST_TIMES: Final = 3000


class Start(StrEnum):
    """What is known of a bundle before its first sample."""

    UNSEEN = "unseen"
    QUOTA = "quota"


@dataclass(frozen=True, slots=True)
class Samples:
    """The same sample, so many times in a row (1 to 3000)."""

    traffic: Traffic
    topics: int
    times: int

    def __post_init__(self) -> None:
        require_traffic("traffic", self.traffic)
        require_count("topics", self.topics)
        require(1 <= self.times <= MOST_TIMES, "times", "must be from 1 to 3000")


@dataclass(frozen=True, slots=True)
class BundleAveragesTrial:
    """`load.bundle_averages`: what is a bundle's traffic on average?

    `quota` is the bundle's resource quota where it starts with one.
    """

    start: Start
    quota: Traffic
    samples: tuple[Samples, ...]

    def __post_init__(self) -> None:
        require_traffic("quota", self.quota)


@dataclass(frozen=True, slots=True)
class AveragesNow:
    """Both averages, of how many samples each is, and the latest number of topics."""

    short_samples: int
    short_term: Traffic
    long_samples: int
    long_term: Traffic
    topics: int

    @staticmethod
    def of(averages: BundleAverages) -> AveragesNow:
        """The same as an answer."""
        short, long = averages.short_term, averages.long_term
        return AveragesNow(
            short.samples, short.traffic, long.samples, long.traffic, averages.topics
        )


@dataclass(frozen=True, slots=True)
class BundleAveragesAnswer:
    """The averages at the start, and after each of the trial's `samples`."""

    averages: tuple[AveragesNow, ...]


# --------------------------------------------------------------------------------- leader


@dataclass(frozen=True, slots=True)
class Publish:
    """A broker publishes a report, and the leader is notified."""

    DO: ClassVar[str] = "publish"
    broker: str
    bundles: tuple[BundleSample, ...]

    def __post_init__(self) -> None:
        require_name("broker", self.broker)
        require_different("bundles", (sample.bundle for sample in self.bundles))
        for index, sample in enumerate(self.bundles):
            require_bundle(f"bundles[{index}].bundle", sample.bundle)
            require_traffic(f"bundles[{index}].traffic", sample.traffic)
            require_count(f"bundles[{index}].topics", sample.topics)


@dataclass(frozen=True, slots=True)
class Leave:
    """A broker that is there leaves; the leader is notified. Nothing happens if it is not."""

    DO: ClassVar[str] = "leave"
    broker: str

    def __post_init__(self) -> None:
        require_name("broker", self.broker)


@dataclass(frozen=True, slots=True)
class Write:
    """The leader writes its data to the metadata store."""

    DO: ClassVar[str] = "write"


LeaderCommand = Publish | Leave | Write


@dataclass(frozen=True, slots=True)
class LeaderTrial:
    """`load.leader`: what does the leader know after each command?

    A bundle is in one broker's latest report at a time (two samples of one notification would
    count in an order that is nobody's choice).
    """

    commands: tuple[LeaderCommand, ...]

    def __post_init__(self) -> None:
        served: dict[str, str] = {}
        for index, command in enumerate(self.commands):
            if isinstance(command, Write):
                continue
            served = {b: broker for b, broker in served.items() if broker != command.broker}
            if isinstance(command, Publish):
                names = {sample.bundle for sample in command.bundles}
                place = f"commands[{index}].bundles"
                require(not names & set(served), place, "must not be in another broker's report")
                served |= dict.fromkeys(names, command.broker)


@dataclass(frozen=True, slots=True)
class KnownBundle:
    """What the leader knows of a bundle."""

    bundle: str
    averages: AveragesNow


@dataclass(frozen=True, slots=True)
class KnownBroker:
    """What the leader knows of a broker."""

    broker: str
    averages: BrokerAverages


@dataclass(frozen=True, slots=True)
class Knowledge:
    """Everything that the leader knows, by name."""

    bundles: tuple[KnownBundle, ...]
    brokers: tuple[KnownBroker, ...]


@dataclass(frozen=True, slots=True)
class LeaderAnswer:
    """What is known after each command."""

    results: tuple[Knowledge, ...]
