"""The `evenkeel` command. Exit status: 0 all holds, 1 violated, 2 unusable or unknown.

A command's module is imported when the command is run: most need Z3, networkx, or all questions,
and `--help` none of them.
"""

from __future__ import annotations

import shlex
import sys
import traceback
from collections.abc import Iterator, MutableMapping
from importlib import import_module
from pathlib import Path
from tempfile import NamedTemporaryFile
from typing import Any, Final

import typer
from typer.core import TyperCommand, TyperGroup

from evenkeel import __version__
from evenkeel.cli import config
from evenkeel.cli.output import err, show_any_character
from evenkeel.errors import UserError
from evenkeel.extras import sentence
from evenkeel.stopping import Stopped, stop_in_good_order
from evenkeel.text import printable

UNUSABLE = 2

COMMANDS: Final = {
    "check": (
        "cli.check_command:check",
        "Check a subject against the clauses of an edition.",
    ),
    "prove": (
        "cli.proof_commands:prove",
        "Prove the theorems, each with its non-vacuity check, its mutant and its cross-check.",
    ),
    "explore": (
        "cli.proof_commands:explore",
        "Enumerate small scopes whole: those that fit into the profile.",
    ),
    "campaign": (
        "cli.campaign_command:app",
        "Fan seeded trials out over Spark; keep tables, shrunk counterexamples and a report.",
    ),
    "replay": (
        "cli.replay_command:replay",
        "Replay counterexamples: does each still do what it recorded? Judge a subject on them.",
    ),
    "vector": (
        "cli.vector_command:app",
        "Add, refresh and lint counterexample files, so that nobody edits them by hand.",
    ),
    "vectors": (
        "cli.vectors_command:app",
        "Export a minimal corpus of trials with right answers, for tests in any language.",
    ),
    "recorded": (
        "cli.recorded_command:app",
        "Hold a subject, or the reference, against recorded answers; record a subject's.",
    ),
    "adapter": (
        "cli.adapter_command:app",
        "Begin an adapter in your language; tell in seconds what is wrong with how it speaks.",
    ),
    "report": (
        "cli.report_command:report",
        "Make of a counterexample a TestNG method on Pulsar's classes, and the issue's text.",
    ),
    "matrix": (
        "cli.spec_commands:matrix",
        "List what stands behind every clause: functions, properties, theorems, graphs, files.",
    ),
    "explain": (
        "cli.spec_commands:explain",
        "Tell what a clause says, where it comes from, what states it and what checks it.",
    ),
    "quotations": (
        "cli.quotations_command:quotations_",
        "Look up each quotation of the specification in the texts of the documents.",
    ),
    "score": (
        "cli.score_command:score",
        "Run mutants of the reference against the clauses: those kept by hand, and some drawn.",
    ),
    "throttle-plan": (
        "operate.cli.plan_command:throttle_plan",
        "Tell what a dispatch limit lets through at worst, and by which schedule.",
    ),
    "trace": (
        "operate.cli.trace_command:trace",
        "Tell whether the specification explains a recorded log of ownership events.",
    ),
    "simulate": (
        "operate.cli.simulate_command:simulate",
        "Run scenarios in virtual time; same scenario and seed, same result.",
    ),
    "cluster": (
        "operate.cli.cluster_command:app",
        "Start a Pulsar cluster on this machine's loopback, and end it.",
    ),
    "record": (
        "operate.cli.record_command:record",
        "Record what happens in a running cluster, for `trace`.",
    ),
    "live": (
        "operate.cli.live_command:live",
        "Load a running cluster, do things to it, and judge it at rest.",
    ),
    "live-throttle": (
        "operate.cli.throttle_command:live_throttle",
        "Measure dispatch limits on a running cluster, beside their bounds.",
    ),
    "live-predict": (
        "operate.cli.predict_command:live_predict",
        "Predict each decision of a cluster's leader from the reports, and compare.",
    ),
    "snapshot": (
        "operate.cli.advise_command:take",
        "Write down what a running cluster's brokers and bundles carry, and how it is set.",
    ),
    "advise": (
        "operate.cli.advise_command:advise",
        "Tell what each strategy would do with a snapshot, and which settings would let it rest.",
    ),
    "why": (
        "operate.cli.advise_command:why",
        "Tell why a bundle of a snapshot would be moved, or not; of a recording, why it was.",
    ),
    "everything": (
        "cli.everything_command:everything",
        "Check, prove, explore, replay, score, and fuzz on Spark.",
    ),
}
"""Every command: where it is below `evenkeel`, and what it does in one line."""


def made(name: str) -> Any:
    """The command with this name, its module imported."""
    module, _, attribute = COMMANDS[name][0].partition(":")
    found = getattr(import_module(f"evenkeel.{module}"), attribute)
    if isinstance(found, typer.Typer):
        return typer.main.get_command(found)
    one = typer.Typer(add_completion=False, rich_markup_mode=None)
    one.command(name)(found)
    return typer.main.get_command(one)


class MadeWhenAsked(MutableMapping[str, Any]):
    """All commands by name; each is made when it is first asked for."""

    def __init__(self) -> None:
        self._made: dict[str, Any] = {}

    def __getitem__(self, name: str) -> Any:
        if name not in COMMANDS:
            raise KeyError(name)
        if name not in self._made:
            self._made[name] = made(name)
        return self._made[name]

    def __setitem__(self, name: str, command: Any) -> None:
        self._made[name] = command

    def __delitem__(self, name: str) -> None:
        del self._made[name]

    def __iter__(self) -> Iterator[str]:
        return iter(COMMANDS)

    def __len__(self) -> int:
        return len(COMMANDS)


class Commands(TyperGroup):
    """All commands; none is imported to be listed."""

    def __init__(self, **attributes: Any) -> None:
        super().__init__(**{**attributes, "commands": MadeWhenAsked()})

    def list_commands(self, ctx: Any) -> list[str]:
        """In the order in which they are written above."""
        return list(COMMANDS)

    def shell_complete(self, ctx: Any, incomplete: str) -> Any:
        """What the Tab key offers: names and their lines, so that none is imported for it."""
        light: Any = {name: TyperCommand(name, help=told) for name, (_, told) in COMMANDS.items()}
        ctx.command = TyperGroup(name=self.name, commands=light, params=self.params)
        return ctx.command.shell_complete(ctx, incomplete)

    def format_commands(self, ctx: Any, formatter: Any) -> None:
        """A line each."""
        with formatter.section("Commands"):
            formatter.write_dl([(name, sentence) for name, (_, sentence) in COMMANDS.items()])


app = typer.Typer(
    name="evenkeel",
    cls=Commands,
    help="An executable specification of broker load balancing and dispatch throttling, and what "
    "checks balancers by it.",
    no_args_is_help=True,
    pretty_exceptions_enable=False,
    add_completion=True,
    rich_markup_mode=None,
)


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
        nothing_empty(sys.argv[1:])
        status: object = app(standalone_mode=False, default_map=configured(sys.argv[1:]))
    except UserError as error:
        return _sorry(str(error))
    except (Stopped, KeyboardInterrupt, typer.Abort):
        return _sorry("stopped.")
    except BrokenPipeError:
        sys.stderr.close()
        return UNUSABLE
    except ModuleNotFoundError as error:
        missing = sentence(error.name, next(iter(sys.argv[1:]), ""))
        return _sorry(missing or f"{_described(error)}; {_kept(error)}")
    except Exception as error:  # the last line of defence: a user sees no traceback
        if callable(show := getattr(error, "show", None)):  # Typer's own, of wrong options
            show()
            return UNUSABLE
        return _sorry(f"{_described(error)}. This is a defect of evenkeel; {_kept(error)}")
    return status if isinstance(status, int) else 0


def nothing_empty(words: list[str]) -> None:
    """An empty word, mostly a shell variable that is not set, would be read as this folder."""
    for before, word in zip(["", *words], words, strict=False):
        if word == "":
            raise UserError(f"{before or 'the first argument'}: what follows is empty.")
        if word.startswith("--") and word.endswith("=") and word.count("=") == 1:
            raise UserError(f"{word[:-1]}: what follows is empty.")


def configured(words: list[str]) -> dict[str, Any]:
    """What the configuration in this folder says for the command that is called."""
    name = next((word for word in words if not word.startswith("-")), "")
    if name not in config.COMMANDS:
        return {}
    return {name: config.defaults(made(name), name, Path.cwd())}


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
