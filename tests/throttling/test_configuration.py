"""The configuration table of document 004."""

import pytest

from evenkeel.reference.throttling import configuration
from evenkeel.reference.throttling.configuration import BadValue, UnknownKey

DOCUMENTED_DEFAULTS = {
    "dispatchThrottlingRateInMsg": -1,
    "dispatchThrottlingRateInByte": -1,
    "dispatchThrottlingRatePerTopicInMsg": -1,
    "dispatchThrottlingRatePerTopicInByte": -1,
    "dispatchThrottlingRatePerSubscriptionInMsg": -1,
    "dispatchThrottlingRatePerSubscriptionInByte": -1,
    "preciseDispatcherFlowControl": False,
    "dispatchThrottlingOnBatchMessageEnabled": False,
    "dispatchThrottlingOnNonBacklogConsumerEnabled": True,
    "dispatcherMaxReadBatchSize": 100,
}


def test_names_and_defaults() -> None:
    assert {key.name: key.default for key in configuration.KEYS} == DOCUMENTED_DEFAULTS


@pytest.mark.parametrize(("name", "default"), DOCUMENTED_DEFAULTS.items())
def test_defaults_are_legal(name: str, default: int) -> None:
    assert configuration.checked(name, default) == default


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("dispatchThrottlingRateInMsg", 2**31),
        ("dispatchThrottlingRateInByte", True),
        ("preciseDispatcherFlowControl", 1),
        ("dispatcherMaxReadBatchSize", 0),
    ],
)
def test_illegal_values_are_refused(name: str, value: int) -> None:
    with pytest.raises(BadValue, match=name):
        configuration.checked(name, value)


def test_periods_are_no_configuration() -> None:
    with pytest.raises(UnknownKey):
        configuration.checked("ratePeriodInSecond", 60)


def test_the_two_modes_exclude_each_other() -> None:
    assert configuration.conflicts({}) == ()
    assert configuration.conflicts({"preciseDispatcherFlowControl": True}) == ()
    both = dict.fromkeys(configuration.EXCLUSIVE, True)
    assert configuration.conflicts(both) == configuration.EXCLUSIVE
