"""`evenkeel operate limits plan`: what a dispatch limit guarantees, and what it lets through."""

from __future__ import annotations

from dataclasses import asdict
from pathlib import Path
from typing import Annotated

import typer

from evenkeel.operate.plan import planning
from evenkeel.operate.plan.planning import Bounds, Limiter, RequestedLimit
from evenkeel_engine.cli.options import Format, FormatOption, Unusable
from evenkeel_engine.cli.output import finish, print_line, print_table
from evenkeel_engine.extras import require

SUFFIXES = (".png", ".svg", ".pdf")
MOST = 10**12
"""The largest number that a plan is made for."""


def plan(
    messages: Annotated[int | None, typer.Option(help="Limit in messages per period.")] = None,
    bytes_: Annotated[
        int | None, typer.Option("--bytes", help="Limit in bytes per period.")
    ] = None,
    period: Annotated[int, typer.Option(help="Seconds of a period.")] = 1,
    batch: Annotated[int, typer.Option(help="Messages of one entry at most.")] = 1,
    entry_bytes: Annotated[int, typer.Option(help="Bytes of an entry, on average.")] = 1024,
    largest_entry: Annotated[int | None, typer.Option(help="Bytes of the largest entry.")] = None,
    read_batch: Annotated[int, typer.Option(help="dispatcherMaxReadBatchSize.")] = 100,
    permits: Annotated[
        int, typer.Option(help="Receiver queues of the consumers, in messages.")
    ] = 1000,
    subscriptions: Annotated[int, typer.Option(help="Subscriptions that share the limit.")] = 1,
    reads: Annotated[
        int, typer.Option(help="Reads of a subscription at once: 2 if shared (one and a replay).")
    ] = 2,
    partitions: Annotated[int, typer.Option(help="Topics that each have the limit.")] = 1,
    count_entries: Annotated[
        bool, typer.Option("--count-entries", help="dispatchThrottlingOnBatchMessageEnabled.")
    ] = False,
    precise: Annotated[
        bool, typer.Option("--precise", help="preciseDispatcherFlowControl, as documented.")
    ] = False,
    limiter: Annotated[
        Limiter | None, typer.Option(help="Only this one; none: both, the token bucket first.")
    ] = None,
    plot: Annotated[Path | None, typer.Option(help="Draw the worst case into this file.")] = None,
    format_: FormatOption = Format.TEXT,
) -> None:
    """Show what a dispatch limit lets through at worst, and when.

    4.0's default limiter, a token bucket, comes first, then the period counter that the documents
    describe (dispatchRateLimiterFactoryClassName: classic). For other defaults: --limiter.
    """
    largest = entry_bytes if largest_entry is None else largest_entry
    for name, number in (
        ("--messages", messages),
        ("--bytes", bytes_),
        ("--period", period),
        ("--batch", batch),
        ("--entry-bytes", entry_bytes),
        ("--largest-entry", largest),
        ("--read-batch", read_batch),
        ("--permits", permits),
        ("--subscriptions", subscriptions),
        ("--reads", reads),
        ("--partitions", partitions),
    ):
        if number is not None and not 1 <= number <= MOST:
            raise Unusable(f"{name} must be from 1 to {MOST:,}, not {number:,}.")
    require_sense(messages, bytes_, entry_bytes, largest, count_entries and precise)
    requested = RequestedLimit(
        messages=messages,
        bytes=bytes_,
        period=period,
        batch=batch,
        average_bytes=entry_bytes,
        largest_bytes=largest,
        entries=min(read_batch, permits),
        reads=reads * subscriptions,
        partitions=partitions,
        by_entry=count_entries,
        precise=precise,
    )
    if plot is not None:
        require_plot(requested, plot)
    tell(requested, [limiter] if limiter else list(Limiter), plot, format_)


def require_sense(
    messages: int | None, bytes_: int | None, average: int, largest: int, both_modes: bool
) -> None:
    """Raise `Unusable` for options that make no plan."""
    if messages is None and bytes_ is None:
        raise Unusable("A plan needs a limit: --messages, --bytes, or both.")
    if largest < average:
        raise Unusable(f"--largest-entry {largest} is less than --entry-bytes {average}.")
    if both_modes:
        raise Unusable("--count-entries and --precise exclude each other (document 004).")


def tell(
    requested: RequestedLimit, limiters: list[Limiter], plot: Path | None, format_: Format
) -> None:
    """Print the plan of each limiter, and draw it if requested."""
    bounds = [found for one in limiters for found in planning.all_bounds(requested, one)]
    schedule = planning.worst_schedule(requested) if shows_schedule(requested) else []
    if format_ is Format.TEXT:
        for found in bounds:
            print_bounds(found, requested)
        if schedule:
            print_line("worst case of one partition in one period, with the period counter:")
            for place, sentence in enumerate(schedule, 1):
                print_line(f"  {place}. {sentence}")
            print_line()
    if plot is not None:
        write_plot(requested, plot)
    data = {"bounds": [asdict(found) for found in bounds], "schedule": schedule}
    reported = "; ".join(
        summarize_bounds([found for found in bounds if found.limiter is one], requested)
        for one in limiters
    )
    raise typer.Exit(finish(format_, f"{reported}; on average the limit", 0, data))


def shows_schedule(requested: RequestedLimit) -> bool:
    """A schedule attains the bound of a limit in messages, without precise mode."""
    return requested.messages is not None and not requested.precise


def require_plot(requested: RequestedLimit, path: Path) -> None:
    """Raise `Unusable` for what cannot be plotted, before anything is computed."""
    if not shows_schedule(requested):
        raise Unusable("--plot needs --messages, and no --precise: nothing else has a timeline.")
    if path.suffix not in SUFFIXES:
        raise Unusable(f"--plot {path}: the file must end in {', '.join(SUFFIXES)}.")
    require("matplotlib")


def write_plot(requested: RequestedLimit, path: Path) -> None:
    """Draw, or say why not. Raises `Unusable`."""
    from evenkeel.operate.plan import drawing  # noqa: PLC0415 - matplotlib loads longer than all the rest

    try:
        drawing.draw(requested, path)
    except OSError as error:
        raise Unusable(f"--plot {path}: cannot be written ({error.strerror}).") from error


def print_bounds(bounds: Bounds, requested: RequestedLimit) -> None:
    """One table."""
    together = f", {requested.partitions:,} partitions together" if requested.partitions > 1 else ""
    print_table(
        f"{bounds.unit}{together}, {CALLED[bounds.limiter]}",
        ("window", "#the limit says", "#at most in whole periods", "#at most in any window"),
        [
            (f"{row.periods} x {requested.period} s", row.limit, row.aligned, row.window)
            for row in bounds.rows
        ],
    )


CALLED = {
    Limiter.BUCKET: "token bucket (4.0's default, THR-54)",
    Limiter.COUNTER: "period counter (classic, THR-50)",
}


def summarize_bounds(bounds: list[Bounds], requested: RequestedLimit) -> str:
    """A limiter's part of the last line."""
    parts = []
    for found in bounds:
        row = found.rows[0]
        parts.append(
            f"{row.window:,} {found.unit} in some {requested.period} s "
            f"({row.window / row.limit:.1f} times the limit)"
        )
    attained = all(found.attained for found in bounds)
    reached = "a schedule reaches it" if attained else "an upper bound"
    return f"{bounds[0].limiter}: at worst {', '.join(parts)}, {reached}"
