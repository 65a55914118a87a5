"""Trials that differ from those of a generator by odd values: at the ends of what types allow,
equal to others, in another order, with names of which one begins another; and by relations between
values, listed once by the kind of value: texts, numbers, sizes, commands.

A generator draws what a rule is about. What no rule is about a subject may get wrong anyway:
a rate of 2^31, a name that begins like another's. Which values there are is known
from the types alone, and whether a trial can have one from its own checks.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import is_dataclass, replace
from enum import Enum
from functools import partial, wraps
from operator import is_
from typing import Any, Final, TypeVar

from evenkeel_engine.content import PART
from evenkeel_engine.kit.draw import Draw
from evenkeel_engine.kit.fields import (
    Member,
    flatten,
    holders_in,
    members_in,
    members_of,
    records_in,
)
from evenkeel_engine.kit.trial import INVALID

T = TypeVar("T")

SELDOM: Final = 0.06
RELATED: Final = 0.15
MOST: Final = 16
"""Changes of a trial."""
WHOLE: Final = (0, 1, 2, -1, 2**31 - 1, 2**31, 2**31 + 1, 2**32)
EXACT: Final = 2**53 - 1
"""The most that every program reads from JSON: a double holds it and both its neighbours."""
FRACTIONS: Final = (0.0, 1.0, 0.5, 1.5, -1.0, 2.0**31, 2.0**32)
LASTING: Final = ("steps", "millis")
"""Fields that stay: a trial lasts as long as they are large."""
LONG: Final = 101
"""Items of a long list."""
HISTORIES: Final = ("commands", "rounds", "cycles", "samples", "phases")
"""Lists of what happens in turn, never made long: a trial takes as long as they are."""
SIZES: Final = ((3,), (9, 10, 11), (99, 100, 101), (127, 128, 129), (255, 256, 257))
"""Items of a list around which programs count otherwise."""
SCALES: Final = {"minutes": (60, 60_000), "MB/s": (2**20,)} | {
    **dict.fromkeys(("seconds", "s", "period"), (1000,)),
    **dict.fromkeys(("percent", "points", "%"), (0.01,)),
}
"""By what a number of this unit, or of a field of this name, is multiplied for a smaller one."""
PASSING: Final = ("millis", "nanos", "after")
LONGEST: Final = 10**7
"""Fields that say how much time passes, and the most that is related to others."""
ENDLESS: Final = ("steps", "minutes", "round", "joins", "leaves")
KINDS: Final[tuple[Callable[[Member], bool], ...]] = (
    lambda one: one.sort is str,
    lambda one: one.number and one.attribute not in ENDLESS,
    lambda one: one.attribute in HISTORIES and len(one.records) > 1,
)
"""Whose values are related: names, numbers but those that make a trial long, commands."""
SHARED: Final = ("10.0.0.{}:8080", "[2001:db8::{}]:8080", "host:80{:02}", "{1}b{2}")
"""Forms of names, of which all of a field get one; the last makes names that hold one another."""


PLAIN: Final = frozenset((int, float, str, bool, type(None)))
"""Types with nothing inside."""

Variation = Callable[[], Any]
"""Makes the changed trial; raises what its checks raise where it cannot exist."""


Proposal = Callable[[Any, Member, Sequence[Any]], Iterable[Any]]
"""Other values for a field of a record, given all records of its type in the trial."""


def at_the_ends(record: Any, member: Member, _: Sequence[Any]) -> Iterator[Any]:
    """Values at the ends of what the type allows."""
    own = getattr(record, member.attribute)
    if member.optional:
        yield None
    if member.depth:
        if own:
            yield from ((), own[:1], own[::-1], (*own, own[0]), (own[0], *own))
            yield from (lengthen_list(own, length) for length in (2, 3))
    elif member.sort is bool:
        yield not own
    elif member.sort is int:
        yield from WHOLE
    elif member.sort is float:
        yield from FRACTIONS
    elif isinstance(member.sort, type) and issubclass(member.sort, Enum):
        yield from member.sort
    if member.unit is not None and member.number:
        yield from (member.default, member.default + 1, member.default - 1)


def of_others(_: Any, member: Member, others: Sequence[Any]) -> Iterator[Any]:
    """What other records have in this field."""
    return (getattr(one, member.attribute) for one in others)


def near_own(record: Any, member: Member, _: Sequence[Any]) -> Iterator[Any]:
    """The numbers of the record's other fields of this type, and those next to them."""
    if member.number:
        for other in members_in(record):
            value = getattr(record, other.attribute)
            if other.sort is member.sort and other.number and value is not None:
                yield from (value, value + 1, value - 1)


def of_many(record: Any, member: Member, _: Any = (), length: int = LONG) -> Iterator[Any]:
    """A long list of the items again and again, or each time with names of their own."""
    items = getattr(record, member.attribute)
    if items and isinstance(items, tuple) and member.attribute not in HISTORIES:
        yield (items * math.ceil(length / len(items)))[:length]
        yield lengthen_list(items, length)
        yield lengthen_list(items, length, within=True)


WAYS: Final[tuple[Proposal, ...]] = (at_the_ends, of_others, near_own)


def changes_of(trial: Any, record: Any, member: Member) -> list[list[Variation]]:
    """All ways to change a field of a record of a trial, those of a kind together."""
    if member.attribute in LASTING:
        return []
    own, by_type = getattr(record, member.attribute), records_by_type(trial)
    others, found = by_type[type(record)], []
    sizes: list[Proposal] = [partial(of_many, length=some[-1]) for some in SIZES[:-1]]
    for way in (*WAYS, *sizes):
        values = (value for value in dict.fromkeys(way(record, member, others)) if value != own)
        found.append([with_value(trial, record, member, value) for value in values])
    if member.sort is str:
        found.append(list_renamings(trial, texts_at(others, member)))
    for records in by_type.values():
        found.append(relations_of(trial, record, member, others, records[-1]))
    return [changes for changes in found if changes]


def a_change_of(
    draw: Draw, trial: Any, record: Any, member: Member, others: Sequence[Any]
) -> Variation | None:
    """One of these, without making the others; None if the one that was picked changes nothing."""
    if member.attribute in LASTING:
        return None
    if member.sort is str and draw.chance(0.25):
        return a_renaming(draw, trial, texts_at(others, member))
    first = draw.integer(0, len(WAYS) - 1)
    for way in (*WAYS[first:], *WAYS[:first]):
        if values := list(way(record, member, others)):
            value = draw.pick(values)
            same = value == getattr(record, member.attribute)
            return None if same else with_value(trial, record, member, value)
    return None


def lengthen_list(items: tuple[Any, ...], length: int, within: bool = False) -> tuple[Any, ...]:
    """As many items, repeated with other names, `within` also in lists of the items; numbers
    evenly from the first to the last.
    """
    if length > 1 and all(type(one) is int for one in items) and items[0] < items[-1]:
        return tuple(items[0] + (items[-1] - items[0]) * at // (length - 1) for at in range(length))
    return tuple(
        number_item(items[at % len(items)], at // len(items), within) for at in range(length)
    )


def number_item(item: Any, number: int, within: bool) -> Any:
    """An item with names of its own."""
    if within and isinstance(item, tuple):
        return tuple(number_item(one, number, within) for one in item)
    if number and isinstance(item, str):
        return f"{item}{number}" if "://" in item else f"{number}{item}"  # its scheme stays
    names = members_in(item) if number and is_dataclass(item) else ()
    named = {
        one.attribute: number_item(getattr(item, one.attribute), number, within)
        for one in names
        if one.sort is str and (within or not one.depth)
    }
    return replace(item, **named) if named else item


def texts_at(records: Iterable[Any], member: Member) -> list[str]:
    """The different names in a field of these records; of a part that of the whole."""
    found = (name for record in records for name in flatten(getattr(record, member.attribute)))
    return list(dict.fromkeys(name.partition(PART)[0] if PART else name for name in found))


def list_renamings(trial: Any, names: Sequence[str]) -> list[Variation]:
    """Name one like another and more; or outside ASCII, from its beginning or at its end."""
    pairs = [(other, f"{one}2") for one in names for other in names if one != other]
    pairs += [(name, new) for name in names for new in (f"é{name}", f"{name}é")]
    return [
        lambda old=old, new=new: rename_everywhere(trial, {old: new})  # type: ignore[misc]
        for old, new in pairs
        if new not in names
    ]


def a_renaming(draw: Draw, trial: Any, names: Sequence[str]) -> Variation | None:
    """One of these renamings, without making the others."""
    if not names:
        return None
    old, one = draw.pick(names), draw.pick(names)
    new = draw.pick((f"{one}2", f"é{old}", f"{old}é"))
    taken = new in names or new == f"{old}2"
    return None if taken else lambda: rename_everywhere(trial, {old: new})


def relations_of(trial: Any, record: Any, member: Member, mates: Any, other: Any) -> list[Any]:
    """All ways to relate a field's names to one another, or a number to those of another record."""
    if member.sort is str:
        names = texts_at(mates, member)
        return [partial(rename_everywhere, trial, names_like(names, form)) for form in SHARED]
    near = near_other(record, member, other) if member.number else ()
    least, most = (0, LONGEST) if member.attribute in PASSING else (-EXACT, EXACT)
    values = (one for one in near if least <= one <= most)
    return [with_value(trial, record, member, value) for value in dict.fromkeys(values)]


def near_other(record: Any, member: Member, other: Any) -> Iterator[Any]:
    """Numbers at those of another record, one unit and half a unit from them, in their unit or a
    smaller one; and moments that lie such a duration from other numbers of the record.
    """
    mine = (getattr(record, one.attribute) for one in members_in(record))
    times = [one for one in mine if type(one) is int and member.sort is int]
    steps = (0, 1, -1) if member.sort is int else (0, 1, -1, 0.5, -0.5)
    for field in (one for one in members_in(other) if one.number):
        value = getattr(other, field.attribute)
        scales = SCALES.get(field.unit or field.attribute, ())
        for scale in (1, *scales) if value is not None and math.isfinite(value) else ():
            near = [member.sort(value * scale + step) for step in steps]
            if scales:
                near += [at + way * one for at in times for way in (1, -1) for one in near[:3]]
            yield from near
    yield from (*WHOLE, EXACT) if member.sort is int else ()


def names_like(names: Sequence[str], form: str) -> dict[str, str]:
    """Another name of this form for each; a part of a path keeps what is before it."""
    return {
        name: name[: name.rfind("/") + 1] + form.format(at, "a" * at, "c" * at)
        for at, name in enumerate(names)
    }


def with_value(trial: Any, record: Any, member: Member, value: Any) -> Variation:
    """Put another value into a field."""

    def change() -> Any:
        new = replace(record, **{member.attribute: value})
        return rebuild(trial, lambda one: new if one is record else one, type(record))

    return change


def rename_everywhere(trial: Any, names: Mapping[str, str]) -> Any:
    """Other names, wherever they are, also as the beginning of longer ones."""

    def text(name: Any) -> Any:
        if type(name) is not str:  # an enum may be one, too
            return name
        if name in names or "/" not in name:
            return names.get(name, name)
        for old, new in names.items():
            if name.startswith(f"{old}/"):
                return new + name[len(old) :]
            if "://" in name:
                name = name.replace(f"://{old}/", f"://{new}/", 1)
        return name

    return rebuild(trial, text, str)


def rebuild(value: Any, changed: Callable[[Any], Any], of: Any) -> Any:
    """A value with everything changed so that is of a type, and whatever it is in."""
    new = changed(value)
    kind: Any = type(value)
    if new is not value or kind in PLAIN:
        return new
    if isinstance(value, tuple):
        items = [rebuild(one, changed, of) for one in value]
        return value if all(map(is_, items, value)) else tuple(items)
    if not is_dataclass(value):
        return value
    different: dict[str, Any] = {}
    for one in holders_in(kind, of):
        inner = getattr(value, one.attribute)
        if (again := rebuild(inner, changed, of)) is not inner:
            different[one.attribute] = again
    record: Any = value
    return replace(record, **different) if different else value


def seldom_varied(generate: Callable[[Draw], T]) -> Callable[[Draw], T]:
    """A generator of which a few trials are changed, decided last: all others stay as they are."""

    @wraps(generate)
    def generated(draw: Draw) -> T:
        trial = generate(draw)
        if draw.chance(SELDOM):
            for _ in draw.items(MOST, 0.92, 1):
                trial = vary_trial(draw, trial)
            if draw.chance(0.5):
                trial = lengthen_trial(draw, trial)
        if draw.chance(RELATED):
            fits = draw.pick(KINDS)
            for _ in draw.items(MOST, 0.92, 1):
                trial = relate_values(draw, trial, fits)
            if draw.chance(0.3):
                trial = lengthen_trial(draw, trial, draw.pick(draw.pick(SIZES)))
        return trial

    return generated


def vary_trial(draw: Draw, trial: T) -> T:
    """The trial with one change, or as it is where that could not exist."""
    by_type = records_by_type(trial)
    kind, member = draw.pick([(kind, one) for kind in by_type for one in members_of(kind)])
    others = by_type[kind]
    return changed_by(a_change_of(draw, trial, draw.pick(others), member, others), trial)


def relate_values(draw: Draw, trial: T, fits: Callable[[Member], bool]) -> T:
    """The trial with one relation more, or as it is where that could not exist."""
    by_type = records_by_type(trial)
    found = [(kind, one) for kind in by_type for one in members_of(kind) if fits(one)]
    if not found:
        return trial
    kind, member = draw.pick(found)
    record, other = draw.pick(by_type[kind]), draw.pick([of[-1] for of in by_type.values()])
    if member.attribute in HISTORIES:
        return changed_by(lambda: with_story(draw, trial, record, member), trial)
    changes = relations_of(trial, record, member, by_type[kind], other)
    return changed_by(draw.pick(changes) if changes else None, trial)


def with_story(draw: Draw, trial: Any, record: Any, member: Member) -> Any:
    """A few commands again, about the same, with time between them where it can pass."""
    items, story, about = getattr(record, member.attribute), list[Any](), dict[str, Any]()
    pauses = [one for one in items if is_pause(type(one))]
    types = dict.fromkeys(map(type, items))
    kinds: list[Any] = [[one for one in items if type(one) is kind] for kind in types]
    for one in [draw.pick(draw.pick(kinds)) for _ in draw.items(6, 0.7, 3)] if items else ():
        names = [name.attribute for name in members_in(one) if name.hint in (int, str)]
        known = {name: about.setdefault(name, getattr(one, name)) for name in names}
        story.append(replace(one, **known) if known and draw.chance(0.7) else one)
        story += [draw.pick(pauses)] if pauses and draw.chance(0.7) else []
    at = draw.integer(0, len(items))
    return with_value(trial, record, member, (*items[:at], *story, *items[at:]))()


def is_pause(kind: Any) -> bool:
    """Whether nothing but time passes at such a command."""
    return [one.attribute for one in members_of(kind)] in [[name] for name in PASSING]


def lengthen_trial(draw: Draw, trial: T, length: int = LONG) -> T:
    """The trial with one long list; with lists of long lists it would take minutes."""
    by_type = records_by_type(trial)
    lists = [(kind, one) for kind in by_type for one in members_of(kind) if one.depth]
    if not lists:
        return trial
    kind, member = draw.pick(lists)
    record = draw.pick(by_type[kind])
    values = list(of_many(record, member, (), length))
    change = with_value(trial, record, member, draw.pick(values)) if values else None
    return changed_by(change, trial)


def records_by_type(trial: Any) -> dict[Any, list[Any]]:
    """All records of a trial, those of a type together."""
    by_type: dict[Any, list[Any]] = {}
    for record in records_in(trial):
        by_type.setdefault(type(record), []).append(record)
    return by_type


def changed_by(change: Variation | None, trial: T) -> T:
    """The changed trial, or as it is where that could not exist."""
    if change is None:
        return trial
    try:
        changed: T = change()
    except INVALID:
        return trial
    return changed
