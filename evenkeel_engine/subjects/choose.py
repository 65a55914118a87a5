"""From what a user writes after `--subject` to a subject."""

from __future__ import annotations

from collections.abc import Sequence

from evenkeel_engine.content import EDITIONS, Edition
from evenkeel_engine.subjects.base import Subject
from evenkeel_engine.subjects.local import ReferenceSubject, list_others
from evenkeel_engine.subjects.parent import PARENT
from evenkeel_engine.subjects.process import ProcessSubject, SubjectUnusable, command_words
from evenkeel_engine.subjects.session import Limits


def is_reference(text: str) -> bool:
    """Whether a text names a reference, and no command."""
    return text.partition(":")[0] == "reference" and " " not in text


def open_subject(text: str, edition: Edition, limits: Limits | None = None) -> Subject:
    """The subject that `text` names: `reference` (of the edition that is checked),
    `reference:EDITION`, `reference:OTHER`, `reference:EDITION:OTHER`, or a command that speaks the
    wire protocol.

    Raises `SubjectUnusable`, also if the command cannot be started.
    """
    if is_reference(text):
        return open_reference(text.split(":")[1:], edition)
    if (command := command_words(text)) == [PARENT]:
        raise SubjectUnusable(f"--subject {PARENT} is for `check --format json` alone.")
    return ProcessSubject(command, limits=limits)


def open_reference(names: Sequence[str], edition: Edition) -> ReferenceSubject:
    """A reference by the names of an edition and of another reference, each of which can lack."""
    other = ""
    for name in names:
        if name.upper() in EDITIONS:
            edition = EDITIONS[name.upper()]
        elif not name:
            raise SubjectUnusable("The subject reference: names nothing after a colon.")
        else:  # all questions are imported to know these
            if name.lower() not in (others := list_others()):
                known = ", ".join((*EDITIONS, *others))
                raise SubjectUnusable(f"There is no edition {name}; the editions are {known}.")
            other = name.lower()
    return ReferenceSubject(edition, other)


_held: dict[tuple[str, str, Limits], Subject] = {}
"""What this process holds open from one job to the next: starting it may take long."""


def hold_subject(text: str, edition: str, limits: Limits) -> Subject:
    """The subject that is held, or another one in its place. Raises `SubjectUnusable`."""
    if (text, edition, limits) not in _held:
        let_go()
        _held[text, edition, limits] = open_subject(text, EDITIONS[edition], limits)
    return _held[text, edition, limits]


def let_go() -> None:
    """Close the subject that is held. Raises `SubjectUnusable` for what it says only now."""
    while _held:
        _held.popitem()[1].close()
