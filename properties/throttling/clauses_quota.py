"""Clauses about limiters and counters over time: `throttling.quota`, `throttling.counter`."""

from __future__ import annotations

from typing import Final

from evenkeel.properties.clause import UNEXERCISED, Case, Finding
from evenkeel.properties.findings import OncePerCase
from evenkeel.properties.throttling.book import check
from evenkeel.properties.throttling.counter_walk import walk_counter
from evenkeel.properties.throttling.quota_walk import walk_quota
from evenkeel.properties.throttling.results import results_as_expected
from evenkeel.properties.throttling.trials_quota import (
    CounterAnswer,
    CounterTrial,
    QuotaAnswer,
    QuotaTrial,
)
from evenkeel.reference.throttling.limiter import Mechanism

walked: Final = OncePerCase(walk_quota)
walked_counter: Final = OncePerCase(walk_counter)
QuotaCase = Case[QuotaTrial, QuotaAnswer]
CounterCase = Case[CounterTrial, CounterAnswer]


@check("THR-8", "throttling.quota")
def quotas_are_never_negative(case: QuotaCase) -> Finding:
    return walked(case).finding("THR-8")


@check("THR-9", "throttling.quota")
def excess_is_carried_over(case: QuotaCase) -> Finding:
    return walked(case).finding("THR-9")


@check("THR-10", "throttling.quota")
def the_quota_comes_back(case: QuotaCase) -> Finding:
    return walked(case).finding("THR-10")


@check("THR-11", "throttling.quota")
def one_period_at_most(case: QuotaCase) -> Finding:
    return walked(case).finding("THR-11")


@check("THR-12", "throttling.quota")
def changes_need_a_period(case: QuotaCase) -> Finding:
    return walked(case).finding("THR-12")


@check("THR-13", "throttling.quota")
def classic_limiters_of_4_0(case: QuotaCase) -> Finding:
    if case.trial.mechanism is not Mechanism.CLASSIC:
        return UNEXERCISED
    return results_as_expected(case)


@check("THR-14", "throttling.quota")
def bucket_limiters_of_4_0(case: QuotaCase) -> Finding:
    if case.trial.mechanism is not Mechanism.BUCKET:
        return UNEXERCISED
    return results_as_expected(case)


@check("THR-58", "throttling.quota")
def limiters_before_2_7(case: QuotaCase) -> Finding:
    if case.trial.mechanism is not Mechanism.FORGETTING:
        return UNEXERCISED
    return results_as_expected(case)


@check("THR-59", "throttling.quota")
def bucket_limiters_of_3_2(case: QuotaCase) -> Finding:
    if case.trial.mechanism is not Mechanism.BUCKET_3:
        return UNEXERCISED
    return results_as_expected(case)


@check("THR-22", "throttling.counter")
def counters_carry_excess_over(case: CounterCase) -> Finding:
    return walked_counter(case).finding("THR-22")


@check("THR-23", "throttling.counter")
def counters_of_4_0(case: CounterCase) -> Finding:
    return results_as_expected(case)
