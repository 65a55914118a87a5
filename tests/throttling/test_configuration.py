"""The configuration table of document 004."""

from evenkeel.reference.throttling import configuration

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
