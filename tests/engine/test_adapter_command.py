"""`evenkeel adapter smoke`: what is wrong with the wire, in a few trials."""

import shlex
import sys
from pathlib import Path

import pytest

from tests.command_line import Done, run
from tests.engine.misbehaving import script

pytestmark = pytest.mark.slow


def smoke(command: str, *words: str) -> Done:
    return run("adapter", "smoke", command, *words)


def test_a_good_adapter() -> None:
    done = smoke(f"{sys.executable} adapters/python/starter.py")
    assert done.returncode == 0, done.stdout
    assert "2 of 2 supported questions speak the protocol, 0 unknown" in done.stdout


def test_wrong_form_and_a_typo(tmp_path: Path) -> None:
    behaviour = """
    HELLO["questions"] = ["bundles.range", "bundles.topics"]

    def answer(id_, text):
        say(dict(type="observation", id=id_, answer=dict(nonsense=1)))
    """
    done = smoke(shlex.join(script(tmp_path, behaviour)))
    assert done.returncode == 1
    assert "wrong    bundles.range: answered 0, refused 0, broke 0, skipped 0" in done.stdout
    faults = next(text for text in done.stdout.splitlines() if "nonsense" in text)
    assert "is a required property; " in faults, faults  # more than one fault is reported
    assert "bundles.topics (did you mean bundles.topic?)" in done.stdout


def test_one_that_breaks_or_refuses_all_the_time(tmp_path: Path) -> None:
    broke = 'broke=dict(reason="Error", detail=f"boom {id_}")'
    behaviour = f"""
    def answer(id_, text):
        say(dict(type="observation", id=id_, {broke}))
    """
    done = smoke(shlex.join(script(tmp_path, behaviour)))
    assert done.returncode == 0, done.stdout
    assert "broke    bundles.range: answered 0, refused 0, broke 3, skipped 0" in done.stdout
    assert "broke: Error: boom 0" in done.stdout
    assert "boom 1" not in done.stdout
    assert "1 broke, " in done.stdout.splitlines()[-1]
    refusing = smoke(shlex.join(script(tmp_path, "")))
    assert "refuses  bundles.range: answered 0, refused 3, broke 0" in refusing.stdout


@pytest.mark.parametrize(
    ("command", "sentence"),
    [
        ("'open", "is no command"),
        ("", "smoke: what follows is empty"),
        (" ", "The subject is empty"),
        ("true", "hello"),
    ],
)
def test_unusable_questions(command: str, sentence: str) -> None:
    done = smoke(command)
    assert done.returncode == 2
    assert sentence in done.stderr or "exited" in done.stderr
