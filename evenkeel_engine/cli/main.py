"""The `evenkeel` command. Exit status: 0 all holds, 1 violated, 2 unusable or unknown."""

from __future__ import annotations

import errno
import os
import shlex
import sys
import traceback
from contextlib import suppress
from pathlib import Path
from tempfile import mkstemp

import typer

from evenkeel_engine import version as version_
from evenkeel_engine.cli import config
from evenkeel_engine.cli.commands import Commands
from evenkeel_engine.cli.output import err, show_any_character
from evenkeel_engine.content import ABOUT
from evenkeel_engine.errors import UserError
from evenkeel_engine.extras import explain_missing
from evenkeel_engine.stopping import Stopped, only_end, stop_in_good_order
from evenkeel_engine.subjects.strays import adopt_orphans
from evenkeel_engine.text import make_printable

UNUSABLE = 2
FULL = (errno.ENOSPC, errno.EDQUOT, errno.EFBIG)

app = typer.Typer(
    name="evenkeel",
    cls=Commands,
    help=ABOUT,
    no_args_is_help=True,
    pretty_exceptions_enable=False,
    add_completion=True,
    rich_markup_mode=None,
)


def _show_version(requested: bool) -> None:
    if requested:
        typer.echo(f"evenkeel {version_.format_version()}")
        raise typer.Exit


@app.callback()
def _common(
    version: bool = typer.Option(
        False, "--version", callback=_show_version, is_eager=True, help="Print the version."
    ),
) -> None:
    """Options before the command."""


def main() -> None:
    """Run the command line; whatever goes wrong is one sentence on standard error."""
    show_any_character()
    stop_in_good_order()
    adopt_orphans()
    status: int | None = None
    with suppress(MemoryError):  # after it the frames that held the memory are released
        status = status_of(sys.argv[1:])
    if status is None:
        sys.stderr.write("evenkeel: out of memory.\n")
        status = UNUSABLE
    status = status if flush_output() else UNUSABLE
    only_end()
    sys.exit(status)


def flush_output() -> bool:
    """Whether standard output takes what is left; the interpreter would end with status 120."""
    try:
        print(end="", flush=True)  # noqa: T201 - no text of ours
    except OSError as error:
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        if error.errno != errno.EPIPE:
            _apologize(f"Standard output: {error.strerror}.")
        return False
    return True


def status_of(words: list[str]) -> int:
    """Run the command that these words call; the exit status."""
    try:
        nothing_empty(words)
        given = config.default_map(words, Path.cwd())
        status: object = app(words, standalone_mode=False, default_map=given)
    except UserError as error:
        return _apologize(str(error))
    except (Stopped, KeyboardInterrupt, typer.Abort):
        return _apologize("stopped.")
    except SystemExit as end:  # of Typer and Rich: 1 where standard output is closed
        return UNUSABLE if end.code else 0
    except MemoryError:
        raise
    except ModuleNotFoundError as error:
        missing = explain_missing(error.name, next(iter(words), ""))
        return _apologize(missing or f"{_describe(error)}; {_keep_traceback(error)}")
    except Exception as error:  # the last line of defence: a user sees no traceback
        if not flush_output():  # an OSError of a print
            return UNUSABLE
        if isinstance(error, OSError) and error.errno in FULL:
            return _apologize(f"{error.filename or 'Standard output'}: {error.strerror}.")
        if isinstance(error.__cause__, Stopped):  # while a class was made
            return _apologize("stopped.")
        if callable(show := getattr(error, "show", None)):  # Typer's own, of wrong options
            show()
            return UNUSABLE
        return _apologize(
            f"{_describe(error)}. This is a defect of evenkeel; {_keep_traceback(error)}"
        )
    return status if isinstance(status, int) else 0


def nothing_empty(words: list[str]) -> None:
    """An empty word, mostly a shell variable that is not set, would be read as this folder."""
    for before, word in zip(["", *words], words, strict=False):
        if word == "":
            raise UserError(f"{before or 'the first argument'}: what follows is empty.")
        if word.startswith("--") and word.endswith("=") and word.count("=") == 1:
            raise UserError(f"{word[:-1]}: what follows is empty.")


def _apologize(sentence: str) -> int:
    with suppress(OSError):  # the terminal may be gone
        err.print(f"evenkeel: {make_printable(sentence)}", markup=False)
    return UNUSABLE


def _describe(error: Exception) -> str:
    text = ""
    with suppress(Exception):  # Py4J's errors ask their JVM, which may have ended
        text = " ".join(str(error).split())[:200]
    return f"{type(error).__name__}: {text}" if text else type(error).__name__


def _keep_traceback(error: Exception) -> str:
    """Where the traceback was written."""
    head = f"evenkeel {version_.find_version()}: {shlex.join(without_settings())}\n"
    text = head + "".join(traceback.format_exception(error))
    try:
        handle, name = mkstemp(".txt", "evenkeel-crash-")
        with open(handle, "wb") as file:
            file.write(text.encode(errors="backslashreplace"))
    except OSError as why:
        return f"its traceback could not be written ({why.strerror})."
    return f"its traceback is in {name}."


def without_settings() -> list[str]:
    """The words of this command, without the values of --set, which may be secrets."""
    words = list[str]()
    for before, word in zip(["", *sys.argv], sys.argv, strict=False):
        sets = before == "--set" or word.startswith("--set=")
        words.append(f"{word.partition('=')[0]}=..." if sets else word)
    return words
