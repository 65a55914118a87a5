"""A cluster by its metadata, as ZooKeeper keeps it: nodes by path, each with its content as JSON.

    /loadbalance/brokers/HOST:PORT           a broker's report (modular manager)
    /loadbalance/bundle-data/TENANT/NS/RANGE the leader's averages of a bundle (modular manager)
    /admin/policies/TENANT/NS                how a namespace is divided
    /managed-ledgers/TENANT/NS/persistent/T  a topic
    /admin/configuration                     dynamic settings

`pulsar-admin namespaces policies` prints the same as the third; a file of these, by namespace, does
as well as nodes.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final
from urllib.parse import unquote

from evenkeel.operate.operating.prometheus import bundle_of
from evenkeel.operate.operating.snapshot import BadSnapshot
from evenkeel.operate.recording.metrics import OWN
from evenkeel.operate.recording.modular import TRAFFIC

BROKERS: Final = "/loadbalance/brokers/"
AVERAGES: Final = "/loadbalance/bundle-data/"
POLICIES: Final = "/admin/policies/"
TOPICS: Final = "/managed-ledgers/"
SETTINGS: Final = "/admin/configuration"

NodeTexts = Mapping[str, Any]
Boundaries = dict[str, list[int]]


def nodes_of(where: str, data: object) -> NodeTexts:
    """The nodes of a dump. Raises `BadSnapshot`."""
    if not isinstance(data, dict) or not all(str(path).startswith("/") for path in data):
        raise BadSnapshot(f"{where}: must be an object of nodes by path, such as {POLICIES}t/ns.")
    return data


def settings_in(nodes: NodeTexts) -> dict[str, str]:
    """Settings that were changed while brokers ran."""
    found = nodes.get(SETTINGS)
    return {str(k): str(v) for k, v in found.items()} if isinstance(found, dict) else {}


def divided_in(where: str, policies: Mapping[str, Any]) -> Boundaries:
    """NAMESPACE: its policies, which say how it is divided. Raises `BadSnapshot`."""
    found: Boundaries = {}
    for name, one in policies.items():
        try:
            found[name] = [int(text, 16) for text in one["bundles"]["boundaries"]]
        except (KeyError, TypeError, ValueError) as error:
            raise BadSnapshot(f"{where}: {name} has no boundaries of bundles ({error}).") from None
        if len(found[name]) < 2 or found[name] != sorted(set(found[name])):
            raise BadSnapshot(f"{where}: the boundaries of {name} must rise.")
    return found


def policies_in(nodes: NodeTexts) -> dict[str, Any]:
    """The policies of namespaces; tenants have nodes, too."""
    found = {
        path.removeprefix(POLICIES): one for path, one in nodes.items() if path.startswith(POLICIES)
    }
    return {
        name: one for name, one in found.items() if name.count("/") == 1 and isinstance(one, dict)
    }


def topics_in(nodes: NodeTexts, divided: Boundaries) -> dict[str, list[str]]:
    """BUNDLE: its topics, by their hashes."""
    found: dict[str, list[str]] = {}
    for path in nodes:
        parts = path.removeprefix(TOPICS).split("/")
        if not path.startswith(TOPICS) or len(parts) != 4:
            continue
        tenant, namespace, kind, name = parts
        boundaries = divided.get(f"{tenant}/{namespace}")
        if boundaries is None or f"{tenant}/{namespace}".startswith(OWN):
            continue
        topic = f"{kind}://{tenant}/{namespace}/{unquote(name)}"
        found.setdefault(f"{tenant}/{namespace}/{bundle_of(topic, boundaries)}", []).append(topic)
    return found


def reports_in(where: str, nodes: NodeTexts) -> dict[str, Any]:
    """The brokers' reports. Raises `BadSnapshot` for none, as where the manager is extensible."""
    found = {
        path.removeprefix(BROKERS): one
        for path, one in nodes.items()
        if path.startswith(BROKERS) and isinstance(one, dict) and "cpu" in one
    }
    if not found:
        raise BadSnapshot(
            f"{where}: no {BROKERS}… has a load report; the extensible manager keeps none there. "
            "Put BROKER.load-report.json and BROKER.topics.json of each broker next to it."
        )
    return found


def bundles_in(nodes: NodeTexts, report: Mapping[str, Any], topics: Mapping[str, list[str]]) -> Any:
    """A broker's topics by namespace and bundle, as `broker-stats topics` has them. What a bundle
    carries is the leader's short-term average, or else what the broker reported; it stands at the
    bundle's first topic, since nothing tells how it is shared out.
    """
    found: dict[str, Any] = {}
    reported = report.get("lastStats")
    for bundle, stats in reported.items() if isinstance(reported, dict) else ():
        namespace, _, range_ = bundle.rpartition("/")
        if namespace.startswith(OWN):
            continue
        averages = nodes.get(f"{AVERAGES}{bundle}")
        short = averages.get("shortTermData") if isinstance(averages, dict) else None
        known = next((one for one in (short, stats) if one and isinstance(one, dict)), {})
        traffic = {key: known.get(key, 0.0) for key in TRAFFIC}
        names = topics.get(bundle) or [f"persistent://{namespace}/?"]
        each: dict[str, Any] = {name: {} for name in names} | {names[0]: traffic}
        found.setdefault(namespace, {})[range_] = {"persistent": each}
    return found
