"""`evenkeel adapter smoke`: what is wrong with the wire, in a few trials."""

import shlex
import subprocess
import sys
from pathlib import Path

import pytest

from tests.frame.misbehaving import script

pytestmark = pytest.mark.slow

ROOT = Path(__file__).resolve().parents[2]


def smoke(command: str, *words: str) -> subprocess.CompletedProcess[str]:
    done = subprocess.run(
        [sys.executable, "-m", "evenkeel", "adapter", "smoke", command, *words],
        capture_output=True,
        text=True,
        cwd=ROOT,
        timeout=120,
        check=False,
    )
    assert "Traceback" not in done.stdout + done.stderr
    return done


def test_a_good_adapter() -> None:
    done = smoke(f"{sys.executable} adapters/python/starter.py")
    assert done.returncode == 0, done.stdout
    assert "2 of 2 offered questions speak the protocol, 0 unknown" in done.stdout


def test_wrong_form_and_a_typo(tmp_path: Path) -> None:
    behaviour = """
    HELLO["questions"] = ["bundles.range", "bundles.topics"]

    def answer(id_, text):
        say(dict(type="observation", id=id_, answer=dict(nonsense=1)))
    """
    done = smoke(shlex.join(script(tmp_path, behaviour)))
    assert done.returncode == 1
    assert "wrong    bundles.range" in done.stdout
    assert "bundles.topics (did you mean bundles.topic?)" in done.stdout


@pytest.mark.parametrize(
    ("command", "sentence"),
    [
        ("'open", "is no command"),
        ("", "smoke: what follows is empty"),
        (" ", "The subject is empty"),
        ("true", "hello"),
    ],
)
def test_what_cannot_be_asked(command: str, sentence: str) -> None:
    done = smoke(command)
    assert done.returncode == 2
    assert sentence in done.stderr or "exited" in done.stderr
