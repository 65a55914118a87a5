"""Puts trials that take the edges of a graph to a subject, and counts the edges that it took."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from itertools import takewhile
from typing import Any

from evenkeel.harness.severity import Severity
from evenkeel.harness.subjects.base import Errored, Observed, Request, Subject
from evenkeel.models.edge_cover import Edge
from evenkeel.models.ownership.edge_trials import Covered
from evenkeel.properties.catalogue import clauses_for
from evenkeel.properties.kit.question import Observation, Verdict, judge
from evenkeel.reference.edition import Edition


@dataclass(slots=True)
class Driven:
    """The result.

    `taken`: the edges of the trials that were answered; `alike`: those among them up to which the
    subject was seen to do what the reference does. `failures`: by signature, how often, and the
    shortest trial. `unanswered`: reasons; `errored`: how many of them are failures of the process.
    """

    graph: str
    edges: int
    trials: int = 0
    answered: int = 0
    errored: int = 0
    taken: set[Edge] = field(default_factory=set)
    alike: set[Edge] = field(default_factory=set)
    failures: dict[str, tuple[int, Verdict, Any]] = field(default_factory=dict)
    unanswered: dict[str, int] = field(default_factory=dict)

    def fails(self, verdict: Verdict, trial: Any) -> None:
        """Count a failure; of two trials the shorter is stored."""
        count, known, shortest = self.failures.get(verdict.signature, (0, verdict, trial))
        if len(trial.commands) < len(shortest.commands):
            known, shortest = verdict, trial
        self.failures[verdict.signature] = (count + 1, known, shortest)

    def errors(self, severity: Severity) -> list[str]:
        """The failures that are more than departures."""
        return [
            signature
            for signature, (_, verdict, _) in self.failures.items()
            if verdict.status == "errored" or not severity.may(verdict.clause)
        ]


def drive(covered: Covered, subject: Subject, edition: Edition) -> Driven:
    """Put the trials to the subject, and judge its answers by the clauses of the edition."""
    question, trials = covered.question, covered.trials
    clauses = clauses_for(question.name, edition)
    driven = Driven(covered.graph, covered.edges)
    requests = (Request(key, question, trial.trial) for key, trial in enumerate(trials))
    for request, reply in subject.replies(requests):
        driven.trials += 1
        if not isinstance(reply, Observed):
            driven.errored += isinstance(reply, Errored)
            driven.unanswered[reply.reason] = driven.unanswered.get(reply.reason, 0) + 1
            continue
        driven.answered += 1
        trial = trials[request.key]
        driven.taken.update(trial.edges)
        expected = question.observe(request.trial, edition)
        same = sum(1 for _ in takewhile(bool, alike(reply.observation, expected)))
        driven.alike.update(trial.edges[: max(0, same - trial.begins)])
        for verdict in judge(question, clauses, request.trial, reply.observation, edition):
            if verdict.failed:
                driven.fails(verdict, request.trial)
    return driven


def alike(observed: Observation, expected: Observation) -> Iterator[bool]:
    """For each command: was the same seen of both?"""
    for one, other in zip(steps(observed), steps(expected), strict=False):
        yield one == other


def steps(observation: Any) -> Sequence[object]:
    """What was seen of each command; nothing of a trial that was refused, or that broke."""
    found: Sequence[object] = getattr(observation, "steps", getattr(observation, "results", ()))
    return found
