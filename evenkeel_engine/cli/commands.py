"""The table of commands, and groups that import a command's module when it is called.

A module's place is named as text: most commands need Z3, networkx or all questions, and `--help`
none of them.
"""

from __future__ import annotations

import ast
from importlib import import_module
from importlib.resources import files
from typing import Any, ClassVar, Final

import typer
from typer.core import TyperCommand, TyperGroup

from evenkeel_engine.content import facts

Table = dict[str, dict[str, str]]
"""Sections of a `--help`: commands by name, each as `module:function`."""

OWN: Final[Table] = {
    "Check": {
        "check": "evenkeel_engine.cli.check_command:check",
        "compare": "evenkeel_engine.cli.compare_command:compare",
        "replay": "evenkeel_engine.cli.replay_command:replay",
        "campaign": "evenkeel_engine.cli.campaign_command:campaign",
        "adapter": "evenkeel_engine.cli.adapter_command:adapter",
    },
    "Read": {"explain": "evenkeel_engine.cli.explain_command:explain"},
    "Maintain": {
        "cases": "evenkeel_engine.cli.cases_command:cases_",
        "score": "evenkeel_engine.cli.score_command:score",
        "prove": "evenkeel_engine.cli.prove_command:prove",
        "report": "evenkeel_engine.cli.report_command:report",
        "spec": "evenkeel_engine.cli.spec_command:spec",
    },
}
COMMANDS: Final[Table] = {
    section: OWN.get(section, {}) | facts.COMMANDS.get(section, {})
    for section in (*OWN, *(one for one in facts.COMMANDS if one not in OWN))
}


class LazyGroup(TyperGroup):
    """A group whose commands are imported when they are called, not when they are listed."""

    table: ClassVar[Table] = {}

    def __init__(self, **attributes: Any) -> None:
        super().__init__(**{**attributes, "commands": dict.fromkeys(self.places)})

    @property
    def places(self) -> dict[str, str]:
        """The place of each command."""
        return {name: place for section in self.table.values() for name, place in section.items()}

    def get_command(self, ctx: Any, cmd_name: str) -> Any:
        """The command of this name, its module imported: a function, or a group with it as
        callback; None if there is none.
        """
        if (place := self.places.get(cmd_name)) is None:
            return None
        module, _, function = place.partition(":")
        found = import_module(module)
        if (app := getattr(found, "app", None)) is None:
            app = typer.Typer(add_completion=False, rich_markup_mode=None)
            app.command(cmd_name)(getattr(found, function))
        return typer.main.get_command(app)

    def shell_complete(self, ctx: Any, incomplete: str) -> Any:
        """Completions of the Tab key: names and their lines, without importing the commands."""
        light: Any = {
            name: TyperCommand(name, help=line_of(place)) for name, place in self.places.items()
        }
        ctx.command = TyperGroup(name=self.name, commands=light, params=self.params)
        return ctx.command.shell_complete(ctx, incomplete)

    def format_commands(self, ctx: Any, formatter: Any) -> None:
        """A section of the table after the other, a line for each command."""
        for title, section in self.table.items():
            with formatter.section(title):
                formatter.write_dl([(name, line_of(place)) for name, place in section.items()])


class Commands(LazyGroup):
    """All commands."""

    table = COMMANDS


def find_command(*words: str) -> Any:
    """The command that the words name, such as `operate` and `simulate`."""
    found: Any = Commands(name="evenkeel")
    for word in words:
        found = found.get_command(None, word)
    return found


def line_of(place: str) -> str:
    """The first line of a command's docstring, read from its source."""
    module, _, function = place.partition(":")
    package, _, file = module.rpartition(".")
    for node in ast.parse(files(package).joinpath(f"{file}.py").read_text("utf-8")).body:
        if isinstance(node, ast.FunctionDef) and node.name == function:
            return (ast.get_docstring(node) or "").partition("\n")[0]
    raise LookupError(place)
