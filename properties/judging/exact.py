"""Exact clauses of an edition, where an answer has one result for each command."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from evenkeel.properties.clause import Case, Violation, describe, shape
from evenkeel.properties.findings import Findings
from evenkeel.properties.judging.judge import binds
from evenkeel.properties.observations import Broke, CommandBroke, CommandRefused, Refused
from evenkeel.properties.plain import plain

Differ = Callable[[Any, Any], str | None]
"""In what an observed result differs from the right one: None, or a few words; "" for all."""


def differ(observed: object, right: object) -> str | None:
    """Of refusals and failures only the sort counts."""
    if isinstance(right, CommandRefused | CommandBroke):
        return None if type(observed) is type(right) else ""
    return None if observed == right else ""


def exact(
    findings: Findings,
    clause: str,
    case: Case[Any, Any],
    differ: Differ = differ,
    results: str = "results",
) -> None:
    """Where the edition has the clause, every result is the reference's."""
    if binds(clause, case.edition.name):
        findings.add(clause, first_wrong(case, differ, results))


def first_wrong(case: Case[Any, Any], differ: Differ, results: str) -> Violation | None:
    """The first result that is not the reference's, with its command."""
    if isinstance(case.expected, Refused | Broke) or isinstance(case.observation, Refused | Broke):
        kinds = shape(case.observation), shape(case.expected)
        sentence = (
            f"must be {describe(case.expected)}, but the subject {describe(case.observation)}"
        )
        return None if kinds[0] == kinds[1] else Violation(sentence, " instead of ".join(kinds))
    observed, expected = getattr(case.observation, results), getattr(case.expected, results)
    if len(observed) != len(expected):
        return Violation(f"{len(observed)} results of {len(expected)}", "shape")
    rows = zip(case.trial.commands, observed, expected, strict=True)
    for place, (command, result, right) in enumerate(rows, 1):
        part = differ(result, right)
        if part is not None:
            kind = type(command).__name__
            if part:
                meant, found = plain(getattr(right, part)), plain(getattr(result, part))
                wrong = f"{part} must be {meant}; not {found}"
                return Violation(f"command {place} ({plain(command)}): {wrong}", f"{kind}:{part}")
            sentence = f"must be {plain(right)}; not {plain(result)}"
            return Violation(f"command {place} ({plain(command)}): {sentence}", kind)
    return None
