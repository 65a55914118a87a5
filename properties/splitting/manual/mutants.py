"""Mutants of manual splits."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Any, Final

from evenkeel.properties.mutant_maker import Function, always, defect, equivalent, first
from evenkeel.reference.bundles import lookup
from evenkeel.reference.bundles.boundaries import bundles_of
from evenkeel.reference.bundles.ranges import HashRange
from evenkeel.reference.edition import PULSAR_4_0, Edition
from evenkeel.reference.splitting import algorithms, manual
from evenkeel.reference.splitting.manual import Heat, Outcome, Request


def _lower_end_decides(original: Function) -> Function:
    def found(points: Sequence[int], range_: HashRange, edition: Edition) -> HashRange:
        for bundle in bundles_of(points):
            if bundle.lower == range_.lower:
                return bundle
        raise lookup.NoSuchBundle("no bundle starts there")

    return found


def _first_topic_decides(original: Function) -> Function:
    return lambda points, listed, edition: original(points, listed[:1], edition)


def _last_of_largest(original: Function) -> Function:
    return lambda points, listed, edition: max(
        reversed(bundles_of(points) if original(points, listed, edition) else ()),
        key=lambda bundle: sum(topic.hash in bundle for topic in listed),
    )


def _last_of_hottest(original: Function) -> Function:
    def found(points: Sequence[int], heat: Sequence[Heat]) -> HashRange:
        best: HashRange = original(points, heat)
        known = {entry.bundle: entry for entry in heat if entry.topics > 0}
        most = known[best].throughput
        return [b for b in bundles_of(points) if b in known and known[b].throughput == most][-1]

    return found


def _hot_by_throughput(original: Function) -> Function:
    return lambda request, edition: original(
        replace(request, extensible=request.extensible and request.selector != "HOT"), edition
    )


def _changed_without_a_split(original: Function) -> Function:
    def outcome(request: Request, edition: Edition) -> Outcome:
        made: Outcome = original(request, edition)
        if made.split is not None:
            return made
        points = {*made.boundaries, algorithms.middle(0, made.boundaries[1])}
        return replace(made, boundaries=tuple(sorted(points)))

    return outcome


def _nothing_refused(original: Function) -> Function:
    def outcome(request: Request, edition: Edition) -> Outcome:
        made: Outcome = original(request, edition)
        if made.split is None:
            raise manual.NothingToCut("nothing to cut")
        return made

    return outcome


def _nothing_done(original: Function) -> Function:
    def outcome(request: Request, edition: Edition) -> Any:
        try:
            return original(request, edition)
        except (manual.NothingToCut, manual.NothingSelected):
            return Outcome(request.boundaries, None, ())

    return outcome


def _supported_default_only(original: Function) -> Function:
    def checked(request: Request) -> None:
        original(request)
        name = request.algorithm.strip() or request.default_algorithm
        if name not in request.supported or name not in list(algorithms.SplitAlgorithm):
            raise manual.UnsupportedAlgorithm(f"{name} is not supported")

    return checked


def _single_topic_parted(original: Function) -> Function:
    """Whatever counts topics also cuts a bundle with one topic, in the middle."""

    def positions(request: Request, target: HashRange, edition: Edition) -> Any:
        made = original(request, target, edition)
        by_count = manual.chosen_algorithm(request) is algorithms.SplitAlgorithm.TOPIC_COUNT
        if made or not by_count or sum(topic.hash in target for topic in request.topics) != 1:
            return made
        return algorithms.range_positions(target, edition)

    return positions


MUTANTS: Final = (
    defect(
        "any-algorithm",
        manual,
        "check_request",
        always(None),
        "A mistyped algorithm splits by the default one instead of being refused.",
    ),
    defect(
        "range-by-lower-end",
        lookup,
        "member",
        _lower_end_decides,
        "A range that was split away splits one of its children.",
        "SP6",
    ),
    defect(
        "largest-is-the-first",
        manual,
        "largest",
        _first_topic_decides,
        "LARGEST splits whatever bundle is listed first.",
    ),
    defect(
        "hot-without-topics",
        manual,
        "hottest",
        first(1, lambda heat: [replace(entry, topics=1) for entry in heat]),
        "HOT picks a bundle of old statistics that nobody owns.",
        "SP4",
    ),
    defect(
        "changed-without-a-split",
        manual,
        "manual_split",
        _changed_without_a_split,
        "A request that finds nothing to cut changes the boundaries.",
    ),
    defect(
        "owner-needed",
        manual,
        "may_acquire",
        always(False),
        "A bundle that was unloaded cannot be split.",
        "SP12",
    ),
    defect(
        "one-topic-is-parted",
        manual,
        "positions_for",
        _single_topic_parted,
        "A bundle with a single topic is cut by the count of its topics.",
    ),
    equivalent(
        "unsupported-default-refused",
        manual,
        "check_request",
        _supported_default_only,
        "A default that is not among the supported algorithms may be refused.",
    ),
    equivalent(
        "largest-last-of-equals",
        manual,
        "largest",
        _last_of_largest,
        "Any of the largest bundles will do.",
    ),
    equivalent(
        "hottest-last-of-equals",
        manual,
        "hottest",
        _last_of_hottest,
        "Any of the hottest bundles will do.",
    ),
    equivalent(
        "hot-by-throughput-everywhere",
        manual,
        "select",
        _hot_by_throughput,
        "Under either manager HOT may go by throughput.",
    ),
    equivalent(
        "no-effect-refused",
        manual,
        "manual_split",
        _nothing_refused,
        "A request that changes nothing may be refused.",
    ),
    equivalent(
        "no-effect-done",
        manual,
        "manual_split",
        _nothing_done,
        "A request that changes nothing may be reported as done.",
    ),
    defect(
        "no-position-refused",
        manual,
        "manual_split",
        _nothing_refused,
        "Not 4.0: the modular manager refuses a request that cuts nothing.",
        edition=PULSAR_4_0,
    ),
)
