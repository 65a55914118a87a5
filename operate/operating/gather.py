"""Take a snapshot: ask the admin interface of each broker, or read what `pulsar-admin` printed.

Of each broker two answers are used: its load report (`broker-stats load-report`; with the
extensible manager its metrics, `broker-stats monitoring-metrics`), which has what it uses of its
resources, and its topics by namespace and bundle (`broker-stats topics`), which have the traffic.
Nothing is changed in the cluster.
"""

from __future__ import annotations

import math
import time
from collections.abc import Iterator, Mapping, Sequence
from os.path import lexists
from pathlib import Path
from typing import Any, Final

from evenkeel.operate.cluster.http import NoAnswer, request
from evenkeel.operate.operating import divisions, java_properties, metadata, prometheus
from evenkeel.operate.operating.snapshot import (
    FORMAT,
    BadSnapshot,
    Resource,
    SeenBroker,
    SeenBundle,
    SetTo,
    Snapshot,
    json_of,
    read_by,
)
from evenkeel.operate.recording.entries import RESOURCES
from evenkeel.operate.recording.modular import TRAFFIC
from evenkeel.operate.recording.target import Target
from evenkeel_engine.files import read_text

REPORT: Final = ".load-report.json"
TOPICS: Final = ".topics.json"
METRICS: Final = ".metrics.txt"
METADATA: Final = "metadata.json"
METRIC: Final = "brk_lb_"
BALANCING: Final = (
    *("loadBalance", "loadManager", "topicBundleAssignment", "defaultNumberOfNames"),
    *("maxUnload", "minUnload", "lowerBoundary"),
)
"""How the settings that are kept begin; others may hold secrets."""


def from_cluster(target: Target) -> Snapshot:
    """Ask every broker. Raises `BadSnapshot`."""
    if not (brokers := target.ask_known()):
        raise BadSnapshot(f"{target.admin_urls[0]}: no broker is registered.")
    # The extensible manager of 4.0 has no load report there, but metrics
    # (`ExtensibleLoadManagerWrapper.generateLoadReport`).
    path = f"broker-stats/{'metrics' if target.manager == 'extensible' else 'load-report'}"
    reports = {one: ask_broker(target, one, path) for one in brokers}
    topics = {one: ask_broker(target, one, "broker-stats/topics") for one in brokers}
    settings = ask_broker(target, brokers[0], "brokers/configuration/runtime")
    if not isinstance(settings, dict):
        raise BadSnapshot(f"{brokers[0]}: the settings are no object.")
    version = ask_broker(target, brokers[0], "brokers/version", json=False)
    return assemble_snapshot(", ".join(target.admin_urls), version, settings, reports, topics)


def ask_broker(target: Target, broker: str, path: str, *, json: bool = True) -> Any:
    """What one broker answers. Raises `BadSnapshot`."""
    url = f"{target.locate_admin(broker)}/admin/v2/{path}"
    try:
        if not (answer := request(url, target.access)).good:
            raise BadSnapshot(f"{url}: answers {answer.status}; a superuser's token may be needed.")
        return answer.parse_json() if json else answer.body.decode("utf-8", "replace").strip()
    except NoAnswer as error:
        raise BadSnapshot(f"{url}: no answer ({error}).") from error


def from_files(folder: Path) -> Snapshot:
    """BROKER.load-report.json and BROKER.topics.json of each broker, or the text of its metrics as
    BROKER.metrics.txt, or a dump of the metadata (metadata.json); broker.conf, and how namespaces
    are divided (bundles.json, policies.json, or the dump), if there.

    Raises `BadSnapshot`.
    """
    nodes = (
        metadata.nodes_of(str(folder / METADATA), json_of(folder / METADATA))
        if lexists(folder / METADATA)
        else {}
    )
    conf = folder / "broker.conf"
    own = read_by(java_properties.read, conf) if lexists(conf) else {}
    settings = {**own, **metadata.settings_in(nodes)}
    if names := sorted(path.name.removesuffix(REPORT) for path in folder.glob(f"*{REPORT}")):
        reports = {name: json_of(folder / f"{name}{REPORT}") for name in names}
        topics = {name: json_of(folder / f"{name}{TOPICS}") for name in names}
        return assemble_snapshot(str(folder), "", settings, reports, topics)
    texts = {
        path.name.removesuffix(METRICS): read_by(read_text, path)
        for path in sorted(folder.glob(f"*{METRICS}"))
    }
    divided = divisions_in(folder, nodes)
    if not texts and nodes:
        return of_metadata(folder, settings, nodes, divided)
    if not texts:
        raise BadSnapshot(
            f"{folder}: there is no BROKER{REPORT} (pulsar-admin broker-stats ...), no "
            f"BROKER{METRICS} and no {METADATA}."
        )
    usual = bundles_by_default(folder, settings)
    reports = {name: prometheus.report_of(name, text) for name, text in texts.items()}
    topics = {
        name: prometheus.topics_of(name, text, divided, usual) for name, text in texts.items()
    }
    return assemble_snapshot(str(folder), "", settings, reports, topics)


def divisions_in(folder: Path, nodes: metadata.NodeTexts) -> metadata.Boundaries:
    """How namespaces are divided, by any of the three files. Raises `BadSnapshot`."""
    found = metadata.divided_in(str(folder / METADATA), metadata.policies_in(nodes))
    printed = folder / "policies.json"
    if lexists(printed):
        data = json_of(printed)
        if not isinstance(data, dict):
            raise BadSnapshot(f"{printed}: must have the policies of each namespace.")
        found |= metadata.divided_in(str(printed), data)
    return found | boundaries_in(folder / "bundles.json")


def of_metadata(
    folder: Path,
    settings: Mapping[str, str],
    nodes: metadata.NodeTexts,
    divided: metadata.Boundaries,
) -> Snapshot:
    """A snapshot of a dump alone. Raises `BadSnapshot`."""
    reports = metadata.reports_in(str(folder / METADATA), nodes)
    topics = metadata.topics_in(nodes, divided)
    bundles = {name: metadata.bundles_in(nodes, one, topics) for name, one in reports.items()}
    return assemble_snapshot(str(folder), "", settings, reports, bundles)


def bundles_by_default(folder: Path, settings: Mapping[str, str]) -> int:
    """Bundles of a namespace of which nothing else is said. Raises `BadSnapshot`."""
    text = settings.get("defaultNumberOfNamespaceBundles", "4")
    if not text.isdecimal() or len(text) > 9 or not 1 <= int(text) <= divisions.MOST:
        raise BadSnapshot(f"{folder}: defaultNumberOfNamespaceBundles is {text!r}.")
    return int(text)


def boundaries_in(path: Path) -> dict[str, list[int]]:
    """NAMESPACE: what `pulsar-admin namespaces bundles` prints. Raises `BadSnapshot`."""
    if not lexists(path):
        return {}
    data = json_of(path)
    if not isinstance(data, dict):
        raise BadSnapshot(f"{path}: must have the boundaries of each namespace.")
    return metadata.divided_in(str(path), {name: {"bundles": one} for name, one in data.items()})


def assemble_snapshot(
    source: str,
    version: str,
    settings: Mapping[str, str],
    reports: Mapping[str, Any],
    topics: Mapping[str, Any],
) -> Snapshot:
    """One snapshot of all answers; without a version that of the reports. Raises `BadSnapshot`."""
    versions = (pick_part(reports, name).get("brokerVersionString") for name in reports)
    bundles = {name: tuple(bundles_of(name, found)) for name, found in topics.items()}
    return Snapshot(
        FORMAT,
        round(time.time() * 1000),
        source,
        version or next((one for one in versions if isinstance(one, str)), ""),
        tuple(
            SetTo(str(key), str(value))
            for key, value in sorted(settings.items())
            if key.startswith(BALANCING)
        ),
        tuple(broker_of(name, report, bundles[name]) for name, report in reports.items()),
        tuple(one for found in bundles.values() for one in found),
    )


def broker_of(name: str, report: Any, bundles: Sequence[SeenBundle]) -> SeenBroker:
    """A broker by its report, or by its metrics, with the traffic of its bundles.

    Raises `BadSnapshot`.
    """
    usage = of_metrics(name, report) if isinstance(report, list) else report
    if not isinstance(usage, dict):
        raise BadSnapshot(f"{name}: the load report is no object.")
    cpu, memory, direct, inwards, outwards = (
        resource_of(f"{name}, {key}", pick_part(usage, key)) for key in RESOURCES
    )
    rate = math.fsum(one.msg_rate_in + one.msg_rate_out for one in bundles)
    bytes_ = math.fsum(one.msg_throughput_in + one.msg_throughput_out for one in bundles)
    load = load_of(report) if isinstance(report, list) else None
    return SeenBroker(name, cpu, memory, direct, inwards, outwards, rate, bytes_, load)


def load_of(metrics: Sequence[Any]) -> float | None:
    """The moving average on which the extensible manager decides, if the metrics have it."""
    for one in metrics:
        if pick_part(one, "dimensions").get("feature") == "max_ema":
            return pick_number("load", pick_part(one, "metrics"), f"{METRIC}resource_usage")
    return None


def of_metrics(name: str, metrics: Sequence[Any]) -> dict[str, Any]:
    """Usages in percent out of what `broker-stats/metrics` answers. Raises `BadSnapshot`."""
    found = (pick_part(one, "metrics") for one in metrics)
    usages = next((one for one in found if f"{METRIC}cpu_usage" in one), None)
    if usages is None:
        raise BadSnapshot(f"{name}: its metrics do not say what it uses; has it reported yet?")
    return {
        key: {"usage": usages.get(f"{METRIC}{part}_usage", 0.0), "limit": 100.0}
        for key, part in prometheus.USAGES.items()
    }


def resource_of(where: str, data: Mapping[str, Any]) -> Resource:
    """What is used of a resource. Raises `BadSnapshot`."""
    # A machine without a network card that has a speed tells a limit below 0: none is known.
    limit = data.get("limit")
    known = not (isinstance(limit, int | float) and limit < 0)
    return Resource(
        pick_number(where, data, "usage"), pick_number(where, data, "limit") if known else 0.0
    )


def bundles_of(name: str, topics: Any) -> Iterator[SeenBundle]:
    """A broker's bundles with the sums of their topics' traffic. Raises `BadSnapshot`."""
    if not isinstance(topics, dict):
        raise BadSnapshot(f"{name}: the topics are no object.")
    for namespace in topics:
        for bundle in pick_part(topics, namespace):
            kinds = pick_part(pick_part(topics, namespace), bundle)
            found = [one for kind in kinds for one in pick_part(kinds, kind).items()]
            stats = [stat for _, stat in found if isinstance(stat, dict)]
            where = f"{name}, {namespace}/{bundle}"
            names = tuple(sorted(str(topic) for topic, _ in found))
            rate_in, rate_out, bytes_in, bytes_out = (
                math.fsum(pick_number(where, stat, key) for stat in stats) for key in TRAFFIC
            )
            full = f"{namespace}/{bundle}"
            yield SeenBundle(full, name, rate_in, rate_out, bytes_in, bytes_out, names)


def pick_part(data: Any, key: str) -> dict[str, Any]:
    """An object inside of an object; none is an empty one."""
    found = data.get(key) if isinstance(data, dict) else None
    return found if isinstance(found, dict) else {}


def pick_number(where: str, data: Mapping[str, Any], key: str) -> float:
    """A number that is not negative; 0 if it is not there. Raises `BadSnapshot`."""
    value = data.get(key, 0.0)
    if isinstance(value, bool) or not isinstance(value, int | float) or not 0 <= value <= 1e15:
        raise BadSnapshot(f"{where}: {key} must be a number from 0 to 10^15.")
    return float(value)
