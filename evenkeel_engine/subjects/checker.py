"""Holding messages against the JSON schemas. The package jsonschema is imported when it is used."""

from __future__ import annotations

from functools import cache
from typing import TYPE_CHECKING, Any, Final

from evenkeel_engine.kit.codec import Json
from evenkeel_engine.subjects import schema

if TYPE_CHECKING:
    from jsonschema.protocols import Validator

MOST: Final = 5
"""Faults of one message that are reported."""


class Checker:
    """Checks messages against the schemas. Raises ImportError where jsonschema is missing."""

    def harness_problem(self, message: Json) -> str:
        """What is wrong with a message of the harness; empty: nothing."""
        problem = _find_problem(_message_validator("harness", message), message)
        if problem or message["type"] != "trial":
            return problem
        validator = _make_validator(message["question"], "trial")
        return _find_problem(validator, message["trial"], "trial")

    def subject_problem(self, message: Json, question: str | None) -> str:
        """What is wrong with a message of a subject, about this question; empty: nothing."""
        problem = _find_problem(_message_validator("subject", message), message)
        if problem or question is None or "answer" not in message:
            return problem
        return _find_problem(_make_validator(question, "answer"), message["answer"], "answer")


def _message_validator(side: str, message: Json) -> Validator:
    # By its type, since an error about all types at once would be useless.
    sort = message.get("type") if isinstance(message, dict) else None
    part = f"hello_of_{side}" if sort == "hello" else sort
    named = isinstance(part, str) and part in schema.make_schema(schema.MESSAGES)["$defs"]
    return _make_validator(schema.MESSAGES, part if named else side)


def _find_problem(validator: Validator, data: Json, place: str = "") -> str:
    """What is wrong, the most specific first, up to `FAULTS`."""
    from jsonschema.exceptions import best_match, relevance  # noqa: PLC0415 - workers have none

    errors = sorted(validator.iter_errors(data), key=relevance, reverse=True)
    # Of several alternatives, best_match finds the intended one.
    texts = list(dict.fromkeys([_format_problem(best_match([error]), place) for error in errors]))
    more = f"; and {len(texts) - MOST} more" if len(texts) > MOST else ""
    return "; ".join(texts[:MOST]) + more


def _format_problem(error: Any, place: str) -> str:
    path = place + error.json_path.removeprefix("$")
    text = error.message if len(error.message) <= 200 else f"{error.message[:199]}…"
    return f"{path.lstrip('.') or 'message'}: {text}"


@cache
def _make_validator(name: str, part: str) -> Validator:
    """A validator of `$defs/part` of one schema."""
    import jsonschema  # noqa: PLC0415 - workers have no jsonschema
    from jsonschema.validators import extend  # noqa: PLC0415 - the same

    base = jsonschema.Draft202012Validator
    # Unlike JSON Schema itself, the protocol does not take 1.0 for an integer.
    types = base.TYPE_CHECKER.redefine("integer", lambda _, data: type(data) is int)
    strict: type[Validator] = extend(base, type_checker=types)  # type: ignore[no-untyped-call]
    return strict({"$ref": f"#/$defs/{part}", "$defs": schema.make_schema(name)["$defs"]})
