"""Messages of the wire protocol: written, read, and errors in wrong ones."""

import json
import math
import tracemalloc
from typing import Any

import pytest

from evenkeel.properties.bundles.lookup import HASH_LOOKUP, LookupAnswer
from evenkeel.properties.bundles.topics import TOPIC, TopicTrial
from evenkeel_engine.kit.catalogue import QUESTIONS
from evenkeel_engine.kit.observations import Broke, Refused, Span
from evenkeel_engine.subjects import wire
from evenkeel_engine.subjects.base import Errored, Observed, Reply, Skipped
from evenkeel_engine.subjects.wire import BadMessage

HELLO = wire.subject_hello("echo", "1.2", "go", ["bundles.topic"], ["fast"])
SPAN = {"lower": 0, "upper": 4, "upper_included": False}


@pytest.mark.parametrize("text", ["ü", "\U0001f680", "\x00\x1f\x7f\u2028", '"\\/', "\ufeff", ""])
def test_texts_of_all_sorts_travel(text: str) -> None:
    line = wire.write_line(wire.trial_message(1, TOPIC, TopicTrial(text)))
    assert line.isascii()
    assert line.count(b"\n") == 1
    assert wire.read_line(line)["trial"] == {"text": text}
    assert wire.read_line(json.dumps({"text": text}, ensure_ascii=False).encode()) == {"text": text}


@pytest.mark.parametrize("number", [0.1 + 0.2, 5e-324, 1.7976931348623157e308, -0.0, 2**63 - 1])
def test_numbers_are_exact(number: float) -> None:
    assert repr(wire.read_line(wire.write_line({"n": number}))["n"]) == repr(number)


@pytest.mark.parametrize("number", [math.inf, -math.inf, math.nan])
def test_numbers_that_json_lacks_are_not_written(number: float) -> None:
    with pytest.raises(ValueError, match="not JSON compliant"):
        wire.write_line({"n": number})


@pytest.mark.parametrize(
    ("line", "sentence"),
    [
        (b"", "is no JSON"),
        (b"hello", "is no JSON"),
        (b'{"a":1} {"b":2}', "is no JSON"),
        (b'{"a":NaN}', "is no JSON: it has NaN"),
        (b"[1]", "is no JSON object"),
        (b"7", "is no JSON object"),
        (b'{"a":"\xff"}', "is no UTF-8"),
        (b"[" * 100_000, "is nested too deeply"),
        (b'{"a":"\\ud800","b":' + b"[" * 700 + b"]" * 700 + b"}", "is nested too deeply"),
        (b'{"a":' + b"9" * 5000 + b"}", "has a number of too many digits"),
        (b'{"a":1e999}', "has a number that is too large for a double"),
        (b'{"id":1,"answer":1,"answer":2}', 'has the key "answer" twice'),
        (b'{"answer":{"a":1,"b":{},"a":1}}', 'has the key "a" twice'),
    ],
)
def test_lines_that_are_no_message(line: bytes, sentence: str) -> None:
    with pytest.raises(BadMessage, match=f"^{sentence}"):
        wire.read_line(line)


def test_lone_surrogates_do_not_come_in() -> None:
    assert wire.read_line(rb'{"\ud800":["\udc00x"]}') == {"\ufffd": ["\ufffdx"]}
    assert wire.read_line(rb'{"a":"\ud83d\ude80"}') == {"a": "\U0001f680"}


def test_a_line_of_brackets_is_refused_before_it_is_memory() -> None:
    """A line of `[[],[],…` takes thirty times its length as objects."""
    tracemalloc.start()
    try:
        with pytest.raises(BadMessage):
            wire.read_line(b"[" + b"[]," * 3_000_000 + b"[]]")
        assert tracemalloc.get_traced_memory()[1] < 200 << 20
    finally:
        tracemalloc.stop()


def test_a_hello_is_read() -> None:
    assert wire.read_hello({**HELLO, "more": 1}) == wire.Hello(
        "echo", "1.2", "go", frozenset({"bundles.topic"}), frozenset({"fast"})
    )


@pytest.mark.parametrize(
    ("change", "sentence"),
    [
        ({"type": "bye"}, "is a message of type 'bye', not a hello"),
        ({"protocol": 2}, "is a hello of protocol 2; this is protocol 1"),
        ({"protocol": True}, "is a hello of protocol true"),
        ({"protocol": "1"}, 'is a hello of protocol "1"'),
        ({"name": None}, "is a hello with name that is no text"),
        ({"questions": "bundles.topic"}, "is a hello with questions that are no array of texts"),
        ({"options": [1]}, "is a hello with options that are no array of texts"),
        ({"questions": ["q"] * 1_001}, "is a hello with more than 1,000 questions, or one of"),
        ({"options": ["q" * 101]}, "is a hello with more than 1,000 options, or one of more than"),
    ],
)
def test_a_wrong_hello(change: dict[str, Any], sentence: str) -> None:
    with pytest.raises(BadMessage, match=f"^{sentence}"):
        wire.read_hello({**HELLO, **change})


@pytest.mark.parametrize(
    ("message", "sentence"),
    [
        ({}, "is without a type where a reply to a trial was due"),
        ({"type": "hello"}, "is a message of type 'hello' where a reply"),
        ({"type": ["observation"]}, "is a message of type "),
        ({"type": "observation"}, "is a message of type 'observation' without an integer id"),
        ({"type": "observation", "id": None}, "is a message of type 'observation' without"),
        ({"type": "observation", "id": 1.0}, "is a message of type 'observation' without"),
        ({"type": "skipped", "id": True}, "is a message of type 'skipped' without"),
        ({"type": "error"}, "is a message of type 'error' without"),
    ],
)
def test_malformed_reply(message: dict[str, Any], sentence: str) -> None:
    with pytest.raises(BadMessage, match=f"^{sentence}"):
        wire.read_id(message)


def test_only_an_error_may_lack_the_id() -> None:
    assert wire.read_id({"type": "error", "id": None}) is None


def observation(**shape: Any) -> dict[str, Any]:
    return {"type": "observation", "id": 1, **shape}


def wrong(place: str, reason: str) -> Errored:
    return Errored(f"gave an observation of the wrong form{place}: {reason}", False)


@pytest.mark.parametrize(
    ("message", "reply"),
    [
        (observation(answer={"bundle": SPAN}), Observed(LookupAnswer(Span(0, 4, False)))),
        (observation(refused={"reason": "x", "detail": ""}), Observed(Refused("x"))),
        (observation(broke={"reason": "x", "detail": "y"}), Observed(Broke("x", "y"))),
        ({"type": "skipped", "reason": "not\n here"}, Skipped("not here")),
        (
            {"type": "error", "reason": "disk", "definite": True},
            Errored("reported an error: disk", True),
        ),
        ({"type": "error", "reason": "disk"}, Errored("reported an error: disk", False)),
        ({"type": "error", "reason": 5}, Errored("sent a message of type 'error' with", False)),
        ({"type": "skipped"}, Errored("sent a message of type 'skipped' with", False)),
        (
            observation(answer={"bundle": {**SPAN, "lower": "0"}}),
            wrong(" at answer.bundle.lower", 'must be an integer, not "0"'),
        ),
        (observation(answer=None), wrong(" at answer", "must be an object, not null")),
        (observation(answer={}), wrong(" at answer.bundle", "is missing")),
        (observation(answer=[[]]), wrong(" at answer", "must be an object, not [[]]")),
        (observation(refused={"reason": "x"}), wrong(" at refused.detail", "is missing")),
        (observation(), wrong("", "must have one of answer, refused, broke, not 0 of them")),
        (
            observation(answer={"bundle": SPAN}, broke={"reason": "", "detail": ""}),
            wrong("", "must have one of answer, refused, broke, not 2 of them"),
        ),
    ],
)
def test_replies(message: dict[str, Any], reply: Reply) -> None:
    got = wire.read_reply(HASH_LOOKUP, message)
    if isinstance(reply, Errored):
        assert isinstance(got, Errored)
        assert got.definite == reply.definite
        assert got.reason.startswith(reply.reason)
    else:
        assert got == reply


def test_a_command_of_an_odd_sort_is_wrong_in_form() -> None:
    life = QUESTIONS["splitting.life"]
    oddities: list[Any] = [[], {}, None, 5, {"do": []}, {"do": "fly"}]
    for odd in oddities:
        reply = wire.read_reply(life, observation(answer={"results": [odd]}))
        assert isinstance(reply, Errored)
        assert "at answer.results[0]: must be an object with do one of found" in reply.reason


def test_long_words_are_cut() -> None:
    reply = wire.read_reply(TOPIC, {"type": "skipped", "reason": "word " * 1000})
    assert isinstance(reply, Skipped)
    assert len(reply.reason) == wire.REASON_LENGTH
    assert wire.clip_reason("a\x1b[2Jb") == r"a\x1b[2Jb"
