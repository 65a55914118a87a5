"""The answers of 4.0, result by result."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from evenkeel.properties.clause import Case, in_full
from evenkeel.properties.findings import Findings
from evenkeel.properties.judging.judge import binds
from evenkeel.properties.observations import Broke, Refused
from evenkeel.properties.plain import plain


def note_exactly(
    case: Case[Any, Any], findings: Findings, clause: str, same: Callable[[Any, Any], bool]
) -> None:
    """Every result is 4.0's; the first that is not is told with its command."""
    observed = case.observation
    if not binds(clause, case.edition.name) or isinstance(case.expected, Refused | Broke):
        return
    right = case.expected.results
    if isinstance(observed, Refused | Broke) or len(observed.results) != len(right):
        sentence = f"there must be {len(right)} results, but the subject {in_full(observed)}"
        findings.note(clause, False, sentence, "shape")
        return
    rows = zip(case.trial.commands, observed.results, right, strict=True)
    for place, (command, result, wanted) in enumerate(rows, start=1):
        if not same(result, wanted):
            sentence = (
                f"command {place}, {plain(command)}: must be {plain(wanted)}, not {plain(result)}"
            )
            findings.note(clause, False, sentence, type(command).__name__)
            return
    findings.note(clause, True)
