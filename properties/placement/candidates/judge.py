"""PLC-23 to PLC-40: who is offered to the strategy, once or twice, and who gets the bundle."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from itertools import islice, permutations
from math import factorial

from evenkeel.properties.clause import Case
from evenkeel.properties.judging.judge import answers, decision, must_be
from evenkeel.properties.judging.near import Ternary
from evenkeel.properties.judging.run import Run
from evenkeel.properties.observations import Broke
from evenkeel.properties.placement.candidates.judge_rules import (
    Brokers,
    Filter,
    extensible_filters,
    grounds,
    host_of,
    is_primary,
    left_by,
    modular_filters,
    policy_of,
    same_in_every_order,
    usable,
)
from evenkeel.properties.placement.candidates.trial import (
    CandidatesAnswer,
    CandidatesTrial,
    FiltersTrial,
    preferred,
)
from evenkeel.properties.placement.expressions import matches
from evenkeel.properties.placement.numbers import overloaded
from evenkeel.properties.plain import plain
from evenkeel.reference.edition import Edition
from evenkeel.reference.java_text import code_units
from evenkeel.reference.load.usage import Resource, Resources, Weights
from evenkeel.reference.placement.candidates import BrokerReport
from evenkeel.reference.placement.filters import Registration

Trial = CandidatesTrial | FiltersTrial


def ordered(brokers: Sequence[str]) -> Brokers:
    return tuple(sorted(brokers, key=code_units))


def takes(known: BrokerReport | Registration | None, persistent: bool) -> bool:
    """Whether a broker has said that it takes topics of this sort."""
    return known is not None and (known.persistent if persistent else known.non_persistent)


def by_sort(
    run: Run,
    trial: Trial,
    brokers: Brokers,
    known: Mapping[str, BrokerReport | Registration | None],
) -> Brokers:
    """PLC-32: under a policy, too, those may be left out that do not take such topics; and so may
    those that have not said so.
    """
    if policy_of(trial) is None:
        return brokers
    takers = tuple(b for b in brokers if takes(known[b], trial.persistent))
    silent = tuple(b for b in brokers if b in takers or known[b] is None)
    readings = list(dict.fromkeys((brokers, takers, silent)))
    return readings[run.pick(len(readings))]


@decision(
    "placement.candidates",
    "PLC-4", "PLC-5", "PLC-23", "PLC-24", "PLC-25", "PLC-26", "PLC-27", "PLC-28", "PLC-29",
    "PLC-30", "PLC-31", "PLC-32", "PLC-33", "PLC-34", "PLC-35", "PLC-39",
)  # fmt: skip
def candidates(run: Run, case: Case[CandidatesTrial, CandidatesAnswer]) -> None:
    trial, edition, observed = case.trial, case.edition, case.observation
    reports = {broker.name: broker.report for broker in trial.brokers}

    def accepts(broker: str) -> bool:
        return takes(reports.get(broker), trial.persistent)

    everybody = usable(trial, tuple(reports), accepts)
    if not edition.unreported_candidates_break:
        everybody = by_sort(run, trial, everybody, reports)
    filters = modular_filters(trial, edition)
    right = placed(trial, edition, everybody, left_by(filters, everybody) or everybody)
    if edition.unreported_candidates_break:
        must_be(run, case, "PLC-35", right, "placing it")
    if isinstance(right, Broke):
        must_be(run, case, "PLC-5", right, "the chosen broker has no report")
    elif not answers(run, case, "PLC-5" if edition.unreported_candidates_break else "PLC-4"):
        return
    if not isinstance(observed, CandidatesAnswer):
        return
    for offered in observed.offers:
        isolated(run, trial, offered)
    first = observed.offers[0] if observed.offers else ()
    if policy_of(trial) is None:
        accepted(run, trial, first, accepts)
    else:
        failed_over(run, trial, first, everybody)
    if not everybody:
        run.require("PLC-39", observed.chosen is None, f"{observed.chosen} chosen", "none")
        return
    filtered(run, trial, filters, everybody, first, everybody)
    second_choice(run, case, observed, ordered(everybody))


def is_overloaded(trial: CandidatesTrial, broker: str | None, edition: Edition) -> Ternary:
    """None also for a broker without a report."""
    report = next((known.report for known in trial.brokers if known.name == broker), None)
    if report is None:
        return None
    resources = Resources(cpu=Resource(report.cpu, 100.0))
    return overloaded(resources, trial.config.overloaded_threshold, Weights(), edition)


def placed(
    trial: CandidatesTrial, edition: Edition, everybody: Brokers, left: Brokers
) -> CandidatesAnswer | Broke:
    """What 4.0 answers."""
    chosen = preferred(trial.prefers, left)
    again = is_overloaded(trial, chosen, edition)
    if chosen is not None and again is None and edition.unreported_candidates_break:
        return Broke("no report")
    if not again:
        return CandidatesAnswer((ordered(left),), chosen)
    chosen = preferred(trial.prefers_then, everybody)
    return CandidatesAnswer((ordered(left), ordered(everybody)), chosen)


def isolated(run: Run, trial: Trial, offered: Brokers) -> None:
    """What may be offered at all: the policy's brokers, else nobody's primary ones."""
    policy = policy_of(trial)
    if policy is None:
        taken = [b for b in offered for p in trial.policies if is_primary(p, b)]
        if trial.policies:
            run.require(
                "PLC-26",
                not taken,
                lambda: f"{', '.join(taken)}: another namespace's primary",
                "shared",
            )
        return
    named = (*policy.primary, *policy.secondary)
    outside = [b.name for b in trial.brokers if not matches(named, host_of(b.name))]
    by_port = [broker for broker in outside if matches(named, broker)]
    for clause, kind, wrong in (("PLC-25", "port", by_port), ("PLC-23", "isolation", outside)):
        found = ", ".join(broker for broker in offered if broker in wrong)
        if wrong:
            run.require(clause, not found, f"{found}: not of the policy {policy} ({kind})", kind)


def accepted(run: Run, trial: Trial, offered: Brokers, accepts: Callable[[str], bool]) -> None:
    """Without a policy: brokers that take such topics."""
    if not all(accepts(broker) for broker in (*offered, *(b.name for b in trial.brokers))):
        wrong = [broker for broker in offered if not accepts(broker)]
        run.require("PLC-26", not wrong, f"{wrong} take no such topics", "sort")


def failed_over(run: Run, trial: Trial, offered: Brokers, everybody: Brokers) -> None:
    """With a policy: secondary brokers only where there are too few primary ones."""
    policy = policy_of(trial)
    assert policy is not None
    second = [b.name for b in trial.brokers if matches(policy.secondary, host_of(b.name))]
    if not {*offered, *second} <= set(everybody):
        wrong = [broker for broker in offered if broker not in everybody]
        run.require("PLC-24", not wrong, f"{wrong}: there are {policy.least} primary", "failover")


def filtered(
    run: Run,
    trial: Trial,
    filters: Sequence[Filter],
    everybody: Brokers,
    offered: Brokers,
    rescued: Brokers,
) -> None:
    """Where the order makes no difference: what no filter drops is offered, and nothing else.

    Whom several filters drop is dropped by whichever is first.
    """
    if not same_in_every_order(filters, everybody):
        return
    result = left_by(filters, everybody)
    if result or not rescued:
        number = run.pick(factorial(len(filters)))
        left = everybody
        for one in next(islice(permutations(filters), number, None)):
            kept = one.keep(left) if left else ()
            dropped = [broker for broker in left if broker not in kept]
            wrong = [broker for broker in dropped if broker in offered]
            if dropped and one.clause:
                sentence = f"{wrong} offered: {one.why}"
                run.require(one.clause, not wrong, sentence, one.kind)
            left = kept
    promised = result or rescued
    missing = [broker for broker in promised if broker not in offered]
    if missing and any(not run.rule(True, so=clause) for clause in grounds(trial)):
        return
    if promised:
        run.require("PLC-32", not missing, f"{missing} not offered, without a reason", "missing")


def second_choice(
    run: Run,
    case: Case[CandidatesTrial, CandidatesAnswer],
    observed: CandidatesAnswer,
    everybody: Brokers,
) -> None:
    """The second choice, where the first one is overloaded; the last choice counts."""
    trial = case.trial
    first, *later = observed.offers or ((),)
    chosen = preferred(trial.prefers, first)
    again = is_overloaded(trial, chosen, case.edition)
    run.require(
        "PLC-33",
        None if again is None else later == ([everybody] if again else []),
        lambda: f"{chosen} {'is' if again else 'is not'} overloaded: {plain(later)}",
        "again",
    )
    last = preferred(trial.prefers_then, later[-1]) if later else chosen
    run.require("PLC-34", observed.chosen == last, f"{observed.chosen}, not {last}", "last")


@decision(
    "placement.filters",
    "PLC-4", "PLC-23", "PLC-25", "PLC-26", "PLC-27", "PLC-28", "PLC-30", "PLC-31", "PLC-32",
    "PLC-38", "PLC-39", "PLC-40",
)  # fmt: skip
def filters(run: Run, case: Case[FiltersTrial, CandidatesAnswer]) -> None:
    trial, edition, observed = case.trial, case.edition, case.observation
    if not answers(run, case, "PLC-38" if edition.spread_counts_bundles else "PLC-4"):
        return
    assert isinstance(observed, CandidatesAnswer)
    registered = {broker.name: broker.registration for broker in trial.brokers}
    first: Brokers = observed.offers[0] if observed.offers else ()
    isolated(run, trial, first)
    if policy_of(trial) is None:
        accepted(run, trial, first, lambda b: takes(registered.get(b), trial.persistent))
    if trial.excluded:
        wrong = [broker for broker in first if broker in trial.excluded]
        run.require("PLC-40", not wrong, f"{wrong} excluded", "excluded")
    everybody = tuple(name for name in registered if name not in trial.excluded)
    if not edition.spread_counts_bundles:
        everybody = by_sort(run, trial, everybody, registered)
    in_order = extensible_filters(trial, edition)
    filtered(run, trial, in_order, everybody, first, ())
    left = left_by(in_order, everybody)
    if not left and same_in_every_order(in_order, everybody):
        run.require("PLC-39", observed.chosen is None, f"{observed.chosen} chosen", "none")
    offers = (ordered(left),) if left else ()
    right = CandidatesAnswer(offers, preferred(trial.prefers, left))
    must_be(run, case, "PLC-38", right, "placing it")
