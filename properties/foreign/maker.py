"""Makes trials from their types, field by field, as the tables of `spec/wire.md` have them."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import fields, is_dataclass
from enum import Enum
from functools import cache
from types import NoneType
from typing import Any, Final, get_args, get_origin, get_type_hints

from evenkeel.properties.codec import wire_name
from evenkeel.properties.draw import Draw
from evenkeel.properties.foreign import numbers
from evenkeel.properties.foreign.world import World
from evenkeel.properties.trial import BadTrial
from evenkeel.reference.errors import Refusal

PARTS: Final = 12
"""A part that could not exist is drawn again so often."""
WHOLE: Final = 60
"""And so often the whole trial; every question does with fewer (a test measures)."""

Shaper = Callable[["Maker"], dict[str, Any]]


class Unlucky(Exception):
    """No trial that can exist was drawn."""


def trial_of(draw: Draw, question: str, trial_type: type[Any]) -> Any:
    """A trial of a question."""
    for _ in range(WHOLE):
        try:
            return Maker(draw, question, trial_type).part(trial_type)
        except (BadTrial, Refusal, Unlucky):
            continue
    raise Unlucky(f"no trial of {question} could be made")


_hints: dict[type[Any], dict[str, Any]] = {}


def hints(kind: type[Any]) -> dict[str, Any]:
    """The types of a record's fields."""
    if kind not in _hints:
        _hints[kind] = get_type_hints(kind)
    return _hints[kind]


def wire_hints(kind: type[Any]) -> dict[str, Any]:
    """The same, by the names of the wire."""
    return {wire_name(one): hints(kind)[one.name] for one in fields(kind)}


class Maker:
    """Makes the parts of one trial."""

    def __init__(self, draw: Draw, question: str, trial_type: type[Any]) -> None:
        self.draw, self.question, self.trial_type = draw, question, trial_type
        self.world = World(draw)
        self.kinds: dict[str, type[Any]] = {}

    def part_with(self, kind: type[Any], **known: Any) -> Any:
        """A record of which some fields are known."""
        return self.part(kind, known)

    def part(self, kind: type[Any], known: dict[str, Any] | None = None) -> Any:
        """A record: what its shaper says, and its other fields by their names."""
        self.kinds[kind.__name__] = kind
        shaper = shapers().get(f"{self.question}/{kind.__name__}") or shapers().get(kind.__name__)
        problem: Exception | None = None
        for _ in range(PARTS):
            values = {**(shaper(self) if shaper else {}), **(known or {})}
            named = {}
            for one in fields(kind):
                name = wire_name(one)
                if name not in values:
                    values[name] = self.value(hints(kind)[one.name], name, kind.__name__)
                named[one.name] = values[name]
            try:
                return kind(**named)
            except (BadTrial, Refusal, ValueError) as bad:
                problem = bad
        raise Unlucky(f"{kind.__name__}: {problem}")

    def value(self, kind: Any, name: str, owner: str) -> Any:
        """A value of a field."""
        draw, arguments = self.draw, get_args(kind)
        if get_origin(kind) is tuple:
            return self.several(arguments[0], name, owner)
        if arguments:
            if NoneType in arguments and draw.chance(0.15):
                return None
            return self.value(
                draw.pick([one for one in arguments if one is not NoneType]), name, owner
            )
        if isinstance(kind, type) and is_dataclass(kind):
            return self.part(kind)
        if isinstance(kind, type) and issubclass(kind, Enum):
            return draw.pick(list(kind))
        if kind is bool:
            return draw.chance(numbers.YES.get(name, 0.5))
        if kind is int:
            return numbers.whole(self.world, name, owner)
        if kind is float:
            return numbers.real(self.world, name, owner)
        return self.text(name, owner)

    def several(self, kind: Any, name: str, owner: str) -> tuple[Any, ...]:
        """A list: names are all different, commands many."""
        base = getattr(kind, "__supertype__", kind)
        if base is str:
            return self.texts(name, owner)
        draw = self.draw
        most = numbers.LENGTHS.get(name, 6)
        often = 0.9 if name == "commands" else 0.7
        least = 1 if name in numbers.NOT_EMPTY else 0
        if draw.chance(0.05):
            most *= 5
        return tuple(self.value(kind, name, owner) for _ in draw.items(most, often, least))

    def texts(self, name: str, owner: str) -> tuple[str, ...]:
        """Different names of the sort that a field has."""
        world = self.world
        if name in numbers.BUNDLE_LISTS:
            return world.some(world.bundles, 8)
        if name in numbers.NAMESPACE_LISTS:
            return world.some(world.namespaces, 4)
        if name in ("prefers", "prefers_then"):
            return world.some(world.brokers, len(world.brokers), len(world.brokers))
        return world.some(world.brokers, 20, 1)

    def text(self, name: str, owner: str) -> str:
        """A name of the sort that a field has."""
        world, draw = self.world, self.draw
        if name in ("bundle", "bundles"):
            return draw.pick(world.bundles)
        if name == "namespace":
            return draw.pick(world.namespaces)
        if name == "topic":
            return world.topic()
        if name == "group":
            return draw.pick(("", "rack-a", "grüppe", "g 1"))
        if name == "version":
            return draw.pick(("4.0.8", "3.3.1", "4.1.0-SNAPSHOT", "2.11", "4.0.8.1"))
        if name == "manager":
            return draw.pick(numbers.MANAGERS)
        if name == "domain":
            return draw.pick(("zone-a", "zone-b", "zone-c"))
        return draw.pick(world.brokers)


@cache
def shapers() -> dict[str, Shaper]:
    """What gives parts their shape, by the part's name, or by question and part."""
    from evenkeel.properties.foreign import shapes  # noqa: PLC0415 - it needs this module's types

    return shapes.SHAPERS
