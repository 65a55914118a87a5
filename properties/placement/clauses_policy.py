"""Clauses about isolation policies that are set: which are stored, which are refused."""

from __future__ import annotations

from typing import Final

from evenkeel.properties.clause import UNEXERCISED, Case, Finding, Violation, describe, unless
from evenkeel.properties.observations import Broke, Refused
from evenkeel.properties.placement.book import check
from evenkeel.properties.placement.trials_policy import StoredPolicyAnswer, StoredPolicyTrial
from evenkeel.reference.placement.admission import readable

PolicyCase = Case[StoredPolicyTrial, StoredPolicyAnswer]
POLICY: Final = "placement.policy"


def kept(case: PolicyCase) -> bool | None:
    """Whether the policy was stored; null if the subject did not say."""
    observed = case.observation
    return None if isinstance(observed, Refused | Broke) else observed.stored


def readable_brokers(trial: StoredPolicyTrial) -> bool:
    """Whether all expressions for brokers can be read."""
    return readable(trial.primary) and readable(trial.secondary)


@check("PLC-46", POLICY)
def unreadable_brokers_are_refused(case: PolicyCase) -> Finding:
    if readable_brokers(case.trial):
        return UNEXERCISED
    brokers = (case.trial.primary, case.trial.secondary)
    return unless(kept(case) is False, f"{brokers} cannot be read: {describe(case.observation)}")


@check("PLC-47", POLICY)
def unreadable_namespaces_are_refused(case: PolicyCase) -> Finding:
    namespaces = case.trial.namespaces
    if readable(namespaces):
        return UNEXERCISED
    return unless(kept(case) is False, f"{namespaces} cannot be read: {describe(case.observation)}")


@check("PLC-48", POLICY)
def other_policies_are_stored(case: PolicyCase) -> Finding:
    trial = case.trial
    if not readable(trial.namespaces) or not readable_brokers(trial):
        return UNEXERCISED
    names = bool(trial.namespaces and trial.primary)
    if kept(case) is not names:
        return Violation(f"{trial}: {describe(case.observation)}", "refused" if names else "stored")
    return unless(True, "")


@check("PLC-49", POLICY)
def namespaces_are_not_read_in_4_0(case: PolicyCase) -> Finding:
    trial = case.trial
    if readable(trial.namespaces) or not trial.primary or not readable_brokers(trial):
        return UNEXERCISED
    return unless(kept(case) is True, f"{trial.namespaces}: {describe(case.observation)}")
