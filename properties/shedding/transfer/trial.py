"""Trials about TransferShedder: `shedding.transfer`, `shedding.transfer_debug`.

A trial is a configuration and a list of rounds; each round is all that the strategy is given:
what was unloaded recently is told with it, not worked out from earlier decisions. JSON names are
the field names, except for configuration keys, which keep Pulsar's spelling. Loads are fractions,
throughput is bytes per second, times are milliseconds.
"""

from __future__ import annotations

from dataclasses import dataclass, replace

from evenkeel.properties.names import require_bundle, require_name
from evenkeel.properties.shedding.rounds import EXACT, require_amounts
from evenkeel.properties.trial import require, require_bounds, require_different
from evenkeel.reference.edition import Edition
from evenkeel.reference.shedding import transfer
from evenkeel.reference.shedding.transfer import (
    TopBundle,
    TransferDecision,
    TransferReport,
    TransferRules,
    TransferView,
)

MOST_LOAD = 1000.0


def require_report(place: str, report: TransferReport) -> None:
    """A report as a broker can make it."""
    require_name(place, report.broker)
    require(0 <= report.load <= MOST_LOAD, place, "the load must be 0 to 1000")
    require_amounts(place, report.throughput_in, report.throughput_out, report.throughput_average)
    require(0 <= report.updated_at < EXACT, place, "the time must be 0 or more, below 2^53")
    for bundle in report.top or ():
        require_bundle(place, bundle.bundle)
        require_amounts(place, bundle.throughput_in, bundle.throughput_out)


def require_view(place: str, view: TransferView) -> None:
    """A round as it can be: nobody reports twice, no bundle has two owners."""
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
    """A bundle on several lists is one bundle: it has one owner, and the filters one answer."""
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


def shared_in(view: TransferView) -> bool:
    """Whether a bundle is on several lists."""
    names = [bundle.bundle for bundle in top_bundles(view)]
    return len(set(names)) < len(names)


@dataclass(frozen=True, slots=True, kw_only=True)
class TransferTrial:
    """`shedding.transfer`: what does TransferShedder move, round after round?

    `shedding.transfer_debug`: the same, answered twice. Rounds are in the order of time. What was
    unloaded recently stands in each of them, whatever the rounds before decided. A bundle that has
    just changed its broker can be on several lists, on each once: one broker at most owns it, and
    the filters say the same of it everywhere.
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
    """The decisions with debug mode off and with debug mode on, from the beginning each time."""

    quiet: TransferAnswer
    debug: TransferAnswer


def answer_transfer(trial: TransferTrial, edition: Edition) -> TransferAnswer:
    """What TransferShedder moves."""
    hits = 0
    rounds: list[TransferDecision] = []
    for view in trial.rounds:
        hits, decision = transfer.decide(hits, view, trial.config, edition)
        rounds.append(decision)
    return TransferAnswer(tuple(rounds))


def answer_transfer_debug(trial: TransferTrial, edition: Edition) -> TransferDebugAnswer:
    """What TransferShedder moves without debug mode, and with it."""
    quiet, debug = (
        answer_transfer(replace(trial, config=replace(trial.config, debug=debug)), edition)
        for debug in (False, True)
    )
    return TransferDebugAnswer(quiet, debug)
