"""Trials about TransferShedder: `shedding.transfer`, `shedding.transfer_debug`.

A trial is a configuration and a list of rounds; each round is the strategy's complete input:
recent unloads are part of it, not computed from earlier decisions. JSON names are the field names,
except for configuration keys, which keep Pulsar's spelling. Loads are fractions, throughput is
bytes per second, times are milliseconds.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from statistics import pstdev
from typing import Final

from evenkeel.properties.names import require_bundle
from evenkeel.properties.shedding.trial_parts import EXACT, LONG_STORIES, require_amounts
from evenkeel.reference.edition import Edition
from evenkeel.reference.shedding import transfer
from evenkeel.reference.shedding.cluster import BrokerId, BundleName
from evenkeel.reference.shedding.transfer import (
    LastUnload,
    TopBundle,
    TransferDecision,
    TransferReport,
    TransferRules,
    TransferView,
)
from evenkeel.reference.summation import ordered_sum
from evenkeel_engine.kit.draw import Draw
from evenkeel_engine.kit.trial import require, require_bounds, require_different, require_name

MOST_LOAD = 1000.0


def require_report(place: str, report: TransferReport) -> None:
    """Require a report that a broker can create."""
    require_name(place, report.broker)
    require(0 <= report.load <= MOST_LOAD, place, "the load must be 0 to 1000")
    require_amounts(place, report.throughput_in, report.throughput_out, report.throughput_average)
    require(0 <= report.updated_at < EXACT, place, "the time must be 0 or more, below 2^53")
    for bundle in report.top or ():
        require_bundle(place, bundle.bundle)
        require_amounts(place, bundle.throughput_in, bundle.throughput_out)


def require_view(place: str, view: TransferView) -> None:
    """Require a possible round: no broker reports twice, no bundle has two owners."""
    require(0 <= view.now < EXACT, place, "the time must be 0 or more, below 2^53")
    for report in view.reports:
        require_report(place, report)
    for unload in view.recent_brokers:
        require(0 <= unload.at < EXACT, place, "the time must be 0 or more, below 2^53")
    for bundle in view.recent_bundles:
        require_bundle(place, bundle)
    for words in (
        view.registered or (),
        [report.broker for report in view.reports],
        *([bundle.bundle for bundle in report.top or ()] for report in view.reports),
        view.recent_bundles,
        [unload.broker for unload in view.recent_brokers],
    ):
        require_different(place, words)
    require_one_bundle(place, view)


def require_one_bundle(place: str, view: TransferView) -> None:
    """Require that a bundle on several lists has one owner and one result of the filters."""
    known: dict[str, TopBundle] = {}
    for bundle in top_bundles(view):
        other = known.get(bundle.bundle)
        if other is not None:
            owned = bundle.owned and other.owned
            require(not owned, place, f"{bundle.bundle} must not have two owners")
            same = (bundle.admits, bundle.filter_fails) == (other.admits, other.filter_fails)
            require(same, place, f"the filters must leave the same brokers for {bundle.bundle}")
        if other is None or bundle.owned:
            known[bundle.bundle] = bundle


def top_bundles(view: TransferView) -> list[TopBundle]:
    """All bundles on the brokers' lists."""
    return [bundle for report in view.reports for bundle in report.top or ()]


@dataclass(frozen=True, slots=True, kw_only=True)
class TransferTrial:
    """`shedding.transfer`: what does TransferShedder move, round after round?

    `shedding.transfer_debug`: the same, answered twice. Rounds are in the order of time. Each round
    states what was unloaded recently, once each, independently of earlier decisions. A bundle that
    has just changed its broker can be on several lists, once on each: at most one broker owns it,
    and the filters give the same result for it everywhere. Within a round the leader counts what
    the earlier pairs move: "until" of document 002 holds after each of them (SHD-67).
    """

    config: TransferRules
    rounds: tuple[TransferView, ...]

    def __post_init__(self) -> None:
        require_bounds(self.config)
        for place, view in enumerate(self.rounds):
            require_view(f"rounds[{place}]", view)
        times = [view.now for view in self.rounds]
        require(times == sorted(times), "rounds", "must be in the order of time")


@dataclass(frozen=True, slots=True)
class TransferAnswer:
    """One decision for each round."""

    rounds: tuple[TransferDecision, ...]


@dataclass(frozen=True, slots=True)
class TransferDebugAnswer:
    """The decisions with debug mode off and with debug mode on, each from the beginning."""

    quiet: TransferAnswer
    debug: TransferAnswer


MB: Final = 1_000_000.0
START: Final = 100_000_000
NAMES: Final = tuple(BrokerId(f"broker-{i}:8080") for i in range(1, 12))
NAMESPACES: Final = ("t/apart2", "t/apart", "t/anti")
LOADS: Final = (0.1, 0.9, 0.5, 0.0, 0.2, 0.3, 0.35, 0.05, 0.85, 1.0, 0.01, 0.75, 2.0)


def transfer_trial(draw: Draw) -> TransferTrial:
    """Some brokers, some rounds."""
    config = draw_config(draw)
    view = draw_view(draw, 0.15 if config.transfer else 0.5)
    rounds = [view]
    for _ in draw.items(5, 0.6, least=max(0, min(config.hit_threshold, 4))):
        view = change_view(draw, view, config)
        rounds.append(view)
    rounds = [*with_shared(draw, tuple(rounds))]
    if draw.chance(0.08):  # generated last, so that all other trials stay the same
        config = replace(
            config, overloaded_percentage=draw.pick((50, 70, 95)), target_std=draw.pick((0.25, 0.1))
        )
        view = outlying(draw, config)
        rounds = [replace(view, now=START + n * 60_000) for n in range(config.hit_threshold + 1)]
    elif draw.chance(LONG_STORIES):
        rounds = again(draw, rounds)
    elif draw.chance(0.06):
        config = replace(config, target_std=0.1, hit_threshold=0, transfer=True, max_pairs=3)
        rounds = [long_list(draw)]
    elif draw.chance(0.06):
        config = replace(  # counts and times that are neither the defaults nor 0
            config,
            hit_threshold=draw.pick((2, 4, 6)),
            max_pairs=draw.pick((4, 5, 10)),
            delay_seconds=draw.pick((60, 61, 300)),
            ttl_seconds=draw.pick((61, 120, 600)),
        )
        rounds = again(draw, rounds)
    elif draw.chance(0.006):
        rounds = [in_a_large_cluster(draw)]
    elif draw.chance(0.08):
        loads = full_and_empty(draw)
        target = target_for(loads, draw.pick((0.5, 0.5, -0.5)))
        config = replace(config, target_std=target, hit_threshold=0, transfer=True, max_pairs=3)
        rounds = [in_pairs(draw, loads)]
    return TransferTrial(config=config, rounds=tuple(rounds))


def again(draw: Draw, rounds: Sequence[TransferView]) -> list[TransferView]:
    """A long trial: the last round is repeated every minute, with reports as young as before."""
    last = rounds[-1]
    repeated = [*rounds]
    for number in range(1, draw.integer(8, 14)):
        late = number * 60_000
        reports = tuple(replace(one, updated_at=one.updated_at + late) for one in last.reports)
        repeated.append(replace(last, now=last.now + late, reports=reports))
    return repeated


def outlying(draw: Draw, config: TransferRules) -> TransferView:
    """Many brokers, (nearly) equal except for one, which exceeds the mean by more than the target,
    at about the threshold of overload: only that decides.
    """
    names = NAMES[: draw.integer(6, 11)]
    full = max(config.overloaded_percentage / 100 + draw.pick((0.05, -0.05, 0.2)), 0.0)
    even = max(full - max(config.target_std, 0.1) * draw.pick((1.3, 1.5, 2.0)), 0.0)
    reports = tuple(draw_report(draw, number, [*names], 0.0) for number in range(len(names)))
    step = draw.pick((0.0, 0.001))
    loads = (full, *(max(even - step * number, 0.0) for number in range(1, len(names))))
    reports = tuple(replace(one, load=load) for one, load in zip(reports, loads, strict=True))
    return TransferView(START, names, reports, isolated=("t/apart",), anti_affine=("t/anti",))


def long_list(draw: Draw) -> TransferView:
    """Ten bundles, the default, on a full broker's list; only from the fourth on some may move."""
    names, stay = NAMES[:3], draw.integer(4, 9)
    reports = []
    for number, load in enumerate((0.9, 0.5, 0.1)):
        bundles = [
            TopBundle(
                BundleName(f"t/apart2/0x{number:04x}{place:04x}_0x{number:04x}{place + 1:04x}"),
                (place + 1) * MB,
                0.0,
                owned=number != 0 or place >= stay,
            )
            for place in range(10)
        ]
        amount = sum(bundle.throughput for bundle in bundles)
        top = tuple(bundles)
        reports.append(TransferReport(names[number], load, amount, 0.0, amount, START, top))
    return TransferView(START, names, tuple(reports))


def full_and_empty(draw: Draw) -> list[float]:
    """Loads of full and of empty brokers, no two equal."""
    full, empty = draw.integer(2, 3), draw.integer(2, 3)
    highest = draw.pick((0.65, 0.8)) + draw.integer(0, 3) / 100
    return [
        *(highest - 0.1 * number for number in range(full)),
        *(0.08 + 0.02 * number for number in range(empty)),
    ]


def target_for(loads: list[float], share: float) -> float:
    """A target between the deviation after the first pair and the present one, by this share; below
    0: the first pair is not enough.
    """
    middle = (loads[0] + min(loads)) / 2
    after = [middle, *loads[1:]]
    after[loads.index(min(loads))] = middle
    enough = pstdev(after)
    return round(enough + share * (pstdev(loads) - enough), 3)


def in_pairs(draw: Draw, loads: list[float]) -> TransferView:
    """Brokers of these loads; those above one half have many bundles."""
    reports = []
    for number, load in enumerate(loads):
        pieces = draw.pick((10, 20)) if load > 0.5 else 1
        size = load * 100 * MB / pieces
        top = tuple(
            TopBundle(
                BundleName(f"t/apart2/0x{number:04x}{n:04x}_0x{number:04x}{n + 1:04x}"), size, 0.0
            )
            for n in range(pieces)
        )
        amount = load * 100 * MB
        reports.append(TransferReport(NAMES[number], load, amount, 0.0, amount, START, top))
    return TransferView(START, NAMES[: len(loads)], tuple(reports))


def in_a_large_cluster(draw: Draw) -> TransferView:
    """More than a hundred brokers, of which few carry something."""
    names = tuple(BrokerId(f"broker-{number:03}:8080") for number in range(draw.integer(101, 120)))
    full, idle = draw.integer(1, 3), draw.integer(0, 1) * 0.25
    loads = [0.9] * full + [idle] * (len(names) - full)
    reports = (
        TransferReport(name, load, load * 100 * MB, 0.0, load * 100 * MB, START)
        for name, load in zip(names, loads, strict=True)
    )
    top = tuple(
        TopBundle(BundleName(f"t/apart2/0x{n:08x}_0x{n + 1:08x}"), (n + 1) * 10 * MB, 0.0)
        for n in range(5)
    )
    first, *others = reports
    return TransferView(START, names, (replace(first, top=top), *others))


def draw_config(draw: Draw) -> TransferRules:
    """Mostly the defaults, with fewer rounds to wait."""
    return TransferRules(
        target_std=draw.pick((0.25, 0.25, 0.1, 0.05, 0.0, 0.4, 2.0)),
        overloaded_percentage=draw.pick((85, 85, 50, 100, 0)),
        hit_threshold=draw.pick((0, 0, 0, 1, 3)),
        transfer=not draw.chance(0.2),
        max_pairs=draw.pick((3, 3, 1, 2, 0)),
        delay_seconds=draw.pick((180, 0)),
        ttl_seconds=draw.pick((1800, 60)),
        policies_movable=draw.chance(0.2),
        debug=draw.chance(0.5),
    )


def draw_view(draw: Draw, binding: float) -> TransferView:
    """A cluster in the first round; `binding`: how often most bundles are bound to some brokers."""
    names = [NAMES[i] for i in draw.items(11 if draw.chance(0.05) else 5, 0.7, least=2)]
    bound = 0.6 if draw.chance(binding) else 0.1
    reports = tuple(draw_report(draw, number, names, bound) for number in range(len(names)))
    if draw.chance(0.06):
        even = draw.pick((0.0, 0.0, 0.1, 0.2, 0.3))
        reports = tuple(replace(report, load=even) for report in reports)
    registered: tuple[BrokerId, ...] | None = tuple(names)
    sort = draw.integer(0, 39)
    if sort == 39:
        registered = None
    elif sort == 38:
        registered = tuple(draw.sample(names, len(names)))
    elif sort == 37:
        registered = (*names, BrokerId("broker-99:8080"))
    return TransferView(
        START,
        registered,
        reports,
        recent_bundles=draw_recent(draw, reports),
        isolated=("t/apart",) if draw.chance(0.8) else (),
        anti_affine=("t/anti",) if draw.chance(0.8) else (),
    )


def draw_recent(draw: Draw, reports: tuple[TransferReport, ...]) -> tuple[BundleName, ...]:
    """Bundles that were unloaded recently."""
    if not draw.chance(0.3):
        return ()
    names = [bundle.bundle for report in reports for bundle in report.top or ()]
    return tuple(dict.fromkeys(draw.sample(names, 3)))


def draw_load(draw: Draw) -> float:
    """A load: round, or close to a round value."""
    load = draw.pick(LOADS)
    if draw.chance(0.15):
        load = draw.integer(0, 100) / 100
    if draw.chance(0.1):
        load += draw.pick((1e-9, 1e-16, 0.001))
    return load


def draw_report(draw: Draw, number: int, names: list[BrokerId], bound: float) -> TransferReport:
    """A broker, its list and its traffic: mostly the sum of the list."""
    top = draw_top(draw, number, names, bound)
    throughput = 0.0
    for bundle in top or ():
        throughput += bundle.throughput
    if draw.chance(0.2):
        throughput = draw.integer(0, 200) * MB
    average = throughput
    if draw.chance(0.2):
        average = draw.pick((0.0, 1.0, throughput / 2, throughput / 8, throughput / 10))
    incoming = throughput if draw.chance(0.7) else throughput / 4
    return TransferReport(
        names[number], draw_load(draw), incoming, throughput - incoming, average, START, top
    )


def draw_top(
    draw: Draw, number: int, names: list[BrokerId], bound: float
) -> tuple[TopBundle, ...] | None:
    """A list of bundles, usually smallest first; some are bound to some brokers."""
    if draw.chance(0.04):
        return None
    bundles = [draw_bundle(draw, number, i, names, bound) for i in draw.items(6, 0.75)]
    if not draw.chance(0.1):
        bundles.sort(key=lambda bundle: bundle.throughput)
    return tuple(bundles)


def draw_bundle(
    draw: Draw, number: int, place: int, names: list[BrokerId], bound: float
) -> TopBundle:
    """A bundle of this broker, mostly free to move."""
    size = draw.integer(1, 40) * MB
    if draw.chance(0.1):
        size = draw.pick((0.0, 0.1, size + 0.7, 100 * MB, 300 * MB))
    out = 0.0 if draw.chance(0.6) else size / 2
    namespace = NAMESPACES[0] if not draw.chance(0.15) else draw.pick(NAMESPACES[1:])
    lower = number * 0x1000_0000 + place * 0x10_0000
    return TopBundle(
        BundleName(f"{namespace}/0x{lower:08x}_0x{lower + 0x10_0000:08x}"),
        size - out,
        out,
        owned=not draw.chance(0.05),
        admits=tuple(draw.sample(names, len(names))) if draw.chance(bound) else None,
        filter_fails=draw.chance(0.02),
    )


def change_view(draw: Draw, view: TransferView, config: TransferRules) -> TransferView:
    """The cluster some time later: unchanged, or with some changes."""
    now = view.now + draw.pick((60_000, 60_000, 1, 200_000, config.ttl_seconds * 1000))
    quiet = draw.chance(0.6)
    reports = tuple(
        report if quiet else changed_report(draw, report, view.now, now, config)
        for report in view.reports
    )
    if quiet:
        reports = tuple(replace(report, updated_at=now) for report in reports)
    if reports and draw.chance(0.05):
        removed = draw.integer(0, len(reports) - 1)
        reports = reports[:removed] + reports[removed + 1 :]
    recent = draw_recent(draw, reports) if draw.chance(0.3) else view.recent_bundles
    return replace(
        view,
        now=now,
        reports=reports,
        recent_bundles=recent,
        recent_brokers=draw_unloads(draw, reports, now, config),
    )


def draw_unloads(
    draw: Draw, reports: tuple[TransferReport, ...], now: int, config: TransferRules
) -> tuple[LastUnload, ...]:
    """Brokers that gave bundles away, at times around the delay."""
    if not reports or not draw.chance(0.15):
        return ()
    delay = config.delay_seconds * 1000
    return tuple(
        LastUnload(report.broker, max(0, now - delay + draw.pick((0, 1, -1, 60_000, -60_000))))
        for report in draw.sample(reports, 2)
    )


def changed_report(
    draw: Draw, report: TransferReport, before: int, now: int, config: TransferRules
) -> TransferReport:
    """A later report, or the same one, builder old."""
    if draw.chance(0.3):
        return replace(report, updated_at=now, load=draw_load(draw))
    if draw.chance(0.15):
        age = config.ttl_seconds * 1000 + draw.pick((0, 1, -1, 1000))
        return replace(report, updated_at=max(0, now - age))
    return replace(report, updated_at=draw.pick((now, now, before)))


def with_shared(draw: Draw, views: tuple[TransferView, ...]) -> tuple[TransferView, ...]:
    """Sometimes a bundle has just changed its broker, in one round or in all: the old list still
    has it, the new one has it already, and the channel knows one owner or none.
    """
    if not draw.chance(0.08):
        return views
    place = draw.integer(-1, len(views) - 1)
    return tuple(
        shared_view(draw, view) if place in (-1, number) else view
        for number, view in enumerate(views)
    )


def shared_view(draw: Draw, view: TransferView) -> TransferView:
    """The round with bundles of one broker's list on another's, anywhere on it."""
    reports = [*view.reports]
    for _ in range(draw.integer(1, 2)):
        givers = [number for number, report in enumerate(reports) if report.top]
        takers = [number for number, report in enumerate(reports) if report.top is not None]
        if not givers or len(takers) < 2:
            break
        giver = draw.pick(givers)
        taker = draw.pick([number for number in takers if number != giver])
        bundle, top = draw.pick(reports[giver].top or ()), [*(reports[taker].top or ())]
        if not any(other.bundle == bundle.bundle for other in top):
            copy = replace(bundle, owned=False)
            if draw.chance(0.2):
                copy = replace(copy, throughput_in=draw.integer(0, 40) * MB)
            top.insert(draw.integer(0, len(top)), copy)
            reports[taker] = replace(reports[taker], top=tuple(top))
    return replace(view, reports=tuple(reports))


def swapping_trial(draw: Draw) -> TransferTrial:
    """Few brokers with large bundles, so that swaps are needed."""
    names = [NAMES[i] for i in draw.items(4, 0.4, least=2)]
    reports = tuple(swapping_report(draw, number, names) for number in range(len(names)))
    view = TransferView(START, tuple(names), reports)
    config = TransferRules(
        target_std=draw.pick((0.25, 0.1, 0.05)), hit_threshold=0, max_pairs=draw.pick((3, 1))
    )
    views = [replace(view, now=START + i * 60_000) for i in draw.items(2, 0.3, least=1)]
    views = [*with_shared(draw, tuple(views))]
    if draw.chance(0.3):  # any settings, generated last, so that all other trials stay the same
        config = draw_config(draw)
        view = draw.pick((view, draw_view(draw, 0.1), outlying(draw, config)))
        views = [view]
        for _ in draw.items(4, 0.5, least=max(0, min(config.hit_threshold, 3))):
            view = change_view(draw, view, config)
            views.append(view)
    return TransferTrial(config=config, rounds=tuple(views))


def swapping_report(draw: Draw, number: int, names: list[BrokerId]) -> TransferReport:
    """A broker with a few free bundles."""
    sizes = sorted(draw.integer(1, 40) * MB for _ in draw.items(6, 0.6, least=2))
    top = tuple(
        TopBundle(
            BundleName(f"t/apart2/0x{number:04x}{place:04x}_0x{number:04x}{place + 1:04x}"),
            size,
            0.0,
        )
        for place, size in enumerate(sizes)
    )
    throughput = ordered_sum(sizes)
    load = throughput / (100 * MB) if draw.chance(0.7) else draw_load(draw)
    return TransferReport(names[number], load, throughput, 0.0, throughput, START, top)


def shared_in(view: TransferView) -> bool:
    """Whether a bundle is on several lists."""
    names = [bundle.bundle for bundle in top_bundles(view)]
    return len(set(names)) < len(names)


def answer_transfer(trial: TransferTrial, edition: Edition) -> TransferAnswer:
    """The moves of TransferShedder."""
    hits = 0
    rounds: list[TransferDecision] = []
    for view in trial.rounds:
        hits, decision = transfer.decide(hits, view, trial.config, edition)
        rounds.append(decision)
    return TransferAnswer(tuple(rounds))


def answer_transfer_debug(trial: TransferTrial, edition: Edition) -> TransferDebugAnswer:
    """The moves of TransferShedder without debug mode, and with it."""
    quiet, debug = (
        answer_transfer(replace(trial, config=replace(trial.config, debug=debug)), edition)
        for debug in (False, True)
    )
    return TransferDebugAnswer(quiet, debug)
