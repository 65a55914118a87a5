"""Settings: Pulsar's key, default, unit and bounds, each said once.

Defaults are those of 4.0.8 (`ServiceConfiguration`). The reference decides by them, trials carry
them, `simulate` and the wire name them. Bounds are what a trial may hold, both ends included.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import field, fields
from typing import Any, Final, TypeVar

INT: Final = (-(2**31), 2**31 - 1)
COUNT: Final = (0, 2**31 - 1)
FRACTION: Final = (0.0, 1.0)
WEIGHT: Final = (0.0, 1000.0)
RATIO: Final = (-(2.0**53) + 1, 2.0**53 - 1)

R = TypeVar("R")


def setting(
    key: str,
    default: Any,
    unit: str,
    bounds: tuple[float, float] | None = None,
    wire: str | None = None,
) -> Any:
    """A setting by Pulsar's name, which is that on the wire too unless another one is given."""
    told = {"key": key, "wire": wire or key, "unit": unit, "bounds": bounds}
    return field(default=default, metadata=told)


def same(kind: type[Any], name: str, bounds: tuple[float, float] | None = None) -> Any:
    """The setting of another class once more, perhaps within narrower bounds."""
    (found,) = (one for one in fields(kind) if one.name == name)
    told = found.metadata
    return setting(told["key"], found.default, told["unit"], bounds or told["bounds"])


def out_of_bounds(settings: Any) -> Iterator[tuple[str, str]]:
    """Pulsar's names of the settings that are not within their bounds, each with a sentence."""
    for one in fields(settings):
        bounds = one.metadata.get("bounds")
        if bounds is not None:
            least, most = bounds
            if not least <= getattr(settings, one.name) <= most:
                yield one.metadata["wire"], f"must be {least:.17g} to {most:.17g}"


def rules_from(kind: type[R], settings: Any) -> R:
    """The settings of one strategy out of those of a balancer, by Pulsar's names; what that does
    not have keeps its default.
    """
    values = {one.metadata["key"]: getattr(settings, one.name) for one in fields(settings)}
    wires = {one.name: one.metadata["key"] for one in fields(kind)}  # type: ignore[arg-type]
    return kind(**{name: values[wire] for name, wire in wires.items() if wire in values})
