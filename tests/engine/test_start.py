"""What starts fast stays so: who imports what, not how long it takes on this machine."""

import json
import os
import sys
from importlib import import_module
from pathlib import Path

import pytest

from evenkeel.operate.cli.limits_command import LimitCommands
from evenkeel.operate.cli.operate_command import Tools
from evenkeel_engine import spec
from evenkeel_engine.cli import traceability
from evenkeel_engine.cli.commands import COMMANDS, Table, line_of
from evenkeel_engine.kit import catalogue
from evenkeel_engine.kit.catalogue import QUESTIONS, component_names
from tests.processes import start

pytestmark = pytest.mark.slow

HEAVY = ("z3", "networkx", "numpy", "pyarrow", "pyspark", "matplotlib", "hypothesis")


def list_imported(program: str, cache: Path) -> set[str]:
    """The modules that a program has imported when it ends."""
    script = f"{program}\nimport sys, json\nprint(json.dumps(sorted(sys.modules)), file=sys.stderr)"
    ended = start(sys.executable, "-c", script, env={**os.environ, "XDG_CACHE_HOME": str(cache)})
    assert ended.returncode == 0, ended.stderr
    return set(json.loads(ended.stderr.splitlines()[-1]))


def command(*words: str) -> str:
    return (
        "import sys\n"
        f"sys.argv = ['evenkeel', *{list(words)!r}]\n"
        "from evenkeel_engine.cli.main import main\n"
        "try:\n    main()\nexcept SystemExit as end:\n    assert not end.code, end.code"
    )


def components_in(modules: set[str]) -> set[str]:
    """The components of properties that were imported."""
    known = {f"{chapter}.{name}" for chapter in spec.CHAPTERS for name in component_names(chapter)}
    return {name for name in known if f"evenkeel.properties.{name}" in modules}


def test_each_question_is_found_alone_and_in_its_place() -> None:
    assert sorted(QUESTIONS, key=catalogue.find_place) == list(QUESTIONS)
    for clause in catalogue.CLAUSES:
        if clause.question in QUESTIONS:
            assert clause in catalogue.clauses_in(catalogue.find_home(clause.question))


def test_a_check_of_one_question_imports_no_other(tmp_path: Path) -> None:
    words = ("check", "--question", "shedding.threshold", "--for", "0.1s", "--allow-unexercised")
    modules = list_imported(command(*words), tmp_path)
    assert components_in(modules) == {"shedding.threshold"}
    assert modules.isdisjoint(HEAVY)


def test_help_imports_no_command(tmp_path: Path) -> None:
    modules = list_imported(command("--help"), tmp_path)
    assert modules.isdisjoint((*HEAVY, "evenkeel_engine.kit.catalogue", "evenkeel.models"))
    assert not [name for name in modules if name.endswith("_command")]


def test_evidence_is_gathered_once(tmp_path: Path) -> None:
    assert "evenkeel_engine.kit.catalogue" in list_imported(command("explain", "SHD-85"), tmp_path)
    again = list_imported(command("explain", "SHD-85"), tmp_path)
    assert again.isdisjoint(
        (*HEAVY, "evenkeel_engine.kit.catalogue", "evenkeel_engine.proofs.catalogue")
    )


def test_cached_evidence_equals_gathered(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))
    fresh = traceability.find_evidence()
    assert traceability.cache_file().is_file()
    assert traceability.find_evidence() == fresh


def test_change_of_a_source_is_detected(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    traceability.write_cache(traceability.cache_file(), {"stamp": "of another time", "clauses": {}})
    monkeypatch.setattr(
        traceability, "gather_evidence", lambda: {"SHD-85": traceability.Evidence()}
    )
    assert "SHD-85" in traceability.find_evidence()
    source = tmp_path / "a.py"
    source.write_text("1")
    before = set(traceability.files_in(str(tmp_path)))
    source.write_text("12")
    assert set(traceability.files_in(str(tmp_path))) != before


@pytest.mark.parametrize("text", ["", "[]", "{}", '{"stamp": 1}', "\udcff"], ids=repr)
def test_unreadable_cache_is_ignored(text: str, tmp_path: Path) -> None:
    place = tmp_path / "traceability.json"
    place.write_text(text, "utf-8", "surrogateescape")
    assert traceability.read_cache(place) is None
    assert traceability.read_cache(tmp_path / "missing.json") is None


def test_a_folder_that_cannot_be_written_stops_nothing(tmp_path: Path) -> None:
    (tmp_path / "file").touch()
    traceability.write_cache(tmp_path / "file" / "traceability.json", {"stamp": "", "clauses": {}})


def places(table: Table = COMMANDS) -> list[str]:
    """The place of every command, also of those that groups have."""
    found = [place for section in table.values() for place in section.values()]
    own = [*places(Tools.table), *places(LimitCommands.table)] if table is COMMANDS else []
    return [*found, *own]


def test_a_signal_during_the_first_import_is_no_verdict() -> None:
    program = """if True:
        import signal, sys
        from evenkeel_engine.__main__ import main
        sys.meta_path.insert(0, type("", (), {"find_spec": lambda *_: signal.raise_signal(15)}))
        main()"""
    ended = start(sys.executable, "-c", program)
    assert (ended.returncode, ended.stderr) == (2, "evenkeel: stopped.\n")


def test_lines_of_commands_equal_their_docstrings() -> None:
    for place in places():
        module, _, function = place.partition(":")
        found = getattr(import_module(module), function)
        assert str(found.__doc__).splitlines()[0] == line_of(place)
        assert len(line_of(place)) <= 66  # of 80 columns


def complete_words(*words: str, cache: Path) -> tuple[list[str], set[str]]:
    """What the Tab key offers after these words, and what was imported for it."""
    program = (
        "import atexit, json\n"
        "atexit.register(lambda: print(json.dumps(sorted(sys.modules)), file=sys.stderr))\n"
    )
    asked = {
        "XDG_CACHE_HOME": str(cache),
        "_EVENKEEL_COMPLETE": "complete_bash",
        "COMP_WORDS": " ".join(("evenkeel", *words)),
        "COMP_CWORD": str(len(words)),
    }
    ended = start(sys.executable, "-c", program + command(), env={**os.environ, **asked})
    assert ended.returncode == 0, ended.stderr
    return ended.stdout.split(), set(json.loads(ended.stderr.splitlines()[-1]))


def test_the_tab_key_knows_commands_without_importing_one(tmp_path: Path) -> None:
    names, modules = complete_words("sc", cache=tmp_path)
    assert names == ["score"]
    assert modules.isdisjoint((*HEAVY, "evenkeel_engine.kit.catalogue", "evenkeel.models"))
    assert not [name for name in modules if name.endswith("_command")]


def test_the_tab_key_knows_options_and_their_values(tmp_path: Path) -> None:
    assert "--no-last-failures" in complete_words("check", "--no", cache=tmp_path)[0]
    assert complete_words("operate", "simulate", "--picture", "p", cache=tmp_path)[0] == ["png"]


@pytest.mark.parametrize(
    ("words", "names"),
    [
        (("check", "--question", "shedding.tr"), tuple(QUESTIONS)),
        (("explain", "own-4"), tuple(name.lower() for name in spec.read_entries())),
    ],
    ids=["question", "in-small-letters"],
)
def test_the_tab_key_knows_names(
    words: tuple[str, ...], names: tuple[str, ...], tmp_path: Path
) -> None:
    found, _ = complete_words(*words, cache=tmp_path)
    assert len(found) > 1
    assert sorted(found) == sorted(name for name in names if name.startswith(words[-1]))
