"""What comes with an extra only, so that a plain `check` needs little."""

from __future__ import annotations

import shlex
import tomllib
from collections.abc import Sequence
from importlib.util import find_spec
from pathlib import Path
from typing import Final

from evenkeel_engine import content
from evenkeel_engine.errors import UserError

_TABLES: Final = tomllib.loads(Path(__file__).with_suffix(".toml").read_text("utf-8"))
EXTRAS: Final[dict[str, str]] = {**_TABLES["modules"], **content.facts.EXTRAS}
LIBRARIES: Final[dict[str, Sequence[str]]] = {**_TABLES["libraries"], **content.facts.LIBRARIES}


def explain_missing(module: str | None, command: str = "") -> str | None:
    """What to do where a module is missing, for a campaign all of spark; None: no extra has it."""
    if (top := (module or "").partition(".")[0]) not in EXTRAS:
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
