"""One failure on one screen of 80 columns; what comes of state between trials in one block."""

from __future__ import annotations

import shlex
import textwrap
from collections import Counter
from dataclasses import replace
from typing import Final

from evenkeel import spec
from evenkeel.cli.render import Paper, drawn, indented, short
from evenkeel.harness.failure import Failure
from evenkeel.harness.nearest import differing, leaves
from evenkeel.harness.severity import Severity
from evenkeel.harness.state_leaks import Carried
from evenkeel.harness.subjects.wire import observation_to_json
from evenkeel.harness.tally import Tally
from evenkeel.properties.kit.codec import Json
from evenkeel.properties.kit.question import Observation
from evenkeel.reference.edition import Edition

TRIAL_LINES: Final = 24
"""Lines of a trial that are shown before the rest is folded: with the rest they fill a screen."""

CAPTION: Final = "the smallest trial found{} (defaults left out; in tables also zeros)"
CUT_SHORT: Final = " in the time there was"

BINDS: Final = {
    spec.Level.MUST: "the documents ask for it",
    spec.Level.SHOULD: "Pulsar's practice; the documents are silent (--strict: an error)",
    spec.Level.DOES: "what the release does",
    spec.Level.NOTE: "informs only",
}

ABSENT: Final = "-"
PLACES: Final = 12
"""Places that are shown before the rest is folded."""

MOST: Final = 8
"""So many trials before the one that fails are named in a command; of more, a sentence."""

LIVES_ON: Final = "this subject answers the same trial differently after others"


def counted_from(question: str) -> int:
    """From what number the judges of a question count: rounds of the classic shedders from 1."""
    classic = question.startswith("shedding.") and not question.startswith("shedding.transfer")
    return 1 if classic else 0


def screen(
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
        whose = f"what the reference of {edition.name} answers"
        right = whose if failure.of_reference else "the nearest right answer that is known"
        lines += ["", f"  answered, beside {right}:"]
        lines += indented(comparison(failure.observation, failure.expected, paper.inside(4)), 4)
    else:
        lines += ["", "  asked again, the subject did not fail so: the trial is as it was drawn"]
    place = f"spec/{entry.chapter}.md, {entry.id} (evenkeel explain {entry.id})"
    binds = f"  {entry.level_in(edition.name)}: {BINDS[entry.level_in(edition.name)]}"
    return [*lines, "", f"  rule: {place}", binds, f"  again: {replay}"]


def trial_lines(failure: Failure, paper: Paper) -> list[str]:
    """The trial under its caption."""
    paper = replace(paper, first=counted_from(failure.question.name))
    trial = indented(drawn(failure.trial, paper.inside(4)), 4)
    most = len(trial) if paper.full or len(trial) <= TRIAL_LINES + 1 else TRIAL_LINES
    folded = [f"    … {len(trial) - most:,} more lines, --full shows all"]
    caption = CAPTION.format(CUT_SHORT if failure.is_cut_short else "")
    return [f"  {caption}:", *trial[:most], *(folded if most < len(trial) else [])]


def wrap(text: str, paper: Paper, indent: str) -> list[str]:
    """A text in lines that the paper holds; in full it is not cut."""
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
        wanted = [place for place in places if place in marked] or places
    else:
        wanted = places
    shown = wanted if paper.full else wanted[:PLACES]
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
    if left := len(wanted) - len(shown):
        lines.append(f"… {left:,} more places differ, --full shows all")
    if alike := len(places) - len(wanted):
        lines.append(f"  {alike:,} places are alike")
    return lines


def at(values: dict[str, Json], place: str) -> str:
    """What stands at a place."""
    return short(values[place], Paper(full=True)) if place in values else ABSENT


def clip(text: str, wide: int, paper: Paper, left: bool = False) -> str:
    """A text that fits into its column, cut at the right or the left."""
    if paper.full or len(text) <= wide:
        return text
    return f"…{text[1 - wide :]}" if left else f"{text[: wide - 1]}…"


# --------------------------------------------------------------------- state between trials


def replay_sequence(carried: Carried, subject: str, edition: Edition) -> str:
    """The command that puts the trials to one process, one after the other; it fails."""
    words = ["evenkeel", "replay", *carried.places, "--edition", edition.name]
    if Severity(edition.name).may(carried.found.clause):
        words.append("--strict")
    return shlex.join([*words, "--subject", subject])


def carried_lines(carried: Carried, tally: Tally, command: str) -> list[str]:
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
        f"  again: {command}",
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
