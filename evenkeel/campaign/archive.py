"""The zip that workers get: our own packages, importable with nothing but Python beside it.

The same sources give the same bytes, so the zip's digest says which code a campaign ran.
"""

from __future__ import annotations

import hashlib
import io
import zipfile
from collections.abc import Iterator
from importlib.resources import files
from importlib.resources.abc import Traversable
from typing import Final

WHOLE: Final = (
    "evenkeel.drivers",
    "evenkeel.properties",
    "evenkeel.reference",
    "evenkeel.schemas",
    "evenkeel.spec",
    "evenkeel.subjects",
)
"""Packages that go into the zip with all that they contain."""

PARTS: Final = {
    "evenkeel": ("__init__.py", "errors.py", "files.py", "text.py"),
    "evenkeel.campaign": ("__init__.py", "worker.py"),
    "evenkeel.trace": (
        "__init__.py",
        "judging.py",
        "lines.py",
        "parquet.py",
        "rows.py",
        "source.py",
        "worker.py",
    ),
}
"""Packages of which only these files go into the zip."""

_SUFFIXES: Final = (".json", ".md", ".py")
_TIME: Final = (1980, 1, 1, 0, 0, 0)


def archive_bytes() -> bytes:
    """The zip."""
    members = dict(sorted(archive_members()))
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w", zipfile.ZIP_STORED) as archive:
        for name, content in members.items():
            info = zipfile.ZipInfo(name, _TIME)
            info.external_attr = 0o644 << 16
            archive.writestr(info, content)
    return buffer.getvalue()


def digest(archive: bytes) -> str:
    """The SHA-256 of a zip, in hexadecimal."""
    return hashlib.sha256(archive).hexdigest()


def archive_members() -> Iterator[tuple[str, bytes]]:
    """Each file of the zip as (name in the zip, content)."""
    for package, names in PARTS.items():
        folder = package.replace(".", "/")
        for name in names:
            yield f"{folder}/{name}", files(package).joinpath(name).read_bytes()
    for package in WHOLE:
        yield from _below(package.replace(".", "/"), files(package))


def _below(folder: str, place: Traversable) -> Iterator[tuple[str, bytes]]:
    for item in place.iterdir():
        if item.is_dir():
            if item.name != "__pycache__":
                yield from _below(f"{folder}/{item.name}", item)
        elif item.name.endswith(_SUFFIXES):
            yield f"{folder}/{item.name}", item.read_bytes()
