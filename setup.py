"""Which packages there are (every folder with an `__init__.py`, so none is listed by hand), and the
JSON schemas, which a wheel holds and the tree does not.

The rest of the metadata is in pyproject.toml.
"""

import os
import subprocess
import sys
from pathlib import Path

from setuptools import setup
from setuptools.command.build_py import build_py

ROOT = Path(__file__).parent
FLOORS = {
    "evenkeel": "evenkeel",
    "evenkeel.models": "models",
    "evenkeel.properties": "properties",
    "evenkeel.reference": "reference",
}
DATA = ["evenkeel.counterexamples", "evenkeel.spec"]


def packages() -> list[str]:
    """The names of all packages; the links in evenkeel/ are not followed."""
    found = set(DATA)
    for name, folder in FLOORS.items():
        for init in (ROOT / folder).rglob("__init__.py"):
            below = init.parent.relative_to(ROOT / folder).parts
            if not (below and (ROOT / folder / below[0]).is_symlink()):
                found.add(".".join([name, *below]))
    return sorted(found)


class BuildWithSchemas(build_py):
    """Builds the packages, and writes evenkeel/schemas/ by the code that was built.

    An editable installation makes schemas in memory alone.
    """

    def run(self) -> None:
        """As inherited, and the schemas after it."""
        super().run()
        if self.editable_mode:
            return
        built = Path(self.build_lib).resolve()
        command = [sys.executable, "-m", "evenkeel.harness.subjects.schema", "evenkeel/schemas"]
        environment = {**os.environ, "PYTHONPATH": str(built), "PYTHONDONTWRITEBYTECODE": "1"}
        subprocess.run(command, cwd=built, env=environment, check=True)


if __name__ == "__main__":
    setup(packages=packages(), cmdclass={"build_py": BuildWithSchemas})
