"""Files that a user names: regular ones only, since reading others may block or never end."""

from __future__ import annotations

import json
import stat
from pathlib import Path
from typing import Any, Final

LARGEST_TEXT: Final = 256 << 20
"""Bytes that are read at once, of a file that is read whole."""


def why_unreadable(path: Path, largest: int | None = LARGEST_TEXT) -> str:
    """Why a file cannot be read whole: a pipe, a device, a folder, too large; empty if it can.

    Raises OSError if there is none.
    """
    found = path.stat()
    if stat.S_ISDIR(found.st_mode):
        return "is a folder"
    if not stat.S_ISREG(found.st_mode):
        return "is no regular file"
    if largest is not None and found.st_size > largest:
        return f"has {found.st_size:,} bytes, and {largest:,} are read at most"
    return ""


class Unreadable(Exception):
    """A file does not hold what it should: why, without its name."""


def read_json(path: Path) -> Any:
    """The JSON in a regular file. Raises `Unreadable`."""
    try:
        if why := why_unreadable(path):
            raise Unreadable(why)
        return json.loads(path.read_text(encoding="utf-8"))
    except OSError as error:
        raise Unreadable(f"cannot be read ({error.strerror})") from error
    except UnicodeDecodeError as error:
        raise Unreadable(f"is no UTF-8 text (byte {error.start})") from error
    except json.JSONDecodeError as error:
        place = f"line {error.lineno}, column {error.colno}"
        raise Unreadable(f"{place}: is no JSON ({error.msg})") from error
    except RecursionError as error:
        raise Unreadable("is nested too deeply") from error
    except ValueError as error:  # an integer of more digits than the interpreter converts
        raise Unreadable("has a number of too many digits") from error
