"""`evenkeel.toml` and `[tool.evenkeel]`: options that need not be typed."""

import errno
import os
import tomllib
from pathlib import Path

import pytest

from evenkeel_engine.cli import config
from evenkeel_engine.cli.commands import find_command
from evenkeel_engine.errors import UserError
from tests import command_line
from tests.command_line import Done

GOOD = """
subject = "reference:PULSAR_4_0"
edition = "documented"
[check]
question = ["bundles.hash_lookup"]
quiet = true
seed = 3
"""


def run(folder: Path, *words: str) -> Done:
    return command_line.run("check", *words, folder=folder, cache=folder / "cache")


@pytest.mark.slow
@pytest.mark.parametrize("name", config.NAMES)
def test_command_line_overrides_file(tmp_path: Path, name: str) -> None:
    text = GOOD
    if name == "pyproject.toml":
        text = "[tool.evenkeel]" + GOOD.replace("[check]", "[tool.evenkeel.check]")
    (tmp_path / name).write_text(text, "utf-8-sig")  # as some editors of Windows do
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
        ("[simulate]\n", "did you mean operate.simulate?"),
        ("[operate.simulat]\n", "did you mean operate.simulate?"),
        ("[operate]\nseed = 1\n", "[operate.seed] is no command"),
        ("[check]\nquestion = 'x'\n", "must be a list"),
        ("[check]\nquiet = 'x'\n", "must be true or false"),
        ("[check]\nseed = true\n", "must not be true or false"),
        ("[check]\nseed = [1]\n", "must be one value"),
        ("[check\n", "is no TOML"),
        ("edition = 1\n", "edition: must be a text"),
        (f"a = {'[' * 9999}", "is no TOML (it is nested too deeply)"),
        (f"seed = {'1' * 5000}\n", "is no TOML (it has a number of too many digits)"),
    ],
)
def test_unusable_file_is_reported(tmp_path: Path, text: str, sentence: str) -> None:
    (tmp_path / "evenkeel.toml").write_text(text)
    with pytest.raises(UserError, match=r"^evenkeel\.toml") as bad:
        config.read_defaults("check", tmp_path)
    assert sentence in str(bad.value)


def made_unreadable(path: Path, kind: str) -> None:
    """Put something that cannot be read as text where a configuration is expected."""
    subject = 'subject = "false"\n'
    if kind == "latin-1":
        path.write_bytes(f"# caf\xe9\n{subject}".encode("latin-1"))
    elif kind == "utf-16":
        path.write_text(subject, "utf-16")
    elif kind == "folder":
        path.mkdir()
    elif kind == "pipe":
        os.mkfifo(path)
    else:
        path.symlink_to(path if kind == "circular" else "nowhere")


@pytest.mark.parametrize("name", config.NAMES)
@pytest.mark.parametrize(
    ("kind", "sentence"),
    [
        ("latin-1", "is no UTF-8 text (byte 5)."),
        ("utf-16", "is no UTF-8 text (byte 0)."),
        ("folder", "is a folder."),
        ("pipe", "is no regular file."),
        ("circular", "cannot be read (Too many levels of symbolic links)."),
        ("dangling", "cannot be read (No such file or directory)."),
    ],
)
def test_a_file_that_cannot_be_read_ends_the_command(
    tmp_path: Path, name: str, kind: str, sentence: str
) -> None:
    made_unreadable(tmp_path / name, kind)
    with pytest.raises(UserError) as bad:
        config.default_map(["check", "--question", "bundles.hash_lookup"], tmp_path)
    assert str(bad.value) == f"{name}: {sentence}"


def test_a_configuration_without_permission_is_not_passed_over(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "evenkeel.toml").write_text(GOOD)

    def refuse(*_: object) -> str:
        raise PermissionError(errno.EACCES, os.strerror(errno.EACCES))

    monkeypatch.setattr(Path, "read_bytes", refuse)  # a mode does not keep root from reading
    with pytest.raises(UserError, match=r"cannot be read \(Permission denied\)"):
        config.find_config(tmp_path)


def test_a_table_within_a_table_is_for_a_command_of_a_group(tmp_path: Path) -> None:
    (tmp_path / "evenkeel.toml").write_text("seed = 3\n[operate.simulate]\nseeds = 2\n")
    words = ["operate", "simulate", "three-brokers"]
    assert config.default_map(words, tmp_path) == {"operate": {"simulate": {"seed": 3, "seeds": 2}}}
    assert config.default_map(["operate", "trace"], tmp_path) == {}


def test_another_projects_file_is_left_alone(tmp_path: Path) -> None:
    for text in ("[project]\nname = 'x'\n", "tool = 5\n", f"a = {'[' * 9999}"):
        (tmp_path / "pyproject.toml").write_text(text)
        assert config.read_defaults("check", tmp_path) == {}
    (tmp_path / "pyproject.toml").write_text("[tool]\nevenkeel = 5\n")
    with pytest.raises(UserError, match=r"tool\.evenkeel: must be a table"):
        config.read_defaults("check", tmp_path)


@pytest.mark.parametrize("name", ["action.yml", "docs/ci/evenkeel.yml", "docs/how-to/run-in-ci.md"])
def test_the_ready_files_use_options_that_there_are(name: str) -> None:
    text = (Path(__file__).resolve().parents[2] / name).read_text()
    known = config.list_options(find_command("check"))
    if name.endswith(".yml"):
        line = text.partition(" run: >")[2].partition("- if:")[0]
        used = [word.removeprefix("--") for word in line.split() if word.startswith("--")]
        assert len(used) > 5
    else:
        table = tomllib.loads(text.partition("```toml\n")[2].partition("```")[0])
        used = [*table["check"], "subject", "edition"]
    assert {*used} <= known.keys()
