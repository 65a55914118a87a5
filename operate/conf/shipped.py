"""Which settings each release of Pulsar has, and their defaults: shipped.toml.

`python -m evenkeel.operate.conf.shipped RELEASE CLASSPATH` writes a release into it: what its
`ServiceConfiguration` has when nothing is set (adapters/apache-pulsar/Defaults.java).
"""

from __future__ import annotations

import re
import subprocess
import sys
import tomllib
from collections.abc import Iterable, Iterator, Mapping
from functools import cache
from pathlib import Path
from typing import Final, Literal

from evenkeel.reference.edition import LINES
from evenkeel.releases.adapter import version_key
from evenkeel_engine.content import list_lineage
from evenkeel_engine.files import write_file

TABLE: Final = Path(__file__).with_name("shipped.toml")
PROGRAM: Final = Path(__file__).resolve().parents[2] / "adapters/apache-pulsar/Defaults.java"
HEAD: Final = """\
# The settings of balancing and of dispatch, and their defaults: of each the first release that has
# a value, of those that were looked at; false if it is no setting any more.
# Source: the class ServiceConfiguration (pulsar-broker-common) of each release, not broker.conf.
# Written by: python -m evenkeel.operate.conf.shipped RELEASE CLASSPATH
"""

Values = Mapping[str, str]
Since = dict[str, str | Literal[False]]


def is_release(text: str) -> bool:
    """Whether a text names a release."""
    return re.fullmatch(r"\d+(\.\d+){1,2}(-\w+)?", text) is not None


@cache
def read_since_table() -> dict[str, Since]:
    """By setting: its defaults, by the first release that has them."""
    found: dict[str, dict[str, Since]] = tomllib.loads(TABLE.read_text("utf-8"))
    return found["defaults"]


def list_defaults() -> dict[str, dict[str, str | None]]:
    """By setting: its defaults by the first edition that has each; None: it is gone by then."""
    editions = {line.release: line.name for line in LINES.values()}
    return {
        key: {editions[at]: None if value is False else value for at, value in since.items()}
        for key, since in read_since_table().items()
    }


@cache
def list_releases() -> tuple[str, ...]:
    """The releases that were looked at, the oldest first."""
    found: list[str] = tomllib.loads(TABLE.read_text("utf-8"))["releases"]
    return tuple(sorted(found, key=version_key))


def find_nearest(release: str, known: Iterable[str]) -> str:
    """The newest of the known releases that is not newer, or else the oldest."""
    older = up_to(release, known)
    return older[-1] if older else min(known, key=version_key)


def up_to(release: str, known: Iterable[str]) -> list[str]:
    """The known releases that are not newer, the oldest first."""
    last = version_key(release)
    return sorted((one for one in known if version_key(one) <= last), key=version_key)


@cache
def read_defaults(release: str) -> Values:
    """The settings of a release with their defaults, by Pulsar's names."""
    at = find_nearest(release, list_releases())
    found = {key: value_at(since, at) for key, since in read_since_table().items()}
    return {key: value for key, value in found.items() if value is not False}


def value_at(since: Since, release: str) -> str | Literal[False]:
    """A setting's default in a release; False if it has no such setting."""
    older = up_to(release, since)
    return since[older[-1]] if older else False


def edition_of(release: str) -> str:
    """The name of the edition that is nearest to a release."""
    known = {line.release: name for name, line in LINES.items() if line.release}
    return known[find_nearest(release, known)]


def path_between(one: str, other: str) -> tuple[str, ...]:
    """The editions whose changes lie between two of them."""
    ours, theirs = list_lineage(one), list_lineage(other)
    return tuple(name for name in (*ours, *theirs) if (name in ours) != (name in theirs))


# ------------------------------------------------------------------------------ writing it


def print_class_defaults(classpath: str) -> dict[str, str]:
    """The defaults of the class on this path of Java's."""
    command = ["java", "-cp", classpath, str(PROGRAM)]
    run = subprocess.run(command, check=True, stdout=subprocess.PIPE, text=True)
    shown = run.stdout.replace("=Optional.empty\n", "=\n")
    pairs = (line.split("=", 1) for line in shown.splitlines())
    return {key: text.strip("[]").replace(", ", ",") for key, text in pairs}


def render_table(by_release: Mapping[str, Values]) -> str:
    """The file, of the settings of each release."""
    ordered = sorted(by_release, key=version_key)
    lines = [f"{HEAD}\nreleases = [{', '.join(quote_texts(ordered))}]\n\n[defaults]"]
    for key in sorted({key for values in by_release.values() for key in values}):
        cells = ", ".join(changes_of([(one, by_release[one].get(key)) for one in ordered]))
        lines.append(f"{key} = {{ {cells} }}")
    return "\n".join(lines) + "\n"


def changes_of(values: Iterable[tuple[str, str | None]]) -> Iterator[str]:
    """The releases in which a value is another one than before."""
    before = None
    for release, value in values:
        if value != before:
            (name,) = quote_texts([release])
            yield f"{name} = {'false' if value is None else next(quote_texts([value]))}"
        before = value


def quote_texts(texts: Iterable[str]) -> Iterator[str]:
    """As TOML has them: defaults hold no quotation mark and no backslash."""
    return (f'"{one}"' for one in texts)


def main(release: str, classpath: str) -> None:
    """Write one release into the file."""
    others = {one: read_defaults(one) for one in (list_releases() if TABLE.exists() else ())}
    write_file(TABLE, render_table({**others, release: print_class_defaults(classpath)}))


if __name__ == "__main__":
    main(*sys.argv[1:])
