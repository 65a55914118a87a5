"""Failures of a check as a person wants them: the root before what follows from it, and small."""

from __future__ import annotations

import math
import re
import time
from collections.abc import Collection, Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any, Final

from evenkeel_engine.check.breach import Breach, Judging, explain_breach, step_of
from evenkeel_engine.check.nearest import find_nearest
from evenkeel_engine.check.seeded import make_trial
from evenkeel_engine.check.shrink import Shrunk, shrink, with_fewer_steps
from evenkeel_engine.check.tally import Found, Tally
from evenkeel_engine.content import Edition
from evenkeel_engine.kit.catalogue import QUESTIONS, clauses_for
from evenkeel_engine.kit.clause import Case
from evenkeel_engine.kit.question import AnyQuestion, Observation, Verdict, judge_case
from evenkeel_engine.subjects.base import Observed, Subject, reply_to

OTHER_CLAUSE: Final = re.compile(r"\b[A-Z]{3}-\d+\b")
TIME_FOR_ONE: Final = 20.0
TIME_FOR_ALL: Final = 60.0
"""Seconds in which smaller trials are looked for: of one failure, and of all of a check."""
LEAST: Final = 2.0
"""Seconds that are left to leave out steps of a trial."""


@dataclass(frozen=True, slots=True)
class Failure:
    """One signature: how many trials fail with it, and the smallest one found.

    `observation` is the subject's, `expected` one right answer, perhaps of many: of those known
    the one nearest to the subject's, and `of_reference`: whether it is the reference's. Both
    are absent if the failure did not recur; then `trial` is as it was generated.
    `is_cut_short`: the search for a smaller one ran out of time. `breach`: where the clause is
    broken, and by what.
    """

    signature: str
    found: Found
    trials: int
    sentence: str
    trial: Any
    observation: Observation | None = None
    expected: Observation | None = None
    of_reference: bool = True
    is_cut_short: bool = False
    breach: Breach | None = None

    @property
    def question(self) -> AnyQuestion:
        """The question of the trial."""
        return QUESTIONS[self.found.question]

    @property
    def again(self) -> bool:
        """Whether the failure recurred when the trial was put again."""
        return self.expected is not None


def group_failures(
    tally: Tally,
    subject: Subject,
    edition: Edition,
    errors: Collection[str],
    departures: Collection[str] = (),
) -> dict[str, list[str]]:
    """Each failure with those that follow from it: the roots in order, errors first, and those of
    which it is unknown whether another clause is broken instead behind the others.

    The smallest trial of each signature is put again, and what is violated on it is put in the
    order of the run. A signature that is never the first follows from the first one on its own
    smallest trial; an error does not follow from a mere departure.
    """
    every = [*errors, *departures]
    met = {one: violated_on(tally.smallest[one], subject, edition) for one in every}
    first = {one: next((s for s in met[one] if s in met), one) for one in every}
    never_first = set(every) - {found[0] for found in met.values() if found}
    follows: dict[str, list[str]] = {}

    def key(signature: str) -> tuple[object, ...]:
        found = tally.smallest[signature]
        hedged = names_others(found.clause, found.sentence)
        return signature not in errors, hedged, found.size, signature

    for one in sorted(every, key=key):
        root = first[one]
        if one not in never_first or root == one or (one in errors and root not in errors):
            follows.setdefault(one, [])
        else:
            follows.setdefault(root, []).append(one)

    def place(root: str) -> tuple[object, ...]:
        return root not in errors, is_unsure(tally.smallest[root]), -len(follows[root]), key(root)

    # Departures that need not be any are listed with the first error of their question.
    first = {tally.smallest[one].question: one for one in reversed(follows) if one in errors}
    for one in [one for one in follows if one not in errors]:
        found = tally.smallest[one]
        if is_unsure(found) and found.question in first:
            follows[first[found.question]] += [one, *follows.pop(one)]
    return {root: follows[root] for root in sorted(follows, key=place)}


def is_unsure(found: Found) -> bool:
    """Whether the judge says what may be wrong instead, be it a clause or an act."""
    return "or else" in found.sentence


def flatten_groups(groups: Mapping[str, Iterable[str]]) -> list[str]:
    """All signatures, each root before what follows from it."""
    return [one for root, others in groups.items() for one in (root, *others)]


def violated_on(found: Found, subject: Subject, edition: Edition) -> list[str]:
    """The signatures of all that a trial violates, in the order of its run."""
    question = QUESTIONS[found.question]
    trial = make_trial(question, found.seed, found.index, found.generator)
    reply = reply_to(subject, question, trial)
    if not isinstance(reply, Observed):
        return []
    return [one.signature for one in find_violations(question, trial, reply.observation, edition)]


def find_violations(
    question: AnyQuestion, trial: Any, observed: Observation, edition: Edition
) -> list[Verdict]:
    """All that an observation violates, in the order of its run."""
    clauses, by = clauses_for(question.name, edition), Judging(question, edition)
    case: Case[Any, Any] = Case(trial, observed, edition, question.observe)
    failed = judge_case(clauses, case).failed
    if not failed[1:] or failed[0].status == "errored":
        return list(failed)
    walked = list(clauses[0].judge(case).by_clause)

    def key(verdict: Verdict) -> tuple[int, bool, int]:
        hedged = names_others(verdict.clause, verdict.sentence)
        return step_of(by, trial, observed, verdict.signature), hedged, walked.index(verdict.clause)

    return sorted(failed, key=key)


def names_others(clause: str, sentence: str) -> bool:
    """Whether a judge was not sure: its sentence names other clauses that may be broken instead."""
    return bool(set(OTHER_CLAUSE.findall(sentence)) - {clause})


def describe_failures(
    signatures: Collection[str], tally: Tally, subject: Subject, edition: Edition
) -> Iterator[Failure]:
    """Each failure, shrunk when it is taken; the time that is left is shared by the rest."""
    left = TIME_FOR_ALL
    for done, signature in enumerate(signatures):
        begun = time.monotonic()
        share = min(TIME_FOR_ONE, left / (len(signatures) - done))
        failure = describe_failure(signature, tally, subject, edition, share)
        left = max(left - (time.monotonic() - begun), 0.0)
        yield failure


def describe_failure(
    signature: str, tally: Tally, subject: Subject, edition: Edition, seconds: float = math.inf
) -> Failure:
    """One failure, its smallest trial shrunk if the subject fails so again."""
    found, trials = tally.smallest[signature], tally.failures[signature]
    question = QUESTIONS[found.question]
    began = time.monotonic()
    shrunk = shrink(
        question, found.seed, found.index, signature, subject, edition, seconds, found.generator
    )
    if shrunk is None:
        return describe_unshrunk(signature, tally)
    left = max(seconds - (time.monotonic() - began), LEAST)
    shrunk = with_fewer_steps(question, shrunk, subject, edition, left)
    return failure_on(shrunk, found, trials, edition)


def failure_on(shrunk: Shrunk, found: Found, trials: int, edition: Edition) -> Failure:
    """The failure that a shrunk trial shows."""
    question, trial, observed = QUESTIONS[found.question], shrunk.trial, shrunk.observation
    signature, sentence = shrunk.verdict.signature, shrunk.verdict.sentence
    expected = question.observe(trial, edition)
    at = explain_breach(question, trial, observed, signature, edition)
    right = expected if at.step else find_nearest(question, trial, observed, expected, edition)
    same, cut = right is expected, shrunk.is_cut_short
    return Failure(signature, found, trials, sentence, trial, observed, right, same, cut, at)


def describe_unshrunk(signature: str, tally: Tally) -> Failure:
    """One failure with its smallest trial as the generator made it; the subject is not run."""
    found = tally.smallest[signature]
    trial = make_trial(QUESTIONS[found.question], found.seed, found.index, found.generator)
    return Failure(signature, found, tally.failures[signature], found.sentence, trial)
