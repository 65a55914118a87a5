"""`evenkeel operate snapshot`, `advise`, `why`: for those who run a cluster."""

from __future__ import annotations

from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Annotated, Any, Final, NoReturn

import typer

from evenkeel.operate.cli import cluster_options
from evenkeel.operate.cli.predict_command import show_clock
from evenkeel.operate.cli.simulate_output import format_minutes, format_percent
from evenkeel.operate.conf import shipped
from evenkeel.operate.conf.readers import SHEDS
from evenkeel.operate.operating import advice, changes, divisions, gather, snapshot
from evenkeel.operate.operating.advice import CLAUSES, Outlook
from evenkeel.operate.operating.changes import too_large
from evenkeel.operate.operating.expected import NO_BROKER, Moves, moves_now
from evenkeel.operate.operating.snapshot import Snapshot
from evenkeel.operate.recording.why import reasons_of as reasons_of_bundle
from evenkeel.operate.trace.rows import BadLog
from evenkeel.reference.balancing.settings import Settings, Strategy
from evenkeel.reference.edition import EDITIONS, LINES, PULSAR_4_0, Edition
from evenkeel_engine.cli.options import EDITION_NAMES, Format, FormatOption, Unusable, edition_named
from evenkeel_engine.cli.output import finish, print_line, print_table, show_progress
from evenkeel_engine.text import count_noun

MEGABYTE: Final = 1_000_000
SHOWN: Final = 5
"""Moves, and settings, that are named."""

MinutesOption = Annotated[
    int, typer.Option("--minutes", min=1, max=1440, help="How far is looked ahead.")
]
ClusterEdition = Annotated[
    str | None,
    typer.Option(
        "--edition",
        help="Whose strategies; without it those of the release that the brokers report.",
        parser=edition_named,
        metavar=EDITION_NAMES,
    ),
]


def take(
    out: Annotated[Path, typer.Option(help="Where it is written, as JSON.")],
    from_: Annotated[
        Path | None,
        typer.Option(
            "--from",
            help="A folder of BROKER.load-report.json, BROKER.topics.json and broker.conf instead.",
        ),
    ] = None,
    admin_url: cluster_options.AdminOption = None,
    service_url: cluster_options.ServiceOption = None,
    token_file: cluster_options.TokenOption = None,
    tls_trust_certs: cluster_options.TrustOption = None,
    name: cluster_options.NameOption = "default",
    format_: FormatOption = Format.TEXT,
) -> None:
    """Write down what a running cluster's brokers and bundles carry.

    And how balancing is set. Nothing is changed. It is asked by `--admin-url`, or it is one of
    `evenkeel operate cluster up`, or its answers are in files: `pulsar-admin broker-stats
    load-report` and `... topics` of each broker.
    """
    if from_ is not None:
        found = gather.from_files(from_)
    else:
        service = service_url or (admin_url[0] if admin_url else None)
        named = cluster_options.NamedCluster(
            name, service, admin_url or [], None, token_file, tls_trust_certs
        )
        found = gather.from_cluster(cluster_options.target_named(named))
    snapshot.write(found, out)
    reported = f"{len(found.brokers)} brokers, {len(found.bundles)} bundles, written to {out}"
    raise typer.Exit(finish(format_, reported, 0, {"out": str(out)}))


def advise(
    path: Annotated[
        Path | None,
        typer.Argument(help="A file of `evenkeel operate snapshot`; none: --topics and --brokers."),
    ] = None,
    for_minutes: MinutesOption = 120,
    edition: ClusterEdition = None,
    topics: Annotated[
        int | None, typer.Option(min=1, max=1_000_000, help="Of a namespace that is planned.")
    ] = None,
    brokers: Annotated[
        int | None, typer.Option(min=1, max=1000, help="Without a snapshot: for --topics.")
    ] = None,
    add_brokers: Annotated[int, typer.Option(min=0, max=1000, help="What if there were more?")] = 0,
    without: Annotated[
        list[str] | None, typer.Option(help="What if this broker left? May be repeated.")
    ] = None,
    set_: Annotated[
        list[str] | None,
        typer.Option("--set", help="KEY=VALUE: what if this were set? The strategy, too."),
    ] = None,
    format_: FormatOption = Format.TEXT,
) -> None:
    """Show what each strategy would do with a snapshot.

    Also which settings would let it rest, which bundles are too large for any broker, and how many
    bundles spread each namespace's topics, by their hashes. Traffic is taken to stay as it was
    seen, a processor to be used in proportion to messages.
    """
    if path is None:
        plan_division(topics, brokers, format_)
    what_if = WhatIf(add_brokers, tuple(without or ()), tuple(set_ or ()))
    seen, scenario, settings, of = open_snapshot(path, for_minutes, edition, what_if)
    set_to = advice.find_configured(seen)
    with show_progress("advise", len(advice.FIVE), "strategies") as advance:
        outlooks = []
        for strategy in advice.FIVE:
            outlooks.append(advice.foresee(scenario, settings, strategy, of, str(path)))
            advance(strategy.value, 1)
    ordered = advice.rank_outlooks(outlooks)
    now = {one.strategy: decided_now(seen, one.strategy, of, path) for one in ordered}
    unlike = advice.doubt_model(seen, ordered[0].run)
    settings_to_try = [] if unlike else changes_for(ordered, set_to, scenario, settings, of)
    doubts = [*advice.explain_alike(seen), *unlike, *advice.doubt_traffic(seen)]
    large = too_large(seen, scenario, settings)
    if format_ is Format.TEXT:
        print_brokers(seen)
        print_outlooks(ordered, now, set_to)
        for sentence in doubts:
            print_line(f"note: {sentence}")
        print_changes(settings_to_try, set_to)
        for one in large:
            print_line(
                f"{one.bundle} is too large for any broker ({one.usage:.0%} of one); {one.advice}"
            )
        print_divisions(seen, topics)
    chosen = snapshot.read(path).value(SHEDS) or any(SHEDS in one for one in what_if.settings)
    how = "set" if chosen else f"the default of {release_of(seen, of)}"
    reported = summarize_advice(ordered, now, set_to, how)
    if unlike and set_to in now:
        reported = f"{reported.partition('; later')[0]}; what comes later is not known"
    data = data_of(ordered, now, settings_to_try, seen, topics)
    data |= {"doubts": doubts, "too_large": [asdict(one) for one in large]}
    raise typer.Exit(finish(format_, reported, 0, data))


def decided_now(seen: Snapshot, strategy: Strategy, edition: Edition, path: Path) -> Moves:
    """What a strategy decides of the snapshot itself. Raises `Unusable`."""
    try:
        return moves_now(seen, strategy, edition)
    except ValueError as error:
        raise Unusable(f"{path}: a setting means nothing ({error}).") from error


@dataclass(frozen=True, slots=True)
class WhatIf:
    """How the cluster would be other than its snapshot."""

    add_brokers: int = 0
    without: tuple[str, ...] = ()
    settings: tuple[str, ...] = ()

    def apply_to(self, seen: Snapshot) -> Snapshot:
        """The snapshot as it would be. Raises `BadSnapshot`, `Unusable`."""
        for broker in self.without:
            seen = changes.without_broker(seen, broker)
        for setting in self.settings:
            key, found, value = setting.partition("=")
            if not found:
                raise Unusable(f"--set {setting}: must be of the form KEY=VALUE.")
            seen = changes.with_setting(seen, key.strip(), value.strip())
        return changes.with_brokers(seen, self.add_brokers)


def plan_division(topics: int | None, brokers: int | None, format_: Format) -> NoReturn:
    """Print how many bundles spread topics evenly over brokers, and end. Raises `Unusable`."""
    if topics is None or brokers is None:
        raise Unusable("advise needs a snapshot, or --topics and --brokers.")
    found = divisions.for_topics(topics, brokers, PLANNED)
    usual = divisions.for_topics(topics, brokers, PLANNED, DEFAULT_BUNDLES)
    reported = (
        f"{found.bundles:,} bundles (defaultNumberOfNamespaceBundles) for {topics:,} topics on "
        f"{brokers:,} brokers: at most {found.largest:,} topics in a bundle, and "
        f"{found.worst:.2f} times the mean on a broker; with {DEFAULT_BUNDLES}, the default before "
        f"5.0.1, {usual.worst:.2f} times"
    )
    raise typer.Exit(finish(format_, reported, 0, asdict(found)))


def open_snapshot(
    path: Path, for_minutes: int, edition: str | None, what_if: WhatIf | None = None
) -> tuple[Snapshot, Any, Settings, Edition]:
    """The snapshot with its release's defaults, its scenario, its settings, and whose strategies
    it has. Raises `BadSnapshot`, `Unusable`.
    """
    seen = (what_if or WhatIf()).apply_to(snapshot.read(path))
    known = shipped.edition_of(seen.version) if shipped.is_release(seen.version) else None
    of = EDITIONS[edition or known or PULSAR_4_0.name]
    seen = changes.with_defaults(seen, shipped.read_defaults(release_of(seen, of)))
    return seen, advice.scenario_of(seen, for_minutes), advice.settings_of(seen), of


def release_of(seen: Snapshot, edition: Edition) -> str:
    """The release that brokers report, or else that of the edition, or else of PULSAR_4_0."""
    named = LINES[edition.name].release or LINES[PULSAR_4_0.name].release
    return seen.version if shipped.is_release(seen.version) else named


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
    found = advice.find_resting_settings(scenario, settings, set_to, edition)
    return sorted(found, key=lambda one: (one.distance, one.run.measures.last_deviation))


def print_brokers(seen: Snapshot) -> None:
    """What every broker carries."""
    weights = advice.weights_of(seen)
    bundles = {one.id: [b for b in seen.bundles if b.broker == one.id] for one in seen.brokers}
    rows = [
        (
            one.id,
            f"{advice.compute_percent(one, most):.1f} %",
            most.replace("_", " "),
            f"{one.msg_rate:,.0f}",
            f"{one.msg_throughput / MEGABYTE:,.1f}",
            len(bundles[one.id]),
            sum(len(bundle.topics) for bundle in bundles[one.id]),
        )
        for one in seen.brokers
        for most in [advice.most_used(one, weights)]
    ]
    print_table(
        "brokers", ("broker", "#used", "of", "#msg/s", "#MB/s", "#bundles", "#topics"), rows
    )


def print_outlooks(
    ordered: list[Outlook], now: dict[Strategy, Moves], set_to: Strategy | None
) -> None:
    """A row for each strategy, best first, and what the cluster's own would do now."""
    print_table(
        "strategies, best first; what comes later is simulated with steady traffic",
        (
            *("strategy", "#moves now", "later", "#moves later", "#MB/s moved"),
            *("#fullest broker", "#spread at the end", "clauses"),
        ),
        [
            (
                f"{name_class(one.strategy)}{' (set)' if one.strategy is set_to else ''}",
                len(now[one.strategy]),
                outcome_of(one),
                one.run.measures.unloads,
                round(one.run.measures.moved / MEGABYTE),
                format_percent(one.run.measures.highest),
                format_percent(one.run.measures.last_deviation),
                CLAUSES[one.strategy],
            )
            for one in ordered
        ],
    )
    if set_to is not None and now.get(set_to):
        print_line(f"{name_class(set_to)} would move now, by these reports ({CLAUSES[set_to]}):")
        for source, bundle, to in sorted(now[set_to])[:SHOWN]:
            where = "the broker that is chosen, if it is another" if to == NO_BROKER else to
            print_line(f"  {bundle}: {source} -> {where}")
        if len(now[set_to]) > SHOWN:
            print_line(f"  and {len(now[set_to]) - SHOWN} more")


def name_class(strategy: Strategy) -> str:
    """As the setting has it."""
    return next(name for name, one in advice.CLASSES.items() if one is strategy)


def outcome_of(one: Outlook) -> str:
    """What becomes of the cluster under a strategy."""
    after = one.run.rests_after
    return f"{one.verdict} after {format_minutes(after)}" if after else one.verdict


def print_changes(found: list[advice.Setting], set_to: Strategy | None) -> None:
    """The settings that would let it rest."""
    if found and set_to is not None:
        print_line(
            f"{name_class(set_to)} would come to rest with ({CLAUSES[set_to]}; nearest first):"
        )
        for one in found[:SHOWN]:
            left = format_percent(one.run.measures.last_deviation)
            print_line(f"  {one.key}={one.value:g} (now {one.before:g}); spread at the end {left}")


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
        print_table(
            "bundles, by the topics' hashes (BUN-3, BUN-16)",
            (
                *("namespace", "#topics", "#bundles", "#bundles that do"),
                *("#topics in the fullest", "#fullest broker/mean"),
            ),
            rows,
        )


PLANNED: Final = "persistent://tenant/namespace/topic-{n}"
DEFAULT_BUNDLES: Final = 4
"""`defaultNumberOfNamespaceBundles` before 5.0.1."""


def summarize_advice(
    ordered: list[Outlook], now: dict[Strategy, Moves], set_to: Strategy | None, how: str
) -> str:
    """The last line. `how`: whether the strategy is set, or is a default."""
    best = ordered[0]
    own = next((one for one in ordered if one.strategy is set_to), None)
    if own is None:
        best_one = f"{name_class(best.strategy)}, which {outcome_of(best)}"
        return f"no strategy that is known runs; best: {best_one}"
    count = len(now[own.strategy])
    moved = f"would move {count_noun(count, 'bundle')} now" if count else "moves nothing now"
    reported = f"{name_class(own.strategy)} is {how} and {moved}; later it {outcome_of(own)}"
    if own is best or outcome_of(own) == outcome_of(best):
        return reported
    return f"{reported}; {name_class(best.strategy)} {outcome_of(best)}"


def data_of(
    ordered: list[Outlook],
    now: dict[Strategy, Moves],
    tried: list[advice.Setting],
    seen: Snapshot,
    topics: int | None,
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
                "now": [list(move) for move in sorted(now[one.strategy])],
                "first": list(one.first),
            }
            for one in ordered
        ],
        "settings": [{"key": one.key, "value": one.value, "now": one.before} for one in tried],
        "bundles": {
            name: {"topics": count, "bundles": bundles, "even": found.bundles}
            for name, (count, bundles, found) in divisions.by_namespace(seen).items()
        },
        "planned": None if planned is None else planned.bundles,
    }


def why(
    bundle: Annotated[str, typer.Argument(help="tenant/namespace/0x…_0x…")],
    path: Annotated[
        Path, typer.Argument(help="A file of `evenkeel operate snapshot`, or a recording's folder.")
    ],
    for_minutes: MinutesOption = 30,
    edition: ClusterEdition = None,
    format_: FormatOption = Format.TEXT,
) -> None:
    """Show why a bundle of a snapshot or a recording moves, or stays."""
    if path.is_dir():
        why_recorded(bundle, path, EDITIONS[edition or PULSAR_4_0.name], format_)
    seen, scenario, settings, of = open_snapshot(path, for_minutes, edition)
    strategy = advice.find_configured(seen) or Strategy.THRESHOLD
    if bundle not in {one.name for one in seen.bundles}:
        raise Unusable(f"{path}: has no bundle {bundle}.")
    found = advice.foresee(scenario, settings, strategy, of, str(path))
    if reported := advice.doubt_model(seen, found.run):
        moved = any(bundle == name for _, name, _ in decided_now(seen, strategy, of, path))
        does = "moves it now" if moved else "leaves it where it is now"
        reported.append(f"{name_class(strategy)} {does}, by these reports ({CLAUSES[strategy]})")
    reported = reported or list(advice.explain_bundle(found, bundle))
    if format_ is Format.TEXT:
        for sentence in reported[:-1]:
            print_line(sentence)
    raise typer.Exit(finish(format_, reported[-1], 0, {"reasons": reported}))


def why_recorded(bundle: str, folder: Path, edition: Edition, format_: Format) -> NoReturn:
    """The same of a recording, whose leader's log has the rounds."""
    try:
        reported = reasons_of_bundle(folder, bundle, edition)
    except (BadLog, ValueError) as bad:
        raise Unusable(f"{folder}: {bad}") from bad
    if not reported:
        raise Unusable(f"{folder}: has no round of shedding, and no owner of {bundle}.")
    lines = [f"{show_clock(one.at)} {one.sentence}" for one in reported]
    if format_ is Format.TEXT:
        for text in lines:
            print_line(text)
    moved = sum(one.moved for one in reported)
    text = (
        f"{bundle} was moved in {moved} rounds, and stayed in {sum(one.stayed for one in reported)}"
    )
    raise typer.Exit(finish(format_, text, 0, {"reasons": [asdict(one) for one in reported]}))
