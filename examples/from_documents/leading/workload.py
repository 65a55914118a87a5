"""Traffic of bundles over time, and the usage that it causes (wire page on balancing)."""

from __future__ import annotations

from examples.from_documents.leading.common import Json

HOUR = 3_600_000
DAY = 24 * HOUR
FIELDS = ("msg_rate_in", "msg_rate_out", "throughput_in", "throughput_out")
NOTHING: Json = dict.fromkeys(FIELDS, 0.0)


def factor(curve: Json, now: int) -> float:
    """The factor by which a bundle's traffic has changed."""
    if curve["do"] == "drift":
        grown: float = 1 + curve["per_hour"] * min(now, curve["until"]) / HOUR
        return max(grown, 0.0)
    if curve["do"] == "spike":
        return float(curve["factor"]) if curve["begin"] <= now < curve["end"] else 1.0
    if curve["do"] == "daily":
        away = abs(now % DAY - curve["peak"] % DAY)
        share = float(min(away, DAY - away)) / (DAY // 2)
        return 1 - (1 - float(curve["low"])) * share
    return 1.0


def traffic(bundle: Json, now: int) -> Json:
    """A bundle's traffic at a time."""
    curve = bundle["curve"]
    if curve["do"] == "replay":
        rows = [row for row in curve["rows"] if row["at"] <= now]
        found = max(rows, key=lambda row: int(row["at"]))["traffic"] if rows else NOTHING
        return {name: float(found[name]) for name in FIELDS}
    times = factor(curve, now)
    return {name: float(bundle["traffic"][name]) * times for name in FIELDS}


def total(parts: list[Json]) -> Json:
    """The sum of some traffic."""
    return {name: sum((part[name] for part in parts), 0.0) for name in FIELDS}


def resources(spec: Json, load: Json, slow: float) -> Json:
    """A broker's resources under a load."""
    none = {"usage": 0.0, "limit": 0.0}
    bandwidth = float(spec["bandwidth"])
    return {
        "cpu": {
            "usage": load["msg_rate_in"] + load["msg_rate_out"],
            "limit": float(spec["messages"]) * slow,
        },
        "memory": none,
        "direct_memory": none,
        "bandwidth_in": {"usage": load["throughput_in"], "limit": bandwidth},
        "bandwidth_out": {"usage": load["throughput_out"], "limit": bandwidth},
    }


def usage(found: Json) -> float:
    """The largest share of a resource in use."""
    return max(
        float(resource["usage"]) / float(resource["limit"]) if resource["limit"] > 0 else 0.0
        for resource in found.values()
    )
