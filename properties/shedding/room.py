"""The room that rounding is given (the head of spec/shedding.md).

The documents do not say in which precision usage is worked out (LOA-1). So in their edition nobody
can say on which side of a boundary a balancer sees a usage that is all but there. Where an edition
works in single precision (LOA-2), usages are known to the last bit.
"""

from __future__ import annotations

from collections.abc import Iterable
from fractions import Fraction

from evenkeel import spec
from evenkeel.properties.load.comparing import SINGLE
from evenkeel.reference.edition import Edition
from evenkeel.reference.load.usage import Resource, Resources, Weights, percent_usage, single


def to_the_last_bit(edition: Edition) -> bool:
    """Whether the edition says in which precision numbers are worked out."""
    return spec.clause("LOA-2").holds_in(edition.name)


def usage_precision(edition: Edition) -> float:
    """What usages may be off by, as a share of 100 % or of the largest of them."""
    return 0.0 if to_the_last_bit(edition) else SINGLE


def scale(usages: Iterable[float], whole: float = 1.0) -> float:
    """What a precision is a share of: the whole, or the largest usage if that is more."""
    return max(whole, *map(abs, usages), 0.0)


def is_exact(resources: Resources, weights: Weights) -> bool:
    """Whether all counting percentages are the same in single and in double precision.

    50 of 100 is, 85 of 100 is not.
    """
    return all(
        weight == 0 or is_exact_percentage(resource)
        for resource, weight in (
            (resources.cpu, weights.cpu),
            (resources.direct_memory, weights.direct_memory),
            (resources.bandwidth_in, weights.bandwidth_in),
            (resources.bandwidth_out, weights.bandwidth_out),
        )
    )


def is_exact_percentage(resource: Resource) -> bool:
    """Whether neither the quotient nor the product is rounded."""
    if resource.limit <= 0:
        return True
    share = Fraction(resource.usage) / Fraction(resource.limit)
    quotient, percent = single(resource.usage / resource.limit), percent_usage(resource)
    return Fraction(quotient) == share and Fraction(percent) == 100 * share
