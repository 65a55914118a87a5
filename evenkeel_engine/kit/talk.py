"""Questions that are asked turn by turn: the harness continues with what came of each answer.

A subject sees single turns, each a message of its own; to all else trial and answer are whole, and
the answer is the list of the replies.
"""

from __future__ import annotations

from collections.abc import Callable, Generator, Mapping
from dataclasses import dataclass, field
from typing import Any, Generic, TypeVar

from evenkeel_engine.kit.observations import Broke, Refused

T = TypeVar("T")
A = TypeVar("A")
Turn = TypeVar("Turn")
Reply = TypeVar("Reply")


class WrongCount(Exception):
    """A recorded answer has fewer replies, or more, than there are turns."""


@dataclass(frozen=True, slots=True)
class Talk(Generic[T, A, Turn, Reply]):
    """How a question is asked turn by turn.

    `turn_type` is what a subject is asked, `reply_type` what it answers. `ask` yields the turns of
    a trial, and is sent the replies. `record` makes the answer of all `replies`, `failed` the reply
    that stands for a turn which was refused or broke. `partner` is the reference's side: a function
    from turns to replies, made again with each turn that `opens` a session; `others` are further
    ones by name (`reference:NAME`). `held` is the last conversation with a subject: who judges it
    need not ask all turns again.
    """

    turn_type: type[Turn]
    reply_type: type[Reply]
    ask: Callable[[T], Generator[Turn, Reply, object]]
    record: Callable[[tuple[Reply, ...]], A]
    replies: Callable[[A], tuple[Reply, ...]]
    failed: Callable[[Refused | Broke], Reply]
    partner: Callable[[Any], Callable[[Turn], Reply]]
    opens: Callable[[Turn], bool]
    others: Mapping[str, Callable[[Any], Callable[[Turn], Reply]]] = field(
        default_factory=dict, compare=False
    )
    held: list[tuple[T, A, Any]] = field(default_factory=list, compare=False, repr=False)

    def hold(
        self, trial: T, reply_to: Callable[[Turn], Reply | Refused | Broke], keep: bool = False
    ) -> A:
        """Ask all turns of a trial; the answer. `keep` it as the last one that was held."""
        replies: list[Reply] = []

        def record(turn: Turn) -> Reply:
            reply = reply_to(turn)
            replies.append(self.failed(reply) if isinstance(reply, Refused | Broke) else reply)
            return replies[-1]

        seen = self.ask_all(trial, record)
        answer = self.record(tuple(replies))
        if keep:
            self.held[:] = [(trial, answer, seen)]
        return answer

    def ask_all(self, trial: T, reply_to: Callable[[Turn], Reply]) -> Any:
        """Ask all turns of a trial; what `ask` returns in the end."""
        turns = self.ask(trial)
        try:
            turn = next(turns)
            while True:
                turn = turns.send(reply_to(turn))
        except StopIteration as end:
            return end.value

    def replay(self, trial: T, answer: A) -> Any:
        """What `ask` returns in the end for a recorded answer. Raises `WrongCount`."""
        for asked, answered, known in self.held:
            if asked is trial and answered is answer:
                return known
        replies = self.replies(answer)
        waiting = iter(replies)

        def reply_to(_: Turn) -> Reply:
            for reply in waiting:
                return reply
            raise WrongCount(f"the answer ends after {len(replies)} turns")

        seen = self.ask_all(trial, reply_to)
        for _ in waiting:
            raise WrongCount(f"the answer has more than the {len(replies)} turns")
        return seen

    def turns(self, trial: T, answer: A) -> list[tuple[Turn, Reply]]:
        """The turns of a trial that was answered so, each with its reply."""
        asked: list[tuple[Turn, Reply]] = []
        replies = iter(self.replies(answer))

        def reply_to(turn: Turn) -> Reply:
            asked.append((turn, next(replies)))
            return asked[-1][1]

        self.ask_all(trial, reply_to)
        return asked

    def answer(self, trial: T, edition: Any, name: str = "") -> A:
        """The reference's answer, or that of another one with this name."""
        answer = self.answer_turns(name)
        return self.hold(trial, lambda turn: answer(turn, edition))

    def answer_turns(self, name: str = "") -> Callable[[Turn, Any], Reply]:
        """The reference's side of one trial after another, turn by turn."""
        make = self.others[name] if name else self.partner
        partner = make(None)

        def answer(turn: Turn, edition: Any) -> Reply:
            nonlocal partner
            if self.opens(turn):
                partner = make(edition)
            return partner(turn)

        return answer
