"""`evenkeel report`: a case as an issue that maintainers can take."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from evenkeel_engine.cli.options import Format, FormatOption
from evenkeel_engine.cli.output import finish, print_lines, write_text
from evenkeel_engine.cli.places import case_at
from evenkeel_engine.kit.codec import Json
from evenkeel_engine.stored.issue import issue_of


def report(
    case: Annotated[
        str, typer.Argument(metavar="CASE", help="A stored case's id, or a file with a case.")
    ],
    into: Annotated[
        Path | None,
        typer.Option("--into", help="Write the text into this folder instead of printing it."),
    ] = None,
    format_: FormatOption = Format.TEXT,
) -> None:
    """Write the text of an issue, in Markdown, of a case."""
    one = case_at(case)
    issue = issue_of(one, case)
    data: dict[str, Json] = {"issue": issue}
    if into is not None:
        path = into / f"{one.id}.md"  # an id is no path
        write_text(path, issue, folders=True)
        data["path"] = str(path)
        summary = str(path)
    else:
        summary = f"an issue about {one.clause}"
        if format_ is Format.TEXT:
            print_lines(issue.splitlines())
    raise typer.Exit(finish(format_, summary, 0, data))
