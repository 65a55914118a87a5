"""`evenkeel snapshot`, `advise`, `why`: for those who run a cluster."""

from __future__ import annotations

from dataclasses import asdict
from pathlib import Path
from typing import Annotated, Any, Final, NoReturn

import typer

from evenkeel.cli.cluster_options import (
    AdminOption,
    Named,
    NameOption,
    ServiceOption,
    TokenOption,
    TrustOption,
    target_named,
)
from evenkeel.cli.options import EditionName, Format, FormatOption, Unusable, edition_of
from evenkeel.cli.output import finish, line, progress, table
from evenkeel.cli.predict_command import clock
from evenkeel.cli.simulate_output import minutes, percent
from evenkeel.operating import advice, divisions, gather, snapshot
from evenkeel.operating.advice import CLAUSES, Outlook
from evenkeel.operating.snapshot import BadSnapshot, SeenBroker, Snapshot
from evenkeel.recording.why import told_of as told_of_bundle
from evenkeel.reference.balancing.settings import Settings, Strategy
from evenkeel.reference.edition import Edition
from evenkeel.trace.rows import BadLog

MEGABYTE: Final = 1_000_000
SHOWN: Final = 5
"""Moves, and settings, that are named."""

SnapshotArgument = Annotated[Path, typer.Argument(help="A file of `evenkeel snapshot`.")]
MinutesOption = Annotated[
    int, typer.Option("--minutes", min=1, max=1440, help="How far is looked ahead.")
]
ClusterEdition = Annotated[
    EditionName, typer.Option("--edition", help="Whose strategies: a cluster's are PULSAR_4_0's.")
]
FromOption = Annotated[
    Path | None,
    typer.Option(
        "--from",
        help="A folder of BROKER.load-report.json, BROKER.topics.json and broker.conf instead.",
    ),
]


def take(
    out: Annotated[Path, typer.Option("--out", help="Where it is written, as JSON.")],
    from_: FromOption = None,
    admin_url: AdminOption = None,
    service_url: ServiceOption = None,
    token_file: TokenOption = None,
    tls_trust_certs: TrustOption = None,
    name: NameOption = "default",
    format_: FormatOption = Format.TEXT,
) -> None:
    """Write down what a running cluster's brokers and bundles carry, and how it is set.

    Nothing is changed. It is asked by `--admin-url`, or it is one of `evenkeel cluster up`, or its
    answers are in files: `pulsar-admin broker-stats load-report` and `... topics` of each broker.
    """
    try:
        if from_ is not None:
            found = gather.from_files(from_)
        else:
            service = service_url or (admin_url[0] if admin_url else None)
            named = Named(name, service, admin_url or [], None, token_file, tls_trust_certs)
            found = gather.from_cluster(target_named(named))
        snapshot.write(found, out)
    except BadSnapshot as bad:
        raise Unusable(str(bad)) from bad
    told = f"{len(found.brokers)} brokers, {len(found.bundles)} bundles, written to {out}"
    raise typer.Exit(finish(format_, told, 0, {"out": str(out)}))


def advise(
    path: SnapshotArgument,
    for_minutes: MinutesOption = 120,
    edition: ClusterEdition = EditionName.PULSAR_4_0,
    topics: Annotated[
        int | None,
        typer.Option("--topics", min=1, max=1_000_000, help="Of a namespace that is planned."),
    ] = None,
    format_: FormatOption = Format.TEXT,
) -> None:
    """Tell what each strategy would do with a snapshot, and which settings would let it rest.

    And how many bundles spread each namespace's topics, by their hashes. Traffic is taken to stay
    as it was seen, a processor to be used in proportion to messages.
    """
    seen, scenario, settings = opened(path, for_minutes)
    set_to = advice.configured(seen)
    of = edition_of(edition)
    with progress("advise", len(advice.FIVE), "strategies") as advance:
        outlooks = []
        for strategy in advice.FIVE:
            outlooks.append(advice.outlook(scenario, settings, strategy, of, str(path)))
            advance(strategy.value, 1)
    ordered = advice.ranked(outlooks)
    changes = changes_for(ordered, set_to, scenario, settings, of)
    if format_ is Format.TEXT:
        print_brokers(seen)
        print_outlooks(ordered, set_to)
        for sentence in advice.doubts(seen):
            line(f"doubtful: {sentence}")
        print_changes(changes, set_to)
        print_divisions(seen, topics)
    told = summary(ordered, set_to)
    raise typer.Exit(finish(format_, told, 0, data_of(ordered, changes, seen, topics)))


def opened(path: Path, for_minutes: int) -> tuple[Snapshot, Any, Settings]:
    """The snapshot, its scenario and its settings. Raises `Unusable`."""
    try:
        seen = snapshot.read(path)
        return seen, advice.scenario_of(seen, for_minutes), advice.settings_of(seen)
    except BadSnapshot as bad:
        raise Unusable(str(bad)) from bad


def changes_for(
    ordered: list[Outlook],
    set_to: Strategy | None,
    scenario: Any,
    settings: Settings,
    edition: Edition,
) -> list[advice.Setting]:
    """Settings with which the cluster's own strategy would rest, if it does not; nearest first."""
    own = next((one for one in ordered if one.strategy is set_to), None)
    if own is None or set_to is None or own.verdict in ("moves nothing", "comes to rest"):
        return []
    found = advice.resting(scenario, settings, set_to, edition)
    return sorted(found, key=lambda one: (one.distance, one.run.measures.last_deviation))


def usage_of(broker: SeenBroker) -> tuple[str, float]:
    """The resource of which most is used, and how much of it, in percent (LOA-1)."""
    names = ("cpu", "direct_memory", "bandwidth_in", "bandwidth_out")
    shares = {name: getattr(broker, name).percent for name in names}
    most = max(shares, key=lambda name: shares[name])
    return most.replace("_", " "), shares[most]


def print_brokers(seen: Snapshot) -> None:
    """What every broker carries."""
    bundles = {one.id: [b for b in seen.bundles if b.broker == one.id] for one in seen.brokers}
    rows = [
        (
            one.id,
            f"{usage_of(one)[1]:.1f} %",
            usage_of(one)[0],
            f"{one.msg_rate:,.0f}",
            f"{one.msg_throughput / MEGABYTE:,.1f}",
            len(bundles[one.id]),
            sum(len(bundle.topics) for bundle in bundles[one.id]),
        )
        for one in seen.brokers
    ]
    table("brokers", ("broker", "#used", "of", "#msg/s", "#MB/s", "#bundles", "#topics"), rows)


def print_outlooks(ordered: list[Outlook], set_to: Strategy | None) -> None:
    """A row for each strategy, best first, and what the cluster's own would do first."""
    table(
        "strategies, best first",
        ("strategy", "what it does", "#moves", "#MB/s moved", "#highest", "#std, end", "clauses"),
        [
            (
                f"{one.strategy.value}{' (set)' if one.strategy is set_to else ''}",
                told_of(one),
                one.run.measures.unloads,
                round(one.run.measures.moved / MEGABYTE),
                percent(one.run.measures.highest),
                percent(one.run.measures.last_deviation),
                CLAUSES[one.strategy],
            )
            for one in ordered
        ],
    )
    for one in ordered:
        if one.strategy is set_to and one.first:
            line(f"{one.strategy.value} would move first ({CLAUSES[one.strategy]}):")
            for move in one.first[:SHOWN]:
                line(f"  {move}")
            if len(one.first) > SHOWN:
                line(f"  and {len(one.first) - SHOWN} more")


def told_of(one: Outlook) -> str:
    """What becomes of the cluster under a strategy."""
    after = one.run.measures.steady_after
    rests = one.run.measures.unloads and after is not None
    return f"{one.verdict} after {minutes(after)}" if rests and after is not None else one.verdict


def print_changes(changes: list[advice.Setting], set_to: Strategy | None) -> None:
    """The settings that would let it rest."""
    if changes and set_to is not None:
        line(f"{set_to.value} would come to rest with ({CLAUSES[set_to]}; nearest first):")
        for one in changes[:SHOWN]:
            left = percent(one.run.measures.last_deviation)
            line(f"  {one.key}={one.value:g} (now {one.before:g}); std at the end {left}")


def print_divisions(seen: Snapshot, topics: int | None) -> None:
    """Bundles of namespaces, by the hashes of their topics."""
    rows = [
        (name, count, bundles, found.bundles, found.largest, f"{found.worst:.2f}")
        for name, (count, bundles, found) in divisions.by_namespace(seen).items()
    ]
    if topics is not None:
        planned = divisions.for_topics(topics, len(seen.brokers), PLANNED)
        rows.append(
            ("(planned)", topics, 0, planned.bundles, planned.largest, f"{planned.worst:.2f}")
        )
    if rows:
        table(
            "bundles, by the topics' hashes (BUN-3, BUN-16)",
            ("namespace", "#topics", "#bundles", "#even with", "#topics in one", "#max/mean"),
            rows,
        )


PLANNED: Final = "persistent://tenant/namespace/topic-{n}"


def summary(ordered: list[Outlook], set_to: Strategy | None) -> str:
    """The last line."""
    best = ordered[0]
    own = next((one for one in ordered if one.strategy is set_to), None)
    told = f"best: {best.strategy.value}, which {told_of(best)}"
    return told if own is None else f"{own.strategy.value} is set and {told_of(own)}; {told}"


def data_of(
    ordered: list[Outlook], changes: list[advice.Setting], seen: Snapshot, topics: int | None
) -> dict[str, Any]:
    """For programs."""
    planned = None if topics is None else divisions.for_topics(topics, len(seen.brokers), PLANNED)
    return {
        "strategies": [
            {
                "strategy": one.strategy.value,
                "verdict": one.verdict,
                "clauses": CLAUSES[one.strategy],
                "moves": one.run.measures.unloads,
                "moved": one.run.measures.moved,
                "highest": one.run.measures.highest,
                "deviation": one.run.measures.last_deviation,
                "first": list(one.first),
            }
            for one in ordered
        ],
        "doubts": list(advice.doubts(seen)),
        "settings": [{"key": one.key, "value": one.value, "now": one.before} for one in changes],
        "bundles": {
            name: {"topics": count, "bundles": bundles, "even": found.bundles}
            for name, (count, bundles, found) in divisions.by_namespace(seen).items()
        },
        "planned": None if planned is None else planned.bundles,
    }


def why(
    bundle: Annotated[str, typer.Argument(help="tenant/namespace/0x…_0x…")],
    path: Annotated[
        Path, typer.Argument(help="A file of `evenkeel snapshot`, or a recording's folder.")
    ],
    for_minutes: MinutesOption = 30,
    edition: ClusterEdition = EditionName.PULSAR_4_0,
    format_: FormatOption = Format.TEXT,
) -> None:
    """Tell why a bundle of a snapshot would be moved, or not; of a recording, why it was."""
    if path.is_dir():
        why_recorded(bundle, path, edition_of(edition), format_)
    seen, scenario, settings = opened(path, for_minutes)
    strategy = advice.configured(seen) or Strategy.THRESHOLD
    if bundle not in {one.name for one in seen.bundles}:
        raise Unusable(f"{path}: has no bundle {bundle}.")
    found = advice.outlook(scenario, settings, strategy, edition_of(edition), str(path))
    told = list(advice.reasons(found, bundle))
    if format_ is Format.TEXT:
        for sentence in told[:-1]:
            line(sentence)
    raise typer.Exit(finish(format_, told[-1], 0, {"reasons": told}))


def why_recorded(bundle: str, folder: Path, edition: Edition, format_: Format) -> NoReturn:
    """The same of a recording, whose leader's log has the rounds."""
    try:
        told = told_of_bundle(folder, bundle, edition)
    except (BadLog, ValueError) as bad:
        raise Unusable(f"{folder}: {bad}") from bad
    if not told:
        raise Unusable(f"{folder}: has no round of shedding, and no owner of {bundle}.")
    lines = [f"{clock(one.at)} {one.sentence}" for one in told]
    if format_ is Format.TEXT:
        for text in lines:
            line(text)
    moved = sum(one.moved for one in told)
    text = f"{bundle} was moved in {moved} rounds, and stayed in {sum(one.stayed for one in told)}"
    raise typer.Exit(finish(format_, text, 0, {"reasons": [asdict(one) for one in told]}))
