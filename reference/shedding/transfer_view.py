"""What TransferShedder sees of a cluster, and what it answers.

Loads are fractions (1.0 = 100 %), throughputs bytes per second, times and ages milliseconds
unless a name says seconds.
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum

from evenkeel.reference.load.top_bundles import TopRules
from evenkeel.reference.settings import COUNT, INT, same, setting
from evenkeel.reference.shedding.cluster import BrokerId, BundleName, Millis
from evenkeel.reference.shedding.overload import OverloadRules


@dataclass(frozen=True, slots=True, kw_only=True)
class TransferRules:
    """The settings of TransferShedder."""

    target_std: float = setting(
        "loadBalancerBrokerLoadTargetStd", 0.25, "fraction", (-1000.0, 1000.0)
    )
    overloaded_percentage: int = same(OverloadRules, "overloaded_percent")
    hit_threshold: int = setting("loadBalancerSheddingConditionHitCountThreshold", 3, "rounds", INT)
    transfer: bool = setting("loadBalancerTransferEnabled", True, "")
    max_pairs: int = setting("loadBalancerMaxNumberOfBrokerSheddingPerCycle", 3, "pairs", INT)
    delay_seconds: int = setting("loadBalanceSheddingDelayInSeconds", 180, "seconds", COUNT)
    ttl_seconds: int = setting("loadBalancerBrokerLoadDataTTLInSeconds", 1800, "seconds", COUNT)
    policies_movable: bool = same(TopRules, "with_policies")
    debug: bool = setting("loadBalancerDebugModeEnabled", False, "")


@dataclass(frozen=True, slots=True)
class TopBundle:
    """One of the bundles that a broker reports as its largest; throughput in bytes/s.

    `owned`: the state channel says that this broker serves it. `admits`: the brokers that the
    filters leave for it, null for all; `filter_fails`: a filter gave no answer.
    """

    bundle: BundleName
    throughput_in: float
    throughput_out: float
    owned: bool = True
    admits: tuple[BrokerId, ...] | None = None
    filter_fails: bool = False

    @property
    def throughput(self) -> float:
        """In plus out."""
        return self.throughput_in + self.throughput_out


@dataclass(frozen=True, slots=True)
class TransferReport:
    """A broker's report, made at `updated_at` (ms); throughput in bytes/s.

    `load` is the moving average of its largest weighted usage (a fraction, 0 to 1000),
    `throughput_average` that of its throughput. `top`: its largest bundles in the order in which
    it reports them (smallest first in 4.0), null if it has not reported any list.
    """

    broker: BrokerId
    load: float
    throughput_in: float
    throughput_out: float
    throughput_average: float
    updated_at: Millis
    top: tuple[TopBundle, ...] | None = ()

    @property
    def throughput(self) -> float:
        """In plus out."""
        return self.throughput_in + self.throughput_out


@dataclass(frozen=True, slots=True)
class LastUnload:
    """When a bundle of this broker was last unloaded: `at`, in ms."""

    broker: BrokerId
    at: Millis


@dataclass(frozen=True, slots=True)
class TransferView:
    """The cluster in one round, at `now` (ms).

    `registered`: the brokers that are there, null if the registry gives no answer. `reports`: in
    the order in which the store lists them, which means nothing. `isolated`, `anti_affine`:
    namespaces with such policies.
    """

    now: Millis
    registered: tuple[BrokerId, ...] | None
    reports: tuple[TransferReport, ...]
    recent_bundles: tuple[BundleName, ...] = ()
    recent_brokers: tuple[LastUnload, ...] = ()
    isolated: tuple[str, ...] = ()
    anti_affine: tuple[str, ...] = ()


class TransferLabel(Enum):
    """What became of a round: `Success` where something is moved, `Failure` where the registry gave
    no answer, else `Skip`.
    """

    SUCCESS = "Success"
    SKIP = "Skip"
    FAILURE = "Failure"


class TransferReason(Enum):
    """Why bundles are moved, or why none are (SHD-51).

    With a move: `Overloaded` or `Underloaded`, for what a pair is dealt with (SHD-54); a deviation
    above the target may be called either. With `Failure`: `Unknown`. With `Skip`, whichever is so:
    `CoolDown`, a broker's report was made too soon after it gave a bundle away; `NoBrokers`, nobody
    has reported; `OutDatedData`, all reports are too old; `NoLoadData`, a registered broker has not
    reported; `HitCount`, there was no cause in enough rounds in a row, perhaps none at all;
    `NoBundles`, there was, but no bundle may go, or none is small enough.
    """

    OVERLOADED = "Overloaded"
    UNDERLOADED = "Underloaded"
    HIT_COUNT = "HitCount"
    NO_BUNDLES = "NoBundles"
    COOL_DOWN = "CoolDown"
    OUTDATED_DATA = "OutDatedData"
    NO_LOAD_DATA = "NoLoadData"
    NO_BROKERS = "NoBrokers"
    UNKNOWN = "Unknown"


@dataclass(frozen=True, slots=True)
class TransferMove:
    """A bundle leaves a broker, for another one or (null) for whoever will be asked."""

    source: BrokerId
    bundle: BundleName
    destination: BrokerId | None
    reason: TransferReason


@dataclass(frozen=True, slots=True)
class TransferDecision:
    """What a round decides; the order of the moves means nothing.

    `reason` is null where something is moved: every move has its own. `average` and `deviation`
    of the loads are null where they were not worked out; the deviation also where it is not a
    number.
    """

    label: TransferLabel
    reason: TransferReason | None
    moves: tuple[TransferMove, ...] = ()
    average: float | None = None
    deviation: float | None = None
