"""`evenkeel operate segments`: the segments of a scalable topic over days."""

from __future__ import annotations

import json
from collections.abc import Iterable
from dataclasses import asdict, fields
from typing import Annotated, Any

import typer

from evenkeel.operate.plan.segments import (
    Change,
    Days,
    Planned,
    Stretch,
    find_resting_changes,
    plan,
)
from evenkeel.properties.scaling.loop import MOST_SEGMENTS
from evenkeel.reference.edition import EDITIONS
from evenkeel_engine.cli.options import Format, FormatOption, Unusable, edition_named
from evenkeel_engine.cli.output import finish, print_line, print_table
from evenkeel_engine.kit.codec import BadData
from evenkeel_engine.kit.trial import BadTrial


def segments(
    stretch: Annotated[
        list[str],
        typer.Option(
            help="MINUTES:RATE[:CONSUMERS[:CHECKPOINT]], a part of a day, with msg/s over the "
            "whole topic, the consumers of its largest stream subscription, and those of its "
            "largest group of checkpoint consumers, which cannot share a segment; in their order."
        ),
    ],
    days: Annotated[int, typer.Option(min=1, max=365, help="How often it is repeated.")] = 1,
    first: Annotated[
        int, typer.Option("--segments", min=1, max=MOST_SEGMENTS, help="At the beginning.")
    ] = 1,
    message_bytes: Annotated[
        int, typer.Option(min=0, help="Bytes of a message, on average.")
    ] = 1000,
    fan_out: Annotated[
        int, typer.Option(min=0, help="Subscriptions that each get all messages.")
    ] = 1,
    set_: Annotated[
        list[str] | None,
        typer.Option("--set", help="KEY=VALUE, a setting by Pulsar's name; may be repeated."),
    ] = None,
    edition: Annotated[
        str,
        typer.Option(
            help="The edition that decides.",
            parser=edition_named,
            metavar="PULSAR_5_0_1|PULSAR_5_0|DOCUMENTED",
        ),
    ] = "PULSAR_5_0_1",
    format_: FormatOption = Format.TEXT,
) -> None:
    """Show how many segments a scalable topic has over days.

    Exit status 1 if it breaks what PIP-483 promises: it is split and merged in turn, or keeps more
    or fewer segments than it needs. Then also which settings would let it rest.
    """
    by = EDITIONS[edition]
    try:
        stretches, settings = tuple(map(stretch_of, stretch)), dict(map(setting_of, set_ or ()))
        asked = Days(stretches, days, first, message_bytes, fan_out, settings)
        planned = plan(asked, by)
    except (BadTrial, BadData) as bad:
        raise Unusable(f"{bad}.") from bad
    raise typer.Exit(
        tell(planned, find_resting_changes(asked, by) if planned.broken else (), format_)
    )


def stretch_of(text: str) -> Stretch:
    """A part of a day. Raises `Unusable`."""
    try:
        minutes, rate, *consumers = text.split(":")
        return Stretch(int(minutes), float(rate), *map(int, consumers))
    except (ValueError, TypeError) as error:
        raise Unusable(
            f"--stretch {text!r} is not MINUTES:RATE[:CONSUMERS[:CHECKPOINT]]."
        ) from error


def setting_of(text: str) -> tuple[str, Any]:
    """A setting by its key. Raises `Unusable`."""
    key, _, value = text.partition("=")
    try:
        return key, json.loads(value)
    except (ValueError, RecursionError) as error:
        raise Unusable(f"--set {text!r}: {value!r} is no number, true or false.") from error


def tell(planned: Planned, changes: Iterable[Change], format_: Format) -> int:
    """Print a plan, and what would let it rest; the exit status."""
    columns = ["#day", "#minutes", "#msg/s", "#consumers"]
    columns += ["#segments", "#at most", "#at the end", "#buckets", "#splits", "#merges"]
    columns += ["#rebuckets", "#last in minute"]
    if format_ is Format.TEXT:
        shown = []
        for row in planned.rows:
            day, stretch, *counts, last = (getattr(row, one.name) for one in fields(row))
            given = (stretch.minutes, stretch.rate, stretch.readers)
            shown.append((day, *given, *counts, "" if last is None else last))
        print_table("segments", columns, shown)
        for clause, sentence in planned.broken:
            print_line(f"{clause}: {sentence}")
    found = list(changes)
    if found and format_ is Format.TEXT:
        print_line("It would come to rest with (nearest first):")
        for one in found:
            print_line(f"  {one.key}={one.value:g} (now {one.before:g})")
    rests = "it comes to rest" if not planned.broken else f"{len(planned.broken)} promises broken"
    data = {
        "rows": [asdict(row) for row in planned.rows],
        "broken": [{"clause": clause, "sentence": why} for clause, why in planned.broken],
        "changes": [asdict(one) for one in found],
    }
    done = ", ".join(f"{planned.count(did)} {did}s" for did in ("split", "merge", "rebucket"))
    summary = f"{done}, {planned.rows[-1].after} segments; {rests}"
    return finish(format_, summary, 1 if planned.broken else 0, data)
