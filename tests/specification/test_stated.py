"""Functions of the reference name the clauses that they state, and the right ones."""

import ast
import re
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

from evenkeel_engine import spec
from evenkeel_engine.content import UNSTATED
from evenkeel_engine.kit import stated
from evenkeel_engine.kit.catalogue import STATED_BY

REFERENCE = Path(__file__).parents[2] / "reference"
PREFIXES = sorted({id_[:3] for id_ in spec.read_entries()})
ID = re.compile(rf"\b(?:{'|'.join(PREFIXES)})-\d+\b")
OF_ANOTHER_CHAPTER = {("load/namespaces.py", "PLC-29")}
"""Files that name a clause of another chapter, and rightly so."""
FILES = sorted(REFERENCE.rglob("*.py"))


def list_named() -> Iterator[tuple[str, str]]:
    for path in FILES:
        for id_ in ID.findall(path.read_text("utf-8")):
            yield path.relative_to(REFERENCE).as_posix(), id_


def test_every_id_in_the_reference_is_one_of_its_chapter() -> None:
    elsewhere = set()
    for path, id_ in set(list_named()):
        if path == "clauses.py":
            continue
        if spec.find_clause(id_).chapter != path.partition("/")[0]:
            elsewhere.add((path, id_))
    assert elsewhere == OF_ANOTHER_CHAPTER


def test_ids_of_functions_stand_in_decorators_alone() -> None:
    for path in FILES:
        for node in ast.walk(ast.parse(path.read_text("utf-8"))):
            if isinstance(node, ast.FunctionDef):
                assert not ID.search(ast.get_docstring(node) or ""), f"{path}: {node.name}"


def test_every_binding_clause_names_a_function_that_states_it() -> None:
    musts = {id_ for id_, e in spec.read_entries().items() if e.level is not spec.Level.NOTE}
    assert musts - set(STATED_BY) == set(UNSTATED)


def test_a_function_is_named_by_its_file_and_its_name() -> None:
    of = STATED_BY["SHD-85"]
    assert stated.StatedFunction("reference/shedding/threshold.py", "share_to_shed") in of
    for functions in STATED_BY.values():
        for function in functions:
            assert (REFERENCE.parent / function.path).is_file(), function
            assert f"def {function.name.rpartition('.')[2]}(" in (
                REFERENCE.parent / function.path
            ).read_text("utf-8")


def test_an_unknown_id_fails_whatever_question_is_judged() -> None:
    program = (
        "from evenkeel_engine.frame.clauses import states\n"
        "@states('SHD-999')\n"
        "def sheds(): pass\n"
        "from evenkeel_engine.kit.catalogue import clauses_for\n"
        "from evenkeel.reference.edition import DOCUMENTED\n"
        "clauses_for('bundles.range', DOCUMENTED)\n"
    )
    ended = subprocess.run(
        [sys.executable, "-c", program], capture_output=True, text=True, check=False
    )
    assert ended.returncode == 1
    assert "UnknownClause: __main__:sheds states SHD-999," in ended.stderr
