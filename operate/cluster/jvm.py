"""The servers' command lines, as the distribution's own `bin/pulsar` makes them.

Without that script the process that starts is the process that serves, and it has no child.
"""

from __future__ import annotations

import os
import shutil
from pathlib import Path
from typing import Final

from evenkeel.operate.cluster.configuration import SERVERS
from evenkeel.operate.cluster.errors import ClusterUnusable

JAVA: Final = SERVERS["java"]


def find_java() -> str:
    """The Java to run. Raises `ClusterUnusable`."""
    home = os.environ.get("JAVA_HOME")
    if home and (Path(home) / "bin" / "java").is_file():
        return str(Path(home) / "bin" / "java")
    if (found := shutil.which("java")) is None:
        raise ClusterUnusable("A cluster needs Java 17 or later, and there is no java.")
    return found


def build_java_command(distribution: Path, kind: str, folder: Path, name: str = "") -> list[str]:
    """The command line of a server of this kind; `name`: a broker's."""
    return [
        find_java(),
        "-cp",
        f"{distribution / 'conf'}:{distribution / 'lib'}/*",
        *JAVA["options"],
        *(part for package in JAVA["opened"] for part in ("--add-opens", f"{package}=ALL-UNNAMED")),
        "--enable-native-access=ALL-UNNAMED",
        f"-Dpulsar.log.dir={folder / 'logs'}",
        f"-Djava.io.tmpdir={folder / 'tmp'}",
        "-XX:-UsePerfData",
        *JAVA["memory"][kind],
        *(part.format(folder=folder, name=name) for part in JAVA["main"][kind]),
    ]
