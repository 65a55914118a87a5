"""The questions and the types inside them as an SDK names them, from their schemas.

Where several types have one name, each is prefixed: by its chapter, if the questions of that
chapter share the type, else by its question.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass, replace
from functools import cache
from typing import Any, Final

from evenkeel_engine import content
from evenkeel_engine.kit.catalogue import QUESTIONS
from evenkeel_engine.subjects.schema import make_schema

LONG: Final[Mapping[str, tuple[str, ...]]] = content.facts.LONG
"""By type: the integers of generated trials beyond 2^53, which a double does not hold. Others have
64 bits on the wire, but only in handwritten trials.
"""


@dataclass(frozen=True, slots=True)
class FieldType:
    """The type of a field.

    `of` is a scalar's name, `array` or `named`, or `union` of several named ones. A `long` integer
    may be beyond what a double holds.
    """

    of: str
    names: tuple[str, ...] = ()
    item: FieldType | None = None
    nullable: bool = False
    long: bool = False

    @property
    def words(self) -> str:
        """For a comment."""
        type_text = " or ".join(self.names) or self.of
        if self.item is not None:
            type_text = (
                f"array of {f'({self.item.words})' if ' ' in self.item.words else self.item.words}"
            )
        return f"({type_text}) or null" if self.nullable else type_text


@dataclass(frozen=True, slots=True)
class Field:
    """A member of an object; one that is `optional` may be left out."""

    name: str
    kind: FieldType
    optional: bool = False


@dataclass(frozen=True, slots=True)
class Shape:
    """A named type: an object's fields, with its `do` if there is one, or an enum's values."""

    name: str
    says: str
    fields: tuple[Field, ...] = ()
    do: str = ""
    values: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class QuestionShape:
    """A question."""

    name: str
    trial: Shape
    answer: Shape

    @property
    def words(self) -> list[str]:
        """The words of an identifier."""
        return self.name.replace(".", "_").split("_")

    @property
    def snake(self) -> str:
        """As in Rust and Python."""
        return "_".join(self.words)

    @property
    def pascal(self) -> str:
        """As in Go."""
        return "".join(word.capitalize() for word in self.words)

    @property
    def camel(self) -> str:
        """As in Java."""
        return self.pascal[:1].lower() + self.pascal[1:]


@dataclass(frozen=True, slots=True)
class Shapes:
    """All questions, and all types inside their trials and answers."""

    questions: tuple[QuestionShape, ...]
    types: tuple[Shape, ...]


@cache
def read_shapes() -> Shapes:
    """Read from the schemas."""
    schemas = [make_schema(question) for question in sorted(QUESTIONS)]
    names = type_names(schemas)
    types: dict[str, Shape] = {}
    questions = []
    for schema in schemas:
        one = QuestionShape(schema["title"], EMPTY, EMPTY)
        defs: dict[str, Any] = schema["$defs"]
        taken = names[one.name]
        for name, form in defs.items():
            if name in taken and taken[name] not in types:
                types[taken[name]] = make_shape(taken[name], form, taken)
        trial = make_shape(f"{one.pascal}Trial", defs["trial"], taken)
        answer = make_shape(f"{one.pascal}Answer", defs["answer"], taken)
        questions.append(QuestionShape(one.name, trial, answer))
    return Shapes(tuple(questions), tuple(types.values()))


def type_names(every: list[dict[str, Any]]) -> dict[str, dict[str, str]]:
    """By question: what each of its types is called in an SDK."""
    meanings: dict[str, dict[str, dict[str, list[str]]]] = {}
    for schema in every:
        question, defs = schema["title"], schema["$defs"]
        chapter = question.partition(".")[0]
        for name in defs:
            if name not in ("trial", "answer"):  # names that differ in case alone are one
                by_chapter = meanings.setdefault(name.lower(), {}).setdefault(chapter, {})
                by_chapter.setdefault(expand_definition(name, defs), []).append(question)

    def name_type(name: str, question: str) -> str:
        found = meanings[name.lower()]
        if len({text for by_text in found.values() for text in by_text}) == 1:
            return name
        chapter = question.partition(".")[0]
        # A single question of a chapter, or several with different types, are named themselves.
        [*texts] = found[chapter].items()
        alone = len(texts) > 1 or len(texts[0][1]) == 1
        own = QuestionShape(question, EMPTY, EMPTY).pascal
        return f"{own if alone else chapter.capitalize()}{name}"

    return {
        schema["title"]: {
            name: name_type(name, schema["title"])
            for name in schema["$defs"]
            if name not in ("trial", "answer")
        }
        for schema in every
    }


def expand_definition(name: str, defs: dict[str, Any]) -> str:
    """A definition with all that it refers to, as a text."""
    seen: dict[str, Any] = {}

    def walk(form: Any) -> None:
        if isinstance(form, dict):
            for key, value in form.items():
                if key == "$ref":
                    visit(value.rpartition("/")[2])
                else:
                    walk(value)
        elif isinstance(form, list):
            for value in form:
                walk(value)

    def visit(name: str) -> None:
        if name not in seen:
            seen[name] = defs[name]
            walk(defs[name])

    visit(name)
    return json.dumps(seen, sort_keys=True)


def make_shape(name: str, form: dict[str, Any], taken: dict[str, str]) -> Shape:
    """A definition."""
    says = str(form.get("description", ""))
    if "enum" in form:
        return Shape(name, says, values=tuple(form["enum"]))
    members = dict(form.get("properties", {}))
    do = members["do"].get("const", "") if "do" in members else ""
    needed = form.get("required", members)
    found = tuple(
        Field(
            key, replace(find_kind(value, taken), long=key in LONG.get(name, ())), key not in needed
        )
        for key, value in members.items()
        if key != "do" or not do
    )
    return Shape(name, says, found, do)


def find_kind(form: dict[str, Any], taken: dict[str, str]) -> FieldType:
    """The type that a schema describes."""
    if "$ref" in form:
        return FieldType("named", (taken[form["$ref"].rpartition("/")[2]],))
    if "anyOf" in form:
        others = [find_kind(one, taken) for one in form["anyOf"] if one.get("type") != "null"]
        nullable = len(others) < len(form["anyOf"])
        if len(others) == 1:
            only = others[0]
            return FieldType(only.of, only.names, only.item, nullable)
        return FieldType(
            "union", tuple(name for one in others for name in one.names), None, nullable
        )
    if form["type"] == "array":
        return FieldType("array", item=find_kind(form["items"], taken))
    return FieldType(form["type"])


EMPTY: Final = Shape("", "")
