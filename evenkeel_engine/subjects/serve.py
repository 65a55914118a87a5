"""The reference as a process: `python -m evenkeel_engine.subjects.serve --edition NAME`.

With `--mutant NAME` one function of the reference is changed, in the edition of that change.
Any other `Subject` can be served by `serve`. Standard library only.
"""

from __future__ import annotations

import argparse
import os
import sys
from collections.abc import Callable, Iterable, Sequence
from typing import Any

from evenkeel_engine import version
from evenkeel_engine.content import EDITIONS, PROMISED
from evenkeel_engine.kit.catalogue import QUESTIONS
from evenkeel_engine.kit.codec import BadData, Json, from_json
from evenkeel_engine.mutation.catalogue import MUTANTS
from evenkeel_engine.subjects import wire
from evenkeel_engine.subjects.base import Skipped, Subject, reply_to
from evenkeel_engine.subjects.local import MutantSubject, ReferenceSubject
from evenkeel_engine.subjects.wire import BadMessage

Write = Callable[[bytes], None]


def serve(subject: Subject, source: Iterable[bytes], write: Write) -> None:
    """Answer lines until bye or their end, each at once."""
    for line in source:
        message = make_response(subject, line)
        try:
            answer = wire.write_line(message)
        except ValueError as error:  # an answer with a number such as infinity
            why = f"no JSON form: {error}"
            answer = wire.write_line(wire.error_message(message["id"], why, False))
        write(answer)
        if message["type"] == "bye":
            return


def make_response(subject: Subject, line: bytes) -> Json:
    """The message that answers a line, whatever the line is."""
    try:
        message = wire.read_line(line)
    except BadMessage as bad:
        return wire.error_message(None, f"this line {bad}")
    match message.get("type"):
        case "hello":
            if message.get("protocol") != wire.PROTOCOL:
                spoken = f"protocol {wire.PROTOCOL} is spoken here, not {message.get('protocol')!r}"
                return wire.error_message(None, spoken)
            return wire.subject_hello(subject.name, version.find_version(), "python", QUESTIONS)
        case "trial":
            return _answer(subject, message)
        case "bye":
            return wire.BYE
    id_ = message.get("id")
    wrong = "this line is neither hello nor trial nor bye"
    return wire.error_message(id_ if type(id_) is int else None, wrong)


def _answer(subject: Subject, message: Json) -> Json:
    id_ = message.get("id")
    if type(id_) is not int:
        return wire.error_message(None, "this trial has no integer id")
    name = message.get("question")
    known = QUESTIONS.get(name) if isinstance(name, str) else None
    if known is None:
        return wire.reply_message(id_, Skipped(f"there is no question {name!r} here"))
    question = known.sent
    try:
        trial: Any = from_json(question.trial_type, message.get("trial"))
    except BadData as bad:
        return wire.error_message(id_, f"this trial is wrong: {bad}")
    try:
        return wire.reply_message(id_, reply_to(subject, question, trial))
    except Exception as error:  # a mutant may fail in any way; the next trial may not
        return wire.error_message(id_, f"{type(error).__name__}: {error}")


def _write_all(data: bytes) -> None:
    view = memoryview(data)
    while view:
        view = view[os.write(1, view) :]


def main(arguments: Sequence[str] | None = None) -> int:
    """Serve the reference on standard input and output; the exit status."""
    parser = argparse.ArgumentParser(
        prog="python -m evenkeel_engine.subjects.serve", description=__doc__
    )
    parser.add_argument("--edition", choices=list(EDITIONS), default=PROMISED.name)
    parser.add_argument("--mutant", choices=[p.name for p in MUTANTS], metavar="NAME")
    options = parser.parse_args(arguments)
    subject: Subject = ReferenceSubject(EDITIONS[options.edition])
    if options.mutant:
        subject = MutantSubject(next(p for p in MUTANTS if p.name == options.mutant))
    try:
        serve(subject, sys.stdin.buffer, _write_all)
    except BrokenPipeError:
        return 1  # the harness ended, so there is no receiver
    except KeyboardInterrupt:
        return 130
    return 0


if __name__ == "__main__":
    sys.exit(main())
