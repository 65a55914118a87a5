"""`evenkeel spec`: the specification compared with its source documents."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from evenkeel_engine import content
from evenkeel_engine.cli import coverage as coverage_page
from evenkeel_engine.cli import quotations as quoted
from evenkeel_engine.cli.options import Format, FormatOption
from evenkeel_engine.cli.output import finish, print_line, print_lines, print_table
from evenkeel_engine.files import write_file
from evenkeel_engine.kit.codec import Json

app = typer.Typer(no_args_is_help=True, add_completion=False, rich_markup_mode=None)


@app.callback()
def spec() -> None:
    """Compare the specification with the documents that it quotes."""


@app.command()
def quotations(
    folder: Annotated[
        Path,
        typer.Argument(
            help="Texts of the documents, in files whose names begin as clauses name them: "
            f"{', '.join(content.chapters.DOCUMENTS)}."
        ),
    ],
    write_: Annotated[
        bool, typer.Option("--write", help="Keep the fingerprints of those that are found.")
    ] = False,
    format_: FormatOption = Format.TEXT,
) -> None:
    """Look up each quotation of the specification in the texts of the documents."""
    documents = quoted.read_documents(folder)
    whole = quoted.list_quotations()
    wrong = [(place, one, why) for place, one in whole if (why := documents[one.document].has(one))]
    missed = {id(one) for _, one, _ in wrong}
    right = [one for _, one in whole if id(one) not in missed]
    if write_:
        quoted.write(right)
        quoted.read_fingerprints.cache_clear()
    unknown = [
        one for one in right if quoted.compute_fingerprint(one) not in quoted.read_fingerprints()
    ]
    if format_ is Format.TEXT:
        for place, one, why in wrong:
            print_line(f'{place}: document {one.document} {why}: "{one.text}"')
    summary = f"{len(right)} of {len(whole)} quotations are in the documents"
    if unknown:
        summary += f", {len(unknown)} of them without a fingerprint (--write)"
    data = {
        "found": len(right),
        "wrong": [
            {"place": place, "document": one.document, "words": one.text, "why": why}
            for place, one, why in wrong
        ],
        "without_fingerprint": len(unknown),
    }
    raise typer.Exit(finish(format_, summary, 1 if wrong or unknown else 0, data))


@app.command()
def coverage(
    write_: Annotated[
        bool, typer.Option("--write", help="Make the page spec/coverage.md of the list.")
    ] = False,
    full: Annotated[
        bool, typer.Option("--full", help="Print every statement with its clauses, as Markdown.")
    ] = False,
    format_: FormatOption = Format.TEXT,
) -> None:
    """Count the statements of the documents that have a clause, and those that have none.

    Exit status 1 if the page spec/coverage.md is not the one that the list coverage.toml makes.
    """
    page = coverage_page.short_page()
    if write_:
        write_file(coverage_page.PAGE, page)
    current = coverage_page.text_of(coverage_page.PAGE) == page
    rows = coverage_page.count_statements()
    if full and format_ is Format.TEXT:
        print_lines(coverage_page.render_coverage().splitlines())
    elif format_ is Format.TEXT:
        print_table("statements", ["document", "#with a clause", "#without"], rows)
    summary = (
        f"{sum(row[1] for row in rows)} statements with a clause, "
        f"{sum(row[2] for row in rows)} without"
    )
    if not current:
        summary += "; spec/coverage.md is out of date (--write)"
    data: dict[str, Json] = {
        "documents": {name: {"with": some, "without": none} for name, some, none in rows},
        "current": current,
    }
    raise typer.Exit(finish(format_, summary, 0 if current else 1, data))
