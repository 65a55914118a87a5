"""Files that a user names: regular ones only, since others never end or never begin."""

from __future__ import annotations

import stat
from pathlib import Path
from typing import Final

LARGEST_TEXT: Final = 256 << 20
"""Bytes that are read at once, of a file that is read whole."""


def why_unreadable(path: Path, largest: int | None = LARGEST_TEXT) -> str:
    """Why a file cannot be read whole: a pipe, a device, a folder, too large; empty if it can.

    Raises OSError where there is none.
    """
    found = path.stat()
    if stat.S_ISDIR(found.st_mode):
        return "is a folder"
    if not stat.S_ISREG(found.st_mode):
        return "is no regular file"
    if largest is not None and found.st_size > largest:
        return f"has {found.st_size:,} bytes, and {largest:,} are read at most"
    return ""
