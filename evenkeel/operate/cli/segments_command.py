"""`evenkeel operate segments`: the segments of a scalable topic over days."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import asdict, astuple
from typing import Annotated

import typer

from evenkeel.cli.options import Format, FormatOption, Unusable, edition_named, edition_of
from evenkeel.cli.output import finish, line, table
from evenkeel.operate.plan.segments import Days, Planned, Stretch, plan
from evenkeel.properties.kit.codec import BadData, from_json, to_json
from evenkeel.properties.kit.trial import BadTrial
from evenkeel.properties.scaling.loop import MOST_SEGMENTS
from evenkeel.reference.scaling.settings import ScaleRules


def segments(
    stretch: Annotated[
        list[str],
        typer.Option(
            "--stretch",
            help="MINUTES:RATE or MINUTES:RATE:CONSUMERS, a part of a day, with msg/s over the "
            "whole topic and the consumers of its largest stream subscription; in their order.",
        ),
    ],
    days: Annotated[
        int, typer.Option("--days", min=1, max=365, help="How often it is repeated.")
    ] = 1,
    first: Annotated[
        int, typer.Option("--segments", min=1, max=MOST_SEGMENTS, help="At the beginning.")
    ] = 1,
    message_bytes: Annotated[
        int, typer.Option("--message-bytes", min=0, help="Bytes of a message, on average.")
    ] = 1000,
    fan_out: Annotated[
        int, typer.Option("--fan-out", min=0, help="Subscriptions that each get all messages.")
    ] = 1,
    set_: Annotated[
        list[str] | None,
        typer.Option("--set", help="KEY=VALUE, a setting by Pulsar's name; may be repeated."),
    ] = None,
    edition: Annotated[
        str,
        typer.Option(
            "--edition",
            help="The edition that decides.",
            parser=edition_named,
            metavar="PULSAR_5_0|DOCUMENTED",
        ),
    ] = "PULSAR_5_0",
    format_: FormatOption = Format.TEXT,
) -> None:
    """Show how many segments a scalable topic has over days.

    Exit status 1 if it breaks what PIP-483 promises: it is split and merged in turn, or keeps more
    or fewer segments than it needs.
    """
    try:
        stretches, rules = tuple(map(stretch_of, stretch)), rules_with(set_ or ())
        asked = Days(stretches, days, first, message_bytes, fan_out, rules)
        planned = plan(asked, edition_of(edition))
    except BadTrial as bad:
        raise Unusable(f"{bad}.") from bad
    raise typer.Exit(tell(planned, format_))


def stretch_of(text: str) -> Stretch:
    """A part of a day. Raises `Unusable`."""
    try:
        minutes, rate, *consumers = text.split(":")
        (count,) = consumers or ["0"]
        return Stretch(int(minutes), float(rate), int(count))
    except ValueError as error:
        raise Unusable(
            f"--stretch {text!r} is not MINUTES:RATE or MINUTES:RATE:CONSUMERS."
        ) from error


def rules_with(changes: Sequence[str]) -> ScaleRules:
    """The defaults with some settings changed. Raises `Unusable`."""
    known = to_json(ScaleRules())
    for change in changes:
        key, _, value = change.partition("=")
        if key not in known:
            raise Unusable(f"--set {change!r}: {key} is no setting of splits and merges.")
        try:
            known[key] = json.loads(value)
        except ValueError as error:
            raise Unusable(f"--set {change!r}: {value!r} is no number, true or false.") from error
    try:
        return from_json(ScaleRules, known)
    except BadData as bad:
        raise Unusable(f"--set {bad.place}: {bad.reason}.") from bad


def tell(planned: Planned, format_: Format) -> int:
    """Print a plan; the exit status."""
    columns = ["#day", "#minutes", "#msg/s", "#consumers"]
    columns += ["#segments", "#at most", "#at the end", "#splits", "#merges", "#last in minute"]
    if format_ is Format.TEXT:
        shown = []
        for row in planned.rows:
            last = "" if row.last is None else row.last
            counts = (row.before, row.most, row.after, row.splits, row.merges)
            shown.append((row.day, *astuple(row.stretch), *counts, last))
        table("segments", columns, shown)
        for clause, sentence in planned.broken:
            line(f"{clause}: {sentence}")
    rests = "it comes to rest" if not planned.broken else f"{len(planned.broken)} promises broken"
    data = {
        "rows": [asdict(row) for row in planned.rows],
        "broken": [{"clause": clause, "sentence": why} for clause, why in planned.broken],
    }
    changes = f"{planned.splits} splits, {planned.merges} merges"
    summary = f"{changes}, {planned.rows[-1].after} segments; {rests}"
    return finish(format_, summary, 1 if planned.broken else 0, data)
