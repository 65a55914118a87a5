"""The `evenkeel` command. Exit status: 0 all holds, 1 violated, 2 unusable or unknown."""

from __future__ import annotations

import sys

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
from evenkeel.cli.output import err, printable, show_any_character
from evenkeel.drivers.counterexample import BadCounterexample
from evenkeel.subjects.process import SubjectUnusable

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
    try:
        app()
    except (Unusable, BadCounterexample, SubjectUnusable) as unusable:
        err.print(f"evenkeel: {printable(str(unusable))}", markup=False)
        sys.exit(UNUSABLE)
    except KeyboardInterrupt:
        err.print("evenkeel: stopped", markup=False)
        sys.exit(UNUSABLE)
    except BrokenPipeError:
        sys.stderr.close()
        sys.exit(UNUSABLE)
