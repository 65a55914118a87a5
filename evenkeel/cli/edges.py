"""`evenkeel prove --drive`: the edges of small graphs as trials, put to a subject."""

from __future__ import annotations

import json
from collections.abc import Collection, Sequence
from typing import Any

from evenkeel.cli.options import Format, Unusable
from evenkeel.cli.output import finish, line, progress, table, warn
from evenkeel.harness.edge_driving import Driven, drive
from evenkeel.harness.severity import Severity
from evenkeel.harness.subjects.base import Subject, offers
from evenkeel.harness.subjects.choose import open_subject
from evenkeel.harness.tally import departures_text
from evenkeel.models.graph import Graph
from evenkeel.models.ownership.edge_trials import Covered, coverers
from evenkeel.properties.kit.codec import Json, to_json
from evenkeel.reference.edition import Edition

LONGEST = 60
"""Moves of a walk."""


def drive_edges(
    graphs: Collection[Graph[Any]],
    subject: str,
    edition: Edition,
    most: int,
    strict: bool,
    format_: Format,
) -> int:
    """Drive the graphs that can be, and are not too large; the exit status."""
    found = covered_of(graphs, edition, most)
    opened = open_subject(subject, edition)
    try:
        driven = driven_by(found, opened, edition)
    finally:
        opened.close()
    severity = Severity(edition.name, strict)
    if format_ is Format.TEXT:
        print_driven(found, driven, severity)
    data: dict[str, Json] = {
        "subject": opened.name,
        "edition": edition.name,
        "graphs": [driven_data(one) for one in driven],
    }
    return finish(
        format_, summary(driven, opened.name, severity), status_of(driven, severity), data
    )


def covered_of(graphs: Collection[Graph[Any]], edition: Edition, most: int) -> list[Covered]:
    """The covers of the graphs. Raises `Unusable` if there are none."""
    makers = coverers()
    named = [graph.name for graph in graphs if graph.name in makers]
    if not named:
        raise Unusable("--drive: no graph of commands of a question is about that.")
    found, large = [], []
    for name in named:
        covered = makers[name](edition, most, LONGEST)
        if covered is None:
            large.append(name)
        else:
            found.append(covered)
    if not found:
        raise Unusable(f"--drive: each of the graphs has more than {most} states (--states).")
    if large:
        warn(f"more than {most} states (--states): {', '.join(large)}")
    return found


def driven_by(found: Sequence[Covered], opened: Subject, edition: Edition) -> list[Driven]:
    """Every graph with a question that the subject answers."""
    driven = []
    with progress("drive", sum(len(covered.trials) for covered in found), "trials") as advance:
        for covered in found:
            if offers(opened, covered.question.name):
                driven.append(drive(covered, opened, edition))
            else:
                warn(f"{covered.graph}: the subject does not offer {covered.question.name}")
                driven.append(Driven(covered.graph, covered.edges))
            advance(covered.graph, len(covered.trials))
    return driven


def status_of(driven: Sequence[Driven], severity: Severity) -> int:
    """1: a clause is violated; 2: the subject failed, or answered nothing."""
    if any(one.errors(severity) for one in driven):
        return 1
    return 2 if any(one.errored for one in driven) or not any(d.answered for d in driven) else 0


def summary(driven: Sequence[Driven], subject: str, severity: Severity) -> str:
    """The one line."""
    edges, taken = sum(one.edges for one in driven), sum(len(one.taken) for one in driven)
    alike = sum(len(one.alike) for one in driven)
    errors = sum(len(one.errors(severity)) for one in driven)
    departures = sum(len(one.failures) for one in driven) - errors
    trials, answered = sum(one.trials for one in driven), sum(one.answered for one in driven)
    parts = [
        f"{taken:,} of {edges:,} edges of {len(driven)} graphs covered ({share(taken, edges)})",
        f"{alike:,} as the reference of {severity.edition} takes them",
        f"{errors} failures",
    ]
    if departures:
        parts.append(departures_text(departures))
    if trials > answered:
        parts.append(f"{trials - answered:,} trials without an answer")
    return f"{subject}: {', '.join(parts)} in {trials:,} trials"


def share(part: int, whole: int) -> str:
    """In percent, rounded down, so that 100 means all."""
    return f"{100 * part // whole if whole else 100} %"


def print_driven(found: Sequence[Covered], driven: Sequence[Driven], severity: Severity) -> None:
    """A row per graph, then each failure with its shortest trial."""
    table(
        "edges",
        ["graph", "question", "#states", "#edges", "#covered", "#as the reference", "#trials"],
        [
            [
                one.graph,
                covered.question.name,
                covered.states,
                one.edges,
                len(one.taken),
                len(one.alike),
                one.trials,
            ]
            for covered, one in zip(found, driven, strict=True)
        ],
    )
    for covered, one in zip(found, driven, strict=True):
        errors = one.errors(severity)
        for signature, (count, verdict, trial) in one.failures.items():
            kind = verdict.status if signature in errors else "departed"
            line(f"{one.graph}: {verdict.clause}: {kind} in {count} trials: {verdict.sentence}")
            file = {"question": covered.question.name, "trial": to_json(trial)}
            line(f"  {json.dumps(file, ensure_ascii=False)}")
        for reason, count in one.unanswered.items():
            line(f"{one.graph}: {count} trials without an answer: {reason}")


def driven_data(one: Driven) -> dict[str, Json]:
    """For programs."""
    return {
        "graph": one.graph,
        "edges": one.edges,
        "covered": len(one.taken),
        "as_reference": len(one.alike),
        "trials": one.trials,
        "answered": one.answered,
        "failures": [
            [verdict.clause, verdict.status, verdict.sentence, count, to_json(trial)]
            for count, verdict, trial in one.failures.values()
        ],
        "unanswered": dict(one.unanswered),
    }
