"""The clauses about manual splits as checks (SPL-55 to SPL-70)."""

from __future__ import annotations

from typing import Final

from evenkeel.properties.clause import (
    HOLDS,
    UNEXERCISED,
    Case,
    Finding,
    Violation,
    as_expected,
    describe,
    shape,
    unless,
)
from evenkeel.properties.findings import OncePerCase
from evenkeel.properties.observations import Broke, Refused
from evenkeel.properties.splitting import clauses_positions as positions_checks
from evenkeel.properties.splitting.book import check
from evenkeel.properties.splitting.convert import request_of, span, spans_between
from evenkeel.properties.splitting.trials_manual import Manager, ManualAnswer, ManualTrial
from evenkeel.properties.splitting.trials_positions import PositionsAnswer, PositionsTrial
from evenkeel.reference.bundles.boundaries import bundles_of
from evenkeel.reference.bundles.ranges import HashRange
from evenkeel.reference.bundles.topics import topic_hash
from evenkeel.reference.edition import DOCUMENTED
from evenkeel.reference.errors import Refusal
from evenkeel.reference.splitting import algorithms, manual
from evenkeel.reference.splitting.algorithms import SplitAlgorithm

ManualCase = Case[ManualTrial, ManualAnswer]
SELECTORS: Final = ("LARGEST", "HOT")


# ------------------------------------------------------------------------------ selection


def request_fault(trial: ManualTrial) -> str | None:
    """Why the request itself is refused, if it is."""
    try:
        manual.check_request(request_of(trial))
    except Refusal as refusal:
        return str(refusal)
    return None


def targets_of(trial: ManualTrial) -> tuple[HashRange, ...]:
    """The bundles that the selector may mean; several where equals compete."""
    if trial.selector == "LARGEST":
        return largest_of(trial)
    if trial.selector == "HOT":
        hot = hottest_of(trial)
        return hot if trial.manager is Manager.MODULAR else (*hot, *largest_of(trial))
    try:
        return (manual.select(request_of(trial), DOCUMENTED),)
    except Refusal:
        return ()


def largest_of(trial: ManualTrial) -> tuple[HashRange, ...]:
    """The bundles with the most topics."""
    hashes = [topic_hash(load.topic) for load in trial.topics]
    counts = {
        bundle: sum(hash_ in bundle for hash_ in hashes) for bundle in bundles_of(trial.boundaries)
    }
    most = max(counts.values())
    return tuple(bundle for bundle, count in counts.items() if count == most > 0)


def hottest_of(trial: ManualTrial) -> tuple[HashRange, ...]:
    """The bundles with the highest throughput among those with topics."""
    bundles = bundles_of(trial.boundaries)
    known = [heat for heat in trial.heat if heat.topics > 0 and heat.bundle in bundles]
    most = max((heat.throughput for heat in known), default=0.0)
    return tuple(heat.bundle for heat in known if heat.throughput == most)


def may_select_nothing(trial: ManualTrial) -> bool:
    """Whether the selector may be understood so that it means no bundle at all."""
    extensible = trial.manager is Manager.EXTENSIBLE
    return extensible and trial.selector == "HOT" and not (hottest_of(trial) and largest_of(trial))


@check("SPL-55", "splitting.manual")
def bad_requests_are_refused(case: ManualCase) -> Finding:
    reason = request_fault(case.trial)
    return UNEXERCISED if reason is None else as_expected(case, reason)


def is_open(trial: ManualTrial) -> bool:
    """Whether the request is good, so that a bundle is to be selected."""
    return request_fault(trial) is None


@check("SPL-56", "splitting.manual")
def only_bundles_are_split_by_range(case: ManualCase) -> Finding:
    trial = case.trial
    if trial.selector in SELECTORS or not is_open(trial) or isinstance(case.expected, Broke):
        return UNEXERCISED
    if not targets_of(trial):
        return as_expected(case, f"{trial.selector} is no bundle of the namespace")
    return split_is_among(case)


def split_is_among(case: ManualCase) -> Finding:
    """If a bundle was split, it is one that the selector may mean."""
    if not isinstance(case.observation, ManualAnswer) or case.observation.split is None:
        return UNEXERCISED
    targets = targets_of(case.trial)
    return unless(
        case.observation.split in [span(target) for target in targets],
        f"{case.trial.selector} means {' or '.join(map(str, targets)) or 'nothing'}, "
        f"not {case.observation.split}",
    )


def same_target(case: ManualCase) -> Finding:
    """If a bundle was split, it is the reference's; a search that breaks must break."""
    observed, expected = case.observation, case.expected
    if isinstance(expected, Broke):
        return as_expected(case, case.trial.selector)
    if not isinstance(observed, ManualAnswer) or not isinstance(expected, ManualAnswer):
        return UNEXERCISED
    return unless(
        observed.split == expected.split or None in (observed.split, expected.split),
        f"{case.trial.selector} means {expected.split}, not {observed.split}",
    )


def by_selector(case: ManualCase, selector: str) -> bool:
    """Whether the request is good and selects in this way."""
    return case.trial.selector == selector and is_open(case.trial)


@check("SPL-57", "splitting.manual")
def largest_has_the_most_topics(case: ManualCase) -> Finding:
    return split_is_among(case) if by_selector(case, "LARGEST") else UNEXERCISED


@check("SPL-58", "splitting.manual")
def largest_is_the_first_to_get_there(case: ManualCase) -> Finding:
    return same_target(case) if by_selector(case, "LARGEST") else UNEXERCISED


@check("SPL-59", "splitting.manual")
def hot_has_the_highest_throughput(case: ManualCase) -> Finding:
    return split_is_among(case) if by_selector(case, "HOT") else UNEXERCISED


@check("SPL-60", "splitting.manual")
def hot_is_the_lowest_of_equals(case: ManualCase) -> Finding:
    return same_target(case) if by_selector(case, "HOT") else UNEXERCISED


# --------------------------------------------------------------------------------- cutting

POSITION_CHECKS: Final = {
    "SPL-2": positions_checks.positions_lie_inside_and_ascend,
    "SPL-3": positions_checks.halves_of_a_range_are_equal,
    "SPL-5": positions_checks.halves_have_as_many_topics,
    "SPL-8": positions_checks.specified_positions_inside_are_taken,
    "SPL-11": positions_checks.heavy_bundles_are_cut,
    "SPL-12": positions_checks.parts_stay_within_the_limits,
    "SPL-13": positions_checks.parts_take_as_much_as_fits,
    "SPL-14": positions_checks.flow_cuts_half_way,
}


def cuts_fault(trial: ManualTrial, target: HashRange, cuts: tuple[int, ...]) -> Violation | None:
    """Why the chosen algorithm does not cut the target there, by the clauses on positions."""
    algorithm = manual.chosen_algorithm(request_of(trial))
    if algorithm is SplitAlgorithm.SPECIFIED and not trial.positions:
        return Violation("no positions were given", "no positions") if cuts else None
    topics = tuple(load for load in trial.topics if topic_hash(load.topic) in target)
    asked = PositionsTrial(algorithm, target, topics, trial.positions, False, trial.limits)
    answer = PositionsAnswer(cuts)
    derived = Case(asked, answer, DOCUMENTED, lambda trial, edition: answer)
    for clause, position_check in POSITION_CHECKS.items():
        finding = position_check(derived)
        if isinstance(finding, Violation):
            return Violation(finding.sentence, f"{clause} {finding.kind}".strip())
    by_topics = algorithm in (SplitAlgorithm.TOPIC_COUNT, SplitAlgorithm.FLOW)
    if by_topics and len(topics) < algorithms.MIN_TOPICS and cuts:
        return Violation(f"{target} has too few topics to be parted", "too few topics")
    return None


def judge_cut(case: ManualCase) -> Finding:
    """The boundaries afterwards are those of an allowed split, or none was possible."""
    trial, observed = case.trial, case.observation
    targets = targets_of(trial)
    if not is_open(trial) or not targets:
        return UNEXERCISED
    if isinstance(observed, Broke):
        return Violation(f"the split of {trial.selector} must not break", "broke")
    if not isinstance(observed, ManualAnswer) or observed.split is None:
        if may_select_nothing(trial):
            return UNEXERCISED
        faults = [cuts_fault(trial, target, ()) for target in targets]
        needed = faults[0] if all(faults) else None
        if needed is None:
            return UNEXERCISED
        sentence = f"{trial.selector} must be split, but {describe(observed)}: {needed.sentence}"
        return Violation(sentence, f"{shape(observed)} without a split")
    chosen = [target for target in targets if span(target) == observed.split]
    if not chosen:
        return UNEXERCISED
    cuts = tuple(sorted(set(observed.boundaries) - set(trial.boundaries)))
    fault = cuts_fault(trial, chosen[0], cuts)
    if fault is not None:
        return fault
    return unless(cuts != (), f"{chosen[0]} is said to be split, but is not", "no cut")


judged_cut: Final = OncePerCase(judge_cut)


@check("SPL-61", "splitting.manual")
def bundle_is_cut_where_the_algorithm_says(case: ManualCase) -> Finding:
    return judged_cut(case)


@check("SPL-62", "splitting.manual")
def nothing_to_cut_changes_nothing(case: ManualCase) -> Finding:
    trial, observed = case.trial, case.observation
    if not is_open(trial) or isinstance(observed, Refused | Broke):
        return UNEXERCISED
    if isinstance(case.expected, ManualAnswer) and case.expected.split is not None:
        return UNEXERCISED
    if not isinstance(observed, ManualAnswer) or observed.split is not None:
        return UNEXERCISED
    return unless(
        observed.boundaries == trial.boundaries and not observed.unloaded,
        f"nothing was split, but the boundaries became {observed.boundaries}",
    )


@check("SPL-63", "splitting.manual")
def unowned_bundles_are_split_too(case: ManualCase) -> Finding:
    trial = case.trial
    by_range = manual.chosen_algorithm(request_of(trial)) is SplitAlgorithm.RANGE
    if trial.owned or not by_range or trial.selector in SELECTORS:
        return UNEXERCISED
    if not isinstance(case.expected, ManualAnswer) or case.expected.split is None:
        return UNEXERCISED
    if isinstance(case.observation, ManualAnswer):
        return HOLDS
    return as_expected(case, "an unowned bundle is taken and split")


@check("SPL-70", "splitting.manual")
def everything_else_stays(case: ManualCase) -> Finding:
    observed, trial = case.observation, case.trial
    if not isinstance(observed, ManualAnswer) or observed.split is None:
        return UNEXERCISED
    lost = sorted(set(trial.boundaries) - set(observed.boundaries))
    if lost:
        return Violation(f"the boundaries {lost} are gone", "lost boundary")
    before = [bundle for bundle in spans_between(trial.boundaries) if bundle != observed.split]
    after = spans_between(observed.boundaries)
    changed = [str(bundle) for bundle in before if bundle not in after]
    return unless(not changed, f"{', '.join(changed)} changed beside {observed.split}")


@check("SPL-64", "splitting.manual")
def children_are_unloaded_on_request(case: ManualCase) -> Finding:
    observed = case.observation
    if not isinstance(observed, ManualAnswer) or observed.split is None:
        return UNEXERCISED
    children = [
        bundle
        for bundle in spans_between(observed.boundaries)
        if observed.split.lower <= bundle.lower and bundle.upper <= observed.split.upper
    ]
    wanted = tuple(children) if case.trial.unload else ()
    return unless(
        observed.unloaded == wanted,
        f"unload {case.trial.unload}: {len(wanted)} children must be unloaded, "
        f"not {', '.join(map(str, observed.unloaded)) or 'none'}",
    )


# ------------------------------------------------------------------------- as 4.0 does it


def has_no_position(trial: ManualTrial) -> bool:
    """Whether specified positions are asked for of which none lies inside the bundle by range."""
    targets = targets_of(trial)
    if trial.algorithm != SplitAlgorithm.SPECIFIED or trial.selector in SELECTORS or not targets:
        return False
    return not any(targets[0].lower < p < targets[0].upper for p in trial.positions)


@check("SPL-65", "splitting.manual")
def nothing_to_cut_depends_on_the_manager(case: ManualCase) -> Finding:
    if not is_open(case.trial) or not has_no_position(case.trial):
        return UNEXERCISED
    return as_expected(case, "no position to cut at")


@check("SPL-66", "splitting.manual")
def extensible_manager_cuts_once(case: ManualCase) -> Finding:
    trial = case.trial
    algorithm = manual.chosen_algorithm(request_of(trial))
    several = algorithm is SplitAlgorithm.FLOW or len(trial.positions) > 1
    if trial.manager is Manager.MODULAR or not several or not is_open(trial):
        return UNEXERCISED
    return as_expected(case, "several positions under the extensible manager")


@check("SPL-67", "splitting.manual")
def flow_needs_to_be_the_default(case: ManualCase) -> Finding:
    trial = case.trial
    if trial.algorithm != SplitAlgorithm.FLOW or trial.default_algorithm == SplitAlgorithm.FLOW:
        return UNEXERCISED
    return as_expected(case, "flow_or_qps_equally_divide with another default")


@check("SPL-68", "splitting.manual")
def extensible_manager_never_unloads(case: ManualCase) -> Finding:
    if case.trial.manager is Manager.MODULAR or not case.trial.unload:
        return UNEXERCISED
    return as_expected(case, "unload under the extensible manager")


@check("SPL-69", "splitting.manual")
def manual_splits_are_cut_as_in_4_0(case: ManualCase) -> Finding:
    return as_expected(case, f"split of {case.trial.selector}")
