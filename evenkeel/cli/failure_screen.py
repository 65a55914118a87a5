"""One failure on one screen of 80 columns."""

from __future__ import annotations

import textwrap
from dataclasses import replace
from typing import Final

from evenkeel import spec
from evenkeel.cli.compared import comparison
from evenkeel.cli.drawn import Paper, drawn, indented
from evenkeel.harness.failure import Failure
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
