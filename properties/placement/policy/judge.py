"""PLC-46 to PLC-49: which isolation policies are stored, which are refused."""

from __future__ import annotations

from evenkeel.properties.clause import Case, describe
from evenkeel.properties.judging.judge import decision
from evenkeel.properties.judging.run import Run
from evenkeel.properties.observations import Broke, Refused
from evenkeel.properties.placement.expressions import readable
from evenkeel.properties.placement.policy.trial import StoredPolicyAnswer, StoredPolicyTrial
from evenkeel.properties.plain import plain


@decision("placement.policy", "PLC-46", "PLC-47", "PLC-48", "PLC-49")
def policy(run: Run, case: Case[StoredPolicyTrial, StoredPolicyAnswer]) -> None:
    trial, observed = case.trial, case.observation
    stored = None if isinstance(observed, Refused | Broke) else observed.stored
    said = describe(observed)
    if not readable((*trial.primary, *trial.secondary)):
        brokers = (*trial.primary, *trial.secondary)
        run.require("PLC-46", stored is False, lambda: f"{plain(brokers)} cannot be read: {said}")
        if not readable(trial.namespaces):
            run.require(
                "PLC-47",
                stored is False,
                lambda: f"{plain(trial.namespaces)} cannot be read: {said}",
            )
        return
    names = bool(trial.namespaces and trial.primary)
    if readable(trial.namespaces):
        kind = "refused" if names else "stored"
        run.require("PLC-48", stored is names, lambda: f"{plain(trial)}: {said}", kind)
        return
    run.require(
        "PLC-47", stored is False, lambda: f"{plain(trial.namespaces)} cannot be read: {said}"
    )
    if case.edition.unreadable_namespaces_stored and names:
        run.require("PLC-49", stored is True, lambda: f"{plain(trial.namespaces)}: {said}")
