"""`evenkeel operate`: the table of the operator's commands."""

from __future__ import annotations

from typing import ClassVar

import typer

from evenkeel_engine.cli.commands import LazyGroup, Table


class Tools(LazyGroup):
    """The operator's commands."""

    table: ClassVar[Table] = {
        "Run and record clusters": {
            "cluster": "operate.cli.cluster_command:cluster",
            "record": "operate.cli.record_command:record",
            "live": "operate.cli.live_command:live",
            "trace": "operate.cli.trace_command:trace",
        },
        "Explain and predict": {
            "snapshot": "operate.cli.advise_command:take",
            "advise": "operate.cli.advise_command:advise",
            "why": "operate.cli.advise_command:why",
            "predict": "operate.cli.predict_command:predict",
            "conf": "operate.cli.conf_command:conf",
        },
        "Plan": {
            "simulate": "operate.cli.simulate_command:simulate",
            "limits": "operate.cli.limits_command:limits",
            "segments": "operate.cli.segments_command:segments",
        },
    }


app = typer.Typer(cls=Tools, no_args_is_help=True, add_completion=False, rich_markup_mode=None)


@app.callback()
def operate() -> None:
    """Run, record, predict and plan clusters of Apache Pulsar."""
