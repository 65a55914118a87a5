"""The messages of the wire protocol, version 1 (spec/wire.md): how they are written and read.

A message is a JSON object on a line of its own. What is written here is ASCII, with everything
else escaped; what is read may be any UTF-8. Standard library only.
"""

from __future__ import annotations

import json
import math
import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any, Final

from evenkeel_engine.files import find_twice
from evenkeel_engine.kit.codec import BadData, Json, abbreviate, from_json, to_json
from evenkeel_engine.kit.observations import Broke, Refused
from evenkeel_engine.kit.question import AnyQuestion, Observation
from evenkeel_engine.subjects.base import Errored, Observed, Reply, Skipped
from evenkeel_engine.text import make_printable

PROTOCOL: Final = 1
REASON_LENGTH: Final = 500
"""Characters of a subject's own words that are quoted in a reason."""
NAME_LENGTH: Final = 100
"""Characters of its name and its version that are stored, and that a question's name may have."""
MOST_NAMES: Final = 1_000
"""Questions, and options, that a hello may name."""


class BadMessage(ValueError):
    """A line that is no message, or a message that lacks what it needs: one sentence."""


@dataclass(frozen=True, slots=True)
class Hello:
    """A subject's description of itself: what it answers, and which options it understands."""

    name: str
    version: str
    language: str
    questions: frozenset[str]
    options: frozenset[str]


def _no_constant(name: str) -> Json:
    raise BadMessage(f"is no JSON: it has {name}")


def _parse_number(text: str) -> float:
    number = float(text)
    if math.isinf(number):
        raise BadMessage("has a number that is too large for a double")
    return number


def _make_object(pairs: list[tuple[str, Json]]) -> dict[str, Json]:
    """An object. Raises for a repeated key, which is ambiguous."""
    whole = dict(pairs)
    if len(whole) != len(pairs):
        raise BadMessage(f"has the key {find_twice(pairs)} twice")
    return whole


_encode: Final = json.JSONEncoder(separators=(",", ":"), allow_nan=False).encode
_decode: Final = json.JSONDecoder(
    object_pairs_hook=_make_object, parse_constant=_no_constant, parse_float=_parse_number
).decode

BYE: Final[Json] = {"type": "bye"}


def write_line(message: Json) -> bytes:
    """A message as a line. Raises ValueError for a number that JSON does not have."""
    return _encode(message).encode("ascii") + b"\n"


MOST_PARTS: Final = 1_000_000
"""Lists and objects that a line may hold: each takes thirty times the memory of its text."""


def read_line(line: bytes) -> dict[str, Json]:
    """The object on a line. Raises `BadMessage`."""
    if len(line) > MOST_PARTS and line.count(b"[") + line.count(b"{") > MOST_PARTS:
        raise BadMessage(f"holds more than {MOST_PARTS:,} lists and objects")
    try:
        data = _decode(line.decode("utf-8"))
    except UnicodeDecodeError as error:
        raise BadMessage(f"is no UTF-8 (byte {error.start})") from None
    except json.JSONDecodeError as error:
        raise BadMessage(f"is no JSON ({error.msg} at character {error.pos})") from None
    except BadMessage:
        raise
    except ValueError:  # an integer of more digits than the interpreter converts
        raise BadMessage("has a number of too many digits") from None
    except RecursionError:
        raise BadMessage("is nested too deeply") from None
    if not isinstance(data, dict):
        raise BadMessage("is no JSON object")
    if b"\\ud" not in line and b"\\uD" not in line:
        return data
    try:
        return {_without_surrogates(k): _without_surrogates(v) for k, v in data.items()}
    except RecursionError:  # the decoder nests deeper than a function of Python's
        raise BadMessage("is nested too deeply") from None


_LONE_SURROGATE: Final = re.compile("[\ud800-\udfff]")


def _without_surrogates(data: Any) -> Any:
    """The same data with U+FFFD for every lone surrogate: no file and no table can hold those."""
    if isinstance(data, str):
        return _LONE_SURROGATE.sub("\ufffd", data)
    if isinstance(data, list):
        return [_without_surrogates(item) for item in data]
    if isinstance(data, dict):
        return {_without_surrogates(k): _without_surrogates(v) for k, v in data.items()}
    return data


def harness_hello(options: Mapping[str, str]) -> Json:
    """The first message of a conversation."""
    return {"type": "hello", "protocol": PROTOCOL, "options": dict(options)}


def trial_message(id_: int, question: AnyQuestion, trial: object) -> Json:
    """A trial, to be answered under this id."""
    return {"type": "trial", "id": id_, "question": question.name, "trial": to_json(trial)}


def subject_hello(
    name: str, version: str, language: str, questions: Iterable[str], options: Iterable[str] = ()
) -> Json:
    """A subject's answer to the harness's hello."""
    return {
        "type": "hello",
        "protocol": PROTOCOL,
        "name": name,
        "version": version,
        "language": language,
        "questions": list(questions),
        "options": list(options),
    }


def reply_message(id_: int, reply: Reply) -> Json:
    """A subject's reply to the trial with this id."""
    if isinstance(reply, Observed):
        return {"type": "observation", "id": id_, **observation_to_json(reply.observation)}
    if isinstance(reply, Skipped):
        return {"type": "skipped", "id": id_, "reason": reply.reason}
    return error_message(id_, reply.reason, reply.definite)


def error_message(id_: int | None, reason: str, definite: bool = True) -> Json:
    """A subject's word that it failed as a subject; null where it could not read the id."""
    return {"type": "error", "id": id_, "reason": reason, "definite": definite}


def observation_to_json(observation: Observation) -> dict[str, Json]:
    """An observation: an object with `answer`, `refused` or `broke`."""
    if isinstance(observation, Refused):
        return {"refused": to_json(observation)}
    if isinstance(observation, Broke):
        return {"broke": to_json(observation)}
    return {"answer": to_json(observation)}


def read_hello(message: Mapping[str, Json]) -> Hello:
    """The subject's hello. Raises `BadMessage`."""
    if message.get("type") != "hello":
        raise BadMessage(f"is {_read_sort(message)}, not a hello")
    if type(message.get("protocol")) is not int or message["protocol"] != PROTOCOL:
        raise BadMessage(
            f"is a hello of protocol {abbreviate(message.get('protocol'))}; "
            f"this is protocol {PROTOCOL}"
        )
    for field in ("name", "version", "language"):
        if not isinstance(message.get(field), str):
            raise BadMessage(f"is a hello with {field} that is no text")
    return Hello(
        clip_reason(message["name"], NAME_LENGTH) or "nameless",
        clip_reason(message["version"], NAME_LENGTH),
        clip_reason(message["language"], NAME_LENGTH),
        _read_names(message, "questions"),
        _read_names(message, "options"),
    )


def _read_names(message: Mapping[str, Json], field: str) -> frozenset[str]:
    names = message.get(field)
    if not isinstance(names, list) or not all(isinstance(name, str) for name in names):
        raise BadMessage(f"is a hello with {field} that are no array of texts")
    if len(names) > MOST_NAMES or max(map(len, names), default=0) > NAME_LENGTH:
        raise BadMessage(
            f"is a hello with more than {MOST_NAMES:,} {field}, or one of more than "
            f"{NAME_LENGTH} characters"
        )
    return frozenset(names)


def read_id(message: Mapping[str, Json]) -> int | None:
    """The id of a reply; None for an error that could not read it. Raises `BadMessage`."""
    if message.get("type") not in ("observation", "skipped", "error"):
        raise BadMessage(f"is {_read_sort(message)} where a reply to a trial was due")
    id_ = message.get("id")
    if type(id_) is int or (id_ is None and message["type"] == "error" and "id" in message):
        return id_
    raise BadMessage(f"is {_read_sort(message)} without an integer id")


def read_reply(question: AnyQuestion, message: Mapping[str, Json]) -> Reply:
    """The reply to a trial; a malformed one is an `Errored` that says where and why."""
    sort = message["type"]
    if sort == "observation":
        try:
            return Observed(read_observation(question, message))
        except BadData as bad:
            place = f" at {bad.place}" if bad.place else ""
            return Errored(f"gave an observation of the wrong form{place}: {bad.reason}", False)
    reason = message.get("reason")
    if not isinstance(reason, str):
        return Errored(f"sent {_read_sort(message)} with a reason that is no text", False)
    if sort == "skipped":
        return Skipped(clip_reason(reason))
    # Only `true` itself states that nothing happened.
    return Errored(f"reported an error: {clip_reason(reason)}", message.get("definite") is True)


SHAPES: Final = ("answer", "refused", "broke")
"""The keys of an observation: a message has one of them."""


def read_observation(question: AnyQuestion, message: Mapping[str, Json]) -> Observation:
    """The observation in an object with one of `answer`, `refused`, `broke`. Raises `BadData`."""
    shapes = [shape for shape in SHAPES if shape in message]
    if len(shapes) != 1:
        raise BadData("", f"must have one of answer, refused, broke, not {len(shapes)} of them")
    [shape] = shapes
    kind: Any = {"answer": question.answer_type, "refused": Refused, "broke": Broke}[shape]
    try:
        return from_json(kind, message[shape])
    except BadData as bad:
        raise BadData(f"{shape}.{bad.place}" if bad.place else shape, bad.reason) from None


def clip_reason(text: str, length: int = REASON_LENGTH) -> str:
    """A subject's own words on one line that can be printed, cut where they become long."""
    line = make_printable(" ".join(text[: 4 * length].split()))
    return line if len(line) <= length else f"{line[: length - 1]}…"


def _read_sort(message: Mapping[str, Json]) -> str:
    sort = message.get("type")
    return f"a message of type {clip_reason(repr(sort))}" if "type" in message else "without a type"
