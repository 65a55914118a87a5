"""What each strategy would decide of a snapshot alone: as if there was a cause for long enough,
and nothing had been unloaded lately.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import replace
from typing import Any, Final

from evenkeel.operate.operating.advice import CLASSES
from evenkeel.operate.operating.snapshot import SeenBroker, Snapshot
from evenkeel.operate.recording.modular_decisions import RULES, choose_decide
from evenkeel.operate.recording.views import rules_of
from evenkeel.reference.balancing.settings import Strategy
from evenkeel.reference.edition import Edition
from evenkeel.reference.load.statistics import BundleStatistics
from evenkeel.reference.load.top_bundles import TopRules, top_bundles
from evenkeel.reference.load.traffic import total
from evenkeel.reference.load.usage import Resource, Resources, Weights, max_weighted_usage_with_heap
from evenkeel.reference.shedding import avg, transfer
from evenkeel.reference.shedding.avg import AvgRules, Hits
from evenkeel.reference.shedding.cluster import (
    BrokerId,
    BrokerReport,
    BundleLoad,
    BundleName,
    Cluster,
)
from evenkeel.reference.shedding.threshold import NO_HISTORY

Parts = Mapping[str, Any]
Moves = frozenset[tuple[str, ...]]
"""Source, bundle, destination; ? for the broker that is chosen."""
NO_BROKER: Final = "?"


def moves_now(seen: Snapshot, strategy: Strategy, edition: Edition) -> Moves:
    """What a strategy moves next. Raises `ValueError` for a setting that is no number."""
    settings = {one.key: one.value for one in seen.settings}
    if strategy is Strategy.TRANSFER:
        rules = rules_of(transfer.TransferRules, settings)
        parts = snapshot_parts(seen, rules, rules_of_top(settings), edition)
        return moves_of(transfer.decide(parts["hits"], view_of(parts), rules, edition)[1].moves)
    cluster = cluster_of(snapshot_cluster(seen))
    if strategy is Strategy.AVG:
        return pairs_now(cluster, rules_of(AvgRules, settings), edition)
    name = next(name for name, kind in CLASSES.items() if kind is strategy)
    decide_ = choose_decide(name, rules_of(RULES[name], settings), edition)
    return shed_of(decide_(NO_HISTORY, cluster)[1])


def pairs_now(cluster: Cluster, rules: AvgRules, edition: Edition) -> Moves:
    """AvgShedder's pairs, each of which has waited long enough."""
    scores = {broker: avg.score(report, rules) for broker, report in cluster.brokers.items()}
    pairs = avg.pairs_of(avg.ranking(scores, edition))
    enough = Hits(rules.low_hits, rules.high_hits)
    hits = {key: enough for pair in pairs for key in avg.hit_keys(pair, edition)}
    large = [pair for pair, gap in avg.gaps_of(scores, pairs, rules) if gap is not avg.Gap.SMALL]
    _, decision = avg.act(avg.State(hits), cluster, large, rules, edition)
    taker = {pair.fuller: pair.emptier for pair in pairs}
    return frozenset(
        (str(broker), str(bundle), str(taker[broker]))
        for broker, bundles in decision.items()
        for bundle in bundles
    )


def cluster_of(parts: Parts) -> Cluster:
    """What the modular manager's strategies are given."""
    return Cluster(parts["reports"], parts["averages"], parts["unloads"])


def rules_of_top(settings: Mapping[str, str]) -> TopRules:
    """How many bundles a broker lists."""
    text = settings.get("loadBalancerMaxNumberOfBundlesInBundleLoadReport")
    return TopRules() if text is None else TopRules(most=int(text))


def moves_of(moves: Iterable[Any]) -> Moves:
    """Where bundles go."""
    return frozenset((str(m.source), str(m.bundle), str(m.destination or NO_BROKER)) for m in moves)


def view_of(parts: Parts) -> transfer.TransferView:
    """What the strategy is given, of these parts."""
    now, registered, loads = parts["loads"]
    reports = tuple(replace(one, top=parts["lists"].get(one.broker)) for one in loads)
    return transfer.TransferView(now, registered, reports, *parts["unloads"])


def snapshot_parts(
    seen: Snapshot, rules: transfer.TransferRules, top_rules: TopRules, edition: Edition
) -> Parts:
    """What a snapshot tells: there was a cause for long enough, and nothing was unloaded."""
    weights = rules_of(Weights, {one.key: one.value for one in seen.settings})
    brokers = tuple(BrokerId(one.id) for one in seen.brokers)
    loads, lists = [], {}
    for one in seen.brokers:
        # Bundles that weigh alike are listed by their names, as in the model.
        held = (bundle for bundle in seen.bundles if bundle.broker == one.id)
        bundles = sorted(held, key=lambda bundle: bundle.name)
        whole = total(bundle.traffic for bundle in bundles)
        used = max_weighted_usage_with_heap(resources_of(one), weights)
        load = used if one.load is None else one.load
        flow = (whole.throughput_in, whole.throughput_out, whole.throughput)
        loads.append(transfer.TransferReport(BrokerId(one.id), load, *flow, seen.taken, None))
        statistics = [
            BundleStatistics(bundle.name, bundle.traffic, len(bundle.topics)) for bundle in bundles
        ]
        lists[BrokerId(one.id)] = tuple(
            transfer.TopBundle(
                BundleName(bundle.bundle),
                bundle.traffic.throughput_in,
                bundle.traffic.throughput_out,
            )
            for bundle in top_bundles(statistics, top_rules, edition)
        )
    return {
        "hits": max(rules.hit_threshold, 0) + 1,
        "unloads": ((), ()),
        "loads": (seen.taken, brokers, loads),
        "lists": lists,
    }


def resources_of(broker: SeenBroker) -> Resources:
    """What a broker reports of its resources."""
    seen = (
        *(broker.cpu, broker.memory, broker.direct_memory),
        *(broker.bandwidth_in, broker.bandwidth_out),
    )
    return Resources(*(Resource(one.usage, one.limit) for one in seen))


def shed_of(decision: Mapping[Any, Iterable[Any]]) -> Moves:
    """Which brokers shed what."""
    return frozenset((str(k), str(bundle), "?") for k, v in decision.items() for bundle in v)


def snapshot_cluster(seen: Snapshot) -> Parts:
    """What a snapshot tells: bundles' traffic is as it always was, nothing was unloaded."""
    brokers = {}
    bundles = {BundleName(one.name): BundleLoad(one.traffic, one.traffic) for one in seen.bundles}
    for broker in seen.brokers:
        mine = [bundle for bundle in seen.bundles if bundle.broker == broker.id]
        whole = total(one.traffic for one in mine)
        names = tuple(BundleName(one.name) for one in mine)
        brokers[BrokerId(broker.id)] = BrokerReport(resources_of(broker), whole, names)
    return {"history": NO_HISTORY, "unloads": {}, "reports": brokers, "averages": bundles}


def describe_moves(moves: Moves) -> str:
    """A decision in short."""
    reported = (f"{bundle}: {source} -> {to}" for source, bundle, to in sorted(moves))
    return "; ".join(reported) or "nothing"
