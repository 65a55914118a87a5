"""The `evenkeel` command. Exit status: 0 all holds, 1 violated, 2 unusable or unknown."""

from __future__ import annotations

import shlex
import sys
import traceback
from tempfile import NamedTemporaryFile

import typer

from evenkeel import __version__
from evenkeel.cli import (
    campaign_command,
    check_command,
    everything_command,
    plan_command,
    proof_commands,
    replay_command,
    score_command,
    simulate_command,
    spec_commands,
    trace_command,
)
from evenkeel.cli.options import Unusable
from evenkeel.cli.output import err, show_any_character
from evenkeel.drivers.counterexample import BadCounterexample
from evenkeel.stopping import Stopped, stop_in_good_order
from evenkeel.subjects.process import SubjectUnusable
from evenkeel.subjects.wire import printable

UNUSABLE = 2

app = typer.Typer(
    name="evenkeel",
    help="An executable specification of broker load balancing and dispatch throttling, and what "
    "checks balancers by it.",
    no_args_is_help=True,
    pretty_exceptions_enable=False,
    add_completion=False,
    rich_markup_mode=None,
)
for command, name in (
    (check_command.check, "check"),
    (proof_commands.prove, "prove"),
    (proof_commands.explore, "explore"),
    (campaign_command.campaign, "campaign"),
    (replay_command.replay, "replay"),
    (spec_commands.matrix, "matrix"),
    (spec_commands.explain, "explain"),
    (score_command.score, "score"),
    (plan_command.throttle_plan, "throttle-plan"),
    (trace_command.trace, "trace"),
    (simulate_command.simulate, "simulate"),
    (everything_command.everything, "everything"),
):
    app.command(name)(command)


def _show_version(wanted: bool) -> None:
    if wanted:
        typer.echo(f"evenkeel {__version__}")
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
    sys.exit(_status())


def _status() -> int:
    try:
        status: object = app(standalone_mode=False)
    except (Unusable, BadCounterexample, SubjectUnusable) as unusable:
        return _sorry(str(unusable))
    except (Stopped, KeyboardInterrupt, typer.Abort):
        return _sorry("stopped.")
    except BrokenPipeError:
        sys.stderr.close()
        return UNUSABLE
    except Exception as error:  # the last line of defence: a user sees no traceback
        if callable(show := getattr(error, "show", None)):  # Typer's own, of wrong options
            show()
            return UNUSABLE
        return _sorry(f"{_described(error)}. This is a defect of evenkeel; {_kept(error)}")
    return status if isinstance(status, int) else 0


def _sorry(sentence: str) -> int:
    err.print(f"evenkeel: {printable(sentence)}", markup=False)
    return UNUSABLE


def _described(error: Exception) -> str:
    text = " ".join(str(error).split())[:200]
    return f"{type(error).__name__}: {text}" if text else type(error).__name__


def _kept(error: Exception) -> str:
    """Where the traceback was written."""
    text = "".join(traceback.format_exception(error))
    try:
        with NamedTemporaryFile(
            "w",
            encoding="utf-8",
            errors="backslashreplace",
            prefix="evenkeel-crash-",
            suffix=".txt",
            delete=False,
        ) as file:
            file.write(f"evenkeel {__version__}: {shlex.join(sys.argv)}\n{text}")
    except OSError as why:
        return f"its traceback could not be written ({why.strerror})."
    return f"its traceback is in {file.name}."
