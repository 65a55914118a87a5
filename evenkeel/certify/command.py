"""`evenkeel certify`: does a balancer come to rest from every situation of a small cluster?"""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from contextlib import closing
from dataclasses import dataclass, field, replace
from functools import partial
from itertools import islice
from pathlib import Path
from typing import Annotated, Any, Final

import typer

from evenkeel.certify.measures import Total, measure
from evenkeel.certify.situations import QUICK, WHOLE, Scope, list_situations
from evenkeel.properties.contract.rebalance import REBALANCE
from evenkeel.properties.contract.rebalance.trials import Rebalance, Replies
from evenkeel.reference.contract.promises import Measure, Promises
from evenkeel_engine.check.fast_dataclasses import unfreeze
from evenkeel_engine.check.pool import count_cores, in_workers
from evenkeel_engine.cli.failure_files import cache_folder
from evenkeel_engine.cli.options import Format, FormatOption, Unusable
from evenkeel_engine.cli.output import finish, print_line, print_prose, print_table, show_progress
from evenkeel_engine.content import PROMISED
from evenkeel_engine.files import write_file
from evenkeel_engine.kit.catalogue import clauses_for
from evenkeel_engine.kit.codec import to_json
from evenkeel_engine.kit.question import judge
from evenkeel_engine.kit.talk import WrongCount
from evenkeel_engine.subjects.base import Errored, Observed, Request, Skipped, Subject, reply_to
from evenkeel_engine.subjects.choose import open_subject

CHUNK: Final = 200
NOT_AT_REST: Final = "does not come to rest"


@dataclass(frozen=True, slots=True)
class Worst:
    """The first situation, which is the smallest, that shows a failure."""

    place: int
    clause: str
    sentence: str
    trial: Any
    cycle: int = 0


@dataclass(slots=True)
class Part:
    """What came of some situations."""

    total: Total = field(default_factory=Total)
    worst: dict[str, Worst] = field(default_factory=dict)
    unanswered: str = ""

    def merge(self, other: Part) -> None:
        """Add another part."""
        self.total.merge(other.total)
        for clause, one in other.worst.items():
            if clause not in self.worst or one.place < self.worst[clause].place:
                self.worst[clause] = one
        self.unanswered = self.unanswered or other.unanswered


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
    2: the subject has no answer, or promises no measure.
    """
    scope = replace(QUICK if quick else WHOLE, scale=scale)
    found = [certify_one(name, scope, jobs or count_cores()) for name in subject]
    words = f"come to rest from every situation: {scope.describe()}"
    raise typer.Exit(conclude(found, "subjects", words, format_, ranked=len(found) > 1))


Certified = tuple[str, Part, Promises]


def conclude(
    found: Sequence[Certified], key: str, words: str, format_: Format, ranked: bool
) -> int:
    """Print what came of each subject, under this key where programs read it; the exit status."""
    if format_ is Format.TEXT:
        for name, part, promises in found:
            print_part(name, part, promises)
        if ranked:
            print_ranking(found)
    statuses = [status_of(part) for _, part, _ in found]
    summary = f"{statuses.count(0)} of {len(found)} {words}"
    data = {name: part_data(part) for name, part, _ in found}
    return finish(format_, summary, 2 if 2 in statuses else max(statuses), {key: data})


def certify_one(name: str, scope: Scope, jobs: int) -> Certified:
    """Put all situations to a subject. Raises `Unusable` where it promises nothing."""
    subject = open_subject(name, PROMISED)
    try:
        promises = find_promises(subject)
    finally:
        subject.close()
    situations = list(spell(scope, promises))
    chunks = [
        range(at, min(at + CHUNK, len(situations))) for at in range(0, len(situations), CHUNK)
    ]
    whole = Part()
    work = partial(certify_chunk, name, scope, promises)
    with show_progress("certify", len(situations), "situations") as advance:
        groups = [[chunk] for chunk in chunks]
        with closing(in_workers(work, groups, min(jobs, len(chunks)))) as done:
            for chunk, part in done:
                whole.merge(part)
                advance(name, len(chunk))
    return name, whole, promises


def spell(scope: Scope, promises: Promises) -> Iterator[Rebalance]:
    """The situations for a balancer that promises this."""
    knows = [feature.value for feature in promises.knows]
    return list_situations(scope, promises.measure is not Measure.COUNT, knows)


def find_promises(subject: Subject) -> Promises:
    """What a subject promises. Raises `Unusable`."""
    trial = next(list_situations(QUICK, False, ()))
    reply = reply_to(subject, REBALANCE, trial)
    if isinstance(reply, Skipped | Errored):
        raise Unusable(f"The subject {subject.name} does not answer: {reply.reason}.")
    opening = getattr(reply.observation, "replies", (None,))[0]
    promises: Promises | None = getattr(opening, "promises", None)
    if promises is None:
        raise Unusable(f"The subject {subject.name} answers the turn `open` without promises.")
    if promises.measure is None:
        raise Unusable(
            f"The subject {subject.name} promises no measure: what it should even out is not known."
        )
    return promises


_opened: dict[str, Subject] = {}
_listed: dict[tuple[str, Scope], list[Rebalance]] = {}


def certify_chunk(name: str, scope: Scope, promises: Promises, chunk: range) -> Part:
    """Put some situations to a subject, in a process of its own."""
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


def count(part: Part, request: Request, observation: object) -> None:
    """Measure a situation, and judge it."""
    trial: Rebalance = request.trial
    clauses = clauses_for(REBALANCE.name, PROMISED)
    verdicts = judge(REBALANCE, clauses, trial, observation, PROMISED)
    failed = [verdict for verdict in verdicts if verdict.failed]
    for verdict in failed:
        part.total.failed[verdict.clause] = part.total.failed.get(verdict.clause, 0) + 1
        part.worst.setdefault(
            verdict.clause, Worst(request.key, verdict.clause, verdict.sentence, trial)
        )
    try:
        measured = measure(trial, observation) if isinstance(observation, Replies) else None
    except WrongCount:
        measured = None
    if measured is None:
        return
    part.total.add(measured)
    if not measured.rests:
        returns = f"the same situation returns after {measured.cycle} rounds"
        sentence = returns if measured.cycle else "it moves until the end"
        part.worst.setdefault(
            NOT_AT_REST, Worst(request.key, NOT_AT_REST, sentence, trial, measured.cycle)
        )


def status_of(part: Part) -> int:
    """2 without an answer, 1 where a situation does not come to rest or a clause is violated."""
    if part.unanswered:
        return 2
    return int(bool(part.worst))


# ---------------------------------------------------------------------------- printing


def print_part(name: str, part: Part, promises: Promises) -> None:
    """Print what came of a subject."""
    total = part.total
    print_line(name)
    if part.unanswered:
        print_prose(f"  no answer: {part.unanswered}")
    rest = f"  {total.resting:,} of {total.situations:,} situations come to rest"
    print_line(f"{rest}, in at most {total.rounds} rounds")
    for one in sorted(part.worst.values(), key=lambda one: (one.clause != NOT_AT_REST, one.place)):
        print_prose(f"  ✗ {one.clause}: {one.sentence}")
        print_line(f"    {describe(one.trial)}")
        print_line(f"    again: evenkeel replay {save(one)} --subject '{name}'")
    what = promises.measure.value if promises.measure else "load"
    share = 100 * total.lowering / total.acting if total.acting else 0
    print_prose(
        f"  measured: at most {total.most} moves a round, {total.moves:,} in all, of which "
        f"{total.back:,} back; {share:.0f} % of the rounds that act lower the fullest node; "
        f"at rest {what} differs by at most {total.apart:g}"
    )


def describe(trial: Rebalance) -> str:
    """A situation on one line."""
    held = {
        node.name: [unit.load for unit in trial.units if unit.node == node.name]
        for node in trial.nodes
    }
    words = [f"{name}: {' + '.join(map(str, loads)) or 0}" for name, loads in held.items()]
    for node in trial.nodes:
        if node.joins:
            words.append(f"{node.name} joins in round {node.joins}")
        if node.leaves is not None:
            words.append(f"{node.name} leaves in round {node.leaves}")
    return ", ".join(words)


def save(one: Worst) -> Path:
    """Write a situation to a file that `evenkeel replay` takes."""
    text = json.dumps({"question": REBALANCE.name, "trial": to_json(one.trial)}, indent=1)
    path = cache_folder() / f"certify-{one.clause.replace(' ', '-')}-{one.place}.json"
    write_file(path, text + "\n", folders=True)
    return path


def print_ranking(found: Sequence[Certified]) -> None:
    """A table of several subjects: who breaks least, then who rests, moves least, is most even."""
    ranked = sorted(found, key=lambda one: rank(one[1].total, one[1]))
    print_table(
        "side by side, the best first",
        [
            "subject",
            "violates",
            "#at rest",
            "#rounds",
            "#usage apart",
            "#moves",
            "#back",
            "#unserved",
        ],
        [
            [
                name,
                ", ".join(sorted(part.total.failed, key=lambda id_: int(id_[4:]))) or "nothing",
                f"{part.total.resting:,} of {part.total.situations:,}",
                part.total.rounds,
                f"{part.total.usage:g}",
                part.total.moves,
                part.total.back,
                part.total.unserved,
            ]
            for name, part, _ in ranked
        ],
    )


def rank(total: Total, part: Part) -> tuple[float, ...]:
    """The sort key of a subject."""
    unrest = total.situations - total.resting
    return bool(part.unanswered), len(total.failed), unrest, total.usage, total.back, total.moves


def part_data(part: Part) -> dict[str, Any]:
    """What came of a subject, for programs."""
    total = part.total
    return {
        "situations": total.situations,
        "resting": total.resting,
        "rounds": total.rounds,
        "most_moves": total.most,
        "moves": total.moves,
        "back": total.back,
        "apart": total.apart,
        "unserved": total.unserved,
        "violated": dict(sorted(total.failed.items())),
        "unanswered": part.unanswered,
        "smallest": {
            one.clause: {"sentence": one.sentence, "trial": to_json(one.trial)}
            for one in part.worst.values()
        },
    }
