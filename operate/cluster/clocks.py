"""Clocks that can be stepped: a library of ours, loaded before a broker's own, adds to the time of
day what a file says. What lasts (CLOCK_MONOTONIC) is left alone, as by a real step.

The library is compiled when it is first needed. A wait until a time of day is not moved.
"""

from __future__ import annotations

import shutil
import struct
import subprocess
from pathlib import Path
from typing import Final

from evenkeel.operate.cluster.errors import ClusterUnusable

LIBRARY: Final = "clocks.so"
SOURCE: Final = Path(__file__).with_name("clocks.c")


def build_library(folder: Path) -> Path:
    """The library, in this folder. Raises `ClusterUnusable`."""
    library = folder / LIBRARY
    if library.is_file():
        return library
    compiler = shutil.which("cc") or shutil.which("gcc") or shutil.which("clang")
    if compiler is None:
        raise ClusterUnusable("Stepping clocks needs a C compiler, and there is no cc.")
    command = [compiler, "-shared", "-fPIC", "-O1", "-o", str(library), str(SOURCE), "-ldl"]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    if done.returncode:
        raise ClusterUnusable(f"{compiler} cannot build what steps clocks: {done.stderr[:300]}")
    return library


def place_of(folder: Path, name: str) -> Path:
    """The file that says by how much a server's clock is stepped."""
    return folder / f"{name}.clock"


def step(folder: Path, name: str, seconds: int) -> None:
    """From now on the clock is so much ahead, or behind."""
    with place_of(folder, name).open("r+b") as file:
        file.write(struct.pack("=q", seconds))


def make_clock_environment(folder: Path, name: str) -> dict[str, str]:
    """Of a server whose clock can be stepped. Raises `ClusterUnusable`."""
    if not (place := place_of(folder, name)).is_file():
        place.write_bytes(struct.pack("=q", 0))
    return {"LD_PRELOAD": str(build_library(folder)), "EVENKEEL_CLOCK": str(place)}
