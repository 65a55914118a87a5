"""`evenkeel operate`: the table of the operator's commands."""

from __future__ import annotations

from typing import ClassVar

import typer

from evenkeel_engine.cli.commands import LazyGroup, Table


class Tools(LazyGroup):
    """The operator's commands."""

    table: ClassVar[Table] = {
        "Run and record clusters": {
            "cluster": "evenkeel.operate.cli.cluster_command:cluster",
            "record": "evenkeel.operate.cli.record_command:record",
            "live": "evenkeel.operate.cli.live_command:live",
            "trace": "evenkeel.operate.cli.trace_command:trace",
        },
        "Explain and predict": {
            "snapshot": "evenkeel.operate.cli.advise_command:take",
            "advise": "evenkeel.operate.cli.advise_command:advise",
            "why": "evenkeel.operate.cli.advise_command:why",
            "predict": "evenkeel.operate.cli.predict_command:predict",
            "conf": "evenkeel.operate.cli.conf_command:conf",
        },
        "Plan": {
            "simulate": "evenkeel.operate.cli.simulate_command:simulate",
            "limits": "evenkeel.operate.cli.limits_command:limits",
            "segments": "evenkeel.operate.cli.segments_command:segments",
        },
    }


app = typer.Typer(cls=Tools, no_args_is_help=True, add_completion=False, rich_markup_mode=None)


@app.callback()
def operate() -> None:
    """Run, record, predict and plan clusters of Apache Pulsar."""
