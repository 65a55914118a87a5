"""A broker by the text of its metrics (`/metrics/`), where nothing else is at hand.

They tell what it uses, and the traffic of each topic; but not of bundles. Which bundle a topic is
in follows from its hash, and from how its namespace is divided.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Mapping, Sequence
from typing import Any, Final

from evenkeel.operate.operating.snapshot import BadSnapshot
from evenkeel.operate.recording.entries import RESOURCES
from evenkeel.operate.recording.metrics import LABEL, LINE, OWN
from evenkeel.operate.recording.modular import TRAFFIC
from evenkeel.reference.bundles.boundaries import initial_boundaries
from evenkeel.reference.bundles.topics import topic_hash

USAGES: Final = dict(zip(RESOURCES, (*RESOURCES[:3], "bandwidth_in", "bandwidth_out"), strict=True))
"""How metrics call the resources of a load report."""
SAMPLES: Final = dict(
    zip(("rate_in", "rate_out", "throughput_in", "throughput_out"), TRAFFIC, strict=True)
)


def report_of(name: str, text: str) -> dict[str, Any]:
    """What the broker uses, as a load report has it. Raises `BadSnapshot`."""
    found = {kind: parse_sample(name, value) for kind, _, value in LINE.findall(text)}
    usages = {key: found.get(f"lb_{part}_usage") for key, part in USAGES.items()}
    if usages["cpu"] is None:
        raise BadSnapshot(f"{name}: its metrics do not have pulsar_lb_cpu_usage.")
    return {key: {"usage": value or 0.0, "limit": 100.0} for key, value in usages.items()}


def topics_of(name: str, text: str, divided: Mapping[str, Sequence[int]], usual: int) -> Any:
    """Topics by namespace and bundle, as `broker-stats topics` has them. `divided`: boundaries of
    namespaces; others have `usual` bundles of one size. Raises `BadSnapshot`.
    """
    found: dict[str, Any] = {}
    for kind, labels, value in LINE.findall(text):
        named = dict(LABEL.findall(labels))
        topic, namespace = named.get("topic"), named.get("namespace", "")
        if kind not in SAMPLES or topic is None or namespace.startswith(OWN):
            continue
        bundle = bundle_of(topic, divided.get(namespace) or initial_boundaries(usual))
        persistence = topic.partition("://")[0]
        stats = found.setdefault(namespace, {}).setdefault(bundle, {}).setdefault(persistence, {})
        stats.setdefault(topic, {})[SAMPLES[kind]] = parse_sample(name, value)
    return found


def bundle_of(topic: str, boundaries: Sequence[int]) -> str:
    """The range with the topic's hash; the last one has its end, too (BUN-4)."""
    place = min(bisect_right(boundaries, topic_hash(topic)), len(boundaries) - 1)
    return f"0x{boundaries[place - 1]:08x}_0x{boundaries[place]:08x}"


def parse_sample(name: str, text: str) -> float:
    """A number. Raises `BadSnapshot`."""
    try:
        return float(text)
    except ValueError:
        raise BadSnapshot(f"{name}: its metrics have {text!r} for a number.") from None
