"""Which packages there are (every folder with an `__init__.py`, so none is listed by hand), and
what a wheel holds and the tree does not: JSON schemas, and the version, which names the commit.

The rest of the metadata is in pyproject.toml.
"""

import os
import subprocess
import sys
from importlib.util import module_from_spec, spec_from_file_location
from pathlib import Path

from setuptools import setup
from setuptools.command.build_py import build_py
from setuptools.command.sdist import sdist

ROOT = Path(__file__).resolve().parent
FLOORS = {
    "evenkeel": "evenkeel",
    "evenkeel_engine": "evenkeel_engine",
    "evenkeel.models": "models",
    "evenkeel.operate": "operate",
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


def version() -> str:
    """What evenkeel_engine/version.py says of this tree; the package cannot be imported here."""
    spec = spec_from_file_location("version", ROOT / "evenkeel_engine" / "version.py")
    assert spec is not None
    assert spec.loader is not None
    module = module_from_spec(spec)
    spec.loader.exec_module(module)
    found: str = module.of_tree(ROOT)
    return found


VERSION = version()
"""Before the build writes anything, so that it does not count as a change."""


def record(folder: Path) -> None:
    """Write the version into the package that is in this folder."""
    (folder / "evenkeel_engine" / "version.txt").write_text(f"{VERSION}\n", "utf-8")


class RecordedSdist(sdist):
    """A source distribution with its version in it: there is no git where it is built."""

    def make_release_tree(self, base_dir: str, files: list[str]) -> None:
        """As inherited, and the version after it."""
        super().make_release_tree(base_dir, files)
        record(Path(base_dir))


class BuildWithSchemas(build_py):
    """Builds the packages, and writes evenkeel/schemas/ by the code that was built.

    An editable installation makes schemas in memory alone, and asks git for its version.
    """

    def run(self) -> None:
        """As inherited, and the version and the schemas after it."""
        super().run()
        if self.editable_mode:
            return
        built = Path(self.build_lib).resolve()
        record(built)
        command = [sys.executable, "-m", "evenkeel_engine.subjects.schema", "evenkeel/schemas"]
        environment = {**os.environ, "PYTHONPATH": str(built), "PYTHONDONTWRITEBYTECODE": "1"}
        subprocess.run(command, cwd=built, env=environment, check=True)


if __name__ == "__main__":
    setup(
        version=VERSION,
        packages=packages(),
        cmdclass={"build_py": BuildWithSchemas, "sdist": RecordedSdist},
    )
