"""`evenkeel prove`: theorems by Z3, and graphs: small scopes enumerated whole."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from importlib import import_module
from pathlib import Path
from typing import Annotated, Any, TypeAlias

import typer

from evenkeel_engine.check.profile import AMOUNTS, Profile
from evenkeel_engine.cli import options
from evenkeel_engine.cli.options import Format, Unusable, chapters_of, clauses_of, resolve_name
from evenkeel_engine.cli.output import finish, print_line, print_table, show_progress
from evenkeel_engine.content import facts
from evenkeel_engine.kit.codec import Json
from evenkeel_engine.proofs.catalogue import GRAPHS, graphs_of, theorems_of
from evenkeel_engine.proofs.graph import Graph, GraphResult
from evenkeel_engine.proofs.theorem import Mismatch, Proof, Status, Theorem, cross_check
from evenkeel_engine.proofs.theorem import prove as prove_theorem


def prove(
    chapter: options.ChapterOption = None,
    clause: options.ClauseOption = None,
    theorems: Annotated[bool, typer.Option("--theorems", help="Only theorems.")] = False,
    graphs: Annotated[bool, typer.Option("--graphs", help="Only graphs.")] = False,
    graph: Annotated[
        list[str] | None, typer.Option("--graph", help="Only this graph; may be repeated.")
    ] = None,
    drawings: Annotated[
        Path | None,
        typer.Option("--drawings", help=f"Only graphs; write into this folder {facts.PICTURED}."),
    ] = None,
    seed: options.SeedOption = 1,
    profile: options.ProfileOption = Profile.QUICK,
    format_: options.FormatOption = Format.TEXT,
) -> None:
    """Prove theorems, and explore graphs of small scopes whole.

    Each theorem has a non-vacuity check, a mutant that is refuted, and a cross-check of its rules
    with the reference. Each graph that fits into the profile has its number of states, and a broken
    rule that is detected.
    """
    only_graphs = graphs or bool(graph) or drawings is not None
    if theorems and only_graphs:
        raise Unusable("--theorems leaves out the graphs: give either it or options of graphs.")
    chapters, clauses = chapters_of(chapter), clauses_of(clause)
    chosen = () if only_graphs else theorems_of(chapters, clauses)
    explored = () if theorems else graphs_of(chapters, clauses, AMOUNTS[profile].states)
    known = [one.name for one in GRAPHS]
    named = {resolve_name("There is no graph", name, known) for name in graph or []}
    explored = tuple(one for one in explored if not named or one.name in named)
    if not chosen and not explored:
        what = "graph" if only_graphs else "theorem" if theorems else "theorem or graph"
        raise Unusable(f"No {what} is about that.")
    if drawings is not None:
        require_pictures(drawings)
    parts = [
        *([prove_theorems(chosen, seed, AMOUNTS[profile].cross_checks, format_)] if chosen else []),
        *([explored_whole(explored, drawings, format_)] if explored else []),
    ]
    statuses = {part.status for part in parts}
    data = {name: value for part in parts for name, value in part.data.items()}
    status = 1 if 1 in statuses else max(statuses)
    raise typer.Exit(finish(format_, "; ".join(part.summary for part in parts), status, data))


@dataclass(frozen=True, slots=True)
class Proven:
    """The result of the theorems, or of the graphs."""

    summary: str
    status: int
    data: dict[str, Json]


def prove_theorems(theorems: Sequence[Theorem], seed: int, values: int, format_: Format) -> Proven:
    """Prove the theorems, and print them."""
    results = []
    with show_progress("prove", len(theorems), "theorems") as advance:
        for theorem in theorems:
            advance(theorem.name, 0)
            proof = prove_theorem(theorem)
            results.append((proof, cross_check(theorem, seed, values)))
            advance(theorem.name, 1)
    if format_ is Format.TEXT:
        print_proofs(results)
    data: dict[str, Json] = {"theorems": [proof_data(proof, wrong) for proof, wrong in results]}
    # 1 if one is false, vacuous, unlike the reference, or a mutant survives; 2 if unknown.
    statuses = {proof.status for proof, _ in results}
    bad = any(wrong for _, wrong in results) or statuses - {Status.PROVED, Status.UNKNOWN}
    status = 1 if bad else 2 if Status.UNKNOWN in statuses else 0
    return Proven(proof_summary(results), status, data)


Result: TypeAlias = tuple[Proof, tuple[Mismatch, ...]]


def print_proofs(results: Sequence[Result]) -> None:
    """A row per theorem, then whatever went wrong, in words."""
    rows = []
    for proof, wrong in results:
        of, agrees = proof.theorem, "DIFFERS" if wrong else "agrees"
        named = of.name, " ".join(of.clauses), of.bound, proof.status.value
        rows.append([*named, round(proof.milliseconds), of.mutant.name, agrees])
    columns = ["theorem", "clauses", "bound", "status", "#ms", "mutant refuted", "reference"]
    print_table("theorems", columns, rows)
    print_line("hypotheses; the steps prove the rest:")
    for proof, _ in results:
        for sentence in proof.hypotheses or ("nothing",):
            print_line(f"  {proof.theorem.name}: {sentence}")
    for proof, wrong in results:
        for fault in proof.unproved:
            print_line(f"{proof.theorem.name}: {fault}")
        for check in proof.checks:
            if check.failure is not None:
                print_line(
                    f"{proof.theorem.name}: {check.kind} {check.name}: {check.failure.value}"
                )
                print_line(f"  {check.detail}")
        for mismatch in wrong[:3]:
            print_line(f"{proof.theorem.name}: {mismatch}")


def proof_summary(results: Sequence[Result]) -> str:
    """The one line."""
    proved = sum(proof.proved for proof, _ in results)
    seconds = sum(proof.milliseconds for proof, _ in results) / 1000
    differ = sum(bool(wrong) for _, wrong in results)
    text = f"{proved} of {len(results)} theorems proved, their mutants refuted, in {seconds:.1f} s"
    return f"{text}; {differ} differ from the reference" if differ else text


def proof_data(proof: Proof, wrong: tuple[Mismatch, ...]) -> dict[str, Json]:
    """For programs."""
    counter = proof.counter_trial
    return {
        "theorem": proof.theorem.name,
        "chapter": proof.theorem.chapter,
        "clauses": list(proof.theorem.clauses),
        "statement": proof.theorem.statement,
        "bound": proof.theorem.bound,
        "hypotheses": list(proof.hypotheses),
        "status": proof.status.value,
        "milliseconds": proof.milliseconds,
        "mutant": proof.theorem.mutant.name,
        "mutant_sentence": proof.theorem.mutant.sentence,
        "mutant_trial": None if counter is None else repr(counter.trial),
        "mismatches": [repr(mismatch) for mismatch in wrong],
    }


def explored_whole(graphs: Sequence[Graph[Any]], drawings: Path | None, format_: Format) -> Proven:
    """Explore the graphs, print them, and render their cycles into the folder, if given."""
    results = []
    with show_progress("explore", len(graphs), "graphs") as advance:
        for one in graphs:
            advance(one.name, 0)
            results.append((one, one.explore()))
            advance(one.name, 1)
    if format_ is Format.TEXT:
        print_graphs(results)
    bad = [one.name for one, result in results if not result.as_expected]
    states = sum(result.states for _, result in results)
    summary = (
        f"{len(results) - len(bad)} of {len(results)} graphs as they should be, {states:,} states"
    )
    data: dict[str, Json] = {"graphs": [graph_data(*one) for one in results]}
    if drawings is not None:
        written = draw_cycles(drawings)
        data["drawings"] = [str(path) for path in written]
        summary += f", {len(written)} files in {drawings}"
    return Proven(summary, 1 if bad else 0, data)


def require_pictures(folder: Path) -> None:
    """Make the folder before the long work. Raises `Unusable`, also where there are no pictures."""
    if not facts.DRAWINGS:
        raise Unusable("--drawings: this specification has no pictures.")
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise Unusable(f"--drawings {folder}: cannot be written ({error.strerror}).") from error


def draw_cycles(folder: Path) -> tuple[Path, ...]:
    """Draw what the specification has pictures of, loading it only now. Raises `Unusable`."""
    drawings = import_module(facts.DRAWINGS)
    everyone = drawings.setups()
    with show_progress("draw", len(everyone), "subjects") as advance:
        try:
            written: tuple[Path, ...] = drawings.draw_all(folder, everyone, advance)
            return written
        except OSError as error:
            raise Unusable(f"--drawings {folder}: cannot be written ({error.strerror}).") from error


def print_graphs(results: Sequence[tuple[Graph[Any], GraphResult]]) -> None:
    """A row per graph, then the shortest schedule to each violation."""
    rows = []
    for graph, result in results:
        sizes = result.states, result.stands_for, result.transitions, len(result.violations)
        broken = f"fails after {len(result.broken.schedule)}" if result.broken else "UNNOTICED"
        took = round(1000 * result.seconds)
        rows.append([graph.name, " ".join(graph.clauses), *sizes, broken, took])
    counts = ("#states", "#represent", "#transitions", "#violations")
    print_table("graphs", ["graph", "clauses", *counts, "broken rule", "#ms"], rows)
    for graph, result in results:
        if not result.has_its_size:
            print_line(f"{graph.name}: its size should be {result.size}")
        if result.cycle:
            print_line(f"{graph.name}: a cycle: {result.cycle}")
        for violation in result.violations:
            print_line(f"{graph.name}: {violation.sentence}")
            print_line(f"  after {', '.join(violation.schedule) or 'nothing'}")


def graph_data(graph: Graph[Any], result: GraphResult) -> dict[str, Json]:
    """For programs."""
    return {
        "graph": graph.name,
        "chapter": graph.chapter,
        "clauses": list(graph.clauses),
        "statement": graph.statement,
        "states": result.states,
        "stands_for": result.stands_for,
        "transitions": result.transitions,
        "size": None if result.size is None else list(result.size),
        "violations": [[v.sentence, list(v.schedule)] for v in result.violations],
        "broken": None if result.broken is None else list(result.broken.schedule),
        "seconds": result.seconds,
    }
