"""Apache Pulsar's own distribution: fetched through Maven once, checked, and kept unpacked."""

from __future__ import annotations

import fcntl
import hashlib
import os
import re
import shutil
import subprocess
import tarfile
import tempfile
from pathlib import Path
from typing import Final

from evenkeel.operate.cluster.errors import ClusterUnusable

ARTIFACT: Final = "org.apache.pulsar:pulsar-server-distribution"
SHA256: Final = {"4.0.8": "35c7d064c9e0928edbf2e708989faba0379662f98aa84ce0d4190c59efb6765e"}
"""Of versions that were tried. Others are compared with the checksum that Maven publishes."""
FETCHED_IN: Final = 1800
"""Seconds that Maven may take for 250 MB."""


def find_distribution(version: str) -> Path:
    """The unpacked distribution of this version. Raises `ClusterUnusable`."""
    if not re.fullmatch(r"\d+\.\d+\.\d+(-[A-Za-z0-9.]+)?", version):
        raise ClusterUnusable(f"--pulsar {version} is no version: it must look like 4.0.8.")
    folder = os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache"
    place = Path(folder) / "evenkeel" / "pulsar" / version
    if place.is_dir():
        return place
    try:
        place.parent.mkdir(parents=True, exist_ok=True)
        with place.with_suffix(".lock").open("w") as lock:
            fcntl.flock(lock, fcntl.LOCK_EX)  # two commands at once fetch once
            if not place.is_dir():
                unpack(check_archive(fetch(version), version), place)
    except (OSError, tarfile.TarError) as error:
        raise ClusterUnusable(f"Pulsar {version} cannot be kept in {place}: {error}.") from error
    return place


def fetch(version: str) -> Path:
    """The archive in Maven's local repository. Raises `ClusterUnusable`."""
    if (maven := shutil.which("mvn")) is None:
        raise ClusterUnusable("The distribution is fetched through Maven, and there is no mvn.")
    group, name = ARTIFACT.split(":")
    artifact = f"{ARTIFACT}:{version}:tar.gz:bin"
    run_maven(maven, ["dependency:get", f"-Dartifact={artifact}", "-Dtransitive=false"], version)
    found = local_repository(maven) / Path(*group.split(".")) / name / version
    if not (archive := found / f"{name}-{version}-bin.tar.gz").is_file():
        raise ClusterUnusable(f"Maven fetched Pulsar {version}, but {archive} is not there.")
    return archive


def run_maven(maven: str, arguments: list[str], version: str) -> str:
    """What Maven printed; a wrong checksum of a download is an error. Raises `ClusterUnusable`."""
    command = [maven, "-q", "-B", "--strict-checksums", *arguments]
    try:
        done = subprocess.run(
            command, capture_output=True, text=True, timeout=FETCHED_IN, check=False
        )
    except subprocess.TimeoutExpired:
        raise ClusterUnusable(f"Maven did not fetch Pulsar {version} in time.") from None
    if done.returncode:
        message = [text for text in done.stdout.splitlines() if "ERROR" in text] or ["nothing"]
        raise ClusterUnusable(f"Maven cannot fetch Pulsar {version}; it says: {message[0][:300]}")
    return done.stdout


def local_repository(maven: str) -> Path:
    """Maven's local repository."""
    arguments = ["help:evaluate", "-Dexpression=settings.localRepository", "-DforceStdout"]
    try:
        message = run_maven(maven, arguments, "").strip()
    except ClusterUnusable:  # its help plugin may be out of reach
        message = ""
    found = re.sub(r"\x1b\[[0-9;]*m", "", message)
    return Path(found) if found.startswith("/") else Path.home() / ".m2" / "repository"


def check_archive(archive: Path, version: str) -> Path:
    """The archive, if its checksum is right. Raises `ClusterUnusable`."""
    if version in SHA256:
        requested, found = SHA256[version], compute_digest(archive, "sha256")
    else:
        listed = archive.with_name(archive.name + ".sha1")
        if not listed.is_file():
            raise ClusterUnusable(f"{archive} has no checksum next to it, and none is known.")
        requested, found = listed.read_text().split()[0], compute_digest(archive, "sha1")
    if found != requested:
        raise ClusterUnusable(f"{archive} has the checksum {found}, not {requested}: delete it.")
    return archive


def compute_digest(path: Path, kind: str) -> str:
    """The checksum of a file."""
    with path.open("rb") as file:
        return hashlib.file_digest(file, kind).hexdigest()


def unpack(archive: Path, place: Path) -> None:
    """Whole or not at all."""
    with tempfile.TemporaryDirectory(dir=place.parent, prefix="unpacking-") as folder:
        with tarfile.open(archive) as tar:
            tar.extraction_filter = getattr(tarfile, "data_filter", None)  # since Python 3.11.4
            tar.extractall(folder)
        (inside,) = Path(folder).iterdir()
        inside.rename(place)
