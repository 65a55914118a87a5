"""Which of the values, sizes and relations that trials can have, generated trials do have.

Of each field of each record in a question's trials the type, the bounds on spec/wire/bounds.md and
a setting's default say which *classes* there are: a number of 0, or from 2^31; a list that is
empty, or longer than 100; a name that another begins with; a field below, equal to or above
another of its record, or that of the record before it; each kind of command in the first and in
the last third of a list of commands; each kind right after each other, about the same thing and
about another one, in trials of either generator. A class that no trial met and that the trials'
own checks refuse wherever it is tried is none.

`python -m evenkeel_engine.trial_types.met [QUESTION…]` prints which of them 2,000 trials met, with
the number of trials up to 10. A sweep of the specification may demand all of them (`find_unmet`)
but those that it lists, with a reason.
"""

from __future__ import annotations

import math
import re
import sys
from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from enum import Enum
from functools import cache, partial
from itertools import combinations, islice, pairwise, product
from operator import is_
from typing import Any, Final

from evenkeel_engine.check.seeded import Block, generate_requests, make_trial
from evenkeel_engine.content import PART
from evenkeel_engine.kit import varied
from evenkeel_engine.kit.catalogue import QUESTIONS
from evenkeel_engine.kit.draw import Generator
from evenkeel_engine.kit.fields import Member, flatten, members_in, members_of
from evenkeel_engine.kit.trial import INVALID
from evenkeel_engine.kit.varied import changes_of, is_pause
from evenkeel_engine.trial_types.bounds import EACH, PAGE, Path_, on_page, records_of

TRIALS: Final = 2000
SEED: Final = 1
FURTHER: Final = 10_000
"""Further trials, in which a class is looked for that none of these met."""
ENOUGH: Final = 10
"""Trials that met a class, after which it is no longer looked for."""
TRIED: Final = 8
"""Trials in which a class that none met is tried, of either generator."""
RECORDS: Final = 1
"""Records of each of them in which it is, the first."""
CHANGES: Final = 100
"""Changes of a kind that are tried at a place, at most: there are as many as pairs of names."""

WHOLE: Final = (
    ("negative", -math.inf, -1),
    ("0", 0, 0),
    ("1", 1, 1),
    ("2 to 2^31 - 1", 2, 2**31 - 1),
    ("from 2^31", 2**31, math.inf),
    ("next to 2^31", 2**31 - 1, 2**31 + 1),
    ("2^53 - 1", varied.EXACT, varied.EXACT),
)
FRACTIONS: Final = (
    ("negative", -math.inf, -5e-324),
    ("0", 0, 0),
    ("above 0, below 2^31", 5e-324, math.nextafter(2**31, 0)),
    ("from 2^31", 2**31, math.inf),
)
SIZES: Final = (
    ("empty", 0, 0),
    ("1 item", 1, 1),
    ("2 items", 2, 2),
    *(
        (f"{'–'.join(map(str, {of[0]: 0, of[-1]: 0}))} items", of[0], of[-1])
        for of in varied.SIZES[:-1]
    ),
)
TEXTS: Final = (
    ("an address of four numbers", r"(?m)^(\d+\.){3}\d+(:\d+)?$"),
    ("an address in brackets", r"(?m)^\[.*\]:\d+$"),
    ("ports of one host", r"(?m)^(.+:)\d+\n\1\d+$"),
    ("two that differ in their last part", r"(?m)^(.*\W)\w+\n\1\w+$"),
    ("one within another", r"(?ms)^([^\n]+)$.*^[^\n]+\1[^\n]+$"),
)
"""What is found in the names of a field, of which each has a line, the shorter ones first."""
NEAR: Final = (("1 from a setting", 1), ("half from a setting", 0.5))
LEAST_OFTEN: Final = 0.5
"""The last third of a list of commands has each kind at least this often, for once in the first."""

SAME: Final = ("same", "another")
"""Whether two commands are about the same thing."""

AND_TIME: Final = " and time"
MOST: Final = 20
"""What is said of commands between which nothing but time passes; names that are compared."""

Class = tuple[str, str]
"""A place (`Server.regions`), and what is met there (`from 2^31`)."""


class TrialRecords:
    """The records of one trial by their type, and those that are neighbours in a list."""

    def __init__(self, trial: Any) -> None:
        self.records: dict[Any, list[Any]] = defaultdict(list)
        self.neighbours: dict[Any, list[tuple[Any, Any]]] = defaultdict(list)
        self.known: set[int] = set()
        self.settings: set[float | None] = set()
        self.add(trial)

    def add(self, record: Any) -> None:
        """A record and all inside it, once."""
        if id(record) in self.known:
            return
        self.known.add(id(record))
        self.records[type(record)].append(record)
        for member in members_in(record):
            if member.unit is not None and member.number:
                self.settings.add(getattr(record, member.attribute))
            if member.records:
                items = tuple(flatten(getattr(record, member.attribute)))
                for one, other in pairwise(items):
                    self.neighbours[type(one)].append((one, other))
                for item in items:
                    self.add(item)


Criterion = Callable[[TrialRecords], bool]


@dataclass(frozen=True, slots=True)
class Place:
    """A field of a type of records, and the bounds of its numbers."""

    record: Any
    member: Member
    least: float
    most: float

    @property
    def words(self) -> str:
        """The type and the field, as a class names its place."""
        return f"{self.record.__name__}.{self.member.name}"

    @property
    def twofold(self) -> bool:
        """Whether its values are of two kinds: true and false, a value and null."""
        return not self.member.depth and self.member.optional != (self.member.sort is bool)


@cache
def places_of(question: str) -> Mapping[Any, tuple[Place, ...]]:
    """The fields of each of them; bounds are the widest of all paths to a field."""
    page = read_bounds().get(question, {})
    bounds: dict[tuple[Any, str], list[float]] = defaultdict(list)
    for record, path in records_of(question):
        for one in members_of(record):
            bounds[record, one.name] += page.get((*path, one.name, *(EACH,) * one.depth), ())[1:]
    return {
        record: tuple(
            Place(record, member, min(ends, default=0), max(ends, default=math.inf))
            for member in members_of(record)
            for ends in [bounds[record, member.name]]
        )
        for record in dict.fromkeys(record for record, _ in records_of(question))
    }


@cache
def read_bounds() -> dict[str, dict[Path_, tuple[bool, float, float]]]:
    """The page of bounds."""
    return on_page(PAGE.read_text(encoding="utf-8"))


def ranges_of(place: Place) -> Iterator[tuple[str, float, float]]:
    """The ranges of a number's values."""
    for words, low, high in WHOLE if place.member.sort is int else FRACTIONS:
        if low <= place.most and high >= place.least:
            yield words, low, high
    if place.member.unit is not None:
        default = place.member.default
        if place.least < default:
            yield "below the default", -math.inf, math.nextafter(default, -math.inf)
        yield "the default", default, default
        if place.most > default:
            yield "above the default", math.nextafter(default, math.inf), math.inf


def value_classes(place: Place) -> Iterator[tuple[str, Callable[[Any], bool]]]:
    """What one value can be like, where it is not null."""
    sort, records = place.member.sort, place.member.records
    if sort in (int, float):
        yield from ((words, partial(is_within, low, high)) for words, low, high in ranges_of(place))
    if sort is float:
        yield "whole", lambda value: value == math.floor(value)
        yield "with a fraction", lambda value: value != math.floor(value)
    if sort is bool:
        yield "true", lambda value: value
        yield "false", lambda value: not value
    if sort is str:
        yield "not ASCII", lambda value: not value.isascii()
    if isinstance(sort, type) and issubclass(sort, Enum):
        yield from ((str(one.value), partial(is_, one)) for one in sort)
    if len(records) > 1:
        for kind in records:
            yield kind.__name__, partial(lambda of, value: type(value) is of, kind)


def size_classes(place: Place) -> Iterator[tuple[str, Callable[[Any], bool]]]:
    """How many items a list can have, and whether one is there twice."""
    for words, low, high in SIZES:
        yield words, partial(lambda least, most, items: least <= len(items) <= most, low, high)
    if not place.member.records:
        yield "an item twice", lambda items: len(set(items)) < len(items)


def step_classes(place: Place) -> Iterator[tuple[str, Callable[[Any, Any], bool]]]:
    """How a field can differ from that of the record before it in a list."""
    if place.member.number:
        yield "above the one before", lambda one, other: are_given(one, other) and one < other
        yield "below the one before", lambda one, other: are_given(one, other) and one > other
    if place.twofold:
        there, absent = words_of(place, True), words_of(place, False)
        yield f"{absent} after {there}", lambda one, other: is_there(one) and not is_there(other)
        yield f"{there} after {absent}", lambda one, other: is_there(other) and not is_there(one)


def pair_classes(one: Place, other: Place) -> Iterator[tuple[str, Callable[[Any, Any], bool]]]:
    """How two fields of a record can be to each other."""
    first, second = one.member, other.member
    if first.number and second.number and (first.sort, first.unit) == (second.sort, second.unit):
        yield f"below {second.name}", lambda a, b: are_given(a, b) and a < b
        yield f"equal to {second.name}", lambda a, b: are_given(a, b) and a == b
        yield f"above {second.name}", lambda a, b: are_given(a, b) and a > b
    if one.twofold and other.twofold:
        for pair in product((True, False), repeat=2):
            words = f"{words_of(one, pair[0])}, {second.name} {words_of(other, pair[1])}"
            yield words, partial(are_there, *pair)


def is_within(low: float, high: float, value: Any) -> bool:
    """Whether a number is in a range."""
    return bool(low <= value <= high)


def are_there(left: bool, right: bool, one: Any, other: Any) -> bool:
    """Whether two values are there, or are not."""
    return (is_there(one), is_there(other)) == (left, right)


def are_given(one: Any, other: Any) -> bool:
    """Whether neither is null."""
    return one is not None and other is not None


def is_there(value: Any) -> bool:
    """Whether a value is true, or not null."""
    return value is not None and value is not False


def words_of(place: Place, there: bool) -> str:
    """What a twofold value is where it is there, or is not, in words."""
    if place.member.sort is bool:
        return "true" if there else "false"
    return "a value" if there else "null"


def begins_another(names: Iterable[str]) -> bool:
    """Whether one name begins another, but for what numbers the parts of one thing."""
    wholes = {name.partition(PART)[0] if PART else name for name in names}
    return any(longer.startswith(name) for name, longer in pairwise(sorted(wholes)))


@cache
def checks_of(question: str) -> Mapping[Class, Criterion]:
    """All classes of a question but those of thirds, and what tells whether a trial met them."""
    found: dict[Class, Criterion] = {}
    every = places_of(question)
    fields_ = (place.member for places in every.values() for place in places)
    lists = {member.records for member in fields_ if member.depth}
    for record, places in every.items():
        for place in places:
            found |= {(place.words, words): check for words, check in checks_at(place)}
            if (record,) in lists:
                for words, differ in step_classes(place):
                    found[place.words, words] = pair_check(place, place, differ, of_next=True)
        for one, other in combinations(places, 2):
            for words, tells in pair_classes(one, other):
                found[one.words, words] = pair_check(one, other, tells)
    return found


def checks_at(place: Place) -> Iterator[tuple[str, Criterion]]:
    """The classes of a field alone."""
    if place.member.optional:
        yield "null", lambda seen: any(value is None for value in values_at(seen, place, False))
    for words, tells in value_classes(place):
        yield words, check_values(place, tells, True)
    for words, tells in size_classes(place) if place.member.depth else ():
        yield words, check_values(place, tells, False)
    if place.member.sort is str:
        yield "one begins another", lambda seen: begins_another(values_at(seen, place, True))
        for words, form in TEXTS:
            yield words, partial(has_names, place, re.compile(form))
    for words, step in NEAR if place.member.number and place.member.unit is None else ():
        yield words, partial(is_near, place, step)


def has_names(place: Place, form: re.Pattern[str], seen: TrialRecords) -> bool:
    """Whether the names in a field are so to one another."""
    names = sorted({*values_at(seen, place, True)}, key=lambda name: (len(name), name))
    return form.search("\n".join(names[:MOST])) is not None


def is_near(place: Place, step: float, seen: TrialRecords) -> bool:
    """Whether a number lies so far from a setting of the trial."""
    values = values_at(seen, place, True)
    return any(not seen.settings.isdisjoint((one + step, one - step)) for one in values)


def values_at(seen: TrialRecords, place: Place, items: bool) -> Iterator[Any]:
    """The values of a field, or without null what they and the lists in them hold."""
    name = place.member.attribute
    for record in seen.records.get(place.record, ()):
        value = getattr(record, name)
        if items:
            yield from flatten(value)
        else:
            yield value


def check_values(place: Place, tells: Callable[[Any], bool], items: bool) -> Criterion:
    """Whether some value is such."""
    return lambda seen: any(
        value is not None and tells(value) for value in values_at(seen, place, items)
    )


def pair_check(
    one: Place, other: Place, tells: Callable[[Any, Any], bool], of_next: bool = False
) -> Criterion:
    """Whether two fields of some record, or of it and the next, are so to each other."""
    first, second = one.member.attribute, other.member.attribute

    def check(seen: TrialRecords) -> bool:
        records = seen.records.get(one.record, ())
        pairs = seen.neighbours.get(one.record, ()) if of_next else [(it, it) for it in records]
        return any(tells(getattr(left, first), getattr(right, second)) for left, right in pairs)

    return check


def count_met(question: str, trials: int = TRIALS) -> dict[Class, int]:
    """How many trials met each class, up to `ENOUGH`, without those that no trial can meet."""
    counts = count_all(question, trials)
    return {name: counts[name] for name in counts.keys() - find_impossible(question, counts)}


def find_unmet(question: str, exempt: Callable[[Class], bool]) -> list[Class]:
    """The classes that some trial could meet, but none does, without those that are exempt."""
    counts = count_all(question, TRIALS)
    left = {name: number for name, number in counts.items() if number or not exempt(name)}
    impossible = find_impossible(question, left)
    never = [name for name, number in left.items() if not number and name not in impossible]
    later = met_later(question, never)
    return [name for name in never if name not in later]


def count_all(question: str, trials: int) -> dict[Class, int]:
    """How many trials met each class, up to `ENOUGH`, also of those that no trial can meet."""
    checks = dict(checks_of(question))
    thirds: tuple[Counter[str], Counter[str]] = (Counter(), Counter())
    counts, pairs = dict.fromkeys(checks, 0), Counter[str]()
    fewer = trials if command_kinds(question) else trials // 4
    others = Block(question, SEED, 0, fewer, Generator.INDEPENDENT)
    for block in (Block(question, SEED, 0, trials), others):
        for request in generate_requests(block):
            commands = commands_of(question, request.trial)
            count(counts, checks, request.trial)
            pairs.update(pairs_in(commands))
            part = len(commands) // 3 if block is not others else 0
            thirds[0].update(type(one).__name__ for one in commands[:part])
            thirds[1].update(type(one).__name__ for one in commands[len(commands) - part :])
    return counts | thirds_met(question, thirds) | pairs_met(question, pairs)


def find_impossible(question: str, counts: Mapping[Class, int]) -> set[Class]:
    """Those that no trial met and that no change of a trial makes it meet."""
    every = checks_of(question)
    never = {name: every[name] for name, number in counts.items() if not number and name in every}
    return never.keys() - find_possible(question, never)


def count(counts: dict[Class, int], checks: dict[Class, Criterion], trial: Any) -> None:
    """Count what a trial met, and look no longer for what was met often enough."""
    seen = TrialRecords(trial)
    for name in [name for name, check in checks.items() if check(seen)]:
        counts[name] += 1
        if counts[name] == ENOUGH:
            del checks[name]


def met_later(question: str, left: Iterable[Class]) -> set[Class]:
    """Those of these classes that further trials meet: what is seldom need not be among 2,000."""
    every = checks_of(question)
    checks = {name: every[name] for name in left if name in every}
    counts: dict[Class, int] = dict.fromkeys(checks, 0)
    for request in generate_requests(Block(question, SEED, TRIALS, FURTHER)):
        if all(counts.values()):
            break
        count(counts, checks, request.trial)
    return {name for name, times in counts.items() if times}


def find_possible(question: str, left: Mapping[Class, Criterion]) -> set[Class]:
    """Those of these classes that some trial can meet: one is changed until it does."""
    found: set[Class] = set()
    samples = [
        TrialRecords(make_trial(QUESTIONS[question], SEED, index, generator))
        for generator in Generator
        for index in range(TRIED)
    ]
    for record, places in places_of(question).items():
        for place in places:
            mine = {name: check for name, check in left.items() if name[0] == place.words}
            for changed in changed_at(samples, record, place.member) if mine else ():
                found |= {name for name in mine.keys() - found if mine[name](changed)}
                if mine.keys() <= found:
                    break
    return found


def changed_at(
    samples: Sequence[TrialRecords], record: Any, member: Member
) -> Iterator[TrialRecords]:
    """Trials with one change of this field, those that can exist."""
    for seen in samples:
        trial = next(iter(seen.records.values()))[0]
        for one in islice(seen.records.get(record, ()), RECORDS):
            for changes in changes_of(trial, one, member):
                for change in changes[:: math.ceil(len(changes) / CHANGES)]:
                    try:
                        yield TrialRecords(change())
                    except INVALID:
                        continue


def commands_of(question: str, trial: Any) -> Sequence[Any]:
    """The commands of a trial, where there are several kinds."""
    return getattr(trial, QUESTIONS[question].commands) if command_kinds(question) else ()


def thirds_met(question: str, thirds: tuple[Counter[str], Counter[str]]) -> dict[Class, int]:
    """Which kinds are in either third, and late about as often as early."""
    found: dict[Class, int] = {}
    at = f"{QUESTIONS[question].trial_type.__name__}.{QUESTIONS[question].commands}"
    for kind in command_kinds(question):
        first, last = (counter[kind.__name__] for counter in thirds)
        found[at, f"{kind.__name__} in the first third"] = min(first, ENOUGH)
        enough = last >= LEAST_OFTEN * first
        late = f"{kind.__name__} in the last third, half as often or more"
        found[at, late] = min(last, ENOUGH) if enough else 0
    return found


def pairs_met(question: str, pairs: Counter[str]) -> dict[Class, int]:
    """How many trials of either generator have one kind of command right after another."""
    at = f"{QUESTIONS[question].trial_type.__name__}.{QUESTIONS[question].commands}"
    every, kinds = list[str](), command_kinds(question)
    for before, after in product(kinds, repeat=2):
        words = f"{after.__name__} after {before.__name__}"
        timed = any(map(is_pause, kinds)) and not is_pause(before) and not is_pause(after)
        every += [words, *([words + AND_TIME] if timed else [])]
        for name in things_of(before) & things_of(after):
            every += (f"{words}, {which} {name}" for which in SAME)
    return {(at, words): min(pairs[words], ENOUGH) for words in every}


@cache
def command_kinds(question: str) -> Sequence[Any]:
    """The kinds of a question's commands, where there are several."""
    trial_type: Any = QUESTIONS[question].trial_type
    name = QUESTIONS[question].commands
    members = (one for one in members_of(trial_type) if one.attribute == name)
    kinds = next((one.records for one in members), ())
    return kinds if len(kinds) > 1 else ()


@cache
def things_of(kind: Any) -> frozenset[str]:
    """The fields of a command that number or name what it is about."""
    return frozenset(
        one.attribute for one in members_of(kind) if one.sort in (int, str) and not one.depth
    )


def pairs_in(commands: Sequence[Any]) -> set[str]:
    """What is said of each command of a trial and the one before it."""
    found = set[str]()
    for before, between, after in zip(commands, commands[1:], commands[2:], strict=False):
        if is_pause(type(between)):
            found.add(f"{type(after).__name__} after {type(before).__name__}{AND_TIME}")
    for before, after in pairwise(commands):
        words = f"{type(after).__name__} after {type(before).__name__}"
        found.add(words)
        kinds: tuple[Any, Any] = (type(before), type(after))
        for name in things_of(kinds[0]) & things_of(kinds[1]):
            which = SAME[getattr(before, name) != getattr(after, name)]
            found.add(f"{words}, {which} {name}")
    return found


def main(names: Sequence[str]) -> None:
    """Print the classes of these questions, or of all, those that were never met first."""
    for question in names or QUESTIONS:
        sys.stdout.write(f"## {question}\n")
        for (place, words), count in sorted(count_met(question).items(), key=lambda one: one[1]):
            more = "+" if count == ENOUGH else " "
            sys.stdout.write(f"{count:>4}{more} {place}: {words}\n")


if __name__ == "__main__":
    main(sys.argv[1:])
