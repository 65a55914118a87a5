"""Clauses about the top bundles of a report: `load.top_bundles`."""

from __future__ import annotations

from evenkeel.properties.clause import (
    HOLDS,
    UNEXERCISED,
    Case,
    Finding,
    Violation,
    describe,
    unless,
)
from evenkeel.properties.load.book import check
from evenkeel.properties.load.trials_top import TopBundlesAnswer, TopBundlesTrial
from evenkeel.properties.observations import Broke, Refused
from evenkeel.reference.load import top_bundles
from evenkeel.reference.load.namespaces import namespace_of
from evenkeel.reference.load.statistics import BundleStatistics

TopCase = Case[TopBundlesTrial, TopBundlesAnswer]


def listed(case: TopCase) -> list[BundleStatistics] | None:
    """The statistics of the bundles in the answer; None without an answer or with strangers."""
    observed = case.observation
    if isinstance(observed, Refused | Broke):
        return None
    known = {bundle.bundle: bundle for bundle in case.trial.bundles}
    if not set(observed.bundles) <= set(known):
        return None
    return [known[name] for name in observed.bundles]


def eligible(case: TopCase) -> list[BundleStatistics]:
    """The bundles that may be listed."""
    rules = case.trial.rules
    return [bundle for bundle in case.trial.bundles if top_bundles.eligible(bundle, rules)]


def sole(case: TopCase, clause_kind: str, wrong: list[str], any_there: bool) -> Finding:
    """No bundle of some sort is listed; exercised if there is one."""
    if not any_there or listed(case) is None:
        return UNEXERCISED
    return unless(not wrong, f"{wrong} must not be listed", clause_kind)


@check("LOA-50", "load.top_bundles")
def as_many_as_wanted(case: TopCase) -> Finding:
    if case.trial.rules.most <= 0:
        return UNEXERCISED
    found = listed(case)
    if found is None:
        return Violation(f"the broker {describe(case.observation)}", "failed")
    names = [bundle.bundle for bundle in found]
    count = min(case.trial.rules.most, len(eligible(case)))
    return unless(len(names) == len(set(names)) == count, f"{names} are listed, but {count} can be")


@check("LOA-51", "load.top_bundles")
def idle_bundles_are_left_out(case: TopCase) -> Finding:
    found = listed(case) or []
    wrong = [bundle.bundle for bundle in found if bundle.traffic.throughput == 0]
    idle = any(bundle.traffic.throughput == 0 for bundle in case.trial.bundles)
    return sole(case, "idle", wrong, idle)


@check("LOA-52", "load.top_bundles")
def system_bundles_are_left_out(case: TopCase) -> Finding:
    def system(bundle: BundleStatistics) -> bool:
        return top_bundles.is_system(namespace_of(bundle.bundle))

    wrong = [bundle.bundle for bundle in listed(case) or [] if system(bundle)]
    return sole(case, "system", wrong, any(map(system, case.trial.bundles)))


@check("LOA-53", "load.top_bundles")
def bound_bundles_are_left_out(case: TopCase) -> Finding:
    def bound(bundle: BundleStatistics) -> bool:
        namespace, rules = namespace_of(bundle.bundle), case.trial.rules
        return namespace in rules.isolated or namespace in rules.grouped

    if case.trial.rules.with_policies:
        return UNEXERCISED
    wrong = [bundle.bundle for bundle in listed(case) or [] if bound(bundle)]
    return sole(case, "bound", wrong, any(map(bound, case.trial.bundles)))


@check("LOA-54", "load.top_bundles")
def the_heaviest_are_listed(case: TopCase) -> Finding:
    found, most = listed(case), case.trial.rules.most
    if found is None or most <= 0 or not eligible(case):
        return UNEXERCISED
    ranks = sorted((top_bundles.rank(bundle) for bundle in eligible(case)), reverse=True)
    told = sorted((top_bundles.rank(bundle) for bundle in found), reverse=True)
    return unless(told == ranks[:most], f"ranks {told} are listed of {ranks}")


@check("LOA-55", "load.top_bundles")
def the_lightest_comes_first(case: TopCase) -> Finding:
    found = listed(case)
    if found is None or len(found) < 2:
        return UNEXERCISED
    ranks = [top_bundles.rank(bundle) for bundle in found]
    return unless(ranks == sorted(ranks), f"ranks {ranks} are not ascending")


@check("LOA-56", "load.top_bundles")
def none_is_an_answer(case: TopCase) -> Finding:
    observed = case.observation
    if case.trial.rules.most > 0:
        return UNEXERCISED
    if isinstance(observed, Refused):
        return HOLDS
    return unless(
        not isinstance(observed, Broke) and observed.bundles == (),
        f"{case.trial.rules.most} bundles are wanted, and the broker {describe(observed)}",
    )


@check("LOA-57", "load.top_bundles")
def none_of_4_0(case: TopCase) -> Finding:
    observed = case.observation
    if case.trial.rules.most > 0:
        return UNEXERCISED
    if isinstance(observed, Broke):
        return unless(len(eligible(case)) > 1, "there is nothing to sort", "broke")
    return unless(
        not isinstance(observed, Refused) and observed.bundles == (),
        f"{case.trial.rules.most} bundles are wanted, and the broker {describe(observed)}",
    )
