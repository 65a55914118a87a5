"""The specification that is checked: all that the engine knows of it.

The variable `EVENKEEL_SPECIFICATION` names its package; without it, it is the installed one. It has
the packages `spec`, `reference`, `properties`, `models` and `counterexamples`, and a module
`specification` if something that `DEFAULTS` lists is not so. A process has one specification.
"""

import os
from importlib import import_module
from importlib.util import find_spec
from types import SimpleNamespace
from typing import Any, Final, TypeAlias

from evenkeel_engine.frame.edition import describe_switches

Edition: TypeAlias = Any
"""An edition of the specification (`frame.edition.Edition`), whose switches its own code knows."""
VARIABLE = "EVENKEEL_SPECIFICATION"


def find_package() -> str:
    """The package of the specification. Raises `ImportError` if none is named or installed."""
    if found := os.environ.get(VARIABLE):
        return found
    from importlib.metadata import entry_points  # noqa: PLC0415 - slow, and seldom needed

    for installed in entry_points(group="evenkeel.specification"):
        return installed.value
    raise ImportError(f"set {VARIABLE} to the package of the specification to be checked")


PACKAGE = find_package()
os.environ[VARIABLE] = PACKAGE  # for child processes


DEFAULTS: Final[dict[str, Any]] = {
    # What one types to call its command line.
    "PROGRAM": "python -m evenkeel_engine",
    # Whose releases the editions model, and the adapter that asks them: `ADAPTER 4.0.8` answered.
    "SYSTEM": "the release",
    "ADAPTER": "",
    # MUST clauses that no function of the reference states, and why.
    "UNSTATED": {},
    # How much a defect matters, the worst first.
    "SEVERITIES": ("major", "minor"),
    # What the breach of a SHOULD can do to users, where that is grave.
    "EFFECTS": (),
    # Kinds of long names in trials (`kit.names`).
    "NAME_KINDS": (),
    # What begins that part of a name which numbers the parts of one thing.
    "PART": "",
    # By type: the fields of generated trials that can be beyond 2^53.
    "LONG": {},
    # Commands by section of `--help`, and sweeps, of this specification alone.
    "COMMANDS": {},
    "SWEEPS": (),
    # By question: what makes the text of a file of JSON that needs nothing of this, as
    # `module:function`. `cases export` writes it as QUESTION.json.
    "PORTABLE": {},
    # A package with files of adapters by language that replace those of `sdk/templates`.
    "TEMPLATES": "",
    # Modules that come with an extra, and what that brings (`extras`).
    "EXTRAS": {},
    "LIBRARIES": {},
    # What gives the defaults of settings by edition, as `module:function`.
    "SETTINGS": "",
    # The module that `prove --drawings` calls, and what it writes.
    "DRAWINGS": "",
    "PICTURED": "pictures",
}
"""What a specification need not say."""


def name(room: str) -> str:
    """The full name of a module of the specification."""
    return f"{PACKAGE}.{room}"


ABOUT = (import_module(PACKAGE).__doc__ or "").partition("\n\n")[0].strip()
chapters = import_module(name("spec"))
reference = import_module(name("reference"))
_own = vars(import_module(name("specification"))) if find_spec(name("specification")) else {}
facts = SimpleNamespace(**{**DEFAULTS, **_own})
PROGRAM, UNSTATED = facts.PROGRAM, facts.UNSTATED
SEVERITIES, EFFECTS = facts.SEVERITIES, facts.EFFECTS
SYSTEM, ADAPTER, TEMPLATES = facts.SYSTEM, facts.ADAPTER, facts.TEMPLATES
NAME_KINDS, PART = facts.NAME_KINDS, facts.PART
_editions = import_module(name("reference.edition"))
EDITIONS, LINES = _editions.EDITIONS, _editions.LINES
BASE_EDITIONS = {one.name: one for one in EDITIONS.values() if one.parent is None}
PROMISED = next(one for one in BASE_EDITIONS.values() if not LINES[one.name].release)
RELEASED = next((one for one in BASE_EDITIONS.values() if LINES[one.name].release), PROMISED)


def list_lineage(edition: str) -> tuple[str, ...]:
    """An edition and its parents, the nearest first: it has all of their clauses."""
    parent = EDITIONS[edition].parent if edition in EDITIONS else None
    return (edition,) if parent is None else (edition, *list_lineage(parent))


def list_switches() -> dict[str, tuple[str, str]]:
    """Every switch: its sentence and its source."""
    return describe_switches(type(PROMISED))
