"""The installed files are those of the tree; imports go one way only."""

import ast
import os
import shutil
import subprocess
import sys
import tomllib
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from functools import cache
from graphlib import CycleError, TopologicalSorter
from pathlib import Path
from typing import Any, Final

import pytest
from packaging.version import Version

from evenkeel_engine import version
from evenkeel_engine.subjects import schema
from tests.command_line import run
from tests.processes import start

ROOT = Path(__file__).resolve().parents[2]
PROJECT: dict[str, Any] = tomllib.loads((ROOT / "pyproject.toml").read_text())
MAPPED: dict[str, str] = PROJECT["tool"]["setuptools"]["package-dir"]
ROOMS = ["evenkeel_engine", "spec", "reference", "properties", "models", "evenkeel", "operate"]
"""From below: a room imports itself and those before it, but for what `ALLOWED` says."""
ALLOWED = {
    "evenkeel_engine": ("evenkeel_engine",),
    "spec": ("evenkeel.spec",),
    "reference": ("evenkeel.reference", "evenkeel_engine.frame"),
    "properties": ("evenkeel.properties", "evenkeel.reference", "evenkeel_engine"),
    "models": ("evenkeel.models", "evenkeel.properties", "evenkeel.reference", "evenkeel_engine"),
}


def packages_in_tree() -> set[str]:
    found: set[str] = set()
    roots = {**{f"{name}": ROOT / folder for name, folder in MAPPED.items()}}
    roots |= {name: ROOT / name for name in ("evenkeel", "evenkeel_engine")}
    for name, root in roots.items():
        for init in root.rglob("__init__.py"):
            relative = init.parent.relative_to(root)
            if any((root / part).is_symlink() for part in relative.parts[:1]):
                continue
            found.add(".".join([name, *relative.parts]))
    return found


def test_every_package_is_found_and_only_those() -> None:
    command = [sys.executable, "-c", "import setup; print(*setup.packages())"]
    found = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=True).stdout
    assert set(found.split()) == packages_in_tree()


def test_every_folder_with_modules_is_a_package() -> None:
    for name in ROOMS:
        for path in (ROOT / name).rglob("*.py"):
            if "templates" not in path.parts:
                assert (path.parent / "__init__.py").exists(), path


@pytest.mark.slow
def test_wheel_contains_the_schemas(tmp_path: Path) -> None:
    build = ["build", "--build-base", str(tmp_path)]
    command = [sys.executable, "setup.py", "-q", "egg_info", "--egg-base", str(tmp_path), *build]
    subprocess.run(command, cwd=ROOT, check=True)
    record = tmp_path / "lib" / "evenkeel_engine" / "version.txt"
    assert record.read_text().strip() == version.find_version()
    files = (tmp_path / "lib" / "evenkeel" / "schemas").iterdir()
    assert {path.name: path.read_text("utf-8") for path in files} == schema.make_texts()


@pytest.mark.slow
def test_a_source_distribution_knows_its_commit_without_git(tmp_path: Path) -> None:
    command = [sys.executable, "setup.py", "-q", "egg_info", "--egg-base", str(tmp_path)]
    subprocess.run([*command, "sdist", "-d", str(tmp_path)], cwd=ROOT, check=True)
    (archive,) = tmp_path.glob("*.tar.gz")
    assert version.find_version() in archive.name
    subprocess.run(["tar", "-xzf", archive, "-C", tmp_path], check=True)
    (tree,) = tmp_path.glob("evenkeel_spec-*/")
    (tree / ".git").mkdir()  # as in a checkout of someone else
    command = [sys.executable, "setup.py", "--version"]
    done = subprocess.run(command, cwd=tree, capture_output=True, text=True, check=True)
    assert done.stdout.strip() == version.find_version()


def git(folder: Path, *words: str, date: str = "") -> None:
    environment = {**os.environ, "GIT_COMMITTER_DATE": date} if date else None
    whose = ("-c", "user.name=n", "-c", "user.email=e")
    subprocess.run(["git", "-C", folder, *whose, *words], check=True, env=environment)


def test_versions_name_the_commit_and_grow(tmp_path: Path) -> None:
    tree = tmp_path / "tree"
    tree.mkdir()
    assert version.of_tree(tree) == "1.0.0"
    git(tree, "init", "-q")
    (tree / "a").write_text("")
    assert version.of_tree(tree) == "1.0.0"  # no commit yet
    found = []
    for day in (1, 2):
        (tree / "a").write_text(str(day))
        git(tree, "add", "a")
        git(tree, "commit", "-qm", "c", date=f"2026-01-0{day}T01:00:00+02:00")
        found.append(version.of_tree(tree))
    assert [one.partition("+")[0] for one in found] == [
        "1.0.0.post20251231230000",
        "1.0.0.post20260101230000",
    ]
    assert Version("1.0.0") < Version(found[0]) < Version(found[1])
    subprocess.run(
        ["git", "clone", "-q", "--depth=1", f"file://{tree}", tmp_path / "b"], check=True
    )
    assert version.of_tree(tmp_path / "b") == found[1]
    (tree / "a").write_text("changed")
    assert version.of_tree(tree) == f"{found[1]}.dirty"
    below = tree / "below"  # in someone else's repository
    below.mkdir()
    assert version.of_tree(below) == "1.0.0"


def test_an_unknown_commit_is_said_to_be_unknown(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(version, "find_version", lambda: version.BASE)
    assert run("--version").stdout == "evenkeel 1.0.0 (commit unknown)\n"


@pytest.mark.slow
def test_the_engine_is_a_distribution_of_its_own(tmp_path: Path) -> None:
    """Built from its folder alone, it checks its example where nothing else of ours is; and its
    version is that of its commit.
    """
    engine, site = tmp_path / "evenkeel_engine", tmp_path / "site"
    shutil.copytree(ROOT / "evenkeel_engine", engine, ignore=shutil.ignore_patterns("__pycache__"))
    (engine / version.RECORD).write_text("1.0.0.post20260101000000+g0123456789")
    pip = [sys.executable, "-m", "pip", "-q"]
    wheel = [*pip, "wheel", "--no-deps", "--no-build-isolation", "-w", str(tmp_path), str(engine)]
    subprocess.run(wheel, check=True)
    [built] = tmp_path.glob("evenkeel_engine-1.0.0.post20260101000000+g*.whl")
    subprocess.run([*pip, "install", "--no-deps", "--target", str(site), str(built)], check=True)
    of_example = {**os.environ, "EVENKEEL_SPECIFICATION": "evenkeel_engine.example"}
    check = [sys.executable, "-m", "evenkeel_engine", "check", "--format", "json"]
    assert "5 of 5 clauses hold" in start(*check, cwd=site, env=of_example).stdout
    assert sorted(path.name for path in site.iterdir() if "info" not in path.name) == [
        "bin",
        "evenkeel_engine",
    ]


def test_links_lead_to_the_mapped_folders() -> None:
    for name, folder in MAPPED.items():
        link = ROOT / "evenkeel" / name.removeprefix("evenkeel.")
        assert link.is_symlink()
        assert link.resolve() == (ROOT / folder).resolve()


@dataclass(frozen=True, slots=True)
class Facts:
    """What a module imports whenever it is imported, and in all; and the lines of its functions."""

    at_top: frozenset[str]
    imports: frozenset[str]
    functions: tuple[tuple[str, int], ...]


@cache
def facts_of(path: Path) -> Facts:
    """The facts of a module, read once for all tests that look at all modules."""
    tree = ast.parse(path.read_text())
    nodes = list(ast.walk(tree))
    functions = [node for node in nodes if isinstance(node, ast.FunctionDef)]
    return Facts(
        names_imported(tree.body),
        names_imported(nodes),
        tuple((node.name, lines_of(node)) for node in functions),
    )


def names_imported(nodes: Iterable[ast.AST]) -> frozenset[str]:
    names = set[str]()
    for node in nodes:
        if isinstance(node, ast.Import):
            names.update(alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom) and node.module:
            names.update(f"{node.module}.{alias.name}" for alias in node.names)
    return frozenset(names)


def lines_of(node: ast.FunctionDef) -> int:
    """The lines of a function below its docstring."""
    first = node.body[1 if ast.get_docstring(node) and len(node.body) > 1 else 0]
    return (node.end_lineno or 0) - first.lineno + 1


IMPORTS: Final = pytest.mark.xdist_group("imports of all modules")
"""Of tests that look at all modules: so that one process reads each once."""


@IMPORTS
@pytest.mark.parametrize("room", ALLOWED)
def test_imports_go_one_way(room: str) -> None:
    for path in (ROOT / room).rglob("*.py"):
        for name in facts_of(path).imports if "templates" not in path.parts else ():
            if name.startswith("evenkeel"):
                allowed = any(f"{name}.".startswith(f"{one}.") for one in ALLOWED[room])
                assert allowed, f"{path} imports {name}"


def package_of(name: str) -> str:
    """The longest package that a dotted name begins with."""
    parts = name.split(".")
    while len(parts) > 1 and not (ROOT.joinpath(*parts) / "__init__.py").is_file():
        parts.pop()
    return ".".join(parts)


def packages_of(room: str) -> dict[str, set[str]]:
    """Each package of a room, with those of it that its modules import."""
    found = dict[str, set[str]]()
    for path in (ROOT / room).rglob("*.py"):
        own = module_of(path.parent / "__init__.py")
        if own.count(".") > ("evenkeel." in own) and "templates" not in path.parts:
            names = {package_of(name) for name in facts_of(path).imports}
            same = {name for name in names if name.startswith(f"{own.split('.')[0]}.")}
            found.setdefault(own, set()).update(same - {own})
    return found


@IMPORTS
@pytest.mark.parametrize("room", ["evenkeel_engine", "operate"])
def test_packages_of_a_room_import_one_another_in_one_direction(room: str) -> None:
    packages = packages_of(room)
    assert packages
    try:
        TopologicalSorter(packages).prepare()
    except CycleError as error:
        pytest.fail(f"a circle of imports: {' imports '.join(reversed(error.args[1]))}")


@IMPORTS
def test_nothing_but_the_operators_tools_imports_them() -> None:
    """Wherever an import is: at the top, in a function, for types only. The table of commands
    names modules, and imports none.
    """
    assert any("evenkeel.operate" in name for path in sources() for name in facts_of(path).imports)
    for path in sources():
        through = [
            name for name in facts_of(path).imports if f"{name}.".startswith("evenkeel.operate.")
        ]
        assert path.relative_to(ROOT).parts[0] == "operate" or not through, path


def foreign_imports(folders: list[str], *own: str, at_top: bool = False) -> list[str]:
    """What modules below these folders import of neither their own nor the standard library."""
    paths = [path for folder in folders for path in (ROOT / folder).rglob("*.py")]
    assert paths
    return [
        f"{path} imports {name}"
        for path in paths
        for name in (facts_of(path).at_top if at_top else facts_of(path).imports)
        if not f"{name}.".startswith(own) and name.split(".")[0] not in sys.stdlib_module_names
        if path.stem not in ("strategies", "machine") or not at_top
    ]


@IMPORTS
def test_the_reference_examples_and_workers_need_the_standard_library_alone() -> None:
    reference = ["reference", "evenkeel_engine/frame"]
    assert foreign_imports(reference, "evenkeel.reference.", "evenkeel_engine.frame.") == []
    assert foreign_imports(["examples"], "examples.") == []
    rooms = ("kit", "check", "subjects", "mutation", "trial_types")
    workers = [*(f"evenkeel_engine/{name}" for name in rooms), "properties"]
    assert foreign_imports(workers, "evenkeel.", "evenkeel_engine.", at_top=True) == []


def test_the_lock_names_no_host() -> None:
    text = (ROOT / "requirements.lock").read_text()
    assert "://" not in text
    assert "--find-links" not in text
    assert "--hash=sha256:" in text


MOST_LINES: Final = 40
"""Of a function, its signature and docstring left out."""
ONE_EXPRESSION: Final = {
    "evenkeel_engine/campaign/html.py:data_of",
    "models/throttling/overdelivery/steps.py:action_steps",
}
"""These are longer, and mostly one literal, or one call with all options."""


@IMPORTS
def test_functions_stay_readable() -> None:
    for folder in ROOMS:
        for path in (ROOT / folder).rglob("*.py"):
            if "templates" in path.parts:
                continue
            for name, lines in facts_of(path).functions:
                if f"{path.relative_to(ROOT)}:{name}" not in ONE_EXPRESSION:
                    assert lines <= MOST_LINES, f"{path}: {name} has {lines} lines"


@IMPORTS
def test_no_module_imports_itself_by_way_of_others() -> None:
    """Over all rooms, imports inside functions and for types included."""
    graph = dict[str, set[str]]()
    modules = {module_of(path): path for path in sources()}
    for name, path in modules.items():
        imported = {longest(one, modules) for one in facts_of(path).imports}
        graph[name] = {one for one in imported if one} - {name}
    assert "evenkeel_engine.kit.clause" in graph["evenkeel_engine.kit.question"]
    try:
        TopologicalSorter(graph).prepare()
    except CycleError as error:
        pytest.fail(f"a circle of imports: {' imports '.join(reversed(error.args[1]))}")


def sources() -> Iterator[Path]:
    """Every module, once: the links in `evenkeel/` are left out."""
    for folder in ROOMS:
        for path in (ROOT / folder).rglob("*.py"):
            below = path.relative_to(ROOT / folder).parts[0]
            if not (ROOT / folder / below).is_symlink() and "templates" not in path.parts:
                yield path


def module_of(path: Path) -> str:
    """The dotted name by which a module is imported."""
    parts = path.relative_to(ROOT).with_suffix("").parts
    inside = parts if parts[0].startswith("evenkeel") else ("evenkeel", *parts)
    return ".".join(inside[:-1] if inside[-1] == "__init__" else inside)


def longest(name: str, modules: Mapping[str, Path]) -> str:
    """The module that a dotted name begins with; empty if there is none."""
    while name and name not in modules:
        name = name.rpartition(".")[0]
    return name


def test_types_are_shipped() -> None:
    assert "py.typed" in PROJECT["tool"]["setuptools"]["package-data"]["evenkeel"]
    assert (ROOT / "evenkeel" / "py.typed").read_text() == ""
