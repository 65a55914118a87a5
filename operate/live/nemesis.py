"""Takes the steps of a schedule on a cluster of ours. Its main thread starts all servers."""

from __future__ import annotations

import signal
import time
from collections.abc import Callable
from concurrent.futures import Future, ThreadPoolExecutor
from typing import Any, Final
from urllib.parse import urlsplit

from evenkeel.operate.cluster import clocks
from evenkeel.operate.cluster.http import Access, NoAnswer, request
from evenkeel.operate.cluster.running import BOOKIE, ZOOKEEPER, Cluster, Tell
from evenkeel.operate.live.admin import NAMESPACE, Admin, body_of, find_around, topic_in
from evenkeel.operate.live.proxy import Proxies
from evenkeel.operate.live.schedule import FAULTS, LEADER, OWNER, Step
from evenkeel.operate.recording.store import Store, now

MEMBERS: Final = ("add-broker", "remove-broker")
"""Operations that start or end a server, as faults do."""
STORAGE: Final = (ZOOKEEPER, BOOKIE)
AT_ONCE: Final = 6
"""Operations under way at most."""
Visit = Callable[[float], dict[str, str]]
"""A new client comes to a topic at this place: what it met."""


class Nemesis:
    """Operations run concurrently; faults run in order."""

    def __init__(
        self, cluster: Cluster, proxies: Proxies, store: Store, visit: Visit = lambda _: {}
    ) -> None:
        self.visit = visit
        self.cluster, self.proxies, self.store = cluster, proxies, store
        self.names = [broker.name for broker in cluster.state.brokers]
        self.paused: set[str] = set()
        self.cut: set[str] = set()
        self.stopping: set[str] = set()
        self.victims: dict[float, str] = {}
        """By place: the broker that owned it and was hurt, to be healed by a later step."""
        self.extra: list[str] = []
        self.times: list[int] = []
        """When something was done, or ended."""
        self.counts: dict[str, int] = {}
        self.admin = Admin(self.list_healthy)
        self.pool = ThreadPoolExecutor(AT_ONCE, "operation")
        self.under_way: list[Future[None]] = []

    def up(self) -> list[str]:
        """Brokers that run, and are neither asleep nor cut off nor about to end."""
        hurt = self.paused | self.cut | self.stopping
        return [name for name in self.names if name not in hurt and self.cluster.runs(name)]

    def list_healthy(self) -> list[str]:
        """Where to ask: brokers that should answer."""
        return [self.cluster.find_broker(name).admin_url for name in self.up()]

    def play(self, steps: tuple[Step, ...], reported: Tell) -> None:
        """Take all steps."""
        for number, step in enumerate(steps, 1):
            time.sleep(step.wait)
            self.counts[step.do] = self.counts.get(step.do, 0) + 1
            reported(f"step {number} of {len(steps)}: {step.do}")
            if step.do in FAULTS or step.do in MEMBERS:
                self.cause_fault(step)
            else:
                self.under_way.append(self.pool.submit(self.start_operation, step))

    def cause_fault(self, step: Step) -> None:
        """One fault, or what heals it."""
        self.times.append(now())
        of = step.do.removesuffix("-restart") if step.do.endswith("-restart") else None
        if (name := of or self.broker_of(step)) is None:
            done = False
        elif step.do == "clock":
            done = self.step_clock(name, step.number)
        else:
            done = self.hurt_or_heal(step.do, name)
        self.store.add("fault", {"do": step.do, "of": name, "done": done}, subject=name)
        self.times.append(now())

    def broker_of(self, step: Step) -> str | None:
        """Whom a step is about. What heals is about whom its place hurt before."""
        if step.do in MEMBERS:
            return self.names[-1]
        if step.broker not in (OWNER, LEADER):
            return self.names[step.broker % self.cluster.requested.brokers]
        if step.do in ("start", "resume", "join"):
            return self.victims.pop(step.place, None)
        name = self.owner_at(step.place) if step.broker == OWNER else self.name_leader()
        if name is not None:
            self.victims[step.place] = name
        return name

    def owner_at(self, place: float) -> str | None:
        """Who owns the bundle at this place, as a healthy broker says."""
        try:
            low, high = find_around(self.admin.ask_boundaries(), place)
            path = topic_in(low, high).replace("://", "/")
            url = f"{self.list_healthy()[0]}/lookup/v2/topic/{path}"
            address = urlsplit(request(url, Access(), timeout=10).parse_json()["httpUrl"]).netloc
        except (NoAnswer, KeyError, IndexError, TypeError):
            return None
        return self.name_of(address)

    def name_leader(self) -> str | None:
        """Who leads, as a healthy broker says."""
        try:
            url = f"{self.list_healthy()[0]}/admin/v2/brokers/leaderBroker"
            return self.name_of(request(url, Access(), timeout=10).parse_json()["brokerId"])
        except (NoAnswer, KeyError, IndexError, TypeError):
            return None

    def name_of(self, address: str) -> str | None:
        """The broker with this host and port."""
        by_id = {broker.id: broker.name for broker in self.cluster.state.brokers}
        return by_id.get(address)

    def hurt_or_heal(self, do: str, name: str) -> bool:
        """Whether it could be done: what would leave no healthy broker is not."""
        do = {"add-broker": "start", "remove-broker": "stop"}.get(do, do)
        if do in ("kill", "stop", "pause", "cut"):
            if name not in self.up() or len(self.up()) < 2:
                return False
            self.hurt(do, name)
            return True
        if name in STORAGE:
            self.cluster.stop(name, signal.SIGTERM, 20)
            self.cluster.start(name)
            return True
        return self.heal(do, name)

    def step_clock(self, name: str, seconds: int) -> bool:
        """Step a broker's clock; whether it can be."""
        if not self.cluster.requested.clocks or not self.cluster.runs(name):
            return False
        clocks.step(self.cluster.folder, name, seconds)
        return True

    def hurt(self, do: str, name: str) -> None:
        """End a broker, or keep it from running or from ZooKeeper."""
        if do == "kill":
            self.cluster.stop(name, signal.SIGKILL, 10)
        elif do == "stop":
            self.stopping.add(name)
            self.cluster.send(name, signal.SIGTERM)
        elif do == "pause":
            self.paused.add(name)
            self.cluster.send(name, signal.SIGSTOP)
        else:
            self.cut.add(name)
            self.proxies.cut(name)

    def heal(self, do: str, name: str) -> bool:
        """Undo it."""
        if do == "resume" and name in self.paused:
            self.paused.discard(name)
            self.cluster.send(name, signal.SIGCONT)
        elif do == "join" and name in self.cut:
            self.cut.discard(name)
            self.proxies.join(name)
        elif do == "start" and (name in self.stopping or not self.cluster.runs(name)):
            if name in self.stopping:
                self.stopping.discard(name)
                self.cluster.stop(name, signal.SIGTERM, 45)
            self.cluster.start(name)
        else:
            return False
        return True

    def heal_all(self) -> None:
        """All brokers run, awake and connected; operations have ended."""
        for name in self.names:
            self.step_clock(name, 0)
        for name in [*self.paused]:
            self.heal("resume", name)
        for name in [*self.cut]:
            self.heal("join", name)
        guest = self.names[-1]
        if guest in self.stopping:
            self.stopping.discard(guest)
            self.cluster.stop(guest, signal.SIGTERM, 60)
        for name in self.names[: self.cluster.requested.brokers]:
            self.heal("start", name)
        for name in STORAGE:
            if not self.cluster.runs(name):
                self.cluster.start(name)
        for future in self.under_way:
            future.result()
        self.pool.shutdown()
        self.times.append(now())

    def start_operation(self, step: Step) -> None:
        """One operation, in a thread; what came of it is recorded."""
        began = now()
        self.times.append(began)
        try:
            message = self.operate(step)
        except (NoAnswer, IndexError) as error:
            message = {"said": str(error)}
        self.store.add("operation", {"do": step.do, "place": step.place, **message}, began=began)
        self.times.append(now())

    def operate(self, step: Step) -> dict[str, Any]:
        """Do it. Raises `NoAnswer`."""
        ask, extra = self.admin.ask, f"persistent/{NAMESPACE}/extra-{step.number}"
        match step.do:
            case "visit":
                return dict(self.visit(step.place))
            case "create":
                self.extra.append(extra)
                return body_of(ask("PUT", extra))
            case "delete":
                if not self.extra:
                    return {"said": "nothing to delete"}
                removed = self.extra.pop(step.number % len(self.extra))
                return body_of(ask("DELETE", f"{removed}?force=true"))
            case "limit":
                limit = 10_000 + step.number
                rate = {"dispatchThrottlingRateInMsg": limit, "ratePeriodInSecond": 1}
                path = f"namespaces/{NAMESPACE}/subscriptionDispatchRate"
                return body_of(ask("POST", path, rate))
            case "policy":
                body = {"retentionTimeInMinutes": 10, "retentionSizeInMB": 10 + step.number}
                return body_of(ask("POST", f"namespaces/{NAMESPACE}/retention", body))
        return self.of_bundle(step)

    def of_bundle(self, step: Step) -> dict[str, Any]:
        """Unload or split a bundle. Raises `NoAnswer`."""
        low, high = find_around(self.admin.ask_boundaries(), step.place)
        bundle = f"0x{low:08x}_0x{high:08x}"
        path = f"namespaces/{NAMESPACE}/{bundle}"
        body: object = None
        if step.do == "split":
            path += f"/split?unload=true&splitAlgorithmName={step.algorithm}"
            if step.algorithm.startswith("specified"):
                body = [low + (high - low) // 3]
        elif step.do == "unload-to":
            to = self.cluster.find_broker(self.names[step.broker % self.cluster.requested.brokers])
            path += f"/unload?destinationBroker={to.id}"
        else:
            path += "/unload"
        return {"bundle": bundle, **body_of(self.admin.ask("PUT", path, body))}
