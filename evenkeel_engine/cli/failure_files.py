"""The shrunk trial of a failure as a case in a file, and the command that replays it."""

from __future__ import annotations

import json
import os
import re
import shlex
from dataclasses import replace
from hashlib import blake2b
from pathlib import Path

from evenkeel_engine import spec
from evenkeel_engine.check.failure import Failure
from evenkeel_engine.cli.options import Unusable
from evenkeel_engine.cli.output import warn
from evenkeel_engine.content import PROGRAM, Edition
from evenkeel_engine.files import Unwritable, write_file
from evenkeel_engine.kit.codec import to_json
from evenkeel_engine.stored.cases import Answer, StoredCase, store_text, text_of_one
from evenkeel_engine.subjects.process import name_program
from evenkeel_engine.subjects.wire import observation_to_json


def cache_folder() -> Path:
    """The default folder of failures."""
    folder = os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache"
    return Path(folder) / "evenkeel" / "failures"


def save(failure: Failure, edition: Edition, subject: str, folder: Path | None) -> Path | None:
    """Write the trial with what was observed; None where the cache cannot be written.

    `subject` is as after --subject. Raises `Unusable` for any other folder.
    """
    identity = json.dumps([failure.question.name, edition.name, to_json(failure.trial)])
    words = re.sub(r"[^A-Za-z0-9]+", "-", failure.signature).strip("-")[:60]
    digest = blake2b(identity.encode(), digest_size=4).hexdigest()
    path = (folder or cache_folder()) / f"{words}-{digest}.json"
    try:
        store_text(path, text_of_one(case_of(path.stem, failure, edition, subject)))
    except Unwritable as error:
        sentence = f"failures cannot be saved: {error}"
        if folder is not None:
            raise Unusable(sentence) from error
        warn(sentence)
        return None
    return path


def save_trial(name: str, question: str, trial: object) -> Path:
    """Write a trial to a file in the cache that `replay` takes. Raises `Unwritable`."""
    path = cache_folder() / f"{name}.json"
    text = json.dumps({"question": question, "trial": to_json(trial)}, indent=1)
    write_file(path, text + "\n", folders=True)
    return path


def case_of(id_: str, failure: Failure, edition: Edition, subject: str) -> StoredCase:
    """A failure as a case. It has no answers if the subject did not fail so again."""
    question, clause = failure.question, failure.found.clause
    trial, title = to_json(failure.trial), spec.find_clause(clause).title
    case = StoredCase(id_, question.name, trial, title, edition=edition.name, clauses=(clause,))
    if not failure.again:
        return case
    observed = observation_to_json(failure.observation)
    expected = observation_to_json(question.observe(failure.trial, edition))
    by = (
        name_program(subject.removeprefix("reference:")) if subject != "reference" else edition.name
    )
    answers = (Answer(expected, (edition.name,)), Answer(observed, (by,), clause, failure.sentence))
    return replace(case, answers=answers)


def replay_command(failure: Failure, path: Path | None, subject: str, edition: Edition) -> str:
    """The one command that puts the trial to the subject again."""
    if path is None or not failure.again:
        return failure.found.replay_command(edition.name, subject)
    words = [*PROGRAM.split(), "replay", str(path)]
    return shlex.join(words if subject == "reference" else [*words, "--subject", subject])
