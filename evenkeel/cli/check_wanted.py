"""How a check is run and shown: what its options come to."""

from __future__ import annotations

import re
from dataclasses import dataclass
from pathlib import Path
from typing import Final

import typer

from evenkeel.cli.options import Unusable
from evenkeel.reference.edition import Edition

SCREENS: Final = 3
"""Failures that are drawn; of more than these there is a line each, unless in full."""
SHRUNK: Final = 10
"""Failures that are shrunk where what is found is kept: in files, reports, annotations, JSON. Else
only those that are drawn are.
"""
SUSPECTS: Final = 30
"""Failures of which it is asked whether they come of state between trials."""
FOLDER: Final = Path("evenkeel-failures")
"""Where trials are kept if a report names them and nobody names a folder: inside the project, so
that the report's places are relative and CI can keep the files.
"""
UNITS: Final = {"s": 1, "m": 60, "h": 3600}


def duration(text: str) -> float:
    """Seconds of a text such as 90s, 2m, 1h. Raises `Unusable`."""
    if (match := re.fullmatch(r"(\d{1,6}(?:\.\d{1,3})?)([smh]?)", str(text).strip())) is None:
        raise Unusable(f"--for: {text} is no duration such as 90s, 2m or 1h.")
    return float(match[1]) * UNITS[match[2] or "s"]


def instead_of_profile(context: typer.Context, time: str | None) -> str | None:
    """The time, unless only the configuration names one and a profile is typed. Raises `Unusable`
    for both from one place: they are two ways to say how much is done.
    """
    profile = str(context.get_parameter_source("profile"))
    of_time = str(context.get_parameter_source("for_"))
    if time is None or profile.endswith(".DEFAULT"):
        return time
    if profile == of_time:
        raise Unusable("--for does as many trials as fit, --profile so many: give one of them.")
    return time if of_time.endswith(".COMMANDLINE") else None


@dataclass(frozen=True, slots=True)
class Wanted:
    """How a check is run and shown, beside what is asked."""

    subject: str
    edition: Edition
    seed: int
    only: list[str]
    seconds: float | None
    stop_at_first: bool
    full: bool
    quiet: bool
    text: bool
    save: Path | None
    strict: bool = False
    last_failures: bool = True
    reported: bool = False

    @property
    def folder(self) -> Path | None:
        """Where the trials of failures are kept; None: the cache."""
        return self.save or (FOLDER if self.reported else None)

    @property
    def screens(self) -> int | None:
        """So many failures are drawn; None: all."""
        return None if self.full else SCREENS

    @property
    def shrunk(self) -> int | None:
        """So many failures are shrunk; None: all."""
        if self.stop_at_first:
            return 1
        kept = self.save is not None or self.reported or not self.text
        return max(SHRUNK, SCREENS) if kept and not self.full else self.screens
