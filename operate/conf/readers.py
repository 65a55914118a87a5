"""Which settings the managers and strategies of Pulsar read."""

from __future__ import annotations

from dataclasses import fields
from typing import Any, Final

from evenkeel.operate.conf.conf import CLASSES, MANAGERS, Conf, kind_of, last_part
from evenkeel.reference.shedding.avg import AvgRules
from evenkeel.reference.shedding.overload import OverloadRules
from evenkeel.reference.shedding.threshold import ThresholdRules
from evenkeel.reference.shedding.transfer import TransferRules
from evenkeel.reference.shedding.uniform import UniformRules

SHEDS: Final = "loadBalancerLoadSheddingStrategy"
PLACES: Final = "loadBalancerLoadPlacementStrategy"


def keys_of(kind: Any) -> frozenset[str]:
    """The settings of a component of the reference."""
    return frozenset(one.metadata["key"] for one in fields(kind) if "key" in one.metadata)


SHEDDERS: Final = {
    "ThresholdShedder": keys_of(ThresholdRules),
    "OverloadShedder": keys_of(OverloadRules),
    "UniformLoadShedder": keys_of(UniformRules),
    "AvgShedder": keys_of(AvgRules),
    "TransferShedder": keys_of(TransferRules),
}
READERS: Final = {
    **SHEDDERS,
    **{name: frozenset[str](keys) for name, keys in CLASSES["readers"].items()},
}
"""By class: what it reads that not all of them do."""
NAMES: Final = {manager: last_part(name) for name, manager in MANAGERS.items()}


def find_unread(conf: Conf) -> dict[str, list[str]]:
    """What is set to another value than the default and not read, and the classes that read it."""
    return {
        key: others
        for key in conf.values
        if conf.sets(key) and not is_default(conf, key) and (others := list_others(conf, key))
    }


def list_others(conf: Conf, key: str) -> list[str]:
    """The classes that read a setting; none if one runs, or may run: an own class may read all."""
    manager = NAMES.get(conf.manager, conf.text("loadManagerClassName"))
    running = {manager, conf.sheds, conf.places} - {"", "RoundRobinBrokerSelector"}
    readers = [name for name, keys in READERS.items() if key in keys]
    return readers if running <= READERS.keys() and running.isdisjoint(readers) else []


def is_default(conf: Conf, key: str) -> bool:
    """Whether a setting is set to what it is without that."""
    kind = kind_of(conf.defaults[key])
    return conf.read_typed(key) == (
        conf.defaults[key] == "true" if kind is bool else kind(conf.defaults[key])
    )
