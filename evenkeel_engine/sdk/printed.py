"""The parts of each SDK that are generated from the schemas: types, and a slot per question."""

from __future__ import annotations

import json
import re
import textwrap
from collections.abc import Callable, Iterable, Iterator
from typing import Final

from evenkeel_engine.sdk.shapes import Field, FieldType, QuestionShape, Shape, Shapes

GO: Final = {"integer": "int64", "number": "float64", "string": "string", "boolean": "bool"}
TYPESCRIPT: Final = {
    "integer": "number",
    "number": "number",
    "string": "string",
    "boolean": "boolean",
}
PYTHON: Final = {"integer": "int", "number": "float", "string": "str", "boolean": "bool"}


def spell_pascal(name: str) -> str:
    """A member's name as Go exports it."""
    return "".join(word[:1].upper() + word[1:] for word in re.split(r"[^A-Za-z0-9]+", name))


def format_comment(says: str, before: str, width: int = 110) -> str:
    """A text as comment lines."""
    found = [
        line for paragraph in says.splitlines() for line in textwrap.wrap(paragraph, width) or [""]
    ]
    return "".join(f"{before} {line}".rstrip() + "\n" for line in found)


def all_types(shapes: Shapes) -> Iterable[Shape]:
    """Every type, those of trials and answers last."""
    yield from shapes.types
    for question in shapes.questions:
        yield from (question.trial, question.answer)


def list_fields(what: Shape) -> str:
    """The fields of a trial or an answer in words."""
    return ", ".join(f"{field.name}: {field.kind.words}" for field in what.fields) or "nothing"


def go_type(kind: FieldType) -> str:
    """A type."""
    if kind.item is not None:
        type_text = f"List[{go_type(kind.item)}]"
    elif kind.of == "union":
        type_text = "Union"
    else:
        type_text = kind.names[0] if kind.names else GO[kind.of]
    return f"*{type_text}" if kind.nullable else type_text


def go_member(field: Field) -> str:
    """A member's type and its name in JSON: a pointer if it can be left out and is never null."""
    left_out = field.optional and not field.kind.nullable
    pointer = "*" if left_out and field.kind.item is None else ""
    return f'{pointer}{go_type(field.kind)} `json:"{field.name}{",omitempty" * left_out}"`'


def go_shape(shape: Shape) -> str:
    """A struct, or a string with its values."""
    head = format_comment(f"{shape.name}: {shape.says}", "//")
    if shape.values:
        return f"{head}type {shape.name} string // one of {', '.join(shape.values)}\n"
    rows = [
        f"\t{spell_pascal(f.name)} {go_member(f)}"
        + (f" // one of {', '.join(f.kind.names)}" if f.kind.of == "union" else union_of(f.kind))
        for f in shape.fields
    ]
    body = "\n".join([f"{head}type {shape.name} struct {{", *rows, "}\n"])
    if not shape.do:
        return body
    return (
        f"{body}\n// MarshalJSON writes it with its `do`.\n"
        f"func (one {shape.name}) MarshalJSON() ([]byte, error) {{\n\ttype plain {shape.name}\n"
        f'\treturn json.Marshal(struct {{\n\t\tDo string `json:"do"`\n\t\tplain\n'
        f"\t}}{{{json.dumps(shape.do)}, plain(one)}})\n}}\n"
    )


def union_of(kind: FieldType) -> str:
    """Which types an array of unions holds."""
    inner = kind.item
    return f" // each of {', '.join(inner.names)}" if inner and inner.of == "union" else ""


def go(shapes: Shapes) -> dict[str, str]:
    """A second file: the types and the struct of questions."""
    types = "\n".join(go_shape(shape) for shape in all_types(shapes))
    slots = "".join(
        f'\t{q.pascal} Question[{q.trial.name}, {q.answer.name}] `question:"{q.name}"`\n'
        for q in shapes.questions
    )
    needs = 'import "encoding/json"\n\n' if "json.Marshal" in types else ""
    head = "// The questions of evenkeel and their types. Written by `evenkeel adapter new`.\n"
    return {
        "questions.go": f"{head}package main\n\n{needs}"
        "// Questions has one function per question; those left out are not asked.\n"
        f"type Questions struct {{\n{slots}}}\n\n{types}"
    }


def typescript_type(kind: FieldType) -> str:
    """A type."""
    if kind.item is not None:
        type_text = f"Array<{typescript_type(kind.item)}>"
    else:
        type_text = " | ".join(kind.names) or ("bigint" if kind.long else TYPESCRIPT[kind.of])
    return f"{type_text} | null" if kind.nullable else type_text


def typescript_shape(shape: Shape) -> str:
    """An interface, or the values of an enum."""
    head = "/** " + " ".join(shape.says.replace("*/", "* /").split()) + " */\n"
    if shape.values:
        return f"{head}export type {shape.name} = {' | '.join(map(json.dumps, shape.values))};\n"
    rows = [f"  do: {json.dumps(shape.do)};"] if shape.do else []
    for f in shape.fields:
        name = f.name if f.name.isidentifier() else json.dumps(f.name)
        rows.append(f"  {name}{'?' * f.optional}: {typescript_type(f.kind)};")
    return "\n".join([f"{head}export interface {shape.name} {{", *rows, "}\n"])


def typescript(shapes: Shapes) -> dict[str, str]:
    """The types, and the interface of questions."""
    slots = [
        f"  {json.dumps(q.name)}: (trial: {q.trial.name}) => Given<{q.answer.name}>;"
        for q in shapes.questions
    ]
    types = [typescript_shape(shape) for shape in all_types(shapes)]
    by_name = {shape.name: shape for shape in shapes.types}
    paths = {q.name: list(long_paths(q.trial, by_name)) for q in shapes.questions}
    long = [f"  {json.dumps(name)}: {json.dumps(found)}," for name, found in paths.items() if found]
    return {"TYPES": "\n".join(types), "SLOTS": "\n".join(slots), "LONG": "\n".join(long)}


def long_paths(shape: Shape, by_name: dict[str, Shape]) -> Iterator[list[str]]:
    """The paths of long integers in a type; `[]` is each item of an array."""
    for field in shape.fields:
        path, kind = [field.name], field.kind
        while kind.item is not None:
            path, kind = [*path, "[]"], kind.item
        if kind.long:
            yield path
        for name in kind.names:
            if name in by_name:
                yield from ([*path, *below] for below in long_paths(by_name[name], by_name))


def python_type(kind: FieldType) -> str:
    """A type. Those inside a TypedDict are texts, since they may come later."""
    if kind.item is not None:
        type_text = f"List[{python_type(kind.item)}]"
    elif kind.of == "union":
        type_text = f"Union[{', '.join(kind.names)}]"
    else:
        type_text = kind.names[0] if kind.names else PYTHON[kind.of]
    return f"Union[{type_text}, None]" if kind.nullable else type_text


def python_shape(shape: Shape) -> str:
    """A TypedDict; an enum is a text."""
    says = " ".join(shape.says.replace("\\", "/").replace('"""', "'''").split())
    if shape.values:
        return f"{shape.name} = str  # one of {', '.join(shape.values)}\n\n"
    # Members such as `from` are no names of Python's, so the form of a call is used.
    members = [f'        "do": str,  # {shape.do}\n'] if shape.do else []
    members += [f'        "{f.name}": "{python_type(f.kind)}",\n' for f in shape.fields]
    body = f"{{\n{''.join(members)}    }}" if members else "{}"
    head = format_comment(says, "#", 95)
    return f'{head}{shape.name} = TypedDict(\n    "{shape.name}",\n    {body},\n)\n'


def python(shapes: Shapes) -> dict[str, str]:
    """The types, and a method for each question."""

    def method(q: QuestionShape) -> str:
        text = "\n        ".join(textwrap.wrap(f"`{q.name}`: {list_fields(q.trial)}.", 88))
        return (
            f"    def {q.snake}(self, trial: {q.trial.name}) -> {q.answer.name}:\n"
            f'        """{text}"""\n        raise Skipped("not written yet")\n'
        )

    return {
        "TYPES": "\n".join(python_shape(shape) for shape in all_types(shapes)),
        "SLOTS": "\n".join(method(q) for q in shapes.questions).rstrip(),
        "NAMES": "\n".join(f'    "{q.name}": "{q.snake}",' for q in shapes.questions),
    }


def java(shapes: Shapes) -> dict[str, str]:
    """A method for each question."""

    def method(q: QuestionShape) -> str:
        says = f"{q.name}: {list_fields(q.trial)}. Answer: {list_fields(q.answer)}."
        lines = [f"         * {line}" for line in textwrap.wrap(says, 100)]
        head = "\n".join(["        /**", *lines, "         */"])
        return (
            f"{head}\n        Object {q.camel}(Map<String, Object> trial) throws Exception {{\n"
            '            throw new Skipped("not written yet");\n        }\n'
        )

    names = [f'        METHODS.put("{q.name}", "{q.camel}");' for q in shapes.questions]
    return {"SLOTS": "\n".join(map(method, shapes.questions)).rstrip(), "NAMES": "\n".join(names)}


def rust(shapes: Shapes) -> dict[str, str]:
    """A member for each question."""

    def member(q: QuestionShape) -> str:
        says = f"`{q.name}`: {list_fields(q.trial)}. Answer: {list_fields(q.answer)}."
        return f"{format_comment(says, '    ///')}    pub {q.snake}: Option<Question>,\n"

    names = [f'            ("{q.name}", self.{q.snake}),' for q in shapes.questions]
    return {"SLOTS": "".join(map(member, shapes.questions)).rstrip("\n"), "NAMES": "\n".join(names)}


PRINTED: Final[dict[str, Callable[[Shapes], dict[str, str]]]] = {
    "go": go,
    "rust": rust,
    "java": java,
    "typescript": typescript,
    "python": python,
}
"""By language: the values of `@NAME@` in its templates; a name with a dot is a file."""
