"""Subjects that do nothing or drop commands: some clause must object to each of them.

They are built from the answer types and from the shape of the reference's answers. A subject that
drops commands is the reference without the commands of one sort, from the start or from some
command or round on.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, fields, is_dataclass, replace
from enum import Enum
from functools import cache, partial
from types import UnionType
from typing import Any, Final, TypeAlias, Union, cast, get_args, get_origin, get_type_hints

from evenkeel_engine.content import Edition
from evenkeel_engine.kit.observations import Broke, CommandBroke, CommandRefused, Effects, Refused
from evenkeel_engine.kit.question import AnyQuestion, Observation
from evenkeel_engine.kit.trial import BadTrial

Answering: TypeAlias = Callable[[AnyQuestion, Any, Observation, Edition], Observation]


@dataclass(frozen=True, slots=True)
class IdleSubject:
    """`answer` has the question, the trial, what the reference observes, and the edition. `late`:
    it is right at first, so that only long trials show what it does. It is asked only about trials
    that may show it; on others it answers as the reference.
    """

    name: str
    question: str
    answer: Answering
    late: bool = False
    may_show: Callable[[Any], bool] = lambda _: True


LATE: Final = 25
"""Commands that are obeyed before a subject begins to drop them."""
LATE_ROUNDS: Final = 10


find_field_types: Final[Callable[[Any], dict[str, Any]]] = cache(get_type_hints)
"""The types of a dataclass's fields."""


def empty_value(hint: Any, value: Any) -> Any:
    """An empty value of this sort: None, empty, 0, false."""
    if get_origin(hint) in (Union, UnionType) and type(None) in get_args(hint):
        return None
    if isinstance(value, tuple):
        return ()
    if is_dataclass(value) and not isinstance(value, type):
        return nothing_of(value)
    if isinstance(value, Enum):
        return next(iter(type(value)))
    return type(value)()


def nothing_of(answer: Any) -> Any:
    """An answer or a result in which nothing was done."""
    match answer:
        case Refused() | Broke() | CommandRefused() | CommandBroke():
            return answer
        case Effects():
            return answer.idle(None)
    kinds = find_field_types(type(answer))
    return replace(
        answer,
        **{f.name: empty_value(kinds[f.name], getattr(answer, f.name)) for f in fields(answer)},
    )


def series_of(answer: Any) -> str | None:
    """The field with an answer's results, one for each command or round; None: it has none."""
    if isinstance(answer, Refused | Broke) or len(fields(answer)) != 1:
        return None
    name = fields(answer)[0].name
    return name if isinstance(getattr(answer, name), tuple) else None


def item_nothing(item: Any) -> Any:
    """Nothing done in one command or round."""
    return nothing_of(item) if is_dataclass(item) else empty_value(type(item), item)


def does_nothing(
    question: AnyQuestion, trial: Any, expected: Observation, edition: Edition, since: int = 0
) -> Observation:
    """Every round and command from one on has no effect; without any, the answer is empty."""
    series = None if question.one_decision else series_of(expected)
    if series is None:
        return expected if since else nothing_of(expected)
    items = getattr(expected, series)
    return with_series(expected, series, (*items[:since], *map(item_nothing, items[since:])))


def results_of(question: AnyQuestion) -> tuple[type, ...]:
    """What the result of one command of a question may be; none if it has no commands."""
    if not commands_of(question):
        return ()
    (series,) = find_field_types(question.answer_type).values()
    item = get_args(series)[0]
    return list_types(find_field_types(item).get("result", item) if is_dataclass(item) else item)


def list_types(hint: Any) -> tuple[type, ...]:
    """The types of a union, or the one type."""
    return get_args(hint) if get_origin(hint) in (Union, UnionType) else (hint,)


def commands_of(question: AnyQuestion) -> tuple[type, ...]:
    """The types of a question's commands; none if its trials are no lists of commands."""
    listed = find_field_types(question.trial_type).get("commands")
    return () if listed is None or not question.commands else list_types(get_args(listed)[0])


def done_type(question: AnyQuestion) -> type | None:
    """The result of a command that was carried out, and nothing more."""
    return next((kind for kind in results_of(question) if not fields(kind)), None)


def answer_everywhere(result: Any) -> Answering:
    """Every command has this result, and nothing else happens."""

    def answer(
        question: AnyQuestion, trial: Any, expected: Observation, edition: Edition
    ) -> Observation:
        if isinstance(expected, Refused | Broke):
            return expected
        name = fields(cast(Any, expected))[0].name
        items = getattr(expected, name)
        return with_series(expected, name, (with_result(item, result) for item in items))

    return answer


def with_result(item: Any, result: Any) -> Any:
    """The item of a command that had this result and no other effect."""
    apart = isinstance(item, Effects) and hasattr(item, "result")
    return replace(item.idle(None), result=result) if apart else result


def with_series(answer: Any, name: str, items: Iterable[Any]) -> Observation:
    """The answer with other results."""
    changed: Observation = replace(answer, **{name: tuple(items)})
    return changed


def has_any(kind: type, since: int, trial: Any) -> bool:
    """Whether a trial has commands of this type after the first ones."""
    return any(isinstance(one, kind) for one in trial.commands[since:])


def disobeys(
    kind: type,
    since: int,
    question: AnyQuestion,
    trial: Any,
    expected: Observation,
    edition: Edition,
) -> Observation:
    """Later commands of this type have no effect, and are answered as if they had."""
    if isinstance(expected, Refused | Broke):
        return expected
    obeyed = [n for n, one in enumerate(trial.commands) if n < since or not isinstance(one, kind)]
    try:
        shorter = replace(trial, commands=tuple(trial.commands[n] for n in obeyed))
    except BadTrial:  # such a trial needs this command
        return expected
    observed = question.observe(shorter, edition)
    if isinstance(observed, Refused | Broke):
        return observed
    name = fields(observed)[0].name
    given = dict(zip(obeyed, getattr(observed, name), strict=True))
    results: list[Any] = []
    for number, right in enumerate(getattr(expected, name)):
        if number in given:
            item = given[number]
            results.append(item.renumber(obeyed) if isinstance(item, Effects) else item)
        else:
            results.append(without_effect(question, right, results))
    return with_series(observed, name, results)


def without_effect(question: AnyQuestion, right: Any, results: Sequence[Any]) -> Any:
    """An accepted command's result that changed nothing, of the sort of the right one."""
    before = next((one for one in reversed(results) if type(one) is type(right)), None)
    match right:
        case CommandRefused() | CommandBroke():
            return right
        case Effects():
            return right.idle(before)
    if (done := done_type(question)) is not None:
        return done()
    return item_nothing(right) if before is None else before


def answers_for_another(
    question: AnyQuestion, trial: Any, expected: Observation, edition: Edition
) -> Observation:
    """Another node than the requested one answers, from its own state."""
    assert question.elsewhere is not None
    return question.observe(question.elsewhere(trial), edition)


def subjects_of(question: AnyQuestion) -> Iterator[IdleSubject]:
    """The idle and disobedient subjects to which a question is put."""
    yield IdleSubject("does nothing", question.name, does_nothing)
    yield IdleSubject("refuses", question.name, lambda *_: Refused("Refused"))
    yield IdleSubject("breaks", question.name, lambda *_: Broke("Broken"))
    results = results_of(question)
    if CommandRefused in results:
        refused = answer_everywhere(CommandRefused("Refused"))
        yield IdleSubject("refuses every command", question.name, refused)
    if CommandBroke in results:
        broken = answer_everywhere(CommandBroke("Broken"))
        yield IdleSubject("breaks on every command", question.name, broken)
    if (done := done_type(question)) is not None:
        yield IdleSubject("is done at once", question.name, answer_everywhere(done()))
    if question.elsewhere is not None:
        yield IdleSubject("answers from another node's view", question.name, answers_for_another)
    for kind in commands_of(question):
        for since, when in ((0, ""), (LATE, f" after {LATE} commands")):
            yield IdleSubject(
                f"ignores {kind.__name__}{when}",
                question.name,
                partial(disobeys, kind, since),
                late=since > 0,
                may_show=partial(has_any, kind, since),
            )
    kinds = list(find_field_types(question.answer_type).values())
    listed = len(kinds) == 1 and get_origin(kinds[0]) is tuple
    if listed and not question.one_decision and not commands_of(question):
        name = f"does nothing after {LATE_ROUNDS} rounds"
        yield IdleSubject(name, question.name, partial(does_nothing, since=LATE_ROUNDS), late=True)
