"""Trials that belong to another question, or need too much of a timer, are refused."""

import pytest

from evenkeel.properties.throttling.counter import MOST_PERIODS, CounterTrial, Restart
from evenkeel.properties.throttling.limiter import QuotaTrial
from evenkeel.properties.throttling.policy import SetNamespace, SetTopic
from evenkeel.properties.throttling.trial_parts import Advance
from evenkeel.reference.throttling.limiter import EARLIER, Mechanism
from evenkeel.reference.throttling.rates import DispatchRate, Level
from evenkeel_engine.kit.trial import BadTrial


@pytest.mark.parametrize("command", [SetNamespace, SetTopic])
def test_policies_have_a_period(command: type[SetNamespace] | type[SetTopic]) -> None:
    with pytest.raises(BadTrial, match="period"):
        command(Level.TOPIC, DispatchRate(1, 1, 0))


def test_too_many_periods_in_one_advance_are_refused() -> None:
    CounterTrial(True, 1, 2, (Advance(2 * MOST_PERIODS),))
    with pytest.raises(BadTrial, match=r"commands\[1\].millis"):
        CounterTrial(True, 1, 2, (Restart(1, 1), Advance(2 * MOST_PERIODS)))


@pytest.mark.parametrize("mechanism", EARLIER)
@pytest.mark.parametrize("rate", [DispatchRate(10, relative=True), DispatchRate(10, period=0)])
def test_unsupported_rates_are_refused(mechanism: Mechanism, rate: DispatchRate) -> None:
    with pytest.raises(BadTrial, match="for this mechanism"):
        QuotaTrial(mechanism, rate, ())
