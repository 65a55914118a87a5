"""`evenkeel operate trace`: does the specification explain a recorded log of ownership events?"""

from __future__ import annotations

import tempfile
from collections.abc import Sequence
from itertools import islice
from pathlib import Path
from typing import Annotated

import typer

from evenkeel.operate.cli.trace_output import EXIT, SHOWN, print_clause
from evenkeel.operate.trace.judging import Judged, judge_rows, read_log
from evenkeel.operate.trace.source import Source, open_source
from evenkeel.operate.trace.spark import WORKERS_NEED, WORTHWHILE, judge_on_spark
from evenkeel.properties.ownership.trace import DOUBLE, Event, Rules, Status, TraceVerdict
from evenkeel.reference.edition import DOCUMENTED, EDITIONS
from evenkeel.reference.ownership.records import Storage
from evenkeel_engine import spec
from evenkeel_engine.campaign.archive import archive_bytes
from evenkeel_engine.campaign.errors import CampaignUnusable
from evenkeel_engine.campaign.session import is_local, open_spark
from evenkeel_engine.cli.options import EditionOption, Format, FormatOption, Unusable
from evenkeel_engine.cli.output import finish, print_line, print_table, show_progress
from evenkeel_engine.kit.codec import Json


def trace(
    file: Annotated[
        Path,
        typer.Argument(
            help="The log: JSON lines, or Parquet; or a folder of `evenkeel operate record`."
        ),
    ],
    storage: Annotated[
        Storage, typer.Option(help="Where the cluster keeps its records.")
    ] = Storage.TOPIC,
    skew: Annotated[
        int, typer.Option(min=0, max=10**9, help="By how many ms brokers' clocks may differ.")
    ] = 1000,
    spark: Annotated[
        str | None,
        typer.Option(help="Judge a large log on Spark: its master, `local[2]`. Large: 128 MiB."),
    ] = None,
    edition: EditionOption = DOCUMENTED.name,
    format_: FormatOption = Format.TEXT,
) -> None:
    """Judge a log of ownership events, or a recording, by the clauses.

    A line is an event: a record of a bundle, or its removal, took effect in a broker's view.
    Columns: time (ms, by the broker's clock), broker (who saw it), bundle, state (Free, Owned,
    Assigning, Releasing, Splitting, Deleted; Init for a removal), owner (the destination), source,
    version, and force. Only owner, source and force may be left out; version, of removals alone.
    Lines may come in any order, and several brokers may log the same record.

    Exit status: 0 explained, 1 violated, 2 unknown (events are missing, clocks differ by more
    than --skew, or the file is cut off) or unusable. The format: spec/trace.md.
    """
    if file.is_dir():
        judge_folder(file, storage, skew, spark, edition, format_)
    rules = Rules(storage, EDITIONS[edition], skew)
    try:
        source = open_source(file)
        judged = judge_here(source, rules) if spark is None else on_spark(source, rules, spark)
        tell(source, rules, judged, format_)
    except CampaignUnusable as bad:
        raise Unusable(str(bad)) from bad


def judge_folder(
    folder: Path, storage: Storage, skew: int, spark: str | None, edition: str, format_: Format
) -> None:
    """Judge a recording, and end. Raises `BadLog`, `Unusable`."""
    if spark is not None or storage is not Storage.TOPIC:
        raise Unusable(f"{folder} is a recording: it takes neither --spark nor --storage.")
    from evenkeel.operate.cli.recording_output import trace_recording  # noqa: PLC0415 - not for logs

    trace_recording(folder, EDITIONS[edition], skew, format_)


def judge_here(source: Source, rules: Rules) -> Judged:
    """Judge in this process. Raises `BadLog`."""
    name = source.path.name
    with show_progress("read", source.total, source.unit) as advance:
        rows, cut = read_log(source, lambda amount: advance(name, amount))
    with show_progress("judge", sum(map(len, rows.values())), "events") as advance:
        return Judged(judge_rows(rows, rules, lambda amount: advance(name, amount)), cut)


def on_spark(source: Source, rules: Rules, master: str) -> Judged:
    """Judge on Spark, or here what is too small for it; the result is the same.

    Spark's log is kept if it fails. Raises `BadLog`, `CampaignUnusable`.
    """
    is_local(master)  # raises if it can be none
    if source.total < WORTHWHILE[source.unit]:
        return judge_here(source, rules)
    folder = Path(tempfile.mkdtemp(prefix="evenkeel-trace-"))
    log = folder / "spark.log"
    with open_spark(master, log, archive_bytes(WORKERS_NEED)) as opened:
        judged = judge_on_spark(source.path, rules, opened, show_progress)
    log.unlink()
    folder.rmdir()
    return judged


def tell(source: Source, rules: Rules, judged: Judged, format_: Format) -> None:
    """Print the verdicts and end."""
    reported = [verdict for verdict in judged.verdicts if verdict.findings]
    places = [event.place for verdict in reported for event in verdict.around]
    places += [finding.place for verdict in reported for finding in verdict.findings]
    numbers = source.number_places(places)
    if format_ is Format.TEXT:
        for status in (Status.VIOLATED, Status.UNKNOWN):
            print_verdicts(status, judged.verdicts, source, numbers, rules.edition.name)
    data: dict[str, Json] = {
        "file": str(source.path),
        "storage": rules.storage.value,
        "edition": rules.edition.name,
        "skew": rules.skew,
        "verdict": judged.status.value,
        "events": judged.events,
        "cut": cut_sentence(source, judged),
        "bundles": [verdict_data(verdict, source.word, numbers) for verdict in judged.verdicts],
    }
    summary = summary_line(source, rules, judged)
    raise typer.Exit(finish(format_, summary, EXIT[judged.status], data))


def print_verdicts(
    status: Status,
    verdicts: Sequence[TraceVerdict],
    source: Source,
    numbers: dict[int, int],
    edition: str,
) -> None:
    """The bundles of one status: what was found, and the events around it."""
    of_status = [verdict for verdict in verdicts if verdict.status is status]
    for verdict in islice(of_status, SHOWN):
        print_line(
            f"{verdict.bundle}: {status.value} after {verdict.explained:,} of "
            f"{verdict.events:,} events"
        )
        # Its violations, two owners first; or else what is unknown.
        violations = [finding for finding in verdict.findings if finding.clause]
        violations.sort(key=lambda finding: finding.kind != DOUBLE)
        for finding in islice(violations or verdict.findings, SHOWN):
            place = f"{source.path}, {source.word} {numbers[finding.place]:,}"
            print_line(f"  {place}: {finding.kind}: {finding.sentence}")
            print_clause(finding.clause, edition)
        print_around(verdict, source.word, numbers)
        print_line()
    if len(of_status) > SHOWN:
        print_line(
            f"{len(of_status) - SHOWN:,} more bundles are {status.value}; --format json has all"
        )


def print_around(verdict: TraceVerdict, word: str, numbers: dict[int, int]) -> None:
    """The events around the first that is not explained, which is marked."""
    rows = []
    for at, event in enumerate(verdict.around, verdict.around_from):
        mark = ">" if at == verdict.explained else ""
        fields = event_data(event, word, numbers)
        rows.append([mark, *("" if value is None else str(value) for value in fields.values())])
    columns = ("", f"#{word}", "#time", "broker", "state", "owner", "source", "#version", "force")
    print_table("the events around it", columns, rows)


def event_data(event: Event, word: str, numbers: dict[int, int]) -> dict[str, Json]:
    """An event for programs."""
    fields = event._asdict()
    return {word: numbers[fields.pop("place")], **fields, "state": event.state.value}


def verdict_data(verdict: TraceVerdict, word: str, numbers: dict[int, int]) -> dict[str, Json]:
    """A verdict for programs."""
    data: dict[str, Json] = {
        "bundle": verdict.bundle,
        "verdict": verdict.status.value,
        "events": verdict.events,
        "explained": verdict.explained,
    }
    if verdict.findings:
        data["findings"] = [
            {
                word: numbers[finding.place],
                "kind": finding.kind,
                "clause": finding.clause,
                "rule": spec.find_clause(finding.clause).sentence if finding.clause else None,
                "sentence": finding.sentence,
            }
            for finding in verdict.findings
        ]
        data["around"] = [event_data(event, word, numbers) for event in verdict.around]
    return data


def cut_sentence(source: Source, judged: Judged) -> str | None:
    """That the file is cut off, if it is."""
    if judged.cut is None:
        return None
    return (
        f"{source.describe_place(judged.cut.place)}: the file ends within it ({judged.cut.reason})"
    )


def summary_line(source: Source, rules: Rules, judged: Judged) -> str:
    """The last line."""
    bundles, explained = len(judged.verdicts), judged.count(Status.EXPLAINED)
    parts = [f"{explained:,} of {bundles:,} bundles explained by {rules.edition.name}"]
    for status in (Status.VIOLATED, Status.UNKNOWN):
        if count := judged.count(status):
            parts.append(f"{count:,} {status.value}")
    text = f"{judged.status.value}: {', '.join(parts)}, {judged.events:,} events"
    cut = cut_sentence(source, judged)
    return text if cut is None else f"{text}; {cut}"
