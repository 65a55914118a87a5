"""`evenkeel operate predict`: the leader's decisions and those that the reference predicts."""

from __future__ import annotations

import time
from collections import Counter
from collections.abc import Sequence
from dataclasses import asdict
from datetime import UTC, datetime
from pathlib import Path
from typing import Annotated

import typer

from evenkeel.operate.cli.cluster_options import (
    BrokerConfOption,
    ManagerOption,
    PulsarOption,
    print_progress,
    seconds_of,
)
from evenkeel.operate.cluster.configuration import Manager, RequestedCluster, settings_of
from evenkeel.operate.live.plans import UNEVEN
from evenkeel.operate.live.uneven import SNAPSHOTS, record_uneven
from evenkeel.operate.operating.expected import describe_moves as prediction_words
from evenkeel.operate.operating.predictions import Prediction, predictions_in
from evenkeel.operate.operating.snapshot import BadSnapshot
from evenkeel.operate.recording.attributes import BARE, in_older_form
from evenkeel.operate.recording.decisions import Match, Predicted, count_matches
from evenkeel.operate.recording.judge import predict_decisions
from evenkeel.operate.recording.store import read_entries
from evenkeel.operate.trace.rows import BadLog
from evenkeel.reference.edition import EDITIONS, PULSAR_4_0
from evenkeel_engine.cli.options import EditionOption, Format, FormatOption, SeedOption, Unusable
from evenkeel_engine.cli.output import finish, print_line, print_table
from evenkeel_engine.kit.codec import Json

SHOWN = 300
"""Letters of a decision in a table."""


def predict(
    recording: Annotated[
        Path | None,
        typer.Argument(help="A recording that is there; else a cluster is started and loaded."),
    ] = None,
    out: Annotated[Path | None, typer.Option(help="Where the recording goes.")] = None,
    for_: Annotated[str, typer.Option("--for", help="How long the cluster is loaded.")] = "25m",
    pulsar: PulsarOption = "4.0.8",
    brokers: Annotated[int, typer.Option(min=2, help="How many.")] = 3,
    manager: ManagerOption = Manager.EXTENSIBLE,
    set_: BrokerConfOption = None,
    seed: SeedOption = 0,
    snapshots: Annotated[
        float | None,
        typer.Option(
            min=10,
            max=3600,
            help="Seconds between two snapshots, from which decisions are predicted, too.",
        ),
    ] = None,
    edition: EditionOption = PULSAR_4_0.name,
    format_: FormatOption = Format.TEXT,
) -> None:
    """Predict each decision of a cluster's leader, and compare.

    A cluster is started, with uneven load on loopback and settings with which its leader sheds
    every minute; or a recording that has logs is taken.

    agreed: from the latest reports follows what the leader decided. explained: it follows if the
    leader read a report a moment later, or listed equally loaded brokers in another order. differs:
    it follows from nothing that was recorded. Exit status 1 if one differs, 2 if there is none.
    """
    if recording is None:
        recording = out or Path(f"evenkeel-predict-{datetime.now():%Y%m%d-%H%M%S}")
        requested = RequestedCluster(
            pulsar, brokers, manager, {**UNEVEN, **settings_of(set_ or [])}
        )
        began = time.monotonic()
        reported = print_progress(lambda: f"{time.monotonic() - began:4.0f} s: ")
        record_uneven(requested, recording, seconds_of(for_), seed, reported, snapshots)
    try:
        found = predict_decisions(recording, EDITIONS[edition])
        kept = list((recording / SNAPSHOTS).glob("*.json"))
        of_snapshots = predictions_in(recording, kept, EDITIONS[edition]) if kept else []
    except (BadLog, BadSnapshot, ValueError) as bad:
        raise Unusable(f"{recording}: {bad}") from bad
    log = (in_older_form(one.data) for one in read_entries(recording, ("log",)))
    if not found and any(map(BARE.search, log)):
        raise Unusable(
            f"{recording}: the leader's log has no values that are read: since 5.0 they are "
            "attributes, which a layout must print (%X after %msg in log4j2.yaml, mdc in JSON)."
        )
    tell(recording, found, of_snapshots, format_)


def print_predictions(found: list[Prediction]) -> None:
    """A table of snapshots."""
    rows = [
        (
            show_clock(one.taken),
            show_clock(one.round),
            one.match.value,
            *map(shorten_words, word_both(one)),
        )
        for one in found
    ]
    columns = ("taken, UTC", "round", "", "predicted", "made")
    print_table("decisions predicted from snapshots", columns, rows)
    for one in found:
        if one.why:
            print_line(f"{show_clock(one.taken)} {one.match.value}: {one.why}")


def word_both(one: Prediction) -> tuple[str, str]:
    """Both decisions in words."""
    return prediction_words(one.predicted), prediction_words(one.made)


def count_decisions(
    found: Sequence[Predicted | Prediction], what: str, in_which: str = "with moves"
) -> str:
    """How the decisions that were predicted stand to those that were made."""
    moving = Counter(one.match for one in found if one.moves)
    return (
        f"{len(found)} {what}: {count_matches(one.match for one in found)}; "
        f"of {sum(moving.values())} {in_which} "
        f"{moving[Match.AGREED]} agreed, {moving[Match.EXPLAINED]} explained"
    )


def print_rounds(found: list[Predicted]) -> None:
    """A table of rounds, and why one is not as predicted."""
    rows = [
        (show_clock(one.at), one.strategy, one.match.value, *map(shorten_words, ends))
        for one in found
        for ends in [(one.predicted, one.made)]
    ]
    print_table("rounds of shedding", ("UTC", "strategy", "", "predicted", "made"), rows)
    for one in found:
        if one.why:
            clauses = f" ({', '.join(one.clauses)})" if one.clauses else ""
            print_line(f"{show_clock(one.at)} {one.match.value}: {one.why}{clauses}")


def tell(
    recording: Path, found: list[Predicted], of_snapshots: list[Prediction], format_: Format
) -> None:
    """Print the table, and end."""
    if format_ is Format.TEXT:
        print_rounds(found)
        if of_snapshots:
            print_predictions(of_snapshots)
    data: dict[str, Json] = {
        "recording": str(recording),
        "snapshots": [
            {**asdict(one), "predicted": predicted, "made": made, "match": one.match.value}
            for one in of_snapshots
            for predicted, made in [word_both(one)]
        ],
        "rounds": [{**asdict(one), "match": one.match.value} for one in found],
    }
    text = count_decisions(found, "rounds", "in which something moved or was to move")
    if of_snapshots:
        text += f"; {count_decisions(of_snapshots, 'snapshots')}"
    differs = any(one.match is Match.DIFFERS for one in found)
    status = 1 if differs else 0 if found else 2
    raise typer.Exit(finish(format_, text, status, data))


def show_clock(at: int) -> str:
    """A time of day."""
    return datetime.fromtimestamp(at / 1000, UTC).strftime("%H:%M:%S")


def shorten_words(text: str) -> str:
    """No longer than a cell bears."""
    return text if len(text) <= SHOWN else text[:SHOWN] + " …"
