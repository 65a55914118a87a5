"""The bounds of the numbers in trials, as the trials themselves have them.

A bound may be in the type of a field, among a strategy's settings, or in a trial's own checks.
So that none can be missing or wrong in the documents, they are measured: some trial holds the
number, and none that was tried holds the next one. `python -m evenkeel_engine.trial_types.bounds
[QUESTION…]` measures them and writes spec/wire/bounds.md; a test checks the
page against the trials.
"""

from __future__ import annotations

import math
import sys
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import cache, partial
from pathlib import Path
from typing import Any, Final

from evenkeel_engine import content
from evenkeel_engine.check.seeded import make_trial
from evenkeel_engine.files import write_file
from evenkeel_engine.kit.catalogue import QUESTIONS
from evenkeel_engine.kit.codec import BadData, Json, from_json, to_json
from evenkeel_engine.kit.draw import Generator
from evenkeel_engine.kit.fields import members_of
from evenkeel_engine.kit.question import AnyQuestion

PAGE: Final = Path(str(content.chapters.__file__)).resolve().parent / "wire" / "bounds.md"
TRIED: Final = 60
"""Trials of each generator in which a field is looked for."""
STORED: Final = 6
"""Trials that have a field in which it is changed."""
EACH: Final = "[]"
RUNGS: Final = sorted(
    {0, 1, 2, 3}
    | {2**power - less for power in range(2, 65) for less in (0, 1)}
    | {10**power for power in range(1, 20)}
)
LARGEST: Final = 1.7976931348623157e308
BEYOND: Final = (*(2.0**power for power in range(96, 1024, 32)), LARGEST)
SCENARIO: Final = "scenario"
MINUTE: Final = 60_000
"""Times of cycles are at whole minutes."""

Path_ = tuple[str, ...]
"""The way to a number: names of fields, `[]` for each item of a list, `(do)` for one command."""


@dataclass(frozen=True, slots=True)
class Bounds:
    """The least and the largest number that a field can hold; `whole`: whole numbers only."""

    path: Path_
    whole: bool
    least: float
    most: float


@cache
def records_of(question: str) -> tuple[tuple[Any, Path_], ...]:
    """The types of all records in a question's trials, with the path to each."""
    todo: list[tuple[Any, Path_]] = [(QUESTIONS[question].trial_type, ())]
    for record, path in todo:
        for member in members_of(record):
            here = (*path, member.name, *(EACH,) * member.depth)
            todo += [
                (inner, (*here, f"({inner.DO})") if hasattr(inner, "DO") else here)
                for inner in member.records
            ]
    return tuple(todo)


def numbers_in_trials(question: AnyQuestion) -> Iterator[tuple[Path_, bool]]:
    """The ways to all numbers in a question's trials, and whether they are whole; without those of
    a scenario: each hangs on others there.
    """
    for record, path in records_of(question.name):
        for member in members_of(record):
            here = (*path, member.name, *(EACH,) * member.depth)
            if member.sort in (int, float) and here[0] != SCENARIO:
                yield here, member.sort is int


def places_of(data: Json, path: Path_) -> Iterator[tuple[str | int, ...]]:
    """Where a trial's JSON form has numbers of this path."""
    if not path:
        if isinstance(data, int | float) and not isinstance(data, bool):
            yield ()
        return
    step, rest = path[0], path[1:]
    if step == EACH:
        for index, item in enumerate(data if isinstance(data, list) else ()):
            yield from ((index, *place) for place in places_of(item, rest))
    elif step.startswith("("):
        if isinstance(data, dict) and data.get("do") == step[1:-1]:
            yield from places_of(data, rest)
    elif isinstance(data, dict) and step in data:
        yield from ((step, *place) for place in places_of(data[step], rest))


def change_number(data: Json, place: Sequence[str | int], value: float) -> Json:
    """The data with another number there."""
    if not place:
        return value
    copy = data.copy()
    copy[place[0]] = change_number(data[place[0]], place[1:], value)
    return copy


@cache
def generate_samples(name: str) -> tuple[Json, ...]:
    """Trials of a question, of both generators, short ones first."""
    question = QUESTIONS[name]
    made = [
        to_json(make_trial(question, 1, index, generator))
        for generator in Generator
        for index in range(TRIED)
    ]
    return tuple(sorted(made, key=lambda data: len(str(data))))


def holds(question: AnyQuestion, data: Json, place: Sequence[str | int], value: float) -> bool:
    """Whether such a trial is valid with another number there."""
    try:
        from_json(question.trial_type, change_number(data, place, value))
    except BadData:
        return False
    return True


def tries_of(
    question: AnyQuestion, path: Path_
) -> tuple[list[Callable[[float], bool]], list[float]]:
    """Functions that try a number at this path in a trial, and numbers found there: in the first
    trials that have the field, and where it is least and largest.
    """
    first: list[tuple[Json, tuple[str | int, ...]]] = []
    every: list[tuple[Json, tuple[str | int, ...]]] = []
    stored = 0
    for data in generate_samples(question.name):
        places = [(data, place) for place in places_of(data, path)]
        if stored < STORED:
            numbers = [n for n in (0, len(places) - 1, 1) if 0 <= n < len(places)]
            first += [places[n] for n in dict.fromkeys(numbers)]
        stored += bool(places)
        every += places
    if not every:
        return [], []
    ends = (of(every, key=lambda one: value_at(*one)) for of in (min, max))
    first += [one for one in ends if one not in first]
    asking: list[Callable[[float], bool]] = [partial(holds, question, *one) for one in first]
    return asking, [value_at(*one) for one in first]


def value_at(data: Json, place: Sequence[str | int]) -> float:
    """The number at a place."""
    for step in place:
        data = data[step]
    number: float = data
    return number


def find_farthest(valid: Callable[[float], bool], whole: bool, sign: int) -> float | None:
    """The number farthest from 0 on one side that is held; None if none of that side is."""
    step = sign * (
        MINUTE if whole and valid(sign * MINUTE) and not valid(sign * (MINUTE + 1)) else 1
    )
    rungs: list[float] = [step * rung for rung in RUNGS if abs(step) * rung <= RUNGS[-1]]
    if not whole:
        rungs = [sign * float(rung) + 0.0 for rung in (*RUNGS, *BEYOND)]  # no -0.0
    outside: float | None = None
    for rung in reversed(rungs):
        if valid(rung):
            return rung if outside is None else last_held(valid, rung, outside, abs(step), whole)
        outside = rung
    return None


def last_held(
    valid: Callable[[float], bool], inside: float, outside: float, step: int, whole: bool
) -> float:
    """The last number that is held between one that is and one that is not."""

    def choose_between(one: float, other: float) -> float:
        """A number in the middle, or one of the two."""
        if whole:
            return (int(one) + int(other)) // (2 * step) * step
        return math.fsum((one / 2, other / 2))

    while (middle := choose_between(inside, outside)) not in (inside, outside):
        if valid(middle):
            inside = middle
        else:
            outside = middle
    return inside


def measure_bounds(question: AnyQuestion, path: Path_, whole: bool) -> Bounds | None:
    """The bounds of one field; None if no trial that was tried has it."""
    tries, own = tries_of(question, path)
    most = [found for valid in tries if (found := find_farthest(valid, whole, 1)) is not None]
    least = [found for valid in tries if (found := find_farthest(valid, whole, -1)) is not None]
    if not own:
        return None
    if not least:  # 0 itself is not valid: the nearest valid number replaces it
        rungs = RUNGS if whole else [*(10.0**power for power in range(-12, 0)), *map(float, RUNGS)]
        least = [next((rung for rung in rungs if valid(rung)), math.inf) for valid in tries] + own
    lowest = min(least)
    highest = max(most) if most else max(own)
    while whole and highest < RUNGS[-1] and any(valid(highest + 1) for valid in tries):
        highest += 1  # a number may have gaps: the halving can end before one
    return Bounds(path, whole, lowest, highest)


def all_of(question: AnyQuestion) -> list[Bounds]:
    """The bounds of all numbers in a question's trials."""
    paths = dict.fromkeys(numbers_in_trials(question))
    found = (measure_bounds(question, path, whole) for path, whole in paths)
    return [bounds for bounds in found if bounds]


HEAD: Final = """# Bounds of the numbers in trials

<!-- written by `python -m evenkeel_engine.trial_types.bounds` -->

What numbers a trial can hold: some trial holds either bound, both ends included, and of those that
were tried none holds the next number while the rest of it stays as it is. What must hold besides
(that times ascend, that a name is one of another list) is described with the types.
A field of a record in a list is `list[].field`, one of a command `commands[].(do).field`.
"""


def format_bound(value: float) -> str:
    """A bound in short: powers of two and ten are called that."""
    if value == math.inf or abs(value) == LARGEST:
        return "any number"
    sign, amount = "−" if value < 0 else "", abs(value)
    if amount < 2**16 or amount != int(amount):
        return f"{sign}{amount!r}" if amount != int(amount) else f"{sign}{int(amount)}"
    exact = int(amount)
    for less, tail in ((0, ""), (1, " − 1")):
        if (exact + less).bit_count() == 1:
            power = f"2^{(exact + less).bit_length() - 1}{tail}"
            return f"−({power})" if sign and tail else f"{sign}{power}"
    zeros = len(str(exact)) - 1
    return f"{sign}10^{zeros}" if exact == 10**zeros else f"{sign}{exact}"


def parse_bound(text: str) -> float:
    """The number that `format_bound` wrote."""
    if text == "any number":
        return LARGEST
    if text.startswith("−("):
        return -parse_bound(text[2:-1])
    if text.startswith("−"):
        return -parse_bound(text[1:])
    base, _, rest = text.partition("^")
    if not rest:
        return float(base) if "." in base or "e" in base else int(base)
    power, _, less = rest.partition(" − ")
    whole: int = int(base) ** int(power)
    return whole - int(less or 0)


def rows_of(bounds: Iterable[Bounds]) -> Iterator[str]:
    """The fields of equal bounds together."""
    alike: dict[tuple[str, str, str], list[str]] = {}
    for one in bounds:
        kind = "integer" if one.whole else "number"
        key = kind, format_bound(one.least), format_bound(one.most)
        alike.setdefault(key, []).append(f"`{'.'.join(one.path).replace('.[]', '[]')}`")
    for (kind, least, most), names in alike.items():
        yield f"| {kind} | {least} | {most} | {', '.join(names)} |"


def render_section(question: AnyQuestion) -> str:
    """The part of the page about one question."""
    if not (rows := list(rows_of(all_of(question)))):
        return ""
    table = "\n".join(("| type | least | most | fields |", "|---|---|---|---|", *rows))
    return f"\n## {question.name}\n\n{table}\n"


def render_bounds(old: str, again: Sequence[str]) -> str:
    """The whole page: these questions measured again, the others as they are; none: all again."""
    stored = {part.partition("\n")[0]: f"\n## {part.strip()}\n" for part in old.split("\n## ")[1:]}
    sections = [
        stored[name] if again and name not in again and name in stored else render_section(question)
        for name, question in QUESTIONS.items()
    ]
    return HEAD + "".join(sections)


def on_page(text: str) -> dict[str, dict[Path_, tuple[bool, float, float]]]:
    """The content of the page: by question and path, whether whole, the least and the most."""
    found: dict[str, dict[Path_, tuple[bool, float, float]]] = {}
    for part in text.split("\n## ")[1:]:
        name, _, rest = part.partition("\n")
        fields: dict[Path_, tuple[bool, float, float]] = {}
        for line in rest.splitlines():
            if line.startswith(("| integer", "| number")):
                kind, least, most, names = (cell.strip() for cell in line.strip("| ").split(" | "))
                for one in names.split(", "):
                    path = tuple(one.strip("`").replace("[]", ".[]").split("."))
                    fields[path] = kind == "integer", parse_bound(least), parse_bound(most)
        found[name] = fields
    return found


if __name__ == "__main__":
    old = PAGE.read_text(encoding="utf-8") if PAGE.exists() else ""
    write_file(PAGE, render_bounds(old, sys.argv[1:]))
