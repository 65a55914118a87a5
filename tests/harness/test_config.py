"""`evenkeel.toml` and `[tool.evenkeel]`: options that need not be typed."""

import json
import subprocess
import sys
import tomllib
from pathlib import Path

import jsonschema
import pytest

from evenkeel.cli import config
from evenkeel.cli.main import made

GOOD = """
subject = "reference:PULSAR_4_0"
edition = "documented"
[check]
question = ["bundles.hash_lookup"]
quiet = true
seed = 3
"""


def run(folder: Path, *words: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, "-m", "evenkeel", "check", *words],
        cwd=folder,
        capture_output=True,
        text=True,
        check=False,
    )


@pytest.mark.slow
@pytest.mark.parametrize("name", config.NAMES)
def test_it_gives_options_and_what_is_typed_wins(tmp_path: Path, name: str) -> None:
    text = GOOD
    if name == "pyproject.toml":
        text = "[tool.evenkeel]" + GOOD.replace("[check]", "[tool.evenkeel.check]")
    (tmp_path / name).write_text(text)
    done = run(tmp_path)
    assert done.returncode == 1
    assert "reference PULSAR_4_0 against DOCUMENTED: 2 of 3 clauses hold" in done.stdout
    done = run(tmp_path, "--subject", "reference")
    assert done.returncode == 0
    assert "reference DOCUMENTED against DOCUMENTED: 3 of 3 clauses hold" in done.stdout


@pytest.mark.parametrize(
    ("text", "sentence"),
    [
        ("[check]\nquestio = []\n", "did you mean question?"),
        ("subjekt = 'x'\n", "did you mean subject?"),
        ("[chek]\n", "did you mean check?"),
        ("[check]\nquestion = 'x'\n", "must be a list"),
        ("[check]\nquiet = 'x'\n", "must be true or false"),
        ("[check]\nseed = true\n", "must not be true or false"),
        ("[check]\nseed = [1]\n", "must be one value"),
        ("[check\n", "is no TOML"),
    ],
)
def test_what_cannot_be_used_is_said(tmp_path: Path, text: str, sentence: str) -> None:
    (tmp_path / "evenkeel.toml").write_text(text)
    with pytest.raises(config.BadConfig, match=r"^evenkeel\.toml") as bad:
        config.defaults(made("check"), "check", tmp_path)
    assert sentence in str(bad.value)


def test_another_projects_file_is_left_alone(tmp_path: Path) -> None:
    (tmp_path / "pyproject.toml").write_text("[project]\nname = 'x'\n")
    assert config.defaults(made("check"), "check", tmp_path) == {}


def test_the_schema_is_current_and_holds() -> None:
    schema = json.loads(config.SCHEMA.read_text())
    said = "python -m evenkeel.cli.config writes it"
    assert schema == config.schema({name: made(name) for name in config.COMMANDS}), said
    jsonschema.validate(tomllib.loads(GOOD), schema)
    with pytest.raises(jsonschema.ValidationError):
        jsonschema.validate({"chek": {}}, schema)


@pytest.mark.parametrize("name", ["docs/ci/evenkeel.yml", "docs/how-to/run-in-ci.md"])
def test_the_ready_files_use_options_that_there_are(name: str) -> None:
    text = (Path(__file__).resolve().parents[2] / name).read_text()
    known = config.options(made("check"))
    if name.endswith(".yml"):
        command = text.partition("- run: >")[2].partition("- if:")[0]
        used = [word.removeprefix("--") for word in command.split() if word.startswith("--")]
        assert len(used) > 5
    else:
        said = tomllib.loads(text.partition("```toml\n")[2].partition("```")[0])
        used = [*said["check"], "subject", "edition"]
    assert {*used} <= known.keys()
