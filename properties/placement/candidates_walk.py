"""What an answer about candidates says about each clause; shared by both managers."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from evenkeel.properties.clause import Case, describe
from evenkeel.properties.findings import Findings
from evenkeel.properties.observations import Broke, Refused
from evenkeel.properties.placement.answers import preferred
from evenkeel.properties.placement.orders import (
    Brokers,
    Keep,
    ends,
    extensible_filters,
    modular_filters,
)
from evenkeel.properties.placement.trials_candidates import (
    CandidatesAnswer,
    CandidatesTrial,
    FiltersTrial,
)
from evenkeel.reference.placement import candidates, isolation
from evenkeel.reference.placement.candidates import Step
from evenkeel.reference.placement.isolation import host, matches

CLAUSE_OF: Final = {
    Step.TOPICS: "PLC-27",
    Step.APART: "PLC-28",
    Step.EVEN: "PLC-29",
    Step.MANAGER: "PLC-30",
    Step.VERSION: "PLC-31",
}
ModularCase = Case[CandidatesTrial, CandidatesAnswer]
ExtensibleCase = Case[FiltersTrial, CandidatesAnswer]


def judge_isolation(
    trial: CandidatesTrial | FiltersTrial, offered: Brokers, findings: Findings
) -> None:
    """What may be offered at all: the policy's brokers, else shared ones that take the topics."""
    policy = isolation.policy_of(trial.policies, trial.namespace)
    names = [broker.name for broker in trial.brokers]
    if policy is None:
        for broker in offered:
            taken = any(matches(p.primary, host(broker)) for p in trial.policies)
            findings.note("PLC-26", not taken, f"{broker} is another namespace's primary", "shared")
        return
    named = (*policy.primary, *policy.secondary)
    for broker in offered:
        inside = matches(named, host(broker)) or broker not in names
        findings.note("PLC-23", inside, f"{broker} is not of the policy {policy}", "isolation")
        if matches(named, broker) and not inside:
            findings.note("PLC-25", False, f"{broker} matches with its port only", "port")
    if any(matches(named, name) != matches(named, host(name)) for name in names):
        findings.note("PLC-25", True)


def judge_filters(
    everybody: Brokers,
    keeps: Mapping[Step, Keep],
    offered: Brokers,
    rescued: Brokers,
    findings: Findings,
) -> None:
    """Each filter, where its place among the others does not matter."""
    results = {tuple(sorted(left)) for left in ends(everybody, keeps)}
    if len(results) != 1:
        return
    [result] = results
    promised = result or rescued
    for step, keep in keeps.items():
        kept = keep(everybody)
        if step not in CLAUSE_OF or kept is None or not result or set(kept) == set(everybody):
            continue
        wrong = [b for b in offered if b in everybody and b not in kept]
        findings.note(CLAUSE_OF[step], not wrong, f"{wrong} offered: {step.value}", step.name)
    missing = [broker for broker in promised if broker not in offered]
    findings.note("PLC-32", not missing, f"{missing} not offered, without a reason", "missing")


def walk_candidates(case: ModularCase) -> Findings:
    """The modular manager's placement."""
    findings, trial, observed = Findings(), case.trial, case.observation
    broke = isinstance(observed, Refused | Broke)
    findings.note("PLC-4", not broke, describe(observed), "broke")
    must = isinstance(case.expected, Broke)
    findings.note("PLC-5", isinstance(observed, Broke) == must, describe(observed), "broke")
    if isinstance(observed, Refused | Broke):
        return findings
    everybody = candidates.usable(trial.cluster, trial.namespace, trial.persistent)
    first: Brokers = observed.offers[0] if observed.offers else ()
    for offered in observed.offers:
        judge_isolation(trial, offered, findings)
    policy = isolation.policy_of(trial.policies, trial.namespace)
    if policy is None:
        wrong = [b for b in first if not takes(trial, b)]
        findings.note("PLC-26", not wrong, f"{wrong} take no such topics", "sort")
    else:
        wrong = [b for b in first if b not in everybody]
        findings.note("PLC-24", not wrong, f"{wrong}: there are {policy.least} primary", "failover")
    if not everybody:
        findings.note("PLC-39", observed.chosen is None, f"{observed.chosen} chosen", "none")
        return findings
    usable = tuple(sorted(everybody))
    judge_filters(everybody, modular_filters(trial, case.edition), first, usable, findings)
    judge_second(case, first, usable, findings)
    return findings


def takes(trial: CandidatesTrial, broker: str) -> bool:
    """Whether a broker has reported that it takes topics of this sort."""
    report = trial.cluster.reports.get(broker)
    return report is not None and (report.persistent if trial.persistent else report.non_persistent)


def judge_second(case: ModularCase, first: Brokers, everybody: Brokers, findings: Findings) -> None:
    """The second choice, where the first one is overloaded; the last choice counts."""
    trial, observed = case.trial, case.observation
    assert isinstance(observed, CandidatesAnswer)
    chosen = preferred(trial.prefers, first)
    known = chosen is not None and chosen in trial.cluster.reports
    if known and chosen is not None:
        again = candidates.asks_again(chosen, trial.cluster, trial.config, case.edition)
        right = observed.offers[1:] == ((everybody,) if again else ())
        sentence = f"{chosen} {'is' if again else 'is not'} overloaded: {observed.offers[1:]}"
        findings.note("PLC-33", right, sentence, "again")
    last = preferred(trial.prefers_then, observed.offers[-1]) if observed.offers[1:] else chosen
    findings.note("PLC-34", observed.chosen == last, f"{observed.chosen}, not {last}", "last")


def walk_filters(case: ExtensibleCase) -> Findings:
    """The extensible manager's placement."""
    findings, trial, observed = Findings(), case.trial, case.observation
    broke = isinstance(observed, Refused | Broke)
    findings.note("PLC-4", not broke, describe(observed), "broke")
    if isinstance(observed, Refused | Broke):
        return findings
    first: Brokers = observed.offers[0] if observed.offers else ()
    judge_isolation(trial, first, findings)
    if isolation.policy_of(trial.policies, trial.namespace) is None:
        known = trial.registry.brokers
        wrong = [
            b
            for b in first
            if b not in known
            or not (known[b].persistent if trial.persistent else known[b].non_persistent)
        ]
        findings.note("PLC-26", not wrong, f"{wrong} take no such topics", "sort")
    if trial.excluded:
        wrong = [b for b in first if b in trial.excluded]
        findings.note("PLC-40", not wrong, f"{wrong} excluded", "excluded")
    everybody = tuple(b.name for b in trial.brokers if b.name not in trial.excluded)
    keeps = extensible_filters(trial, case.edition)
    if all(not left for left in ends(everybody, keeps)):
        findings.note("PLC-39", observed.chosen is None, f"{observed.chosen} chosen", "none")
    judge_filters(everybody, keeps, first, (), findings)
    return findings
