"""Commands as a user calls them, run in this process.

Tests of signals, pipes and memory limits start processes of their own.
"""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import chdir, contextmanager, redirect_stderr, redirect_stdout
from dataclasses import dataclass
from io import StringIO
from pathlib import Path

from evenkeel_engine.cli.main import status_of

ROOT = Path(__file__).resolve().parents[1]


@dataclass(frozen=True, slots=True)
class Done:
    """How a command ended."""

    returncode: int
    stdout: str
    stderr: str


def run(*words: str, folder: Path = ROOT, cache: Path | None = None) -> Done:
    """What `evenkeel WORDS` prints in a folder, and its exit status; failures are in `cache`."""
    out, err = StringIO(), StringIO()
    with redirect_stdout(out), redirect_stderr(err), chdir(folder), cached_in(cache):
        status = status_of(list(words))
    done = Done(status, out.getvalue(), err.getvalue())
    assert "Traceback" not in done.stdout + done.stderr
    assert "This is a defect of evenkeel" not in done.stderr, done.stderr
    return done


@contextmanager
def cached_in(folder: Path | None) -> Iterator[None]:
    """Has commands use this folder in place of the user's cache."""
    before = os.environ.get("XDG_CACHE_HOME")
    if folder is not None:
        os.environ["XDG_CACHE_HOME"] = str(folder)
    try:
        yield
    finally:
        if folder is not None and before is None:
            del os.environ["XDG_CACHE_HOME"]
        elif before is not None:
            os.environ["XDG_CACHE_HOME"] = before
