"""How full a broker is (LOA-1 to LOA-7)."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Final

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
UNWEIGHTED: Final = dict.fromkeys(RESOURCES, 1.0)


@decision("load.usage", *(f"LOA-{number}" for number in range(1, 8)))
def usage(run: Run, case: Case[UsageTrial, UsageAnswer]) -> None:
    trial, observed = case.trial, case.observation
    if not answers(run, case, "LOA-1") or isinstance(observed, Refused | Broke):
        return
    shares = {name: share(getattr(trial, name)) for name in RESOURCES}
    weights = weights_of(trial)
    for name, right in shares.items():
        percent = getattr(observed, name)
        if not close(percent, right, SINGLE):
            run.require(
                "LOA-1", False, f"{name} is {plain(percent)} %, but {plain(right)} % are used", name
            )
    run.require("LOA-1", True)
    followed = {name: follows(trial, observed, name, right) for name, right in shares.items()}
    for clause, name, by, names in (
        ("LOA-3", "weighted", weights, WITHOUT_HEAP),
        ("LOA-4", "weighted_with_heap", weights, RESOURCES),
        ("LOA-5", "unweighted", UNWEIGHTED, WITHOUT_HEAP),
        ("LOA-5", "unweighted_extensible", UNWEIGHTED, WITHOUT_HEAP),
    ):
        score, right = getattr(observed, name), most(shares, by, names)
        same = close(score, right, SINGLE) or close(score, most(followed, by, names), SINGLE)
        sentence = "" if same else f"the score {name} is {plain(score)}, but must be {plain(right)}"
        run.require(clause, same, sentence, name if clause == "LOA-5" else "")
    known, right_weights = trial.weights, (weights["bandwidth_in"], weights["bandwidth_out"])
    configured = known.bandwidth_in, known.bandwidth_out, trial.misspelt_in, trial.misspelt_out
    if any(weight != 1.0 for weight in configured):
        told = observed.weight_in, observed.weight_out
        run.require(
            "LOA-7",
            told == right_weights,
            lambda: (
                f"the weights of the bandwidths are {plain(told)}, but must be "
                f"{plain(right_weights)}"
            ),
        )
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


def follows(
    trial: UsageTrial, observed: UsageAnswer, name: str, right: float | None
) -> float | None:
    """What a score may be made of: a percentage, or what was told in its place where there is no
    limit, so that who departs from LOA-1 there is not accused of what follows from it.
    """
    told: float | None = getattr(observed, name)
    return told if getattr(trial, name).limit <= 0 else right


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


def most(
    shares: Mapping[str, float | None], weights: Mapping[str, float], names: Iterable[str]
) -> float | None:
    """LOA-3: the largest weighted usage as a fraction; what is not a number does not count."""
    counting = ((shares[name], weights[name]) for name in names)
    return max((usage * by / 100 for usage, by in counting if usage is not None), default=None)
