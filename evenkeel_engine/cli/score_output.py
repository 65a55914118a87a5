"""What `evenkeel score` prints: mutants written by hand, sampled ones, and faulty subjects."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import asdict

from evenkeel_engine.cli.output import print_line, print_lines, print_table
from evenkeel_engine.mutation.equivalents import read_survivors
from evenkeel_engine.mutation.scoring.detection import NO_END
from evenkeel_engine.mutation.scoring.score import Score
from evenkeel_engine.mutation.scoring.score_faulty import Idle
from evenkeel_engine.mutation.scoring.score_sampled import BY_HAND, SampledScore, count_detected


def print_kept(scores: list[Score]) -> None:
    """Mutants with what killed them, then conforming variants."""
    columns = ["defect", "catalogue", "edition", "killed by", "#trials", "#ms"]
    rows = []
    for s in (s for s in scores if not s.mutant.conforming):
        named = s.mutant.name, s.mutant.defect, s.mutant.edition.name
        rows.append([*named, s.clause or "SURVIVED", s.trials, round(s.milliseconds)])
    print_table("mutants", columns, rows)
    print_table(
        "conforming variants",
        ["variant", "flagged by", "#trials"],
        [[s.mutant.name, s.clause or "none", s.trials] for s in scores if s.mutant.conforming],
    )


def handwritten_summary(scores: list[Score]) -> str:
    """The one line."""
    defects = [s for s in scores if not s.mutant.conforming]
    conforming = [s for s in scores if s.mutant.conforming]
    killed = sum(s.clause is not None for s in defects)
    flagged = sum(s.clause is not None for s in conforming)
    return (
        f"{killed} of {len(defects)} mutants killed, "
        f"{flagged} of {len(conforming)} conforming variants flagged"
    )


def handwritten_data(scores: list[Score]) -> list[dict[str, object]]:
    """For programs."""
    return [
        {
            **{key: getattr(s.mutant, key) for key in ("name", "chapter", "defect", "conforming")},
            "edition": s.mutant.edition.name,
            **{key: getattr(s, key) for key in ("clause", "sentence", "trials", "milliseconds")},
        }
        for s in scores
    ]


def print_sampled(scores: Sequence[SampledScore]) -> None:
    """How many were detected, by chapter and operator, which never ended, and every survivor."""
    print_counted("by chapter", "chapter", scores, lambda score: score.mutant.chapter)
    print_counted("by operator", "operator", scores, lambda score: score.operator)
    ended = [(s.mutant.name, s.outcome) for s in scores if s.outcome.by == NO_END]
    if ended:
        rows = [[name, outcome.question or outcome.sentence] for name, outcome in ended]
        print_table("never ended", ["mutant", "on"], rows)
    for score in scores:
        if score.outcome.by is None:
            print_survivor(score)


def print_counted(
    title: str, column: str, scores: Sequence[SampledScore], key: Callable[[SampledScore], str]
) -> None:
    """A table of how many were detected, and how many of the others no trial ran."""
    idle = Counter(key(s) for s in scores if s.outcome.by is None and s.outcome.tried == 0)
    rows = [
        [value, every, seen, f"{100 * seen / every:.0f} %", idle[value]]
        for value, (seen, every) in sorted(count_detected(scores, key).items())
    ]
    print_table(title, [column, "#mutants", "#detected", "#share", "#never run"], rows)


def print_survivor(score: SampledScore) -> None:
    """A surviving mutant: its change, and the smallest trial that shows it."""
    print_line()
    print_line(f"survived: {score.mutant.name}")
    print_lines(score.mutant.description.splitlines())
    if (found := score.outcome.difference) is None:
        reached = f"; {score.outcome.tried:,} of them run the changed statement"
        print_line(f"no trial of {score.outcome.trials:,} differs{reached}")
    else:
        print_line(f"differs on {found.question} in {found.edition}: {json.dumps(found.trial)}")
    if (known := read_survivors().get(score.mutant.name)) is not None:
        print_line(f"known: {known.reason}")


def sampled_summary(scores: Sequence[SampledScore], in_reference: bool) -> str:
    """The one line."""
    seen = sum(score.outcome.by is not None for score in scores)
    if in_reference:
        return f"{seen} of {len(scores)} mutants of the reference detected"
    return f"{seen} of {len(scores)} sampled mutants killed"


def sampled_data(scores: Sequence[SampledScore]) -> dict[str, object]:
    """For programs."""
    return {
        "by_chapter": count_shares(scores, lambda score: score.mutant.chapter),
        "by_operator": count_shares(scores, lambda score: score.operator),
        "mutants": [one_of(score) for score in scores],
    }


def count_shares(
    scores: Sequence[SampledScore], key: Callable[[SampledScore], str]
) -> dict[str, object]:
    """How many were detected, of how many."""
    return {
        value: {"mutants": every, "detected": seen}
        for value, (seen, every) in count_detected(scores, key).items()
    }


def one_of(score: SampledScore) -> dict[str, object]:
    """One mutant."""
    found = score.outcome.difference
    return {
        "name": score.mutant.name,
        "chapter": score.mutant.chapter,
        "operator": score.operator,
        "detected_by": score.outcome.by,
        "sentence": score.outcome.sentence,
        "question": score.outcome.question,
        "trials": score.outcome.trials,
        "trials_that_run_it": score.outcome.tried,
        "milliseconds": score.milliseconds,
        "change": score.mutant.description,
        "by_hand": score.operator == BY_HAND,
        "differs_on": found
        and {"question": found.question, "edition": found.edition, "trial": found.trial},
    }


def all_known(stood: list[Idle]) -> bool:
    """Whether none survived without a reason."""
    return all(i.clause is not None or i.allowed is not None for i in stood)


def print_idle(stood: list[Idle]) -> None:
    """The faulty subjects by the clause that objected; those that survived, and why."""
    print_table(
        "idle subjects",
        ["question", "edition", "subject", "violated", "#trials"],
        [[i.question, i.edition, i.subject, i.clause or "SURVIVED", i.trials] for i in stood],
    )
    survived = [i for i in stood if i.clause is None]
    if survived:
        rows = [[i.question, i.edition, i.subject, i.allowed or "UNKNOWN"] for i in survived]
        print_table("survivors", ["question", "edition", "subject", "why"], rows)


def idle_summary(stood: list[Idle]) -> str:
    """The one line."""
    return f"{sum(i.clause is not None for i in stood)} of {len(stood)} faulty subjects violated"


def idle_data(stood: list[Idle]) -> list[dict[str, object]]:
    """For programs."""
    return [{**asdict(i), "allowed": i.allowed if i.clause is None else None} for i in stood]
