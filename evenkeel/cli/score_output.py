"""What `evenkeel score` prints: mutants written by hand, sampled ones, and faulty subjects."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Callable, Sequence

from evenkeel.cli.output import line, table
from evenkeel.mutation.equivalents import survivors
from evenkeel.mutation.scoring.detection import NO_END
from evenkeel.mutation.scoring.score import Score
from evenkeel.mutation.scoring.score_faulty import Idle
from evenkeel.mutation.scoring.score_sampled import BY_HAND, Noticed, counted

# --------------------------------------------------------------- mutants written by hand


def print_kept(scores: list[Score]) -> None:
    """Mutants with what killed them, then conforming variants."""
    table(
        "mutants",
        ["defect", "catalogue", "edition", "killed by", "#trials", "#ms"],
        [
            [
                s.mutant.name,
                s.mutant.defect,
                s.mutant.edition.name,
                s.clause or "SURVIVED",
                s.trials,
                round(s.milliseconds),
            ]
            for s in scores
            if not s.mutant.conforming
        ],
    )
    table(
        "conforming variants",
        ["variant", "flagged by", "#trials"],
        [[s.mutant.name, s.clause or "nobody", s.trials] for s in scores if s.mutant.conforming],
    )


def kept_summary(scores: list[Score]) -> str:
    """The one line."""
    defects = [s for s in scores if not s.mutant.conforming]
    conforming = [s for s in scores if s.mutant.conforming]
    killed = sum(s.clause is not None for s in defects)
    flagged = sum(s.clause is not None for s in conforming)
    return (
        f"{killed} of {len(defects)} mutants killed, "
        f"{flagged} of {len(conforming)} conforming variants flagged"
    )


def kept_data(scores: list[Score]) -> list[dict[str, object]]:
    """For programs."""
    return [
        {
            "name": s.mutant.name,
            "chapter": s.mutant.chapter,
            "defect": s.mutant.defect,
            "conforming": s.mutant.conforming,
            "edition": s.mutant.edition.name,
            "clause": s.clause,
            "sentence": s.sentence,
            "trials": s.trials,
            "milliseconds": s.milliseconds,
        }
        for s in scores
    ]


# ----------------------------------------------------------------------- sampled mutants


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


def sampled_summary(scores: Sequence[Noticed], in_reference: bool) -> str:
    """The one line."""
    seen = sum(score.fate.by is not None for score in scores)
    if in_reference:
        return f"{seen} of {len(scores)} mutants of the reference noticed"
    return f"{seen} of {len(scores)} drawn mutants killed"


def sampled_data(scores: Sequence[Noticed]) -> dict[str, object]:
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


# ----------------------------------------------------------------------- faulty subjects


def all_known(stood: list[Idle]) -> bool:
    """Nobody survived without a reason."""
    return all(i.clause is not None or i.excuse is not None for i in stood)


def print_idle(stood: list[Idle]) -> None:
    """The idle subjects by the clause that objected; who survived, and why."""
    table(
        "idle subjects",
        ["question", "edition", "subject", "violated", "#trials"],
        [[i.question, i.edition, i.subject, i.clause or "SURVIVED", i.trials] for i in stood],
    )
    survived = [i for i in stood if i.clause is None]
    if survived:
        rows = [[i.question, i.edition, i.subject, i.excuse or "UNKNOWN"] for i in survived]
        table("survivors", ["question", "edition", "subject", "why"], rows)


def idle_summary(stood: list[Idle]) -> str:
    """The one line."""
    violated = sum(i.clause is not None for i in stood)
    return f"{violated} of {len(stood)} idle subjects violated"


def idle_data(stood: list[Idle]) -> list[dict[str, object]]:
    """For programs."""
    return [
        {
            "question": i.question,
            "edition": i.edition,
            "subject": i.subject,
            "clause": i.clause,
            "sentence": i.sentence,
            "trials": i.trials,
            "excuse": i.excuse if i.clause is None else None,
        }
        for i in stood
    ]
