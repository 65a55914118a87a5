"""Lists of results compared one by one."""

from __future__ import annotations

from typing import Any

from evenkeel.properties.clause import HOLDS, Case, Finding, Violation, as_expected
from evenkeel.properties.observations import Broke, CommandBroke, CommandRefused, Refused


def same(observed: object, expected: object) -> bool:
    """Equal; of refusals and failures only the sort counts."""
    if isinstance(expected, CommandRefused | CommandBroke):
        return type(observed) is type(expected)
    return observed == expected


def results_as_expected(case: Case[Any, Any]) -> Finding:
    """Every result is the reference's; the first that is not is told with its command."""
    expected, observed = case.expected, case.observation
    if isinstance(expected, Refused | Broke) or isinstance(observed, Refused | Broke):
        return as_expected(case, "making it")
    if len(observed.results) != len(expected.results):
        return Violation(f"{len(observed.results)} results of {len(expected.results)}", "shape")
    rows = zip(case.trial.commands, observed.results, expected.results, strict=True)
    for place, (command, result, right) in enumerate(rows):
        if not same(result, right):
            word = type(command).__name__
            return Violation(f"command {place}, {command}: must be {right}, not {result}", word)
    return HOLDS
