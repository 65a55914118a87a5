"""How certificates are printed: each subject, and several side by side."""

from __future__ import annotations

import shlex
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from evenkeel.certify.part import (
    NOT_AT_REST,
    Certified,
    Part,
    Worst,
    number_names,
    status_of,
    tells_nothing,
)
from evenkeel.properties.contract.rebalance import REBALANCE
from evenkeel.properties.contract.rebalance.trials import Rebalance
from evenkeel_engine.cli.failure_files import save_trial
from evenkeel_engine.cli.options import Format
from evenkeel_engine.cli.output import finish, print_line, print_prose, print_table
from evenkeel_engine.kit.codec import to_json


def conclude(
    found: Sequence[Certified], key: str, words: str, format_: Format, ranked: bool
) -> int:
    """Print what came of each subject, under this key where programs read it; the exit status."""
    found = number_names(found)
    if format_ is Format.TEXT:
        for one in found:
            print_part(one)
        if ranked:
            print_ranking(found)
    statuses = [status_of(one) for one in found]
    summary = f"{statuses.count(0)} of {len(found)} {words}"
    data = {one.name: part_data(one) for one in found}
    return finish(format_, summary, 2 if 2 in statuses else max(statuses), {key: data})


def print_part(subject: Certified) -> None:
    """Print what came of a subject."""
    part = subject.part
    print_line(subject.name)
    if part.unanswered:
        print_prose(f"  no answer: {part.unanswered}")
    if text := part.total.tell("situations"):
        print_prose(f"  {text}")
    if tells_nothing(subject):
        print_prose(
            "  it promises no measure and moves nothing: what it should even out is not known"
        )
    for line in part.notes:
        print_prose(f"  {line}")
    for one in sorted(part.worst.values(), key=lambda one: (one.clause != NOT_AT_REST, one.place)):
        print_prose(f"  ✗ {one.clause}: {one.sentence}")
        print_line(f"    {describe(one.trial)}")
        print_line(
            f"    again: evenkeel replay {save(one)} --subject {shlex.quote(subject.command)}"
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
            stays = " and stays listed" if node.stays else ""
            words.append(f"{node.name} leaves in round {node.leaves}{stays}")
    return ", ".join(words)


def save(one: Worst) -> Path:
    """Write a situation to a file that `evenkeel replay` takes."""
    name = f"certify-{one.clause.replace(' ', '-')}-{one.place}"
    return save_trial(name, REBALANCE.name, one.trial)


def print_ranking(found: Sequence[Certified]) -> None:
    """A table of several subjects: who breaks least, then who rests, moves least, is most even."""
    ranked = sorted(found, key=lambda one: rank(one.part))
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
            for name, part in ((one.name, one.part) for one in ranked)
        ],
    )


def rank(part: Part) -> tuple[float, ...]:
    """The sort key of a subject."""
    total = part.total
    unrest = total.situations - total.resting
    return bool(part.unanswered), len(total.failed), unrest, total.usage, total.back, total.moves


def part_data(subject: Certified) -> dict[str, Any]:
    """What came of a subject, for programs."""
    part, total = subject.part, subject.part.total
    return {
        "command": subject.command,
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
        "notes": list(part.notes),
        "smallest": {
            one.clause: {"sentence": one.sentence, "trial": to_json(one.trial)}
            for one in part.worst.values()
        },
    }
