"""What all chapters need: numbers, scores, and the context of a trial."""

from __future__ import annotations

import math
import random
import struct
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from fractions import Fraction
from typing import Any, TypeVar, cast

from examples.from_documents.leading.readings import Readings

Json = dict[str, Any]
Item = TypeVar("Item")


class RefusedError(Exception):
    """The balancer rejects the input."""


class SkippedError(Exception):
    """The balancer has no such thing."""


@dataclass(frozen=True)
class Context:
    """How a variant reads the documents, and its source of chance for one trial."""

    readings: Readings
    rng: random.Random

    def constant(self, text: str) -> float:
        """A number that a document states, in the variant's arithmetic."""
        if self.readings.arithmetic == "decimal":
            return cast(float, Fraction(text))
        return float(text)

    def divide(self, dividend: float, divisor: float) -> float:
        """A quotient in the variant's arithmetic."""
        if self.readings.arithmetic == "decimal":
            return cast(float, Fraction(dividend) / Fraction(divisor))
        return dividend / divisor

    def percent(self, resource: Json) -> float:
        """How much of a resource is used; 0 where there is none of it."""
        usage, limit = resource["usage"], resource["limit"]
        if limit <= 0:
            return self.constant("0")
        if usage < 0 and self.readings.unmeasured_is_zero:
            return self.constant("0")
        result = self.divide(usage, limit) * 100
        if self.readings.arithmetic == "single":
            return single(float(result))
        return result

    def arranged(
        self,
        items: Iterable[Item],
        key: Callable[[Item], Any],
        name: Callable[[Item], str],
    ) -> list[Item]:
        """Items by ascending key, equal ones as the variant likes them."""
        result = list(items)
        if self.readings.ties == "random":
            self.rng.shuffle(result)
        elif self.readings.ties in ("name", "reverse"):
            result.sort(key=name, reverse=self.readings.ties == "reverse")
        result.sort(key=key)
        return result

    def pick(self, names: list[str]) -> str | None:
        """One of several that are equally good."""
        if not names:
            return None
        if self.readings.ties == "random":
            return self.rng.choice(sorted(names))
        if self.readings.ties == "name":
            return min(names)
        if self.readings.ties == "reverse":
            return max(names)
        return names[0]


def single(number: float) -> float:
    """The nearest number of single precision."""
    try:
        return cast(float, struct.unpack("f", struct.pack("f", number))[0])
    except OverflowError:
        return math.copysign(math.inf, number)


WEIGHT_NAMES = {
    "cpu": "loadBalancerCPUResourceWeight",
    "direct_memory": "loadBalancerDirectMemoryResourceWeight",
    "bandwidth_in": "loadBalancerBandwidthInResourceWeight",
    "bandwidth_out": "loadBalancerBandwidthOutResourceWeight",
}


def weighted_usage(context: Context, resources: Json, config: Json) -> float:
    """The largest weighted usage, a fraction (ThresholdShedder, 1.1)."""
    usages = [
        context.percent(resources[name]) * config[setting] for name, setting in WEIGHT_NAMES.items()
    ]
    return context.divide(max(usages), 100)


def throughput(traffic: Json) -> float:
    """Bytes in and out (ThresholdShedder, 1.3: "both inbound and outbound")."""
    return cast(float, traffic["throughput_in"] + traffic["throughput_out"])


def messages(traffic: Json) -> float:
    """Messages in and out."""
    return cast(float, traffic["msg_rate_in"] + traffic["msg_rate_out"])
