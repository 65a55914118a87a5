"""From what a user writes after `--subject` to a subject."""

from __future__ import annotations

import shlex

from evenkeel_engine.content import EDITIONS, Edition
from evenkeel_engine.subjects.base import Subject
from evenkeel_engine.subjects.local import ReferenceSubject
from evenkeel_engine.subjects.process import ProcessSubject, SubjectUnusable
from evenkeel_engine.subjects.session import Limits


def open_subject(text: str, edition: Edition, limits: Limits | None = None) -> Subject:
    """The subject that `text` names: `reference` (of the edition that is checked),
    `reference:EDITION`, or a command that speaks the wire protocol.

    Raises `SubjectUnusable`, also if the command cannot be started.
    """
    word, _, name = text.partition(":")
    if word == "reference" and " " not in text:
        name = name.upper()
        if name and name not in EDITIONS:
            raise SubjectUnusable(
                f"There is no edition {name}; the editions are {', '.join(EDITIONS)}."
            )
        return ReferenceSubject(EDITIONS[name] if name else edition)
    try:
        command = shlex.split(text)
    except ValueError as error:
        raise SubjectUnusable(f"The subject {text!r} is no command: {error}.") from error
    if not command:
        raise SubjectUnusable("The subject is empty.")
    return ProcessSubject(command, limits=limits)
