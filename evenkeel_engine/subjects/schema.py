"""The JSON schemas of the wire protocol: that of messages is a file, others are made from types.

`python -m evenkeel_engine.subjects.schema FOLDER` writes them, as a wheel's build and `evenkeel
adapter new` do; they are not stored in the repository. The walk over types is that of
`properties.kit.codec`: what the codec refuses for its form, the schema refuses, and vice versa
(a test compares them). What a schema cannot express, such as that boundaries ascend, is in the
descriptions.
"""

from __future__ import annotations

import inspect
import json
import re
import sys
import types
import typing
from dataclasses import fields, is_dataclass
from enum import Enum
from functools import cache
from pathlib import Path
from typing import Any, Final

from evenkeel_engine.files import write_file
from evenkeel_engine.kit.catalogue import QUESTIONS
from evenkeel_engine.kit.codec import is_omittable, wire_name
from evenkeel_engine.kit.fields import members_of
from evenkeel_engine.kit.question import AnyQuestion
from evenkeel_engine.subjects.wire import PROTOCOL

Schema = dict[str, Any]

DIALECT: Final = "https://json-schema.org/draft/2020-12/schema"
MESSAGES: Final = "messages"
"""The name of the messages' schema; the others have their question's."""
PYTHON: Final = {r"\bRaises `\w+` unless": "Always", r"\bNone\b": "null"}
"""Python's words in docstrings, and JSON's for them."""
SCALARS: Final[dict[Any, str]] = {
    int: "integer",
    float: "number",
    str: "string",
    bool: "boolean",
    type(None): "null",
}


def describe(kind: type) -> str:
    """The docstring of a type, one paragraph a line."""
    paragraphs = inspect.cleandoc(kind.__doc__ or "").split("\n\n")
    text = "\n".join(" ".join(paragraph.split()) for paragraph in paragraphs)
    for one in fields(kind) if is_dataclass(kind) else ():
        text = text.replace(f"`{one.name}`", f"`{wire_name(one)}`")
    for python, json_ in PYTHON.items():
        text = re.sub(python, json_, text)
    return text


def settings_of(kind: Any) -> dict[str, tuple[str, str, str]]:
    """Default, unit and bounds of the settings among a type's fields, by JSON name."""
    found: dict[str, tuple[str, str, str]] = {}
    for one in fields(kind):
        if "unit" in one.metadata:
            bounds = one.metadata["bounds"]
            span = f"{bounds[0]:.17g} to {bounds[1]:.17g}" if bounds else ""
            found[wire_name(one)] = json.dumps(one.default), one.metadata["unit"], span
    return found


def schema_of(kind: Any, defs: dict[str, Schema]) -> Schema:
    """The schema of a type. Dataclasses and enums go into `defs` and are referred to."""
    kind = getattr(kind, "__supertype__", kind)
    origin, arguments = typing.get_origin(kind), typing.get_args(kind)
    if origin is tuple:
        return {"type": "array", "items": schema_of(arguments[0], defs)}
    if origin in (typing.Union, types.UnionType):
        return {"anyOf": [schema_of(argument, defs) for argument in arguments]}
    if kind in SCALARS:
        return {"type": SCALARS[kind]}
    if isinstance(kind, type) and kind.__name__ not in defs:
        defs[kind.__name__] = {}  # the name is taken before what is inside is walked
        defs[kind.__name__] = named_schema(kind, defs)
    return {"$ref": f"#/$defs/{kind.__name__}"}


def named_schema(kind: type, defs: dict[str, Schema]) -> Schema:
    """The schema of a dataclass or an enum itself."""
    if issubclass(kind, Enum):
        return {"description": describe(kind), "enum": [member.value for member in kind]}
    if not is_dataclass(kind):
        raise TypeError(f"{kind!r} has no JSON form")
    properties = {one.name: schema_of(one.hint, defs) for one in members_of(kind)}
    for name, (default, unit, bounds) in settings_of(kind).items():
        words = (f"by default {default}", unit, bounds)
        properties[name] |= {"description": ", ".join(filter(None, words))}
    if hasattr(kind, "DO"):
        properties = {"do": {"const": kind.DO}, **properties}
    return {
        "description": describe(kind),
        "type": "object",
        "properties": properties,
        "required": [name for name in properties if name not in list_omittables(kind)],
        "additionalProperties": False,
    }


def list_omittables(kind: Any) -> frozenset[str]:
    """The JSON names of the fields that a message may leave out."""
    return frozenset(wire_name(one) for one in fields(kind) if is_omittable(one))


def question_schema(question: AnyQuestion) -> Schema:
    """The file of one question: `$defs/trial`, `$defs/answer` and what they refer to."""
    defs: dict[str, Schema] = {}
    trial = named_schema(question.sent.trial_type, defs)
    answer = named_schema(question.sent.answer_type, defs)
    return {
        "$schema": DIALECT,
        "$id": f"urn:evenkeel:wire:{PROTOCOL}:{question.name}",
        "title": question.name,
        "$defs": {"trial": trial, "answer": answer, **dict(sorted(defs.items()))},
    }


@cache
def make_schema(name: str) -> Schema:
    """The schema of the messages, or of the question with this name. Raises KeyError."""
    if name != MESSAGES:
        return question_schema(QUESTIONS[name])
    text = Path(__file__).with_name("messages.schema.json").read_text("utf-8")
    messages: Schema = json.loads(text)
    return messages


def make_texts() -> dict[str, str]:
    """The text of every schema file by its name."""
    return {
        f"{name}.json": json.dumps(make_schema(name), indent=2, ensure_ascii=False) + "\n"
        for name in (MESSAGES, *QUESTIONS)
    }


def write(folder: Path) -> None:
    """Write every schema file into a folder, which is created if necessary."""
    for name, text in make_texts().items():
        write_file(folder / name, text, folders=True)


if __name__ == "__main__":
    write(Path(sys.argv[1]))
