"""`evenkeel quotations`: are the words that the specification quotes in the documents?"""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from evenkeel.cli.options import Format, FormatOption
from evenkeel.cli.output import finish, line
from evenkeel.cli.quoted import fingerprint, kept, quotations, read_documents, write


def quotations_(
    folder: Annotated[
        Path, typer.Argument(help="Texts of the documents, in files named 001… to 004….")
    ],
    write_: Annotated[
        bool, typer.Option("--write", help="Keep the fingerprints of those that are found.")
    ] = False,
    format_: FormatOption = Format.TEXT,
) -> None:
    """Look up each quotation of the specification in the texts of the documents."""
    documents = read_documents(folder)
    whole = quotations()
    wrong = [(place, one, why) for place, one in whole if (why := documents[one.document].has(one))]
    missed = {id(one) for _, one, _ in wrong}
    right = [one for _, one in whole if id(one) not in missed]
    if write_:
        write(right)
        kept.cache_clear()
    unknown = [one for one in right if fingerprint(one) not in kept()]
    if format_ is Format.TEXT:
        for place, one, why in wrong:
            line(f'{place}: document {one.document} {why}: "{one.text}"')
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
