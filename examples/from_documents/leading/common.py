"""The common parts of all chapters: numbers, scores, and the context of a trial."""

from __future__ import annotations

import math
import random
import struct
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from fractions import Fraction
from typing import Any, TypeVar, cast

from examples.from_documents.leading.interpretations import Interpretations

Json = dict[str, Any]
Item = TypeVar("Item")


class RefusedError(Exception):
    """The balancer rejects the input."""


class SkippedError(Exception):
    """The balancer does not support the trial."""


@dataclass(frozen=True)
class Context:
    """A variant's interpretations of the documents, and its random numbers for one trial."""

    interpretations: Interpretations
    rng: random.Random

    def constant(self, text: str) -> float:
        """A number that a document states, in the variant's arithmetic."""
        if self.interpretations.arithmetic == "decimal":
            return cast(float, Fraction(text))
        return float(text)

    def divide(self, dividend: float, divisor: float) -> float:
        """A quotient in the variant's arithmetic."""
        if self.interpretations.arithmetic == "decimal":
            return cast(float, Fraction(dividend) / Fraction(divisor))
        return dividend / divisor

    def percent(self, resource: Json) -> float:
        """The used percentage of a resource; 0 without a limit."""
        usage, limit = resource["usage"], resource["limit"]
        if limit <= 0:
            return self.constant("0")
        if usage < 0 and self.interpretations.unmeasured_is_zero:
            return self.constant("0")
        result = self.divide(usage, limit) * 100
        if self.interpretations.arithmetic == "single":
            return single(float(result))
        return result

    def arrange(
        self, items: Iterable[Item], key: Callable[[Item], Any], name: Callable[[Item], str]
    ) -> list[Item]:
        """Items by ascending key, equal ones in the variant's order."""
        result = list(items)
        if self.interpretations.ties == "random":
            self.rng.shuffle(result)
        elif self.interpretations.ties in ("name", "reverse"):
            result.sort(key=name, reverse=self.interpretations.ties == "reverse")
        result.sort(key=key)
        return result

    def pick(self, names: list[str]) -> str | None:
        """One of several equally good brokers."""
        if not names:
            return None
        if self.interpretations.ties == "random":
            return self.rng.choice(sorted(names))
        if self.interpretations.ties == "name":
            return min(names)
        if self.interpretations.ties == "reverse":
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
    counting = dict(WEIGHT_NAMES)
    if context.interpretations.memory_is_heap:
        del counting["direct_memory"]
    usages = [
        context.percent(resources[name]) * config[setting] for name, setting in counting.items()
    ]
    return context.divide(max(usages), 100)


def throughput(traffic: Json) -> float:
    """Bytes in and out (ThresholdShedder, 1.3: "both inbound and outbound")."""
    return cast(float, traffic["throughput_in"] + traffic["throughput_out"])


def messages(traffic: Json) -> float:
    """Messages in and out."""
    return cast(float, traffic["msg_rate_in"] + traffic["msg_rate_out"])
