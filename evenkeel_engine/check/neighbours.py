"""Variations of known answers, to be judged: some may be right, too.

A known answer is changed a little, in its wire form: lists in another order, an item more or less,
another name of the trial, numbers one off, doubles just beyond what counts as the same. A
neighbour need not be valid.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from itertools import islice, permutations
from typing import Any, Final

from evenkeel_engine.kit.codec import Json
from evenkeel_engine.kit.names import rename_texts, texts_in

SHORT: Final = 4
"""Longest list that is tried in every order; in longer ones adjacent items are swapped."""
ALTERNATIVES: Final = 6
"""Other values that are tried for a value."""
BEYOND: Final = (3e-6, 1e-4)
"""Shares by which a double is changed: each more than what counts as the same."""
WHOLE: Final[tuple[dict[str, Json], ...]] = ({"refused": {}}, {"broke": {}})


def find_neighbours(known: list[Json], form: Json) -> Iterator[Json]:
    """Answers near one of those known, each once, and none of them itself."""
    seen = {json.dumps(one, sort_keys=True) for one in known}
    for one in known:
        alternatives = Alternatives([form, one])
        for near in (*WHOLE, *near_to(one, "", alternatives), *exchange_names(one, alternatives)):
            if (text := json.dumps(near, sort_keys=True)) not in seen:
                seen.add(text)
                yield near


class Alternatives:
    """Values that may replace each other: those under one key, and in one list."""

    def __init__(self, data: Json) -> None:
        self._by_key: dict[str, dict[Any, None]] = {}
        self._with: dict[Any, dict[Any, None]] = {}
        self._all: dict[str, None] = {}
        self._read(data, "")

    def _read(self, data: Json, key: str) -> None:
        if isinstance(data, dict):
            for name, value in data.items():
                self._read(value, name)
        elif isinstance(data, list):
            group = {item: None for item in data if isinstance(item, str)}
            for item in group:
                self._with.setdefault(item, {}).update(group)
            for item in data:
                self._read(item, key)
        elif isinstance(data, str) or type(data) is int:
            self._by_key.setdefault(key, {})[data] = None
            if isinstance(data, str) and key != "do":
                self._all[data] = None

    def list_alternatives(self, value: Json, key: str) -> list[Any]:
        """Others for a value's place: first those of its lists, then those under its key."""
        found = {**self._with.get(value, {})} if isinstance(value, str) else {}
        found.update(self._by_key.get(key, {}))
        if type(value) is not int:
            found.update(self._all)
        return list(islice((one for one in found if one != value), ALTERNATIVES))


def near_to(data: Json, key: str, alternatives: Alternatives) -> Iterator[Json]:
    """A value with one thing changed."""
    if isinstance(data, dict):
        for name, value in data.items():
            if name != "do":
                yield from ({**data, name: near} for near in near_to(value, name, alternatives))
        if "do" in data:
            yield from ({"do": "refused"}, {"do": "broke"}, {"do": "done"})
    elif isinstance(data, list):
        yield from reorder(data)
        yield from longer_or_shorter(data, key, alternatives)
        for at, item in enumerate(data):
            for near in near_to(item, key, alternatives):
                yield [*data[:at], near, *data[at + 1 :]]
    elif isinstance(data, bool):
        yield not data
    elif isinstance(data, int):
        yield from (data + 1, data - 1, *alternatives.list_alternatives(data, key))
    elif isinstance(data, float):
        whole = max(1.0, abs(data))
        yield from (data + sign * share * whole for share in BEYOND for sign in (1, -1))
    else:
        yield from alternatives.list_alternatives(data, key)
        yield None


def reorder(data: list[Json]) -> Iterator[Json]:
    """A list in other orders."""
    if len(data) <= SHORT:
        yield from (list(order) for order in islice(permutations(data), 1, None))
        return
    yield data[::-1]
    yield [*data[1:], data[0]]
    for at in range(len(data) - 1):
        yield [*data[:at], data[at + 1], data[at], *data[at + 2 :]]


def longer_or_shorter(data: list[Json], key: str, alternatives: Alternatives) -> Iterator[Json]:
    """A list without an item, or with one more."""
    yield from (data[:at] + data[at + 1 :] for at in range(len(data)))
    last = data[-1] if data else ""
    if isinstance(last, str):
        yield from (
            [*data, more] for more in alternatives.list_alternatives(last, key) if more not in data
        )
        yield from ([more] for more in alternatives.list_alternatives(last, key) if len(data) > 1)
    elif type(last) is int:
        yield from (
            [*data, more] for more in (last + 1, *alternatives.list_alternatives(last, key))
        )


def exchange_names(data: Json, alternatives: Alternatives) -> Iterator[Json]:
    """An answer in which two names of the trial have changed places throughout."""
    for one in islice(dict.fromkeys(texts_in(data)), ALTERNATIVES):
        for other in alternatives.list_alternatives(one, ""):
            yield rename_texts(data, {one: other, other: one})
