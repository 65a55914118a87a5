"""Whose cluster it is: asked for, since no answer is right for all.

`DOCUMENTED` is a balancer that nobody runs, and what Pulsar 4.0 does is no promise.
"""

from __future__ import annotations

import sys
from typing import Annotated, Final, TypeAlias

import typer

from evenkeel.cli.options import EditionName, Unusable, edition_named, edition_of
from evenkeel.reference.edition import Edition

WhoseOption: TypeAlias = Annotated[
    EditionName | None,
    typer.Option(
        "--edition",
        help="Whose cluster: PULSAR_4_0 is what Pulsar 4.0 does, its defects included, DOCUMENTED "
        "what the documents promise; else as scenario or evenkeel.toml say; else you are asked.",
        parser=edition_named,
        metavar="|".join(EditionName),
    ),
]
UNSAID: Final = (
    "whose cluster is it? Give --edition PULSAR_4_0 (what Pulsar 4.0 does, its defects included) "
    "or --edition DOCUMENTED (what the documents promise), or the scenario a line edition = ..."
)
QUESTION: Final = (
    "Whose cluster is it: PULSAR_4_0 (what Pulsar 4.0 does, its defects included) or DOCUMENTED "
    "(what the documents promise)?"
)


class Whose:
    """Finds the edition of each scenario, and asks once at most."""

    def __init__(self, given: EditionName | None) -> None:
        self._given = given
        self._answer: EditionName | None = None

    def edition(self, name: str, said: str | None) -> Edition:
        """The edition: given on the command line, said by the scenario, or asked for.

        Raises `Unusable` where there is nobody to ask.
        """
        if self._given is not None:
            return edition_of(self._given)
        if said is not None:
            return edition_of(EditionName(said))
        self._answer = self._answer or asked(name)
        return edition_of(self._answer)


def somebody_there() -> bool:
    """Whether a person can read a question and answer it."""
    return sys.stdin.isatty() and sys.stderr.isatty()


def asked(name: str) -> EditionName:
    """What the person at the terminal answers. Raises `Unusable` where there is none."""
    if not somebody_there():
        raise Unusable(f"{name}: {UNSAID}")
    while True:
        answer = typer.prompt(QUESTION, default=EditionName.PULSAR_4_0.value, err=True)
        try:
            return edition_named(answer)
        except Unusable as unusable:
            typer.echo(str(unusable), err=True)
