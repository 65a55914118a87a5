"""A cluster under a balancer, step by step (wire page on balancing, "Scenario")."""

from __future__ import annotations

import random

from examples.from_documents.leading import workload
from examples.from_documents.leading.common import Context, Json, messages, throughput
from examples.from_documents.leading.leader import Leader


class Cluster:
    """Brokers, bundles, ownerships and reports."""

    def __init__(self, scenario: Json, leader: Leader) -> None:
        self.leader = leader
        self.timing = scenario["timing"]
        self.events: list[Json] = sorted(scenario["events"], key=lambda event: int(event["at"]))
        self.specs = {broker["id"]: broker for broker in scenario["brokers"]}
        self.up = {broker["id"] for broker in scenario["brokers"] if broker["present"]}
        self.registered = set(self.up)
        self.expiring: dict[str, int] = {}
        self.crashed: dict[str, int] = {}
        self.bundles = {bundle["name"]: bundle for bundle in scenario["bundles"]}
        self.owner: dict[str, str | None] = {}
        self.lookup: dict[str, int] = {}
        for bundle in scenario["bundles"]:
            self.owner[bundle["name"]] = bundle["owner"]
            if bundle["owner"] is None:
                self.lookup[bundle["name"]] = 0
        self.handed: dict[str, tuple[int, str]] = {}
        self.trouble: list[Json] = []
        self.sent: list[tuple[int, Json]] = []
        self.reports: dict[str, Json] = {}
        self.averaged: dict[str, Json] = {}

    def run(self) -> Json:
        """All steps."""
        steps, step = self.timing["steps"], self.timing["step"]
        return {"moments": [self.moment(number * step) for number in range(steps + 1)]}

    def moment(self, now: int) -> Json:
        """One step: events, lookups, measurements, reports, shedding."""
        while self.events and self.events[0]["at"] <= now:
            self.happen(self.events.pop(0))
        self.expire(now)
        self.arrive(now)
        if now == 0:
            self.measure(now)
        placed = self.place(now)
        gauges = [self.gauge(broker, now) for broker in self.specs if broker in self.up]
        away = sorted(name for name in self.bundles if not self.is_served(name))
        if now == 0:
            self.leader.averages.clear()
        self.measure(now)
        moves = self.shed(now) if now > 0 and now % self.timing["shedding"] == 0 else []
        shown = [{key: gauge[key] for key in GAUGE} for gauge in gauges]
        return {"at": now, "placed": placed, "gauges": shown, "away": away, "moves": moves}

    def measure(self, now: int) -> None:
        """All brokers report."""
        for broker in sorted(self.up):
            self.report(self.gauge(broker, now), now)
        self.arrive(now)

    def is_served(self, bundle: str) -> bool:
        """Whether some broker serves a bundle now."""
        return self.owner[bundle] in self.up

    def unload(self, bundle: str, at: int) -> None:
        """Unload a bundle: no broker serves it until its clients look it up."""
        self.owner[bundle] = None
        self.handed.pop(bundle, None)
        self.lookup[bundle] = at + self.timing["reconnect"]

    def happen(self, event: Json) -> None:
        """One event."""
        kind, at = event["do"], event["at"]
        if kind == "join":
            ends = self.expiring.pop(event["broker"], None)
            if ends is not None:
                self.orphan(event["broker"], ends)
            self.up.add(event["broker"])
            self.registered.add(event["broker"])
        elif kind == "leave" and event["broker"] in self.up:
            self.up.discard(event["broker"])
            self.gone(event["broker"])
            for bundle, owner in self.owner.items():
                if owner == event["broker"]:
                    self.unload(bundle, at)
        elif kind == "crash" and event["broker"] in self.up:
            self.up.discard(event["broker"])
            self.expiring[event["broker"]] = at + self.timing["session"]
            self.crashed[event["broker"]] = at
        elif kind == "leader-change":
            self.leader.change()
        elif kind == "split":
            self.split(event)
        elif kind not in ("leave", "crash"):
            self.trouble.append(event)

    def gone(self, broker: str) -> None:
        """Remove a broker, as known to all others."""
        self.registered.discard(broker)
        self.reports.pop(broker, None)
        self.sent = [entry for entry in self.sent if entry[1]["broker"] != broker]
        given = self.leader.given
        self.leader.given = {bundle: owner for bundle, owner in given.items() if owner != broker}

    def split(self, event: Json) -> None:
        """A bundle is replaced by its children, at the same broker or unloaded."""
        if event["bundle"] not in self.bundles:
            return
        del self.bundles[event["bundle"]]
        owner = self.owner.pop(event["bundle"])
        due = self.lookup.pop(event["bundle"], None)
        handed = self.handed.pop(event["bundle"], None)
        for child in event["children"]:
            name = child["name"]
            self.bundles[name] = child
            self.owner[name] = owner
            if due is not None:
                self.lookup[name] = due
            elif handed is not None:
                self.handed[name] = handed
            elif event["unload"] and owner in self.up:
                self.unload(name, event["at"])
                self.leader.leaves(name, str(owner), self.reports)

    def expire(self, now: int) -> None:
        """Sessions of crashed brokers end, and their bundles are looked up."""
        for broker, at in list(self.expiring.items()):
            if at <= now:
                del self.expiring[broker]
                self.orphan(broker, at)

    def orphan(self, broker: str, at: int) -> None:
        """What a crashed broker served is looked up (Blog: ephemeral locks are released)."""
        self.gone(broker)
        at = max(at, self.crashed[broker] + self.timing["reconnect"])
        for bundle, owner in self.owner.items():
            if owner == broker:
                self.owner[bundle] = None
                self.lookup[bundle] = at

    def place(self, now: int) -> list[Json]:
        """Clients look up bundles without an owner, and follow transferred ones."""
        placed: list[Json] = []
        for bundle, (at, broker) in list(self.handed.items()):
            if at <= now:
                del self.handed[bundle]
                if broker in self.up:
                    self.owner[bundle] = broker
                    placed.append({"bundle": bundle, "broker": broker})
                else:
                    self.lookup[bundle] = at
        for bundle in sorted(name for name, at in self.lookup.items() if at <= now):
            chosen = self.leader.place(bundle, self.registered, self.reports)
            if chosen in self.up:
                del self.lookup[bundle]
                self.owner[bundle] = chosen
                placed.append({"bundle": bundle, "broker": chosen})
        return placed

    def slowness(self, broker: str, now: int) -> float:
        """The remaining share of a broker's processor."""
        factors = [float(event["factor"]) for event in self.hitting(broker, now, "slow")]
        return min(factors, default=1.0)

    def hitting(self, broker: str, now: int, kind: str) -> list[Json]:
        """The faults of a kind that a broker has now."""
        return [
            event
            for event in self.trouble
            if event["do"] == kind
            and event["broker"] == broker
            and event["at"] <= now < event["at"] + event["lasts"]
        ]

    def gauge(self, broker: str, now: int) -> Json:
        """The load of a broker."""
        names = sorted(name for name, owner in self.owner.items() if owner == broker)
        samples = {name: workload.traffic(self.bundles[name], now) for name in names}
        load = workload.total(list(samples.values()))
        found = workload.resources(self.specs[broker], load, self.slowness(broker, now))
        return {
            "broker": broker,
            "usage": workload.usage(found),
            "msg_rate": messages(load),
            "throughput": throughput(load),
            "bundles": names,
            "samples": samples,
            "traffic": load,
            "resources": found,
        }

    def report(self, gauge: Json, now: int) -> None:
        """A broker reports its load, unless the report is lost."""
        broker = gauge["broker"]
        if self.hitting(broker, now, "lose-reports"):
            return
        weight = float(self.leader.config["loadBalancerHistoryResourcePercentage"])
        average = gauge["usage"], gauge["throughput"]
        before = self.averaged.get(broker)
        if before is not None and before["bundles"] == gauge["bundles"]:
            kept = weight ** ((now - before["at"]) // CHECK)
            average = (
                before["load"] * kept + (1 - kept) * average[0],
                before["throughput_average"] * kept + (1 - kept) * average[1],
            )
        report = {**gauge, "load": average[0], "throughput_average": average[1], "at": now}
        self.averaged[broker] = report
        late = max((int(e["by"]) for e in self.hitting(broker, now, "delay-reports")), default=0)
        self.sent.append((now + late, report))

    def arrive(self, now: int) -> None:
        """The leader receives the reports that have arrived."""
        due = sorted((entry for entry in self.sent if entry[0] <= now), key=lambda e: e[0])
        self.sent = [entry for entry in self.sent if entry[0] > now]
        for _, report in due:
            old = self.reports.get(report["broker"])
            if old is None or old["at"] <= report["at"]:
                self.reports[report["broker"]] = report
                self.leader.receive(report)

    def shed(self, now: int) -> list[Json]:
        """A round of shedding: the moves that can be carried out."""
        done: list[Json] = []
        for move in self.leader.shed(now, sorted(self.registered), self.reports):
            bundle = move["bundle"]
            if self.owner.get(bundle) != move["source"] or not self.is_served(bundle):
                continue
            self.leader.done(move, now)
            self.leader.leaves(bundle, move["source"], self.reports)
            done.append(move)
            straight = move["transfer"] and not self.timing["transfer"]
            if straight and move["destination"] in self.up:
                self.owner[bundle] = move["destination"]
            elif move["transfer"]:
                self.owner[bundle] = None
                at = now + self.timing["transfer"]
                self.handed[bundle] = (at, move["destination"])
            else:
                self.unload(bundle, now)
        return done


CHECK = 5_000
GAUGE = ("broker", "usage", "msg_rate", "throughput", "bundles")


def loop(context: Context, trial: Json) -> Json:
    """balancing.loop."""
    own = Context(context.interpretations, random.Random(trial["seed"]))
    return Cluster(trial["scenario"], Leader(own, trial["balancer"])).run()


HANDLERS = {"balancing.loop": loop}
