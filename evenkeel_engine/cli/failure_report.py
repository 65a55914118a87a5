"""The report of one failure, 80 columns wide; and of failures caused by leaked state."""

from __future__ import annotations

import re
import shlex
import textwrap
from collections import Counter
from collections.abc import Collection, Sequence
from dataclasses import replace
from typing import Any, Final

from evenkeel_engine import spec
from evenkeel_engine.check.breach import Breach, results_of
from evenkeel_engine.check.failure import Failure
from evenkeel_engine.check.nearest import find_differing, list_leaves
from evenkeel_engine.check.severity import Severity
from evenkeel_engine.check.state_leaks import StateLeak
from evenkeel_engine.check.tally import Tally
from evenkeel_engine.cli.render import (
    PLAIN,
    Paper,
    Story,
    align_cells,
    brief_names_in,
    cut,
    indent_lines,
    render,
    shorten_value,
)
from evenkeel_engine.content import PROGRAM, Edition
from evenkeel_engine.kit.catalogue import list_breaches
from evenkeel_engine.kit.codec import Json, to_json
from evenkeel_engine.kit.names import rename_texts
from evenkeel_engine.kit.observations import Broke, Refused
from evenkeel_engine.kit.question import AnyQuestion, Observation
from evenkeel_engine.subjects.wire import observation_to_json
from evenkeel_engine.text import count_noun

LINES: Final = 44
"""Lines of a report, as far as its parts can be folded."""
LEAST: Final = 18
"""Lines of a trial that are always shown."""
SMALL: Final = 36
"""Lines of a trial that is never cut."""
FEWEST: Final = 3
"""Lines of a trial before its steps."""
RULE: Final = 6
"""Lines of a clause that are always shown."""
FACTS: Final = 500
"""Characters of what the judge computed."""
STATEMENT_END: Final = re.compile(r"[.;](?=\s)")

CAPTION: Final = "the smallest trial found{} (defaults left out; in tables also zeros)"
GIVEN: Final = "the trial (defaults left out; in tables also zeros)"
CUT_SHORT: Final = " in the time there was"

BASIS: Final = {
    spec.Level.SHOULD: "SHOULD, by practice, an error with --strict only",
    spec.Level.DOES: "DOES, what the release does",
    spec.Level.NOTE: "NOTE, informs only",
}

ABSENT: Final = "-"
TICKETS: Final = ("ticket", "number")
"""Fields that count from 0, as the wire does; all other places here count from 1."""
MOMENTS: Final = "moments"
"""The steps of a trial in which no list holds them."""
PLACES: Final = 6
"""Places that are shown before the rest is folded."""

MOST: Final = 8
"""Trials before the failing one that a command names; for more there is a sentence."""

ANSWERS_DIFFER: Final = "this subject answers the same trial differently after others"


def failure_lines(
    failure: Failure,
    edition: Edition,
    replay: str,
    paper: Paper,
    departs: bool = False,
    follows: Sequence[str] = (),
) -> list[str]:
    """The lines: the rule, what broke it, the trial with the subject's results, what is right at
    that place, how to see it again.

    `departs`: the documents are silent, so the subject is not wrong. `follows`: a line for each
    failure that comes with this one.
    """
    entry = spec.find_clause(failure.found.clause)
    times = count_noun(failure.trials, "trial")
    head = f"{failure.signature} · {entry.title} · {failure.question.name}, {times}"
    at = failure.breach or Breach(failure.trial, failure.observation)
    mark, sentence = "△" if departs else "✗", at.sentence or failure.sentence
    lines = ["", *wrap(f"{mark} {sentence}", paper, "  ")]
    if at.facts:
        lines += wrap(f"computed: {'; '.join(last_facts(at.facts, paper))}", paper, "    ")
    if any(" ± " in line for line in lines):
        lines += ["    (± is how far rounding may take a number: spec/notation.md, Tolerances)"]
    level = entry.level_in(edition.name)
    basis = BASIS.get(level, f"MUST, by {spec.RESTS_ON[entry.basis]}")
    if entry.effect and level is spec.Level.SHOULD:
        option = f"--fail-on {entry.effect}"
        basis = f"SHOULD, by practice, of effect {entry.effect}: an error with {option}"
    place = f"spec/{entry.chapter}.md ({PROGRAM} explain {entry.id})"
    end = [*answer_lines(failure, edition, paper), ""]
    if follows:
        end += ["  broken with it, or after it:", *indent_lines(follows, 4), ""]
    end += [*wrap(f"rule: {basis}; {place}", paper, "  "), f"  again: {replay}"]
    if failure.found.size and failure.found.place not in replay.split():
        end.append(f"  made smaller from: {failure.found.place}")
    title = wrap(head, paper, "")
    room = LINES - len(title) - len(lines) - len(end) - 1
    shown = trial_lines(failure, paper, max(room - RULE, LEAST))
    rule = fold_rule(entry.sentence, paper, max(room - len(shown), RULE))
    return [*title, *rule, *lines, "", *shown, *end]


def fold_rule(rule: str, paper: Paper, most: int) -> list[str]:
    """The first statements of a clause, one at least, in at most `most` lines."""
    shown = wrap(rule, paper, "  ", len(rule))
    for end in reversed([found.end() for found in STATEMENT_END.finditer(rule)]):
        if paper.full or len(shown) <= most:
            break
        shown = wrap(f"{rule[:end]} … (--full)", paper, "  ", len(rule) + 12)
    return shown


def last_facts(facts: Sequence[str], paper: Paper) -> Sequence[str]:
    """What the judge computed last, as far as there is room; at least one fact."""
    first, room = len(facts) - 1, FACTS - len(facts[-1])
    while first and len(facts[first - 1]) <= room:
        first -= 1
        room -= len(facts[first])
    return facts if paper.full else facts[first:]


def trial_lines(
    failure: Failure, paper: Paper, room: int = LINES, caption: str = CAPTION
) -> list[str]:
    """The trial up to the step that breaks the clause, with the subject's results."""
    at, story = failure.breach, PLAIN
    trial = failure.trial
    if at is not None:
        trial, steps = at.trial, failure.question.steps or MOMENTS
        results = results_of(observation_to_json(at.observation), at.step) if at.step else None
        story = Story(steps, results or [], at.step, at.deciding, at.idle)
    head = wrap(f"{caption.format(CUT_SHORT if failure.is_cut_short else '')}:", paper, "  ")
    room -= len(head)
    lines = indent_lines(render(trial, paper.inside(4), story), 4)
    for brief in (False, True):
        if len(lines) > room or any("before, --full" in line for line in lines):
            shorter = replace(story, folded=True, brief=brief)
            lines = indent_lines(render(trial, paper.inside(4), shorter), 4)
    if tickets := [name for name in TICKETS if any(f"{name}=" in line for line in lines)]:
        are = "are" if len(tickets) > 1 else "is"
        lines.append(f"    ({' and '.join(tickets)} {are} as on the wire, from 0)")
    if paper.full or len(lines) <= max(room, SMALL):
        return [*head, *lines]
    first = first_kept(lines, f"    {story.steps}:", room)
    last = room - 1 - first
    left = f"    … {len(lines) - first - last:,} more lines, --full shows all"
    return [*head, *lines[:first], left, *lines[len(lines) - last :]]


def first_kept(lines: Sequence[str], head: str, room: int) -> int:
    """How many first lines are kept: all steps if they fit, else the one that breaks the clause."""
    marked = next((n for n, line in enumerate(lines) if line.lstrip().startswith("✗")), len(lines))
    begun = lines.index(head) if head in lines else marked
    last = len(lines) - begun
    if last > room - FEWEST:
        last = min(len(lines) - marked + 4, 3 * room // 4) if marked > room // 2 else room // 3
    return room - 1 - last


def answer_lines(failure: Failure, edition: Edition, paper: Paper) -> list[str]:
    """What the subject answered, and what would have been right."""
    if failure.observation is None or failure.expected is None:
        return ["", "  put again, the trial did not fail so: it is as it was generated"]
    if story := narrate(failure.question, failure.trial, failure.observation):
        lines = [line for text in story for line in wrap(text, paper, "    ")]
        return ["", "  what happened:", *lines]
    at = failure.breach or Breach(failure.trial, failure.observation)
    form = to_json(at.trial)
    if at.step:
        results = results_of(observation_to_json(at.observation), at.step) or [None]
        place = f"{(failure.question.steps or MOMENTS).removesuffix('s')} {at.step}"
        if at.right is None:
            return ["", f"  {place}: no result near this one is known to which no clause objects"]
        caption = f"{place}, next to a result to which no clause objects"
        pair, names = (results[-1], at.right), brief_names_in([form, *results])
    else:
        reference = f"what the reference of {edition.name} answers"
        right = reference if failure.of_reference else "the nearest right answer that is known"
        caption, names = f"answered, next to {right}", brief_names_in(form)
        pair = unwrap_answers(failure.observation, failure.expected)
    subject, other = (rename_texts(one, names) for one in pair)
    return ["", f"  {caption}:", *indent_lines(list_differing(subject, other, paper.inside(4)), 4)]


def narrate(question: AnyQuestion, trial: Any, observation: Observation) -> Sequence[str]:
    """What happened, if the question can tell it; else nothing."""
    if question.narrate is None or isinstance(observation, Refused | Broke):
        return ()
    return question.narrate(trial, observation)


def list_following(
    others: Sequence[str],
    failure: Failure,
    tally: Tally,
    departures: Collection[str],
    edition: Edition,
    paper: Paper,
) -> list[str]:
    """A line for each failure that comes with one: what is said of it here, or where it is met."""
    said = dict[str, str]()
    if others and failure.observation is not None:
        at = failure.breach or Breach(failure.trial, failure.observation)
        breaches = list_breaches(failure.question, edition, at.trial, at.observation)
        said = {verdict.signature: verdict.sentence for verdict in breaches}
    lines = []
    for one in others:
        found, times = tally.smallest[one], count_noun(tally.failures[one], "trial")
        head = f"{'△' if one in departures else '✗'} {one}, {times}"
        sentence = said.get(one) or f"in {found.place}, {found.sentence}"
        lines.append(cut(f"{head}: {sentence}", paper.inside(4)))
    return lines


def wrap(text: str, paper: Paper, indent: str, most: int = 600) -> list[str]:
    """A text in lines of the paper's width; in full it is not cut."""
    whole = text if paper.full or len(text) <= most else f"{text[: most - 30]}… (--full)"
    wrapper = textwrap.TextWrapper(
        paper.width, initial_indent=indent, subsequent_indent=f"{indent}  ", break_on_hyphens=False
    )
    return [line for part in whole.split("\n") for line in wrapper.wrap(part)]


def format_comparison(observed: Observation, expected: Observation, paper: Paper) -> list[str]:
    """Place by place: what the subject answered, and what the reference does."""
    return list_differing(*unwrap_answers(observed, expected), paper)


def unwrap_answers(observed: Observation, expected: Observation) -> tuple[Json, Json]:
    """Both in their wire form; if both are answers, what is in them."""
    subject, reference = observation_to_json(observed), observation_to_json(expected)
    if "answer" in subject and "answer" in reference:
        return subject["answer"], reference["answer"]
    return subject, reference


def list_differing(subject: Json, reference: Json, paper: Paper) -> list[str]:
    """The places where two answers differ, `≠` where it counts; in full all of them."""
    ours, right = dict(list_leaves(subject)), dict(list_leaves(reference))
    marked = set(find_differing(subject, reference))
    places = list({**ours, **right})
    unlike = [place for place in places if find_value(ours, place) != find_value(right, place)]
    listed = places if paper.full else unlike or places
    shown = listed if paper.full else listed[:PLACES]
    wide = max((paper.width - 6) // 3, 12)
    rows = [["", "place", "the subject", "right"]]
    for place in shown:
        values = (clip(find_value(of, place), wide, paper) for of in (ours, right))
        rows.append(["≠" if place in marked else " ", clip(place, wide, paper, left=True), *values])
    lines = align_cells(rows, " ")
    if left := len(listed) - len(shown):
        lines.append(f"… {left:,} more places differ, --full shows all")
    return lines


def find_value(values: dict[str, Json], place: str) -> str:
    """The value at a place."""
    return shorten_value(values[place], Paper(full=True)) if place in values else ABSENT


def clip(text: str, wide: int, paper: Paper, left: bool = False) -> str:
    """A text that fits into its column, cut at the right or the left."""
    if paper.full or len(text) <= wide:
        return text
    return f"…{text[1 - wide :]}" if left else f"{text[: wide - 1]}…"


def replay_sequence(leak: StateLeak, subject: str, edition: Edition) -> str:
    """The command that puts the trials to one process, in order; it fails."""
    words = [*PROGRAM.split(), "replay", *leak.places, "--edition", edition.name]
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
        *wrap(explain_leak(leak), paper, "  "),
        "",
        f"  again: {command}",
    ]
    if leak.before is not None and len(leak.before) > MOST:
        lines[-1] = f"  again, all {len(leak.before) + 1} in one process: {lines[-1].strip()}"
    return lines


def explain_leak(leak: StateLeak) -> str:
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
