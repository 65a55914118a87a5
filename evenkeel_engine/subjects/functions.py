"""Functions of this process as a subject: one for each question, from a trial's JSON form to an
answer's.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping

from evenkeel_engine.frame.errors import Refusal
from evenkeel_engine.kit.catalogue import QUESTIONS
from evenkeel_engine.kit.codec import BadData, Json, to_json
from evenkeel_engine.kit.observations import Broke, Refused
from evenkeel_engine.subjects.base import Errored, Observed, Reply, Request, Skipped, talks
from evenkeel_engine.subjects.wire import clip_reason, read_observation

Function = Callable[[Json], Json]
"""From a trial's JSON form to an answer's. Of a question that is asked turn by turn: a class whose
objects are such functions from a turn to a reply; each trial has an object of its own.
"""


class FunctionSubject:
    """Functions as a subject: `Refusal` refuses, NotImplementedError skips, all else breaks."""

    def __init__(self, functions: Mapping[str, Function], name: str = "functions") -> None:
        self.name = name
        self.questions: frozenset[str] | None = frozenset(functions)
        self._functions = dict(functions)
        self._objects: dict[str, Function] = {}

    @talks
    def replies(self, requests: Iterable[Request]) -> Iterator[tuple[Request, Reply]]:
        """Answer each request when it is taken."""
        yield from ((request, self._reply(request)) for request in requests)

    def _reply(self, request: Request) -> Reply:
        name = request.question.name
        if (function := self._functions.get(name)) is None:
            return Skipped("not supported")
        try:
            if isinstance(function, type):
                talk = QUESTIONS[name].talk
                if talk is None or talk.opens(request.trial):
                    self._objects[name] = function()
                function = self._objects[name]
            answer = function(to_json(request.trial))
        except NotImplementedError as error:
            return Skipped(clip_reason(str(error)) or "not implemented")
        except Refusal as refusal:
            return Observed(Refused(type(refusal).__name__, clip_reason(str(refusal))))
        except Exception as error:  # a subject may fail in any way; that is its answer
            return Observed(Broke(type(error).__name__, clip_reason(str(error))))
        try:
            return Observed(read_observation(request.question, {"answer": answer}))
        except BadData as bad:
            return Errored(f"gave an observation of the wrong form at {bad}", definite=False)

    def close(self) -> None:
        """Nothing is held."""
