"""Cases: trials with observations and the judge's verdicts on them; the stored form.

`counterexamples/<chapter>/<question>.jsonl` has a header, then a case a line. A single case, such
as a failure that a check saved, is one JSON file of the same form with `question` added. What the
reference of an edition observes is computed again; what anything else observed is a fact.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from enum import StrEnum
from functools import cache, partial
from importlib.resources import files
from pathlib import Path
from typing import Any, Final

from evenkeel_engine import content, spec
from evenkeel_engine.content import ADAPTER, EDITIONS, LINES, SYSTEM, Edition, list_lineage
from evenkeel_engine.errors import UserError
from evenkeel_engine.files import (
    Unreadable,
    json_lines,
    lock_folder,
    parse_json,
    read_json,
    read_text,
    write_file,
)
from evenkeel_engine.kit.catalogue import QUESTIONS, clauses_for, find_objections, list_breaches
from evenkeel_engine.kit.codec import BadData, Json, from_json
from evenkeel_engine.kit.defaults import complete_data, trim_data
from evenkeel_engine.kit.question import AnyQuestion, Observation, judge
from evenkeel_engine.subjects.essence import observation_of, on_observation, same_observation


class CaseKind(StrEnum):
    """Where a case comes from, in the order of a file."""

    ERRATUM = "erratum"
    DIVERGENCE = "divergence"
    FOUND = "found"
    EXAMPLE = "example"
    REGRESSION = "regression"
    BOUNDARY = "boundary"
    RECORDED = "recorded"
    VECTOR = "vector"


KINDS: Final = tuple(kind.value for kind in CaseKind)
DESCRIBED: Final = KINDS[:4]
"""The kinds of case that people described: each has a title, a clause, an effect and a source."""
WRITTEN: Final = (CaseKind.REGRESSION, CaseKind.BOUNDARY)
"""The kinds of case whose verdicts are exact: none of the case's clauses objects without a word."""
NOTES: Final = ("bug", "effect", "source", "found", "severity")
"""What kind of bug it is, what it does to a user, where it is written down, how it was found, and
how much it matters.
"""
HOLDS, DEPARTS = "holds", "departs"
OTHERS: Final = ("wrong", "departs", "open")


VERSION: Final = 1
"""The version of the form of a file; one without a version has it, too."""


class BadCase(UserError, ValueError):
    """A file or a line that is no case: one sentence with file, place and reason."""


@dataclass(frozen=True, slots=True)
class Answer:
    """An observation, its source, and the judge's verdict by the case's edition.

    `observed` is in its wire form, perhaps without reasons and details. `by` has names of editions
    (whose reference observes this) and of anything else; it is empty in answers that were invented
    for the judge, or given by mutants. `verdict` is `holds` if no clause objects,
    `departs` if only SHOULDs do, or ids of clauses that object, separated by blanks; `sentence` is
    then the first one's. `only`: nothing else was observed, however often it was tried.
    """

    observed: Json
    by: tuple[str, ...] = ()
    verdict: str = HOLDS
    sentence: str = ""
    only: bool = False


@dataclass(frozen=True, slots=True)
class StoredCase:
    """A trial with answers.

    `clauses` are exercised; what a described case shows is the first. `others` is the status of
    an observation that no answer names: `wrong`, `departs`, or `open` (nothing is known); empty in
    cases that are not exported. `mutants` are names of mutants that it detects. `flags` name notes
    of the file's header; `notes` has these and the case's own.
    """

    id: str
    question: str
    trial: Json
    title: str = ""
    kind: str = "found"
    edition: str = ""
    clauses: tuple[str, ...] = ()
    flags: tuple[str, ...] = ()
    others: str = ""
    mutants: tuple[str, ...] = ()
    notes: Mapping[str, str] = field(default_factory=dict)
    answers: tuple[Answer, ...] = ()

    @property
    def clause(self) -> str:
        """The clause that the case shows; empty if it names none."""
        return self.clauses[0] if self.clauses else ""

    @property
    def shown(self) -> Answer:
        """The answer for a reader: the first that was given and is objected to, else the first."""
        objected = (answer for answer in self.answers if answer.by and answer.verdict != HOLDS)
        return next(objected, self.answers[0])

    @property
    def expected(self) -> Json:
        """What the reference of the edition observes, as stored; None if it is not stored."""
        return next((answer.observed for answer in self.answers if self.edition in answer.by), None)

    @property
    def is_violation(self) -> bool:
        """Whether a clause objects to what is shown."""
        return bool(self.answers) and self.shown.verdict != HOLDS

    @property
    def observed_by(self) -> str:
        """Who observed the shown answer, for people; editions only if there is nothing else."""
        facts = [name for name in self.shown.by if name not in EDITIONS]
        words = ", ".join(facts or [f"the reference of {name}" for name in self.shown.by])
        return words.replace(ADAPTER, SYSTEM) if ADAPTER else words

    def find_note(self, name: str) -> str:
        """A note, or nothing."""
        return self.notes.get(name, "")

    def decode_trial(self) -> Any:
        """The trial, a new object. Raises `BadData`."""
        return from_json(QUESTIONS[self.question].trial_type, self.trial)


@dataclass(frozen=True, slots=True)
class CaseFile:
    """The cases of one question, and notes by the flag, or the answerer, that refers to them.

    An answerer's note `against` names another one, of which the recorded answers were asked for
    again: in a file only where the two differ is it said who gave an answer.
    """

    question: str
    notes: Mapping[str, Mapping[str, str]] = field(default_factory=dict)
    cases: tuple[StoredCase, ...] = ()


def find_store() -> Path:
    """The folder of the cases that come with evenkeel."""
    return Path(str(files(content.name("counterexamples"))))


def path_of(question: str, under: Path | None = None) -> Path:
    """The file of a question."""
    chapter, _, name = question.partition(".")
    return (under or find_store()) / chapter / f"{name}.jsonl"


def case_files(under: Path | None = None) -> list[Path]:
    """The files of a store, in order."""
    return sorted((under or find_store()).glob("*/*.jsonl"))


@cache
def read_cases(question: str) -> tuple[StoredCase, ...]:
    """The stored cases of a question, none if there is no file. Raises `BadCase`."""
    path = path_of(question)
    return read_file(path).cases if path.exists() else ()


def read_stored_cases(kinds: Iterable[str] = KINDS) -> Iterator[StoredCase]:
    """The stored cases of these kinds, by file. Raises `BadCase`."""
    selected = frozenset(kinds)
    for path in case_files():
        yield from (case for case in read_file(path).cases if case.kind in selected)


def find_case(id_: str, under: Path | None = None) -> StoredCase | None:
    """The stored case with this id; None if there is none. Raises `BadCase`."""
    start = f'\n{{"id":{dump_compact(id_)},'
    for path in case_files(under):
        if start in _read_text(path):
            return next(case for case in read_file(path).cases if case.id == id_)
    return None


def _read_text(path: Path) -> str:
    try:
        return read_text(path)
    except Unreadable as why:
        raise BadCase(f"{path}: {why}") from why


def read_file(path: Path) -> CaseFile:
    """Read a file of cases. Raises `BadCase`."""
    return _parse_file(path, _read_text(path))


def _parse_file(path: Path, text: str) -> CaseFile:
    rows = list[dict[str, Json]]()
    for number, line in enumerate(json_lines(text), 1):
        try:
            rows.append(parse_json(line))
        except Unreadable as why:
            reason = str(why).removeprefix("line 1, ")
            raise BadCase(f"{path}: line {number}: {reason}") from why
        _require(isinstance(rows[-1], dict), f"{path}: line {number}", "is no JSON object")
    header = rows[0] if rows else {}
    _require(set(header) <= {"question", "version", "notes"}, f"{path}: line 1", "is no header")
    version = header.get("version", VERSION)
    readable = type(version) is int and version == VERSION
    reason = f"version: is {dump_compact(version)}, and this evenkeel reads version {VERSION} alone"
    _require(readable, f"{path}: line 1", reason)
    question, notes = _read_question(path, header), header.get("notes", {})
    _require(isinstance(notes, dict), f"{path}: line 1", "notes: must be an object")
    for name, note in notes.items():
        _require(isinstance(note, dict), f"{path}: line 1", f"notes: {name}: must be an object")
        _parse_texts(f"{path}: line 1: {name}", note)
    cases = []
    for number, row in enumerate(rows[1:], 2):
        _require("question" not in row, f"{path}: line {number}", "question: is in the header")
        cases.append(_parse_case(f"{path}: line {number}", row, question, notes))
    return CaseFile(question, notes, tuple(cases))


def read_one(path: Path) -> StoredCase:
    """Read a file with a single case, perhaps only question and trial. Raises `BadCase`."""
    try:
        data = read_json(path)
    except Unreadable as why:
        raise BadCase(f"{path}: {why}") from why
    _require(isinstance(data, dict), str(path), "is no JSON object")
    row = {"id": path.stem, **data}
    question = _read_question(path, row)
    del row["question"]
    return _parse_case(str(path), row, question, {})


def read_any(path: Path) -> tuple[StoredCase, ...]:
    """The cases of a file of either sort. Raises `BadCase`."""
    return read_file(path).cases if path.suffix == ".jsonl" else (read_one(path),)


def files_under(paths: Iterable[Path]) -> Iterator[Path]:
    """The files with cases at or under these paths, in order. Raises `BadCase`."""
    for path in paths:
        if path.is_dir():
            yield from sorted(p for p in path.rglob("*") if p.suffix in (".json", ".jsonl"))
        elif path.exists():
            yield path
        else:
            raise BadCase(f"{path}: no such file or folder")


def _require(condition: bool, place: str, reason: str) -> None:
    if not condition:
        raise BadCase(f"{place}: {reason}")


def _read_question(path: Path, data: Mapping[str, Json]) -> str:
    _require("question" in data, str(path), "question: is missing")
    name = data["question"]
    known = isinstance(name, str) and name in QUESTIONS
    _require(known, str(path), f"question: there is no question {name!r}")
    return str(name)


ID: Final = "must be at most 200 visible characters on one line, without / and \\, and not . or .."


def is_id(text: str) -> bool:
    """Whether a case may be named so: it is also the name of a file."""
    plain = text.isprintable() and text == text.strip() and not {*"/\\"} & {*text}
    return plain and text not in ("", ".", "..") and len(text.encode()) <= 200


_CASE: Final = {
    "id": str,
    "title": str,
    "kind": str,
    "edition": str,
    "clauses": list,
    "flags": list,
    "others": str,
    "mutants": list,
    "notes": dict,
    "answers": list,
    "trial": dict,
}
"""The fields of a line, in this order, with the types of their JSON."""
_ANSWER: Final = {"by": list, "verdict": str, "sentence": str, "only": bool, "observed": dict}


def _check_typed(place: str, data: Json, kinds: Mapping[str, type], needed: str) -> dict[str, Any]:
    """An object with fields of these types, lists as tuples."""
    _require(isinstance(data, dict), place, "must be an object")
    for name, value in data.items():
        _require(name in kinds, place, f"{name}: is not a field here")
        texts = kinds[name] is not list or name == "answers"
        right = type(value) is kinds[name]
        right = right and (texts or all(isinstance(one, str) for one in value))
        _require(right, place, f"{name}: must be {_WORDS[kinds[name]]}")
    _require(needed in data, place, f"{needed}: is missing")
    return {name: tuple(value) if type(value) is list else value for name, value in data.items()}


_WORDS: Final = {str: "a text", list: "an array", dict: "an object", bool: "true or false"}


def _parse_case(
    place: str, row: dict[str, Json], question: str, notes: Mapping[str, Any]
) -> StoredCase:
    data = _check_typed(place, row, {**_CASE, "unknown": list}, "trial")
    for name, allowed in (("kind", KINDS), ("edition", EDITIONS), ("others", OTHERS)):
        given = data.get(name, "")
        _require(
            not given or given in allowed, place, f"{name}: must be one of {', '.join(allowed)}"
        )
    known_question = QUESTIONS[question]
    answers = []
    for form in data.get("answers", ()):
        answer = Answer(**_check_typed(f"{place}: answers", form, _ANSWER, "observed"))
        _require(bool(answer.verdict.split()), place, "answers: verdict: is empty")
        whole = on_observation(known_question, answer.observed, complete_data)
        answers.append(replace(answer, observed=whole))
    _require(is_id(data.get("id", "")), place, f"id: {ID}")
    for id_ in [*data.get("clauses", ()), *(id_ for one in answers for id_ in violated_ids(one))]:
        _require(
            id_ in spec.read_entries(), place, f"clauses: the specification has no clause {id_!r}"
        )
    _require(not answers or "edition" in data, place, "edition: is missing")
    flagged: dict[str, str] = {}
    for flag in data.get("flags", ()):
        _require(flag in notes, place, f"flags: the header has no note {flag!r}")
        flagged |= notes[flag]
    data["notes"] = {**flagged, **_parse_texts(place, data.get("notes", {}))}
    data["trial"] = complete_data(known_question.trial_type, data["trial"])
    asked = find_asked(notes) if data.get("kind") == CaseKind.RECORDED else {}
    data["answers"] = _spread(answers, asked, data.pop("unknown", ()))
    return StoredCase(question=question, **data)


def _parse_texts(place: str, notes: Mapping[str, Json]) -> Mapping[str, str]:
    for name, text in notes.items():
        _require(isinstance(text, str), place, f"notes: {name}: must be a text")
    return notes


def find_asked(notes: Mapping[str, Mapping[str, str]]) -> dict[str, str]:
    """The answerers that were asked what another had been asked, with that other one."""
    return {name: note["against"] for name, note in notes.items() if "against" in note}


def _spread(
    answers: list[Answer], asked: Mapping[str, str], unknown: Iterable[str]
) -> tuple[Answer, ...]:
    """Answers with all who gave them: who is not named answered as the one it was put against."""
    named = {*unknown, *(name for answer in answers for name in answer.by)}
    also = {name: other for name, other in asked.items() if name not in named}
    return tuple(
        replace(one, by=(*one.by, *(name for name, other in also.items() if other in one.by)))
        for one in answers
    )


def violated_ids(answer: Answer) -> list[str]:
    """The ids of the clauses that object, as stored."""
    return [] if answer.verdict in (HOLDS, DEPARTS) else answer.verdict.split()


def sort_key(case: StoredCase) -> tuple[int, str]:
    """The place of a case in its file: the described ones first, else by id."""
    return KINDS.index(case.kind), case.id


def form_of(
    case: StoredCase, notes: Mapping[str, Mapping[str, str]] | None = None
) -> dict[str, Json]:
    """A case as it is written: without defaults, and without what follows from its flags."""
    question, flagged = QUESTIONS[case.question], dict[str, str]()
    for flag in case.flags:
        flagged |= (notes or {})[flag]
    own = {name: text for name, text in case.notes.items() if flagged.get(name) != text}
    values = {name: getattr(case, name) for name in _CASE}
    values["notes"] = own
    values["trial"] = trim_data(question.trial_type, case.trial)
    asked = find_asked(notes or {}) if case.kind == CaseKind.RECORDED else {}
    given = {name for answer in case.answers for name in answer.by}
    unknown = (name for name, of in asked.items() if of in given and name not in given)
    values["unknown"] = sorted(unknown)
    values["answers"] = [_answer_form(question, answer, asked) for answer in case.answers]
    lists = {name: list(it) if type(it) is tuple else it for name, it in values.items()}
    return {name: it for name, it in lists.items() if it or name == "trial"}


def _answer_form(question: AnyQuestion, answer: Answer, asked: Mapping[str, str]) -> Json:
    values = {name: getattr(answer, name) for name in _ANSWER}
    values["by"] = [name for name in answer.by if asked.get(name) not in answer.by]
    values["observed"] = on_observation(question, answer.observed, trim_data)
    return {name: it for name, it in values.items() if it and (name, it) != ("verdict", HOLDS)}


def dump_compact(data: Json) -> str:
    """JSON without blanks, in the order that the data have."""
    return json.dumps(data, separators=(",", ":"), ensure_ascii=False, allow_nan=False)


def text_of(file: CaseFile) -> str:
    """The text of a file: the same for the same cases."""
    header: dict[str, Json] = {"question": file.question, "version": VERSION}
    if file.notes:
        header["notes"] = {flag: dict(file.notes[flag]) for flag in sorted(file.notes)}
    rows = [header, *(form_of(case, file.notes) for case in sorted(file.cases, key=sort_key))]
    return "".join(f"{dump_compact(row)}\n" for row in rows)


def text_of_one(case: StoredCase) -> str:
    """The text of a file with one case: readable, and the same for the same case."""
    form = {"id": case.id, "question": case.question, **form_of(replace(case, flags=()))}
    return json.dumps(form, indent=1, ensure_ascii=False, allow_nan=False) + "\n"


def store_text(path: Path, text: str) -> None:
    """Write a file of cases, if it can be read again. Raises `Unwritable`, `BadCase`."""
    is_store = path.suffix == ".jsonl"
    write_file(path, text, True, partial(_parse_file, path) if is_store else None)


def change_file(path: Path, question: str, how: Callable[[CaseFile], CaseFile]) -> CaseFile:
    """Change or begin a question's file, a process at a time. Raises `Unwritable`, `BadCase`."""
    with lock_folder(path.parent, folders=True):
        file = how(read_file(path) if path.exists() else CaseFile(question))
        store_text(path, text_of(file))
    return file


def decode_case(case: StoredCase) -> tuple[Any, tuple[Observation, ...]]:
    """The trial and the observations of a case. Raises `BadCase`."""
    question, place = QUESTIONS[case.question], "trial"
    try:
        trial, seen = case.decode_trial(), list[Observation]()
        for number, answer in enumerate(case.answers, 1):
            place = f"answer {number}"
            seen.append(observation_of(question, answer.observed))
    except BadData as bad:
        inner = f"{place}.{bad.place}" if bad.place else place
        raise BadCase(f"{case.id}: {inner}: {bad.reason}") from bad
    return trial, tuple(seen)


def find_problems(case: StoredCase) -> Iterator[str]:
    """How the reference or the judge contradicts the case. Raises `BadCase`."""
    if not case.answers:
        return
    trial, seen = decode_case(case)
    question, edition = QUESTIONS[case.question], EDITIONS[case.edition]
    expected = question.observe(trial, edition)
    exercised = set[str]()
    for answer, observation in zip(case.answers, seen, strict=True):
        for name in references_of(case, answer):
            if not same_observation(
                expected if name == case.edition else question.observe(trial, EDITIONS[name]),
                observation,
            ):
                yield f"the reference of {name} answers otherwise"
        for name in lines_of(case, answer):
            for text in find_objections(case.question, EDITIONS[name], trial, observation):
                yield f"{name} objects to what its own release answered: {text}"
        verdicts = judge(question, clauses_for(case.question, edition), trial, observation, edition)
        exercised |= {v.clause for v in verdicts if v.status in ("holds", "violated")}
        failed = {v.clause: v.sentence for v in verdicts if v.failed}
        yield from verdict_problems(case, answer, failed)
    for id_ in case.clauses:
        if id_ not in exercised:
            yield f"{id_} is not exercised"


def references_of(case: StoredCase, answer: Answer) -> Iterable[str]:
    """The editions whose reference must observe this answer."""
    names = [name for name in answer.by if name in EDITIONS]
    if answer.only:
        lines = lines_of(case, answer)
        names += lines if lines and len(lines) == len(answer.by) else [case.edition, *lines]
    return dict.fromkeys(names)


def lines_of(case: StoredCase, answer: Answer) -> list[str]:
    """The editions of the releases that gave an answer, where they can differ from the case's."""
    editions = filter(None, map(find_followed, answer.by if case.kind == CaseKind.RECORDED else ()))
    return [one.name for one in editions if differs(one.name, case.edition, case.question)]


def find_followed(name: str) -> Edition | None:
    """The edition that an answerer follows; None if it is no known release."""
    released = (one for one in LINES.values() if one.release)
    return next((EDITIONS[o.name] for o in released if name == f"{ADAPTER} {o.release}"), None)


def differs(name: str, other: str, question: str) -> bool:
    """Whether an edition changes something about a question since another that it descends from."""
    line = list_lineage(name)
    since = line[: line.index(other)] if other in line else line
    return any(question in change.questions for one in since for change in LINES[one].changes)


def verdict_problems(case: StoredCase, answer: Answer, failed: dict[str, str]) -> Iterator[str]:
    """How the judge contradicts the verdict and sentence of an answer.

    Others than those of the verdict may object, but of a written case none that it names.
    """
    edition, observer = EDITIONS[case.edition], ", ".join(answer.by) or "an answer"
    objections = "; ".join(f"{id_}: {sentence}" for id_, sentence in failed.items())
    if answer.verdict == HOLDS:
        if failed:
            yield f"what {observer} observed does not hold: {objections}"
    elif answer.verdict == DEPARTS:
        if not failed or any(not is_should(id_, edition) for id_ in failed):
            why = objections or "nothing objects"
            yield f"what {observer} observed is no mere departure: {why}"
    else:
        ids = violated_ids(answer)
        for id_ in ids:
            if id_ not in failed:
                yield f"{id_} does not object to what {observer} observed"
        unsaid = {*case.clauses} & {*failed} - {*ids} if case.kind in WRITTEN else set[str]()
        yield from (f"{id_} objects to what {observer} observed, too" for id_ in sorted(unsaid))
        if ids[0] in failed and failed[ids[0]] != answer.sentence:
            yield f"{ids[0]} gives another sentence for what {observer} observed: {failed[ids[0]]}"


def is_should(id_: str, edition: Edition) -> bool:
    """Whether a clause is a SHOULD in this edition."""
    return spec.find_clause(id_).level_in(edition.name) is spec.Level.SHOULD


def verdict_on(case: StoredCase, trial: Any, observation: Observation) -> tuple[str, str]:
    """The verdict on an observation and its sentence: a clause of the case first, SHOULDs last."""
    question, edition = QUESTIONS[case.question], EDITIONS[case.edition]
    breaches = list_breaches(question, edition, trial, observation)
    if not (failed := {one.clause: one.sentence for one in breaches}):
        return HOLDS, ""
    first = min(failed, key=lambda id_: (id_ not in case.clauses, is_should(id_, edition)))
    return first, failed[first]
