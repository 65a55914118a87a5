"""The site's npm packages: two, by name, version and hash, and a few of their files."""

from __future__ import annotations

import base64
import hashlib
import shutil
import subprocess
import tarfile
from dataclasses import dataclass
from pathlib import Path
from typing import Final

LOCK: Final = Path(__file__).parent / "npm.lock"


class CannotFetch(Exception):
    """A package cannot be had: one sentence."""


@dataclass(frozen=True, slots=True)
class Package:
    """One line of the lock: `sha512` is in base64."""

    name: str
    version: str
    sha512: str

    @property
    def file(self) -> str:
        """What npm calls its archive."""
        return f"{self.name}-{self.version}.tgz"


def read_lock() -> dict[str, Package]:
    """The packages by name."""
    lines = LOCK.read_text("utf-8").splitlines()
    packages = [Package(*line.split()) for line in lines if not line.startswith("#")]
    return {package.name: package for package in packages}


def file_of(name: str, member: str, archives: Path) -> bytes:
    """A file of a package; archives are stored in a folder. Raises `CannotFetch`."""
    archive = ensure_archive(read_lock()[name], archives)
    with tarfile.open(archive) as packed:
        found = packed.extractfile(f"package/{member}")
        assert found is not None, member
        return found.read()


def ensure_archive(package: Package, archives: Path) -> Path:
    """The package's archive, with the hash of the lock. Raises `CannotFetch`."""
    archive = archives / package.file
    if not archive.exists():
        fetch(package, archives)
    hashed = base64.b64encode(hashlib.sha512(archive.read_bytes()).digest()).decode()
    if hashed != package.sha512:
        archive.unlink()
        raise CannotFetch(f"npm's {package.file} does not have the hash that {LOCK.name} names.")
    return archive


def fetch(package: Package, archives: Path) -> None:
    """Let npm bring the archive. Raises `CannotFetch`."""
    npm = shutil.which("npm")
    if npm is None:
        raise CannotFetch("The site needs npm, to fetch Pyodide and Mermaid once.")
    archives.mkdir(parents=True, exist_ok=True)
    package_spec = f"{package.name}@{package.version}"
    command = [npm, "pack", "--silent", package_spec, "--pack-destination", str(archives)]
    ran = subprocess.run(command, capture_output=True, text=True, check=False)
    if ran.returncode:
        raise CannotFetch(f"npm could not fetch {package_spec}: {ran.stderr.strip()[-300:]}")
