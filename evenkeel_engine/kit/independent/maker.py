"""Generate trials from their types, field by field, and by what a specification says of them."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from dataclasses import fields, is_dataclass
from enum import Enum
from functools import cache, reduce
from importlib import import_module
from importlib.util import find_spec
from operator import or_
from types import NoneType
from typing import Any, ClassVar, Final, get_args, get_origin

from evenkeel_engine import content
from evenkeel_engine.errors import UserError
from evenkeel_engine.frame.errors import Refusal
from evenkeel_engine.kit.draw import Draw
from evenkeel_engine.kit.fields import members_of
from evenkeel_engine.kit.independent.fields import Fields, find_drawer
from evenkeel_engine.kit.independent.numbers import Whole
from evenkeel_engine.kit.independent.world import World
from evenkeel_engine.kit.trial import INVALID, BadTrial, bounds_of

PARTS: Final = 12
"""How often a part that could not exist is generated again."""

WHOLE: Final = 60
"""How often the whole trial is; every question needs fewer (a test measures)."""

Shaper = Callable[[Any], dict[str, Any]]
"""What chooses related fields of a part together, by its maker."""

HISTORIES: Final = Fields(
    lengths={"commands": (1, 30), "cycles": (1, 8), "rounds": (1, 5), "samples": (1, 8)}
)
"""Lists of what happens, as every specification names them."""

LONGEST: Final = 60
"""Commands of a story at most."""

MANY: Final = (12, 40, 120)
"""Items of a list that holds the same numbers over and over."""


class Unlucky(UserError):
    """No trial that can exist was generated: the reason that came up most."""


def trial_of(draw: Draw, question: str, trial_type: type[Any]) -> Any:
    """A trial of a question."""
    kind, reasons = maker_of(question.partition(".")[0]), Counter[str]()
    for _ in range(WHOLE):
        try:
            return kind(draw, question, trial_type).make_part(trial_type)
        except (BadTrial, Refusal, Unlucky) as why:
            reasons[str(why)] += 1
    [(reason, _)] = reasons.most_common(1)
    raise Unlucky(f"The independent generator finds no trial of {question}: mostly, {reason}.")


@cache
def wire_hints(kind: Any) -> dict[str, Any]:
    """The types of a record's fields by their names on the wire."""
    return {one.name: one.hint for one in members_of(kind)}


@cache
def bounds_by_name(kind: Any) -> dict[str, tuple[float, float]]:
    """The bounds of a record's numbers, by their names on the wire."""
    if kind is None:
        return {}
    within = {name: (one.least, one.most) for name, one in bounds_of(kind)}
    settings = {one.name: one.metadata.get("bounds") for one in fields(kind)}
    return {
        one.name: bounds
        for one in members_of(kind)
        if (bounds := settings.get(one.attribute) or within.get(one.attribute))
    }


@cache
def is_record(kind: Any) -> bool:
    """Whether a type is that of records."""
    return isinstance(kind, type) and is_dataclass(kind)


@cache
def of_numbers(kind: Any) -> bool:
    """Whether a type is that of records of nothing but numbers."""
    return is_record(kind) and {*wire_hints(kind).values()} <= {int, float}


@cache
def parts_of(kind: Any) -> tuple[bool, tuple[Any, ...]]:
    """Whether a type is that of lists, and the types in it."""
    return get_origin(kind) is tuple, get_args(kind)


class Maker:
    """Generates the parts of one trial."""

    world_type: ClassVar[type[World]] = World

    def __init__(self, draw: Draw, question: str, trial_type: Any) -> None:
        self.draw, self.question, self.trial_type = draw, question, trial_type
        self.world = self.world_type(draw)
        self.fields = fields_of(question.partition(".")[0])
        self.kinds: dict[str, Any] = {}
        self.things: dict[tuple[Any, str], Any] | None = None
        self.same: dict[type[Any], Any] = {}

    def make_part(self, kind: Any, **known: Any) -> Any:
        """A record: some fields are known, some from its shaper, the others by their names."""
        if kind in self.same:
            return self.same[kind]
        self.kinds[kind.__name__] = kind
        shaper = shaper_of(self.question, kind.__name__)
        problem: Exception | None = None
        for _ in range(PARTS):
            values = {**(shaper(self) if shaper else {}), **known}
            named = {}
            for one in members_of(kind):
                if one.name not in values:
                    values[one.name] = self.make_value(one.hint, one.name, kind.__name__)
                named[one.attribute] = values[one.name]
            try:
                return kind(**named)
            except INVALID as bad:
                problem = bad
        raise Unlucky(f"{kind.__name__}: {problem}")

    def make_value(self, kind: Any, name: str, owner: str) -> Any:
        """A value of a field; in a story the same for all fields that name a thing."""
        if self.things is None or name not in self.fields.things or self.draw.chance(0.1):
            return self.any_value(kind, name, owner)
        if (kind, name) not in self.things:
            self.things[kind, name] = self.any_value(kind, name, owner)
        return self.things[kind, name]

    def any_value(self, kind: Any, name: str, owner: str) -> Any:
        """A value, whatever other fields of this name have."""
        draw, (is_list, arguments) = self.draw, parts_of(kind)
        if is_list:
            return self.make_several(arguments[0], name, owner)
        if arguments:
            if NoneType in arguments and draw.chance(0.15):
                return None
            return self.make_value(
                draw.pick([one for one in arguments if one is not NoneType]), name, owner
            )
        if is_record(kind):
            return self.make_part(kind)
        bounds = bounds_by_name(self.kinds.get(owner)).get(name) if kind in (int, float) else None
        if bounds:
            known = self.fields.reals.keys() | self.fields.wholes.keys()
            if known.isdisjoint({name, f"{owner}.{name}"}):
                return draw.integer(*map(int, bounds)) if kind is int else draw.real(*bounds)
        if kind is float:
            return find_drawer(self.fields.reals, name, owner, self.world_type.real)(self.world)
        if kind is int:
            return find_drawer(self.fields.wholes, name, owner, Whole())(self.world)
        if kind is bool:
            return draw.chance(self.fields.yes.get(name, 0.5))
        if isinstance(kind, type) and issubclass(kind, Enum):
            return draw.pick(list(kind))
        return find_drawer(self.fields.texts, name, owner, self.world_type.name)(self.world)

    def make_several(self, kind: Any, name: str, owner: str) -> tuple[Any, ...]:
        """A list: of different names, or of many commands."""
        if getattr(kind, "__supertype__", kind) is str:
            return find_drawer(self.fields.lists, name, owner, self.world_type.few_names)(
                self.world
            )
        draw = self.draw
        if len(parts_of(kind)[1]) > 1 and name == "commands" and draw.chance(0.7):
            return self.make_story(parts_of(kind)[1], owner)
        if name in ("cycles", "rounds") and draw.chance(0.4):
            # A few times the same, each time perhaps with other values of a few fields.
            records, often = [self.make_value(kind, name, owner)], draw.pick((0.0, 0.03, 0.2))
            for _ in range(draw.integer(1, 5)):
                records.append(self.change_fields(records[-1], often))
            return tuple(records)
        if (name == "commands" and draw.chance(0.04)) or (of_numbers(kind) and draw.chance(0.4)):
            return (self.make_value(kind, name, owner),) * draw.pick(MANY)
        least, most = self.fields.lengths.get(name, (0, 6))
        often = 0.9 if name == "commands" else 0.7
        if draw.chance(0.05):
            most *= 5
        return tuple(self.make_value(kind, name, owner) for _ in draw.items(most, often, least))

    def change_fields(self, value: Any, often: float) -> Any:
        """A record, or a list of them, of which some fields have other values if they may."""
        if isinstance(value, tuple):
            return tuple(self.change_fields(one, often) for one in value)
        kind: Any = type(value)
        if not is_record(kind) or not often:
            return value
        values = dict[str, Any]()
        for one in members_of(kind):
            old = getattr(value, one.attribute)
            if isinstance(old, tuple) or is_dataclass(old) or not self.draw.chance(often):
                values[one.attribute] = self.change_fields(old, often)
            else:
                values[one.attribute] = self.make_value(one.hint, one.name, kind.__name__)
        try:
            return kind(**values)
        except INVALID:
            return value

    def make_story(self, kinds: tuple[Any, ...], owner: str) -> tuple[Any, ...]:
        """Commands that belong together: some in the order in which the page lists them, mostly
        about one thing; often what concerns none, such as time that passes, between them; repeated,
        or done again about another thing.
        """
        draw, commands = self.draw, list[Any]()
        others = [kind for kind in kinds if not wire_hints(kind).keys() & self.fields.things]
        if others and draw.chance(0.5):
            others = [draw.pick(others), draw.pick(others)]
        if draw.chance(0.4):
            kinds = kinds[: draw.integer(3, 6)]
        pause, density = draw.pick((0.0, 0.2, 0.5, 0.9)), draw.pick((1.0, 0.9, 0.5))
        for number in draw.items(12, 0.9, 1):
            first = 0 if number == 0 or draw.chance(0.3) else draw.integer(0, len(kinds) - 1)
            if self.things is None or draw.chance(0.4):
                self.things = {}
            near = kinds[first : first + draw.integer(1, 7)]
            part = [one for one in near if draw.chance(density)]
            commands += self.make_commands(part, others, pause, owner) * draw.pick((1, 2, 4))
            if draw.chance(0.2):
                self.things = {}
                commands += self.make_commands(part, others, pause, owner)
            if len(commands) >= LONGEST:
                break
        self.things = None
        return tuple(commands[:LONGEST])

    def make_commands(
        self, part: list[Any], others: list[Any], pause: float, owner: str
    ) -> list[Any]:
        """Commands of these kinds, and at times of others between them."""
        commands = list[Any]()
        for kind in part:
            commands.append(self.make_value(kind, "commands", owner))
            if others and self.draw.chance(pause):
                commands.append(self.make_value(self.draw.pick(others), "commands", owner))
        return commands


@cache
def shaper_of(question: str, part: str) -> Shaper | None:
    """The function that chooses related fields of a part together, if there is one."""
    known: dict[str, Shaper] = reduce(or_, collect_said("SHAPERS", question.partition(".")[0]), {})
    return known.get(f"{question}/{part}") or known.get(part)


@cache
def fields_of(chapter: str) -> Fields:
    """How fields are generated by their names."""
    return reduce(or_, collect_said("FIELDS", chapter), HISTORIES)


@cache
def maker_of(chapter: str) -> type[Maker]:
    """The class whose world has the names of a chapter."""
    makers: list[type[Maker]] = [Maker, *collect_said("MAKER", chapter)]
    return makers[-1]


def collect_said(name: str, chapter: str) -> list[Any]:
    """What the modules `independent_parts` of all properties and of a chapter say."""
    rooms = (content.name(f"properties.{place}independent_parts") for place in ("", f"{chapter}."))
    modules = [import_module(room) for room in rooms if find_spec(room)]
    return [getattr(one, name) for one in modules if hasattr(one, name)]


def trial_hints(maker: Maker) -> dict[str, Any]:
    """The types of the fields of the question's trial."""
    return wire_hints(maker.trial_type)


def record_in(maker: Maker, name: str) -> Any:
    """The type of the records of a list in the trial."""
    return get_args(trial_hints(maker)[name])[0]
