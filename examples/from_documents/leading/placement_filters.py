"""The brokers that a bundle may be assigned to.

Blog, "Assigning topics to brokers dynamically": "the leader first filters out available brokers
by the configured rules".  The wire pages name these rules.
"""

from __future__ import annotations

import re

from examples.from_documents.leading.common import Context, Json, RefusedError


def matches(expressions: list[str], text: str) -> bool:
    """Whether one of the expressions matches the whole text."""
    return any(re.fullmatch(expression, text) for expression in expressions)


def host(name: str) -> str:
    """The host of a broker."""
    return name.rpartition(":")[0]


def isolate(trial: Json, namespace: str, brokers: list[Json]) -> list[Json]:
    """IsolationPolicy: primary brokers, and secondary ones if there are too few of them."""
    for policy in trial["policies"]:
        if matches(policy["namespaces"], namespace):
            first = [b for b in brokers if matches(policy["primary"], host(b["name"]))]
            if len(first) >= policy["least"] and first:
                return first
            return [
                broker
                for broker in brokers
                if broker in first or matches(policy["secondary"], host(broker["name"]))
            ]
    used = [expression for policy in trial["policies"] for expression in policy["primary"]]
    return [broker for broker in brokers if not matches(used, host(broker["name"]))]


def anti_affine(trial: Json, namespace: str, brokers: list[Json]) -> list[Json]:
    """Grouped: the brokers (in other domains, if so configured) with the fewest of the group."""
    groups = {entry["namespace"]: entry["group"] for entry in trial["groups"]}
    group = groups.get(namespace)
    if group is None or not brokers:
        return brokers

    def count(broker: Json) -> int:
        spaces = {bundle.rpartition("/")[0] for bundle in broker["bundles"]}
        return sum(groups.get(space) == group for space in spaces)

    if trial["failure_domains"]:
        domains: dict[str | None, int] = {}
        for broker in trial["brokers"]:
            domains[broker["domain"]] = domains.get(broker["domain"], 0) + count(broker)
        least = min(domains[broker["domain"]] for broker in brokers)
        brokers = [broker for broker in brokers if domains[broker["domain"]] == least]
    fewest = min(count(broker) for broker in brokers)
    return [broker for broker in brokers if count(broker) == fewest]


def evenly(trial: Json, namespace: str, brokers: list[Json]) -> list[Json]:
    """PlacementConfig, `distribute_evenly`: those with the fewest bundles of the namespace."""
    if not trial["config"]["distribute_evenly"] or not brokers:
        return brokers

    def count(broker: Json) -> int:
        return sum(bundle.rpartition("/")[0] == namespace for bundle in broker["bundles"])

    fewest = min(count(broker) for broker in brokers)
    return [broker for broker in brokers if count(broker) == fewest]


def version(text: str | None) -> tuple[int, ...]:
    """A version as numbers."""
    return tuple(int(part) for part in re.findall(r"\d+", text or ""))


def list_suited(trial: Json, facts: dict[str, Json], brokers: list[Json]) -> list[Json]:
    """The brokers that can serve the topic, and the latest of them if those are preferred."""
    config = trial["config"]
    kind = "persistent" if trial["persistent"] else "non_persistent"
    found = [
        broker
        for broker in brokers
        if facts[broker["name"]][kind]
        and facts[broker["name"]]["manager"] == config["manager"]
        and topics(facts[broker["name"]]) < config["max_topics"]
    ]
    if config["prefer_later_versions"] and found:
        latest = max(version(facts[broker["name"]]["version"]) for broker in found)
        found = [b for b in found if version(facts[b["name"]]["version"]) == latest]
    return found


def topics(fact: Json) -> int:
    """How many topics a broker serves or is about to serve."""
    return int(fact["topics"] or 0) + sum(fact.get("preallocated", []))


def filters(context: Context, trial: Json) -> Json:
    """placement.filters."""
    namespace = trial["bundle"].rpartition("/")[0]
    facts = {broker["name"]: broker["registration"] for broker in trial["brokers"]}
    brokers = [b for b in trial["brokers"] if b["name"] not in trial["excluded"]]
    brokers = isolate(trial, namespace, brokers)
    brokers = list_suited(trial, facts, brokers)
    brokers = anti_affine(trial, namespace, brokers)
    names = sorted(broker["name"] for broker in brokers)
    if not names:
        return {"offers": [], "chosen": None}
    return {"offers": [names], "chosen": choose_preferred(context, trial["prefers"], names)}


def choose_preferred(context: Context, order: list[str], names: list[str]) -> str | None:
    """The strategy's choice."""
    return next((name for name in order if name in names), context.pick(names))


def candidates(context: Context, trial: Json) -> Json:
    """placement.candidates."""
    namespace = trial["bundle"].rpartition("/")[0]
    facts = {b["name"]: b["report"] for b in trial["brokers"] if b["report"] is not None}
    permitted = [broker for broker in trial["brokers"] if broker["name"] in facts]
    permitted = isolate(trial, namespace, permitted)
    brokers = list_suited(trial, facts, permitted)
    brokers = anti_affine(trial, namespace, brokers)
    brokers = evenly(trial, namespace, brokers)
    names = sorted(broker["name"] for broker in brokers)
    offers: list[list[str]] = []
    if not names:
        return {"offers": offers, "chosen": None}
    offers.append(names)
    chosen = choose_preferred(context, trial["prefers"], names)
    limit = trial["config"]["overloaded_threshold"]
    if context.interpretations.ask_again and chosen is not None and facts[chosen]["cpu"] > limit:
        names = sorted(broker["name"] for broker in list_suited(trial, facts, permitted))
        offers.append(names)
        chosen = choose_preferred(context, trial["prefers_then"], names)
    return {"offers": offers, "chosen": chosen}


def policy(_context: Context, trial: Json) -> Json:
    """placement.policy: expressions that cannot be read are refused."""
    for expression in (*trial["namespaces"], *trial["primary"], *trial["secondary"]):
        try:
            re.compile(expression)
        except re.error as reason:
            raise RefusedError(str(reason)) from reason
    return {"stored": True}


HANDLERS = {
    "placement.candidates": candidates,
    "placement.filters": filters,
    "placement.policy": policy,
}
