"""Every command of the engine on its example, with no other specification."""

from __future__ import annotations

import json
import os
import shlex
import shutil
import sys
from pathlib import Path
from typing import Any, Final

import pytest

from tests import command_line, processes

EXAMPLE: Final = "evenkeel_engine.example"
ROOT: Final = Path(__file__).resolve().parents[3]
FOLDER: Final = ROOT / "evenkeel_engine" / "example"
NAIVE: Final = '''
"""Moves one region from the fullest server to the emptiest, whatever the slop."""
import json, sys
for line in sys.stdin:
    message = json.loads(line)
    if message["type"] == "bye":
        break
    if message["type"] == "hello":
        said = {"type": "hello", "protocol": 1, "name": "naive", "version": "1",
                "language": "python", "questions": ["regions.plan"], "options": []}
    else:
        servers = sorted(message["trial"]["servers"], key=lambda one: len(one["regions"]))
        moves = []
        if servers and len(servers[-1]["regions"]) > len(servers[0]["regions"]) + 1:
            moves = [{"region": servers[-1]["regions"][0], "source": servers[-1]["name"],
                      "destination": servers[0]["name"]}]
        said = {"type": "observation", "id": message["id"], "answer": {"moves": moves}}
    print(json.dumps(said), flush=True)
'''


@pytest.fixture(autouse=True)
def _wide(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("COLUMNS", "120")


def run(folder: Path, *words: str, status: int = 0) -> str:
    """What a command prints, run in an empty folder; it must end with this status."""
    done = command_line.run(*words, folder=folder, cache=folder / "cache")
    printed = done.stdout + done.stderr
    assert done.returncode == status, printed
    return printed


def start(
    folder: Path, module: str, *words: str, status: int = 0, specification: str = EXAMPLE
) -> str:
    """The same of a module in a process of its own."""
    more = {"XDG_CACHE_HOME": str(folder / "cache"), "EVENKEEL_SPECIFICATION": specification}
    environment = {**os.environ, **more}
    done = processes.start(sys.executable, "-m", module, *words, cwd=folder, env=environment)
    printed = done.stdout + done.stderr
    assert done.returncode == status, printed
    assert "defect of evenkeel" not in printed
    return printed


def test_nothing_of_another_specification_is_imported() -> None:
    assert not [name for name in sys.modules if name.startswith("evenkeel.properties")]


@pytest.fixture
def naive(tmp_path: Path) -> str:
    """The command of a balancer that is wrong."""
    (tmp_path / "naive.py").write_text(NAIVE)
    return f"{shlex.quote(sys.executable)} {shlex.quote(str(tmp_path / 'naive.py'))}"


@pytest.mark.parametrize("edition", ["GUIDE", "HBASE_2_5"])
@pytest.mark.parametrize("generator", ["own", "independent"])
def test_the_reference_obeys_its_edition(tmp_path: Path, edition: str, generator: str) -> None:
    asked = ("--edition", edition, "--generator", generator, "--allow-unexercised")
    printed = run(tmp_path, "check", *asked)
    assert f"reference {edition} against {edition}:" in printed
    assert "in 2,500 trials" in printed
    if generator == "own":
        assert "5 of 5 clauses hold" in printed


def test_a_wrong_subject_is_shown_by_a_small_trial(tmp_path: Path, naive: str) -> None:
    printed = run(tmp_path, "check", "--subject", naive, "--save", "found", status=1)
    assert "RGN-2 · A plan makes the servers even · regions.plan" in printed
    [kept] = tmp_path.glob("found/RGN-2-*.json")
    assert sum(len(one["regions"]) for one in json.loads(kept.read_text())["trial"]["servers"]) <= 4
    assert "RGN-2" in run(tmp_path, "replay", str(kept), "--subject", naive, status=1)
    run(tmp_path, "replay", str(kept), "--subject", "reference")


def test_compare_and_explain(tmp_path: Path) -> None:
    both = ("--subject", "reference", "--subject", "reference:HBASE_2_5")
    assert "RGN-4: since reference HBASE_2_5" in run(tmp_path, "compare", *both, status=1)
    explained = run(tmp_path, "explain", "RGN-2")
    for evidence in (
        "function: reference/regions/balancing.py: share",
        "theorem: shares-are-even",
        "graph: single-moves-end-even",
        "five-regions-on-one-of-two-servers",
    ):
        assert evidence in explained


def test_scores(tmp_path: Path) -> None:
    printed = run(tmp_path, "score")
    assert "4 of 4 mutants killed, 0 of 1 conforming variants flagged" in printed
    assert "14 of 14 faulty subjects violated" in printed
    run(tmp_path, "score", "--idle")
    run(tmp_path, "score", "--in-reference", "--only-drawn", "--drawn", "5")


def test_theorem_and_graph(tmp_path: Path) -> None:
    assert "1 of 1 theorems proved" in run(tmp_path, "prove", "--theorems")
    assert "1 of 1 graphs as they should be, 18 states" in run(tmp_path, "prove", "--graphs")


def test_stored_cases(tmp_path: Path) -> None:
    assert "5 cases, 0 problems" in run(tmp_path, "cases", "lint")
    assert "0 of 2 files rewritten" in run(tmp_path, "cases", "refresh")
    run(tmp_path, "cases", "verify")
    run(tmp_path, "cases", "export", "exported")
    assert (tmp_path / "exported").is_dir()
    shown = run(tmp_path, "cases", "show", "one-more-than-the-slop-allows")
    assert "none move, with 3 to 6 regions on a server" in shown
    words = ("--clause", "RGN-2", "--title", "One move", "--effect", "Uneven.", "--source", "Ours")
    run(tmp_path, "cases", "add", "regions.plan@1:4", *words, "--to", "own")
    recorded = ("--subject", "reference:HBASE_2_5", "--pool", "50", "--to", "own")
    run(tmp_path, "cases", "record", *recorded)
    assert "regions.rounds" in (tmp_path / "own" / "regions" / "rounds.jsonl").read_text()
    run(tmp_path, "cases", "lint", "own")


@pytest.mark.parametrize("language", ["go", "java", "python", "rust", "typescript"])
def test_adapters_begin_with_the_first_question(tmp_path: Path, language: str) -> None:
    assert "fill in mine/" in run(tmp_path, "adapter", "new", "mine", "--language", language)
    texts = [path.read_text() for path in (tmp_path / "mine").rglob("*.*") if path.is_file()]
    assert not [text for text in texts if "@PASCAL@" in text or "bundle" in text]
    assert (tmp_path / "mine" / "spec" / "wire" / "regions.md").exists()
    if language == "python":
        command = f"{shlex.quote(sys.executable)} mine/adapter.py"
        assert "skips    regions.plan" in run(tmp_path, "adapter", "smoke", command, status=2)
        filled = tmp_path / "mine" / "questions.py"
        filled.write_text(
            filled.read_text().replace(
                'raise evenkeel.Skipped("not written yet")', 'return {"moves": []}'
            )
        )
        assert "answers  regions.plan" in run(tmp_path, "adapter", "smoke", command)
        assert "RGN-4" in run(tmp_path, "check", "--subject", command, status=1)


def test_the_reference_serves_over_the_wire(tmp_path: Path) -> None:
    serve = f"{shlex.quote(sys.executable)} -m evenkeel_engine.subjects.serve"
    run(tmp_path, "check", "--subject", serve, "--question", "regions.rounds")
    mutant = f"{serve} --mutant rest-on-one"
    printed = run(tmp_path, "check", "--subject", mutant, "--question", "regions.plan", status=1)
    assert "RGN-2" in printed


def test_the_plugin_of_pytest(tmp_path: Path, naive: str, monkeypatch: pytest.MonkeyPatch) -> None:
    words = ("-p", "evenkeel_engine.pytest_plugin", "--evenkeel-subject", naive, "-q")
    (tmp_path / "pyproject.toml").write_text("[tool.pytest.ini_options]\n")
    (tmp_path / "test_own.py").write_text(
        "def test_idle(evenkeel_check):\n"
        "    idle = {'regions.plan': lambda trial: {'moves': []}}\n"
        "    evenkeel_check(idle, trials=50)\n"
    )
    monkeypatch.setenv("PYTEST_DISABLE_PLUGIN_AUTOLOAD", "1")
    printed = start(tmp_path, "pytest", *words, status=1)
    assert "RGN-2" in printed
    assert "RGN-4" in printed


def test_the_documents(tmp_path: Path) -> None:
    assert "3 statements with a clause, 1 without" in run(tmp_path, "spec", "coverage")
    assert "guide" in run(tmp_path, "spec", "quotations", str(tmp_path), status=2)


PAGES: Final = """
from evenkeel_engine.trial_types import bounds, document
for path, text in {**document.generate_pages(), bounds.PAGE: bounds.render_bounds("", ())}.items():
    assert path.read_text("utf-8") == text, path
"""


def test_the_pages_are_current(tmp_path: Path) -> None:
    (tmp_path / "pages.py").write_text(PAGES)
    start(tmp_path, "pages")
    assert "  0  " not in start(tmp_path, "evenkeel_engine.trial_types.met", "regions.plan")


@pytest.mark.slow
def test_everything(tmp_path: Path) -> None:
    """All sweeps, and a campaign on Spark."""
    assert "all holds in 1 chapters" in start(tmp_path, "evenkeel_engine", "check", "--everything")


@pytest.mark.slow
def test_a_campaign_keeps_what_it_finds(tmp_path: Path) -> None:
    asked = ("--subject", "reference:HBASE_2_5", "--trials", "400", "--master", "local[1]")
    start(tmp_path, "evenkeel_engine", "campaign", *asked, "--out", "campaign", status=1)
    state: dict[str, Any] = json.loads((tmp_path / "campaign" / "campaign.json").read_text())
    assert state["finished"]
    assert "RGN-4" in json.dumps(state["result"])


def test_a_mutant_that_fits_nowhere_is_no_kill(tmp_path: Path) -> None:
    shutil.copytree(FOLDER, tmp_path / "mine", ignore=shutil.ignore_patterns("__pycache__"))
    for path in (tmp_path / "mine").rglob("*.py"):
        path.write_text(path.read_text().replace(EXAMPLE, "mine"))
    mutants = tmp_path / "mine" / "properties" / "regions" / "mutants.toml"
    mutants.write_text(mutants.read_text().replace('> upper"', '"', 1))
    asked = ("evenkeel_engine", "score", "--drawn", "0")
    printed = start(tmp_path, *asked, status=2, specification="mine")
    assert "has these whole lines 0 times, not once: return max(counts)" in printed


def test_a_specification_that_is_not_there_is_one_sentence(tmp_path: Path) -> None:
    printed = start(tmp_path, "evenkeel_engine", "--help", status=2, specification="nowhere")
    assert printed == "evenkeel: No module named 'nowhere'.\n"


def test_impossible_moves_are_violations(tmp_path: Path, naive: str) -> None:
    path = tmp_path / "naive.py"
    path.write_text(path.read_text().replace('servers[-1]["name"]', '"nowhere"'))
    printed = run(tmp_path, "check", "--subject", naive, status=1)
    assert "RGN-1" in printed
    assert "the check failed" not in printed
