"""How full a broker is (LOA-1 to LOA-7)."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from itertools import product
from typing import Final, TypeAlias

from evenkeel.properties.clause import Case
from evenkeel.properties.judging.judge import answers, binds, decision, is_the_answer
from evenkeel.properties.judging.run import Run
from evenkeel.properties.judging.tolerance import SINGLE
from evenkeel.properties.load.comparing import close
from evenkeel.properties.load.numbers import RESOURCES
from evenkeel.properties.load.usage.trial import Metered, UsageAnswer, UsageTrial
from evenkeel.properties.observations import Broke, Refused
from evenkeel.properties.plain import plain

WITHOUT_HEAP: Final = tuple(name for name in RESOURCES if name != "memory")
Shares: TypeAlias = Mapping[str, float | None]
"""The usage of each resource in percent; None where that is not a number."""

UNWEIGHTED: Final = dict.fromkeys(RESOURCES, 1.0)


@decision("load.usage", *(f"LOA-{number}" for number in range(1, 8)))
def usage(run: Run, case: Case[UsageTrial, UsageAnswer]) -> None:
    trial, observed = case.trial, case.observation
    if not answers(run, case, "LOA-1") or isinstance(observed, Refused | Broke):
        return
    measured = {name: getattr(trial, name) for name in RESOURCES}
    shares = {name: share(metered) for name, metered in measured.items()}
    for name, right in shares.items():
        percent = getattr(observed, name)
        if not close(percent, right, SINGLE):
            is_known = "%, and not a number" if right is None else f"%, but {plain(right)} %"
            run.require("LOA-1", False, f"{name} is {plain(percent)} {is_known} are used", name)
    run.require("LOA-1", True)
    bandwidths(run, trial, observed)
    scores(run, case, observed, shares)
    if binds("LOA-6", case.edition.name):
        right_answer = case.expected
        for name in RESOURCES:
            percent, exactly = getattr(observed, name), getattr(right_answer, name)
            sentence = (
                ""
                if percent == exactly
                else f"{name} is {plain(percent)} %, exactly {plain(exactly)} %"
            )
            run.require("LOA-2", percent == exactly, sentence)
        is_the_answer(run, case, "LOA-6", "usage")


def bandwidths(run: Run, trial: UsageTrial, observed: UsageAnswer) -> None:
    """LOA-7: the weights of the bandwidths that count."""
    known, weights = trial.weights, weights_of(trial)
    right = weights["bandwidth_in"], weights["bandwidth_out"]
    configured = known.bandwidth_in, known.bandwidth_out, trial.misspelt_in, trial.misspelt_out
    if any(weight != 1.0 for weight in configured):
        told = observed.weight_in, observed.weight_out
        run.require(
            "LOA-7",
            told == right,
            lambda: f"the weights of the bandwidths are {plain(told)}, but must be {plain(right)}",
        )


def scores(
    run: Run, case: Case[UsageTrial, UsageAnswer], told: UsageAnswer, shares: Shares
) -> None:
    """LOA-3, LOA-4, LOA-5: the largest of the usages. It may be made of what was told where the
    documents do not say what is right, so that nobody is accused of what follows from that; nor
    do they agree whether heap memory counts under either manager. A weight of 0 leaves a resource
    out, or makes nothing of it, which differs where all others are below 0.
    """
    trial, open_ = case.trial, not binds("LOA-6", case.edition.name)
    followed = {name: told_of(trial, told, name, right) for name, right in shares.items()}
    weights = [weights_of(trial), told_weights_of(trial, told)]
    for clause, name, weighting, heap in (
        ("LOA-3", "weighted", weights, False),
        ("LOA-4", "weighted_with_heap", weights, True),
        ("LOA-5", "unweighted", [UNWEIGHTED], False),
        ("LOA-5", "unweighted_extensible", [UNWEIGHTED], False),
    ):
        score = getattr(told, name)
        own, others = (RESOURCES, WITHOUT_HEAP) if heap else (WITHOUT_HEAP, RESOURCES)
        counting = [own, others] if open_ and clause != "LOA-5" else [own]
        ways = list(product((shares, followed), weighting, counting))
        if open_:
            ways += [(of, by, tuple(one for one in names if by[one])) for of, by, names in ways]
        same = any(close(score, most(*way), SINGLE) for way in ways)
        if not same and any(of[one] is None for of, _, names in ways for one in names):
            zeros = [(zeros_for(of), by, names) for of, by, names in ways]
            same = score is None or any(close(score, most(*way), SINGLE) for way in zeros)
            sentence = f"the score {name} is {plain(score)}: what is not a number counts"
            run.require("LOA-1", not same, sentence, name)
        right = most(shares, weights[0] if weighting is weights else UNWEIGHTED, own)
        sentence = "" if same else f"the score {name} is {plain(score)}, but must be {plain(right)}"
        run.require(clause, same, sentence, name if clause == "LOA-5" else "")


def zeros_for(shares: Shares) -> Shares:
    """Nothing for each that is not a number."""
    return {name: usage or 0.0 for name, usage in shares.items()}


def told_of(
    trial: UsageTrial, observed: UsageAnswer, name: str, right: float | None
) -> float | None:
    """What a score may be made of: a percentage, or what was told in its place where that is not
    from 0 to 100 %, of which the documents say nothing.
    """
    told: float | None = getattr(observed, name)
    metered: Metered = getattr(trial, name)
    known = metered.usage is not None and 0 <= metered.usage <= metered.limit and metered.limit > 0
    return right if known else told


def told_weights_of(trial: UsageTrial, observed: UsageAnswer) -> dict[str, float]:
    """The weights that a score may be made of: what is configured under either name, if it was told
    as the weight that counts.
    """
    weights = weights_of(trial)
    for name, misspelt, told in (
        ("bandwidth_in", trial.misspelt_in, observed.weight_in),
        ("bandwidth_out", trial.misspelt_out, observed.weight_out),
    ):
        if misspelt != 1.0 and told in (misspelt, getattr(trial.weights, name)):
            weights[name] = told
    return weights


def share(metered: Metered) -> float | None:
    """LOA-1: the usage in percent of the limit; None if it is not a number."""
    if metered.limit <= 0:
        return 0.0
    return None if metered.usage is None else 100 * metered.usage / metered.limit


def weights_of(trial: UsageTrial) -> dict[str, float]:
    """LOA-7: the weight of each resource; of a bandwidth under its old name if need be."""
    known = {name: getattr(trial.weights, name) for name in RESOURCES}
    if known["bandwidth_in"] == 1.0:
        known["bandwidth_in"] = trial.misspelt_in
    if known["bandwidth_out"] == 1.0:
        known["bandwidth_out"] = trial.misspelt_out
    return known


def most(shares: Shares, weights: Mapping[str, float], names: Iterable[str]) -> float | None:
    """LOA-3: the largest weighted usage as a fraction; what is not a number does not count."""
    counting = ((shares[name], weights[name]) for name in names)
    return max((usage * by / 100 for usage, by in counting if usage is not None), default=None)
