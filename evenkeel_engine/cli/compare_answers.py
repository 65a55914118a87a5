"""`evenkeel compare --answers`: what two subjects answer otherwise, grouped by its cause."""

from __future__ import annotations

import shlex
from collections.abc import Iterator, Sequence
from itertools import islice
from typing import Any, Final

from evenkeel_engine import spec, version
from evenkeel_engine.check.answers import AnswerGroup, Answers
from evenkeel_engine.check.nearest import find_differing, list_leaves
from evenkeel_engine.cli.failure_files import save_trial
from evenkeel_engine.cli.output import print_line, print_prose
from evenkeel_engine.content import PROGRAM
from evenkeel_engine.kit.codec import to_json
from evenkeel_engine.kit.defaults import trim_data
from evenkeel_engine.subjects.essence import take_core
from evenkeel_engine.text import count_noun

FORMAT: Final = "evenkeel compare answers 1"
SHOWN: Final = 3
"""Places of two answers that are printed."""
CLAUSES: Final = 3
"""Clauses that are named."""


def answers_data(
    found: Answers, names: Sequence[str], seed: int, alone: Sequence[str]
) -> dict[str, Any]:
    """All of it for programs (answers.schema.json)."""
    return {
        "format": FORMAT,
        "evenkeel": version.find_version(),
        "seed": seed,
        "subjects": list(names),
        "questions": {
            name: {
                "trials": trials,
                "differing": found.differing[name],
                "by_chance": found.by_chance[name],
                "unanswered": found.unanswered[name],
            }
            for name, trials in found.trials.items()
        },
        "not_compared": list(alone),
        "groups": [group_data(one, names) for one in list_groups(found)],
    }


def group_data(one: AnswerGroup, names: Sequence[str]) -> dict[str, Any]:
    """One group for programs; its trial without what has its default."""
    return {
        "question": one.question,
        "trials": one.trials,
        "sides": [
            {
                "clause": side.clause,
                "edition": side.edition,
                "broken_by": names[side.broken_by],
                "trials": trials,
            }
            for side, trials in one.sides.most_common()
        ],
        "trial": trim_data(type(one.smallest.trial), to_json(one.smallest.trial)),
        "answers": [take_core(answer) for answer in one.smallest.answers],
    }


def list_groups(found: Answers) -> list[AnswerGroup]:
    """Those in which clauses change side first, then by question."""
    return sorted(found.groups, key=lambda one: (not one.sides, one.question, -one.trials))


def summarize(found: Answers) -> tuple[str, int]:
    """The last line, and the exit status: 1 where answers differ, 2 where nothing was compared."""
    trials, unanswered = found.trials.total(), found.unanswered.total()
    differing, chance = found.differing.total(), found.by_chance.total()
    silent = sum(not one.sides for one in found.groups)
    words = (
        f"{differing:,} of {trials:,} answers differ, {chance:,} of them by chance; "
        f"{count_noun(len(found.groups), 'group')}, {silent} of them without a clause"
    )
    missing = f"; {unanswered:,} trials lack an answer of one" if unanswered else ""
    return words + missing, 1 if found.groups else 0 if trials > unanswered else 2


def print_answers(found: Answers, commands: Sequence[str], names: Sequence[str]) -> None:
    """Each group with its clauses and its smallest trial."""
    subjects = [word for command in commands for word in ("--subject", command)]
    for number, one in enumerate(list_groups(found), 1):
        clauses = " ".join(tell_sides(one, names)) or "No clause changes side."
        print_prose(f"{number}. {one.question}, {count_noun(one.trials, 'trial')}. {clauses}")
        forms = [take_core(answer) for answer in one.smallest.answers]
        leaves = [dict(list_leaves(form)) for form in forms]
        for place in islice(find_differing(*forms), SHOWN):
            values = (repr(each[place]) if place in each else "nothing" for each in leaves)
            print_prose(f"  {place or 'answer'}: {' | '.join(values)}")
        at = one.smallest.block
        file = save_trial(f"{one.question}-{at.seed}-{at.start}", one.question, one.smallest.trial)
        again = [*PROGRAM.split(), "compare", "--answers", "--case", str(file), *subjects]
        print_prose(f"  again: {shlex.join(again)}")
        print_line()


def tell_sides(group: AnswerGroup, names: Sequence[str]) -> Iterator[str]:
    """Which clauses change side, the most frequent first, by the subject that breaks them."""
    for by, name in enumerate(names):
        sides = (side for side, _ in group.sides.most_common() if side.broken_by == by)
        broken = dict.fromkeys(side.clause for side in sides)
        words = [f"{clause} ({spec.find_clause(clause).title})" for clause in broken]
        more = f" and {len(words) - CLAUSES} more" if len(words) > CLAUSES else ""
        if words:
            yield f"Only {name} breaks {', '.join(words[:CLAUSES])}{more}."
