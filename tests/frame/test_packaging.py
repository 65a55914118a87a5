"""What is installed is what stands in the tree; imports go one way only."""

import ast
import subprocess
import sys
import tomllib
from graphlib import CycleError, TopologicalSorter
from pathlib import Path
from typing import Any

import pytest

ROOT = Path(__file__).resolve().parents[2]
PROJECT: dict[str, Any] = tomllib.loads((ROOT / "pyproject.toml").read_text())
MAPPED: dict[str, str] = PROJECT["tool"]["setuptools"]["package-dir"]
FLOORS = ["reference", "properties", "models"]

ALLOWED = {
    "reference": {"reference"},
    "spec": {"spec"},
    "properties": {"reference", "spec", "properties"},
    "models": {"reference", "spec", "properties", "models"},
}


def folder_of(package: str) -> Path:
    for name, folder in MAPPED.items():
        if package == name or package.startswith(f"{name}."):
            return ROOT / folder / Path(*package[len(name) + 1 :].split("."))
    return ROOT / Path(*package.split("."))


def packages_in_tree() -> set[str]:
    found: set[str] = set()
    roots = {**{f"{name}": ROOT / folder for name, folder in MAPPED.items()}}
    roots["evenkeel"] = ROOT / "evenkeel"
    for name, root in roots.items():
        for init in root.rglob("__init__.py"):
            relative = init.parent.relative_to(root)
            if any((root / part).is_symlink() for part in relative.parts[:1]):
                continue
            found.add(".".join([name, *relative.parts]))
    return found


def test_every_package_is_found_and_only_those() -> None:
    code = "import setuptools; setuptools.setup = lambda packages: print(*packages); import setup"
    command = [sys.executable, "-c", code]
    found = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=True).stdout
    assert set(found.split()) == packages_in_tree()


def test_links_lead_to_the_mapped_folders() -> None:
    for name, folder in MAPPED.items():
        link = ROOT / "evenkeel" / name.removeprefix("evenkeel.")
        assert link.is_symlink()
        assert link.resolve() == (ROOT / folder).resolve()


def imports_of(path: Path) -> set[str]:
    names: set[str] = set()
    for node in ast.walk(ast.parse(path.read_text())):
        if isinstance(node, ast.Import):
            names.update(alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom) and node.module:
            names.update(f"{node.module}.{alias.name}" for alias in node.names)
    return names


@pytest.mark.parametrize("floor", ALLOWED)
def test_imports_go_one_way(floor: str) -> None:
    for path in (ROOT / floor).rglob("*.py"):
        for name in imports_of(path):
            if name.startswith("evenkeel."):
                assert name.split(".")[1] in ALLOWED[floor], f"{path} imports {name}"


WRITE_PAGES = {"subjects/document.py", "subjects/bounds.py"}
"""Run by themselves, to write pages and schemas: they make trials as the drivers do."""


def packages_of_the_harness() -> dict[str, set[str]]:
    """Each package of `evenkeel/` that is no floor, with those that its modules import."""
    root, found = ROOT / "evenkeel", dict[str, set[str]]()
    for path in root.glob("*/**/*.py"):
        place = path.relative_to(root)
        written_out = "sdk" in place.parts  # its templates are no Python yet
        linked = (root / place.parts[0]).is_symlink()
        if written_out or linked or place.as_posix() in WRITE_PAGES:
            continue
        names = {name.split(".")[1] for name in imports_of(path) if name.startswith("evenkeel.")}
        found.setdefault(place.parts[0], set()).update(names - {place.parts[0]})
    return found


def test_packages_of_the_harness_import_one_another_in_one_direction() -> None:
    packages = packages_of_the_harness()
    assert "recording" in packages["operating"]
    try:
        TopologicalSorter(packages).prepare()
    except CycleError as error:
        pytest.fail(f"a circle of imports: {' imports '.join(reversed(error.args[1]))}")


def test_the_reference_needs_the_standard_library_alone() -> None:
    for path in (ROOT / "reference").rglob("*.py"):
        for name in imports_of(path):
            top = name.split(".")[0]
            assert top == "evenkeel" or top in sys.stdlib_module_names, f"{path} imports {name}"


def test_workers_need_no_library() -> None:
    folders = [ROOT / "properties", ROOT / "evenkeel" / "drivers", ROOT / "evenkeel" / "subjects"]
    for folder in folders:
        for path in folder.rglob("*.py"):
            if path.stem == "hypothesis_draw" or path.stem.partition("_")[0] == "machine":
                continue
            for node in ast.parse(path.read_text()).body:
                for name in imports_of_node(node):
                    top = name.split(".")[0]
                    assert top == "evenkeel" or top in sys.stdlib_module_names, f"{path}: {name}"


def imports_of_node(node: ast.stmt) -> set[str]:
    if isinstance(node, ast.Import):
        return {alias.name for alias in node.names}
    if isinstance(node, ast.ImportFrom) and node.module:
        return {node.module}
    return set()


def test_the_lock_names_no_host() -> None:
    text = (ROOT / "requirements.lock").read_text()
    assert "://" not in text
    assert "--find-links" not in text
    assert "--hash=sha256:" in text


def test_files_stay_readable() -> None:
    for folder in ["reference", "properties", "models", "evenkeel", "spec"]:
        for path in (ROOT / folder).rglob("*.py"):
            assert len(path.read_text().splitlines()) <= 400, path


def test_types_are_shipped() -> None:
    assert "py.typed" in PROJECT["tool"]["setuptools"]["package-data"]["evenkeel"]
    assert (ROOT / "evenkeel" / "py.typed").read_text() == ""
