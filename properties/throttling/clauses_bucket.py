"""Clauses about token buckets: `throttling.bucket`."""

from __future__ import annotations

from typing import Final

from evenkeel.properties.clause import Case, Finding
from evenkeel.properties.findings import OncePerCase
from evenkeel.properties.throttling.book import check
from evenkeel.properties.throttling.bucket_walk import walk_bucket
from evenkeel.properties.throttling.results import results_as_expected
from evenkeel.properties.throttling.trials_quota import BucketAnswer, BucketTrial

walked: Final = OncePerCase(walk_bucket)
BucketCase = Case[BucketTrial, BucketAnswer]


@check("THR-15", "throttling.bucket")
def no_more_than_the_capacity(case: BucketCase) -> Finding:
    return walked(case).finding("THR-15")


@check("THR-16", "throttling.bucket")
def consumption_counts_at_once(case: BucketCase) -> Finding:
    return walked(case).finding("THR-16")


@check("THR-17", "throttling.bucket")
def no_faster_than_the_rate(case: BucketCase) -> Finding:
    return walked(case).finding("THR-17")


@check("THR-18", "throttling.bucket")
def no_tokens_are_lost(case: BucketCase) -> Finding:
    return walked(case).finding("THR-18")


@check("THR-19", "throttling.bucket")
def the_wait_suffices(case: BucketCase) -> Finding:
    return walked(case).finding("THR-19")


@check("THR-20", "throttling.bucket")
def buckets_of_4_0(case: BucketCase) -> Finding:
    return results_as_expected(case)


@check("THR-21", "throttling.bucket")
def tokens_are_not_given_back(case: BucketCase) -> Finding:
    return walked(case).finding("THR-21")
