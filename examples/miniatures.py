"""A small right balancer, and a dozen with one fault each, as adapters for evenkeel.

    python examples/miniatures.py           the right one
    python examples/miniatures.py NAME      the one with this fault
    python examples/miniatures.py --list    all faults

docs/tutorial.md uses them. Plain Python, no dependency.
"""

import json
import re
import sys
import zlib
from collections.abc import Callable
from itertools import pairwise
from typing import Any

Json = dict[str, Any]
Questions = dict[str, Callable[[Json], Json]]

TOP = 2**32 - 1
PART = re.compile(r"[-=:.\w]+", re.ASCII)
"""The name of a tenant or of a namespace."""


class Refusal(Exception):
    """The balancer rejects the input deliberately."""


def span(lower: int, upper: int) -> Json:
    """A bundle: its upper end belongs to it only if it is the last hash."""
    return {"lower": lower, "upper": upper, "upper_included": upper == TOP}


def check_boundaries(boundaries: list[int]) -> list[int]:
    """Boundaries ascend from 0 to the last hash."""
    if len(boundaries) < 2 or boundaries[0] != 0 or boundaries[-1] != TOP:
        raise Refusal("they do not divide the hash space")
    if any(left >= right for left, right in pairwise(boundaries)):
        raise Refusal("they do not ascend")
    return boundaries


# ------------------------------------------------------------------------------ the right one


def boundaries(trial: Json) -> Json:
    """bundles.boundaries: the bundles between these boundaries."""
    return {"bundles": [span(*ends) for ends in pairwise(check_boundaries(trial["boundaries"]))]}


def lookup(trial: Json) -> Json:
    """bundles.hash_lookup: the bundle that holds this hash."""
    for lower, upper in pairwise(trial["boundaries"]):
        if lower <= trial["hash"] < upper or trial["hash"] == upper == TOP:
            return {"bundle": span(lower, upper)}
    raise LookupError("no bundle holds it")


def membership(trial: Json) -> Json:
    """bundles.membership: the bundle with this range."""
    ends = (trial["lower"], trial["upper"])
    if ends not in pairwise(trial["boundaries"]):
        raise Refusal("no bundle")
    return {"bundle": span(*ends)}


def topic_lookup(trial: Json) -> Json:
    """bundles.topic_lookup: the bundle that serves this topic."""
    if trial["topic"].split("://")[1].rsplit("/", 1)[0] != trial["namespace"]:
        raise Refusal("a topic of another namespace")
    domain = trial["topic"].partition("://")[0]
    named = all(PART.fullmatch(part) for part in trial["namespace"].split("/"))
    if domain not in ("persistent", "non-persistent") or not named:
        raise Refusal("no name of a topic")
    hash_ = zlib.crc32(trial["topic"].encode())
    found = lookup({"boundaries": trial["boundaries"], "hash": hash_})["bundle"]
    return {"bundle": found, "holders": [found]}


RIGHT: Questions = {
    "bundles.boundaries": boundaries,
    "bundles.hash_lookup": lookup,
    "bundles.membership": membership,
    "bundles.topic_lookup": topic_lookup,
}

# --------------------------------------------------------------------------------- one fault each


def skip_check(trial: Json) -> Json:
    return {"bundles": [span(*ends) for ends in pairwise(trial["boundaries"])]}


def any_order(trial: Json) -> Json:
    return boundaries({"boundaries": sorted(set(trial["boundaries"]))})


def closed_everywhere(trial: Json) -> Json:
    made = boundaries(trial)
    for bundle in made["bundles"]:
        bundle["upper_included"] = True
    return made


def one_lost(trial: Json) -> Json:
    made = boundaries(trial)
    return {"bundles": made["bundles"][:-1] if len(made["bundles"]) > 3 else made["bundles"]}


def last_hash_lost(trial: Json) -> Json:
    if trial["hash"] == TOP:
        raise IndexError("list index out of range")
    return lookup(trial)


def last_hash_wraps(trial: Json) -> Json:
    return lookup({**trial, "hash": (trial["hash"] + 1) % 2**32 - 1 if trial["hash"] < TOP else 0})


def boundary_below(trial: Json) -> Json:
    for lower, upper in pairwise(trial["boundaries"]):
        if lower <= trial["hash"] <= upper:
            return {"bundle": span(lower, upper)}
    raise LookupError("no bundle holds it")


def answer_signed(trial: Json) -> Json:
    hash_ = trial["hash"] - 2**32 if trial["hash"] >= 2**31 else trial["hash"]
    for lower, upper in pairwise(trial["boundaries"]):
        if hash_ < upper:
            return {"bundle": span(lower, upper)}
    raise LookupError("no bundle holds it")


BEFORE: list[list[int]] = []


def stale(trial: Json) -> Json:
    BEFORE.append(trial["boundaries"])
    return lookup({**trial, "boundaries": BEFORE[len(BEFORE) // 2]})


def by_lower_end(trial: Json) -> Json:
    if trial["lower"] not in trial["boundaries"][:-1]:
        raise Refusal("no bundle")
    return {"bundle": span(trial["lower"], trial["upper"])}


def any_boundaries(trial: Json) -> Json:
    if {trial["lower"], trial["upper"]} <= {*trial["boundaries"]}:
        return {"bundle": span(trial["lower"], trial["upper"])}
    raise Refusal("no bundle")


def any_namespace(trial: Json) -> Json:
    namespace = trial["topic"].split("://")[1].rsplit("/", 1)[0]
    return topic_lookup({**trial, "namespace": namespace})


def hash_of_the_local_name(trial: Json) -> Json:
    topic_lookup(trial)
    hash_ = zlib.crc32(trial["topic"].rsplit("/", 1)[1].encode())
    found = lookup({"boundaries": trial["boundaries"], "hash": hash_})["bundle"]
    return {"bundle": found, "holders": [found]}


FAULTS: dict[str, tuple[str, str, Callable[[Json], Json]]] = {
    "boundaries-unchecked": ("takes any list of boundaries", "bundles.boundaries", skip_check),
    "boundaries-sorted": ("sorts what does not ascend", "bundles.boundaries", any_order),
    "bundles-closed": ("both ends belong to each bundle", "bundles.boundaries", closed_everywhere),
    "bundle-lost": ("drops the last of many bundles", "bundles.boundaries", one_lost),
    "last-hash-breaks": ("breaks at the last hash", "bundles.hash_lookup", last_hash_lost),
    "last-hash-wraps": ("takes the last hash for 0", "bundles.hash_lookup", last_hash_wraps),
    "boundary-below": ("a boundary is of the bundle below", "bundles.hash_lookup", boundary_below),
    "hash-signed": ("a hash has 32 signed bits", "bundles.hash_lookup", answer_signed),
    "stale": ("remembers another trial's boundaries", "bundles.hash_lookup", stale),
    "lower-end-decides": ("a range is known by its start", "bundles.membership", by_lower_end),
    "ends-decide": ("any two boundaries make a bundle", "bundles.membership", any_boundaries),
    "any-namespace": ("serves other namespaces' topics", "bundles.topic_lookup", any_namespace),
    "local-name": ("hashes the local name", "bundles.topic_lookup", hash_of_the_local_name),
}


def reply(message: Json, questions: Questions, name: str) -> Json:
    """The reply to a message of the harness."""
    if message["type"] != "trial":
        hello: Json = {"type": "hello", "protocol": 1, "name": f"miniature {name}", "version": "1"}
        hello |= {"language": "python", "questions": list(questions), "options": []}
        replies: dict[str, Json] = {"hello": hello, "bye": {"type": "bye"}}
        return replies[message["type"]]
    if message["question"] not in questions:
        return {"type": "skipped", "id": message["id"], "reason": "not in a miniature"}
    try:
        said = {"answer": questions[message["question"]](message["trial"])}
    except Refusal as refusal:
        said = {"refused": {"reason": "Refusal", "detail": str(refusal)}}
    except Exception as bug:  # any failure of the balancer is an observation, too
        said = {"broke": {"reason": type(bug).__name__, "detail": str(bug)}}
    return {"type": "observation", "id": message["id"], **said}


def serve(questions: Questions, name: str) -> None:
    """Answer until the harness says bye."""
    for line in sys.stdin.buffer:
        said = reply(json.loads(line), questions, name)
        print(json.dumps(said), flush=True)
        if said["type"] == "bye":
            return


def main(words: list[str]) -> None:
    """Serve the named balancer."""
    if words == ["--list"]:
        for name, (says, question, _) in FAULTS.items():
            print(f"{name:<22} {question:<22} {says}")
    elif not words:
        serve(RIGHT, "right")
    elif words[0] in FAULTS:
        _, question, wrong = FAULTS[words[0]]
        serve({**RIGHT, question: wrong}, words[0])
    else:
        sys.exit(f"there is no miniature {words[0]}; --list shows all")


if __name__ == "__main__":
    main(sys.argv[1:])
