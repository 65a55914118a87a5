"""`evenkeel operate limits`: what dispatch limits let through, computed and measured."""

from __future__ import annotations

from typing import ClassVar

import typer

from evenkeel_engine.cli.commands import LazyGroup, Table


class LimitCommands(LazyGroup):
    """Both commands; measuring needs a cluster's libraries, planning none."""

    table: ClassVar[Table] = {
        "Commands": {
            "plan": "evenkeel.operate.cli.plan_command:plan",
            "measure": "evenkeel.operate.cli.measure_command:measure",
        }
    }


app = typer.Typer(
    cls=LimitCommands, no_args_is_help=True, add_completion=False, rich_markup_mode=None
)


@app.callback()
def limits() -> None:
    """Plan, or measure, what dispatch limits let through."""
