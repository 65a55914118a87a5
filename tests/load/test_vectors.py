"""Numbers of documents 001, 002 and 003, of Pulsar's own tests, and some recomputed by hand."""

from __future__ import annotations

import math

import pytest

from evenkeel.reference.edition import BASE_EDITIONS, DOCUMENTED, PULSAR_4_0, Edition
from evenkeel.reference.load import averages, history, leader, report, top_bundles, usage
from evenkeel.reference.load.averages import BundleAverages
from evenkeel.reference.load.history import Keeper, Seen
from evenkeel.reference.load.leader import BundleSample, Known
from evenkeel.reference.load.report import BrokerLoad, ExtensibleReporter, ReportRules
from evenkeel.reference.load.statistics import BundleStatistics
from evenkeel.reference.load.top_bundles import NoListOfNone, TopRules
from evenkeel.reference.load.traffic import Traffic
from evenkeel.reference.load.usage import Resource, Resources, Weights

each_edition = pytest.mark.parametrize("edition", BASE_EDITIONS.values(), ids=BASE_EDITIONS)
A, B = "tenant/ns/0x00000000_0x40000000", "tenant/ns/0x40000000_0x80000000"


def at(cpu: float) -> Resources:
    """A broker of which only the CPU is used."""
    return Resources(cpu=Resource(cpu, 100.0))


# ---------------------------------------------------------------------------------- usage


@pytest.mark.parametrize(
    ("percent", "score"),
    [
        (30, 0.30000001907348633),
        (60, 0.6000000381469727),
        (99.9, 0.999000015258789),
        *((plain, plain / 100) for plain in (5, 10, 20, 40, 45, 50, 55, 65, 70, 75, 80, 85, 90)),
    ],
)
def test_percentages_are_in_single_precision(percent: float, score: float) -> None:
    assert usage.max_weighted_usage(at(percent), Weights()) == score


def test_the_mean_of_10_20_30_is_that_of_pulsars_test() -> None:
    scores = [usage.max_weighted_usage(at(percent), Weights()) for percent in (10, 20, 30)]
    assert sum(scores) / 3 == 0.2000000063578288


@pytest.mark.parametrize(
    ("resource", "percent"),
    [
        (Resource(140.0, 100.0), 140.0),
        (Resource(5.0, 0.0), 0.0),
        (Resource(5.0, -1.0), 0.0),
        (Resource(-1.0, 1600.0), -0.0625),
        (Resource(1.0, 1e-50), math.inf),
        (Resource(3e38, 0.5), math.inf),
        (Resource(1e300, 1.0), math.inf),
    ],
    ids=["above 100", "no limit", "unknown limit", "unreadable", "tiny limit", "large", "larger"],
)
def test_percentages_are_not_cut_off(resource: Resource, percent: float) -> None:
    assert usage.percent_usage(resource) == percent


@pytest.mark.parametrize(
    "resource", [Resource(math.nan, 100.0), Resource(0.0, 1e-50), Resource(math.nan, 1e-50)]
)
def test_usages_that_are_not_numbers_are_skipped(resource: Resource) -> None:
    assert math.isnan(usage.percent_usage(resource))
    resources = Resources(cpu=resource, bandwidth_in=Resource(40.0, 100.0))
    assert usage.max_weighted_usage(resources, Weights()) == 0.4
    unknown = Resources(*[resource] * 5)
    assert usage.max_weighted_usage(unknown, Weights()) == -math.inf


def test_heap_memory_counts_under_the_extensible_manager_alone() -> None:
    resources = Resources(cpu=Resource(40.0, 100.0), memory=Resource(90.0, 100.0))
    weights = Weights(memory=1.0)
    assert usage.max_weighted_usage(resources, weights) == 0.4
    assert usage.max_weighted_usage_with_heap(resources, weights) == 0.9
    assert usage.max_weighted_usage_with_heap(resources, Weights()) == 0.4
    assert usage.max_usage_in_double(resources) == 0.4


def test_v_os7_direct_memory_counts_if_it_has_a_weight() -> None:
    resources = Resources(cpu=Resource(50.0, 100.0), direct_memory=Resource(99.0, 100.0))
    assert usage.max_weighted_usage(resources, Weights()) == 0.5
    assert usage.max_weighted_usage(resources, Weights(direct_memory=1.0)) > 0.98


def test_the_unweighted_usage_is_a_quotient_in_single_precision() -> None:
    assert usage.max_usage(at(30)) == 0.30000001192092896
    assert usage.max_usage_in_double(at(30)) == 0.30000001907348633


@pytest.mark.parametrize(
    ("configured", "misspelt", "weight"), [(1.0, 0.5, 0.5), (2.0, 0.5, 2.0), (1.0, 1.0, 1.0)]
)
def test_weights_under_two_names(configured: float, misspelt: float, weight: float) -> None:
    assert usage.bandwidth_weight(configured, misspelt, PULSAR_4_0) == weight


# ------------------------------------------------------------------------------- averages


def rate(msg_rate_in: float) -> Traffic:
    """Traffic of which only the rate in matters."""
    return Traffic(msg_rate_in=msg_rate_in)


def after(*rates: float, start: BundleAverages | None = None) -> tuple[float, float]:
    """The short- and the long-term rate in after these samples."""
    now = averages.guess() if start is None else start
    for each in rates:
        now = averages.add_sample(now, rate(each), 1)
    return now.short_term.traffic.msg_rate_in, now.long_term.traffic.msg_rate_in


def test_unseen_bundles_are_guessed() -> None:
    assert averages.guess().short_term.traffic == Traffic(50, 50, 50_000, 50_000)
    assert after() == (50, 50)


def test_the_first_sample_replaces_the_guess() -> None:
    assert after(3) == (3, 3)


def test_a_plain_mean_and_then_a_moving_one() -> None:
    assert after(0, 0, 30) == (10, 10)
    assert after(*[100] * 10, 0) == (90, 1000 / 11)
    short, long = after(*[100] * 1000, 0)
    assert (short, long) == (90, 99.9)


def test_after_22_samples_less_than_a_tenth_is_left() -> None:
    short, _ = after(*[100] * 10, *[0] * 22)
    assert short == pytest.approx(100 * 0.9**22)
    assert short < 10


def test_quotas_count_as_history() -> None:
    assert after(0, start=averages.from_quota(rate(100))) == (90, 99.9)


# --------------------------------------------------------------------------------- leader


def reported(known: Known, broker: str, edition: Edition, **rates: float) -> Known:
    """A broker reports its bundles' rates in."""
    report_ = tuple(BundleSample(bundle, rate(each), 1) for bundle, each in rates.items())
    return leader.publish(known, broker, report_, edition)


@pytest.mark.parametrize(("edition", "expected"), [(DOCUMENTED, 50), (PULSAR_4_0, 1000 / 11)])
def test_averages_after_reports_of_other_brokers(edition: Edition, expected: float) -> None:
    known = reported(Known(), "one", edition, a=100)
    for _ in range(9):
        known = reported(known, "two", edition, b=1)
    known = reported(known, "one", edition, a=0)
    assert known.bundles["a"].long_term.traffic.msg_rate_in == expected


@each_edition
def test_known_bundles_are_the_union(edition: Edition) -> None:
    known = reported(Known(), "one", edition, a=100)
    known = reported(known, "two", edition, b=1)
    assert set(known.bundles) == {"a", "b"}
    known = reported(known, "one", edition)
    assert set(known.bundles) == {"b"}
    known = leader.leave(known, "two", edition)
    assert (known.bundles, known.reports) == ({}, {"one": ()})


@each_edition
def test_brokers_have_what_their_bundles_have(edition: Edition) -> None:
    known = reported(Known(), "one", edition, a=10, b=20)
    assert leader.broker_averages(known)["one"].long_term == rate(30)


# -------------------------------------------------------------------------------- history


def scores(keeper: Keeper, weight: float, *usages: float, bundles: int = 1) -> list[float]:
    """One broker's scores, look by look."""
    known: history.Histories = {}
    found = []
    for each in usages:
        known = history.look_at(keeper, known, [Seen("one", each, bundles, 1.0)], weight)
        found.append(known["one"])
    return found


def test_document_003_77_from_80_and_50() -> None:
    assert scores(Keeper.THRESHOLD_SHEDDER, 0.9, 80, 50) == [0.8, 0.77]


def test_a_history_from_zero_needs_twenty_rounds() -> None:
    assert scores(Keeper.THRESHOLD_SHEDDER, 0.9, *[80] * 5) == pytest.approx([0.8] * 5)
    blind = [0.8 * (1 - 0.9**n) for n in (1, 2)]
    assert blind == pytest.approx([0.08, 0.152])


def test_two_steps_a_round_with_the_lower_boundary() -> None:
    off = scores(Keeper.THRESHOLD_SHEDDER, 0.9, 50, 60)[-1]
    on = scores(Keeper.THRESHOLD_SHEDDER, 0.9, 50, 50, 60, 60)[-1]
    assert (off, on) == pytest.approx((0.5100000038, 0.5190000072), abs=1e-10)


def test_pulsars_own_test_of_the_placement() -> None:
    keeper, looks = Keeper.LEAST_RESOURCE_USAGE, ((10, 30, 60), (20, 30, 50), (30, 30, 40))
    known: history.Histories = {}
    for look in (*looks, looks[-1]):
        seen = [Seen(str(i), each, 1, 1.0) for i, each in enumerate(look)]
        known = history.look_at(keeper, known, seen, 0.5)
    assert list(known.values()) == pytest.approx([0.2625, 0.3, 0.4375])


@pytest.mark.parametrize(
    ("keeper", "expected"),
    [(Keeper.LEAST_RESOURCE_USAGE, 0.02), (Keeper.THRESHOLD_SHEDDER, 0.812)],
)
def test_a_broker_that_was_restarted_unnoticed(keeper: Keeper, expected: float) -> None:
    known = history.look_at(keeper, {}, [Seen("one", 90, 3, 10.0)], 0.9)
    known = history.look_at(keeper, known, [Seen("one", 2, 0, 0.0)], 0.9)
    assert known["one"] == pytest.approx(expected)


@pytest.mark.parametrize(
    ("usages", "percent"), [([80] * 10 + [5], 73.18), ([40, 10, 10], 20), ([], 0)]
)
def test_means_of_documents_002_and_003(usages: list[float], percent: float) -> None:
    seen = [Seen(str(i), each, 1, 1.0) for i, each in enumerate(usages)]
    known = history.look_at(Keeper.THRESHOLD_SHEDDER, {}, seen, 0.9)
    assert round(100 * history.mean(known, seen), 2) == percent


# -------------------------------------------------------------------------------- reports

RULES = ReportRules()


@pytest.mark.parametrize(("silence", "due"), [(900, False), (901, True), (None, True)])
def test_the_longest_interval(silence: int | None, due: bool) -> None:
    assert report.overdue(silence, RULES) is due


@pytest.mark.parametrize(
    ("before", "after_", "percent"),
    [(0, 0, 0), (0, 1, math.inf), (100, 111, 11), (100, 0, 100), (50, 100, 100)],
)
def test_percent_of_what_it_was(before: float, after_: float, percent: float) -> None:
    assert report.percent_change(before, after_) == percent


@pytest.mark.parametrize(("rate_in", "due"), [(110, False), (111, True), (90, False), (89, True)])
def test_changes_are_strictly_above_the_threshold(rate_in: float, due: bool) -> None:
    def now(msg_rate_in: float) -> report.LocalReport:
        return report.LocalReport(traffic=rate(msg_rate_in))

    reporter = report.modular_written(report.ModularReporter(), now(100), 0)
    assert report.modular_due(reporter, now(rate_in), 5, RULES) is due


def checked(reporter: ExtensibleReporter, cpu: float, edition: Edition) -> ExtensibleReporter:
    """One check; a report that is due is stored."""
    reporter = report.update(reporter, at(cpu), Traffic(), 1, RULES)
    due = report.extensible_due(reporter, 5, RULES, edition)
    return report.extensible_stored(reporter, 5) if due else reporter


@each_edition
def test_a_step_in_load_and_what_is_published_of_it(edition: Edition) -> None:
    reporter = checked(ExtensibleReporter(), 10, edition)
    for _ in range(11):
        reporter = checked(reporter, 90, edition)
    assert reporter.now.weighted_max == pytest.approx(0.9 - 0.8 * 0.9**11)
    off = abs(reporter.published.weighted_max - reporter.now.weighted_max)
    assert (off > 0.1) is (edition is PULSAR_4_0)
    if edition is PULSAR_4_0:
        assert reporter.published.weighted_max == pytest.approx(0.18)


def test_a_change_of_bundles_clears_what_was_measured() -> None:
    reporter = checked(ExtensibleReporter(), 90, PULSAR_4_0)
    assert report.discard(reporter).now == BrokerLoad(1.0, 1.0, 0.0)
    assert checked(report.discard(reporter), 20, PULSAR_4_0).published.weighted_max == 0.2


@pytest.mark.parametrize(("removed", "due"), [(None, True), (0, True), (1, False)])
def test_removals_are_ten_seconds_apart(removed: int | None, due: bool) -> None:
    assert report.removal_due(ExtensibleReporter(removed_at=removed), 10) is due


# ---------------------------------------------------------------------------- top bundles


def bundle(throughput_in: float, name: str = A, **counts: int) -> BundleStatistics:
    """A bundle of which only the throughput in matters."""
    return BundleStatistics(name, Traffic(throughput_in=throughput_in), **counts)


@pytest.mark.parametrize(
    ("value", "whole"),
    [(0.5, 1), (1.5, 2), (2.5, 3), (0.49999999999999994, 0), (1.4999999, 1), (0, 0)],
)
def test_halves_are_rounded_upwards(value: float, whole: int) -> None:
    assert top_bundles.round_half_up(value) == whole


def test_bundles_are_compared_in_steps() -> None:
    assert top_bundles.rank(bundle(149_999)) == top_bundles.rank(bundle(100_000))
    assert top_bundles.rank(bundle(150_000)) > top_bundles.rank(bundle(100_000))
    assert top_bundles.rank(bundle(1, topics=499)) < top_bundles.rank(bundle(1, consumers=500))


@each_edition
def test_the_two_heaviest_are_listed_in_ascending_order(edition: Edition) -> None:
    sizes = {A: 30e6, B: 2e6, "tenant/ns/0x80000000_0xc0000000": 5e6}
    statistics = [bundle(throughput, name) for name, throughput in sizes.items()]
    chosen = top_bundles.top_bundles(statistics, TopRules(2, False, (), ()), edition)
    assert [each.traffic.throughput for each in chosen] == [5e6, 30e6]


@pytest.mark.parametrize(
    ("namespace", "system"),
    [
        ("pulsar/system", True),
        ("pulsar/broker-1:8080", True),
        ("pulsar/cluster/broker-1:8080", True),
        ("sla-monitor/cluster/broker-1:8080", True),
        ("sla-monitor/broker-1:8080", False),
        ("pulsar/systems", False),
        ("pulsar/broker-1:", False),
        ("tenant/ns", False),
    ],
)
def test_namespaces_of_pulsars_own(namespace: str, system: bool) -> None:
    assert top_bundles.is_system(namespace, PULSAR_4_0) is system


@pytest.mark.parametrize("most", [0, -1])
def test_a_limit_of_none(most: int) -> None:
    rules = TopRules(most, False, (), ())
    statistics = [bundle(1.0), bundle(2.0, B)]
    assert top_bundles.top_bundles(statistics, rules, DOCUMENTED) == []
    assert top_bundles.top_bundles(statistics[:1], rules, PULSAR_4_0) == []
    with pytest.raises(NoListOfNone):
        top_bundles.top_bundles(statistics, rules, PULSAR_4_0)
