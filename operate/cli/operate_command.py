"""`evenkeel operate`: the table of the operator's commands."""

from __future__ import annotations

from typing import ClassVar

import typer

from evenkeel.operate.tables import read_table
from evenkeel_engine.cli.commands import LazyGroup, Table


class Tools(LazyGroup):
    """The operator's commands."""

    table: ClassVar[Table] = read_table("cli/commands.toml")


app = typer.Typer(cls=Tools, no_args_is_help=True, add_completion=False, rich_markup_mode=None)


@app.callback()
def operate() -> None:
    """Run, record, predict and plan clusters of Apache Pulsar."""
