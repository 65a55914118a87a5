"""The questions of the options. Apart from `options`, since the catalogue loads longer."""

from __future__ import annotations

from difflib import get_close_matches

from evenkeel_engine.cli.options import Unusable, resolve_name
from evenkeel_engine.content import Edition
from evenkeel_engine.kit.catalogue import QUESTIONS, questions_of
from evenkeel_engine.kit.question import AnyQuestion


def questions_named(names: list[str] | None) -> list[str]:
    """The questions named; none named means all. Raises `Unusable`."""
    return [resolve_name("There is no question", name, QUESTIONS) for name in names or []]


def suggest_question(name: str) -> str:
    """An unknown question's name, with the closest one."""
    close = get_close_matches(name, QUESTIONS, 1)
    return f"{name} (did you mean {close[0]}?)" if close else name


def require_questions(
    chapters: list[str], clauses: list[str], edition: Edition, questions: list[str]
) -> list[AnyQuestion]:
    """The questions that the options leave. Raises `Unusable` where they leave none."""
    if not (left := questions_of(chapters, clauses, edition, questions)):
        named = ", ".join([*chapters, *questions, *clauses])
        raise Unusable(f"No check is left: {named} has none in {edition.name}.")
    return left
