"""The configuration keys of dispatch throttling (THR-7).

Defaults are those of document 004. 4.0.8 has 0 where the document has -1, which limits as little.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final

from evenkeel.reference.edition import Edition
from evenkeel.reference.throttling.rates import UNLIMITED
from evenkeel_engine.frame.clauses import states
from evenkeel_engine.frame.errors import Refusal

MOST_MESSAGES: Final = 2**31 - 1
MOST_BYTES: Final = 2**63 - 1

Value = int | bool


class UnknownKey(Refusal):
    """No key of dispatch throttling has this name."""


class BadValue(Refusal):
    """A value of the wrong type, or outside of what the key can hold."""


@dataclass(frozen=True, slots=True)
class Key:
    """One key: its default, the least and largest value (None for flags), what it says."""

    name: str
    default: Value
    least: int | None
    most: int | None
    meaning: str

    @property
    def flag(self) -> bool:
        """Whether it is true or false."""
        return isinstance(self.default, bool)


def _limit(level: str, unit: str) -> Key:
    name = f"dispatchThrottlingRate{level and f'Per{level}'}In{unit}"
    most = MOST_MESSAGES if unit == "Msg" else MOST_BYTES
    where = level.lower() if level else "broker"
    what = "messages" if unit == "Msg" else "bytes"
    return Key(
        name, UNLIMITED, -most - 1, most, f"{what} of each {where} per second; 0 or less: any"
    )


KEYS: Final = (
    _limit("", "Msg"),
    _limit("", "Byte"),
    _limit("Topic", "Msg"),
    _limit("Topic", "Byte"),
    _limit("Subscription", "Msg"),
    _limit("Subscription", "Byte"),
    Key("preciseDispatcherFlowControl", False, None, None, "divide by the messages per entry"),
    Key("dispatchThrottlingOnBatchMessageEnabled", False, None, None, "count entries"),
    Key(
        "dispatchThrottlingOnNonBacklogConsumerEnabled",
        True,
        None,
        None,
        "limit subscriptions without backlog too",
    ),
    Key("dispatcherMaxReadBatchSize", 100, 1, MOST_MESSAGES, "entries of one read at most"),
)
BY_NAME: Final = {key.name: key for key in KEYS}
EXCLUSIVE: Final = ("preciseDispatcherFlowControl", "dispatchThrottlingOnBatchMessageEnabled")
"""Of these only one should be on."""


@states("THR-7")
def check_value(name: str, value: Value) -> Value:
    """A value that the key can hold. Raises `UnknownKey`, `BadValue`."""
    if name not in BY_NAME:
        raise UnknownKey(name)
    key = BY_NAME[name]
    if isinstance(value, bool) is not key.flag:
        raise BadValue(f"{name} must be {'true or false' if key.flag else 'a number'}")
    if key.least is not None and key.most is not None and not key.least <= value <= key.most:
        raise BadValue(f"{name} must be from {key.least} to {key.most}")
    return value


@states("THR-62", "THR-63")
def default_of(name: str, edition: Edition) -> str:
    """The default of a key, as broker.conf has it. Raises `UnknownKey`."""
    if name not in BY_NAME:
        raise UnknownKey(name)
    otherwise = dict(edition.defaults_otherwise).get(name)
    if otherwise is not None:
        return otherwise
    default = BY_NAME[name].default
    if default == UNLIMITED and edition.limits_default_to_zero:
        return "0"
    return str(default).lower()


@states("THR-7")
def conflicts(values: Mapping[str, Value]) -> tuple[str, ...]:
    """The keys that should not be on together, but are; none given: none."""
    on = tuple(name for name in EXCLUSIVE if values.get(name, BY_NAME[name].default))
    return on if len(on) > 1 else ()
