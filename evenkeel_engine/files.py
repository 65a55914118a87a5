"""Files that a user names: read if they are regular, since others may block or never end, and
written whole or not at all. Whatever writes a file of ours does it by this module.
"""

from __future__ import annotations

import errno
import json
import os
import re
import stat
import sys
import tomllib
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from math import isfinite
from pathlib import Path
from time import monotonic, sleep
from typing import IO, Any, Final

from evenkeel_engine.errors import UserError

if sys.platform != "win32":
    import fcntl

LARGEST_TEXT: Final = 256 << 20
"""Bytes that are read at once, of a file that is read whole."""
LONGEST_KEY: Final = 100
"""Characters of a key that are quoted."""
PATIENCE: Final = 1.0
"""Seconds until a pipe has a reader."""


def why_unreadable(path: Path, largest: int | None = LARGEST_TEXT) -> str:
    """Why a file is not read whole; empty if it can be. Raises OSError if there is none."""
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


def read_bytes(path: Path, largest: int | None = LARGEST_TEXT) -> bytes:
    """What a regular file holds. Raises `Unreadable`."""
    try:
        if why := why_unreadable(path, largest):
            raise Unreadable(why)
        return path.read_bytes()
    except OSError as error:
        raise Unreadable(f"cannot be read ({error.strerror})") from error


def read_text(path: Path, largest: int = LARGEST_TEXT) -> str:
    """The text in a regular file, without a byte order mark. Raises `Unreadable`, which does not
    have the text.
    """
    try:
        return read_bytes(path, largest).decode("utf-8-sig")
    except UnicodeDecodeError as error:
        raise Unreadable(f"is no UTF-8 text (byte {error.start})") from None


def json_lines(text: str) -> list[str]:
    """The lines of a file of JSON. They end at a line feed only: a text in JSON may hold others of
    the characters at which `str.splitlines` cuts, such as U+2028.
    """
    return text.removesuffix("\n").split("\n") if text else []


def read_json(path: Path) -> Any:
    """The JSON in a regular file. Raises `Unreadable`."""
    return parse_json(read_text(path))


def parse_json(text: str) -> Any:
    """The JSON in a text; no number is infinite or none at all, and no object has a key twice.
    Raises `Unreadable`.
    """
    try:
        return _decode(text)
    except json.JSONDecodeError as error:
        place = f"line {error.lineno}, column {error.colno}"
        raise Unreadable(f"{place}: is no JSON ({error.msg})") from error
    except RecursionError as error:
        raise Unreadable("is nested too deeply") from error
    except ValueError as error:  # an integer of more digits than the interpreter converts
        raise Unreadable("has a number of too many digits") from error


def _parse_number(text: str) -> float:
    if not isfinite(number := float(text)):
        raise Unreadable(f"is no JSON: it has {text[:20]}, which no double holds")
    return number


def _make_object(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    whole = dict(pairs)
    if len(whole) != len(pairs):
        raise Unreadable(f"has the key {find_twice(pairs)} twice in one object")
    return whole


def find_twice(pairs: list[tuple[str, Any]]) -> str:
    """The first key of an object that is there twice, as JSON."""
    keys = [key for key, _ in pairs]
    return json.dumps(next(key for key in keys if keys.count(key) > 1)[:LONGEST_KEY])


_decode: Final = json.JSONDecoder(
    object_pairs_hook=_make_object, parse_constant=_parse_number, parse_float=_parse_number
).decode

MOST_DOTS: Final = 20
DEEP_KEY: Final = re.compile(rf"^\s*\[*\s*[\w-]+(\s*\.\s*[\w-]+){{{MOST_DOTS + 1}}}", re.MULTILINE)
"""A dotted key that no file has; TOML's parser takes time by the square of its dots."""


def parse_toml(text: str) -> dict[str, Any]:
    """The data in a text of TOML. Raises ValueError with a sentence."""
    if deep := DEEP_KEY.search(text):
        line = text.count("\n", 0, deep.start()) + 1
        raise ValueError(f"the key in line {line} has more than {MOST_DOTS} dots")
    try:
        return tomllib.loads(text)
    except RecursionError:
        raise ValueError("it is nested too deeply") from None
    except tomllib.TOMLDecodeError:
        raise
    except ValueError:  # an integer of more digits than the interpreter converts
        raise ValueError("it has a number of too many digits") from None


class Unwritable(UserError, OSError):
    """A file that cannot be written: errno, why, and its path."""

    def __str__(self) -> str:
        return f"{self.filename}: cannot be written ({self.strerror})."


@contextmanager
def _name_path(path: Path) -> Iterator[None]:
    """Whatever the system refuses is `Unwritable`, with the name that the user knows."""
    try:
        yield
    except Unwritable:
        raise
    except OSError as error:
        why = error.strerror or str(error)
        raise Unwritable(error.errno or errno.EIO, why, str(path)) from error


def write_file(
    path: Path,
    content: str | bytes,
    folders: bool = False,
    check: Callable[[str], object] | None = None,
) -> None:
    """Write a file, a text as UTF-8, whole or not at all; with its `folders`.

    `check` gets the text that was read back, and raises what it has against it: then the old file
    stays. Raises `Unwritable`.
    """
    encoded = _encode(path, content)
    with replace_file(path, folders) as file:
        file.write(encoded)
        if check is not None and file.readable():
            file.seek(0)
            check(file.read().decode())


def _encode(path: Path, content: str | bytes) -> bytes:
    if isinstance(content, bytes):
        return content
    try:
        return content.encode()
    except UnicodeEncodeError as error:
        why = f"it would hold {content[error.start]!a}, which UTF-8 has not"
        raise Unwritable(errno.EILSEQ, why, str(path)) from error


@contextmanager
def replace_file(path: Path, folders: bool = False) -> Iterator[IO[bytes]]:
    """A new file that takes the place of `path` when the block ends well; with its `folders`.

    It is written next to it, and is on the disk before it gets that name: whatever ends the block,
    be it a signal, the old file stays whole. Only a kill leaves the new one (`.evenkeel-….new`)
    behind. A link stays a link; a device or a pipe is written to. Raises `Unwritable`.
    """
    with _name_path(path):
        if folders:
            path.parent.mkdir(parents=True, exist_ok=True)
        mode = _mode_of(path)
        if mode is not None and not stat.S_ISREG(mode):
            with open(path, "wb", opener=_open_pipe if stat.S_ISFIFO(mode) else None) as file:
                yield file
            return
        place = Path(os.path.realpath(path))
        if mode is not None and not os.access(place, os.W_OK):
            raise PermissionError(errno.EACCES, os.strerror(errno.EACCES))
        new = place.with_name(f".evenkeel-{os.urandom(8).hex()}.new")
        try:
            with new.open("x+b") as file:
                yield file
                file.flush()
                os.fsync(file.fileno())
            if mode is not None:
                new.chmod(stat.S_IMODE(mode))
            os.replace(new, place)
        except BaseException:
            with suppress(OSError):
                new.unlink()
            raise


def _open_pipe(name: str, how: int) -> int:
    """Open a pipe, whose reader may need a moment. Raises OSError if none comes in time."""
    end = monotonic() + PATIENCE
    while True:
        try:
            opened = os.open(name, how | os.O_NONBLOCK)
        except OSError as error:
            if error.errno != errno.ENXIO or monotonic() > end:
                raise
            sleep(0.02)
        else:
            os.set_blocking(opened, True)
            return opened


def _mode_of(path: Path) -> int | None:
    """What a path is, and who may use it; None if there is nothing."""
    try:
        return path.stat().st_mode
    except FileNotFoundError:
        return None


def append(path: Path, text: str) -> None:
    """Add lines at the end of a file, all or none of them. Raises `Unwritable`."""
    encoded = _encode(path, text)
    with _name_path(path):
        before = path.stat().st_size if path.exists() else 0
        try:
            with path.open("ab") as file:
                file.write(encoded)
                file.flush()
                os.fsync(file.fileno())
        except BaseException:
            with suppress(OSError):
                os.truncate(path, before)
            raise


@contextmanager
def lock_folder(folder: Path, folders: bool = False) -> Iterator[None]:
    """One process at a time for a folder: to read, change and write files there; with its
    `folders`. The lock ends with the process, however that ends. Raises `Unwritable`.

    There is none on Windows, and on file systems that lock no folder (NFS).
    """
    if folders:
        with _name_path(folder):
            folder.mkdir(parents=True, exist_ok=True)
    if sys.platform == "win32":
        yield
        return
    with _name_path(folder):
        handle = os.open(folder, os.O_RDONLY | os.O_CLOEXEC)
    try:
        with _name_path(folder):
            try:
                fcntl.flock(handle, fcntl.LOCK_EX)
            except OSError as error:
                if error.errno not in (errno.EBADF, errno.ENOLCK, errno.EOPNOTSUPP):
                    raise
        yield
    finally:
        os.close(handle)
