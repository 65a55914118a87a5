"""The report of one failure, 80 columns wide; and of failures caused by leaked state."""

from __future__ import annotations

import shlex
import textwrap
from collections import Counter
from dataclasses import replace
from typing import Final

from evenkeel import spec
from evenkeel.cli.render import Paper, indented, render, short
from evenkeel.harness.failure import Failure
from evenkeel.harness.nearest import differing, leaves
from evenkeel.harness.severity import Severity
from evenkeel.harness.state_leaks import StateLeak
from evenkeel.harness.subjects.wire import observation_to_json
from evenkeel.harness.tally import Tally
from evenkeel.properties.kit.codec import Json
from evenkeel.properties.kit.question import Observation
from evenkeel.reference.edition import Edition

TRIAL_LINES: Final = 24
"""Lines of a trial that are shown before the rest is folded: with the rest they fill a terminal."""

CAPTION: Final = "the smallest trial found{} (defaults left out; in tables also zeros)"
CUT_SHORT: Final = " in the time there was"

BASIS: Final = {
    spec.Level.MUST: "the documents demand it",
    spec.Level.SHOULD: "Pulsar's practice; the documents are silent (--strict: an error)",
    spec.Level.DOES: "what the release does",
    spec.Level.NOTE: "informs only",
}

ABSENT: Final = "-"
PLACES: Final = 12
"""Places that are shown before the rest is folded."""

MOST: Final = 8
"""Trials before the failing one that a command names; for more there is a sentence."""

ANSWERS_DIFFER: Final = "this subject answers the same trial differently after others"


def counted_from(question: str) -> int:
    """From what number the judges of a question count: rounds of the classic shedders from 1."""
    classic = question.startswith("shedding.") and not question.startswith("shedding.transfer")
    return 1 if classic else 0


def failure_lines(
    failure: Failure, edition: Edition, replay: str, paper: Paper, departs: bool = False
) -> list[str]:
    """The lines: the rule, what broke it, the trial, both answers, how to see it again.

    `departs`: the documents are silent, so the subject is not wrong.
    """
    entry = spec.clause(failure.found.clause)
    paper = replace(paper, first=counted_from(failure.question.name))
    times = "1 trial" if failure.trials == 1 else f"{failure.trials:,} trials"
    head = f"{failure.signature} · {entry.title} · {failure.question.name}, {times}"
    lines = [*wrap(head, paper, ""), *wrap(entry.sentence, paper, "  ")]
    lines += [
        "",
        *wrap(f"{'△' if departs else '✗'} {failure.sentence}", paper, "  "),
        "",
        *trial_lines(failure, paper),
    ]
    if failure.observation is not None and failure.expected is not None:
        reference = f"what the reference of {edition.name} answers"
        right = reference if failure.of_reference else "the nearest right answer that is known"
        lines += ["", f"  answered, next to {right}:"]
        lines += indented(comparison(failure.observation, failure.expected, paper.inside(4)), 4)
    else:
        lines += ["", "  put again, the trial did not fail so: it is as it was generated"]
    place = f"spec/{entry.chapter}.md, {entry.id} (evenkeel explain {entry.id})"
    basis = f"  {entry.level_in(edition.name)}: {BASIS[entry.level_in(edition.name)]}"

    return [*lines, "", f"  rule: {place}", basis, f"  again: {replay}"]


def trial_lines(failure: Failure, paper: Paper) -> list[str]:
    """The trial under its caption."""
    paper = replace(paper, first=counted_from(failure.question.name))
    trial = indented(render(failure.trial, paper.inside(4)), 4)
    most = len(trial) if paper.full or len(trial) <= TRIAL_LINES + 1 else TRIAL_LINES
    folded = [f"    … {len(trial) - most:,} more lines, --full shows all"]
    caption = CAPTION.format(CUT_SHORT if failure.is_cut_short else "")
    return [f"  {caption}:", *trial[:most], *(folded if most < len(trial) else [])]


def wrap(text: str, paper: Paper, indent: str) -> list[str]:
    """A text in lines of the paper's width; in full it is not cut."""
    whole = text if paper.full or len(text) <= 600 else f"{text[:570]}… (--full)"
    return textwrap.wrap(
        whole,
        paper.width,
        initial_indent=indent,
        subsequent_indent=f"{indent}  ",
        break_on_hyphens=False,
    )


# ------------------------------------------------------------------------------ comparison


def comparison(observed: Observation, expected: Observation, paper: Paper) -> list[str]:
    """Place by place: what the subject answered, and what the reference does."""
    subject, reference = observation_to_json(observed), observation_to_json(expected)
    if "answer" in subject and "answer" in reference:
        subject, reference = subject["answer"], reference["answer"]
    first = paper.first
    ours, right = dict(leaves(subject, first)), dict(leaves(reference, first))
    marked = set(differing(subject, reference, first))
    places = list({**ours, **right})
    if len(places) > PLACES and not paper.full:
        listed = [place for place in places if place in marked] or places
    else:
        listed = places
    shown = listed if paper.full else listed[:PLACES]
    wide = max((paper.width - 6) // 3, 12)
    rows = [
        ["", "place", "the subject", "one right answer"],
        *(
            [
                "≠" if place in marked else " ",
                clip(place, wide, paper, left=True),
                clip(at(ours, place), wide, paper),
                clip(at(right, place), wide, paper),
            ]
            for place in shown
        ),
    ]
    widths = [max(map(len, column)) for column in zip(*rows, strict=True)]
    lines = [" ".join(map(str.ljust, row, widths)).rstrip() for row in rows]
    if left := len(listed) - len(shown):
        lines.append(f"… {left:,} more places differ, --full shows all")
    if alike := len(places) - len(listed):
        lines.append(f"  {alike:,} places are alike")
    return lines


def at(values: dict[str, Json], place: str) -> str:
    """The value at a place."""
    return short(values[place], Paper(full=True)) if place in values else ABSENT


def clip(text: str, wide: int, paper: Paper, left: bool = False) -> str:
    """A text that fits into its column, cut at the right or the left."""
    if paper.full or len(text) <= wide:
        return text
    return f"…{text[1 - wide :]}" if left else f"{text[: wide - 1]}…"


# --------------------------------------------------------------------- state between trials


def replay_sequence(leak: StateLeak, subject: str, edition: Edition) -> str:
    """The command that puts the trials to one process, in order; it fails."""
    words = ["evenkeel", "replay", *leak.places, "--edition", edition.name]
    if Severity(edition.name).may(leak.found.clause):
        words.append("--strict")
    return shlex.join([*words, "--subject", subject])


def leak_lines(leak: StateLeak, tally: Tally, command: str) -> list[str]:
    """The block."""
    paper, found = Paper(full=True), leak.found
    many = len(leak.signatures)
    trials = Counter({one: tally.failures[one] for one in leak.signatures})
    listed = ", ".join(f"{one} ({count:,})" for one, count in trials.most_common())
    head = f"State leaks between trials: {ANSWERS_DIFFER} (spec/wire.md, State)"
    failures = "1 failure comes" if many == 1 else f"{many} failures come"
    lines = [
        *wrap(head, paper, ""),
        *wrap(f"{failures} of it, in trials: {listed}", paper, "  "),
        "",
        *wrap(f"✗ {found.place}: {found.sentence}", paper, "  "),
        *wrap(explanation(leak), paper, "  "),
        "",
        f"  again: {command}",
    ]
    if leak.before is not None and len(leak.before) > MOST:
        lines[-1] = f"  again, all {len(leak.before) + 1} in one process: {lines[-1].strip()}"
    return lines


def explanation(leak: StateLeak) -> str:
    """Which earlier trials are needed to reproduce the failure."""
    before, place = leak.before, leak.found.place
    if before is None:
        return (
            f"Alone in a new process {place} does not fail, nor after the trials of its question "
            "before it: the state is older, or it depends on chance or time."
        )
    if not before:
        return f"Alone in a new process {place} fails, but not when it was put again later."
    if len(before) == 1:
        return f"Alone in a new process {place} does not fail, but after {leak.places[0]}."
    first, last = leak.places[0], leak.places[-2]
    return f"Alone in a new process {place} does not fail, but after {first} to {last}."
