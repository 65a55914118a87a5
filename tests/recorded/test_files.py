"""The files say honestly what they hold, and are few, small and the same for the same answers."""

import json
from pathlib import Path

import pytest

from evenkeel.harness import recorded
from evenkeel.harness.recorded import BadRecording

MOST_BYTES = 3_000_000
MOST_LINES = 300


def test_all_are_small() -> None:
    paths = [recorded.path_of(name) for name in recorded.questions()]
    assert sum(path.stat().st_size for path in paths) <= MOST_BYTES
    assert set(recorded.folder().rglob("*.jsonl")) == set(paths)
    for name in recorded.questions():
        assert 0 < recorded.recording(name).header.lines <= MOST_LINES


@pytest.mark.parametrize("question", recorded.questions())
def test_a_file_is_what_would_be_written(question: str, tmp_path: Path) -> None:
    found = recorded.recording(question)
    assert (found.header.question, found.header.edition) == (question, "PULSAR_4_0")
    assert (found.header.subject, found.header.version) == ("apache-pulsar", "4.0.8")
    texts = [recorded.text_of(line) for line in found.lines]
    assert texts == sorted(set(texts))
    copy = tmp_path / "copy.jsonl"
    recorded.write(copy, found.header, texts)
    assert copy.read_bytes() == recorded.path_of(question).read_bytes()


def test_a_line_keeps_no_wording_of_pulsars() -> None:
    """A refusal's sentence may change from run to run; its reason does not."""
    text = recorded.path_of("bundles.range").read_text()
    assert '"detail":""' in text
    assert '"detail":"' not in text.replace('"detail":""', "")


def spoilt(tmp_path: Path, old: str, new: str) -> str:
    """What is said of the recording of bundles.range with a change in it."""
    text = recorded.path_of("bundles.range").read_text()
    assert old in text
    path = tmp_path / "spoilt.jsonl"
    path.write_text(text.replace(old, new, 1))
    with pytest.raises(BadRecording) as caught:
        recorded.read(path)
    [sentence] = str(caught.value).splitlines()
    assert sentence.startswith(f"{path}: ")
    return sentence.removeprefix(f"{path}: ")


@pytest.mark.parametrize(
    ("old", "new", "sentence"),
    [
        ('"detail":""', '"detail":" "', "has another digest: its lines were changed"),
        ('"format":"evenkeel recorded answers 1",', "", "format: must be"),
        ('"edition":"PULSAR_4_0"', '"edition":"PULSAR_9"', "edition: there is no edition"),
        ('"seed":1', '"seed":"1"', "seed: must be of type int"),
        ('"seed":1', '"sown":1', "seed: is missing"),
        ('"open":0', '"open":1', "has other line counts"),
        ('"trial":', '"test":', "line 2: "),
        ('{"', "", "line 1: is no JSON"),
    ],
)
def test_what_was_spoilt_is_one_sentence(tmp_path: Path, old: str, new: str, sentence: str) -> None:
    assert spoilt(tmp_path, old, new).startswith(sentence)


def test_a_line_with_two_observations_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "two.jsonl"
    lines = recorded.path_of("bundles.range").read_text().splitlines()
    line = json.loads(lines[1])
    line["broke"] = {"reason": "X", "detail": ""}
    line["refused"] = {"reason": "X", "detail": ""}
    path.write_text("\n".join([lines[0], json.dumps(line), *lines[2:]]))
    with pytest.raises(BadRecording, match="line 2: must have one observation"):
        recorded.read(path)


def test_a_file_that_is_not_there_is_one_sentence(tmp_path: Path) -> None:
    with pytest.raises(BadRecording, match="cannot be read"):
        recorded.read(tmp_path / "none.jsonl")
