"""When a shedding strategy runs, and its input (Concepts, "Bundle unloading")."""

from __future__ import annotations

from examples.from_documents.leading.common import Context, Json

MINUTE = 60_000


def list_recent(context: Context, then: dict[str, int], now: int, grace: int) -> list[Json]:
    """The bundles or brokers with unloads within the grace period, and how many minutes ago."""
    result: list[Json] = []
    for name, at in sorted(then.items()):
        minutes = (now - at) // MINUTE
        if minutes < grace or (minutes == grace and context.interpretations.grace_includes_end):
            result.append({"name": name, "minutes": minutes})
    return result


def run(context: Context, trial: Json) -> Json:
    """All cycles of a trial."""
    grace = trial["loadBalancerSheddingGracePeriodMinutes"]
    bundles: dict[str, int] = {}
    brokers: dict[str, int] = {}
    answer: list[Json] = []
    for cycle in trial["cycles"]:
        now = cycle["now"]
        asked = bool(
            cycle["enabled"]
            and cycle["shedding_enabled"]
            and cycle["leads"]
            and cycle["available"] is not None
            and cycle["available"] > 1
        )
        result: Json = {"asked": asked, "bundles": [], "brokers": [], "unloaded": []}
        if asked:
            result["bundles"] = list_recent(context, bundles, now, grace)
            result["brokers"] = list_recent(context, brokers, now, grace)
            for decided in cycle["decided"]:
                if decided["outcome"] == "skip":
                    continue
                result["unloaded"].append(decided["bundle"])
                if decided["outcome"] == "done":
                    bundles[decided["bundle"]] = now
                    brokers[decided["source"]] = now
        answer.append(result)
    return {"cycles": answer}


HANDLERS = {"shedding.cycles": run}
