"""The options that commands share, and their conversion."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable
from difflib import get_close_matches
from enum import StrEnum
from typing import Annotated, Any, Final, TypeAlias

import typer

from evenkeel_engine import spec
from evenkeel_engine.check.profile import Profile
from evenkeel_engine.content import BASE_EDITIONS, EDITIONS, EFFECTS, PROGRAM
from evenkeel_engine.errors import UserError
from evenkeel_engine.kit.draw import Generator
from evenkeel_engine.text import make_printable


class Unusable(UserError):
    """A request that cannot be carried out: one clear sentence, exit status 2."""


class Format(StrEnum):
    """How results are printed."""

    TEXT = "text"
    JSON = "json"


def resolve_name(kind: str, name: str, names: Collection[str], where: str = "") -> str:
    """Find a name regardless of case. Raises `Unusable`, with the closest name if any."""
    if name in names:
        return name
    folded = {known.casefold(): known for known in names}
    if name.casefold() in folded:
        return folded[name.casefold()]
    close = get_close_matches(name.casefold(), folded, 1)
    others = where or f"there are {', '.join(names)}."
    hint = f"did you mean {folded[close[0]]}?" if close else others
    raise Unusable(f"{kind} {make_printable(name)}; {hint}")


def edition_named(name: str) -> str:
    """The edition with this name, whatever its case. Raises `Unusable`, with all editions."""
    try:
        return resolve_name("There is no edition", name, EDITIONS)
    except Unusable as unusable:
        said = str(unusable)
        listed = ", ".join(EDITIONS)
        raise Unusable(said if listed in said else f"{said} There are {listed}.") from None


def offer_names(names: Callable[[], Iterable[str]]) -> Callable[[str], list[str]]:
    """Names for the Tab key, in the case that is typed: the shell drops others."""

    def completions(incomplete: str) -> list[str]:
        begun = len(incomplete)
        return [
            incomplete + name[begun:]
            for name in names()
            if name[:begun].casefold() == incomplete.casefold()
        ]

    return completions


def question_names() -> list[str]:
    """The names of all questions."""
    from evenkeel_engine.kit.catalogue import QUESTIONS  # noqa: PLC0415 - imports all questions

    return sorted(QUESTIONS)


LONGEST: Final = 86_400
"""Seconds of a time limit: a day is enough for a debugger, and a timer takes it."""
EDITION_NAMES = "|".join((*BASE_EDITIONS, "…"))
CLAUSES_OFFERED = offer_names(spec.read_entries)


def edition_option(help_: str) -> Any:
    """The option --edition with this help."""
    return typer.Option("--edition", help=help_, parser=edition_named, metavar=EDITION_NAMES)


def only_option(what: str, names: Callable[[], Iterable[str]]) -> Any:
    """An option that leaves only what it names, and may be repeated."""
    words = f"Only this {what}; may be repeated."
    return typer.Option(f"--{what}", metavar="NAME", help=words, autocompletion=offer_names(names))


def seconds_option(name: str, help_: str) -> Any:
    """An option that is a time."""
    return typer.Option(name, metavar="SECONDS", min=0.1, max=LONGEST, help=help_)


EditionOption: TypeAlias = Annotated[str, edition_option("The edition that is checked.")]
SeedOption: TypeAlias = Annotated[
    int, typer.Option("--seed", metavar="N", min=0, max=2**31 - 1, help="Same seed, same trials.")
]
GeneratorOption: TypeAlias = Annotated[
    Generator,
    typer.Option(
        "--generator",
        help="The generator: evenkeel's own, or the one written from the wire protocol alone.",
    ),
]
ChapterOption: TypeAlias = Annotated[
    list[str] | None, only_option("chapter", lambda: spec.CHAPTERS)
]
QuestionOption: TypeAlias = Annotated[list[str] | None, only_option("question", question_names)]
ClauseOption: TypeAlias = Annotated[list[str] | None, only_option("clause", spec.read_entries)]
ProfileOption: TypeAlias = Annotated[Profile, typer.Option("--profile", help="How much is done.")]
FormatOption: TypeAlias = Annotated[Format, typer.Option("--format", help="How it is printed.")]
HelloTimeoutOption: TypeAlias = Annotated[
    float, seconds_option("--hello-timeout", "Seconds that the subject has to start.")
]
TrialTimeoutOption: TypeAlias = Annotated[
    float, seconds_option("--trial-timeout", "Seconds that it has for one answer.")
]
AllowUnexercisedOption: TypeAlias = Annotated[
    bool,
    typer.Option(
        "--allow-unexercised", help="Exit 0 even if trials of some clause could show no breach."
    ),
]
StrictOption: TypeAlias = Annotated[
    bool, typer.Option("--strict", help="Departures from practice (SHOULD) are errors, too.")
]
FailOnOption: TypeAlias = Annotated[
    list[str] | None,
    typer.Option(
        "--fail-on",
        metavar="|".join(EFFECTS) or "EFFECT",
        help="Departures with this effect are errors, too; may be repeated.",
    ),
]
SubjectOption: TypeAlias = Annotated[
    str,
    typer.Option(
        "--subject",
        metavar="CMD",
        help="What is checked: a command that speaks the wire protocol, `reference`, "
        "`reference:EDITION`, `reference:EDITION:NAME` (a further one, by its name), "
        "or, for `check`, `-`: who started evenkeel.",
    ),
]


def effects_of(names: Iterable[str]) -> frozenset[str]:
    """The effects named. Raises `Unusable`."""
    return frozenset(resolve_name("There is no effect", one, EFFECTS) for one in names)


def chapters_of(names: list[str] | None) -> list[str]:
    """The chapters named; none named means all. Raises `Unusable`."""
    return [resolve_name("There is no chapter", name, spec.CHAPTERS) for name in names or []]


def refuse_options(context: typer.Context, option: str, names: Collection[str]) -> None:
    """Raise `Unusable` if an option is typed that does not go with this one."""
    for parameter in context.command.params:
        source = str(context.get_parameter_source(parameter.name or ""))
        if parameter.name not in names and source.endswith(".COMMANDLINE"):
            raise Unusable(f"{option} and {parameter.opts[0]} exclude each other.")


def clauses_of(ids: list[str] | None) -> list[str]:
    """The clauses named; none named means all. Raises `Unusable`."""
    known, where = spec.read_entries(), f"`{PROGRAM} explain` lists all."
    kind = "The specification has no clause"
    return [resolve_name(kind, id_, known, where) for id_ in ids or []]
