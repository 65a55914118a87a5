"""The specification that is checked: all that the engine knows of it.

The variable `EVENKEEL_SPECIFICATION` names its package; without it, it is the installed one. It has
the packages `spec`, `reference`, `properties`, `models` and `counterexamples`, and says in
`specification` what stands in none of them. A process has one specification.
"""

import os
from importlib import import_module
from importlib.metadata import entry_points
from typing import Any, TypeAlias

Edition: TypeAlias = Any
"""An edition of the specification (`frame.edition.Edition`), whose switches its own code knows."""
VARIABLE = "EVENKEEL_SPECIFICATION"
_installed = (one.value for one in entry_points(group="evenkeel.specification"))
PACKAGE = os.environ.get(VARIABLE) or next(_installed, "")
if not PACKAGE:
    raise ImportError(f"set {VARIABLE} to the package of the specification to be checked")
os.environ[VARIABLE] = PACKAGE  # for child processes


def name(room: str) -> str:
    """The full name of a module of the specification."""
    return f"{PACKAGE}.{room}"


chapters = import_module(name("spec"))
reference = import_module(name("reference"))
facts = import_module(name("specification"))
UNSTATED, SEVERITIES = facts.UNSTATED, facts.SEVERITIES
NAME_KINDS, PART = facts.NAME_KINDS, facts.PART
_editions = import_module(name("reference.edition"))
EDITIONS, BASE_EDITIONS, LINES = _editions.EDITIONS, _editions.BASE_EDITIONS, _editions.LINES
lineage, switches = _editions.lineage, _editions.switches
PROMISED = next(one for one in BASE_EDITIONS.values() if not LINES[one.name].release)
RELEASED = next((one for one in BASE_EDITIONS.values() if LINES[one.name].release), PROMISED)
