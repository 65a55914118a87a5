"""Which packages there are: every folder with an `__init__.py`, so none is listed by hand.

All else stands in pyproject.toml.
"""

from pathlib import Path

from setuptools import setup

ROOT = Path(__file__).parent
FLOORS = {
    "evenkeel": "evenkeel",
    "evenkeel.models": "models",
    "evenkeel.properties": "properties",
    "evenkeel.reference": "reference",
}
DATA = ["evenkeel.counterexamples", "evenkeel.recorded", "evenkeel.spec"]


def packages() -> list[str]:
    """The names of all packages; the links in evenkeel/ are not followed."""
    found = set(DATA)
    for name, folder in FLOORS.items():
        for init in (ROOT / folder).rglob("__init__.py"):
            below = init.parent.relative_to(ROOT / folder).parts
            if not (below and (ROOT / folder / below[0]).is_symlink()):
                found.add(".".join([name, *below]))
    return sorted(found)


setup(packages=packages())
