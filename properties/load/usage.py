"""How full a broker is (LOA-1 to LOA-7)."""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from itertools import product
from typing import Final, TypeAlias

from evenkeel.properties.load.judge_parts import close
from evenkeel.properties.load.trial_parts import (
    RESOURCES,
    finite,
    require_limit,
    require_number,
    require_settings,
)
from evenkeel.properties.tolerance import SINGLE
from evenkeel.reference.edition import Edition
from evenkeel.reference.load import usage
from evenkeel.reference.load.usage import Resource, Resources, Weights
from evenkeel_engine.kit.clause import Case
from evenkeel_engine.kit.draw import Draw
from evenkeel_engine.kit.exempt import Exempt
from evenkeel_engine.kit.formatting import display
from evenkeel_engine.kit.judge import answers, decision, is_must, require_equal
from evenkeel_engine.kit.observations import Broke, Refused
from evenkeel_engine.kit.question import Question
from evenkeel_engine.kit.run import Run


@dataclass(frozen=True, slots=True)
class Metered:
    """One resource as a broker measures it: usage and limit, in the same unit.

    `usage` null: the measurement is not a number. A limit of 0 or less: there is none, and 0 % are
    used, also where `usage` is null.
    """

    usage: float | None
    limit: float

    def __post_init__(self) -> None:
        if self.usage is not None:
            require_number("usage", self.usage)
        require_limit("limit", self.limit)

    def resource(self) -> Resource:
        """The resource in the reference's form."""
        return Resource(math.nan if self.usage is None else self.usage, self.limit)


@dataclass(frozen=True, slots=True)
class UsageTrial:
    """`load.usage`: how full is a broker?

    `weights` are configured under their current names, `misspelt_in` and `misspelt_out` those of
    the bandwidths under their old ones (`loadBalancerBandwith…`; 1.0: not configured).
    """

    cpu: Metered
    memory: Metered
    direct_memory: Metered
    bandwidth_in: Metered
    bandwidth_out: Metered
    weights: Weights
    misspelt_in: float
    misspelt_out: float

    def __post_init__(self) -> None:
        require_settings("weights", self.weights)
        for misspelt in (self.misspelt_in, self.misspelt_out):
            require_settings("misspelt", Weights(misspelt))

    def resources(self) -> Resources:
        """All five in the reference's form."""
        return Resources(*(getattr(self, name).resource() for name in RESOURCES))


@dataclass(frozen=True, slots=True)
class UsageAnswer:
    """Percentages of the five resources, the weights of the bandwidths, and scores (fractions).

    `weighted` is the modular manager's score, `weighted_with_heap` the extensible one's before it
    is smoothed, `unweighted` and `unweighted_extensible` their largest usages without weights, heap
    left out; what was measured as no number counts in none. They are cut neither at 0 nor at 1,
    unless the percentages are. Null: there is no finite number.
    """

    cpu: float | None
    memory: float | None
    direct_memory: float | None
    bandwidth_in: float | None
    bandwidth_out: float | None
    weight_in: float
    weight_out: float
    weighted: float | None
    weighted_with_heap: float | None
    unweighted: float | None
    unweighted_extensible: float | None


def draw_metered(draw: Draw) -> Metered:
    """A resource: a round percentage, something in between, too much, or unknown."""
    sort = draw.integer(0, 9)
    if sort == 0:
        return Metered(0.0, draw.pick((0.0, 100.0, -1.0)))
    if sort <= 4:
        return Metered(float(draw.integer(0, 120)), draw.pick((100.0, 200.0, 1600.0, 3.0)))
    if sort <= 6:
        return Metered(draw.real(0.0, 120.0), 100.0)
    if sort == 7:
        return Metered(draw.real(0.0, 1e8), draw.real(1.0, 1e8))
    if sort == 8:
        return Metered(None, draw.pick((100.0, 0.0)))
    return Metered(draw.pick((-1.0, 5.0, 1e12)), draw.pick((-1.0, 1e-6, 100.0)))


def draw_weight(draw: Draw, default: float) -> float:
    """A weight, mostly the default."""
    if draw.chance(0.6):
        return draw.pick((0.0, 1.0, 0.5, 2.0)) if draw.chance(0.7) else draw.real(0.0, 3.0)
    return default


def usage_trial(draw: Draw) -> UsageTrial:
    """Five resources and seven weights."""
    known = Weights()
    return UsageTrial(
        cpu=draw_metered(draw),
        memory=draw_metered(draw),
        direct_memory=draw_metered(draw),
        bandwidth_in=draw_metered(draw),
        bandwidth_out=draw_metered(draw),
        weights=Weights(
            draw_weight(draw, known.cpu),
            draw_weight(draw, known.memory),
            draw_weight(draw, known.direct_memory),
            draw_weight(draw, known.bandwidth_in),
            draw_weight(draw, known.bandwidth_out),
        ),
        misspelt_in=draw_weight(draw, 1.0),
        misspelt_out=draw_weight(draw, 1.0),
    )


def answer_usage(trial: UsageTrial, edition: Edition) -> UsageAnswer:
    """Percentages and scores."""
    resources = trial.resources()
    weights = replace(
        trial.weights,
        bandwidth_in=usage.bandwidth_weight(trial.weights.bandwidth_in, trial.misspelt_in, edition),
        bandwidth_out=usage.bandwidth_weight(
            trial.weights.bandwidth_out, trial.misspelt_out, edition
        ),
    )
    return UsageAnswer(
        cpu=finite(usage.percent_usage(resources.cpu)),
        memory=finite(usage.percent_usage(resources.memory)),
        direct_memory=finite(usage.percent_usage(resources.direct_memory)),
        bandwidth_in=finite(usage.percent_usage(resources.bandwidth_in)),
        bandwidth_out=finite(usage.percent_usage(resources.bandwidth_out)),
        weight_in=weights.bandwidth_in,
        weight_out=weights.bandwidth_out,
        weighted=finite(usage.max_weighted_usage(resources, weights)),
        weighted_with_heap=finite(usage.max_weighted_usage_with_heap(resources, weights)),
        unweighted=finite(usage.max_usage(resources)),
        unweighted_extensible=finite(usage.max_usage_in_double(resources)),
    )


def usage_labels(trial: UsageTrial) -> Iterator[str]:
    """What is unknown, and what exceeds its limit."""
    metered = [getattr(trial, name) for name in RESOURCES]
    if any(each.usage is None for each in metered):
        yield "not a number"
    if any(each.limit <= 0 for each in metered):
        yield "without a limit"
    if any(each.usage is not None and 0 < each.limit < each.usage for each in metered):
        yield "above 100 %"
    if trial.misspelt_in != 1.0 or trial.misspelt_out != 1.0:
        yield "weight under its old name"


WITHOUT_HEAP: Final = tuple(name for name in RESOURCES if name != "memory")
HEAP_ALONE: Final = tuple(name for name in RESOURCES if name != "direct_memory")

Shares: TypeAlias = Mapping[str, float | None]
"""The usage of each resource in percent; None where that is not a number."""

UNWEIGHTED: Final = dict.fromkeys(RESOURCES, 1.0)


@decision("load.usage", *(f"LOA-{number}" for number in range(1, 8)))
def judge_usage(run: Run, case: Case[UsageTrial, UsageAnswer]) -> None:
    trial, observed = case.trial, case.observation
    if not answers(run, case, "LOA-1") or isinstance(observed, Refused | Broke):
        return
    measured = {name: getattr(trial, name) for name in RESOURCES}
    shares = {name: share(metered) for name, metered in measured.items()}
    for name, right in shares.items():
        percent = getattr(observed, name)
        if not close(percent, right, SINGLE):
            is_known = "%, and not a number" if right is None else f"%, but {display(right)} %"
            run.require("LOA-1", False, f"{name} is {display(percent)} {is_known} are used", name)
    run.require("LOA-1", True)
    bandwidths(run, case, observed)
    scores(run, case, observed, shares)
    if is_must("LOA-6", case.edition.name):
        right_answer = case.expected
        for name in RESOURCES:
            percent, exactly = getattr(observed, name), getattr(right_answer, name)
            sentence = (
                ""
                if percent == exactly
                else f"{name} is {display(percent)} %, exactly {display(exactly)} %"
            )
            run.require("LOA-2", percent == exactly, sentence)
        require_equal(run, case, "LOA-6", what="usage")


def bandwidths(run: Run, case: Case[UsageTrial, UsageAnswer], observed: UsageAnswer) -> None:
    """LOA-7: the weights of the bandwidths that count."""
    trial = case.trial
    known, weights = trial.weights, weights_of(trial, case.edition)
    right = weights["bandwidth_in"], weights["bandwidth_out"]
    configured = known.bandwidth_in, known.bandwidth_out, trial.misspelt_in, trial.misspelt_out
    if any(weight != 1.0 for weight in configured):
        reported = observed.weight_in, observed.weight_out
        run.require(
            "LOA-7",
            reported == right,
            lambda: (
                f"the weights of the bandwidths are {display(reported)}, "
                f"but must be {display(right)}"
            ),
        )


def scores(
    run: Run, case: Case[UsageTrial, UsageAnswer], answer: UsageAnswer, shares: Shares
) -> None:
    """LOA-3, LOA-4, LOA-5: the largest of the usages. It may be computed from reported values where
    the documents do not say what is right, so that their consequences are not reported as
    violations; nor do the documents agree which memory counts under either manager. A weight
    of 0 excludes a resource, or makes its usage 0, which differs where all others are below 0.
    """
    trial, open_ = case.trial, not is_must("LOA-6", case.edition.name)
    followed = {name: reported_share(trial, answer, name, right) for name, right in shares.items()}
    known = weights_of(trial, case.edition)
    weights = [known, reported_weights(trial, answer, known)]
    for clause, name, weighting, heap in (
        ("LOA-3", "weighted", weights, False),
        ("LOA-4", "weighted_with_heap", weights, True),
        ("LOA-5", "unweighted", [UNWEIGHTED], False),
        ("LOA-5", "unweighted_extensible", [UNWEIGHTED], False),
    ):
        score = getattr(answer, name)
        own = RESOURCES if heap else WITHOUT_HEAP
        others = (RESOURCES, WITHOUT_HEAP, HEAP_ALONE) if open_ and clause != "LOA-5" else ()
        ways = list(product((shares, followed), weighting, dict.fromkeys((own, *others))))
        if open_:
            ways += [(of, by, tuple(one for one in names if by[one])) for of, by, names in ways]
        same = any(close(score, most(*way), SINGLE) for way in ways)
        if not same and any(of[one] is None for of, _, names in ways for one in names):
            zeros = [({one: of[one] or 0.0 for one in of}, by, names) for of, by, names in ways]
            same = score is None or any(close(score, most(*way), SINGLE) for way in zeros)
            sentence = f"the score {name} is {display(score)}: what is not a number counts"
            run.require("LOA-1", not same, sentence, name)
        right = most(shares, weights[0] if weighting is weights else UNWEIGHTED, own)
        sentence = (
            "" if same else f"the score {name} is {display(score)}, but must be {display(right)}"
        )
        run.require(clause, same, sentence, name if clause == "LOA-5" else "")


def reported_share(
    trial: UsageTrial, observed: UsageAnswer, name: str, right: float | None
) -> float | None:
    """The percentage from which a score may be computed: the right one, or the reported one where
    the right one is not from 0 to 100 %, of which the documents say nothing.
    """
    reported: float | None = getattr(observed, name)
    metered: Metered = getattr(trial, name)
    known = metered.usage is not None and 0 <= metered.usage <= metered.limit and metered.limit > 0
    return right if known else reported


def reported_weights(
    trial: UsageTrial, observed: UsageAnswer, known: Mapping[str, float]
) -> dict[str, float]:
    """The weights for a score: those configured under either name, if reported as what counts."""
    weights = dict(known)
    for name, misspelt, reported in (
        ("bandwidth_in", trial.misspelt_in, observed.weight_in),
        ("bandwidth_out", trial.misspelt_out, observed.weight_out),
    ):
        if misspelt != 1.0 and reported in (misspelt, getattr(trial.weights, name)):
            weights[name] = reported
    return weights


def share(metered: Metered) -> float | None:
    """LOA-1: the usage in percent of the limit; None if it is not a number."""
    if metered.limit <= 0:
        return 0.0
    return None if metered.usage is None else 100 * metered.usage / metered.limit


def weights_of(trial: UsageTrial, edition: Edition) -> dict[str, float]:
    """LOA-7: each resource's weight; a bandwidth's old name if needed, in PULSAR_3_3 always."""
    known = {name: getattr(trial.weights, name) for name in RESOURCES}
    old = edition.bandwidth_weights_misspelt
    if old or known["bandwidth_in"] == 1.0:
        known["bandwidth_in"] = trial.misspelt_in
    if old or known["bandwidth_out"] == 1.0:
        known["bandwidth_out"] = trial.misspelt_out
    return known


def most(shares: Shares, weights: Mapping[str, float], names: Iterable[str]) -> float | None:
    """LOA-3: the largest weighted usage as a fraction; what is not a number does not count."""
    counting = ((shares[name], weights[name]) for name in names)
    return max((usage * by / 100 for usage, by in counting if usage is not None), default=None)


USAGE: Final = Question(
    "load.usage",
    UsageTrial,
    UsageAnswer,
    usage_trial,
    answer_usage,
    usage_labels,
    exempt=Exempt(unjudged={"memory": "LOA-3, LOA-4: heap memory may count or not"}),
)

QUESTIONS: Final = (USAGE,)
