"""When brokers report, and what (Blog, "Load data model").

The documents say only that "Pulsar constantly updates the following load data"; the rules here
follow the wire pages: a threshold in percent, a longest interval in minutes.
"""

from __future__ import annotations

from dataclasses import dataclass, field

from examples.from_documents.leading.common import Context, Json, messages, throughput

NAMES = ("cpu", "memory", "direct_memory", "bandwidth_in", "bandwidth_out")
FIELDS = ("msg_rate_in", "msg_rate_out", "throughput_in", "throughput_out")
MOST_BUNDLES = 10


@dataclass
class Written:
    """The figures of the last report that was written, and its time."""

    at: int = 0
    usages: list[float] = field(default_factory=lambda: [0.0] * len(NAMES))
    rate: float = 0.0
    bytes: float = 0.0
    bundles: int = 0


def change(context: Context, old: float, new: float) -> float:
    """The change in percent; 100 from nothing to something."""
    if old == new:
        return 0
    if old == 0:
        return 100
    return abs(context.divide(new - old, old)) * 100


def due(context: Context, rules: Json, old: Written, new: Written) -> bool:
    """Whether a report is written without being forced."""
    if new.at - old.at >= rules["max_interval"] * 60:
        return True
    changes = [abs(b - a) for a, b in zip(old.usages, new.usages, strict=True)]
    changes.append(change(context, old.rate, new.rate))
    changes.append(change(context, old.bytes, new.bytes))
    changes.append(change(context, old.bundles, new.bundles))
    if context.interpretations.report_at_threshold:
        return bool(max(changes) >= rules["threshold"])
    return bool(max(changes) > rules["threshold"])


def modular(context: Context, trial: Json) -> Json:
    """load.report_modular."""
    written, names, now = Written(), set[str](), 0
    results: list[Json] = []
    for command in trial["commands"]:
        now += command["after"]
        bundles = command["bundles"]
        traffic = {key: sum((b["traffic"][key] for b in bundles), 0.0) for key in FIELDS}
        usages = [context.percent(command["resources"][name]) for name in NAMES]
        new = Written(now, usages, messages(traffic), throughput(traffic), len(bundles))
        sent = command["connected"] and (
            command["force"] or due(context, trial["rules"], written, new)
        )
        current = {bundle["bundle"] for bundle in bundles}
        results.append(
            {
                "sent": sent,
                "traffic": traffic,
                **{
                    key: sum(bundle[key] for bundle in bundles)
                    for key in ("topics", "producers", "consumers")
                },
                "bundles": len(bundles),
                "gained": sorted(current - names),
                "lost": sorted(names - current),
            }
        )
        if sent and not command["store_fails"]:
            written, names = new, current
    return {"results": results}


@dataclass
class Extensible:
    """An extensible broker's figures: averaged, and as last written."""

    context: Context
    rules: Json
    now: int = 0
    written: Written = field(default_factory=Written)
    cleared: bool = True
    largest: float = 1.0
    weighted: float | None = None
    bytes: float | None = None

    def smooth(self, old: float | None, new: float) -> float:
        """ThresholdShedder, 1.2, for one figure."""
        if old is None:
            return new
        history: float = self.rules["history"]
        return old * history + (1 - history) * new

    def measure(self, command: Json) -> Written:
        """Add a measurement to the averages."""
        weights = self.rules["weights"]
        percents = {name: self.context.percent(command["resources"][name]) for name in NAMES}
        self.largest = self.context.divide(max(percents.values()), 100)
        heavy = max(percents[name] * weights[name] for name in NAMES)
        self.weighted = self.smooth(self.weighted, self.context.divide(heavy, 100))
        self.bytes = self.smooth(self.bytes, throughput(command["traffic"]))
        traffic = command["traffic"]
        rate, load = messages(traffic), throughput(traffic)
        return Written(self.now, list(percents.values()), rate, load, command["bundles"])

    def check(self, command: Json) -> Json:
        """Take a measurement, and perhaps write a report."""
        new = self.measure(command)
        sent = command["force"] or self.cleared or due(self.context, self.rules, self.written, new)
        if sent and not command["store_fails"]:
            self.written, self.cleared = new, False
        return {
            "do": "checked",
            "sent": sent,
            "max_usage": self.largest,
            "weighted_max": self.weighted,
            "throughput": self.bytes,
        }

    def heard(self, command: Json) -> Json:
        """Remove the out-of-date load data of a broker that just released or got a bundle."""
        removed = gone(command)
        if removed:
            self.largest, self.weighted, self.bytes = 1.0, None, None
            if not command["store_fails"]:
                self.cleared = True
        return {
            "do": "cleared",
            "removed": removed,
            "max_usage": self.largest,
            "weighted_max": 1.0 if self.weighted is None else self.weighted,
            "throughput": 0.0 if self.bytes is None else self.bytes,
        }


def gone(command: Json) -> bool:
    """Whether a change of state makes a broker's report out of date."""
    if command["failed"]:
        return False
    if command["state"] == "owned":
        return bool(command["source"] or command["destination"])
    return command["state"] in ("releasing", "splitting") and bool(command["source"])


def extensible(context: Context, trial: Json) -> Json:
    """load.report_extensible."""
    broker = Extensible(context, trial["rules"])
    results: list[Json] = []
    for command in trial["commands"]:
        broker.now += command["after"]
        do = broker.check if command["do"] == "check" else broker.heard
        results.append(do(command))
    return {"results": results}


def heaviest(context: Context, bundles: list[Json], most: int) -> list[str]:
    """The names of the heaviest bundles, the lightest of them first."""

    def weight(bundle: Json) -> tuple[float, float]:
        traffic = bundle["traffic"]
        if context.interpretations.heaviest_by == "messages":
            return messages(traffic), throughput(traffic)
        return throughput(traffic), messages(traffic)

    order = context.arrange(bundles, weight, lambda bundle: str(bundle["bundle"]))
    return [bundle["bundle"] for bundle in (order[-most:] if most > 0 else [])]


def top_bundles(context: Context, trial: Json) -> Json:
    """load.top_bundles."""
    rules = trial["rules"]
    bound = set() if rules["with_policies"] else {*rules["isolated"], *rules["grouped"]}
    free = [b for b in trial["bundles"] if b["bundle"].rpartition("/")[0] not in bound]
    return {"bundles": heaviest(context, free, rules["most"])}


def top_report(context: Context, trial: Json) -> Json:
    """load.top_report."""
    seen: int | None = None
    results: list[Json] = []
    for command in trial["commands"]:
        if command["do"] == "heard":
            removed = gone(command)
            if removed:
                seen = None
            results.append({"do": "cleared", "removed": removed})
            continue
        sent = command["force"] or command["statistics"] != seen
        names = heaviest(context, command["bundles"], MOST_BUNDLES) if sent else []
        if sent and not command["store_fails"]:
            seen = command["statistics"]
        results.append({"do": "checked", "sent": sent, "bundles": names})
    return {"results": results}


HANDLERS = {
    "load.report_extensible": extensible,
    "load.report_modular": modular,
    "load.top_bundles": top_bundles,
    "load.top_report": top_report,
}
