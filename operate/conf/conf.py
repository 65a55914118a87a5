"""A broker.conf as a broker of a release reads it: what is set, else the release's defaults."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from evenkeel.operate.conf.shipped import Values, edition_of, find_nearest, read_defaults
from evenkeel.operate.operating import java_properties
from evenkeel.operate.tables import read_table
from evenkeel.reference.edition import EDITIONS
from evenkeel_engine.errors import UserError
from evenkeel_engine.files import Unreadable

CLASSES: Final = read_table("conf/classes.toml")
MANAGERS: Final[dict[str, str]] = dict(
    zip(
        CLASSES["choices"]["loadManagerClassName"]["names"],
        ("modular", "extensible", "simple", "noop"),
        strict=True,
    )
)
"""The load managers that come with Pulsar, by class."""
STOPS_SINCE: Final = "4.2.4"
"""The first release that was looked at whose `LoadManager.create` passes exceptions on (#26031)."""

COMPUTED: Final = "computed"
"""A default that a broker finds out when it starts, so that it may print any value."""


class BadConf(UserError):
    """A broker.conf that cannot be read: one sentence."""


@dataclass(frozen=True, slots=True)
class Conf:
    """`values`: what the file sets. `defaults`: the settings of the release, by Pulsar's names.
    `dressed`: names as the file has them where a broker would not read them so. `twice`: settings
    that have another value further up in the file. `left_out`: services that run no broker.

    A setting that is set to nothing keeps its default, as in Pulsar's `FieldParser.update`.
    """

    values: Values
    defaults: Values
    release: str
    dressed: tuple[str, ...] = ()
    twice: tuple[str, ...] = ()
    left_out: tuple[str, ...] = ()

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
        """The settings that are neither true nor false, and so false, which some mean, with texts.

        Source: Pulsar `FieldParser.stringToBoolean` 4.0.8.
        """
        for key, value in self.values.items():
            is_flag = kind_of(self.defaults.get(key, "")) is bool
            if is_flag and value and value.lower() not in ("true", "false", "no", "off", "0"):
                yield key, value

    @property
    def manager(self) -> str:
        """modular, extensible, simple, noop, or "" for another one."""
        return MANAGERS.get(self.text("loadManagerClassName"), "")

    @property
    def without_manager(self) -> str:
        """What a broker does that cannot make its load manager. Source: `LoadManager.create`."""
        known = find_nearest(self.release, ("3.0.7", STOPS_SINCE))
        if known == STOPS_SINCE:
            return "the broker does not start"
        return "the broker logs a warning and runs SimpleLoadManagerImpl instead"

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

    @property
    def is_plan_alone(self) -> bool:
        """Whether AvgShedder is to place what another strategy sheds."""
        return self.manager == "modular" and self.placement == "AvgShedder" != self.strategy

    @property
    def places(self) -> str:
        """The class that places under the modular manager; "" for none, or another manager."""
        if not self.is_plan_alone:
            return self.placement if self.manager == "modular" else ""
        replaced = EDITIONS[edition_of(self.release)].lone_planned_placement_replaced
        return "LeastLongTermMessageRate" if replaced else ""


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


def read(path: Path, release: str, printed_by: str | None = None) -> Conf:
    """The file as this release reads it; what a broker printed that was of the release
    `printed_by` has all its settings: those count that are not that one's defaults.

    Raises `BadConf`.
    """
    try:
        pairs, others = java_properties.read_pairs(path)
    except Unreadable as why:
        raise BadConf(f"{path}: {why}.") from why
    known, usual = read_defaults(release), read_defaults(printed_by or release)
    given = [
        one for one in pairs if not one.running or usual.get(one.key) not in (one.value, COMPUTED)
    ]
    values = {one.key: one.value for one in given}
    values |= plain_numbers(path, values, known)
    dressed = tuple(one.written.rstrip(":") for one in pairs if one.is_dressed)
    twice = dict.fromkeys(one.key for one in pairs if values.get(one.key, one.value) != one.value)
    again = tuple(key for key in twice if key in known)
    return Conf(values, known, release, dressed, again, tuple(others))


def plain_numbers(path: Path, values: Mapping[str, str], known: Values) -> dict[str, str]:
    """The settings that are numbers. Raises `BadConf` for what is none."""
    numbers = {}
    for key, value in values.items():
        kind = kind_of(known.get(key, ""))
        if not value or kind in (bool, str):
            continue
        numbers[key] = java_properties.plain_number(kind, value)
        if not numbers[key]:
            which = "whole number of 64 bits" if kind is int else "number"
            raise BadConf(
                f"{path}: {key} is {value[:80]!r}, which is no {which}: no broker starts."
            )
    return numbers
