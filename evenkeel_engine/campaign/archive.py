"""The zip for the workers: our own packages, importable with Python alone.

The same sources give the same bytes, so the zip's digest identifies the code of a campaign.
"""

from __future__ import annotations

import hashlib
import io
import zipfile
from collections.abc import Iterator, Mapping, Sequence
from importlib.resources import files
from importlib.resources.abc import Traversable
from typing import Final

from evenkeel_engine import content

WHOLE: Final = (
    "evenkeel_engine.frame",
    "evenkeel_engine.kit",
    "evenkeel_engine.mutation",
    "evenkeel_engine.subjects",
    content.name("properties"),
    content.name("reference"),
    content.name("spec"),
)
"""Packages that go into the zip with all that they contain."""

MODULES: Final = (content.PACKAGE, "evenkeel_engine.check", "evenkeel_engine.trial_types")
"""Packages of which all modules go into the zip, and no package below them."""

PARTS: Final[Mapping[str, Sequence[str]]] = {
    "evenkeel_engine": (
        "__init__.py",
        "content.py",
        "errors.py",
        "files.py",
        "spec.py",
        "text.py",
        "version.py",
    ),
    "evenkeel_engine.campaign": ("__init__.py", "worker.py"),
}
"""Packages of which only these files go into the zip."""

_SUFFIXES: Final = (".json", ".md", ".py")
_EDITIONS: Final = f"{content.name('reference')}.editions".replace(".", "/")
"""The one folder whose tables a worker reads."""
_TIME: Final = (1980, 1, 1, 0, 0, 0)


def archive_bytes(parts: Mapping[str, Sequence[str]] = PARTS) -> bytes:
    """The zip, with these files of packages that are not needed whole."""
    members = dict(sorted(archive_members(parts)))
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w", zipfile.ZIP_STORED) as archive:
        for name, data in members.items():
            info = zipfile.ZipInfo(name, _TIME)
            info.external_attr = 0o644 << 16
            archive.writestr(info, data)
    return buffer.getvalue()


def compute_digest(archive: bytes) -> str:
    """The SHA-256 of a zip, in hexadecimal."""
    return hashlib.sha256(archive).hexdigest()


def archive_members(parts: Mapping[str, Sequence[str]]) -> Iterator[tuple[str, bytes]]:
    """Each file of the zip as (name in the zip, content)."""
    for package, names in parts.items():
        folder = package.replace(".", "/")
        for name in names:
            yield f"{folder}/{name}", files(package).joinpath(name).read_bytes()
    for package in MODULES:
        for item in files(package).iterdir():
            if item.name.endswith(".py"):
                yield f"{package.replace('.', '/')}/{item.name}", item.read_bytes()
    for package in WHOLE:
        yield from _walk_below(package.replace(".", "/"), files(package))


def _walk_below(folder: str, place: Traversable) -> Iterator[tuple[str, bytes]]:
    for item in place.iterdir():
        if item.is_dir():
            if item.name != "__pycache__":
                yield from _walk_below(f"{folder}/{item.name}", item)
        elif item.name.endswith(_SUFFIXES) or folder == _EDITIONS:
            yield f"{folder}/{item.name}", item.read_bytes()
