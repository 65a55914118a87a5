"""`evenkeel report`: a case as a test and an issue that Pulsar's maintainers can take."""

from __future__ import annotations

from enum import StrEnum
from pathlib import Path
from typing import Annotated

import typer

from evenkeel.cli.options import Format, FormatOption
from evenkeel.cli.output import finish, line, write_text
from evenkeel.cli.places import case_at
from evenkeel.properties.kit.codec import Json
from evenkeel.report.issue import issue_of
from evenkeel.report.parts import NotSupported
from evenkeel.report.testng import JavaTest, java_test, require_defect


class As(StrEnum):
    """The form of a report."""

    TESTNG = "testng"


def report(
    case: Annotated[
        str, typer.Argument(metavar="CASE", help="A stored case's id, or a file with a case.")
    ],
    as_: Annotated[As, typer.Option("--as", help="Its form.")] = As.TESTNG,
    into: Annotated[
        Path | None, typer.Option("--into", help="Write the files here instead of printing them.")
    ] = None,
    format_: FormatOption = Format.TEXT,
) -> None:
    """Make a TestNG method on Pulsar's classes, and an issue, of a case."""
    one = case_at(case)
    require_defect(one)
    test: JavaTest | None = None
    try:
        test = java_test(one)
        issue = issue_of(one, test, case)
    except NotSupported as why:  # an issue needs no method
        issue = issue_of(one, why, case)
    if into is not None:
        files = {into / f"{test.name if test else one.id}.md": issue}
        files |= {into / test.path: test.text} if test else {}
        for path, text in files.items():
            write_text(path, text, folders=True)
        words = " and ".join(map(str, files))
    else:
        words = summary(test)
        if format_ is Format.TEXT:
            for text in issue.splitlines():
                line(text)
    data: dict[str, Json] = {
        "path": test.path if test else None,
        "test": test.text if test else None,
        "issue": issue,
    }
    raise typer.Exit(finish(format_, words, 0, data))


def summary(test: JavaTest | None) -> str:
    """The last line: what was made of the case."""
    if test is None:
        return "an issue without a TestNG method"
    return f"{test.name}.{test.method}, {len(test.text.splitlines())} lines of Java"
