"""One run of a schedule on a cluster of its own, and what it showed."""

from __future__ import annotations

import json
import shutil
import time
from contextlib import suppress
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Any, Final

from evenkeel.operate.cluster.configuration import NAME, RequestedCluster
from evenkeel.operate.cluster.errors import ClusterUnusable
from evenkeel.operate.cluster.running import Cluster, Tell
from evenkeel.operate.live.admin import NAMESPACE
from evenkeel.operate.live.ledger import Ledger, find_beyond
from evenkeel.operate.live.load import Clients
from evenkeel.operate.live.nemesis import Nemesis
from evenkeel.operate.live.proxy import Proxies
from evenkeel.operate.live.rest import wait_rest
from evenkeel.operate.live.schedule import Schedule
from evenkeel.operate.recording.findings import Margins
from evenkeel.operate.recording.judge import judge_recording
from evenkeel.operate.recording.recorder import Recorder
from evenkeel.operate.recording.store import read_entries
from evenkeel.operate.recording.target import target_of_state
from evenkeel.reference.edition import EDITIONS
from evenkeel_engine.files import write_file

EDITION: Final = "PULSAR_4_0"
HEALED_IN: Final = 240.0
"""Seconds in which brokers start again, before the time to rest begins."""
DRAINED_IN: Final = 60.0
"""Seconds that consumers have for what is left, after all is well."""
ACKNOWLEDGED_IN: Final = 5000
"""Milliseconds in which an acknowledgement is under way, or kept by the broker alone."""


@dataclass(frozen=True, slots=True)
class LiveFault:
    """What was seen, and by whom it must be decided whether it is ours or Pulsar's."""

    kind: str
    sentence: str
    clause: str | None = None


@dataclass(slots=True)
class Result:
    """Of one run. Seconds; counts by name."""

    seed: int
    plan: str
    violations: list[LiveFault] = field(default_factory=list)
    unknown: int = 0
    ready: float = 0
    seconds: float = 0
    rested: float = 0
    memory: int = 0
    steps: dict[str, int] = field(default_factory=dict)
    messages: dict[str, int] = field(default_factory=dict)
    entries: int = 0
    records: int = 0
    rounds: int = 0
    rounds_explained: int = 0

    @property
    def kinds(self) -> tuple[str, ...]:
        """The kinds of violations, each once."""
        return tuple(sorted({violation.kind for violation in self.violations}))


def run(schedule: Schedule, folder: Path, reported: Tell) -> Result:
    """Play a schedule; keep recording, schedule and result in this folder."""
    folder.mkdir(parents=True, exist_ok=True)
    schedule.write(folder / "schedule.json")
    began = time.monotonic()
    result = Result(schedule.seed, schedule.plan)
    cluster = make_cluster(schedule, folder / "cluster", reported)
    ports = {broker.name: broker.metadata for broker in cluster.state.brokers}
    proxies = Proxies(ports, cluster.state.zookeeper)
    try:
        proxies.start()
        up(cluster, reported)
        result.ready = cluster.state.ready or 0
        play_schedule(schedule, cluster, proxies, folder / "recording", result, reported)
    finally:
        if (cluster.folder / "logs").is_dir():
            shutil.copytree(cluster.folder / "logs", folder / "logs", dirs_exist_ok=True)
        cluster.tear_down()
        proxies.stop()
    judge(folder / "recording", result)
    result.seconds = round(time.monotonic() - began, 1)
    write_file(folder / "result.json", json.dumps(asdict(result), indent=1) + "\n")
    if result.violations:
        found = {**asdict(schedule), "found": result.kinds}
        write_file(folder / "schedule.json", json.dumps(found, indent=1) + "\n")
    return result


def make_cluster(schedule: Schedule, folder: Path, reported: Tell) -> Cluster:
    """The cluster, not up yet."""
    shutil.rmtree(folder, ignore_errors=True)
    requested = RequestedCluster(
        schedule.version,
        schedule.brokers,
        schedule.manager,
        schedule.settings,
        cut_off=True,
        clocks=any(step.do == "clock" for step in schedule.steps),
    )
    return Cluster(folder, requested, reported)


def up(cluster: Cluster, reported: Tell) -> None:
    """Start it; again with the same ports, if a server does not start in time."""
    try:
        cluster.up()
    except ClusterUnusable as error:
        reported(f"again, since: {error}")
        cluster.tear_down()
        cluster.up()


def play_schedule(
    schedule: Schedule,
    cluster: Cluster,
    proxies: Proxies,
    recording: Path,
    result: Result,
    reported: Tell,
) -> None:
    """Record, load, take all steps, and look at the cluster at rest."""
    state = cluster.state
    target = target_of_state(state)
    names = [f"persistent://{NAMESPACE}/topic-{at}" for at in range(schedule.load.topics)]
    about = {"seed": schedule.seed, "batch": 1}  # clients of ours do not batch
    recorder = Recorder(target, recording, 2.0, names, len(names), about)
    ledger = Ledger()
    clients = Clients(state.service_url, names, schedule.load, ledger, recorder.store)
    nemesis = Nemesis(cluster, proxies, recorder.store, clients.visit)
    nemesis.admin.make_namespace(NAME, schedule.bundles)
    recorder.start()
    clients.start()
    try:
        nemesis.play(schedule.steps, reported)
        reported("all steps are taken; the cluster is healed")
        nemesis.heal_all()
        with suppress(ClusterUnusable):  # then it does not rest either, which is said below
            cluster.wait_ready(HEALED_IN)
        left, result.rested = wait_rest(nemesis.list_healthy, nemesis.admin, names)
        result.violations += [LiveFault("rest", sentence, "OWN-47") for sentence in left]
        reported(f"at rest after {result.rested:.0f} s" if not left else f"no rest: {left[0]}")
        if left:
            cluster.print_threads()  # a broker that hangs shows by what
        clients.stop_sending()
        until = time.monotonic() + DRAINED_IN
        while ledger.find_missing() and time.monotonic() < until:
            time.sleep(0.5)
        result.memory = sum(cluster.measure_servers().values())
    finally:
        clients.close()
        result.entries = recorder.stop()
    result.steps, result.messages = nemesis.counts, ledger.count_totals()
    # A message may be delivered again at a step, a change of owner, a session that came or went, or
    # where a client met a failure.
    changes = read_entries(recording, ("channel", "node", "session", "client"))
    times = [*nemesis.times, *(entry.time for entry in changes)]
    result.violations += messages_wrong(ledger, times)


def messages_wrong(ledger: Ledger, times: list[int]) -> list[LiveFault]:
    """Acknowledged messages that are lost; deliveries beyond at-least-once."""
    found = [
        LiveFault("lost", f"{topic}: {len(numbers)} acknowledged, not delivered: {numbers[:10]}")
        for topic, numbers in ledger.find_missing().items()
    ]
    found += [
        LiveFault(
            "twice", f"{one.topic}: message {one.number} again after {one.again - one.first} ms"
        )
        for one in find_beyond(ledger.twice, times, ACKNOWLEDGED_IN)[:10]
    ]
    return found


def judge(recording: Path, result: Result) -> None:
    """What `operate trace` says of the recording."""
    judged = judge_recording(recording, EDITIONS[EDITION], 1000, Margins())
    result.records += judged.nodes
    result.rounds, result.rounds_explained = len(judged.predicted), judged.followed
    for verdict in judged.verdicts:
        result.records += verdict.events
        for finding in verdict.findings:
            sentence = f"{verdict.bundle}: {finding.sentence}"
            if finding.clause:
                result.violations.append(LiveFault(finding.kind, sentence, finding.clause))
            else:
                result.unknown += 1
    for one in judged.found:
        if one.clause:
            known = f" (known of {EDITION})" if one.known else ""
            sentence = f"{one.subject}: {one.sentence}{known}"
            result.violations.append(LiveFault(one.kind, sentence, one.clause))
        else:
            result.unknown += 1


def summarize_result(result: Result) -> dict[str, Any]:
    """One line of a table."""
    return {
        "seed": result.seed,
        "steps": sum(result.steps.values()),
        "messages": result.messages.get("acknowledged", 0),
        "again": result.messages.get("delivered_again", 0),
        "records": result.records,
        "entries": result.entries,
        "rest": round(result.rested),
        "seconds": round(result.seconds),
        "violations": ", ".join(result.kinds) or "none",
        "unknown": result.unknown,
    }
