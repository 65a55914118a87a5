"""What the clauses about TransferShedder work out from the loads is exact."""

import math
from fractions import Fraction

from hypothesis import given
from hypothesis import strategies as st

from evenkeel.properties.shedding.transfer_sight import average_and_deviation


@given(st.lists(st.floats(0.0, 1000.0), min_size=1, max_size=8))
def test_average_and_deviation_are_rounded_once(loads: list[float]) -> None:
    exact = [Fraction(load) for load in loads]
    average = sum(exact, Fraction(0)) / len(exact)
    variance = sum(((load - average) ** 2 for load in exact), Fraction(0)) / len(exact)
    found = average_and_deviation(tuple(loads))
    assert found == (float(average), math.sqrt(variance))
