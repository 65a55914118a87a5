"""How the scores of drawn mutants are printed."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Callable, Sequence

from evenkeel.cli.output import line, table
from evenkeel.mutation.equivalents import survivors
from evenkeel.mutation.scoring.noticing import NO_END
from evenkeel.mutation.scoring.score_drawn import BY_HAND, Noticed, counted


def print_noticed(scores: Sequence[Noticed]) -> None:
    """How many were noticed, by chapter and by operator, who never ended, and every survivor."""
    print_counted("by chapter", "chapter", scores, lambda score: score.mutant.chapter)
    print_counted("by operator", "operator", scores, lambda score: score.operator)
    print_endless([score for score in scores if score.fate.by == NO_END])
    for score in scores:
        if score.fate.by is None:
            print_survivor(score)


def print_counted(
    title: str, column: str, scores: Sequence[Noticed], key: Callable[[Noticed], str]
) -> None:
    """A table of how many were noticed, and how many of the others no trial ran."""
    idle = Counter(key(s) for s in scores if s.fate.by is None and s.fate.tried == 0)
    rows = [
        [value, every, seen, f"{100 * seen / every:.0f} %", idle[value]]
        for value, (seen, every) in sorted(counted(scores, key).items())
    ]
    table(title, [column, "#mutants", "#noticed", "#share", "#never run"], rows)


def print_endless(scores: Sequence[Noticed]) -> None:
    """The mutants that were ended: each is noticed, by having taken too long."""
    if scores:
        rows = [[s.mutant.name, s.fate.question or s.fate.sentence] for s in scores]
        table("never ended", ["mutant", "on"], rows)


def print_survivor(score: Noticed) -> None:
    """A mutant that nobody noticed: its change, and the smallest trial that shows it."""
    line()
    line(f"survived: {score.mutant.name}")
    for text in score.mutant.description.splitlines():
        line(text)
    line(difference_of(score))
    if (known := survivors().get(score.mutant.name)) is not None:
        line(f"known: {known.reason}")


def difference_of(score: Noticed) -> str:
    """The smallest trial on which the answer differs."""
    found = score.fate.difference
    if found is None:
        reached = f"; {score.fate.tried:,} of them run the changed statement"
        return f"no trial of {score.fate.trials:,} differs{reached}"
    return f"differs on {found.question} in {found.edition}: {json.dumps(found.trial)}"


def summary_of(scores: Sequence[Noticed], in_reference: bool) -> str:
    """The one line."""
    seen = sum(score.fate.by is not None for score in scores)
    if in_reference:
        return f"{seen} of {len(scores)} mutants of the reference noticed"
    return f"{seen} of {len(scores)} drawn mutants killed"


def data_of(scores: Sequence[Noticed]) -> dict[str, object]:
    """For programs."""
    return {
        "by_chapter": shares(scores, lambda score: score.mutant.chapter),
        "by_operator": shares(scores, lambda score: score.operator),
        "mutants": [one_of(score) for score in scores],
    }


def shares(scores: Sequence[Noticed], key: Callable[[Noticed], str]) -> dict[str, object]:
    """How many were noticed, of how many."""
    return {
        value: {"mutants": every, "noticed": seen}
        for value, (seen, every) in counted(scores, key).items()
    }


def one_of(score: Noticed) -> dict[str, object]:
    """One mutant."""
    found = score.fate.difference
    return {
        "name": score.mutant.name,
        "chapter": score.mutant.chapter,
        "operator": score.operator,
        "noticed_by": score.fate.by,
        "sentence": score.fate.sentence,
        "question": score.fate.question,
        "trials": score.fate.trials,
        "trials_that_run_it": score.fate.tried,
        "milliseconds": score.milliseconds,
        "change": score.mutant.description,
        "by_hand": score.operator == BY_HAND,
        "differs_on": found
        and {"question": found.question, "edition": found.edition, "trial": found.trial},
    }
