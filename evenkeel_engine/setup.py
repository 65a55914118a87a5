"""What the distribution evenkeel-engine has: this folder and all below it; and its version."""

from pathlib import Path
from runpy import run_path

from setuptools import find_packages, setup

NAME = "evenkeel_engine"
HERE = Path(__file__).resolve().parent

if __name__ == "__main__":
    version = run_path(str(HERE / "version.py"))["of_tree"](HERE.parent)
    setup(version=version, packages=[NAME, *(f"{NAME}.{below}" for below in find_packages())])
