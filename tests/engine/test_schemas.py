"""The schemas and the document are what the types say, and what the codec accepts."""

import json
import random
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import jsonschema
import pytest

from evenkeel.reference.edition import EDITIONS
from evenkeel_engine.check.seeded import make_trial
from evenkeel_engine.frame.errors import Refusal
from evenkeel_engine.kit.catalogue import QUESTIONS
from evenkeel_engine.kit.codec import BadData, Json, from_json, to_json
from evenkeel_engine.kit.trial import BadTrial
from evenkeel_engine.subjects import schema, wire
from evenkeel_engine.subjects.base import Errored, Observed, Skipped
from evenkeel_engine.subjects.checker import Checker
from evenkeel_engine.trial_types import bounds, document

HOW = "run `python -m evenkeel_engine.trial_types.document`"
TEXT = "\n".join(
    path.read_text("utf-8") for path in (document.PATH, *sorted(document.PAGES.glob("*.md")))
)
CHECKER = Checker()


def test_document_matches_types(monkeypatch: pytest.MonkeyPatch) -> None:
    """All but its examples, which another test holds: looking for small ones takes long."""
    name, shown = "", dict[str, list[Json]]()
    for message in document.messages_in(TEXT.removeprefix(document.PATH.read_text("utf-8"))):
        name = message.get("question", name)
        shown.setdefault(name, []).append(message)
    monkeypatch.setattr(document, "example_messages", lambda question: shown[question.name])
    expected = document.generate_pages()
    pages = {*document.PAGES.glob("*.md"), document.PATH} - {bounds.PAGE}  # measured, not made
    assert pages == set(expected), HOW
    for path, text in expected.items():
        assert path.read_text("utf-8") == text, f"{path.name}: {HOW}"


def test_a_schema_file_is_written_for_each(tmp_path: Path) -> None:
    folder = tmp_path / "schemas"
    schema.write(folder)
    written = {path.stem: json.loads(path.read_text("utf-8")) for path in folder.iterdir()}
    assert written == {name: schema.make_schema(name) for name in (schema.MESSAGES, *QUESTIONS)}
    for one in written.values():
        jsonschema.Draft202012Validator.check_schema(one)


def problem_of(message: Json) -> str:
    """What the schemas say of a message of the document, whichever side it is of."""
    if message["type"] in ("trial", "hello") and "name" not in message:
        return CHECKER.harness_problem(message)
    return CHECKER.subject_problem(message, None)


def test_the_documents_examples_are_right() -> None:
    messages = list(document.messages_in(TEXT))
    assert {one["question"] for one in messages if one["type"] == "trial"} == {*QUESTIONS}
    asked: dict[int, Any] = {}
    for message in messages:
        assert not problem_of(message)
        if message["type"] == "trial":
            question = QUESTIONS[message["question"]].sent
            asked[message["id"]] = (question, from_json(question.trial_type, message["trial"]))
        elif "answer" in message:
            question, trial = asked[message["id"]]
            assert not CHECKER.subject_problem(message, question.name)
            assert wire.read_reply(question, message) == Observed(
                question.observe(trial, EDITIONS["DOCUMENTED"])
            )


def test_the_messages_match() -> None:
    assert not CHECKER.harness_problem(wire.harness_hello({"a": "b"}))
    assert not CHECKER.harness_problem(wire.BYE)
    assert not CHECKER.subject_problem(wire.subject_hello("a", "", "c", QUESTIONS), None)
    for reply in (Skipped("why"), Errored("why", True)):
        assert not CHECKER.subject_problem(wire.reply_message(3, reply), None)
    assert not CHECKER.subject_problem(wire.error_message(None, "why"), None)


@pytest.mark.parametrize(
    ("message", "place"),
    [
        ({"type": "hello", "protocol": 2}, "message"),
        ({**wire.subject_hello("a", "", "c", []), "name": 5}, "name"),
        ({"type": "skipped", "id": 1.0, "reason": ""}, "id"),
        ({"type": "error", "id": 1, "reason": ""}, "message"),
        ({"type": "observation", "id": 1}, "message"),
        ({"type": "observation", "id": 1, "broke": {"reason": "x"}}, "broke"),
        ({"type": "fly"}, "message"),
        ([], "message"),
    ],
)
def test_wrong_messages_are_placed(message: Json, place: str) -> None:
    assert CHECKER.subject_problem(message, None).startswith(f"{place}: ")


# ------------------------------------------------------------- the schemas and the codec agree

ODD: list[Json] = [None, True, 0, -1, 1.0, 0.5, "", "x", [], {}, 2**70, [[]], {"do": "read"}]


def places(data: Json) -> Iterator[tuple[Any, Any]]:
    """Every container inside with each of its keys or indices."""
    items = data.items() if isinstance(data, dict) else enumerate(data)
    for key, value in items:
        yield data, key
        if isinstance(value, dict | list):
            yield from places(value)


def spoil_data(data: Json, rng: random.Random) -> Json:
    """The data with one thing changed, removed or added."""
    copy = json.loads(json.dumps(data))
    container, key = rng.choice(list(places(copy)))
    if (change := rng.randrange(3)) == 0:
        container[key] = rng.choice(ODD)
    elif change == 1:
        del container[key]
    elif isinstance(container, dict):
        container[rng.choice(["extra", "do", "lower"])] = rng.choice(ODD)
    else:
        container.insert(key, rng.choice(ODD))
    return copy


def codec_problem(kind: type, data: Json) -> str:
    """What the codec says of the form; values that a type itself refuses have the right form."""
    try:
        from_json(kind, data)
    except BadData as bad:
        return "" if isinstance(bad.__cause__, BadTrial | Refusal) else str(bad)
    return ""


@pytest.mark.parametrize("name", QUESTIONS)
def test_schema_and_codec_refuse_the_same(name: str) -> None:
    question, rng = QUESTIONS[name], random.Random(name)
    refused = 0
    for index in range(12):
        trial = make_trial(question, 3, index)
        answer = question.observe(trial, EDITIONS["PULSAR_4_0"])
        pairs = [(question.trial_type, "trial", to_json(trial))]
        if question.talk is not None:  # a subject sees the turns alone
            opening = next(question.talk.ask(trial))
            pairs, answer = [(question.sent.trial_type, "trial", to_json(opening))], None
        if isinstance(answer, question.answer_type) and len(str(answer)) < 10_000:
            pairs.append((question.answer_type, "answer", to_json(answer)))
        for kind, part, data in pairs:
            for tried in (data, spoil_data(data, rng), spoil_data(data, rng)):
                by_codec = codec_problem(kind, tried)
                by_schema = part_problem(name, part, tried)
                refused += bool(by_codec)
                assert bool(by_codec) == bool(by_schema), (tried, by_codec, by_schema)
    assert refused > 4


def part_problem(question: str, part: str, data: Json) -> str:
    if part == "trial":
        message = {"type": "trial", "id": 1, "question": question, "trial": data}
        return CHECKER.harness_problem(message)
    return CHECKER.subject_problem({"type": "observation", "id": 1, "answer": data}, question)
