"""The lines of Apache Pulsar that the adapter in a checkout has, and where each is built."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Final

ADAPTER: Final = Path(__file__).resolve().parents[2] / "adapters" / "apache-pulsar"
"""Where it is in a checkout; an installation has none."""
_DEFAULT: Final = re.compile(r"<pulsar>(.+)</pulsar>")
_OTHER: Final = re.compile(r"<name>pulsar</name><value>(.+)</value>")


def lines(adapter: Path = ADAPTER) -> tuple[str, ...]:
    """Pulsar's versions, the default first, as the adapter's pom.xml pins them."""
    pom = (adapter / "pom.xml").read_text(encoding="utf-8")
    return (*_DEFAULT.findall(pom), *_OTHER.findall(pom))


def version_key(version: str) -> tuple[tuple[int, ...], bool, str]:
    """How versions are ordered: a milestone (5.0.0-M1) before what it precedes."""
    numbers, _, milestone = version.partition("-")
    return tuple(int(part) for part in numbers.split(".")), not milestone, milestone


def folder(adapter: Path = ADAPTER, version: str | None = None) -> Path:
    """Where this line is built, the default if None: a jar, and what it needs in lib/."""
    return adapter / "target" / (version or lines(adapter)[0])


def is_built(adapter: Path = ADAPTER, version: str | None = None) -> bool:
    """Whether there is what the adapter's `run` starts; not where there is no adapter."""
    if not (adapter / "pom.xml").exists():
        return False
    built = folder(adapter, version)
    return (built / "evenkeel-apache-pulsar-1.jar").exists() and (built / "lib").is_dir()
