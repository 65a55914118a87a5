"""The leader of a simulated cluster: reports, shedding, placing.

Blog, "Load balance sequence"; Concepts, "Bundle assignment" and "Bundle unloading".
"""

from __future__ import annotations

from collections.abc import Iterable

from examples.from_documents.leading import shedding_avg, shedding_modular, shedding_transfer
from examples.from_documents.leading.common import (
    Context,
    Json,
    messages,
    throughput,
    weighted_usage,
)
from examples.from_documents.leading.load_averages import Averages
from examples.from_documents.leading.placement_choice import below_mean

WEIGHTS: Json = {
    "loadBalancerCPUResourceWeight": 1,
    "loadBalancerDirectMemoryResourceWeight": 0,
    "loadBalancerBandwidthInResourceWeight": 1,
    "loadBalancerBandwidthOutResourceWeight": 1,
}
MODULAR: dict[str, shedding_modular.Strategy] = {
    "overload": shedding_modular.overload,
    "threshold": shedding_modular.threshold,
    "uniform": shedding_modular.uniform,
}


class Leader:
    """The leader's state and decisions."""

    def __init__(self, context: Context, balancer: Json) -> None:
        self.context = context
        self.strategy = balancer["strategy"]
        self.placement = balancer["placement"]
        self.config: Json = {
            **WEIGHTS,
            "loadBalancerSheddingBundlesWithPoliciesEnabled": False,
            **balancer["settings"],
        }
        self.unloaded: dict[str, int] = {}
        self.moved_from: dict[str, int] = {}
        self.counter = 0
        self.left: dict[str, tuple[str, float, float]] = {}
        self.averages: dict[str, Averages] = {}
        self.change()

    def change(self) -> None:
        """A new leader knows only the reports and the times of unloads."""
        self.memory = shedding_avg.AvgMemory(self.unloaded)
        self.hits = shedding_transfer.Counter()
        self.scores: dict[str, float] = {}
        self.plans: dict[str, str] = {}
        self.given: dict[str, str] = {}

    def receive(self, report: Json) -> None:
        """Take a report into account."""
        for bundle, sample in report["samples"].items():
            self.averages.setdefault(bundle, Averages(self.context)).add(sample, 1)
            self.given.pop(bundle, None)

    def recall(self, bundle: str) -> Json:
        """A bundle's averages."""
        return self.averages[bundle].to_answer()

    def shed(self, now: int, registered: list[str], reports: dict[str, Json]) -> list[Json]:
        """One round: the moves to be made."""
        if self.strategy == "none" or len(registered) < 2:
            return []
        seen = {name: report for name, report in reports.items() if name in registered}
        if self.strategy == "transfer":
            return self.transfers(now, registered, seen)
        bundles = sorted({name for report in seen.values() for name in report["samples"]})
        data: Json = {
            "at": now,
            "brokers": [
                {
                    "broker": name,
                    "resources": report["resources"],
                    "traffic": report["traffic"],
                    "bundles": sorted(report["samples"]),
                }
                for name, report in seen.items()
            ],
            "bundles": [
                {"bundle": name, **self.recall(name)} for name in bundles if name in self.averages
            ],
        }
        grace = self.config["loadBalancerSheddingGracePeriodMinutes"]
        recent = self.memory.list_recent(self.context, now, grace)
        view = shedding_modular.Round(self.context, data, self.config, recent)
        if self.strategy == "avg":
            return self.plan_moves(view)
        chosen = MODULAR[self.strategy](view, self.memory)
        return [move(bundle, broker, None) for broker, names in chosen for bundle in names]

    def plan_moves(self, view: shedding_modular.Round) -> list[Json]:
        """AvgShedder's moves; its placement follows the plans."""
        moves: list[Json] = []
        for entry in shedding_avg.shed(view, self.memory):
            for bundle in entry["bundles"]:
                if self.placement == "avg":
                    self.plans[bundle["bundle"]] = bundle["destination"]
                moves.append(move(bundle["bundle"], entry["broker"], bundle["destination"]))
        return moves

    def transfers(self, now: int, registered: list[str], reports: dict[str, Json]) -> list[Json]:
        """TransferShedder's moves."""
        grace = self.config["loadBalancerSheddingGracePeriodMinutes"]
        view: Json = {
            "now": now,
            "registered": registered,
            "reports": [
                self.transfer_report(name, report) for name, report in sorted(reports.items())
            ],
            "recent_bundles": sorted(self.memory.list_recent(self.context, now, grace)),
            "recent_brokers": [{"broker": name, "at": at} for name, at in self.moved_from.items()],
            "isolated": [],
            "anti_affine": [],
        }
        decided = shedding_transfer.decide(self.context, view, self.config, self.hits)
        return [
            {**move(entry["bundle"], entry["source"], entry["destination"]), "transfer": True}
            if entry["destination"]
            else move(entry["bundle"], entry["source"], None)
            for entry in decided["moves"]
        ]

    def transfer_report(self, name: str, report: Json) -> Json:
        """A report in the form for TransferShedder."""
        most = self.config["loadBalancerMaxNumberOfBundlesInBundleLoadReport"]
        order = sorted(report["samples"].items(), key=lambda item: (throughput(item[1]), item[0]))
        return {
            "broker": name,
            "load": report["load"],
            "throughput_in": report["traffic"]["throughput_in"],
            "throughput_out": report["traffic"]["throughput_out"],
            "throughput_average": report["throughput_average"],
            "updated_at": report["at"],
            "top": [
                {
                    "bundle": bundle,
                    "throughput_in": sample["throughput_in"],
                    "throughput_out": sample["throughput_out"],
                    "owned": True,
                    "admits": None,
                    "filter_fails": False,
                }
                for bundle, sample in order[-most:]
            ],
        }

    def done(self, move: Json, now: int) -> None:
        """Record a move that was carried out."""
        self.unloaded[move["bundle"]] = now
        self.moved_from[move["source"]] = now

    def place(self, bundle: str, registered: Iterable[str], reports: dict[str, Json]) -> str | None:
        """Choose a broker for a bundle that no broker serves."""
        names = sorted(registered)
        planned = self.plans.pop(bundle, None)
        if planned in names:
            return planned
        if not names:
            return None
        transfer = self.strategy == "transfer"
        relieving = self.less_loaded(bundle, names, reports)
        if relieving:
            names = relieving
        elif self.config["loadBalancerDistributeBundlesEvenlyEnabled"] and not transfer:
            names = self.evenly(bundle, names, reports)
        if transfer or self.placement == "least-resource-usage":
            chosen = self.least_usage(names, reports)
        elif self.placement == "round-robin":
            chosen = names[self.counter % len(names)]
            self.counter += 1
        elif self.placement == "avg":
            chosen = self.context.rng.choice(names)
        else:
            chosen = self.least_rate(names, reports)
        self.given[bundle] = chosen
        return chosen

    def held(self, broker: str, reports: dict[str, Json]) -> list[str]:
        """The bundles that a broker has reported, and those assigned to it since."""
        reported = list(reports[broker]["samples"]) if broker in reports else []
        return reported + [bundle for bundle, owner in self.given.items() if owner == broker]

    def leaves(self, bundle: str, source: str, reports: dict[str, Json]) -> None:
        """Record that a bundle leaves a broker, with the present loads."""
        report = reports.get(source)
        usage, rate = (report["usage"], report["msg_rate"]) if report else (0.0, 0.0)
        self.left[bundle] = source, usage, rate

    def less_loaded(self, bundle: str, names: list[str], reports: dict[str, Json]) -> list[str]:
        """Concepts: "The unloaded bundles are assigned to less loaded brokers"."""
        source, usage, rate = self.left.pop(bundle, ("", 0.0, 0.0))
        return [
            name
            for name in names
            if source
            and name != source
            and name in reports
            and reports[name]["usage"] < usage
            and reports[name]["msg_rate"] < rate
        ]

    def evenly(self, bundle: str, names: list[str], reports: dict[str, Json]) -> list[str]:
        """The brokers with the fewest bundles of the namespace."""
        space = bundle.rpartition("/")[0]
        counts = {
            name: sum(held.rpartition("/")[0] == space for held in self.held(name, reports))
            for name in names
        }
        return [name for name in names if counts[name] == min(counts.values())]

    def least_rate(self, names: list[str], reports: dict[str, Json]) -> str:
        """Blog, "Section 1": LeastLongTermMessageRate."""
        limit = self.config["loadBalancerBrokerOverloadedThresholdPercentage"]
        scores: dict[str, float] = {}
        for name in names:
            if name in reports and reports[name]["usage"] * 100 > limit:
                scores[name] = float("inf")
            else:
                held = [one for one in self.held(name, reports) if one in self.averages]
                scores[name] = sum(messages(self.recall(one)["long_term"]) for one in held)
        least = min(scores.values())
        return self.context.rng.choice([name for name in names if scores[name] == least])

    def least_usage(self, names: list[str], reports: dict[str, Json]) -> str:
        """LeastResourceUsageWithWeight: brokers well below the mean."""
        weight = float(self.config["loadBalancerHistoryResourcePercentage"])
        usages: dict[str, float] = {}
        for name in names:
            score = 0.0
            if name in reports:
                score = weighted_usage(self.context, reports[name]["resources"], self.config)
            if name in self.scores:
                score = self.scores[name] * weight + (1 - weight) * score
            usages[name] = score
        self.scores.update(usages)
        points = self.config["loadBalancerAverageResourceUsageDifferenceThresholdPercentage"]
        return self.context.rng.choice(below_mean(self.context, usages, points))


def move(bundle: str, source: str, destination: str | None) -> Json:
    """A bundle that is to leave its broker."""
    return {
        "bundle": bundle,
        "source": source,
        "destination": destination,
        "transfer": False,
        "reason": "overloaded",
    }
