"""A broker.conf as a broker of a release reads it: what is set, else the release's defaults."""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from evenkeel.operate.conf.shipped import Values, read_defaults
from evenkeel.operate.operating import java_properties
from evenkeel_engine.errors import UserError
from evenkeel_engine.files import Unreadable


class BadConf(UserError):
    """A broker.conf that cannot be read: one sentence."""


@dataclass(frozen=True, slots=True)
class Conf:
    """`values`: what the file sets. `defaults`: the settings of the release, by Pulsar's names.

    A setting that is set to nothing keeps its default, as in Pulsar's `FieldParser.update`.
    """

    values: Values
    defaults: Values

    def text(self, key: str) -> str:
        """What holds; nothing for what the release does not have."""
        if key not in self.defaults:
            return ""
        return self.values.get(key, "") or self.defaults[key]

    def number(self, key: str) -> float:
        """The same of a setting that is a number."""
        return float(self.text(key))

    def whole(self, key: str) -> int:
        """The same of a setting that is a whole number."""
        return int(self.text(key))

    def flag(self, key: str) -> bool:
        """The same of a setting that is true or false."""
        return self.text(key).lower() == "true"

    def sets(self, key: str) -> bool:
        """Whether the file says what a setting of the release is."""
        return key in self.defaults and bool(self.values.get(key))

    def read_typed(self, key: str) -> bool | int | float | str:
        """What holds, with the type of the default."""
        kind = kind_of(self.defaults[key])
        return self.flag(key) if kind is bool else kind(self.text(key))

    @property
    def known(self) -> int:
        """How many settings of the release the file has."""
        return len(self.values.keys() & self.defaults.keys())

    def find_misread(self) -> Iterator[tuple[str, str]]:
        """The settings that are false because they are neither true nor false, with their texts.

        Source: Pulsar `FieldParser.stringToBoolean` 4.0.8.
        """
        for key, value in self.values.items():
            is_flag = kind_of(self.defaults.get(key, "")) is bool
            if is_flag and value and value.lower() not in ("true", "false"):
                yield key, value

    @property
    def manager(self) -> str:
        """modular, extensible, or "" for another one."""
        name = last_part(self.text("loadManagerClassName"))
        return {"ModularLoadManagerImpl": "modular", "ExtensibleLoadManagerImpl": "extensible"}.get(
            name, ""
        )

    @property
    def strategy(self) -> str:
        """The class that is set to shed, without its package."""
        return last_part(self.text("loadBalancerLoadSheddingStrategy"))

    @property
    def placement(self) -> str:
        """The class that is set to place, without its package."""
        return last_part(self.text("loadBalancerLoadPlacementStrategy"))

    @property
    def sheds(self) -> str:
        """The class that sheds: the extensible manager has one alone (BAL-25)."""
        return {"modular": self.strategy, "extensible": "TransferShedder"}.get(self.manager, "")


def last_part(name: str) -> str:
    """A class without its package."""
    return name.rpartition(".")[2]


def kind_of(default: str) -> type[bool] | type[int] | type[float] | type[str]:
    """What a default is written as."""
    if default in ("true", "false"):
        return bool
    for kind in (int, float):
        try:
            kind(default)
        except ValueError:
            continue
        return kind
    return str


def is_number(kind: type[Any], text: str) -> bool:
    """Whether a text is one of this kind, and finite."""
    try:
        return math.isfinite(kind(text))
    except ValueError:
        return False


def read(path: Path, release: str) -> Conf:
    """The file as this release reads it. Raises `BadConf`."""
    try:
        values = java_properties.read(path)
    except Unreadable as why:
        raise BadConf(f"{path}: {why}.") from why
    return check_numbers(path, values, read_defaults(release))


def check_numbers(path: Path, values: Mapping[str, str], known: Values) -> Conf:
    """The settings, of which those that are numbers are numbers. Raises `BadConf`."""
    for key, value in values.items():
        kind = kind_of(known.get(key, ""))
        if not value or kind in (bool, str):
            continue
        if not is_number(kind, value):
            which = "whole " * (kind is int)
            raise BadConf(f"{path}: {key} is {value!r}, which is no {which}number.")
    return Conf(values, known)
