"""State that a subject keeps between trials, in one block: it is the root of what else it shows."""

from __future__ import annotations

import shlex
from collections import Counter
from typing import Final

from evenkeel.cli.drawn import Paper
from evenkeel.cli.failure_screen import wrap
from evenkeel.harness.binding import Binding
from evenkeel.harness.carried import Carried
from evenkeel.harness.tally import Tally
from evenkeel.reference.edition import Edition

MOST: Final = 8
"""So many trials before the one that fails are named in a command; of more, a sentence."""

LIVES_ON: Final = "this subject answers the same trial differently after others"


def replay_sequence(carried: Carried, subject: str, edition: Edition) -> str:
    """The command that puts the trials to one process, one after the other; it fails."""
    words = ["evenkeel", "replay", *carried.places, "--edition", edition.name]
    if Binding(edition.name).may(carried.found.clause):
        words.append("--strict")
    return shlex.join([*words, "--subject", subject])


def carried_lines(carried: Carried, tally: Tally, subject: str, edition: Edition) -> list[str]:
    """The block."""
    paper, found = Paper(full=True), carried.found
    many = len(carried.signatures)
    trials = Counter({one: tally.failures[one] for one in carried.signatures})
    listed = ", ".join(f"{one} ({count:,})" for one, count in trials.most_common())
    head = f"State lives on between trials: {LIVES_ON} (spec/wire.md, State)"
    failures = "1 failure comes" if many == 1 else f"{many} failures come"
    lines = [
        *wrap(head, paper, ""),
        *wrap(f"{failures} of it, in so many trials: {listed}", paper, "  "),
        "",
        *wrap(f"✗ {found.place}: {found.sentence}", paper, "  "),
        *wrap(told(carried), paper, "  "),
        "",
        f"  again: {replay_sequence(carried, subject, edition)}",
    ]
    if carried.before is not None and len(carried.before) > MOST:
        lines[-1] = f"  again, all {len(carried.before) + 1} in one process: {lines[-1].strip()}"
    return lines


def told(carried: Carried) -> str:
    """What was found out about the trials before."""
    before, place = carried.before, carried.found.place
    if before is None:
        return (
            f"Alone in a new process {place} does not fail, nor after the trials of its question "
            "before it: what lives on comes from further back, or of chance or time."
        )
    if not before:
        return f"Alone in a new process {place} fails, but not when it was asked again later."
    if len(before) == 1:
        return f"Alone in a new process {place} does not fail, but after {carried.places[0]}."
    first, last = carried.places[0], carried.places[-2]
    return f"Alone in a new process {place} does not fail, but after {first} to {last}."
