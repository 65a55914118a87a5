"""What in a broker.conf has a name or a value that no broker knows.

No trial shows it: what a broker does then is in Pulsar's source.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from difflib import get_close_matches
from typing import Final

from evenkeel.operate.conf import readers
from evenkeel.operate.conf.conf import CLASSES, Conf, last_part
from evenkeel.operate.conf.rule import rule
from evenkeel.operate.conf.shipped import edition_of, list_releases, read_defaults
from evenkeel.operate.operating.java_properties import plain_number
from evenkeel.reference.edition import EDITIONS

STOPS: Final = "the broker does not start"
NEAR: Final = 0.8
"""How alike two names of settings are, one of which is meant to be the other: less than that are
all others of `ServiceConfiguration` 4.0.8 and 5.0.1 that are not of balancing or dispatch.
"""
REMARK: Final = re.compile(r"[ \t]#")
"""Where a remark seems to begin: for a broker only lines can be remarks."""


@dataclass(frozen=True, slots=True)
class Choice:
    """A setting whose values are known. `otherwise`: what becomes of another one, or "" where it
    is not read. `closed`: whether no class of one's own can be named.
    """

    key: str
    names: tuple[str, ...]
    otherwise: Callable[[Conf], str]
    closed: bool = False


def without_shedder(conf: Conf) -> str:
    """What becomes of a shedding strategy that cannot be made."""
    if conf.manager == "extensible":
        return "TransferShedder sheds instead"
    if conf.manager != "modular":
        return ""
    replaced = EDITIONS[edition_of(conf.release)].unknown_shedder_replaced
    return "OverloadShedder sheds instead" if replaced else conf.without_manager


ALGORITHM: Final = "defaultNamespaceBundleSplitAlgorithm"
SUPPORTED: Final = "supportedNamespaceBundleSplitAlgorithms"
OTHERWISE: Final[Mapping[str, Callable[[Conf], str]]] = {
    "without manager": lambda conf: conf.without_manager,
    "without shedder": without_shedder,
    "without placement": lambda conf: conf.without_manager if conf.manager == "modular" else "",
    "stops": lambda conf: STOPS,
    "stops if extensible": lambda conf: STOPS if conf.manager == "extensible" else "",
}
CHOICES: Final = tuple(
    Choice(key, tuple(one["names"]), OTHERWISE[one["otherwise"]], one.get("closed", False))
    for key, one in CLASSES["choices"].items()
)
ALGORITHMS: Final = next(one.names for one in CHOICES if one.key == ALGORITHM)


def find_others(conf: Conf) -> Iterator[tuple[Choice, str, str]]:
    """The choices that are set to no known value, what becomes of it, and what is meant, or ""."""
    for choice in CHOICES:
        value = conf.text(choice.key)
        otherwise = choice.otherwise(conf)
        if conf.sets(choice.key) and value not in choice.names and otherwise:
            yield choice, otherwise, find_meant(choice, value)


def find_meant(choice: Choice, value: str) -> str:
    """The known value that is meant; "" for a class of one's own."""
    parts = {last_part(name): name for name in choice.names}
    first = value.split(maxsplit=1)[0].strip("\"'")
    like_ours = first.startswith("org.apache.pulsar.") or "." not in first or choice.closed
    if not like_ours and not get_close_matches(first, choice.names, 1, 0.9):
        return ""
    return parts[get_close_matches(last_part(first), parts, 1, 0.0)[0]]


@rule("misspelt-value")
def misspelt_values(conf: Conf) -> str:
    """A value of a closed list is in no list."""
    return "; ".join(
        f"{choice.key} is {conf.text(choice.key)!r}, which Pulsar does not have: {otherwise} (is "
        f"{meant} meant?)"
        for choice, otherwise, meant in find_others(conf)
        if meant
    )


@rule("split-algorithms")
def split_algorithms(conf: Conf) -> str:
    """The split algorithms that a request may name, of which the default must be one."""
    supported = [name.strip() for name in conf.text(SUPPORTED).split(",")]
    default, unknown = conf.text(ALGORITHM), [name for name in supported if name not in ALGORITHMS]
    if unknown:
        return f"{SUPPORTED} has {', '.join(unknown)}, no algorithm of Pulsar's: {STOPS}"
    if default in ALGORITHMS and default not in supported:
        return f"{ALGORITHM} is {default}, which {SUPPORTED} lacks: {STOPS}"
    return ""


@rule("own-class")
def own_classes(conf: Conf) -> str:
    """A class of the user's own, of which nothing is known here."""
    return "; ".join(
        f"{choice.key} names a class of your own, {conf.text(choice.key)}: if it is not on the "
        f"class path, {otherwise}"
        for choice, otherwise, meant in find_others(conf)
        if not meant
    )


@rule("no-flag")
def misread_flags(conf: Conf) -> str:
    """What is to be true or false is neither."""
    return "; ".join(
        f"{key} is {value!r}, which a broker reads as false" for key, value in conf.find_misread()
    )


@rule("variables")
def variables(conf: Conf) -> str:
    """Names that containers read, and brokers do not."""
    if not conf.dressed:
        return ""
    return (
        f"{', '.join(conf.dressed)}: read as the variables of a container, which writes them into "
        "its broker.conf; a broker itself does not read them so. Without the prefix "
        "PULSAR_PREFIX_ a container writes only settings that its broker.conf has already"
    )


@rule("set-twice")
def set_twice(conf: Conf) -> str:
    """A setting has two values in a file, as where it has the variables of two containers."""
    found = [f"{key} is set to other values, too: {conf.text(key)}" for key in conf.twice]
    return f"{'; '.join(found)} counts, which comes last" if found else ""


@rule("remark")
def remarks(conf: Conf) -> str:
    """A remark after a value, which is a part of it."""
    found = [key for key, value in conf.values.items() if REMARK.search(value)]
    return f"what follows # in {', '.join(found)} is a part of the value" if found else ""


# ------------------------------------------------------------------ names of settings

FAMILY: Final = ("loadBalance", "loadManager", "dispatch", "defaultNumberOf", "scalableTopic")
"""How the settings begin of which all are known."""
ABOUT: Final = re.compile("bundle|shedd", re.IGNORECASE)
"""What names of settings have of which all but `METRICS` are known."""
MEANT: Final[Mapping[str, str]] = CLASSES["meant"]
METRICS: Final = "exposeBundlesMetricsInPrometheus"


def find_unknown(conf: Conf) -> dict[str, str]:
    """Settings that the release does not have, each with one that may be meant, or ""."""
    unknown = [key for key in conf.values if key not in conf.defaults and key != METRICS]
    near = {key: get_close_matches(key, conf.defaults, 1, NEAR) for key in unknown}
    ours = [key for key in unknown if near[key] or key.startswith(FAMILY) or ABOUT.search(key)]
    return {key: "".join(near[key]) for key in ours}


@rule(
    "unknown-setting",
    lambda conf: {"keys": list(find_unknown(conf)) or ["loadBalancerEnabled"]},
    lambda seen, conf: all(value is None for value in seen.values),
)
def unknown_settings(conf: Conf) -> str:
    """What is set and read by no broker."""
    return ", ".join(
        f"{key} is no setting of this release{tell_known(key, meant)}"
        for key, meant in find_unknown(conf).items()
    )


def tell_known(key: str, meant: str) -> str:
    """Which releases have a setting, or else what is meant."""
    if known := [one for one in list_releases() if key in read_defaults(one)]:
        return f" ({known[0]} is the first that was looked at which has it, {known[-1]} the last)"
    return f" (is {meant} meant?)" if meant else ""


@rule("unread-setting")
def unread_settings(conf: Conf) -> str:
    """What is set and not read by the manager or the strategies that run."""
    return "; ".join(
        f"{key} is read by {' and '.join(others)} alone, and not here"
        + (f" (is {MEANT[key]} meant?)" if key in MEANT else "")
        for key, others in readers.find_unread(conf).items()
        if key != readers.PLACES or conf.manager != "extensible"  # `placement-unread`
    )


# ------------------------------------------------------------------ the network

SPEED: Final = "loadBalancerOverrideBrokerNicSpeedGbps"


@rule("network-uncounted")
def network_uncounted(conf: Conf) -> str:
    """The speed of network cards is set to none."""
    text = conf.values.get(SPEED, "")
    number = plain_number(float, text)
    if not conf.sets(SPEED) or (number and float(number) > 0):
        return ""
    if not number:
        return f"{SPEED} is {text!r}, which is no number: the broker does not start"
    return f"{SPEED} is {text}: of no limit nothing is used, so the network never counts"
