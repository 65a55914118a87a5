"""Which evenkeel this is: the version, the time of its commit, its commit, what was changed since.

`1.0.0.post20260131120000+g1a2b3c4` is newer for pip than what was committed before, `.dirty` at its
end says that files were changed since. A build records it in `version.txt`; a checkout asks git.
setup.py loads this file by its path, so it imports nothing of ours.
"""

from __future__ import annotations

import os
import subprocess
from contextlib import suppress
from functools import cache
from importlib.metadata import PackageNotFoundError, distribution
from importlib.resources import files
from pathlib import Path
from typing import Final

BASE: Final = "1.0.0"
RECORD: Final = "version.txt"
"""In this package: the version of the checkout that it was built from."""


@cache
def find_version() -> str:
    """The version that runs: of the commit, else of the engine alone, else `BASE`."""
    record = files("evenkeel_engine").joinpath(RECORD)
    if record.is_file():
        return record.read_text("utf-8").strip()
    of_commit = of_checkout(Path(__file__).resolve().parents[1])
    with suppress(PackageNotFoundError):
        return of_commit or distribution("evenkeel-engine").version
    return BASE


def format_version() -> str:
    """The same for a reader."""
    return find_version() if find_version() != BASE else f"{BASE} (commit unknown)"


def of_tree(root: Path) -> str:
    """The version of a tree that is built: a source distribution has a record, and no git."""
    record = root / "evenkeel_engine" / RECORD
    if record.is_file():
        return record.read_text("utf-8").strip()
    return of_checkout(root) or BASE


def of_checkout(root: Path) -> str:
    """The version that git tells; nothing where this folder is no checkout's, or there is no git.

    It has the time of the commit, in UTC: a shallow clone does not have their number.
    """
    if not (root / ".git").exists():
        return ""
    date = "--date=format-local:%Y%m%d%H%M%S"
    shown = run_git(root, "log", "-1", "--format=%cd %h", "--abbrev=10", date)
    changed = run_git(root, "status", "--porcelain")
    if not shown or changed is None:
        return ""
    time, commit = shown.split()
    return f"{BASE}.post{time}+g{commit}{'.dirty' if changed else ''}"


def run_git(root: Path, *words: str) -> str | None:
    """What git prints; None where it fails. Variables that name another repository do not count."""
    environment = {name: value for name, value in os.environ.items() if not name.startswith("GIT_")}
    environment |= {"TZ": "UTC", "GIT_OPTIONAL_LOCKS": "0"}
    try:
        done = subprocess.run(
            ["git", "-C", str(root), *words],
            env=environment,
            capture_output=True,
            text=True,
            timeout=10,
            check=True,
        )
    except (OSError, subprocess.SubprocessError, UnicodeDecodeError):
        return None
    return done.stdout.strip()
