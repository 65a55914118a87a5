"""Add, refresh and lint cases, so that their JSON is never edited by hand.

What a reference observes is computed again. What anything else observed (a release, a document)
is a fact, and is never rewritten from the reference: where the two differ, that is a problem.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from evenkeel_engine.content import BASE_EDITIONS, EDITIONS, PROGRAM, SEVERITIES, Edition
from evenkeel_engine.errors import UserError
from evenkeel_engine.files import read_text
from evenkeel_engine.kit.catalogue import QUESTIONS
from evenkeel_engine.kit.codec import Json, to_json
from evenkeel_engine.kit.question import AnyQuestion, Observation
from evenkeel_engine.mutation.catalogue import BY_NAME
from evenkeel_engine.stored import cases
from evenkeel_engine.stored.cases import DESCRIBED, HOLDS, Answer, BadCase, CaseFile, StoredCase
from evenkeel_engine.subjects.essence import same_observation, take_core, take_essence
from evenkeel_engine.subjects.wire import observation_to_json


@dataclass(frozen=True, slots=True)
class Words:
    """The description of a case; `by` is empty if only the subject's own name is known."""

    title: str
    kind: str
    bug: str
    effect: str
    severity: str
    source: str
    by: str
    found: str


def described_case(
    id_: str,
    question: AnyQuestion,
    clause: str,
    trial: Any,
    observed: Observation,
    edition: Edition,
    words: Words,
) -> StoredCase:
    """A described case of what was observed on a trial. Raises `UserError`."""
    case = StoredCase(id_, question.name, to_json(trial), words.title, "", edition.name, (clause,))
    verdict, sentence = cases.verdict_on(case, trial, observed)
    violated = verdict == clause
    if verdict not in (HOLDS, clause):
        raise UserError(f"{verdict} objects to what was observed, and not {clause}: {sentence}")
    if words.kind not in ("", *DESCRIBED):
        raise UserError(f"the kind is one of {', '.join(DESCRIBED)}, not {words.kind}")
    kind = words.kind or ("divergence" if violated else "example")
    how = "is violated" if violated else "holds"
    if (kind == "example") == violated:
        raise UserError(f"{clause} {how} on what was observed, which is no {kind}")
    needed = ["effect", "source", "bug", "severity"] if violated else ["effect", "source"]
    if kind == "erratum":
        needed.remove("severity")
    if missing := [f"--{name}" for name in needed if not getattr(words, name)]:
        raise UserError(f"{clause} {how}: give {' and '.join(missing)}")
    if "severity" in needed and words.severity not in SEVERITIES:
        raise UserError(f"--severity {words.severity}: is none of {', '.join(SEVERITIES)}")
    answers = observed_by(question, trial, edition, observed, words.by, verdict, sentence)
    named = {name: getattr(words, name) for name in cases.NOTES}
    notes = {name: text for name, text in named.items() if text}
    case = replace(case, kind=kind, notes=notes, answers=answers)
    if problems := list(cases.find_problems(case)):
        raise UserError(f"this trial of {question.name} shows nothing of {clause}: {problems[0]}")
    return case


def observed_by(
    question: AnyQuestion,
    trial: Any,
    edition: Edition,
    observed: Observation,
    by: str,
    verdict: str,
    sentence: str,
) -> tuple[Answer, ...]:
    """What the edition's reference observes, and what `by` did, in one answer if it is the same."""
    expected = question.observe(trial, edition)
    own = by.removeprefix("reference:").removeprefix("reference ")
    names = [own if own in EDITIONS else by]
    same = [
        n for n, e in EDITIONS.items() if same_observation(question.observe(trial, e), observed)
    ]
    names = [*([edition.name] if edition.name in same else same[:1]), *names]
    shown = Answer(observation_to_json(observed), tuple(dict.fromkeys(names)), verdict, sentence)
    if edition.name in same:
        return (shown,)
    return (Answer(observation_to_json(expected), (edition.name,)), shown)


def boundary_case(case: StoredCase) -> StoredCase:
    """A boundary with the sentences and `by` of answers whose verdicts a person wrote.

    Raises `UserError` if the judge contradicts a verdict, `BadCase`.
    """
    trial, seen = cases.decode_case(case)
    asked = BASE_EDITIONS | {case.edition: EDITIONS[case.edition]} if case.edition else {}
    given = {name: QUESTIONS[case.question].observe(trial, one) for name, one in asked.items()}
    answers = tuple(
        replace(
            judged_again(case, answer, trial, observation),
            by=tuple(name for name, one in given.items() if same_observation(one, observation)),
        )
        for answer, observation in zip(case.answers, seen, strict=True)
    )
    case = replace(case, kind="boundary", trial=to_json(trial), answers=answers)
    if problems := [*lint_boundary(case), *cases.find_problems(case)]:
        raise UserError(f"this shows no boundary of {case.clause}: {problems[0]}")
    return case


def refresh_case(
    case: StoredCase, observed: Observation | None = None
) -> tuple[StoredCase, tuple[str, ...]]:
    """The case computed again, and what is wrong with it. Raises `BadCase`.

    `observed`: what a subject observes on the trial now; it takes the place of what anything but a
    reference observed. None: that stays.
    """
    trial, seen = cases.decode_case(case)
    case = replace(case, trial=to_json(trial))
    facts = [answer for answer in case.answers if answer.by and is_fact(answer)]
    # What a subject may observe again: what is shown, or the last answer that is a fact.
    renewed = case.shown if facts and case.shown in facts else facts[-1] if facts else None
    answers: list[Answer] = []
    for answer, observation in zip(case.answers, seen, strict=True):
        if is_fact(answer):
            again = observed if observed is not None and answer == renewed else observation
            form = answer.observed if again is observation else observation_to_json(again)
            answers.append(judged_again(case, replace(answer, observed=form), trial, again))
        else:
            answers += recompute_answers(case, answer, trial)
    known = tuple(name for name in case.mutants if name in BY_NAME)
    fresh = replace(case, answers=tuple(answers), mutants=known)
    return fresh, tuple(cases.find_problems(fresh))


def is_fact(answer: Answer) -> bool:
    """Whether anything but references observed it."""
    return not answer.by or any(name not in EDITIONS for name in answer.by)


def judged_again(case: StoredCase, answer: Answer, trial: Any, observation: Observation) -> Answer:
    """An answer with the judge's sentence of today. Its verdict is not changed."""
    if not (ids := cases.violated_ids(answer)):
        return answer
    verdict, sentence = cases.verdict_on(replace(case, clauses=(ids[0],)), trial, observation)
    return replace(answer, sentence=sentence) if verdict == ids[0] else answer


def recompute_answers(case: StoredCase, answer: Answer, trial: Any) -> Iterator[Answer]:
    """What the references that gave an answer observe now: one answer each, if they differ."""
    question = QUESTIONS[case.question]
    groups: list[tuple[Observation, list[str]]] = []
    for name in answer.by:
        observation = question.observe(trial, EDITIONS[name])
        for one, names in groups:
            if same_observation(one, observation):
                names.append(name)
                break
        else:
            groups.append((observation, [name]))
    for observation, names in groups:
        # Without its words, if the answer had none.
        same = take_essence(answer.observed) == take_core(observation)
        wordless = same and is_wordless(answer.observed)
        form = answer.observed if wordless else observation_to_json(observation)
        fresh = replace(answer, observed=form, by=tuple(names))
        fresh = judged_again(case, fresh, trial, observation)
        if list(cases.find_problems(replace(case, clauses=(), answers=(fresh,)))):
            verdict, sentence = cases.verdict_on(case, trial, observation)
            fresh = replace(fresh, verdict=verdict, sentence=sentence)
        yield fresh


def is_wordless(data: Json) -> bool:
    """Whether the form lacks reasons, as those have of which only the essence is known."""
    if isinstance(data, list):
        return any(is_wordless(item) for item in data)
    if not isinstance(data, dict):
        return False
    return any(
        (name == "broke" and isinstance(value, bool))
        or (name in ("refused", "broke") and isinstance(value, dict) and "reason" not in value)
        or (name == "do" and value in ("refused", "broke") and "reason" not in data)
        or is_wordless(value)
        for name, value in data.items()
    )


def lint(path: Path) -> Iterator[str]:
    """What is wrong with a file, each in a sentence; a file that cannot be read is one."""
    try:
        found = cases.read_any(path)
        for case in found:
            yield from (f"{case.id}: {problem}" for problem in lint_case(case))
        if path.suffix == ".jsonl":
            yield from lint_file(path, cases.read_file(path))
        elif read_text(path) != cases.text_of_one(found[0]):
            yield UNFORMATTED
    except BadCase as bad:
        yield str(bad).removeprefix(f"{path}: ")


UNFORMATTED = f"is not formatted as files are; `{PROGRAM} cases refresh` rewrites it"


def lint_case(case: StoredCase) -> Iterator[str]:
    """What is wrong with a case. Raises `BadCase`."""
    yield from cases.find_problems(case)
    if cases.dump_compact(to_json(case.decode_trial())) != cases.dump_compact(case.trial):
        yield f"trial: is not what it would be now; `{PROGRAM} cases refresh` rewrites it"
    for name in case.mutants:
        if name not in BY_NAME:
            yield f"mutants: there is no mutant {name}; `{PROGRAM} cases refresh` removes it"
    needed = [("clauses", case.clause), ("answers", case.answers), ("title", case.title)]
    needed += [(name, case.find_note(name)) for name in ("effect", "source")]
    if case.kind == "example" and case.is_violation:
        yield f"kind: an example cannot have the verdict {case.shown.verdict}"
    elif case.kind in DESCRIBED and case.kind != "example":
        needed.append(("bug", case.find_note("bug")))
        if case.kind != "erratum" and case.find_note("severity") not in SEVERITIES:
            yield f"severity: is none of {', '.join(SEVERITIES)}"
        if not case.is_violation:
            yield f"kind: no clause objects to what is shown, so it is no {case.kind}"
    if case.kind == "boundary":
        needed = [("clauses", case.clause), ("title", case.title)]
        yield from lint_boundary(case)
    elif case.kind not in DESCRIBED:
        needed = []
    for name, value in needed:
        if not value or (isinstance(value, str) and not value.strip()):
            yield f"{name}: is empty"


def lint_boundary(case: StoredCase) -> Iterator[str]:
    """What a boundary lacks: an answer that holds and one that its clause forbids."""
    verdicts = [answer.verdict for answer in case.answers]
    if HOLDS not in verdicts:
        yield "answers: a boundary has an answer that is right only just; none holds"
    if not any(case.clause in verdict.split() for verdict in verdicts):
        yield f"answers: a boundary has one that is wrong only just; {case.clause} forbids none"


def lint_file(path: Path, file: CaseFile) -> Iterator[str]:
    """What is wrong with a file beyond its cases."""
    if cases.text_of(file) != read_text(path):
        yield UNFORMATTED
    if cases.path_of(file.question, path.parent.parent) != path:
        yield f"question: {file.question} belongs into another file"
    ids = [case.id for case in file.cases]
    for id_ in sorted({id_ for id_ in ids if ids.count(id_) > 1}):
        yield f"{id_}: appears twice"
    used = {flag for case in file.cases for flag in case.flags}
    used |= {name for case in file.cases for answer in case.answers for name in answer.by}
    yield from (f"notes: no case refers to {flag}" for flag in sorted(set(file.notes) - used))


def make_slug(title: str) -> str:
    """An id from a title; empty if nothing is left of it."""
    return re.sub(r"[^a-z0-9]+", "-", title.lower()).strip("-")
