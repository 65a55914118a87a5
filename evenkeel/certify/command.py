"""`evenkeel certify`: does a balancer come to rest from every situation of a small cluster?"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import closing
from dataclasses import replace
from functools import partial
from importlib.util import find_spec
from itertools import chain, islice
from typing import Annotated, Final

import typer

from evenkeel.certify.adversary import hunt
from evenkeel.certify.part import Certified, Part, count, find_promises
from evenkeel.certify.report import conclude
from evenkeel.certify.situations import (
    QUICK,
    WHOLE,
    Scope,
    count_situations,
    list_histories,
    list_situations,
)
from evenkeel.properties.contract.rebalance import REBALANCE
from evenkeel.properties.contract.rebalance.trials import Rebalance
from evenkeel.reference.contract.promises import Measure, Promises
from evenkeel_engine.check.fast_dataclasses import unfreeze
from evenkeel_engine.check.pool import count_cores, in_workers
from evenkeel_engine.cli.options import Format, FormatOption, SeedOption
from evenkeel_engine.cli.output import show_progress
from evenkeel_engine.content import PROMISED
from evenkeel_engine.subjects.base import Observed, Request, Subject
from evenkeel_engine.subjects.choose import open_subject
from evenkeel_engine.subjects.local import ReferenceSubject

CHUNK: Final = 200


def certify(
    subject: Annotated[
        list[str],
        typer.Option(
            "--subject",
            metavar="CMD",
            help="A command that speaks the wire protocol, or `reference`; may be repeated, to "
            "see several side by side.",
        ),
    ],
    quick: Annotated[bool, typer.Option("--quick", help="A smaller scope.")] = False,
    scale: Annotated[
        int,
        typer.Option(
            "--scale",
            min=1,
            max=1000,
            help="The load of weight 1. A strategy with a threshold in points needs 10, say.",
        ),
    ] = 1,
    adversary: Annotated[
        int | None,
        typer.Option(
            "--adversary",
            metavar="TRIALS",
            min=1,
            help="In place of all situations: search in TRIALS trials for the loads, delays, "
            "failures and events that keep it moving, or uneven.",
        ),
    ] = None,
    seed: SeedOption = 1,
    jobs: Annotated[
        int | None, typer.Option("--jobs", min=1, help="Processes.  [default: all cores]")
    ] = None,
    format_: FormatOption = Format.TEXT,
) -> None:
    """Ask a balancer every situation of a small cluster: does it rest?

    Three nodes, a few units of all weights, with and without a node that joins or leaves: the
    harness asks round after round until nothing moves. A unit without destination is placed when
    its name's turn comes; all ways to name the units are among the situations.

    Exit status 0: all situations come to rest and no clause is violated; 1: one does not;
    2: the subject has no answer, or promises no measure and moves nothing.
    """
    asked = [(name, *introduce(name)) for name in subject]
    if adversary is not None:
        hunted = [hunt_one(*one, adversary, seed) for one in asked]
        words = f"bear the worst that {adversary:,} trials found"
        raise typer.Exit(conclude(hunted, "subjects", words, format_, ranked=len(hunted) > 1))
    scope = replace(QUICK if quick else WHOLE, scale=scale)
    found = [certify_one(*one, scope, jobs or count_cores()) for one in asked]
    words = "come to rest from every situation of their scope"
    raise typer.Exit(conclude(found, "subjects", words, format_, ranked=len(found) > 1))


def introduce(command: str) -> tuple[str, Promises]:
    """How a subject calls itself, and what it promises. Raises `Unusable`."""
    with closing(open_subject(command, PROMISED)) as subject:
        return subject.name, find_promises(subject)


def certify_one(command: str, name: str, promises: Promises, scope: Scope, jobs: int) -> Certified:
    """Put all situations to a subject."""
    situations = list(spell(scope, promises))
    chunks = [
        range(at, min(at + CHUNK, len(situations))) for at in range(0, len(situations), CHUNK)
    ]
    scoped = scope.describe(*list_asked(promises))
    whole = Part(notes=(f"asked: {scoped}", tell_memory(situations, promises)))
    work = partial(certify_chunk, command, scope, promises)
    with show_progress("certify", len(situations), "situations") as advance:
        groups = [[chunk] for chunk in chunks]
        with closing(in_workers(work, groups, min(jobs, len(chunks)), last=range(0))) as done:
            for chunk, part in done:
                whole.merge(part)
                advance(name, len(chunk))
    return Certified(command, name, whole, promises)


def hunt_one(command: str, name: str, promises: Promises, trials: int, seed: int) -> Certified:
    """Search for what keeps a subject moving."""
    unfreeze(REBALANCE.name)
    with (
        closing(open_subject(command, PROMISED)) as subject,
        show_progress("certify", trials, "trials") as advance,
    ):
        part = hunt(subject, trials, seed, partial(advance, name)).part
        if isinstance(subject, ReferenceSubject) and subject.questions is None and find_spec("z3"):
            from evenkeel.certify.solver import ask_solver  # noqa: PLC0415 - z3 is an extra

            part.notes += ask_solver(subject, part)
    return Certified(command, name, part, promises)


def spell(scope: Scope, promises: Promises) -> Iterator[Rebalance]:
    """The situations for a balancer that promises this."""
    asked = list_asked(promises)
    histories = list_histories(scope, *asked) if promises.memory else ()
    return chain(list_situations(scope, *asked), histories)


def list_asked(promises: Promises) -> tuple[bool, list[str]]:
    """Whether units have weights, and what a balancer knows."""
    return promises.measure is not Measure.COUNT, [one.value for one in promises.knows]


def tell_memory(situations: Sequence[Rebalance], promises: Promises) -> str:
    """How far it is certified what a balancer remembers."""
    if not promises.memory:
        return "it promises to remember nothing: each situation is asked of a new balancer"
    histories = [count_situations(one) for one in situations if count_situations(one) > 1]
    if not histories:
        return "it may remember, and knows no event that makes a history: from new balancers only"
    most = f"of up to {max(histories)} situations in one session"
    return f"it may remember: {len(histories):,} of the situations are histories {most}"


_opened: dict[str, Subject] = {}
_listed: dict[tuple[str, Scope], list[Rebalance]] = {}


def certify_chunk(name: str, scope: Scope, promises: Promises, chunk: range) -> Part:
    """Put some situations to a subject, in a process of its own; none: close it."""
    if not chunk:
        _opened.pop(name).close()
        return Part()
    unfreeze(REBALANCE.name)
    if name not in _opened:
        _opened[name] = open_subject(name, PROMISED)
        _listed[name, scope] = list(spell(scope, promises))
    trials = islice(_listed[name, scope], chunk.start, chunk.stop)
    requests = (
        Request(place, REBALANCE, trial) for place, trial in zip(chunk, trials, strict=True)
    )
    part = Part()
    for request, reply in _opened[name].replies(requests):
        if isinstance(reply, Observed):
            count(part, request, reply.observation)
        else:
            part.unanswered = part.unanswered or reply.reason
    return part
