"""Exact clauses of an edition, where an answer has one result for each command."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from contextlib import suppress
from dataclasses import dataclass
from functools import cache
from typing import Any, TypeAlias

from evenkeel_engine import spec
from evenkeel_engine.content import list_lineage
from evenkeel_engine.kit.clause import (
    HOLDS,
    Case,
    Findings,
    Violation,
    describe,
    in_full,
    name_shape,
)
from evenkeel_engine.kit.formatting import display
from evenkeel_engine.kit.observations import Broke, CommandBroke, CommandRefused, Refused
from evenkeel_engine.kit.run import (
    AnyRun,
    Contradiction,
    MonitorRun,
    Program,
    Run,
    Sentence,
    fill,
    format_sentence,
)
from evenkeel_engine.kit.search import explain

Differ = Callable[[Any, Any], str | None]
"""How an observed result differs from the right one: None, or a few words; "" for all of it."""


def differ(observed: object, right: object) -> str | None:
    """Compare two results; of refusals and failures only the kind counts."""
    if isinstance(right, CommandRefused | CommandBroke):
        return None if type(observed) is type(right) else ""
    return None if observed == right else ""


def require_results(
    run: AnyRun,
    case: Case[Any, Any],
    clause: str,
    differ: Differ = differ,
    results: str = "results",
) -> None:
    """Require that every result is what the reference of the edition answers to the command."""
    if clause not in run.disabled:  # the reference's answer takes time
        if (wrong := first_wrong(case, differ, results)) is None:
            run.require(clause, True)
        else:
            run.require(clause, False, wrong.sentence, wrong.kind)


def pair_results(
    run: MonitorRun, clause: str, case: Case[Any, Any], what: str
) -> Sequence[tuple[Any, Any]]:
    """Each command with its result; none, and the clause is violated, if not each has one."""
    commands, observed = case.trial.commands, case.observation
    if isinstance(observed, Refused | Broke) or len(observed.results) != len(commands):
        run.require(clause, False, fill("{} {}", what, in_full(observed)), "shape")
        return ()
    return tuple(zip(commands, observed.results, strict=True))


def first_wrong(case: Case[Any, Any], differ: Differ, results: str) -> Violation | None:
    """The first result that is not the reference's, with its command."""
    if isinstance(case.expected, Refused | Broke) or isinstance(case.observation, Refused | Broke):
        kinds = name_shape(case.observation), name_shape(case.expected)
        sentence = (
            f"must be {describe(case.expected)}, but the subject {describe(case.observation)}"
        )
        return None if kinds[0] == kinds[1] else Violation(sentence, " instead of ".join(kinds))
    observed, expected = getattr(case.observation, results), getattr(case.expected, results)
    if len(observed) != len(expected):
        return Violation(f"{len(observed)} results of {len(expected)}", "shape")
    rows = zip(case.trial.commands, observed, expected, strict=True)
    for place, (command, result, right) in enumerate(rows, 1):
        if (part := differ(result, right)) is not None:
            kind = type(command).__name__
            if part:
                right_value, found = display(getattr(right, part)), display(getattr(result, part))
                wrong = f"{part} must be {right_value}; not {found}"
                return Violation(f"command {place} ({display(command)}): {wrong}", f"{kind}:{part}")
            sentence = f"must be {display(right)}; not {display(result)}"
            return Violation(f"command {place} ({display(command)}): {sentence}", kind)
    return None


AnyCase: TypeAlias = Case[Any, Any]
Programs: TypeAlias = Program | Iterable[Program]


@dataclass(frozen=True, slots=True)
class Judge:
    """The judge of all clauses of one question. `entries` are in the order of its list."""

    question: str
    entries: tuple[spec.Entry, ...]
    judge: Callable[[AnyCase], Findings]


def entries_of(ids: tuple[str, ...]) -> tuple[spec.Entry, ...]:
    """The clauses with these ids. Raises `spec.UnknownClause`."""
    return tuple(map(spec.find_clause, ids))


def monitor(question: str, *ids: str) -> Callable[[Callable[[MonitorRun, AnyCase], None]], Judge]:
    """Register a monitor: a function that follows the whole history, also after a violation."""
    entries = entries_of(ids)
    absent = not_in(entries)

    def register(function: Callable[[MonitorRun, AnyCase], None]) -> Judge:
        def found(case: AnyCase) -> Findings:
            run = MonitorRun(absent(case.edition.name) | case.disabled)
            function(run, case)
            return run.findings

        return Judge(question, entries, found)

    return register


def rounds(question: str, *ids: str) -> Callable[[Callable[[AnyCase], Programs]], Judge]:
    """Register a function that returns a rule program, or one for each interpretation."""
    entries = entries_of(ids)
    absent, advisory = not_in(entries), advisory_in(entries)

    def register(function: Callable[[AnyCase], Programs]) -> Judge:
        def found(case: AnyCase) -> Findings:
            edition = case.edition.name
            return explain(function(case), absent(edition) | case.disabled, advisory(edition))

        return Judge(question, entries, found)

    return register


def decision(question: str, *ids: str) -> Callable[[Callable[[Run, AnyCase], None]], Judge]:
    """Register a rule program of one step."""
    entries = entries_of(ids)
    absent, advisory = not_in(entries), advisory_in(entries)

    def register(function: Callable[[Run, AnyCase], None]) -> Judge:
        def found(case: AnyCase) -> Findings:
            edition = case.edition.name
            return findings_of(lambda run: function(run, case), absent(edition), advisory(edition))

        return Judge(question, entries, found)

    return register


def findings_of(
    function: Callable[[Run], None], disabled: frozenset[str], advisory: frozenset[str]
) -> Findings:
    """What a program of one step finds; its first run nearly always explains the observation."""
    first = Run((), disabled)
    try:
        function(first)
    except Contradiction:
        findings = explain(Program(None, 1, lambda run, *_: function(run)), disabled, advisory)
        departed = findings.violated
        if departed and departed <= advisory:  # after which a run would otherwise continue
            rest = Run((), disabled | departed)
            with suppress(Contradiction):
                function(rest)
                for clause in rest.exercised:
                    if clause not in departed:
                        findings.add(clause, None)
        return findings
    return Findings(dict.fromkeys(first.exercised, HOLDS))


def not_in(entries: tuple[spec.Entry, ...]) -> Callable[[str], frozenset[str]]:
    """By edition: the clauses that it does not have, and that are disabled in it."""

    @cache
    def list_absent(edition: str) -> frozenset[str]:
        return frozenset(
            entry.id for entry in entries if not entry.holds_in(*list_lineage(edition))
        )

    return list_absent


def advisory_in(entries: tuple[spec.Entry, ...]) -> Callable[[str], frozenset[str]]:
    """By edition: the clauses that rest on practice only, from which a subject may depart."""

    @cache
    def advisory(edition: str) -> frozenset[str]:
        return frozenset(e.id for e in entries if e.level_in(edition) is spec.Level.SHOULD)

    return advisory


@cache
def is_must(clause: str, edition: str) -> bool:
    """Whether an edition has a clause: judges branch by it where editions differ."""
    return spec.find_clause(clause).holds_in(*list_lineage(edition))


def answers(run: AnyRun, case: AnyCase, clause: str) -> bool:
    """Whether the subject answered; if it did not, `clause` is violated."""
    observed = case.observation
    answered = not isinstance(observed, Refused | Broke)
    run.require(clause, answered, lambda: f"the subject {in_full(observed)}", "no answer")
    return answered


def require_equal(
    run: AnyRun, case: AnyCase, clause: str, right: object = None, what: Sentence = "the answer"
) -> None:
    """Require that the observation is `right`; of refusals and failures only the kind counts.

    Without `right` the observation must be that of the reference. That is for the exact clauses of
    an edition, whose answer is unique; whether the reference is right there is checked by the
    recorded answers.
    """
    if right is None:
        if clause in run.disabled:  # the reference's answer takes time
            return
        right = case.expected
    observed = case.observation
    if observed == right:
        run.require(clause, True)
        return
    kinds = name_shape(observed), name_shape(right)
    run.require(
        clause,
        kinds[0] == kinds[1] != "answered",
        lambda: (
            f"{format_sentence(what)}: must be "
            f"{describe(right) if isinstance(right, Refused | Broke) else display(right)}, "
            f"but the subject {describe(observed)}"
        ),
        f"{kinds[0]} instead of {kinds[1]}" if kinds[0] != kinds[1] else "",
    )
