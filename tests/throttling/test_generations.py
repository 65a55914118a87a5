"""Limiters of Pulsar before 4.0 and those of 4.0, on the same deliveries."""

import pytest

from evenkeel.properties.throttling.limiter import QUOTA, Consume, Left, QuotaAnswer, QuotaTrial
from evenkeel.properties.throttling.trial_parts import Advance, Look
from evenkeel.reference.edition import DOCUMENTED, PULSAR_4_0
from evenkeel.reference.throttling import bucket3
from evenkeel.reference.throttling.bucket import RESOLUTION
from evenkeel.reference.throttling.limiter import EARLIER, Mechanism
from evenkeel.reference.throttling.rates import DispatchRate
from evenkeel_engine.kit.trial import BadTrial

BURST = (Consume(30, 0), Look(), Advance(1001), Look(), Advance(1001), Look())


@pytest.mark.parametrize(
    ("mechanism", "left"),
    [
        (Mechanism.FORGETTING, [0, 10, 10]),
        (Mechanism.CLASSIC, [0, 0, 0]),
        (Mechanism.BUCKET_3, [10, 0, 0]),
        (Mechanism.BUCKET, [0, 0, 0]),
    ],
)
def test_thirty_of_ten(mechanism: Mechanism, left: list[int]) -> None:
    answer = QUOTA.observe(QuotaTrial(mechanism, DispatchRate(10), BURST), PULSAR_4_0)
    assert isinstance(answer, QuotaAnswer)
    assert [r.messages for r in answer.results if isinstance(r, Left)] == left


@pytest.mark.parametrize("mechanism", Mechanism)
def test_the_document_knows_one(mechanism: Mechanism) -> None:
    trial = QuotaTrial(mechanism, DispatchRate(10), BURST)
    same = QuotaTrial(Mechanism.CLASSIC, DispatchRate(10), BURST)
    assert QUOTA.observe(trial, DOCUMENTED) == QUOTA.observe(same, DOCUMENTED)


def test_the_capacity_cuts_before_consumption_is_subtracted() -> None:
    # 10 fit in, 10 are there, 5 pending, 100 come: 5, not 10.
    bucket = bucket3.Bucket3(10, RESOLUTION, 10, 0, 0, pending=5)
    assert bucket3.settle(bucket, 0, 10 * RESOLUTION)[1] == 5


@pytest.mark.parametrize("mechanism", EARLIER)
@pytest.mark.parametrize("rate", [DispatchRate(10, relative=True), DispatchRate(10, period=0)])
def test_unsupported_rates_are_refused(mechanism: Mechanism, rate: DispatchRate) -> None:
    with pytest.raises(BadTrial, match="for this mechanism"):
        QuotaTrial(mechanism, rate, ())
